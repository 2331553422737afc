//! What is left open is chosen by samples that took no part in learning it.
//!
//! Samples are dealt to [`Folds`]; a candidate is trained without each of them, and what it says about the samples left out
//! is its [`Judgement`]. Estimates of left-out samples are pooled, never features: models of different folds differ in
//! signs, order and rotation.

mod content;
mod folds;
mod judgement;
mod judging;
mod part;
mod pooled;
mod readout_training;
mod shared;
mod slowness;
#[cfg(test)]
mod tests;
mod units;

pub(crate) use content::{RowHash, row_hash, row_keys};
pub use folds::Folds;
pub use judgement::{Candidate, Judged, Judgement};
pub use judging::Judging;
pub(crate) use part::Part;
pub(crate) use readout_training::ReadoutTraining;
pub(crate) use shared::SharedSums;
pub(crate) use units::Units;
