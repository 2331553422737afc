//! `gsfa train`: samples and labels into a model file.

use gsfa::Model;
use gsfa::graph::GraphInput;
use gsfa::labels::Labels;
use gsfa::moments::Precision;
use gsfa::recipe::TrainedModel;
use gsfa_data::gtsrb::Part;
use gsfa_data::pixels::Preparation;
use gsfa_report::{Cell, Column, Table};
use serde_json::{Value, json};

use crate::args::TrainArgs;
use crate::commands::evaluate::{self, Scores};
use crate::commands::plan::megabytes;
use crate::config::Config;
use crate::data::{self, Held, Kind, Request, Wish};
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::kept::Kept;
use crate::output::Output;
use crate::talk::{Talk, write_stdout};

pub fn run(args: &TrainArgs, talk: &Talk) -> Outcome {
    let mut config = Config::of(args)?;
    if args.config.print_config {
        return write_stdout(config.toml()?.as_bytes());
    }
    let output = Output::required(&args.output, &data::inputs(&config), "model.gsfa")?;
    let request =
        Request { config: &config, labels: Wish::of(&config), model: None, part: Part::Training, training: true };
    let loaded = data::load(&request, talk)?;
    let (shape, skipped, names) = (loaded.shape(), loaded.skipped.clone(), loaded.names.clone());
    let labels = loaded.labels()?.clone();
    let (recipe, input) = (config.recipe(), GraphInput::new(&labels));
    let design = recipe.design(&input, shape)?;
    design.graph.notes().iter().for_each(|note| talk.note(note));
    let plan = design.network.plan()?;
    let single = loaded.source.element().fits_single();
    let bytes = plan.training_bytes(labels.len(), precision(single), rayon::current_num_threads());
    refuse_too_large(bytes)?;

    let held = Held::of(loaded.source)?;
    interrupt::check()?;
    let progress = talk.progress(&plan, labels.len());
    let trained = held.with(|samples| design.train(samples, &|event| progress.event(event)));
    progress.finish();
    let TrainedModel { mut model, features, notes } = trained?;
    notes.iter().for_each(|note| talk.note(note));
    if let Some(names) = names {
        model = model.with_input_names(names)?;
    }
    let preparation = applied(&config)?;
    config.learn = labels.columns().map(|(name, _)| name.to_string()).collect();
    let kept = Kept::new(&config, preparation, &labels)?;
    let model = model.with_extra(kept.value()?);
    interrupt::check()?;
    output.save(&model)?;

    let scores = evaluate::scores(&model, &kept, features.view(), &labels)?;
    let text = format!(
        "{} samples of {} values, {} features\n\n{}\nsaved as {}\n",
        labels.len(),
        plan.input_dim,
        model.network().output_dim(),
        evaluate::table("training error", &scores).text(),
        output.path.display()
    );
    let value = json!({
        "model": output.path, "samples": labels.len(), "inputs": plan.input_dim,
        "features": model.network().output_dim(), "labels": label_info(&labels), "graph": design.spec,
        "delta_values": top_deltas(&model), "training": scores.iter().map(Scores::json).collect::<Vec<_>>(),
        "skipped": skipped,
    });
    talk.result("train", value, &text)
}

fn precision(single: bool) -> Precision {
    if single { Precision::Single } else { Precision::Double }
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

/// Refuses a training that needs more memory than the machine has left.
fn refuse_too_large(bytes: usize) -> Outcome {
    let available = available_memory();
    match available {
        Some(available) if bytes > available => Err(Failure::usage(format!(
            "training needs about {} of memory, {} are available",
            megabytes(bytes),
            megabytes(available)
        ))
        .hint("use fewer principal components (--pca), a linear network, or smaller images (--resize)")),
        _ => Ok(()),
    }
}

/// What the system says is left; unknown where it does not say.
fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok()?.checked_mul(1024)
}

/// Δ and ρ² of features as a table.
pub fn feature_table(title: &str, deltas: &[f64], correlations: &[Option<f64>]) -> Table {
    let mut table = Table::new(title, vec![Column::number("feature"), Column::number("Δ"), Column::number("ρ²")]);
    for (j, (delta, rho)) in deltas.iter().zip(correlations).enumerate() {
        let rho = rho.map_or(Cell::Missing, |rho| Cell::Number(rho, 4));
        table.rows.push(vec![Cell::Number((j + 1) as f64, 0), Cell::Number(*delta, 4), rho]);
    }
    table
}
