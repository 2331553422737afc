//! What is left open is chosen by samples that took no part in learning it.
//!
//! Samples are dealt to [`Folds`]; a candidate is trained without each of them, and what it says about the samples left out
//! is its [`Judgement`]. Estimates of left-out samples are pooled, never features: models of different folds differ in
//! signs, order and rotation.

mod content;
mod folds;
mod judgement;
mod slowness;
#[cfg(test)]
mod tests;

pub(crate) use content::{row_hash, row_keys};
pub use folds::Folds;
pub use judgement::{Candidate, Judged, Judgement, judge};
pub(crate) use judgement::{Part, ReadoutTraining};
pub(crate) use slowness::judge_slowness;
