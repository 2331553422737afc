//! What a model remembers of its training beside its parts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::remark::Remark;
use crate::Result;
use crate::labels::{LabelValues, Labels, SampleWeights};
use crate::network::InputShape;
use crate::preparation::{Encoding, Preparation};
use crate::readout::measures;
use crate::recipe::{Choice, Recipe, Selection};

/// What was asked for, what was chosen and why, and how samples become inputs: enough to do the training again, and to treat
/// new samples like those of training.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Remembered {
    /// What was asked for; `None` for a model that was put together by hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Recipe>,
    /// What was tried where something was left open, what was taken, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
    /// Remarks about samples, labels and the choice, in the order in which they were made; those about graph and nodes are in
    /// the summary.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Remark>,
    /// The best constant estimate of each label, which is what chance is.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub baselines: BTreeMap<String, Baseline>,
    /// The mean in training of each value of a sample, before preparation, which stands in for missing ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<Vec<f64>>,
    /// Factors of the weights of all samples of a class; `None` if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_weights: Option<ClassWeights>,
    /// What the names of classes stand for, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class_values: Option<ClassValues>,
    /// How images become inputs; `None` if samples are inputs as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preparation: Option<Preparation>,
    /// The shape of images before preparation; `None` if they have different ones, or samples are no images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<InputShape>,
    /// How table columns of words become inputs, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub encodings: BTreeMap<String, Encoding>,
    /// The settings of the program that trained the model, as it writes them: JSON, for people and for doing it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<String>,
}

/// A constant estimate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Baseline {
    /// The mean of a number.
    Number(f64),
    /// The most frequent class.
    Class(String),
}

/// Factors of the weights of all samples of a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassWeights {
    /// All classes weigh the same.
    Balanced,
    /// A factor for each of some classes, by name; 1 for all others.
    Given(BTreeMap<String, f64>),
}

/// What the names of classes stand for: a model has names only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassValues {
    /// `True` and `False`.
    Booleans,
    /// Whole numbers.
    Integers,
    /// Numbers.
    Numbers,
    /// The names themselves, whatever they look like.
    Words,
}

impl Remembered {
    /// With further remarks before those of the choice; what is said already is not said again.
    #[must_use]
    pub fn with_remarks(mut self, remarks: impl IntoIterator<Item = Remark>) -> Self {
        let mut notes: Vec<Remark> = Vec::new();
        for remark in remarks.into_iter().chain(std::mem::take(&mut self.notes)) {
            if !notes.contains(&remark) {
                notes.push(remark);
            }
        }
        Self { notes, ..self }
    }

    /// What a recipe and its choice leave to remember.
    pub(crate) fn of(recipe: &Recipe, choice: &Choice, labels: &Labels, weights: &SampleWeights) -> Result<Self> {
        let labeled = labels.labeled();
        let (labels, weights) = (labels.select(&labeled), weights.select(&labeled));
        let constant = |values: &LabelValues| -> Result<Baseline> {
            Ok(match values {
                LabelValues::Numbers(x) => Baseline::Number(measures::mean(x, &weights)?),
                LabelValues::Classes(classes) => {
                    let most = measures::majority_class(classes.of_sample(), &weights)?;
                    Baseline::Class(classes.names()[most as usize].clone())
                }
            })
        };
        let baselines = labels.columns().map(|(name, values)| Ok((name.to_string(), constant(values)?)));
        Ok(Self {
            asked: Some(recipe.clone()),
            selection: Some(choice.selection.clone()).filter(|selection| !selection.tried.is_empty()),
            notes: Remark::all(&choice.notes),
            baselines: baselines.collect::<Result<_>>()?,
            ..Self::default()
        })
    }

    /// What formats 1 and 2 kept as whatever the caller wrote: for the command line settings, preparation, baselines and means.
    pub(super) fn of_extra(extra: Value) -> serde_json::Result<Self> {
        const KNOWN: [&str; 5] = ["config", "preparation", "chance", "means", "selection"];
        let Value::Object(mut kept) = extra else {
            let settings = (!extra.is_null()).then(|| extra.to_string());
            return Ok(Self { settings, ..Self::default() });
        };
        if kept.is_empty() || kept.keys().any(|key| !KNOWN.contains(&key.as_str())) {
            return Ok(Self { settings: Some(Value::Object(kept).to_string()), ..Self::default() });
        }
        let mut take = |key: &str| kept.remove(key).unwrap_or_default();
        let baselines: Option<BTreeMap<String, Baseline>> = serde_json::from_value(take("chance"))?;
        Ok(Self {
            preparation: serde_json::from_value(take("preparation"))?,
            means: serde_json::from_value(take("means"))?,
            selection: serde_json::from_value(take("selection"))?,
            baselines: baselines.unwrap_or_default(),
            settings: Some(take("config")).filter(|config| !config.is_null()).map(|config| config.to_string()),
            ..Self::default()
        })
    }
}
