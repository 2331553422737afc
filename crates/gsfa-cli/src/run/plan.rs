//! `gsfa plan`: what a training would be like.

use gsfa::recipe::Tried;
use serde_json::json;

use crate::args::{TrainArgs, ValidationArgs};
use crate::error::{RemarkCode, Result};
use crate::load::{self, Request, TrainingSet, working_precision};
use crate::present::{Output, Printer, STANDARD, counted, graph_line, layers};
use crate::run::training::{NO_VALIDATION, graph_input, only_printed, report_graph, vectors};
use crate::settings::Settings;

pub fn run(args: &TrainArgs, printer: &Printer) -> Result {
    let settings = Settings::of(args, &ValidationArgs::default())?;
    if only_printed(&settings, &args.config, NO_VALIDATION, printer)? {
        return Ok(());
    }
    if args.output.output.as_ref().is_some_and(|path| path.as_os_str() != STANDARD) {
        // As training would find it; the line of a training can be tried with its output.
        Output::optional(&args.output, &load::inputs(&settings), printer)?;
        printer.remark(RemarkCode::NoFile, "a plan writes no file: -o is for gsfa train");
    }
    let loaded = load::load(&Request::to_learn(&settings), printer)?;
    loaded.label_kinds.report(printer);
    let all: Vec<usize> = (0..loaded.len()).collect();
    let TrainingSet { source, labels, weights, .. } = loaded.training_set(&all, &settings, printer)?;
    let recipe = settings.recipe(&labels)?;
    let vectors = vectors(&recipe, &labels, &*source).map_err(|error| loaded.in_file(error, None))?;
    let input = graph_input(&labels, weights, vectors.as_ref())?;
    let design = recipe.design(&input, loaded.shape()?)?;
    report_graph(&design, printer);
    let samples = labels.len();
    let plan = design.network.plan()?;
    let precision = working_precision(&design.network, &*source);
    let bytes = plan.training_bytes(samples, precision, rayon::current_num_threads());
    let operations = plan.operations(samples);
    let candidates = design.candidates()?;
    let text = format!(
        "{} of {}; graph: {}\n\n{plan}\n{}, {operations:.1e} operations, {} beside the samples\n{}",
        counted(samples, "sample"),
        counted(plan.input_dim, "value"),
        graph_line(&design.spec),
        counted(plan.parameters(), "parameter"),
        gsfa::memory::spelled(bytes),
        tried(&candidates),
    );
    let value = json!({
        "samples": samples, "inputs": plan.input_dim, "taken": loaded.label_kinds.json(), "graph": design.spec,
        "network": design.network, "layers": layers(&plan),
        "parameters": plan.parameters(), "operations": operations, "training_bytes": bytes,
        "left_out_trainings": design.left_out_trainings()?,
        "candidates": candidates.iter().map(|c| json!({"name": c.name, "work": c.work})).collect::<Vec<_>>(),
    });
    printer.result("plan", &[], value, &text)
}

/// What will be tried by leaving samples out.
fn tried(candidates: &[Tried]) -> String {
    let names: Vec<String> = candidates.iter().map(|c| format!("{} ({:.1e} operations)", c.name, c.work)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("judged by left-out samples: {one}; --no-calibrate leaves that out\n"),
        all => format!("left-out samples choose between {}; --effort bounds the work\n", all.join(", ")),
    }
}
