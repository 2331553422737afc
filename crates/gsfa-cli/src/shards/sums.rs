//! Files of sums: what they belong to, whose samples they are of, the sums, and a checksum.

use std::path::Path;

use gsfa::network::{PassGraphs, PassSums, Piece};
use gsfa::samples::{Rows, Samples};
use ndarray::Array2;

use super::digest::{Belonging, opened, part_of, sealed};
use super::places::{CHUNK, Places};
use super::state::State;
use crate::failure::{Failure, Fault, Outcome, Reason};
use crate::interrupt;

/// The first bytes; the last of them counts formats.
const MAGIC: &[u8; 8] = b"GSFASUM\x02";

/// The sums of one pass over some of a plan's samples.
pub struct SumsFile<'g> {
    pub sums: PassSums<'g>,
    pub places: Places,
}

impl<'g> SumsFile<'g> {
    /// Sums over nothing yet.
    pub fn new(state: &State, graphs: &'g PassGraphs) -> Outcome<Self> {
        state.check_open()?;
        Ok(Self { sums: state.trainer.begin(graphs)?, places: Places::default() })
    }

    /// Adds the samples of a shard at `path`, which stand at the given rows of the graph.
    pub fn add(&mut self, path: &Path, state: &State, source: &dyn Samples, rows: &[usize]) -> Outcome {
        // In the order of the graph, whatever the order in the shard.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&k| rows[k]);
        let runs = order.chunk_by(|&a, &b| rows[a] + 1 == rows[b]);
        for run in runs.flat_map(|run| run.chunks(CHUNK)) {
            interrupt::check()?;
            let mut block = Array2::zeros((run.len(), source.dim()));
            source.read_double(Rows::List(run), block.view_mut())?;
            run.iter().zip(block.outer_iter()).for_each(|(&k, sample)| self.places.put(rows[k], sample));
            let original = block.view();
            let below = state.trainer.below(&original).map_err(|error| of_shard(path, error))?;
            let below = below.as_ref().map(|below| below.view());
            let below: &dyn Samples = below.as_ref().map_or(&original as &dyn Samples, |below| below);
            let piece = Piece { first_row: rows[run[0]], below, original: &original };
            state.trainer.add(&mut self.sums, piece).map_err(|error| of_shard(path, error))?;
        }
        match state.places.as_ref().and_then(|places| places.first_other(&self.places)) {
            None => Ok(()),
            Some(row) => Err(Failure::data(
                Reason::OtherSamples,
                format!("{}: sample {row} is not the one that earlier passes have seen", path.display()),
            )
            .hint("give every pass the same shards, unchanged, at the same rows")),
        }
    }

    /// Adds the sums over other samples.
    pub fn merge(&mut self, other: Self) -> gsfa::Result<()> {
        self.sums.merge(other.sums)?;
        self.places.add(other.places);
        Ok(())
    }

    pub fn to_bytes(&self, state: &State) -> Outcome<Vec<u8>> {
        let belonging = serde_json::to_vec(&Belonging::of(state)?)
            .map_err(|error| Failure::usage(Reason::StandardOutput, error.to_string()))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((belonging.len() as u64).to_le_bytes());
        bytes.extend(belonging);
        bytes.extend(self.places.to_bytes());
        bytes.extend(self.sums.to_bytes()?);
        Ok(sealed(bytes))
    }

    /// Reads a file of sums of the current pass.
    pub fn read(path: &Path, state: &State, graphs: &'g PassGraphs) -> Outcome<Self> {
        state.check_open()?;
        let bytes = gsfa::file::read(path).map_err(|error| Failure::io("read", path, &error))?;
        let bad = |reason: &str| Failure::data(Reason::StateFile, format!("{}: {reason}", path.display()));
        if !bytes.starts_with(MAGIC) {
            return Err(bad("this is no file of sums of this version of gsfa")
                .hint("gsfa accumulate and gsfa merge write them; accumulate the shards anew"));
        }
        let damaged = || bad("the file is damaged: its checksum is another").hint("copy it again, or accumulate anew");
        let bytes = opened(&bytes).ok_or_else(damaged)?;
        let (belonging, rest) = part_of(&bytes[MAGIC.len()..]).ok_or_else(damaged)?;
        let (places, sums) = Places::of_bytes(rest).ok_or_else(damaged)?;
        let belonging: Belonging = serde_json::from_slice(belonging).map_err(|_| damaged())?;
        let own = Belonging::of(state)?;
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
            return Err(bad(&format!("these sums do not belong to the plan: it has other {what}"))
                .hint("accumulate every shard with the same plan file"));
        }
        let read = state.trainer.begin(graphs)?.read(sums, graphs);
        Ok(Self { sums: read.map_err(|error| named(path, error))?, places })
    }
}

/// A failure with the file it belongs to.
pub fn named(path: &Path, error: gsfa::Error) -> Failure {
    let failure = Failure::from(error);
    let fault = if failure.fault == Fault::Usage { Fault::Usage } else { Fault::Data };
    Failure { fault, message: format!("{}: {}", path.display(), failure.message), ..failure }
}

/// A failure to learn from sums: with their file if they lack samples, and otherwise as of one run.
pub fn of_sums(path: &Path, error: gsfa::Error) -> Failure {
    match error {
        gsfa::Error::MissingRows { .. } => named(path, error),
        error => error.into(),
    }
}

/// A failure to sum a shard.
fn of_shard(path: &Path, error: gsfa::Error) -> Failure {
    let cleaned = matches!(error, gsfa::Error::NonFiniteSample { .. } | gsfa::Error::Overflow { .. });
    let failure = named(path, error);
    if cleaned { failure.hint("shards need every value: clean the shard, and accumulate it again") } else { failure }
}
