//! `gsfa reproduce`: the paper's experiments, and one page about them.

use std::time::Instant;

use clap::ValueEnum;
use gsfa::file::Overwrite;
use gsfa_experiments::expected::Expected;
use gsfa_experiments::spec::{Size, Specs};
use gsfa_experiments::{Results, Watch, data, report};
use serde_json::{Value, json};

use crate::args::{Experiment, ReproduceArgs};
use crate::error::{Error, ErrorCode, Result};
use crate::interrupt;
use crate::present::{Printer, check_folder, message};

pub fn run(args: &ReproduceArgs, printer: &Printer) -> Result {
    let folder = &args.output;
    if !args.force && folder.symlink_metadata().is_ok() {
        return Err(Error::usage(ErrorCode::FolderExists, format!("{} exists already", folder.display()))
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
    let watch = Progress { printer, start };
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
    printer.result("reproduce", &[("folder", Some(folder))], value, &text)
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
    printer: &'a Printer,
    start: Instant,
}

impl Watch for Progress<'_> {
    fn step(&self, what: &str) {
        if !self.printer.quiet {
            message("progress", &format!("{:6.1} s  {what}", self.start.elapsed().as_secs_f64()));
        }
    }

    fn stop(&self) -> bool {
        interrupt::requested()
    }
}
