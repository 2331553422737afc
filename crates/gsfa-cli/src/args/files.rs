//! Flags of settings from a file, and of where the result goes.

use std::path::PathBuf;

use clap::Args;

/// Settings from a file.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Settings")]
pub struct ConfigArgs {
    /// Read settings from a TOML file; flags override it
    #[arg(long, short, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Set any setting by its name, e.g. graph.groups=60 or network.ridge=0.1; nothing after the sign leaves it out
    /// (gsfa settings lists all)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Print the settings as TOML and stop
    #[arg(long)]
    pub print_config: bool,
    /// Seed of everything random [default: 0]
    #[arg(long)]
    pub seed: Option<u64>,
}

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The file to write; - writes to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file if it exists; of a link, the file that it names
    #[arg(long)]
    pub force: bool,
}
