//! `gsfa inspect`: what a model file holds.

use gsfa::Model;
use gsfa::model::{ClassWeights, Header, KeptShare, NodeSummary, ReadoutInfo, Remembered};
use gsfa::preparation::Encoding;
use gsfa_report::{Cell, Column, Table};
use serde_json::{Value, json};

use crate::args::{InspectArgs, readout_name};
use crate::error::{RemarkCode, Result};
use crate::present::{Printer, counted, feature_table, graph_line, layers, preparation_line, selection_text};

/// Lines of features that are shown of each layer; JSON has all.
const MOST_FEATURES: usize = 12;

pub fn run(args: &InspectArgs, printer: &Printer) -> Result {
    let header = if args.force {
        printer.remark(RemarkCode::HeaderOnly, "only the header was read: arrays and checksum were not looked at");
        Header::read(&args.model)?
    } else {
        Model::load(&args.model)?.header().clone()
    };
    let plan = header.network.plan()?;
    let summary = &header.summary;
    let per_layer: Vec<Value> = summary.layers.iter().map(|nodes| layer_json(nodes)).collect();
    let value = json!({
        "format": header.format, "library": header.library, "samples": summary.samples,
        "inputs": plan.input_dim, "input_names": header.input_names, "graph": header.graph, "labels": header.labels,
        "targets": header.targets, "readouts": header.readouts, "layers": layers(&plan), "training": per_layer,
        "network": header.network, "graph_notes": summary.notes.iter().map(ToString::to_string).collect::<Vec<_>>(), "config": settings(&header.remembered),
        "selection": header.remembered.selection, "preparation": header.remembered.preparation,
        "image_shape": header.remembered.image, "spectrum": header.network.spectrum, "training_notes": header.remembered.notes,
    });
    printer.result("inspect", &[("model", Some(&args.model))], value, &text(&header, &plan.to_string()))
}

/// The settings of the program that trained the model, as it wrote them.
fn settings(remembered: &Remembered) -> Option<Value> {
    let settings = remembered.settings.as_deref()?;
    Some(serde_json::from_str(settings).unwrap_or_else(|_| settings.into()))
}

/// Mean Δ and ρ² of the features over the nodes of a layer.
fn layer_json(nodes: &[Option<NodeSummary>]) -> Value {
    let live: Vec<&NodeSummary> = nodes.iter().flatten().collect();
    json!({
        "nodes": nodes.len(), "live_nodes": live.len(), "delta_values": mean_deltas(&live),
        "correlations": mean_correlations(&live), "rank": live.iter().map(|node| node.rank).max(),
        "explained": explained(&live),
    })
}

/// The share of the variance of their inputs that the outputs of nodes explain, if they keep information.
fn explained(nodes: &[&NodeSummary]) -> Option<f64> {
    let kept: Vec<KeptShare> = nodes.iter().filter_map(|node| node.kept).collect();
    let variance: f64 = kept.iter().map(|kept| kept.variance).sum();
    let explained: f64 = kept.iter().map(|kept| kept.variance * kept.explained).sum();
    (variance > 0.0 && variance.is_finite()).then(|| explained / variance)
}

fn mean_deltas(nodes: &[&NodeSummary]) -> Vec<f64> {
    let count = nodes.iter().map(|node| node.delta_values.len()).max().unwrap_or(0);
    let mean = |j: usize| {
        let values: Vec<f64> = nodes.iter().filter_map(|node| node.delta_values.get(j).copied()).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    (0..count).map(mean).collect()
}

fn mean_correlations(nodes: &[&NodeSummary]) -> Vec<Option<f64>> {
    let count = nodes.iter().map(|node| node.correlations.len()).max().unwrap_or(0);
    let mean = |j: usize| {
        let values: Vec<f64> = nodes.iter().filter_map(|node| node.correlations.get(j).copied().flatten()).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    (0..count).map(mean).collect()
}

fn text(header: &Header, plan: &str) -> String {
    let (summary, remembered) = (&header.summary, &header.remembered);
    let mut text = format!(
        "model of gsfa {}, format {}, {}\n\n{plan}\n{}",
        header.library,
        header.format,
        counted(summary.samples, "sample"),
        if header.labels.is_empty() { "no labels\n".to_string() } else { label_table(header).text() }
    );
    text += "\n";
    if let Some(graph) = &header.graph {
        text += &format!("graph: {}\n", graph_line(graph));
    }
    if let Some(preparation) = &remembered.preparation {
        let image = remembered.image.map_or_else(String::new, |shape| format!("{shape}; "));
        text += &format!("preparation of images: {image}{}\n", preparation_line(preparation));
    }
    if let Some(spectrum) = &header.network.spectrum {
        text += &format!("preparation of spectra: {spectrum}\n");
    }
    for (column, encoding) in &remembered.encodings {
        text += &match encoding {
            Encoding::Days => format!("column '{column}': days since 1970-01-01\n"),
            Encoding::OneHot { words } => format!("column '{column}': {}\n", counted(words.len(), "word")),
        };
    }
    text += &match &remembered.class_weights {
        None => String::new(),
        Some(ClassWeights::Balanced) => "weights: all classes weigh the same (--weights balanced)\n".to_string(),
        Some(ClassWeights::Given(factors)) => {
            let factors = factors.iter().map(|(class, factor)| format!("'{class}' {factor}"));
            format!("weights of classes: {}; 1 for others\n", factors.collect::<Vec<_>>().join(", "))
        }
    };
    if header.network.layers.first().is_some_and(|layer| layer.standardize) {
        text += "columns: scaled to unit variance first\n";
    }
    if remembered.means.is_some() {
        text += "missing values: the means of training are kept (--missing impute)\n";
    }
    for note in summary.notes.iter().chain(&remembered.notes) {
        text += &format!("note: {note}\n");
    }
    if let Some(selection) = &remembered.selection {
        text += &format!("\n{}", selection_text(selection));
    }
    for (number, nodes) in summary.layers.iter().enumerate() {
        text += &layer_text(number + 1, summary.layers.len(), nodes);
    }
    text
}

fn label_table(header: &Header) -> Table {
    let mut table = Table::new("labels", vec![Column::text("label"), Column::text("kind"), Column::text("read-out")]);
    for label in &header.labels {
        let kind = match &label.classes {
            Some(names) if names.len() == 1 => "1 class".to_string(),
            Some(names) => format!("{} classes", names.len()),
            None => "numbers".to_string(),
        };
        let readout = header.readouts.iter().find(|readout| readout.label == label.name);
        let readout = readout.map_or(Cell::Missing, |readout| Cell::Text(readout_words(readout)));
        table.rows.push(vec![Cell::Text(label.name.clone()), Cell::Text(kind), readout]);
    }
    table
}

/// A read-out under the name that `--readout` takes; format 1 knows only what became of it.
fn readout_words(readout: &ReadoutInfo) -> String {
    match &readout.settings {
        Some(settings) => readout_name(json!(settings)["kind"].as_str().unwrap_or_default()),
        None => json!(readout.fitted)["kind"].as_str().unwrap_or_default().replace('_', "-"),
    }
}

/// Mean Δ and ρ² of a layer's features.
fn layer_text(number: usize, count: usize, nodes: &[Option<NodeSummary>]) -> String {
    let live: Vec<&NodeSummary> = nodes.iter().flatten().collect();
    let mean = if nodes.len() > 1 { format!(", mean of {}", counted(live.len(), "node")) } else { String::new() };
    let mut table =
        feature_table(&format!("layer {number} of {count}{mean}"), &mean_deltas(&live), &mean_correlations(&live));
    let left = table.rows.len().saturating_sub(MOST_FEATURES);
    table.rows.truncate(MOST_FEATURES);
    let mut text = format!("\n{}", table.text());
    if left > 0 {
        text += &format!("… and {} (--json has all)\n", counted(left, "more line"));
    }
    if let Some(share) = explained(&live) {
        text += &format!("its outputs keep {:.1} % of the variance of its inputs\n", 100.0 * share);
    }
    text
}
