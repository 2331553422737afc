//! `gsfa solve`: slow features from the sums of all shards.

use std::ops::ControlFlow;
use std::path::Path;

use gsfa::graph::GraphInput;
use gsfa::labels::SampleWeights;
use gsfa::network::Trainer;
use gsfa::recipe::{Choice, Design};
use gsfa::samples::InputShape;
use gsfa_data::finite::{Survey, kept_means};
use serde_json::json;

use crate::args::SolveArgs;
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::interrupt;
use crate::load::Joined;
use crate::present::{Output, Printer, Scores, counted, score_table};
use crate::run::scores::scores;
use crate::run::shards::{Job, SampleHashes, Shard, State, SumsFile, sample_hashes, sums_error};
use crate::run::training::{AsRead, label_info, top_deltas};

pub fn run(args: &SolveArgs, printer: &Printer) -> Result {
    let mut inputs = args.shards.clone();
    inputs.extend([args.job.clone(), args.moments.clone()]);
    let output = Output::required(&args.output, &inputs, "model.gsfa", printer)?;
    let state = State::read(&args.job)?;
    check_last(&state.trainer)?;
    let job = &state.job;
    let labels = job.labels()?;
    let weights = job.weights(&labels)?;
    let recipe = job.settings.recipe(&labels)?;
    let input = GraphInput::new(&labels).with_weights(weights.clone())?;
    let design = recipe.design(&input, job.network.input)?;
    let SumsFile { sums, hashes } = SumsFile::read(&args.moments, &state, &design.graph)?;
    sums.check_complete().map_err(|error| sums_error(&args.moments, error))?;
    let State { job, mut trainer, .. } = state;
    let gathered = gathered(args, &job, &hashes, &weights, printer)?;
    let samples = gathered.as_ref().map(|gathered| &gathered.samples);
    let choice = chosen(&design, samples, printer)?;
    if let Some(top) = choice.network.layers.last() {
        trainer = trainer.with_ridge(top.ridge)?;
    }
    trainer.advance(sums).map_err(|error| sums_error(&args.moments, error))?;
    let Some(network) = trainer.network() else {
        return Err(Error::usage(ErrorCode::PassOrder, "not all passes have ended"));
    };
    if let Some([node]) = network.layers.last().map(Vec::as_slice) {
        node.slow.iter().flat_map(|slow| &slow.notes).for_each(|note| printer.note(note));
    }
    let features = samples.map(|samples| network.apply(samples)).transpose()?;
    let model = design.model(&choice, network, features.as_ref().map(|features| features.view()))?;
    let (means, raw_shape) = match gathered {
        Some(Gathered { means, raw_shape, .. }) => (means, raw_shape),
        None => (None, job.settings.reading.shape()?.or(job.image)),
    };
    let as_read = AsRead { settings: &job.settings, names: job.input_names.as_ref(), raw_shape };
    let said = job.remarks.iter().cloned().chain(printer.remarks_for_model());
    let model = as_read.remembered_by(model, said, |remembered| remembered.means = means)?;
    interrupt::check()?;
    output.save(&model)?;
    let scores = match &features {
        Some(features) => scores(&model, features.view(), &labels, &weights)?,
        None => Vec::new(),
    };
    let features = counted(model.network().output_dim(), "feature");
    let mut text = format!("{}, {features}\n", counted(labels.len(), "sample"));
    if !scores.is_empty() {
        text += &format!("\n{}", score_table("training error", &scores).text());
    }
    text += &format!("\n{}\n", output.saved());
    let value = json!({
        "samples": labels.len(), "features": model.network().output_dim(),
        "labels": label_info(&labels), "graph": job.graph, "delta_values": top_deltas(&model),
        "training": scores.iter().map(Scores::json).collect::<Vec<_>>(),
    });
    printer.result("solve", &[("model", output.path())], value, &text)
}

/// What samples choose where something was left open, if they are there.
fn chosen(design: &Design<'_>, samples: Option<&Joined>, printer: &Printer) -> Result<Choice> {
    let carry_on = |_| if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let choice = match samples {
        Some(samples) => design.choose(samples, &carry_on)?,
        None => {
            printer.remark(
                RemarkCode::NoReadout,
                "without --shards there is no read-out: the model gives features, but no estimates",
            );
            design.without_samples()
        }
    };
    choice.notes.iter().for_each(|note| printer.note(note));
    Ok(choice)
}

/// Refuses to solve before the last pass, and says what is missing.
fn check_last(trainer: &Trainer) -> Result {
    let (pass, passes) = trainer.pass();
    if pass >= passes {
        return Ok(());
    }
    Err(Error::usage(
        ErrorCode::PassOrder,
        format!("this network takes {passes} passes over the shards, and this is pass {pass}"),
    )
    .hint("end it with gsfa advance STATE SUMS -o NEXT, and accumulate every shard with NEXT"))
}

/// All samples of all shards, and what a model keeps of how they were read.
struct Gathered {
    samples: Joined,
    /// The mean of each value.
    means: Option<Vec<f64>>,
    /// The shape of images before preparation, if all have the same.
    raw_shape: Option<InputShape>,
}

/// All samples, from all shards; nothing if no shard is named. Shards without file names are recognised by their samples.
fn gathered(
    args: &SolveArgs,
    job: &Job,
    hashes: &SampleHashes,
    weights: &SampleWeights,
    printer: &Printer,
) -> Result<Option<Gathered>> {
    let total = weights.as_slice().len();
    let mut all = Joined::new(total, job.network.input.dim().unwrap_or(0), job.precision());
    let (mut next, mut has_means, mut shapes) = (0, true, Vec::new());
    for path in &args.shards {
        interrupt::check()?;
        let shard = job.load(path, printer)?;
        let first = match job.files {
            Some(_) => None,
            None => Some(place(path, &shard, hashes, next, printer)?),
        };
        let rows = job.rows(&shard, first, total)?;
        if let Some(row) = all.first_taken(&rows) {
            return Err(Error::data(ErrorCode::ShardTwice, format!("{}: sample {row} comes twice", path.display()))
                .hint("--shards names each of them once"));
        }
        has_means &= shard.loaded.has_means();
        shapes.push(shard.loaded.raw_shape());
        next = first.unwrap_or(0) + shard.source.len();
        all.add(shard.source, &rows);
    }
    if args.shards.is_empty() {
        return Ok(None);
    }
    let raw_shape = shapes[0].filter(|first| shapes.iter().all(|shape| *shape == Some(*first)));
    if let Some(row) = all.first_missing() {
        return Err(Error::data(ErrorCode::ShardMissing, format!("the shards lack sample {row} of {total}"))
            .hint("--shards names all of them"));
    }
    // In the order of their rows, as one run takes them.
    let means = if has_means { kept_means(Survey::weighted(&all, Some(weights.as_slice()))?.means) } else { None };
    Ok(Some(Gathered { samples: all, means, raw_shape }))
}

/// The row of the shard's first sample: the next one, or where else these samples were when their sums were taken.
fn place(path: &Path, shard: &Shard, hashes: &SampleHashes, next: usize, printer: &Printer) -> Result<usize> {
    let numbers = sample_hashes(&*shard.source)?;
    let Some(first) = hashes.find(&numbers, next) else {
        return Err(Error::data(
            ErrorCode::OtherSamples,
            format!("{}: these are not the samples that the sums are of", path.display()),
        )
        .hint("give the shards as they were accumulated, unchanged"));
    };
    if first != next {
        let last = first + numbers.len() - 1;
        printer.remark(
            RemarkCode::FoundByValues,
            format!("{} holds the samples {first} to {last}: found by their values", path.display()),
        );
    }
    Ok(first)
}
