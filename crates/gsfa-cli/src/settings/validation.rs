//! How errors on samples that were not learned are measured: a part that is held out, or every part in turn.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::args::ValidationArgs;

/// How samples are split into those to learn from and those to estimate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Validation {
    /// Share of the samples that is held out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holdout: Option<f64>,
    /// Parts of a cross-validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folds: Option<usize>,
    /// The column of groups that stay together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Whether the samples of each label value are split alike.
    pub by_value: bool,
}

impl Validation {
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    pub fn apply(&mut self, args: &ValidationArgs) {
        // One replaces the other, wherever it comes from.
        if args.holdout.is_some() || args.folds.is_some() {
            (self.holdout, self.folds) = (args.holdout, args.folds);
        }
        if args.group.group.is_some() {
            self.group.clone_from(&args.group.group);
        }
        self.by_value |= args.by_value;
    }
}
