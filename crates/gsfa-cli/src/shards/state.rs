//! A plan and how far its training has come.

use std::path::Path;

use gsfa::network::Trainer;

use super::digest::{opened, part_of, sealed, sha256};
use super::places::Places;
use super::plan::Plan;
use crate::failure::{Failure, Outcome, Reason};

/// The first bytes; the last of them counts formats.
const MAGIC: &[u8; 8] = b"GSFASTA\x01";

/// What every step of a training from shards starts from: a plan before the first pass, later the file that `advance` wrote.
pub struct State {
    pub plan: Plan,
    pub trainer: Trainer,
    /// Which samples earlier passes have seen; nothing before the first.
    pub places: Option<Places>,
}

impl State {
    /// Reads a plan or a state.
    pub fn read(path: &Path) -> Outcome<Self> {
        let bytes = gsfa::file::read(path).map_err(|error| Failure::io("read", path, &error))?;
        let bad = |reason: &str| Failure::data(Reason::StateFile, format!("{}: {reason}", path.display()));
        if Plan::wrote(&bytes) {
            let plan = Plan::of_bytes(&bytes, path)?;
            let trainer = Trainer::new(plan.network.clone(), plan.precision())?;
            return Ok(Self { plan, trainer, places: None });
        }
        if !bytes.starts_with(MAGIC) {
            return Err(bad("this is no plan and no state of this version of gsfa")
                .hint("gsfa prepare writes plans, and gsfa advance states"));
        }
        let damaged = || bad("the file is damaged: its checksum is another").hint("copy it again, or advance anew");
        let bytes = opened(&bytes).ok_or_else(damaged)?;
        let (plan, rest) = part_of(&bytes[MAGIC.len()..]).ok_or_else(damaged)?;
        let (places, trainer) = Places::of_bytes(rest).ok_or_else(damaged)?;
        let (plan, trainer) = (Plan::of_bytes(plan, path)?, Trainer::from_bytes(trainer)?);
        Ok(Self { plan, trainer, places: Some(places) })
    }

    pub fn to_bytes(&self) -> Outcome<Vec<u8>> {
        let plan = self.plan.to_bytes()?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((plan.len() as u64).to_le_bytes());
        bytes.extend(plan);
        bytes.extend(self.places.clone().unwrap_or_default().to_bytes());
        bytes.extend(self.trainer.to_bytes()?);
        Ok(sealed(bytes))
    }

    /// What tells this training from others that have come as far.
    pub fn print(&self) -> Outcome<String> {
        Ok(sha256(&self.trainer.to_bytes()?))
    }

    /// Refuses to go on where there is nothing left to sum.
    pub fn check_open(&self) -> Outcome {
        match self.trainer.is_complete() {
            false => Ok(()),
            true => Err(Failure::usage(Reason::PassOrder, "this training is complete")),
        }
    }
}
