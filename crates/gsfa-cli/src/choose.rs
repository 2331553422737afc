//! What is left open is chosen from the labels: graph, network, read-out.

use gsfa::graph::{Clustered, Compact, Ell, GraphSpec, Sum, Summand, TrainingGraph};
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::network::{InputShape, LayerSpec, NetworkSpec};
use gsfa::readout::{FittedReadout, GaussianClassifier, LabelledFeatures, LinearRegression, Readout, Recovery};
use ndarray::{Array1, ArrayView2};

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

/// How many features the labels ask for: one per target label, one less than there are classes.
pub fn features(graph: &TrainingGraph, labels: &Labels) -> usize {
    if let Some(targets) = graph.targets() {
        return targets.eigenvalues.values.len().max(1);
    }
    let of_label = |values: &LabelValues| match values {
        LabelValues::Numbers(_) => 1,
        LabelValues::Classes(classes) => classes.count().saturating_sub(1),
    };
    labels.columns().map(|(_, values)| of_label(values)).sum::<usize>().max(1)
}

/// The network of the settings for samples of the given shape.
pub fn network(config: &Config, input: InputShape, samples: usize, wanted: usize) -> Outcome<NetworkSpec> {
    let choice = &config.network;
    let output = choice.features.unwrap_or(wanted);
    let dim = input.dim().unwrap_or(0);
    let mut spec = match choice.kind {
        NetworkKind::Auto => auto(input, samples, output),
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
    Ok(spec)
}

/// A linear node with a little ridge: never far from the best linear model, and fast on tables and images alike.
fn auto(input: InputShape, _samples: usize, output: usize) -> NetworkSpec {
    NetworkSpec { input, layers: vec![LayerSpec { ridge: 1e-3, ..LayerSpec::new(output) }] }
}

/// The read-outs of all labels: the one of the settings, or one that suits each label.
pub fn readouts(
    config: &Config,
    features: ArrayView2<'_, f64>,
    labels: &Labels,
    graph: &TrainingGraph,
) -> Outcome<Vec<(String, FittedReadout)>> {
    let weights = SampleWeights::uniform(labels.len());
    if let Some(readout) = &config.readout {
        let recovery = recovery(graph, labels)?;
        return Ok(readout.fit_all(features, labels, &weights, recovery.as_ref())?);
    }
    labels
        .columns()
        .map(|(name, label)| {
            let readout = match label {
                LabelValues::Numbers(_) => Readout::LinearRegression(LinearRegression::default()),
                LabelValues::Classes(_) => Readout::GaussianClassifier(GaussianClassifier::default()),
            };
            Ok((name.to_string(), readout.fit(&LabelledFeatures::new(features, name, label, &weights)?)?))
        })
        .collect()
}

/// The way back from several target labels; one label needs none, its feature comes first.
fn recovery(graph: &TrainingGraph, labels: &Labels) -> Outcome<Option<Recovery>> {
    let Some(targets) = graph.targets().filter(|_| labels.columns().count() > 1) else { return Ok(None) };
    let labels = &targets.labels;
    let means = Array1::from(labels.means().to_vec());
    Ok(Some(Recovery::new(labels.raw_names().to_vec(), means, labels.transform().to_owned())?))
}
