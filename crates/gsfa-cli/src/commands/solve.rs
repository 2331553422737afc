//! `gsfa solve`: slow features from the sums of all shards.

use gsfa::labels::SampleWeights;
use gsfa::model::Training;
use gsfa::network::{Network, Node};
use gsfa::{Gsfa, Model};
use gsfa_data::samples::AsSamples;
use ndarray::Array2;
use serde_json::json;

use crate::args::SolveArgs;
use crate::commands::evaluate::{self, Scores};
use crate::commands::train::{label_info, top_deltas};
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::kept::Kept;
use crate::output::Output;
use crate::shards::{Plan, Sample, named, unpack};
use crate::talk::Talk;

pub fn run(args: &SolveArgs, talk: &Talk) -> Outcome {
    let mut inputs = args.shards.clone();
    inputs.extend([args.plan.clone(), args.moments.clone()]);
    let output = Output::required(&args.output, &inputs, "model.gsfa")?;
    let plan = Plan::read(&args.plan)?;
    plan.check_flat()?;
    if plan.double { solve::<f64>(args, &plan, &output, talk) } else { solve::<f32>(args, &plan, &output, talk) }
}

fn solve<T: Sample>(args: &SolveArgs, plan: &Plan, output: &Output, talk: &Talk) -> Outcome {
    let labels = plan.labels()?;
    let graph = plan.graph(&labels)?;
    let moments = unpack::<T>(&args.moments, plan, &graph)?.finish().map_err(|error| named(&args.moments, error))?;
    let layer = &plan.network.layers[0];
    // The options of a network's node, so that the result is that of a single run.
    let gsfa = Gsfa {
        output_dim: Some(layer.output_dim),
        ridge: layer.ridge,
        surplus: layer.surplus,
        allow_fewer: true,
        ..Gsfa::default()
    };
    let slow = gsfa.solve(&moments)?;
    slow.notes.iter().for_each(|note| talk.note(note));
    let node = Node { pca: None, clip: None, skip_scale: None, slow: Some(slow) };
    let network = Network { spec: plan.network.clone(), layers: vec![vec![node]] };
    let features = features(args, plan, &network, labels.len(), talk)?;
    let readouts = match &features {
        Some(features) => {
            plan.config.recipe().readouts(features.view(), &labels, &SampleWeights::uniform(labels.len()), &graph)?
        }
        None => {
            talk.note("without --shards there is no read-out: the model gives features, but no estimates");
            Vec::new()
        }
    };
    let training = Training { labels: &labels, spec: Some(&plan.graph), graph: &graph };
    let mut model = Model::new(network, readouts, &training)?;
    if let Some(names) = &plan.input_names {
        model = model.with_input_names(names.clone())?;
    }
    let kept = Kept::new(&plan.config, plan.config.preparation.clone(), &labels)?;
    let model = model.with_extra(kept.value()?);
    interrupt::check()?;
    output.save(&model)?;
    let scores = match &features {
        Some(features) => evaluate::scores(&model, &kept, features.view(), &labels)?,
        None => Vec::new(),
    };
    let mut text = format!("{} samples, {} features\n", labels.len(), model.network().output_dim());
    if !scores.is_empty() {
        text += &format!("\n{}", evaluate::table("training error", &scores).text());
    }
    text += &format!("\nsaved as {}\n", output.path.display());
    let value = json!({
        "model": output.path, "samples": labels.len(), "features": model.network().output_dim(),
        "labels": label_info(&labels), "graph": plan.graph, "delta_values": top_deltas(&model),
        "training": scores.iter().map(Scores::json).collect::<Vec<_>>(),
    });
    talk.result("solve", value, &text)
}

/// The features of all samples, from all shards.
fn features(
    args: &SolveArgs,
    plan: &Plan,
    network: &Network,
    total: usize,
    talk: &Talk,
) -> Outcome<Option<Array2<f64>>> {
    if args.shards.is_empty() {
        return Ok(None);
    }
    let mut all = Array2::from_elem((total, network.output_dim()), f64::NAN);
    let mut next = 0;
    for path in &args.shards {
        interrupt::check()?;
        let shard = plan.load(path, talk)?;
        let rows = plan.rows(&shard, plan.files.is_none().then_some(next), total)?;
        next += shard.source.len();
        let features = network.apply(&AsSamples(&*shard.source))?;
        for (&row, features) in rows.iter().zip(features.outer_iter()) {
            all.row_mut(row).assign(&features);
        }
    }
    match all.outer_iter().position(|row| row.iter().any(|x| x.is_nan())) {
        None => Ok(Some(all)),
        Some(row) => {
            Err(Failure::data(format!("the shards lack sample {row} of {total}")).hint("--shards names all of them"))
        }
    }
}
