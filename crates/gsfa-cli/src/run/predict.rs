//! `gsfa predict`: estimates of new samples, with what is known about their reliability.

use gsfa::readout::{Estimates, LabelEstimates};
use gsfa_data::table::{Table, Values, write_json_lines_to};
use serde_json::{Value, json};

use crate::args::PredictArgs;
use crate::error::{Error, ErrorCode, ErrorKind, RemarkCode, Result};
use crate::interrupt;
use crate::load::WantedLabels;
use crate::present::{Output, Printer, counted, write_or_print};
use crate::run::apply::{Application, Apply, no_readout};

pub fn run(args: &PredictArgs, printer: &Printer) -> Result {
    let path = &args.apply.model;
    let apply =
        Apply { model: path, data: &args.apply.data, output: &args.apply.output, weights: None, drawings: false };
    let opened = apply.open(
        |model| if model.readouts().is_empty() { Err(no_readout(path)) } else { Ok(WantedLabels::None) },
        printer,
    )?;
    let estimates = opened.model.estimate(&opened.samples()).map_err(|error| opened.loaded.in_file(error, None))?;
    if args.probabilities && estimates.iter().all(|(_, estimates)| estimates.probabilities.is_none()) {
        let text = "there are no probabilities: train with --readout soft-gc or gaussian-classifier, which give them";
        printer.remark(RemarkCode::NoProbabilities, text);
    }
    let Application { loaded, output, .. } = opened;
    let (heading, ids) = loaded.ids;
    let mut columns = vec![(heading, Values::text_from(&ids))];
    for (label, estimates) in &estimates {
        add_columns(&mut columns, label, estimates, args.probabilities);
    }
    let table = Table::new(columns)?;
    interrupt::check()?;
    if write_or_print(&table, output.as_ref(), printer)? {
        return Ok(());
    }
    let shown = if output.is_none() { rows(&table)? } else { Value::Null };
    let labels: Vec<&str> = estimates.iter().map(|(label, _)| label.as_str()).collect();
    let value = json!({
        "samples": table.len(), "labels": labels, "columns": table.names().collect::<Vec<_>>(),
        "estimates": shown, "skipped": loaded.skipped,
    });
    let place = output.as_ref().map(Output::saved).unwrap_or_default();
    let paths = [("model", Some(&**path)), ("output", output.as_ref().and_then(Output::path))];
    printer.result("predict", &paths, value, &format!("{} {place}\n", counted(table.len(), "estimate")))
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
fn rows(table: &Table) -> Result<Value> {
    let mut lines = Vec::new();
    write_json_lines_to(table, &mut lines)
        .map_err(|error| Error::new(ErrorKind::Io, ErrorCode::StandardOutput, error.to_string()))?;
    let parsed = lines.split(|&b| b == b'\n').filter(|line| !line.is_empty()).map(serde_json::from_slice::<Value>);
    parsed
        .collect::<Result<Value, _>>()
        .map_err(|error| Error::new(ErrorKind::Io, ErrorCode::StandardOutput, error.to_string()))
}
