//! A network of one node up to its slow features: what candidates that differ in no more than these can share.

use super::faults::explain;
use super::node::Node;
use super::node_sums::add_expanded;
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use super::spec::{LayerSpec, NetworkSpec};
use super::train::{Network, weighing};
use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::moments::{CenteredMoments, Moments};
use crate::samples::{Precision, Samples};
use crate::{Result, memory};

/// What a node learned before GSFA, and the sums from which its slow features follow.
pub(crate) struct Summed {
    node: Node,
    moments: CenteredMoments,
    precision: Precision,
}

impl NetworkSpec {
    /// The network as far as it decides about sums, if it is one node: features, their number, and the ridge follow from them.
    pub(crate) fn of_same_sums(&self) -> Option<Self> {
        let [layer] = self.layers.as_slice() else { return None };
        let one = self.plan().is_ok_and(|plan| plan.layers.iter().all(|layer| layer.count() == 1));
        let layer = LayerSpec { ridge: 0.0, output_dim: 1, ..layer.clone() };
        (one && layer.keep.is_none()).then(|| Self { layers: vec![layer], ..self.clone() })
    }

    /// The sums of a network of one node.
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub(crate) fn sums_of_one_node(&self, samples: &dyn Samples, graph: &TrainingGraph) -> Result<Summed> {
        self.check_samples(samples, graph)?;
        let threads = rayon::current_num_threads();
        memory::require(self.plan()?.training_bytes(samples.len(), samples.precision(), threads))?;
        match samples.precision() {
            Precision::Single => self.sum::<f32>(samples, graph),
            Precision::Double => self.sum::<f64>(samples, graph),
        }
    }

    fn sum<T: NodeNumber>(&self, samples: &dyn Samples, graph: &TrainingGraph) -> Result<Summed> {
        let (inputs, geometry) = (self.inputs(samples), self.geometry()?);
        let summed = || {
            let place = Place::new(&self.layers[0], &geometry[0], 0);
            let feed = Feed { below: &*inputs, original: &*inputs, buffers: &Buffers::default() };
            let node = Node::prepare::<T>(&place, feed, &weighing(graph)?)?;
            let preparation = Preparation::<T>::of(&node, &place)?;
            let expanded = Prepared { place: &place, feed, preparation: &preparation };
            let mut sums = Moments::for_solver(graph, expanded.width(), place.layer.solver);
            add_expanded(&mut sums, 0, &expanded)?;
            let moments = sums.finish()?;
            Ok(Summed { node, moments, precision: samples.precision() })
        };
        summed().map_err(|error| explain::<T>(error, samples, 0, Some(1)))
    }
}

impl Summed {
    /// The bytes of its sums.
    pub fn bytes(&self) -> usize {
        let inputs = self.moments.input_dim();
        inputs * inputs * size_of::<f64>()
    }

    /// Whether they are sums by class: kept rows of few samples are not.
    pub fn serve_others(&self) -> bool {
        self.moments.are_sums_of_classes()
    }

    /// The network of the graph that was summed.
    pub fn solved_as_summed(&self, spec: &NetworkSpec) -> Result<Network> {
        self.solved_from(spec, &self.moments)
    }

    /// The network of a specification with the same sums, for a graph over the same classes; nothing if the graph needs others.
    pub fn solved(&self, spec: &NetworkSpec, graph: &TrainingGraph) -> Option<Result<Network>> {
        Some(self.solved_from(spec, &self.moments.on_classes_of(graph)?))
    }

    fn solved_from(&self, spec: &NetworkSpec, moments: &CenteredMoments) -> Result<Network> {
        match self.precision {
            Precision::Single => self.solve::<f32>(spec, moments),
            Precision::Double => self.solve::<f64>(spec, moments),
        }
    }

    fn solve<T: NodeNumber>(&self, spec: &NetworkSpec, moments: &CenteredMoments) -> Result<Network> {
        let geometry = spec.geometry()?;
        let place = Place::new(&spec.layers[0], &geometry[0], 0);
        let node = self.node.clone().with_slow_features::<T>(&place, moments, true);
        let node = node.map_err(|error| place.in_columns_below(error))?;
        Ok(Network { spec: spec.clone(), layers: vec![vec![node]] })
    }
}
