//! `gsfa prepare`: labels and settings of all samples into a job file.

use gsfa::Note;
use gsfa::graph::GraphInput;
use gsfa::labels::SampleWeights;
use gsfa::model::Remembered;
use gsfa::network::{InputShape, Trainer};
use gsfa::recipe::NetworkKind;
use gsfa::samples::Precision;
use gsfa::specification::Need;
use gsfa_data::table::{Categories, Columns, Dataset, Missing, TableSpec};
use serde_json::json;

use crate::args::{MissingValues, TrainArgs, ValidationArgs};
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::load::{
    self, Kind, LabelKinds, Request, WantedLabels, balanced_weights, cured, file_column, label_specs, read_table,
    working_precision,
};
use crate::present::{Output, Printer, counted, graph_line};
use crate::run::shards::{Job, JobLabel};
use crate::run::training::{NO_VALIDATION, applied, only_printed, report_graph};
use crate::settings::Settings;

pub fn run(args: &TrainArgs, printer: &Printer) -> Result {
    let mut settings = Settings::of(args, &ValidationArgs::default())?;
    if only_printed(&settings, &args.config, NO_VALIDATION, printer)? {
        return Ok(());
    }
    let output = Output::required(&args.output, &load::inputs(&settings), "name.job", printer)?;
    let labeled = read_labels(&settings)?;
    let (labels, label_kinds) = (labeled.labels, LabelKinds(labeled.kinds));
    label_kinds.report(printer);
    settings.learn = labels.columns().map(|(name, _)| name.to_string()).collect();
    // A table of samples may hold its labels, too: they are no inputs.
    let ignored = settings.learn.iter().chain(&settings.reading.weights);
    let ignored: Vec<String> = ignored.filter(|name| !settings.reading.ignore.contains(name)).cloned().collect();
    let mut looking = settings.clone();
    looking.reading.ignore.extend(ignored);
    let loaded = load::load(&Request::of_shard(&looking), printer)?;
    name_network(&mut settings, printer);
    fix_spectrum(&mut settings, loaded.shape()?, printer);
    let mut input = GraphInput::new(&labels);
    let weights = match settings.reading.balanced {
        true => Some(balanced_weights(&labels)?.as_slice().to_vec()),
        false => labeled.weights,
    };
    if let Some(weights) = &weights {
        input = input.with_weights(SampleWeights::new(weights.clone())?)?;
    }
    let recipe = settings.recipe(&labels)?;
    let design = recipe.design(&input, loaded.shape()?)?;
    report_graph(&design, printer);
    let (graph, network) = (design.spec, design.network);
    (settings.preparation, settings.data) = (applied(&settings)?, None);
    let source = loaded.to_apply(None, &Remembered::default(), MissingValues::Error, printer)?;
    let single = working_precision(&network, &*source) == Precision::Single;
    let passes = Trainer::new(network.clone(), Precision::Double)?.pass().1;
    let image = settings.preparation.as_ref().and_then(|_| loaded.raw_shape());
    let job = Job {
        settings,
        graph,
        network,
        labels: JobLabel::all(&labels),
        files: labeled.files,
        input_names: loaded.names,
        weights,
        single,
        image,
        remarks: printer.remarks_for_model(),
    };
    output.write(&job.to_bytes()?)?;
    let value = json!({
        "samples": labels.len(), "inputs": job.network.input.dim(), "taken": label_kinds.json(),
        "graph": job.graph, "passes": passes,
    });
    let several = if passes > 1 { format!(", {passes} passes over the shards") } else { String::new() };
    let text = format!("job of {}{several} {}\n", counted(labels.len(), "sample"), output.saved());
    printer.result("prepare", &[("job", output.path())], value, &text)
}

/// The labels of all samples.
fn read_labels(settings: &Settings) -> Result<Dataset> {
    let Some(path) = &settings.labels else {
        return Err(Error::usage(ErrorCode::NoLabels, "no labels are given")
            .hint("--labels must list the labels of all samples"));
    };
    let Some(shard) = &settings.data else {
        return Err(Error::usage(ErrorCode::NoData, "no data is given")
            .hint("--data names any one shard, to look at its shape"));
    };
    refuse_what_needs_all_samples(settings)?;
    let table = read_table(path, &settings.reading)?;
    let images = matches!(Kind::of(shard)?, Kind::Images);
    let file =
        if images { Some(file_column(&table, &settings.reading)?) } else { settings.reading.file_column.clone() };
    let WantedLabels::Named(wanted) = WantedLabels::of(settings) else {
        return Err(Error::usage(ErrorCode::NoLabels, "no labels are named"));
    };
    let specs = label_specs(&table, &wanted, settings, file.as_deref())?;
    let weights = settings.reading.weights.clone();
    let spec = TableSpec { samples: Columns::None, labels: specs, file, weights, ..TableSpec::default() };
    cured(table.dataset(&spec), settings, false)
}

/// Refuses settings that one shard cannot follow.
fn refuse_what_needs_all_samples(settings: &Settings) -> Result {
    if settings.reading.missing_labels != Missing::Error || settings.reading.missing != MissingValues::Error {
        return Err(
            Error::usage(ErrorCode::ShardGaps, "shards need every sample and every label").hint("clean the data first")
        );
    }
    if settings.reading.categories != Categories::Error {
        return Err(Error::usage(ErrorCode::ShardGaps, "shards need numbers: --categories is for gsfa train")
            .hint("write the words as numbers into the shards"));
    }
    if let Some(graph) = settings.graph.as_ref().filter(|graph| graph.needs(Need::Vectors)) {
        return Err(Error::usage(
            ErrorCode::ShardGaps,
            format!(
                "a graph of kind {} needs all samples at once to find neighbours: no shard has them",
                graph_line(graph)
            ),
        )
        .hint("gsfa train learns from all samples"));
    }
    if settings.copies.is_some() || settings.copies_per_image.is_some() {
        return Err(Error::usage(
            ErrorCode::Copies,
            "shards learn from samples as they are: --copies is for gsfa train",
        )
        .hint("leave it out, or write the distorted copies into the shards"));
    }
    Ok(())
}

/// Sums are those of prepared spectra: what is done to these must be known before.
fn fix_spectrum(settings: &mut Settings, shape: InputShape, printer: &Printer) {
    let Some(given) = settings.network.spectrum else { return };
    if given.is_open() {
        printer.note(&Note::UnchosenSpectrum { taken: given.usual(shape.channels).to_string() });
    }
    settings.network.spectrum = Some(given.fixed(shape.channels));
}

/// What is chosen for a single run is chosen by training on parts of all samples, which no shard has.
fn name_network(settings: &mut Settings, printer: &Printer) {
    if settings.network.kind == NetworkKind::Auto {
        settings.network.kind = NetworkKind::Linear;
        printer.remark(
            RemarkCode::LinearShards,
            "shards train one linear node on inputs as they are; gsfa train --network linear gives the same model",
        );
    }
}
