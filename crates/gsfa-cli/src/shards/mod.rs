//! Training from shards: the plan that all steps share, files of sums, and which samples these are the sums of.

mod digest;
mod places;
mod plan;
mod sums;

pub use places::{Places, sample_numbers};
pub use plan::{Plan, PlannedLabel, Shard, precision};
pub use sums::{SumsFile, named};
