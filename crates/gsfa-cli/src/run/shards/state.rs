//! A job and how far its training has come.

use std::path::Path;

use gsfa::network::Trainer;

use super::fingerprint::{split_part, with_checksum, without_checksum};
use super::job::Job;
use super::sample_hashes::SampleHashes;
use crate::error::{Error, ErrorCode, Result};

/// The first bytes; the last of them counts formats.
const MAGIC: &[u8; 8] = b"GSFASTA\x01";

/// What every step of a training from shards starts from: a job before the first pass, later the file that `advance` wrote.
pub struct State {
    pub job: Job,
    pub trainer: Trainer,
    /// Which samples earlier passes have seen; nothing before the first.
    pub hashes: Option<SampleHashes>,
}

impl State {
    /// Reads a job or a state.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = gsfa::file::read(path).map_err(|error| Error::io("read", path, &error))?;
        let bad = |reason: &str| Error::data(ErrorCode::StateFile, format!("{}: {reason}", path.display()));
        if Job::wrote(&bytes) {
            let job = Job::of_bytes(&bytes, path)?;
            let trainer = Trainer::new(job.network.clone(), job.precision())?;
            return Ok(Self { job, trainer, hashes: None });
        }
        if !bytes.starts_with(MAGIC) {
            return Err(bad("this is no job and no state of this version of gsfa")
                .hint("gsfa prepare writes jobs, and gsfa advance states"));
        }
        let damaged = || bad("the file is damaged: its checksum is another").hint("copy it again, or advance anew");
        let bytes = without_checksum(&bytes).ok_or_else(damaged)?;
        let (job, rest) = split_part(&bytes[MAGIC.len()..]).ok_or_else(damaged)?;
        let (hashes, trainer) = SampleHashes::of_bytes(rest).ok_or_else(damaged)?;
        let (job, trainer) = (Job::of_bytes(job, path)?, Trainer::from_bytes(trainer)?);
        Ok(Self { job, trainer, hashes: Some(hashes) })
    }

    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let job = self.job.to_bytes()?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((job.len() as u64).to_le_bytes());
        bytes.extend(job);
        bytes.extend(self.hashes.clone().unwrap_or_default().to_bytes());
        bytes.extend(self.trainer.to_bytes()?);
        Ok(with_checksum(bytes))
    }

    /// Refuses to go on where there is nothing left to sum.
    pub fn check_open(&self) -> Result {
        match self.trainer.is_complete() {
            false => Ok(()),
            true => Err(Error::usage(ErrorCode::PassOrder, "this training is complete")),
        }
    }
}
