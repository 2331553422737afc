//! `gsfa predict`: estimates of new samples, with what is known about their reliability.

use std::path::Path;

use gsfa::Model;
use gsfa::readout::{Estimates, LabelEstimates};
use gsfa_data::gtsrb::Part;
use gsfa_data::samples::AsSamples;
use gsfa_data::table::{Table, Values, write_json_lines_to};
use serde_json::{Value, json};

use crate::args::{DataArgs, PredictArgs};
use crate::commands::evaluate::no_readout;
use crate::config::{Config, Reading};
use crate::data::{self, Request, Wish};
use crate::failure::{Failure, Fault, Outcome};
use crate::interrupt;
use crate::kept::Kept;
use crate::output::Output;
use crate::talk::{Talk, write_stdout};

pub fn run(args: &PredictArgs, talk: &Talk) -> Outcome {
    let model = load_model(&args.apply.model)?;
    let kept = Kept::of(&model)?;
    let config = settings(&kept, &args.apply.data);
    let mut inputs = data::inputs(&config);
    inputs.push(args.apply.model.clone());
    let output = Output::maybe(&args.apply.output, &inputs)?;
    if model.readouts().is_empty() {
        return Err(no_readout(&args.apply.model));
    }
    let request =
        Request { config: &config, labels: Wish::Nothing, model: Some(&model), part: Part::Test, training: false };
    let loaded = data::load(&request, talk)?;
    let estimates = model.estimate(&AsSamples(&*loaded.source))?;
    let (heading, ids) = loaded.ids;
    let mut columns = vec![(heading, Values::text_from(&ids))];
    for (label, estimates) in &estimates {
        add_columns(&mut columns, label, estimates, args.probabilities);
    }
    let table = Table::new(columns)?;
    interrupt::check()?;
    if let Some(output) = &output {
        write_table(&table, output)?;
    } else if !talk.json {
        let mut csv = Vec::new();
        table.write_csv_to(&mut csv).map_err(|error| Failure::new(Fault::Io, error.to_string()))?;
        return write_stdout(&csv);
    }
    let shown = if output.is_none() { rows(&table)? } else { Value::Null };
    let labels: Vec<&str> = estimates.iter().map(|(label, _)| label.as_str()).collect();
    let value = json!({
        "model": args.apply.model, "samples": table.len(), "labels": labels, "columns": table.names().collect::<Vec<_>>(),
        "output": output.as_ref().map(|o| &o.path), "estimates": shown, "skipped": loaded.skipped,
    });
    let path = output.map(|o| o.path.display().to_string()).unwrap_or_default();
    talk.result("predict", value, &format!("{} estimates saved as {path}\n", table.len()))
}

/// Reads a model, with the exit code of a bad one.
pub fn load_model(path: &Path) -> Outcome<Model> {
    Ok(Model::load(path)?)
}

/// How new samples are read: as in training, with what the user says now.
pub fn settings(kept: &Kept, args: &DataArgs) -> Config {
    let mut config = Config { preparation: kept.preparation.clone(), ..Config::default() };
    let Reading { ignore, columns, file_column, .. } = kept.config.reading.clone();
    config.reading = Reading { ignore, columns, file_column, ..Reading::default() };
    config.apply_data(args);
    config
}

/// Writes a table in the format that the file's name says.
pub fn write_table(table: &Table, output: &Output) -> Outcome {
    let _saving = interrupt::saving();
    let extension = output.path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("jsonl" | "ndjson") => table.write_json_lines(&output.path, output.overwrite())?,
        Some("npy") => table.write_npy(&output.path, output.overwrite())?,
        #[cfg(feature = "parquet")]
        Some("parquet") => table.write_parquet(&output.path, output.overwrite())?,
        _ => table.write_csv(&output.path, output.overwrite())?,
    }
    Ok(())
}

/// Estimate, standard deviation, probabilities and outlier score of a label.
fn add_columns(columns: &mut Vec<(String, Values)>, label: &str, estimates: &Estimates, bins: bool) {
    let mut numbers = |name: String, values: Vec<f64>| columns.push((name, Values::Numbers(values)));
    let names: Option<&[String]> = match &estimates.label {
        LabelEstimates::Numbers(values) => {
            numbers(label.to_string(), values.to_vec());
            None
        }
        LabelEstimates::Classes { names, of_sample } => {
            let texts = of_sample.iter().map(|&c| names[c as usize].as_str());
            columns.push((label.to_string(), Values::text_from(texts)));
            Some(names)
        }
    };
    let mut numbers = |name: String, values: Vec<f64>| columns.push((name, Values::Numbers(values)));
    if let Some(deviations) = &estimates.standard_deviation {
        numbers(format!("{label}_std"), deviations.to_vec());
    }
    if let Some(scores) = &estimates.outlier_score {
        numbers(format!("{label}_outlier"), scores.to_vec());
    }
    let Some(probabilities) = &estimates.probabilities else { return };
    for (k, column) in probabilities.columns().into_iter().enumerate() {
        match names {
            Some(names) => numbers(format!("{label}_p_{}", names[k]), column.to_vec()),
            None if bins => numbers(format!("{label}_p_bin{}", k + 1), column.to_vec()),
            None => {}
        }
    }
}

/// The rows as JSON objects.
fn rows(table: &Table) -> Outcome<Value> {
    let mut lines = Vec::new();
    write_json_lines_to(table, &mut lines).map_err(|error| Failure::new(Fault::Io, error.to_string()))?;
    let parsed = lines.split(|&b| b == b'\n').filter(|line| !line.is_empty()).map(serde_json::from_slice::<Value>);
    parsed.collect::<Result<Value, _>>().map_err(|error| Failure::new(Fault::Io, error.to_string()))
}
