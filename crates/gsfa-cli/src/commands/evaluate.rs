//! `gsfa evaluate`: estimates against known labels.

use gsfa::Model;
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::readout::measures;
use gsfa_data::gtsrb::Part;
use gsfa_data::samples::AsSamples;
use gsfa_data::table::{LabelKind, LabelSpec};
use gsfa_report::{Cell, Column, Table};
use ndarray::ArrayView2;
use serde_json::{Value, json};

use crate::args::EvaluateArgs;
use crate::commands::predict::{load_model, settings};
use crate::data::{self, Request, Wish};
use crate::failure::{Failure, Outcome};
use crate::kept::Kept;
use crate::output::Output;
use crate::talk::Talk;

/// The errors of one label's estimates.
pub struct Scores {
    pub label: String,
    pub samples: usize,
    pub errors: Errors,
}

/// What is measured.
pub enum Errors {
    Numbers { rmse: f64, mae: f64, r_squared: Option<f64>, chance_rmse: f64 },
    Classes { error_rate: f64, chance_error_rate: f64, classes: Vec<String>, confusion: Vec<Vec<f64>> },
}

pub fn run(args: &EvaluateArgs, talk: &Talk) -> Outcome {
    let model = load_model(&args.model)?;
    let kept = Kept::of(&model)?;
    let config = settings(&kept, &args.data);
    let mut inputs = data::inputs(&config);
    inputs.push(args.model.clone());
    let output = Output::maybe(&args.output, &inputs)?;
    if model.readouts().is_empty() {
        return Err(no_readout(&args.model));
    }
    let info = |(label, _): &(String, _)| {
        let classes = model.header().labels.iter().any(|l| l.name == *label && l.classes.is_some());
        let kind = if classes { LabelKind::Classes } else { LabelKind::Numbers };
        LabelSpec { name: label.clone(), kind: Some(kind) }
    };
    let wish = Wish::Labels(model.readouts().iter().map(info).collect());
    let request = Request { config: &config, labels: wish, model: Some(&model), part: Part::Test, training: false };
    let loaded = data::load(&request, talk)?;
    let features = model.features(&AsSamples(&*loaded.source))?;
    let scores = scores(&model, &kept, features.view(), loaded.labels()?)?;
    let table = table("", &scores);
    if let Some(output) = &output {
        output.write(table.csv().as_bytes())?;
    }
    let mut text = format!("{} samples\n\n{}", loaded.source.len(), table.text());
    if args.confusion {
        scores.iter().filter_map(confusion_table).for_each(|table| text += &format!("\n{}", table.text()));
    }
    let value = json!({
        "model": args.model, "samples": loaded.source.len(), "labels": scores.iter().map(Scores::json).collect::<Vec<_>>(),
        "output": output.map(|o| o.path), "skipped": loaded.skipped,
    });
    talk.result("evaluate", value, &text)
}

pub fn no_readout(path: &std::path::Path) -> Failure {
    Failure::usage(format!("{} has no read-out: it gives features, but no estimates", path.display()))
        .hint("use gsfa transform, or solve once more with --shards")
}

/// The errors of all labels that the model estimates.
pub fn scores(model: &Model, kept: &Kept, features: ArrayView2<'_, f64>, labels: &Labels) -> Outcome<Vec<Scores>> {
    let weights = SampleWeights::uniform(labels.len());
    let mut all = Vec::new();
    for (label, readout) in model.readouts() {
        let estimates = readout.estimate(features)?;
        let errors = match (labels.column(label)?, estimates.numbers(), estimates.classes()) {
            (LabelValues::Numbers(truth), Some(numbers), _) => {
                let constant = kept.chance.get(label).and_then(Value::as_f64);
                let constant = constant.map_or_else(|| measures::mean(truth, &weights), Ok)?;
                let numbers = numbers.to_vec();
                Errors::Numbers {
                    rmse: measures::rmse(&numbers, truth, &weights)?,
                    mae: measures::mae(&numbers, truth, &weights)?,
                    r_squared: measures::r_squared(&numbers, truth, &weights).ok(),
                    chance_rmse: measures::chance_rmse(constant, truth, &weights)?,
                }
            }
            (LabelValues::Classes(truth), _, Some(classes)) => {
                let names = readout.class_names().unwrap_or_default();
                let truth = measures::class_indices(truth, names)?;
                let constant = kept.chance.get(label).and_then(Value::as_str);
                let constant = constant.and_then(|name| names.iter().position(|n| n == name)).map(|c| c as u32);
                let constant = constant.map_or_else(|| measures::majority_class(&truth, &weights), Ok)?;
                let confusion = measures::confusion_matrix(classes, &truth, names.len(), &weights)?;
                Errors::Classes {
                    error_rate: measures::error_rate(classes, &truth, &weights)?,
                    chance_error_rate: measures::chance_error_rate(constant, &truth, &weights)?,
                    classes: names.to_vec(),
                    confusion: confusion.outer_iter().map(|row| row.to_vec()).collect(),
                }
            }
            _ => return Err(Failure::data(format!("label '{label}' is of another kind than in training"))),
        };
        all.push(Scores { label: label.clone(), samples: labels.len(), errors });
    }
    Ok(all)
}

impl Scores {
    pub fn json(&self) -> Value {
        match &self.errors {
            Errors::Numbers { rmse, mae, r_squared, chance_rmse } => json!({
                "label": self.label, "kind": "numbers", "samples": self.samples, "rmse": rmse, "mae": mae,
                "r_squared": r_squared, "chance_rmse": chance_rmse,
                "percent_of_chance": measures::percent_of_chance(*rmse, *chance_rmse),
            }),
            Errors::Classes { error_rate, chance_error_rate, classes, confusion } => json!({
                "label": self.label, "kind": "classes", "samples": self.samples, "error_rate": error_rate,
                "chance_error_rate": chance_error_rate,
                "percent_of_chance": measures::percent_of_chance(*error_rate, *chance_error_rate),
                "classes": classes, "confusion": confusion,
            }),
        }
    }
}

/// One line per label and measure.
pub fn table(title: &str, scores: &[Scores]) -> Table {
    let columns = vec![
        Column::text("label"),
        Column::text("measure"),
        Column::number("error"),
        Column::number("chance"),
        Column::number("% of chance"),
    ];
    let mut table = Table::new(title, columns);
    let text = |text: &str| Cell::Text(text.into());
    for score in scores {
        let mut row = |measure: &str, error: f64, chance: Option<f64>| {
            let share = chance.map(|chance| Cell::Number(measures::percent_of_chance(error, chance), 1));
            let chance = chance.map_or(Cell::Missing, |chance| Cell::Number(chance, 4));
            table.rows.push(vec![
                text(&score.label),
                text(measure),
                Cell::Number(error, 4),
                chance,
                share.unwrap_or_default(),
            ]);
        };
        match &score.errors {
            Errors::Numbers { rmse, mae, r_squared, chance_rmse } => {
                row("RMSE", *rmse, Some(*chance_rmse));
                row("MAE", *mae, None);
                if let Some(r_squared) = r_squared {
                    row("R²", *r_squared, None);
                }
            }
            Errors::Classes { error_rate, chance_error_rate, .. } => {
                row("error rate", *error_rate, Some(*chance_error_rate));
            }
        }
    }
    table
}

fn confusion_table(score: &Scores) -> Option<Table> {
    let Errors::Classes { classes, confusion, .. } = &score.errors else { return None };
    let columns = std::iter::once(Column::text("true \\ estimated")).chain(classes.iter().map(Column::number));
    let mut table = Table::new(format!("confusion of {}", score.label), columns.collect());
    for (name, row) in classes.iter().zip(confusion) {
        let cells = row.iter().map(|&count| Cell::Number(count, 0));
        table.rows.push(std::iter::once(Cell::Text(name.clone())).chain(cells).collect());
    }
    Some(table)
}
