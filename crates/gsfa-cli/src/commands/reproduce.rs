//! `gsfa reproduce`: the paper's experiments, and one page about them.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use gsfa::file::Overwrite;
use gsfa_experiments::expected::Expected;
use gsfa_experiments::spec::{Size, Specs};
use gsfa_experiments::{Error, Results, Watch, data, report};
use serde_json::{Value, json};

use crate::failure::{Failure, Fault, Outcome, Reason};
use crate::interrupt;
use crate::output::check_folder;
use crate::talk::{Talk, say};

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

pub fn run(args: &ReproduceArgs, talk: &Talk) -> Outcome {
    let folder = &args.output;
    if !args.force && folder.symlink_metadata().is_ok() {
        return Err(Failure::usage(Reason::FolderExists, format!("{} exists already", folder.display()))
            .hint("choose another folder with -o, or use --force"));
    }
    check_folder(folder)?;
    let start = Instant::now();
    let size = if args.full { Size::Full } else { Size::Quick };
    let mut specs = match &args.specs {
        Some(folder) => Specs::read(folder, size)?,
        None => Specs::built_in(size)?,
    };
    if let Some(runs) = args.runs {
        (specs.gender.runs, specs.signs.runs) = (runs.into(), runs.into());
    }
    let real = data::find(&args.data)?;
    let expected = Expected::built_in()?;
    let watch = Progress { talk, start };
    let wanted = |experiment| args.experiment.is_none_or(|only| only == experiment);
    let graphs = wanted(Experiment::Graphs).then(|| specs.graphs.run(args.seed, &expected, &watch)).transpose()?;
    let signs = wanted(Experiment::Signs)
        .then(|| specs.signs.run(real.signs.as_deref(), args.seed, &expected, &watch))
        .transpose()?;
    let gender = wanted(Experiment::Gender)
        .then(|| specs.gender.run(real.faces.as_ref(), args.seed, &expected, &watch))
        .transpose()?;
    let results = Results {
        version: env!("CARGO_PKG_VERSION").into(),
        size: size.name().into(),
        seed: args.seed,
        seconds: start.elapsed().as_secs_f64(),
        command_line: command_line(args),
        machine: report::machine(),
        gender,
        graphs,
        signs,
    };
    let files = {
        let _saving = interrupt::saving();
        results.write(folder, if args.force { Overwrite::Replace } else { Overwrite::Never })?
    };
    let page = folder.join("index.html");
    let text = format!("{}{}\n\nlook at {}\n", results.text(), results.sentences().join("\n\n"), page.display());
    let mut value = serde_json::to_value(&results).unwrap_or(Value::Null);
    if let Some(object) = value.as_object_mut() {
        object.remove("seconds");
        let names: Vec<_> = files.iter().map(|file| file.to_string_lossy()).collect();
        object.insert("files".into(), json!(names));
    }
    talk.result("reproduce", &[("folder", Some(folder))], value, &text)
}

/// The command again, as somebody would type it.
fn command_line(args: &ReproduceArgs) -> String {
    let mut words = vec!["gsfa reproduce".to_string()];
    words.extend(args.experiment.and_then(|e| Some(e.to_possible_value()?.get_name().to_string())));
    words.extend(args.full.then(|| "--full".to_string()));
    words.extend(args.runs.map(|runs| format!("--runs {runs}")));
    words.push(format!("--seed {}", args.seed));
    words.extend(args.data.iter().map(|path| format!("--data {}", path.display())));
    words.extend(args.specs.iter().map(|path| format!("--specs {}", path.display())));
    words.join(" ")
}

/// Says each step on stderr, and stops after Ctrl-C.
struct Progress<'a> {
    talk: &'a Talk,
    start: Instant,
}

impl Watch for Progress<'_> {
    fn step(&self, what: &str) {
        if !self.talk.quiet {
            say("progress", &format!("{:6.1} s  {what}", self.start.elapsed().as_secs_f64()));
        }
    }

    fn stop(&self) -> bool {
        interrupt::requested()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let fault = match error {
            Error::Method(error) => return error.into(),
            Error::Data(error) => return error.into(),
            Error::Stopped => {
                return Failure::new(
                    Fault::Interrupted,
                    Reason::Interrupted,
                    "interrupted; earlier files are as they were",
                );
            }
            Error::Folder { .. } => Fault::Io,
            Error::UnknownData { .. } => Fault::Data,
            _ => Fault::Usage,
        };
        let failure = Failure::new(fault, Reason::Experiment, error.to_string());
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
