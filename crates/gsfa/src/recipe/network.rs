//! Which network, by name or in full.

use serde::{Deserialize, Serialize};

use super::Recipe;
use super::graph::goal;
use crate::graph::TrainingGraph;
use crate::labels::Labels;
use crate::moments::Samples;
use crate::network::{Goal, InputShape, LayerSpec, NetworkSpec};

/// Which network: a named one with a few numbers, or layers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetworkChoice {
    /// Which one.
    pub kind: NetworkKind,
    /// Features of the top; as many as the graph asks for if left open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<usize>,
    /// Principal components before the expansion of the quadratic network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pca: Option<usize>,
    /// The ridge of every node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ridge: Option<f64>,
    /// The layers of a network of kind `layers`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerSpec>,
}

/// The named networks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkKind {
    /// [`NetworkSpec::auto`], with the ridge of a cross-validation where that is cheap.
    #[default]
    Auto,
    /// One linear node.
    Linear,
    /// [`NetworkSpec::quadratic`].
    Quadratic,
    /// [`NetworkSpec::cascade`] of three nodes.
    Cascade,
    /// [`NetworkSpec::paper_64`].
    #[serde(rename = "paper-64")]
    Paper64,
    /// The layers of the choice.
    Layers,
}

/// Principal components of the quadratic network, if the samples have as many: the paper's.
const COMPONENTS: usize = 120;

/// Inputs of a node up to which trying several ridges costs little beside training.
const NARROW: usize = 1000;

impl Recipe {
    /// The network for samples of the given shape.
    pub fn network(&self, input: InputShape, graph: &TrainingGraph, labels: &Labels) -> NetworkSpec {
        let (choice, samples, goal) = (&self.network, graph.len(), goal(graph, labels));
        let output = choice.features.unwrap_or(goal.targets);
        let dim = input.dim().unwrap_or(0);
        let mut spec = match choice.kind {
            NetworkKind::Auto => NetworkSpec::auto(input, samples, Goal { targets: output, ..goal }),
            NetworkKind::Linear => NetworkSpec { input, layers: vec![LayerSpec::new(output)] },
            NetworkKind::Quadratic => {
                let components = choice.pca.unwrap_or(COMPONENTS).min(dim).min(samples.saturating_sub(1).max(1));
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

    /// A network that was left to us gets the ridge of a cross-validation, unless the user says which.
    pub(super) fn with_ridge(&self, spec: &NetworkSpec, samples: &dyn Samples, graph: &TrainingGraph) -> NetworkSpec {
        let ours = self.network.kind == NetworkKind::Auto && self.network.ridge.is_none();
        let narrow = spec.plan().is_ok_and(|plan| plan.layers.iter().all(|layer| layer.expanded_dim <= NARROW));
        if !(ours && narrow) {
            return spec.clone();
        }
        // What is wrong with the samples is said by the training that follows.
        spec.clone().with_chosen_ridge(samples, graph).unwrap_or_else(|_| spec.clone())
    }
}
