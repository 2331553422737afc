//! The commands, one file each, and what several of them share.

mod accumulate;
mod advance;
mod apply;
mod evaluate;
mod generate;
mod graph;
mod graph_export;
mod inspect;
mod map;
mod merge;
mod plan;
mod predict;
mod prepare;
mod reconstruct;
mod reproduce;
mod scores;
mod select;
mod settings;
mod shards;
mod solve;
mod splits;
mod train;
mod training;
mod transform;

use clap::CommandFactory;

use crate::args::{Cli, Command};
use crate::error::Result;
use crate::present::{Printer, write_stdout};

/// Runs a command.
pub fn run(command: &Command, printer: &Printer) -> Result {
    match command {
        Command::Plan(args) => plan::run(args, printer),
        Command::Select(args) => select::run(args, printer),
        Command::Map(args) => map::run(args, printer),
        Command::Train(args) => train::run(args, printer),
        Command::Predict(args) => predict::run(args, printer),
        Command::Transform(args) => transform::run(args, printer),
        Command::Reconstruct(args) => reconstruct::run(args, printer),
        Command::Evaluate(args) => evaluate::run(args, printer),
        Command::Inspect(args) => inspect::run(args, printer),
        Command::Graph(args) => graph::run(args, printer),
        Command::Prepare(args) => prepare::run(args, printer),
        Command::Accumulate(args) => accumulate::run(args, printer),
        Command::Merge(args) => merge::run(args, printer),
        Command::Advance(args) => advance::run(args, printer),
        Command::Solve(args) => solve::run(args, printer),
        Command::Generate(args) => generate::run(args, printer),
        Command::Reproduce(args) => reproduce::run(args, printer),
        Command::Settings(args) => settings::run(args, printer),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "gsfa", &mut script);
            write_stdout(&script)
        }
    }
}
