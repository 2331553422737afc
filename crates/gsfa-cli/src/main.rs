//! The `gsfa` command.

mod args;
mod commands;
mod config;
mod data;
mod digits;
mod failure;
mod interrupt;
mod memory;
mod output;
mod paths;
mod reason;
mod scores;
mod shards;
mod talk;
mod task;
mod validation;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use failure::{Failure, Fault, Outcome};
use reason::{Aside, Reason};
use talk::Talk;

#[global_allocator]
static ALLOCATOR: memory::Told = memory::Told;

fn main() -> ExitCode {
    let cli = Cli::parse();
    interrupt::listen();
    let talk = Talk::new(cli.global.json, cli.global.quiet);
    match run(&cli, &talk) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            talk.failure(&name(&cli.command), &failure);
            ExitCode::from(failure.fault.exit_code())
        }
    }
}

/// The command as it is typed.
fn name(command: &Command) -> String {
    let debug = format!("{command:?}");
    debug.chars().take_while(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

fn run(cli: &Cli, talk: &Talk) -> Outcome {
    gsfa::vectors::check()?;
    start_threads(cli.global.threads.unwrap_or(0), talk)?;
    match &cli.command {
        Command::Plan(args) => commands::plan::run(args, talk),
        Command::Select(args) => commands::select::run(args, talk),
        Command::Train(args) => commands::train::run(args, talk),
        Command::Predict(args) => commands::predict::run(args, talk),
        Command::Transform(args) => commands::transform::run(args, talk),
        Command::Evaluate(args) => commands::evaluate::run(args, talk),
        Command::Inspect(args) => commands::inspect::run(args, talk),
        Command::Graph(args) => commands::graph::run(args, talk),
        Command::Prepare(args) => commands::prepare::run(args, talk),
        Command::Accumulate(args) => commands::accumulate::run(args, talk),
        Command::Merge(args) => commands::merge::run(args, talk),
        Command::Advance(args) => commands::advance::run(args, talk),
        Command::Solve(args) => commands::solve::run(args, talk),
        Command::Generate(args) => commands::generate::run(args, talk),
        Command::Reproduce(args) => commands::reproduce::run(args, talk),
        Command::Settings(args) => commands::settings::run(args, talk),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "gsfa", &mut script);
            talk::write_stdout(&script)
        }
    }
}

/// Starts so many threads, or one per core for 0: never more than help.
fn start_threads(asked: usize, talk: &Talk) -> Outcome {
    let threads = gsfa::threads::bounded(asked);
    if let Some(remark) = gsfa::threads::remark(asked) {
        talk.remark(Aside::Threads, remark);
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map_err(|error| {
        Failure::new(Fault::Io, Reason::Threads, format!("{threads} threads cannot be started: {error}"))
            .hint("--threads 1 needs one only; ulimit -v and ulimit -u may be too low")
    })
}
