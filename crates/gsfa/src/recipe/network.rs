//! Which network, by name or in full.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::graph::goal;
use super::{Recipe, SpectrumChoice};
use crate::Solver;
use crate::graph::TrainingGraph;
use crate::labels::Labels;
use crate::network::{Goal, InputShape, LayerSpec, NetworkSpec};

/// Which network: a named one with a few numbers, or layers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Whether columns are scaled to unit variance first. Left open, `auto` does so for tables of up to 4,096 columns; others do
    /// not, and layers that are written out say it themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standardize: Option<bool>,
    /// The ridge of every node. Left open, it is chosen by left-out samples for `auto`, `linear` and `quadratic`; the others
    /// have their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ridge: Option<f64>,
    /// From what every node solves its features, if not from what its layer says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<Solver>,
    /// Columns are spectra. What is done to these first, and what is left open chosen by left-out samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spectrum: Option<SpectrumChoice>,
    /// The layers of a network of kind `layers`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerSpec>,
}

/// The named networks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkKind {
    /// The one that errs least on left-out samples, or [`NetworkSpec::auto`].
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
    /// [`NetworkSpec::higsfa`].
    Higsfa,
    /// [`NetworkSpec::shared`].
    Shared,
    /// The layers of the choice.
    Layers,
}

/// Principal components of the quadratic network, if the samples have as many: the paper's.
const COMPONENTS: usize = 120;

impl Recipe {
    /// The network for samples of the given shape.
    pub fn network(&self, input: InputShape, graph: &TrainingGraph, labels: &Labels) -> NetworkSpec {
        // Samples without labels pay for nothing that is learned from labels.
        let samples = graph.len() - graph.unlabelled().len();
        let (choice, goal) = (&self.network, goal(graph, labels));
        let output = choice.features.unwrap_or(goal.targets);
        let dim = input.dim().unwrap_or(0);
        let spec = match choice.kind {
            NetworkKind::Auto => NetworkSpec::auto(input, samples, Goal { targets: output, ..goal }),
            NetworkKind::Linear => NetworkSpec::new(input, vec![LayerSpec::new(output)]),
            NetworkKind::Quadratic => {
                let components = choice.pca.unwrap_or(COMPONENTS).min(dim).min(samples.saturating_sub(1).max(1));
                NetworkSpec::quadratic(input, components, output)
            }
            NetworkKind::Cascade => NetworkSpec::cascade(input, 3, output),
            NetworkKind::Paper64 => NetworkSpec { input, ..NetworkSpec::paper_64() },
            NetworkKind::Higsfa => NetworkSpec::higsfa(input, samples, output),
            NetworkKind::Shared => NetworkSpec::shared(input, samples, output),
            NetworkKind::Layers => NetworkSpec::new(input, choice.layers.clone()),
        };
        self.adjusted(spec)
    }

    /// A network with what the user says of it.
    pub(super) fn adjusted(&self, mut spec: NetworkSpec) -> NetworkSpec {
        let choice = &self.network;
        if let (None, Some(spectrum)) = (spec.spectrum, choice.spectrum) {
            spec.spectrum = Some(spectrum.usual(spec.input.channels));
        }
        if let (Some(features), Some(top)) = (choice.features, spec.layers.last_mut()) {
            top.output_dim = features;
        }
        // A named network has no more features than its top has terms, and nothing is reserved for others.
        let most = spec.plan().ok().and_then(|plan| plan.layers.last().map(|top| top.expanded_dim));
        if let (Some(most), Some(top), false) = (most, spec.layers.last_mut(), choice.kind == NetworkKind::Layers) {
            top.output_dim = top.output_dim.min(most);
        }
        if let (Some(standardize), Some(first)) = (choice.standardize, spec.layers.first_mut()) {
            first.standardize = standardize;
        }
        if let Some(ridge) = choice.ridge {
            spec.layers.iter_mut().for_each(|layer| layer.ridge = ridge);
        }
        if let Some(solver) = choice.solver {
            spec.layers.iter_mut().for_each(|layer| layer.solver = solver);
        }
        spec
    }

    /// Whether the ridge is to be chosen: that of networks that are named, not written out, unless the user says which.
    pub(super) fn ridge_is_open(&self) -> bool {
        let named = matches!(self.network.kind, NetworkKind::Auto | NetworkKind::Linear | NetworkKind::Quadratic);
        named && self.network.ridge.is_none()
    }
}
