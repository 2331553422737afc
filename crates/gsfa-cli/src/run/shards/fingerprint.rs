//! What sums belong to: labels, weights, graph and settings as the user gave them, each by its SHA-256. What nodes have learned so
//! far is told apart by the sums themselves.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::state::State;
use crate::error::{Error, ErrorCode, Result};
use crate::present::hex;

/// The SHA-256 of bytes, in digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The SHA-256 of all bytes before it stands at the end of a file.
const CHECKSUM: usize = 32;

/// Bytes and their checksum.
pub fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

/// The bytes before the checksum; nothing if it is that of others.
pub fn without_checksum(bytes: &[u8]) -> Option<&[u8]> {
    let (bytes, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
    (Sha256::digest(bytes)[..] == checksum[..]).then_some(bytes)
}

/// A part of a file with its length before it.
pub fn split_part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

/// What the sums of one job have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    labels: String,
    weights: String,
    graph: String,
    /// Network, columns, and how samples are read and prepared.
    settings: String,
    /// The number of the pass.
    pub pass: usize,
}

impl Fingerprint {
    pub fn of(state: &State) -> Result<Self> {
        let (job, settings) = (&state.job, &state.job.settings);
        let settings = (
            (&job.network, job.single),
            (&job.input_names, &settings.reading, &settings.preparation, &settings.network),
        );
        Ok(Self {
            labels: digest(&(&job.labels, &job.files))?,
            weights: digest(&job.weights)?,
            graph: digest(&job.graph)?,
            settings: digest(&settings)?,
            pass: state.trainer.pass().0,
        })
    }

    /// What differs, in words.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        let parts = [
            ("labels", self.labels != other.labels),
            ("weights", self.weights != other.weights),
            ("graph", self.graph != other.graph),
            ("settings", self.settings != other.settings),
        ];
        parts.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
    }
}

fn digest(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_vec(value)
        .map_err(|error| Error::usage(ErrorCode::StateFile, format!("the job cannot be read: {error}")))?;
    Ok(sha256(&text))
}
