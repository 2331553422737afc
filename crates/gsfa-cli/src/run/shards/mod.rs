//! Training from shards: the job that all steps share, how far its training has come, files of sums, and which samples
//! these are the sums of.

mod fingerprint;
mod job;
mod sample_hashes;
mod state;
mod sums;

use job::at;
pub use job::{Job, JobLabel, Shard};
pub use sample_hashes::{SampleHashes, sample_hashes};
pub use state::State;
pub use sums::{SumsFile, sums_error, with_path};

/// Which pass, if there are several.
pub fn pass_prefix(pass: usize, passes: usize) -> String {
    if passes > 1 { format!("pass {pass} of {passes}: ") } else { String::new() }
}
