//! `gsfa map`: classes by two features that are learned to tell them apart, beside those of discriminant analysis.

use std::path::PathBuf;

use gsfa::graph::{ClassCode, Clustered, Compact, GraphSpec};
use gsfa::labels::{Classes, LabelValues};
use gsfa_data::gtsrb::Part;
use gsfa_report::{Cell, ClassMap, Column, MapPanel, Table};
use ndarray::Array2;
use serde_json::{Value, json};

use crate::args::MapArgs;
use crate::error::{Error, ErrorCode, Result};
use crate::interrupt;
use crate::load::{self, Loaded, Request, WantedLabels, in_precision};
use crate::present::{Errors, Output, Printer, ValidationPart, counted};
use crate::run::splits::splits;
use crate::run::train::{Fitted, cross_validate, fit};
use crate::run::training::only_printed;
use crate::settings::Settings;

/// Parts that are left out in turn, unless the user says otherwise.
const FOLDS: usize = 5;

/// Features of a map.
const AXES: usize = 2;

pub fn run(args: &MapArgs, printer: &Printer) -> Result {
    let mut settings = Settings::of(&args.train, &args.validation)?;
    if settings.validation.holdout.is_none() {
        settings.validation.folds.get_or_insert(FOLDS);
    }
    let maps = [("learned code", learned(&settings)?), ("discriminant analysis", discriminant(&settings)?)];
    if only_printed(&maps[0].1, &args.train.config, &[], printer)? {
        return Ok(());
    }
    let mut inputs = load::inputs(&settings);
    inputs.extend(args.new.clone());
    let output = Output::required(&args.train.output, &inputs, "map.svg", printer)?;
    output.check_drawing()?;
    let loaded = load::load(&Request::to_learn(&settings), printer)?;
    loaded.label_kinds.report(printer);
    let (name, classes) = classes(&loaded)?;
    let mut drawn = Vec::new();
    for (title, settings) in &maps {
        printer.step(title);
        drawn.push(Map::of(title, settings, &loaded, args.new.as_ref(), printer)?);
        interrupt::check()?;
    }
    let figure = ClassMap {
        title: format!("{name}: {} classes by two features", classes.names().len()),
        names: classes.names().to_vec(),
        panels: drawn.iter().map(|map| map.panel(classes)).collect(),
    };
    output.write(figure.figure().svg().as_bytes())?;
    let text = format!(
        "{} of {} classes\n\n{}\n{}\n",
        counted(loaded.len(), "sample"),
        classes.names().len(),
        table(&drawn).text(),
        output.saved()
    );
    let value = json!({
        "samples": loaded.len(), "label": name, "classes": classes.names(),
        "maps": drawn.iter().map(Map::json).collect::<Vec<_>>(), "skipped": loaded.skipped,
    });
    printer.result("map", &[("output", output.path())], value, &text)
}

/// Two features of a learned code.
fn learned(settings: &Settings) -> Result<Settings> {
    let compact = match &settings.graph {
        None => Compact { code: ClassCode::Pairwise, ..Compact::default() },
        Some(GraphSpec::Compact(compact)) => compact.clone(),
        Some(other) => {
            let kind = other.kind().name.replace('_', "-");
            return Err(Error::usage(
                ErrorCode::MeaninglessFlag,
                format!("a map is of a compact graph, beside the clustered one, and not of kind {kind}"),
            )
            .hint("leave --graph out; what is set of the graph goes with its name: --graph compact --balance --code nested"));
        }
    };
    with_graph(settings, GraphSpec::Compact(Compact { targets: Some(AXES), ..compact }))
}

/// The two slowest features of the clustered graph, which are those of linear discriminant analysis.
fn discriminant(settings: &Settings) -> Result<Settings> {
    let (label, balance) = match &settings.graph {
        Some(GraphSpec::Compact(compact)) => (compact.label.clone(), compact.balance),
        _ => (None, false),
    };
    with_graph(settings, GraphSpec::Clustered(Clustered { label, balance, ..Clustered::default() }))
}

fn with_graph(settings: &Settings, graph: GraphSpec) -> Result<Settings> {
    let of_graph = match &settings.graph {
        Some(GraphSpec::Compact(compact)) => compact.targets,
        _ => None,
    };
    if let Some(targets) = settings.targets.or(of_graph).filter(|&targets| targets != AXES) {
        let message = format!("--targets (targets) means nothing here: a map has 2 features, not {targets}");
        return Err(Error::usage(ErrorCode::MeaninglessFlag, message).hint("leave it out"));
    }
    let mut settings = Settings { graph: Some(graph), targets: None, ..settings.clone() };
    match settings.network.features.replace(AXES) {
        None | Some(AXES) => Ok(settings),
        Some(other) => Err(Error::usage(ErrorCode::MeaninglessFlag, format!("a map has 2 features, not {other}"))
            .hint("leave --features out; gsfa train makes models of any number of features")),
    }
}

/// The label of a map: one of at least three classes.
fn classes(loaded: &Loaded) -> Result<(String, &Classes)> {
    let labels: Vec<_> = loaded.labels()?.columns().collect();
    match labels[..] {
        [(name, LabelValues::Classes(classes))] if classes.names().len() > AXES => Ok((name.to_string(), classes)),
        [(name, LabelValues::Classes(classes))] => Err(Error::data(
            ErrorCode::MapLabel,
            format!("label '{name}' has {} classes, a map needs 3 or more", classes.names().len()),
        )
        .hint("two classes differ along one feature: gsfa train and gsfa transform write it")),
        [(name, LabelValues::Numbers(_))] => {
            Err(Error::data(ErrorCode::MapLabel, format!("label '{name}' has numbers, a map is of classes"))
                .hint("--task classes if the numbers are names"))
        }
        _ => Err(Error::usage(ErrorCode::MapLabel, format!("a map is of one label, not of {}", labels.len()))
            .hint("name it with --learn")),
    }
}

/// Samples by two features.
struct Map {
    title: &'static str,
    features: Array2<f64>,
    new: Array2<f64>,
    /// Share of the samples that are told wrong from these features when they are left out of all training.
    error: f64,
}

impl Map {
    fn of(
        title: &'static str,
        settings: &Settings,
        loaded: &Loaded,
        new: Option<&PathBuf>,
        printer: &Printer,
    ) -> Result<Self> {
        let all: Vec<usize> = (0..loaded.len()).collect();
        let fitted = fit(settings, loaded, &all, printer)?;
        let found = fitted.model.network().output_dim();
        if found < AXES {
            return Err(Error::data(
                ErrorCode::MapFeatures,
                format!("{title}: the samples give {}, a map needs {AXES}", counted(found, "feature")),
            )
            .hint("give more inputs, or expand them: --network quadratic"));
        }
        let splits = splits(&settings.validation, loaded, settings.seed, printer)?;
        let error = error_rate(&cross_validate(settings, loaded, &splits, printer)?);
        let features = features(&fitted, settings, loaded, printer)?;
        let new = match new {
            None => Array2::zeros((0, AXES)),
            Some(path) => {
                let (data, labels, copies) = (Some(path.clone()), None, None);
                let settings = Settings { data, labels, copies, learn: Vec::new(), ..settings.clone() };
                let (labels, model) = (WantedLabels::None, Some(&fitted.model));
                let loaded = load::load(&Request { settings: &settings, labels, model, part: Part::Test }, printer)?;
                self::features(&fitted, &settings, &loaded, printer)?
            }
        };
        Ok(Self { title, features, new, error })
    }

    fn panel(&self, classes: &Classes) -> MapPanel {
        let point = |n: usize| (self.features[[n, 0]], self.features[[n, 1]]);
        let class = |n: usize| Some(classes.of_sample()[n] as usize).filter(|&c| c < classes.names().len());
        MapPanel {
            title: format!("{}: {:.1} % errors on left-out samples", self.title, 100.0 * self.error),
            points: (0..self.features.nrows()).filter_map(|n| Some((class(n)?, point(n)))).collect(),
            new: self.new.rows().into_iter().map(|row| (row[0], row[1])).collect(),
        }
    }

    fn json(&self) -> Value {
        let rows = |features: &Array2<f64>| features.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>();
        json!({"map": self.title, "error_rate": self.error, "features": rows(&self.features), "new": rows(&self.new)})
    }
}

/// The features of samples that were loaded for a model.
fn features(fitted: &Fitted, settings: &Settings, loaded: &Loaded, printer: &Printer) -> Result<Array2<f64>> {
    let model = &fitted.model;
    let source = loaded.to_apply(None, model.remembered(), settings.reading.missing, printer)?;
    let features = model.features(&in_precision(&*source, &model.network().spec));
    features.map_err(|error| loaded.in_file(error, None))
}

/// The error over all samples of the parts.
fn error_rate(parts: &[ValidationPart]) -> f64 {
    let wrong = |part: &ValidationPart| match part.scores.first().map(|scores| &scores.errors) {
        Some(Errors::Classes { error_rate, .. }) => error_rate * part.samples as f64,
        _ => f64::NAN,
    };
    parts.iter().map(wrong).sum::<f64>() / parts.iter().map(|part| part.samples).sum::<usize>() as f64
}

fn table(maps: &[Map]) -> Table {
    let columns = vec![Column::text("two features of"), Column::number("error of left-out samples")];
    let mut table = Table::new("maps", columns);
    for map in maps {
        table.rows.push(vec![Cell::Text(map.title.into()), Cell::Number(map.error, 4)]);
    }
    table
}
