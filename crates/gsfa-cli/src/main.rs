//! The `gsfa` command, in layers: arguments become settings, settings say what is loaded, a command runs on it, and its
//! result is presented. Each layer uses those before it and never one after it, but for what is presented on the way: notes and
//! progress (`tests/cli/layers.rs`).

mod allocator;
mod args;
mod error;
mod interrupt;
mod load;
mod present;
mod run;
mod settings;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use error::{Error, ErrorCode, ErrorKind, RemarkCode, Result};
use present::Printer;

#[global_allocator]
static ALLOCATOR: allocator::ReportingAllocator = allocator::ReportingAllocator;

fn main() -> ExitCode {
    allocator::listen();
    let cli = Cli::parse();
    interrupt::listen(|error| present::message("error", &error.message), |text| present::message("note", text));
    let printer = Printer::new(cli.global.json, cli.global.quiet);
    match start(&cli, &printer) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            printer.error(&name(&cli.command), &error);
            ExitCode::from(error.kind.exit_code())
        }
    }
}

/// The command as it is typed.
fn name(command: &Command) -> String {
    let debug = format!("{command:?}");
    debug.chars().take_while(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

fn start(cli: &Cli, printer: &Printer) -> Result {
    gsfa::vectors::check()?;
    start_threads(cli.global.threads.unwrap_or(0), printer)?;
    run::run(&cli.command, printer)
}

/// Starts so many threads, or one per core for 0: never more than help.
fn start_threads(asked: usize, printer: &Printer) -> Result {
    let threads = gsfa::threads::bounded(asked);
    if let Some(remark) = gsfa::threads::remark(asked) {
        printer.remark(RemarkCode::Threads, remark);
    }
    allocator::require_threads(threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    pool.map_err(|error| {
        Error::new(ErrorKind::Io, ErrorCode::Threads, format!("{threads} threads cannot be started: {error}"))
            .hint("--threads 1 needs one only; ulimit -v and ulimit -u may be too low")
    })
}
