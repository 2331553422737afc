//! What sums belong to: labels, weights, graph and settings, each by its SHA-256.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::State;
use crate::failure::{Failure, Outcome, Reason};
use crate::paths::hex;

/// The SHA-256 of bytes, in digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256 of all bytes before it stands at the end of a file.
const CHECKSUM: usize = 32;

/// Bytes and their checksum.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

/// The bytes before the checksum; nothing if it is that of others.
pub fn opened(bytes: &[u8]) -> Option<&[u8]> {
    let (bytes, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
    (Sha256::digest(bytes)[..] == checksum[..]).then_some(bytes)
}

/// A part of a file with its length before it.
pub fn part_of(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
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
    let text = serde_json::to_vec(value)
        .map_err(|error| Failure::usage(Reason::StateFile, format!("the plan cannot be read: {error}")))?;
    Ok(sha256(&text))
}
