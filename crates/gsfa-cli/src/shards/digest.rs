//! What sums belong to: labels, weights, graph and settings, each by its SHA-256.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::State;
use crate::failure::{Failure, Outcome};
use crate::paths::hex;

/// The SHA-256 of bytes, in digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// What the sums of one plan have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Belonging {
    labels: String,
    weights: String,
    graph: String,
    /// Network, columns, and how samples are read and prepared.
    settings: String,
    /// The number of the pass.
    pub pass: usize,
    /// What earlier passes have learned.
    training: String,
}

impl Belonging {
    pub fn of(state: &State) -> Outcome<Self> {
        let (plan, config) = (&state.plan, &state.plan.config);
        let settings =
            ((&plan.network, plan.single), (&plan.input_names, &config.reading, &config.preparation, &config.network));
        Ok(Self {
            labels: part(&(&plan.labels, &plan.files))?,
            weights: part(&plan.weights)?,
            graph: part(&plan.graph)?,
            settings: part(&settings)?,
            pass: state.trainer.pass().0,
            training: state.print()?,
        })
    }

    /// What differs, in words.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let parts = [
            ("labels", self.labels != other.labels),
            ("weights", self.weights != other.weights),
            ("graph", self.graph != other.graph),
            ("settings", self.settings != other.settings),
            ("nodes trained so far", self.training != other.training),
        ];
        parts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
    }
}

fn part(value: &impl Serialize) -> Outcome<String> {
    let text =
        serde_json::to_vec(value).map_err(|error| Failure::usage(format!("the plan cannot be read: {error}")))?;
    Ok(sha256(&text))
}
