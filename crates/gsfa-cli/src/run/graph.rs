//! `gsfa graph`: a training graph by itself.

use gsfa::graph::{Consistency, GraphSpec, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::specification::Need;
use gsfa_data::table::{Columns, Dataset, TableSpec};
use ndarray::Array2;
use serde_json::json;

use crate::args::GraphCommand;
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::load::{
    self, Kind, LabelKinds, Request, TrainingSet, WantedLabels, balanced_weights, cured, file_column, label_specs,
    read_table, rows_with_weight,
};
use crate::present::{Output, Printer, brief, counted, feature_table, graph_drawing, graph_line};
use crate::run::graph_export::{Contents, Export};
use crate::run::training::{graph_input, only_printed, vectors};
use crate::settings::Settings;

/// Settings of what is learned with a graph, and of samples themselves.
const UNUSED: &[&str] =
    &["preparation", "copies", "distortion", "network", "readout", "clip", "calibrate", "effort", "validation"];

pub fn run(args: &GraphCommand, printer: &Printer) -> Result {
    let mut settings = Settings::file(&args.config)?;
    settings.apply_data(&args.data);
    settings.apply_learn(&args.learn)?;
    settings.assign(&args.config.set)?;
    if only_printed(&settings, &args.config, UNUSED, printer)? {
        return Ok(());
    }
    let output = Output::optional(&args.output, &load::inputs(&settings), printer)?;
    let export = Export::optional(args.export.as_ref(), args.output.force, &load::inputs(&settings))?;
    let page = output.as_ref().map(is_page).transpose()?.unwrap_or(false);
    let Labeled { labels, label_kinds, weights, vectors } = labels(&settings, printer)?;
    label_kinds.report(printer);
    let spec = settings.recipe(&labels)?.graph(&labels)?;
    let graph = spec.build(&graph_input(&labels, weights, vectors.as_ref())?)?;
    let (consistency, components) = report(&graph, printer);
    let smallest = graph.smallest_edge();
    let responses = graph.free_responses(args.responses.min(graph.len() - 1).max(1))?;
    let kind = json!(spec)["kind"].as_str().unwrap_or_default().to_string();
    if let Some(output) = &output {
        output.write(&graph_drawing(&kind, &graph, &labels, &responses, page))?;
    }
    if let Some(export) = &export {
        export.write(&Contents { kind: &kind, graph: &graph, labels: &labels, free: &responses })?;
    }
    let slow = responses.delta_values.iter().filter(|&&delta| delta < 2.0).count();
    let none = vec![None; responses.delta_values.len()];
    let mut text = format!(
        "{}\n{}: Q = {}, R = {}, {}, {}, smallest edge {}\n\n{}",
        graph_line(&spec),
        counted(graph.len(), "sample"),
        brief(graph.q()),
        brief(graph.r()),
        counted(components, "component"),
        if consistency.holds { "consistent" } else { "not consistent" },
        brief(smallest.weight),
        feature_table("free responses", &responses.delta_values, &none).text(),
    );
    if let Some(output) = &output {
        text += &format!("\ndrawn in {output}\n");
    }
    if let Some(export) = &export {
        text += &format!("\nwritten to {}\n", export.folder().display());
    }
    let value = json!({
        "taken": label_kinds.json(), "graph": spec, "samples": graph.len(), "q": graph.q(), "r": graph.r(), "components": components,
        "consistent": consistency.holds, "violation": consistency.violation(), "smallest_edge": smallest.weight,
        "delta_values": responses.delta_values, "eigenvalues": responses.eigenvalues, "below_two": slow,
        "targets": graph.targets().map(|targets| targets.labels.names()),
    });
    let paths = [("output", output.as_ref().and_then(Output::path)), ("export", export.as_ref().map(Export::folder))];
    printer.result("graph", &paths, value, &text)
}

/// Tells what is remarkable about a graph; whether it is consistent, and how many parts it has.
fn report(graph: &TrainingGraph, printer: &Printer) -> (Consistency, usize) {
    graph.notes().iter().for_each(|note| printer.note(note));
    let (consistency, components) = (graph.consistency(), graph.components().count);
    if let Some(note) = consistency.note() {
        printer.note(&note);
    }
    if components > 1 {
        let first = components - 1;
        printer.remark(
            RemarkCode::SeveralComponents,
            format!(
                "{components} components: {} Δ = 0 and may be rotated among each other",
                if first == 1 { "1 response has".into() } else { format!("{first} responses have") }
            ),
        );
    }
    (consistency, components)
}

/// Labels and weights, and the samples where the graph connects those that are near each other.
struct Labeled {
    labels: Labels,
    label_kinds: LabelKinds,
    weights: SampleWeights,
    vectors: Option<Array2<f64>>,
}

/// Whether the settings name a graph that no label is needed for, and none.
fn is_unlabeled(settings: &Settings) -> bool {
    let labels = [Need::Number, Need::Numbers, Need::Class];
    let free = |graph: &GraphSpec| match graph {
        GraphSpec::Chain(chain) => chain.sequences.is_none(),
        graph => !labels.into_iter().any(|need| graph.needs(need)),
    };
    // Weights stand beside labels.
    let weighed = settings.reading.weights.is_some() || settings.reading.balanced;
    settings.learn.is_empty() && settings.labels.is_none() && !weighed && settings.graph.as_ref().is_some_and(free)
}

/// Labels, weights and samples of the data.
fn of_data(settings: &Settings, printer: &Printer) -> Result<Labeled> {
    // A graph is of the samples themselves.
    let settings = Settings { copies: None, distortion: None, ..settings.clone() };
    let unlabeled = is_unlabeled(&settings);
    let request = if unlabeled { Request::of_shard(&settings) } else { Request::to_learn(&settings) };
    let mut loaded = load::load(&request, printer)?;
    if unlabeled {
        loaded.labels = Some(Labels::none(loaded.len()));
    }
    let all: Vec<usize> = (0..loaded.len()).collect();
    let TrainingSet { source, labels, weights, .. } = loaded.training_set(&all, &settings, printer)?;
    let recipe = settings.recipe(&labels)?;
    let vectors = vectors(&recipe, &labels, &*source).map_err(|error| loaded.in_file(error, None))?;
    Ok(Labeled { labels, label_kinds: loaded.label_kinds, weights, vectors })
}

/// Labels and weights alone: of a table, or of the data.
fn labels(settings: &Settings, printer: &Printer) -> Result<Labeled> {
    let WantedLabels::Named(wanted) = WantedLabels::of(settings) else {
        return Err(Error::usage(ErrorCode::NoLabels, "no labels are named"));
    };
    let near = settings.graph.as_ref().is_some_and(|graph| graph.needs(Need::Vectors));
    let table = match (&settings.labels, &settings.data) {
        (_, Some(_)) if near => return of_data(settings, printer),
        (Some(labels), _) => labels,
        (None, Some(data)) if Kind::of(data)? == Kind::Table => data,
        (None, Some(_)) => return of_data(settings, printer),
        (None, None) => return Err(Error::usage(ErrorCode::NoLabels, "no labels are given").hint("--labels TABLE.csv")),
    };
    let table = read_table(table, &settings.reading)?;
    if is_unlabeled(settings) {
        let (labels, weights) = (Labels::none(table.len()), SampleWeights::uniform(table.len()));
        return Ok(Labeled { labels, label_kinds: LabelKinds::default(), weights, vectors: None });
    }
    let file = file_column(&table, &settings.reading).ok();
    let spec = TableSpec {
        samples: Columns::None,
        labels: label_specs(&table, &wanted, settings, file.as_deref())?,
        weights: settings.reading.weights.clone(),
        missing_labels: settings.reading.missing_labels,
        ..TableSpec::default()
    };
    let Dataset { labels, kinds, weights, .. } = cured(table.dataset(&spec), settings, false)?;
    let label_kinds = LabelKinds(kinds);
    let Some(weights) = weights else {
        let uniform = || Ok(SampleWeights::uniform(labels.len()));
        let weights = if settings.reading.balanced { balanced_weights(&labels) } else { uniform() }?;
        return Ok(Labeled { labels, label_kinds, weights, vectors: None });
    };
    let rows = rows_with_weight(&weights, printer).unwrap_or_else(|| (0..labels.len()).collect());
    let weights = SampleWeights::new(rows.iter().map(|&row| weights[row]).collect())?;
    Ok(Labeled { labels: labels.select(&rows), label_kinds, weights, vectors: None })
}

/// Whether a page is to be written, and not a drawing: a file's name decides; what is no file gets a drawing.
fn is_page(output: &Output) -> Result<bool> {
    let is_file = output.path().is_some_and(|path| path.is_file() || !path.exists());
    match (is_file, output.extension().as_deref()) {
        (false, _) | (true, Some("svg")) => Ok(false),
        (true, Some("html")) => Ok(true),
        _ => Err(Error::usage(ErrorCode::OutputFormat, format!("{output}: graphs are drawn as .svg or .html"))
            .hint("-o graph.svg")),
    }
}
