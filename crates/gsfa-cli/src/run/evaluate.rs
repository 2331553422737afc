//! `gsfa evaluate`: estimates against known labels.

use gsfa::Model;
use gsfa::readout::LabelReadout;
use gsfa_data::table::{LabelKind, LabelSpec};
use serde_json::json;

use crate::args::{EvaluateArgs, MissingLabelsArg};
use crate::error::{Error, ErrorCode, Result};
use crate::load::WantedLabels;
use crate::present::{Output, Printer, Scores, counted, score_table};
use crate::run::apply::{Application, Apply, no_readout};
use crate::run::scores::scores;

pub fn run(args: &EvaluateArgs, printer: &Printer) -> Result {
    if args.data.missing_labels == Some(MissingLabelsArg::Impute) {
        let message = "--missing-labels impute: means that stand for labels are nothing to compare estimates with";
        return Err(
            Error::usage(ErrorCode::MeaninglessFlag, message).hint("--missing-labels drop leaves their samples out")
        );
    }
    let apply = Apply {
        model: &args.model,
        data: &args.data,
        output: &args.output,
        weights: args.weights.as_deref(),
        drawings: false,
    };
    let wish = |model: &Model| {
        if model.readouts().is_empty() { Err(no_readout(&args.model)) } else { Ok(estimated(model)) }
    };
    let opened = apply.open(wish, printer)?;
    let features = opened.model.features(&opened.samples()).map_err(|error| opened.loaded.in_file(error, None))?;
    let Application { model, loaded, output, .. } = opened;
    let scores = scores(&model, features.view(), loaded.labels()?, &loaded.weights()?)?;
    let table = score_table("", &scores);
    if let Some(output) = &output {
        output.write(table.csv().as_bytes())?;
    }
    let labeled = loaded.labels()?.labeled().len();
    let counts = match labeled == loaded.len() {
        true => counted(labeled, "sample"),
        false => format!("{labeled} of {} have labels", counted(loaded.len(), "sample")),
    };
    let mut text = format!("{counts}\n\n{}", table.text());
    if args.confusion {
        scores.iter().filter_map(Scores::confusion).for_each(|table| text += &format!("\n{}", table.text()));
    }
    let value = json!({
        "samples": loaded.len(), "labels": scores.iter().map(Scores::json).collect::<Vec<_>>(),
        "skipped": loaded.skipped,
    });
    let paths = [("model", Some(&*args.model)), ("output", output.as_ref().and_then(Output::path))];
    printer.result("evaluate", &paths, value, &text)
}

/// The labels that a model estimates, of the kinds they had in training.
fn estimated(model: &Model) -> WantedLabels {
    let info = |readout: &LabelReadout| {
        let kind = if readout.class_names().is_some() { LabelKind::Classes } else { LabelKind::Numbers };
        LabelSpec { name: readout.label.clone(), kind: Some(kind) }
    };
    WantedLabels::Named(model.readouts().iter().map(info).collect())
}
