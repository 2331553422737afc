//! Files of sums: what they belong to, whose samples they are of, the sums, and a checksum.

use std::path::Path;

use gsfa::graph::TrainingGraph;
use gsfa::network::{PassSums, Piece};
use gsfa::samples::{Rows, Samples};
use ndarray::Array2;

use super::at;
use super::fingerprint::{Fingerprint, split_part, with_checksum, without_checksum};
use super::sample_hashes::{CHUNK, SampleHashes};
use super::state::State;
use crate::error::{Error, ErrorCode, ErrorKind, Result};
use crate::interrupt;

/// The first bytes; the last of them counts formats.
const MAGIC: &[u8; 8] = b"GSFASUM\x04";

/// The sums of one pass over some of a job's samples.
pub struct SumsFile {
    pub sums: PassSums,
    pub hashes: SampleHashes,
}

impl SumsFile {
    /// Sums over nothing yet.
    pub fn new(state: &State, graph: &TrainingGraph) -> Result<Self> {
        state.check_open()?;
        Ok(Self { sums: state.trainer.begin(graph)?, hashes: SampleHashes::default() })
    }

    /// Adds the samples of a shard at `path`, which stand at the given rows of the graph.
    pub fn add(&mut self, path: &Path, state: &State, source: &dyn Samples, rows: &[usize]) -> Result {
        // In the order of the graph, whatever the order in the shard.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&k| rows[k]);
        let runs = order.chunk_by(|&a, &b| rows[a] + 1 == rows[b]);
        for run in runs.flat_map(|run| run.chunks(CHUNK)) {
            interrupt::check()?;
            let mut block = Array2::zeros((run.len(), source.dim()));
            source.read_double(Rows::List(run), block.view_mut())?;
            run.iter().zip(block.outer_iter()).for_each(|(&k, sample)| self.hashes.put(rows[k], sample));
            let original = block.view();
            let below = state.trainer.below(&original).map_err(|error| shard_error(path, error))?;
            let below = below.as_ref().map(|below| below.view());
            let below: &dyn Samples = below.as_ref().map_or(&original as &dyn Samples, |below| below);
            let piece = Piece { first_row: rows[run[0]], below, original: &original };
            state.trainer.add(&mut self.sums, piece).map_err(|error| shard_error(path, error))?;
        }
        match state.hashes.as_ref().and_then(|hashes| hashes.first_other(&self.hashes)) {
            None => Ok(()),
            Some(row) => Err(Error::data(
                ErrorCode::OtherSamples,
                format!("{}: sample {row} is not the one that earlier passes have seen", path.display()),
            )
            .hint("give every pass the same shards, unchanged, at the same rows")),
        }
    }

    /// Adds the sums over other samples.
    pub fn merge(&mut self, other: Self) -> gsfa::Result<()> {
        self.sums.merge(other.sums)?;
        self.hashes.add(other.hashes);
        Ok(())
    }

    pub fn to_bytes(&self, state: &State) -> Result<Vec<u8>> {
        let belonging = serde_json::to_vec(&Fingerprint::of(state)?)
            .map_err(|error| Error::usage(ErrorCode::StandardOutput, error.to_string()))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((belonging.len() as u64).to_le_bytes());
        bytes.extend(belonging);
        bytes.extend(self.hashes.to_bytes());
        bytes.extend(self.sums.to_bytes()?);
        Ok(with_checksum(bytes))
    }

    /// Reads a file of sums of the current pass.
    pub fn read(path: &Path, state: &State, graph: &TrainingGraph) -> Result<Self> {
        state.check_open()?;
        let bytes = gsfa::file::read(path).map_err(|error| Error::io("read", path, &error))?;
        let bad = |reason: &str| Error::data(ErrorCode::StateFile, format!("{}: {reason}", path.display()));
        if !bytes.starts_with(MAGIC) {
            return Err(bad("this is no file of sums of this version of gsfa")
                .hint("gsfa accumulate and gsfa merge write them; accumulate the shards anew"));
        }
        let damaged = || bad("the file is damaged: its checksum is another").hint("copy it again, or accumulate anew");
        let bytes = without_checksum(&bytes).ok_or_else(damaged)?;
        let (belonging, rest) = split_part(&bytes[MAGIC.len()..]).ok_or_else(damaged)?;
        let (hashes, sums) = SampleHashes::of_bytes(rest).ok_or_else(damaged)?;
        let belonging: Fingerprint = serde_json::from_slice(belonging).map_err(|_| damaged())?;
        let own = Fingerprint::of(state)?;
        if belonging.pass != own.pass {
            return Err(bad(&format!(
                "these are sums of pass {}, and the training is at pass {}",
                belonging.pass, own.pass
            ))
            .hint("accumulate every shard with the state that the last gsfa advance wrote"));
        }
        let differences = belonging.differences(&own);
        if !differences.is_empty() {
            let what = differences.join(", ");
            return Err(bad(&format!("these sums do not belong to the job: it has other {what}"))
                .hint("accumulate every shard with the same job file"));
        }
        let read = state.trainer.begin(graph)?.read(sums);
        Ok(Self { sums: read.map_err(|error| with_path(path, error))?, hashes })
    }
}

/// A failure with the file it belongs to.
pub fn with_path(path: &Path, error: gsfa::Error) -> Error {
    let error = Error::from(error);
    let kind = if error.kind == ErrorKind::Usage { ErrorKind::Usage } else { ErrorKind::Data };
    Error { kind, message: at(path, &error.message), ..error }
}

/// A failure to learn from sums: with their file if they lack samples, and otherwise as of one run.
pub fn sums_error(path: &Path, error: gsfa::Error) -> Error {
    match error {
        gsfa::Error::MissingRows { .. } => with_path(path, error),
        error => error.into(),
    }
}

/// A failure to sum a shard.
fn shard_error(path: &Path, error: gsfa::Error) -> Error {
    let cleaned = matches!(error, gsfa::Error::NonFiniteSample { .. } | gsfa::Error::Overflow { .. });
    let failure = with_path(path, error);
    if cleaned { failure.hint("shards need every value: clean the shard, and accumulate it again") } else { failure }
}
