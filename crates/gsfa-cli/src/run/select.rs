//! `gsfa select`: what is left open, chosen by left-out samples, without the final training.

use gsfa::recipe::{Choice, Selection};
use gsfa_report::{Axis, Bar, Bars};
use serde_json::json;

use crate::args::{SelectArgs, ValidationArgs};
use crate::error::Result;
use crate::interrupt;
use crate::load::{self, Request, TrainingSet, in_memory, working_precision};
use crate::present::{Output, Printer, counted};
use crate::run::training::{NO_VALIDATION, choose, graph_input, only_printed, report_graph, vectors};
use crate::settings::Settings;

pub fn run(args: &SelectArgs, printer: &Printer) -> Result {
    let SelectArgs { train: args, group } = args;
    let settings = Settings::of(args, &ValidationArgs { group: group.clone(), ..ValidationArgs::default() })?;
    if only_printed(&settings, &args.config, NO_VALIDATION, printer)? {
        return Ok(());
    }
    let output = Output::optional(&args.output, &load::inputs(&settings), printer)?;
    output.as_ref().map_or(Ok(()), Output::check_drawing)?;
    let loaded = load::load(&Request::to_learn(&settings), printer)?;
    loaded.label_kinds.report(printer);
    let all: Vec<usize> = (0..loaded.len()).collect();
    let TrainingSet { source, labels, weights, groups, .. } = loaded.training_set(&all, &settings, printer)?;
    let recipe = settings.recipe(&labels)?;
    let vectors = vectors(&recipe, &labels, &*source).map_err(|error| loaded.in_file(error, None))?;
    let input = graph_input(&labels, weights, vectors.as_ref())?;
    let mut design = recipe.design(&input, loaded.shape()?)?;
    if let Some(groups) = groups {
        design = design.with_groups(groups)?;
    }
    report_graph(&design, printer);
    let precision = working_precision(&design.network, &*source);
    let samples = in_memory(source, precision, printer)?;
    interrupt::check()?;
    let choice = choose(&design, &*samples, printer).map_err(|error| loaded.in_file(error, None))?;
    let Choice { spec, network, selection, notes, .. } = &choice;
    notes.iter().for_each(|note| printer.note(note));
    if let Some(output) = &output {
        output.write(drawing(selection).as_bytes())?;
    }
    let (samples, values) = (counted(labels.len(), "sample"), counted(network.input.dim().unwrap_or(0), "value"));
    let mut text = format!("{samples} of {values}\n\n{selection}");
    if let Some(output) = &output {
        text += &format!("\ndrawn in {output}\n");
    }
    let value = json!({
        "samples": labels.len(), "taken": loaded.label_kinds.json(), "graph": spec, "network": network, "selection": selection,
    });
    printer.result("select", &[("output", output.as_ref().and_then(Output::path))], value, &text)
}

/// The loss of every candidate with its standard error; the one taken in another colour.
fn drawing(selection: &Selection) -> String {
    let bar = |(k, tried): (usize, &gsfa::recipe::Tried)| Bar {
        name: if k == selection.taken { format!("taken: {}", tried.name) } else { tried.name.clone() },
        value: tried.loss.unwrap_or(f64::NAN),
        spread: tried.error,
        kind: usize::from(k == selection.taken),
    };
    let bars = Bars {
        title: "What left-out samples say".into(),
        axis: Axis { label: "mean loss of left-out samples, with its standard error".into(), ..Axis::default() },
        bars: selection.tried.iter().enumerate().map(bar).collect(),
    };
    bars.figure().caption(selection.why.clone()).svg()
}
