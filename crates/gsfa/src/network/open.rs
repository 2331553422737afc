//! Networks of as many features as are slow, and networks of one node whose features are known.

use ndarray::s;

use super::node::Node;
use super::spec::{InputShape, LayerSpec, NetworkSpec};
use super::train::{Network, Trained};
use crate::graph::TrainingGraph;
use crate::{Gsfa, Note, Result, SlowFeatures, Surplus};

/// Below 2 by more than round-off: slower than noise.
const SLOW: f64 = 2.0 - 1e-9;

impl NetworkSpec {
    /// The same network with as many features on top as could be slow on a graph; [`Trained::keep_slow`] leaves those that
    /// are.
    ///
    /// # Errors
    /// If the specification is impossible.
    pub fn with_open_top(mut self, graph: &TrainingGraph) -> Result<Self> {
        let widest = self.plan()?.layers.last().map_or(1, |layer| layer.expanded_dim);
        let most = graph.targets().map_or(graph.len() - 1, |targets| targets.eigenvalues.values.len());
        if let Some(top) = self.layers.last_mut() {
            top.output_dim = widest.min(most).max(1);
            top.surplus = Surplus::Truncate;
            top.keep = None;
        }
        Ok(self)
    }
}

impl Trained {
    /// Leaves the features on top that are slower than noise, or the first if none is.
    #[must_use]
    pub fn keep_slow(mut self) -> Self {
        let Some(slow) = self.network.layers.last_mut().and_then(|nodes| nodes.first_mut()?.slow.as_mut()) else {
            return self;
        };
        let count = slow.delta_values.iter().take_while(|delta| **delta < SLOW).count().max(1);
        slow.weights = slow.weights.slice(s![.., ..count]).to_owned();
        slow.delta_values.truncate(count);
        slow.correlations.truncate(count);
        slow.informative = slow.informative.min(count);
        slow.notes.retain(|note| !matches!(note, Note::FewerFeatures { .. }));
        if let Some(top) = self.network.spec.layers.last_mut() {
            top.output_dim = count;
        }
        self.features = self.features.slice(s![.., ..count]).to_owned();
        self
    }
}

impl Network {
    /// One linear node with these features, which `gsfa` has found.
    pub fn of_slow_features(slow: SlowFeatures, gsfa: &Gsfa) -> Self {
        let (ridge, surplus, solver) = (gsfa.ridge, gsfa.surplus, gsfa.solver);
        let layer = LayerSpec { ridge, surplus, solver, ..LayerSpec::new(slow.output_dim()) };
        let spec = NetworkSpec::new(InputShape::vector(slow.input_dim()), vec![layer]);
        Self { spec, layers: vec![vec![Node { slow: Some(slow), ..Node::empty() }]] }
    }
}
