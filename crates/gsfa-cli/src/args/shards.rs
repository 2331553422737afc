//! Flags of the steps of shards.

use std::path::PathBuf;

use clap::Args;

use super::files::OutputArgs;

#[derive(Debug, Args)]
pub struct AccumulateArgs {
    /// The job, or the state that the last advance wrote
    pub job: PathBuf,
    /// The shard: samples in any form that --data takes
    pub shard: PathBuf,
    /// The row of the shard's first sample among all samples; not needed if the job has file names
    #[arg(long, value_name = "ROW")]
    pub first_row: Option<usize>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The job, or the state that the last advance wrote
    pub job: PathBuf,
    /// The moments files
    #[arg(required = true)]
    pub moments: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct AdvanceArgs {
    /// The job, or the state that the last advance wrote
    pub state: PathBuf,
    /// The moments of all samples
    pub moments: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The job, or the state that the last advance wrote
    pub job: PathBuf,
    /// The moments of all samples
    pub moments: PathBuf,
    /// All shards in the order of their rows, to fit the read-out; without them the model has none
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub shards: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}
