//! What the commands that train, or prepare to, share.

use gsfa::Model;
use gsfa::labels::{LabelValues, Labels};
use gsfa::recipe::{Choice, Design};
use gsfa::samples::{Samples, Stoppable};
use serde_json::{Value, json};

use crate::interrupt;
use crate::present::Printer;

/// Chooses what is left open, and shows how far it is.
pub fn choose(design: &Design<'_>, samples: &dyn Samples, printer: &Printer) -> gsfa::Result<Choice> {
    let search = printer.search();
    // A node of many inputs takes long: reading its samples stops, too.
    let stoppable = Stoppable::new(samples, &interrupt::requested);
    let choice = design.choose(&stoppable, &|event| search.event(event));
    search.finish();
    choice
}

/// Says what is remarkable about the graph, and about the graph and the network together.
pub fn report_graph(design: &Design<'_>, printer: &Printer) {
    let features = design.network.layers.last().map(|top| top.output_dim);
    let short = features.and_then(|features| design.graph.features_note(features));
    design.graph.notes().iter().chain(&short).for_each(|note| printer.note(note));
}

/// Names and kinds of labels.
pub fn label_info(labels: &Labels) -> Value {
    let info = |(name, values): (&str, &LabelValues)| match values {
        LabelValues::Numbers(_) => json!({"name": name, "kind": "numbers", "classes": null}),
        LabelValues::Classes(c) => json!({"name": name, "kind": "classes", "classes": c.names()}),
    };
    labels.columns().map(info).collect()
}

/// Δ of the top's features.
pub fn top_deltas(model: &Model) -> Vec<f64> {
    let top = model.summary().layers.last();
    let first = top.and_then(|nodes| nodes.first()).and_then(Option::as_ref);
    first.map(|node| node.delta_values.clone()).unwrap_or_default()
}
