//! Training from shards: the plan that all steps share, how far its training has come, files of sums, and which samples
//! these are the sums of.

mod digest;
mod places;
mod plan;
mod state;
mod sums;

pub use places::{Places, sample_numbers};
pub use plan::{Plan, PlannedLabel, Shard, in_precision, precision};
pub use state::State;
pub use sums::{SumsFile, named, of_sums};
