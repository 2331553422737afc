//! `gsfa solve`: slow features from the sums of all shards.

use std::ops::ControlFlow;
use std::path::Path;

use gsfa::graph::GraphInput;
use gsfa::model::Remembered;
use gsfa::network::{PassGraphs, Trainer};
use serde_json::json;

use crate::args::SolveArgs;
use crate::commands::train::{label_info, top_deltas};
use crate::data::Joined;
use crate::failure::{Failure, Outcome, Reason};
use crate::interrupt;
use crate::output::Output;
use crate::scores::{self, Scores};
use crate::shards::{Places, Plan, Shard, State, SumsFile, of_sums, sample_numbers};
use crate::talk::{Aside, Talk};

pub fn run(args: &SolveArgs, talk: &Talk) -> Outcome {
    let mut inputs = args.shards.clone();
    inputs.extend([args.plan.clone(), args.moments.clone()]);
    let output = Output::required(&args.output, &inputs, "model.gsfa", talk)?;
    let state = State::read(&args.plan)?;
    check_last(&state.trainer)?;
    let plan = &state.plan;
    let labels = plan.labels()?;
    let weights = plan.weights(&labels)?;
    let recipe = plan.config.recipe(&labels);
    let input = GraphInput::new(&labels).with_weights(weights.clone())?;
    let design = recipe.design(&input, plan.network.input)?;
    let graphs = PassGraphs::new(design.graph.clone())?;
    let SumsFile { sums, places } = SumsFile::read(&args.moments, &state, &graphs)?;
    sums.check_complete().map_err(|error| of_sums(&args.moments, error))?;
    let State { plan, mut trainer, .. } = state;
    let samples = samples(args, &plan, &places, labels.len(), talk)?;
    let carry_on = |_| if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let choice = match &samples {
        Some(samples) => design.choose(samples, &carry_on)?,
        None => {
            talk.remark(
                Aside::NoReadout,
                "without --shards there is no read-out: the model gives features, but no estimates",
            );
            design.without_samples()
        }
    };
    choice.notes.iter().for_each(|note| talk.note(note));
    if let Some(top) = choice.network.layers.last() {
        trainer = trainer.with_ridge(top.ridge)?;
    }
    trainer.advance(sums).map_err(|error| of_sums(&args.moments, error))?;
    let Some(network) = trainer.network() else {
        return Err(Failure::usage(Reason::PassOrder, "not all passes have ended"));
    };
    if let Some([node]) = network.layers.last().map(Vec::as_slice) {
        node.slow.iter().flat_map(|slow| &slow.notes).for_each(|note| talk.note(note));
    }
    let features = samples.as_ref().map(|samples| network.apply(samples)).transpose()?;
    let mut model = design.model(&choice, network, features.as_ref().map(|features| features.view()))?;
    if let Some(names) = &plan.input_names {
        model = model.with_input_names(names.clone())?;
    }
    let (preparation, settings) = (plan.config.preparation.clone(), Some(plan.config.json()?));
    let remembered = Remembered { preparation, settings, ..model.remembered().clone() };
    let model = model.with_remembered(remembered)?;
    interrupt::check()?;
    output.save(&model)?;
    let scores = match &features {
        Some(features) => scores::scores(&model, features.view(), &labels, &weights)?,
        None => Vec::new(),
    };
    let mut text = format!("{} samples, {} features\n", labels.len(), model.network().output_dim());
    if !scores.is_empty() {
        text += &format!("\n{}", scores::table("training error", &scores).text());
    }
    text += &format!("\n{}\n", output.saved());
    let value = json!({
        "samples": labels.len(), "features": model.network().output_dim(),
        "labels": label_info(&labels), "graph": plan.graph, "delta_values": top_deltas(&model),
        "training": scores.iter().map(Scores::json).collect::<Vec<_>>(),
    });
    talk.result("solve", &[("model", output.path())], value, &text)
}

/// Refuses to solve before the last pass, and says what is missing.
fn check_last(trainer: &Trainer) -> Outcome {
    let (pass, passes) = trainer.pass();
    if pass >= passes {
        return Ok(());
    }
    Err(Failure::usage(
        Reason::PassOrder,
        format!("this network takes {passes} passes over the shards, and this is pass {pass}"),
    )
    .hint("end it with gsfa advance STATE SUMS -o NEXT, and accumulate every shard with NEXT"))
}

/// All samples, from all shards; nothing if no shard is named. Shards without file names are recognised by their samples.
fn samples(args: &SolveArgs, plan: &Plan, places: &Places, total: usize, talk: &Talk) -> Outcome<Option<Joined>> {
    if args.shards.is_empty() {
        return Ok(None);
    }
    let mut all = Joined::new(total, plan.network.input.dim().unwrap_or(0), plan.precision());
    let mut next = 0;
    for path in &args.shards {
        interrupt::check()?;
        let shard = plan.load(path, talk)?;
        let first = match plan.files {
            Some(_) => None,
            None => Some(place(path, &shard, places, next, talk)?),
        };
        let rows = plan.rows(&shard, first, total)?;
        if let Some(row) = all.first_taken(&rows) {
            return Err(Failure::data(Reason::ShardTwice, format!("{}: sample {row} comes twice", path.display()))
                .hint("--shards names each of them once"));
        }
        next = first.unwrap_or(0) + shard.source.len();
        all.add(shard.source, &rows);
    }
    match all.first_missing() {
        None => Ok(Some(all)),
        Some(row) => Err(Failure::data(Reason::ShardMissing, format!("the shards lack sample {row} of {total}"))
            .hint("--shards names all of them")),
    }
}

/// The row of the shard's first sample: the next one, or where else these samples were when their sums were taken.
fn place(path: &Path, shard: &Shard, places: &Places, next: usize, talk: &Talk) -> Outcome<usize> {
    let numbers = sample_numbers(&*shard.source)?;
    let Some(first) = places.find(&numbers, next) else {
        return Err(Failure::data(
            Reason::OtherSamples,
            format!("{}: these are not the samples that the sums are of", path.display()),
        )
        .hint("give the shards as they were accumulated, unchanged"));
    };
    if first != next {
        let last = first + numbers.len() - 1;
        talk.remark(
            Aside::FoundByValues,
            format!("{} holds the samples {first} to {last}: found by their values", path.display()),
        );
    }
    Ok(first)
}
