//! Flags of generated images.

use std::path::PathBuf;

use clap::Args;

use super::values::{Drawing, parse_count};

#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// What to draw
    #[arg(value_enum)]
    pub what: Drawing,
    /// The folder to make; it must not exist
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Training images, about, at least one of each kind; beside them a fourth for the test, at least one of each kind
    #[arg(long, default_value_t = 2400, value_parser = parse_count)]
    pub count: usize,
    /// Also one picture of 192 training images, to be looked at
    #[arg(long)]
    pub contact_sheet: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}
