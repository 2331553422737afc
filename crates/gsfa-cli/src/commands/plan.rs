//! `gsfa plan`: what a training would be like.

use gsfa::graph::GraphInput;
use gsfa::network::NetworkPlan;
use gsfa::recipe::Tried;
use gsfa_data::gtsrb::Part;
use serde_json::{Value, json};

use crate::args::TrainArgs;
use crate::commands::train::remark;
use crate::config::Config;
use crate::data::{self, Lesson, Request, Wish};
use crate::failure::Outcome;
use crate::output::{Output, STANDARD};
use crate::shards::precision;
use crate::talk::{Aside, Talk, write_stdout};

pub fn run(args: &TrainArgs, talk: &Talk) -> Outcome {
    let config = Config::of(args)?;
    if args.config.print_config {
        return write_stdout(config.toml()?.as_bytes());
    }
    if args.output.output.as_ref().is_some_and(|path| path.as_os_str() != STANDARD) {
        // As training would find it; the line of a training can be tried with its output.
        Output::maybe(&args.output, &data::inputs(&config), talk)?;
        talk.remark(Aside::NoFile, "a plan writes no file: -o is for gsfa train");
    }
    let request = Request { config: &config, labels: Wish::of(&config), model: None, part: Part::Training };
    let loaded = data::load(&request, talk)?;
    loaded.taken.tell(talk);
    let all: Vec<usize> = (0..loaded.len()).collect();
    let Lesson { source, labels, weights, .. } = loaded.lesson(&all, &config, talk)?;
    let (recipe, input) = (config.recipe(&labels), GraphInput::new(&labels).with_weights(weights)?);
    let design = recipe.design(&input, loaded.shape()?)?;
    remark(&design, talk);
    let samples = labels.len();
    let plan = design.network.plan()?;
    let precision = precision(&design.network, &*source);
    let bytes = plan.training_bytes(samples, precision, rayon::current_num_threads());
    let operations = plan.operations(samples);
    let candidates = design.candidates()?;
    let text = format!(
        "{samples} samples of {} values; graph: {}\n\n{plan}\n{} parameters, {:.3e} operations, {} beside the samples\n{}",
        plan.input_dim,
        json!(design.spec)["kind"].as_str().unwrap_or_default(),
        plan.parameters(),
        operations,
        gsfa::memory::spelled(bytes),
        tried(&candidates),
    );
    let value = json!({
        "samples": samples, "inputs": plan.input_dim, "taken": loaded.taken.json(), "graph": design.spec,
        "network": design.network, "layers": layers(&plan),
        "parameters": plan.parameters(), "operations": operations, "training_bytes": bytes,
        "left_out_trainings": design.left_out_trainings()?,
        "candidates": candidates.iter().map(|c| json!({"name": c.name, "work": c.work})).collect::<Vec<_>>(),
    });
    talk.result("plan", &[], value, &text)
}

/// What will be tried by leaving samples out.
fn tried(candidates: &[Tried]) -> String {
    let names: Vec<String> = candidates.iter().map(|c| format!("{} ({:.1e} operations)", c.name, c.work)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!("judged by left-out samples: {one}; --no-calibrate leaves that out\n"),
        all => format!("left-out samples choose between {}; --effort bounds the work\n", all.join(", ")),
    }
}

/// The architecture table as JSON.
pub fn layers(plan: &NetworkPlan) -> Value {
    let layer = |l: &gsfa::network::LayerPlan| {
        json!({
            "nodes": l.nodes, "receptive_field": l.receptive_field, "input_dim": l.input_dim, "pca_dim": l.pca_dim,
            "expanded_dim": l.expanded_dim, "output_dim": l.output_dim, "parameters": l.parameters(),
        })
    };
    plan.layers.iter().map(layer).collect()
}
