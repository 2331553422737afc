//! What a network is made of, before it is trained.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gate::Gate;
use crate::expansion::{Clip, Expansion};
use crate::graph::TrainingGraph;
pub use crate::samples::InputShape;
use crate::samples::Samples;
use crate::spectrum::{Spectra, Spectrum};
use crate::{Keep, Note, Solver, Surplus};

/// A hierarchical network: layers of independent nodes over receptive fields, each node PCA → expansion → GSFA. A network
/// whose layers have one node each is cascaded GSFA; one layer of one node is plain GSFA.
///
/// ```
/// use gsfa::network::NetworkSpec;
/// let spec: NetworkSpec = toml::from_str(
///     "input = { height = 16, width = 16 }
///      [[layers]]
///      field = [8, 8]
///      pca = { components = 20 }
///      expansion = { kind = 'expo' }
///      output_dim = 10
///      [[layers]]
///      expansion = { kind = 'polynomial', degree = 2 }
///      output_dim = 3",
/// )?;
/// let plan = spec.plan()?;
/// assert_eq!((plan.layers[0].nodes, plan.layers[1].expanded_dim), ([2, 2], 860));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NetworkSpec {
    /// The shape of a sample.
    pub input: InputShape,
    /// What is done to samples that are spectra before the first layer sees them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectrum: Option<Spectrum>,
    /// From the input to the top.
    pub layers: Vec<LayerSpec>,
}

impl NetworkSpec {
    /// Layers over samples of a shape, which are taken as they are.
    pub fn new(input: InputShape, layers: Vec<LayerSpec>) -> Self {
        Self { input, spectrum: None, layers }
    }

    /// The first layers alone, all of them if there are no more.
    #[must_use]
    pub fn first_layers(&self, count: usize) -> Self {
        Self { layers: self.layers.iter().take(count).cloned().collect(), ..*self }
    }

    /// Samples as the first layer sees them.
    pub(super) fn inputs<'a>(&self, samples: &'a dyn Samples) -> Box<dyn Samples + 'a> {
        match self.spectrum.and_then(|spectrum| spectrum.ready()) {
            Some(ready) => Box::new(Spectra::new(samples, Arc::new(ready))),
            None => Box::new(samples),
        }
    }

    /// A remark if nodes below the top have fewer outputs than the graph has target labels: they choose among the labels
    /// before the top does. The paper found 50 labels worse than 40 where inner nodes have 40 outputs.
    ///
    /// A layer that sees the inputs once more does not depend on the one below.
    pub fn narrow_note(&self, graph: &TrainingGraph) -> Option<Note> {
        let targets = graph.targets()?.eigenvalues.values.iter().filter(|&&value| value != 0.0).count();
        let pairs = (1..).zip(self.layers.windows(2)).filter(|(_, pair)| pair[1].skip.is_none());
        let (layer, outputs) = pairs.map(|(layer, pair)| (layer, pair[0].output_dim)).min_by_key(|pair| pair.1)?;
        (outputs < targets).then_some(Note::NarrowLayer { targets, layer, outputs })
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A layer: the same kind of node over every receptive field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LayerSpec {
    /// Height and width of a node's field, in nodes of the layer below (pixels for the first); all of it if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<[usize; 2]>,
    /// Distance between fields; the field itself if left out. Smaller ones overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stride: Option<[usize; 2]>,
    /// One node for all fields: it learns from all of them, each a sample with the labels of its image.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared: bool,
    /// Scale every input to unit variance first: for tables whose columns have different units. For the pixels of an
    /// image one common scale, which is none, is better.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub standardize: bool,
    /// PCA before the expansion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pca: Option<PcaSpec>,
    /// Clipping before the expansion, so that outliers of new data cannot explode through powers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clip: Option<Clip>,
    /// The expansion.
    #[serde(default)]
    pub expansion: Expansion,
    /// The original inputs of the node's field once more beside the expanded features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip: Option<Skip>,
    /// The number of outputs per node.
    pub output_dim: usize,
    /// Ridge of the node's GSFA, a share of the mean variance of its expanded inputs.
    #[serde(default)]
    pub ridge: f64,
    /// What outputs beyond the slow features are.
    #[serde(default)]
    pub surplus: Surplus,
    /// Keep information: outputs beyond a slow part are what it leaves of the node's inputs, at their natural size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// From what features are solved.
    #[serde(default, skip_serializing_if = "is_default")]
    #[schemars(extend("default" = Solver::default()))]
    pub solver: Solver,
}

impl LayerSpec {
    /// A linear layer of one node over everything, with `output_dim` features.
    pub fn new(output_dim: usize) -> Self {
        Self {
            field: None,
            stride: None,
            shared: false,
            standardize: false,
            pca: None,
            clip: None,
            expansion: Expansion::Identity,
            skip: None,
            output_dim,
            ridge: 0.0,
            surplus: Surplus::Residual,
            keep: None,
            solver: Solver::Covariance,
        }
    }
}

/// How many principal components a node keeps: exactly one of the two is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PcaSpec {
    /// This many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<usize>,
    /// As many as hold this share of the variance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variance: Option<f64>,
    /// Scale components to unit variance.
    pub whiten: bool,
}

impl PcaSpec {
    /// `count` components, not whitened.
    pub fn components(count: usize) -> Self {
        Self { components: Some(count), ..Self::default() }
    }
}

/// The original inputs as further inputs of a node, divided by the root of their mean variance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skip {
    /// Factor of the expanded features beside them: with ridge, small factors make a node trust its inputs more.
    pub feature_scale: f64,
    /// Products of the features below with principal components of these inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
}
