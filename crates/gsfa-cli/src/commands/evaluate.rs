//! `gsfa evaluate`: estimates against known labels.

use gsfa::Model;
use gsfa::readout::LabelReadout;
use gsfa_data::table::{LabelKind, LabelSpec};
use serde_json::json;

use crate::args::EvaluateArgs;
use crate::commands::apply::{Application, Apply, no_readout};
use crate::data::Wish;
use crate::failure::Outcome;
use crate::output::Output;
use crate::scores::{self, Scores};
use crate::talk::Talk;

pub fn run(args: &EvaluateArgs, talk: &Talk) -> Outcome {
    let apply = Apply { model: &args.model, data: &args.data, output: &args.output, weights: args.weights.as_deref() };
    let wish = |model: &Model| {
        if model.readouts().is_empty() { Err(no_readout(&args.model)) } else { Ok(estimated(model)) }
    };
    let opened = apply.open(wish, talk)?;
    let features = opened.model.features(&opened.samples()).map_err(|error| opened.loaded.in_file(error, None))?;
    let Application { model, loaded, output, .. } = opened;
    let scores = scores::scores(&model, features.view(), loaded.labels()?, &loaded.weights()?)?;
    let table = scores::table("", &scores);
    if let Some(output) = &output {
        output.write(table.csv().as_bytes())?;
    }
    let mut text = format!("{} samples\n\n{}", loaded.len(), table.text());
    if args.confusion {
        scores.iter().filter_map(Scores::confusion).for_each(|table| text += &format!("\n{}", table.text()));
    }
    let value = json!({
        "samples": loaded.len(), "labels": scores.iter().map(Scores::json).collect::<Vec<_>>(),
        "skipped": loaded.skipped,
    });
    let paths = [("model", Some(&*args.model)), ("output", output.as_ref().and_then(Output::path))];
    talk.result("evaluate", &paths, value, &text)
}

/// The labels that a model estimates, of the kinds they had in training.
fn estimated(model: &Model) -> Wish {
    let info = |readout: &LabelReadout| {
        let kind = if readout.class_names().is_some() { LabelKind::Classes } else { LabelKind::Numbers };
        LabelSpec { name: readout.label.clone(), kind: Some(kind) }
    };
    Wish::Labels(model.readouts().iter().map(info).collect())
}
