//! Flags of `gsfa reproduce`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What to run, how large, and where to write it.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// The experiment; all of them if left out
    #[arg(value_enum)]
    pub experiment: Option<Experiment>,
    /// The paper's size instead of a quick one: minutes instead of one, for each run
    #[arg(long)]
    pub full: bool,
    /// Repetitions, for means and standard deviations [default: as in the experiment's file, 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub runs: Option<u16>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Real data instead of generated: a folder with images.npy and labels.csv (faces), or the GTSRB folder (signs)
    #[arg(long, short, value_name = "PATH")]
    pub data: Vec<PathBuf>,
    /// Read experiment files from a folder; those that are not in it are the built-in ones
    #[arg(long, value_name = "DIR")]
    pub specs: Option<PathBuf>,
    /// The folder to write
    #[arg(long, short, value_name = "DIR", default_value = "report")]
    pub output: PathBuf,
    /// Replace the files in the folder
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Experiment {
    /// Gender and colour from faces
    Gender,
    /// Three graphs for one label
    Graphs,
    /// Traffic signs
    Signs,
}
