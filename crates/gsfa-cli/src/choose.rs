//! What is left open is chosen from the labels: graph and network.

use gsfa::graph::{Clustered, Compact, Ell, GraphSpec, Sum, Summand, TrainingGraph};
use gsfa::labels::{LabelValues, Labels};
use gsfa::moments::Samples;
use gsfa::network::{Goal, InputShape, LayerSpec, NetworkSpec};

use crate::config::{Config, NetworkKind};
use crate::failure::{Failure, Outcome};

/// The graph of the settings, or the one that suits the labels: numbers are learned exactly, classes are clustered, and
/// several labels share the weight.
pub fn graph(config: &Config, labels: &Labels) -> Outcome<GraphSpec> {
    if let Some(graph) = &config.graph {
        return Ok(graph.clone());
    }
    let mut graphs: Vec<GraphSpec> = Vec::new();
    let numbers: Vec<String> = labels.columns().filter(|(_, v)| is_numbers(v)).map(|(n, _)| n.to_string()).collect();
    if !numbers.is_empty() {
        graphs.push(Ell { labels: numbers, targets: config.targets, ..Ell::default() }.into());
    }
    for (name, _) in labels.columns().filter(|(_, values)| !is_numbers(values)) {
        let label = Some(name.to_string());
        graphs.push(match config.targets {
            Some(_) => Compact { label, targets: config.targets, ..Compact::default() }.into(),
            None => Clustered { label, ..Clustered::default() }.into(),
        });
    }
    match graphs.len() {
        0 => Err(Failure::usage("there is nothing to learn").hint("name labels with --learn")),
        1 => Ok(graphs.remove(0)),
        _ => Ok(Sum { graphs: graphs.into_iter().map(|graph| Summand { share: 1.0, graph }).collect() }.into()),
    }
}

fn is_numbers(values: &LabelValues) -> bool {
    matches!(values, LabelValues::Numbers(_))
}

/// What the labels ask for: a feature per target label, or one less than there are classes.
pub fn goal(graph: &TrainingGraph, labels: &Labels) -> Goal {
    let numbers = labels.columns().filter(|(_, values)| is_numbers(values)).count();
    let of_label = |values: &LabelValues| match values {
        LabelValues::Numbers(_) => 1,
        LabelValues::Classes(classes) => classes.count().saturating_sub(1),
    };
    let targets = match graph.targets() {
        Some(targets) => targets.eigenvalues.values.len(),
        None => labels.columns().map(|(_, values)| of_label(values)).sum(),
    };
    Goal { labels: numbers.max(1), targets: targets.max(1) }
}

/// The network of the settings for samples of the given shape.
pub fn network(config: &Config, input: InputShape, samples: usize, goal: Goal) -> NetworkSpec {
    let choice = &config.network;
    let output = choice.features.unwrap_or(goal.targets);
    let dim = input.dim().unwrap_or(0);
    let mut spec = match choice.kind {
        NetworkKind::Auto => NetworkSpec::auto(input, samples, Goal { targets: output, ..goal }),
        NetworkKind::Linear => NetworkSpec { input, layers: vec![LayerSpec::new(output)] },
        NetworkKind::Quadratic => {
            let components = choice.pca.unwrap_or(120).min(dim).min(samples.saturating_sub(1).max(1));
            NetworkSpec::quadratic(input, components, output)
        }
        NetworkKind::Cascade => NetworkSpec::cascade(input, 3, output),
        NetworkKind::Paper64 => NetworkSpec { input, ..NetworkSpec::paper_64() },
        NetworkKind::Layers => NetworkSpec { input, layers: choice.layers.clone() },
    };
    if let (Some(features), Some(top)) = (choice.features, spec.layers.last_mut()) {
        top.output_dim = features;
    }
    if let Some(ridge) = choice.ridge {
        spec.layers.iter_mut().for_each(|layer| layer.ridge = ridge);
    }
    spec
}

/// Inputs of a node up to which trying several ridges costs little beside training.
const NARROW: usize = 1000;

/// A network that was left to us gets the ridge of a cross-validation, unless the user says which.
pub fn ridge(config: &Config, spec: NetworkSpec, samples: &dyn Samples, graph: &TrainingGraph) -> NetworkSpec {
    let ours = config.network.kind == NetworkKind::Auto && config.network.ridge.is_none();
    let narrow = spec.plan().is_ok_and(|plan| plan.layers.iter().all(|layer| layer.expanded_dim <= NARROW));
    if !(ours && narrow) {
        return spec;
    }
    // What is wrong with the samples is said by the training that follows.
    spec.clone().with_chosen_ridge(samples, graph).unwrap_or(spec)
}
