//! `gsfa train`: samples and labels into a model file.

use gsfa::Model;
use gsfa::graph::{GraphInput, GraphSpec};
use gsfa::labels::Labels;
use gsfa::model::Remembered;
use gsfa::recipe::{Choice, Design, Selection, TrainedModel};
use gsfa::samples::Samples;
use gsfa_data::gtsrb::Part;
use gsfa_data::pixels::Preparation;
use gsfa_data::split::Split;
use serde_json::{Value, json};

use crate::args::TrainCommand;
use crate::config::Config;
use crate::data::{self, Kind, Lesson, Loaded, Request, Wish};
use crate::failure::{Fault, Outcome};
use crate::interrupt;
use crate::output::Output;
use crate::scores::{self, Scores};
use crate::shards::{in_precision, precision};
use crate::talk::{Aside, Talk, write_stdout};
use crate::validation;

pub fn run(args: &TrainCommand, talk: &Talk) -> Outcome {
    let mut config = Config::of(&args.train)?;
    config.validation.apply(&args.validation);
    if args.train.config.print_config {
        return write_stdout(config.toml()?.as_bytes());
    }
    let output = Output::required(&args.train.output, &data::inputs(&config), "model.gsfa", talk)?;
    let request = Request { config: &config, labels: Wish::of(&config), model: None, part: Part::Training };
    let loaded = data::load(&request, talk)?;
    loaded.taken.tell(talk);
    config.learn = loaded.labels()?.columns().map(|(name, _)| name.to_string()).collect();
    let splits = config.validation.splits(&loaded, config.seed)?;
    let (parts, fitted) = match (&config.validation.folds, splits.as_slice()) {
        (None, [split]) => {
            let fitted = fit(&config, &loaded, &split.train, talk)?;
            (vec![part(&config, &loaded, &split.test, 1, &fitted, talk)?], fitted)
        }
        _ => {
            let parts = cross_validate(&config, &loaded, &splits, talk)?;
            let all: Vec<usize> = (0..loaded.len()).collect();
            (parts, fit(&config, &loaded, &all, talk)?)
        }
    };
    interrupt::check()?;
    output.save(&fitted.model)?;

    let Fitted { model, labels, graph, training, selection, .. } = &fitted;
    let inputs = model.network().spec.input.dim();
    let mut text = format!(
        "{} samples of {} values, {} features\n\n{}\n",
        labels.len(),
        inputs.unwrap_or(0),
        model.network().output_dim(),
        scores::table("training error", training).text(),
    );
    if !selection.tried.is_empty() {
        text += &format!("chosen by left-out samples\n{selection}\n");
    }
    match parts.as_slice() {
        [] => {}
        [held_out] if config.validation.folds.is_none() => {
            let title = format!("error of {} samples that were held out", held_out.samples);
            text += &format!("{}\n", scores::table(&title, &held_out.scores).text());
        }
        parts => text += &format!("{}\n", validation::table(parts).text()),
    }
    text += &format!("{}\n", output.saved());
    let value = json!({
        "samples": labels.len(), "inputs": inputs, "features": model.network().output_dim(),
        "labels": label_info(labels), "taken": loaded.taken.json(), "graph": graph, "delta_values": top_deltas(model),
        "training": training.iter().map(Scores::json).collect::<Vec<_>>(),
        "validation": parts.iter().map(validation::Part::json).collect::<Vec<_>>(), "skipped": loaded.skipped,
        "selection": selection,
    });
    talk.result("train", &[("model", output.path())], value, &text)
}

/// A trained model, and what it was trained on.
struct Fitted {
    model: Model,
    labels: Labels,
    graph: GraphSpec,
    training: Vec<Scores>,
    selection: Selection,
}

/// Trains on the given samples.
fn fit(config: &Config, loaded: &Loaded, rows: &[usize], talk: &Talk) -> Outcome<Fitted> {
    let Lesson { source, labels, weights, groups, means } = loaded.lesson(rows, config, talk)?;
    let (recipe, input) = (config.recipe(&labels), GraphInput::new(&labels).with_weights(weights.clone())?);
    let mut design = recipe.design(&input, loaded.shape()?)?;
    if let Some(groups) = groups {
        design = design.with_groups(groups)?;
    }
    remark(&design, talk);
    let plan = design.network.plan()?;
    let precision = precision(&design.network, &*source);
    gsfa::memory::require(plan.training_bytes(labels.len(), precision, rayon::current_num_threads()))?;

    let samples = data::in_memory(source, precision, talk)?;
    interrupt::check()?;
    let in_file = |error| loaded.in_file(error, Some(rows));
    let choice = chosen(&design, &*samples, talk).map_err(in_file)?;
    let graph = choice.spec.clone();
    let progress = talk.progress(&choice.network.plan()?, labels.len());
    let trained = design.train_chosen(choice, &*samples, &|event| progress.event(event));
    progress.finish();
    let TrainedModel { mut model, features, notes, selection } = trained.map_err(in_file)?;
    notes.iter().for_each(|note| talk.note(note));
    if let Some(names) = &loaded.names {
        model = model.with_input_names(names.clone())?;
    }
    let (preparation, settings) = (applied(config)?, Some(config.json()?));
    let encodings = loaded.encodings.clone();
    let remembered = Remembered { preparation, means, encodings, settings, ..model.remembered().clone() };
    let model = model.with_remembered(remembered)?;
    let training = scores::scores(&model, features.view(), &labels, &weights)?;
    Ok(Fitted { model, labels, graph, training, selection })
}

/// Chooses what is left open, and shows how far it is.
pub fn chosen(design: &Design<'_>, samples: &dyn Samples, talk: &Talk) -> gsfa::Result<Choice> {
    let search = talk.search();
    let choice = design.choose(samples, &|event| search.event(event));
    search.finish();
    choice
}

/// Says what is remarkable about the graph, and about the graph and the network together.
pub fn remark(design: &Design<'_>, talk: &Talk) {
    let features = design.network.layers.last().map(|top| top.output_dim);
    let short = features.and_then(|features| design.graph.features_note(features));
    design.graph.notes().iter().chain(&short).for_each(|note| talk.note(note));
}

/// The errors of a model on samples that it has not seen.
fn part(
    config: &Config,
    loaded: &Loaded,
    rows: &[usize],
    number: usize,
    fitted: &Fitted,
    talk: &Talk,
) -> Outcome<validation::Part> {
    let model = &fitted.model;
    let source = loaded.to_apply(Some(rows), model.remembered(), config.reading.missing, talk)?;
    let features = model.features(&in_precision(&*source, &model.network().spec));
    let features = features.map_err(|error| loaded.in_file(error, Some(rows)))?;
    let (labels, weights) = (loaded.labels()?.select(rows), loaded.weights_of(rows)?);
    let scores = scores::scores(model, features.view(), &labels, &weights)?;
    Ok(validation::Part { number, samples: rows.len(), scores })
}

/// The errors on each part, by models of the others. A part that cannot be learned or estimated, as where a label is constant
/// or a class is missing, is left out and named.
fn cross_validate(config: &Config, loaded: &Loaded, splits: &[Split], talk: &Talk) -> Outcome<Vec<validation::Part>> {
    let mut parts = Vec::new();
    let mut last = None;
    for (number, split) in (1..).zip(splits) {
        talk.step(&format!("part {number} of {}", splits.len()));
        let errors = fit(config, loaded, &split.train, talk)
            .and_then(|fitted| part(config, loaded, &split.test, number, &fitted, talk));
        match errors {
            Ok(errors) => parts.push(errors),
            Err(failure) if failure.fault == Fault::Data => {
                talk.remark(
                    Aside::PartLeftOut,
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

/// The preparation of pixels that the data got.
fn applied(config: &Config) -> Outcome<Option<Preparation>> {
    Ok(match (&config.preparation, &config.data) {
        (Some(preparation), _) => Some(preparation.clone()),
        (None, Some(path)) if Kind::of(path)? == Kind::Gtsrb => Some(Preparation::signs()),
        _ => None,
    })
}

pub fn label_info(labels: &Labels) -> Value {
    let info = |(name, values): (&str, &gsfa::labels::LabelValues)| match values {
        gsfa::labels::LabelValues::Numbers(_) => json!({"name": name, "kind": "numbers", "classes": null}),
        gsfa::labels::LabelValues::Classes(c) => json!({"name": name, "kind": "classes", "classes": c.names()}),
    };
    labels.columns().map(info).collect()
}

/// Δ of the top's features.
pub fn top_deltas(model: &Model) -> Vec<f64> {
    let top = model.summary().layers.last();
    let first = top.and_then(|nodes| nodes.first()).and_then(Option::as_ref);
    first.map(|node| node.delta_values.clone()).unwrap_or_default()
}
