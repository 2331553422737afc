//! `gsfa train`: samples and labels into a model file.

use gsfa::Model;
use gsfa::graph::GraphSpec;
use gsfa::labels::Labels;
use gsfa::recipe::{Selection, TrainedModel};
use gsfa_data::split::Split;
use serde_json::json;

use crate::args::TrainCommand;
use crate::error::{ErrorKind, RemarkCode, Result};
use crate::interrupt;
use crate::load::{self, Loaded, Request, TrainingSet, in_memory, in_precision, working_precision};
use crate::present::{Output, Printer, Scores, ValidationPart, counted, score_table, selection_text, validation_table};
use crate::run::scores::scores;
use crate::run::splits::splits;
use crate::run::training::{AsRead, choose, graph_input, label_info, only_printed, report_graph, top_deltas, vectors};
use crate::settings::Settings;

pub fn run(args: &TrainCommand, printer: &Printer) -> Result {
    let mut settings = Settings::of(&args.train, &args.validation)?;
    if only_printed(&settings, &args.train.config, &[], printer)? {
        return Ok(());
    }
    let output = Output::required(&args.train.output, &load::inputs(&settings), "model.gsfa", printer)?;
    let mut loaded = load::load(&Request::to_learn(&settings), printer)?;
    loaded.label_kinds.report(printer);
    loaded.remarks = printer.remarks_for_model();
    settings.learn = loaded.labels()?.columns().map(|(name, _)| name.to_string()).collect();
    let splits = splits(&settings.validation, &loaded, settings.seed, printer)?;
    let (parts, fitted) = match (&settings.validation.folds, splits.as_slice()) {
        (None, [split]) => {
            let fitted = fit(&settings, &loaded, &split.train, printer)?;
            (vec![test_part(&settings, &loaded, &split.test, 1, &fitted, printer)?], fitted)
        }
        _ => {
            let parts = cross_validate(&settings, &loaded, &splits, printer)?;
            let all: Vec<usize> = (0..loaded.len()).collect();
            (parts, fit(&settings, &loaded, &all, printer)?)
        }
    };
    interrupt::check()?;
    output.save(&fitted.model)?;

    let Fitted { model, labels, graph, training, selection, .. } = &fitted;
    let inputs = model.network().spec.input.dim();
    let mut text = format!(
        "{} of {}, {}\n\n{}\n",
        counted(labels.len(), "sample"),
        counted(inputs.unwrap_or(0), "value"),
        counted(model.network().output_dim(), "feature"),
        score_table("training error", training).text(),
    );
    if !selection.tried.is_empty() {
        text += &format!("{}\n", selection_text(selection));
    }
    match parts.as_slice() {
        [] => {}
        [held_out] if settings.validation.folds.is_none() => {
            let title = format!(
                "error of {} that {} held out",
                counted(held_out.samples, "sample"),
                if held_out.samples == 1 { "was" } else { "were" }
            );
            text += &format!("{}\n", score_table(&title, &held_out.scores).text());
        }
        parts => text += &format!("{}\n", validation_table(parts).text()),
    }
    text += &format!("{}\n", output.saved());
    let value = json!({
        "samples": labels.len(), "inputs": inputs, "features": model.network().output_dim(),
        "labels": label_info(labels), "taken": loaded.label_kinds.json(), "graph": graph, "delta_values": top_deltas(model),
        "training": training.iter().map(Scores::json).collect::<Vec<_>>(),
        "validation": parts.iter().map(ValidationPart::json).collect::<Vec<_>>(), "skipped": loaded.skipped,
        "selection": selection,
    });
    printer.result("train", &[("model", output.path())], value, &text)
}

/// A trained model, and what it was trained on.
pub struct Fitted {
    pub model: Model,
    labels: Labels,
    graph: GraphSpec,
    training: Vec<Scores>,
    selection: Selection,
}

/// Trains on the given samples.
pub fn fit(settings: &Settings, loaded: &Loaded, rows: &[usize], printer: &Printer) -> Result<Fitted> {
    let TrainingSet { source, labels, weights, groups, means, remarks } =
        loaded.training_set(rows, settings, printer)?;
    let in_file = |error| loaded.in_file(error, Some(rows));
    let recipe = settings.recipe(&labels)?;
    let vectors = vectors(&recipe, &labels, &*source).map_err(in_file)?;
    let input = graph_input(&labels, weights.clone(), vectors.as_ref())?;
    let mut design = recipe.design(&input, loaded.shape()?)?;
    if let Some(groups) = groups {
        design = design.with_groups(groups)?;
    }
    report_graph(&design, printer);
    let plan = design.network.plan()?;
    let precision = working_precision(&design.network, &*source);
    gsfa::memory::require(plan.training_bytes(labels.len(), precision, rayon::current_num_threads()))?;

    let samples = in_memory(source, precision, printer)?;
    interrupt::check()?;
    let choice = choose(&design, &*samples, printer).map_err(in_file)?;
    let graph = choice.spec.clone();
    let progress = printer.progress(&choice.network.plan()?, labels.len());
    let trained = design.train_chosen(choice, &*samples, &|event| progress.event(event));
    progress.finish();
    let TrainedModel { model, features, notes, selection } = trained.map_err(in_file)?;
    notes.iter().for_each(|note| printer.note(note));
    let as_read = AsRead { settings, names: loaded.names.as_ref(), raw_shape: loaded.raw_shape() };
    let said = loaded.remarks.iter().cloned().chain(remarks);
    let model = as_read.remembered_by(model, said, |remembered| {
        (remembered.means, remembered.encodings) = (means, loaded.encodings.clone());
    })?;
    let training = scores(&model, features.view(), &labels, &weights)?;
    Ok(Fitted { model, labels, graph, training, selection })
}

/// The errors of a model on samples that it has not seen.
fn test_part(
    settings: &Settings,
    loaded: &Loaded,
    rows: &[usize],
    number: usize,
    fitted: &Fitted,
    printer: &Printer,
) -> Result<ValidationPart> {
    let model = &fitted.model;
    let source = loaded.to_apply(Some(rows), model.remembered(), settings.reading.missing, printer)?;
    let features = model.features(&in_precision(&*source, &model.network().spec));
    let features = features.map_err(|error| loaded.in_file(error, Some(rows)))?;
    let (labels, weights) = (loaded.labels()?.select(rows), loaded.weights_of(rows)?);
    let scores = scores(model, features.view(), &labels, &weights)?;
    Ok(ValidationPart { number, samples: rows.len(), scores })
}

/// The errors on each part, by models of the others. A part that cannot be learned or estimated, as where a label is constant
/// or a class is missing, is left out and named.
pub fn cross_validate(
    settings: &Settings,
    loaded: &Loaded,
    splits: &[Split],
    printer: &Printer,
) -> Result<Vec<ValidationPart>> {
    let mut parts = Vec::new();
    let mut last = None;
    for (number, split) in (1..).zip(splits) {
        printer.step(&format!("part {number} of {}", splits.len()));
        let errors = fit(settings, loaded, &split.train, printer)
            .and_then(|fitted| test_part(settings, loaded, &split.test, number, &fitted, printer));
        match errors {
            Ok(errors) => parts.push(errors),
            Err(failure) if failure.kind == ErrorKind::Data => {
                printer.remark(
                    RemarkCode::PartLeftOut,
                    format!("part {number} of {} was left out: {}", splits.len(), failure.message),
                );
                last = Some(failure);
            }
            Err(failure) => return Err(failure),
        }
    }
    match (parts.is_empty(), last) {
        (true, Some(failure)) => Err(failure),
        _ => Ok(parts),
    }
}
