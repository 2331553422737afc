//! Training layer by layer.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ndarray::Array2;

use super::faults::explain;
use super::node::Node;
use super::prepared::{Feed, NodeNumber};
use super::spec::NetworkSpec;
use super::stacked::Stacked;
use super::trainer::{Graphs, Trainer};
use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::samples::{Precision, Samples, check_length};
use crate::{Error, Result, memory};

/// A trained network.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// What it is made of.
    pub spec: NetworkSpec,
    /// The nodes of each layer, row by row.
    pub layers: Vec<Vec<Node>>,
}

/// A trained network and the features of its training samples, which a read-out is fitted to.
#[derive(Debug, Clone)]
pub struct Trained {
    /// The network.
    pub network: Network,
    /// The slow features of the training samples, one row each.
    pub features: Array2<f64>,
}

/// What training reports as it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgressEvent {
    /// A layer begins.
    Layer {
        /// Which one, counted from 1.
        layer: usize,
        /// Of how many.
        layers: usize,
        /// How many nodes it has.
        nodes: usize,
    },
    /// A candidate for what was left open is tried.
    Trying {
        /// Which one, counted from 1.
        candidate: usize,
        /// How much of the predicted work of choosing is done, of 10,000.
        done: u32,
    },
    /// A training without a part of the samples, which it is judged by, goes on.
    LeavingOut {
        /// Which part, counted from 1.
        part: usize,
        /// Of how many.
        parts: usize,
    },
    /// A node is trained and applied.
    Node {
        /// In which layer, counted from 1.
        layer: usize,
        /// How many nodes of the layer are done.
        done: usize,
        /// Of how many.
        nodes: usize,
    },
}

/// Called after every step, by one thread at a time; `Break` stops training between nodes.
///
/// Events come in order: a layer begins, 1, 2, … of its nodes are done, the next layer begins. The callback must not
/// wait for other threads of the pool, which may wait for it.
pub type Progress<'a> = dyn Fn(ProgressEvent) -> ControlFlow<()> + Sync + 'a;

impl NetworkSpec {
    /// Trains the network: all nodes with the same graph, whose vertices are the samples.
    ///
    /// # Errors
    /// If the specification does not fit the samples, or a node cannot be trained. Nodes without variance are no error.
    pub fn fit(&self, samples: &dyn Samples, graph: &TrainingGraph) -> Result<Trained> {
        self.fit_with(samples, graph, &|_| ControlFlow::Continue(()))
    }

    /// As [`fit`](Self::fit), with reports.
    ///
    /// # Errors
    /// As `fit`, and [`Error::Cancelled`] if `progress` says `Break`.
    pub fn fit_with(&self, samples: &dyn Samples, graph: &TrainingGraph, progress: &Progress<'_>) -> Result<Trained> {
        self.check_samples(samples, graph)?;
        let (count, threads) = (samples.len(), rayon::current_num_threads());
        memory::require(self.plan()?.training_bytes(count, samples.precision(), threads))?;
        match samples.precision() {
            Precision::Single => self.train::<f32>(samples, graph, progress),
            Precision::Double => self.train::<f64>(samples, graph, progress),
        }
    }

    /// Samples must have the shape of the input, and be the vertices of the graph.
    pub(super) fn check_samples(&self, samples: &dyn Samples, graph: &TrainingGraph) -> Result<()> {
        let plan = self.plan()?;
        if samples.dim() != plan.input_dim {
            return Err(Error::InputDim { expected: plan.input_dim, got: samples.dim() });
        }
        check_length(samples, graph.samples())
    }

    fn train<T: NodeNumber>(
        &self,
        samples: &dyn Samples,
        graph: &TrainingGraph,
        progress: &Progress<'_>,
    ) -> Result<Trained> {
        let mut trainer = Trainer::new(self.clone(), samples.precision())?;
        let graphs = Graphs { labeled: graph, everyone: &weighing(graph)? };
        let inputs = self.inputs(samples);
        let mut below: Option<Array2<T>> = None;
        for (layer, geometry) in (1..).zip(self.geometry()?) {
            let report = Report::new(progress, layer, geometry.count());
            report.begin(self.layers.len())?;
            let stacked = below.as_ref().map(|b| Stacked::new(b.view(), samples.len()));
            let below_samples = stacked.as_ref().map_or(&*inputs, T::stacked);
            // Nodes of a layer are alike, those of the next one are not: each layer has buffers of its own.
            let feed = Feed { below: below_samples, original: &*inputs, buffers: &Buffers::default() };
            let outputs = trainer.train_layer::<T>(feed, &graphs, &report);
            below = Some(outputs.map_err(|error| explain::<T>(error, samples, 0, Some(layer)))?);
        }
        let features = below.map(|top| match top.nrows() == samples.len() {
            // One node: its features are all there is, and stay where they are.
            true => top.mapv_into_any(|x| x.to_f64()),
            false => Stacked::new(top.view(), samples.len()).joined(),
        });
        let network = trainer.network().ok_or(Error::parameter("layers", 0, "a network has at least one"))?;
        Ok(Trained { network, features: features.unwrap_or_default() })
    }
}

/// A graph without structure over all samples of another, those without labels included: for what is learned without
/// labels.
pub(crate) fn weighing(graph: &TrainingGraph) -> Result<TrainingGraph> {
    of_weights(graph.sample_weights().to_vec())
}

/// A graph without structure.
pub(super) fn of_weights(weights: Vec<f64>) -> Result<TrainingGraph> {
    let q: f64 = weights.iter().sum();
    TrainingGraph::new(weights, Vec::new(), 1.0 / q)
}

/// Counts nodes and remembers whether to stop.
pub(super) struct Report<'a> {
    progress: &'a Progress<'a>,
    layer: usize,
    nodes: usize,
    done: Mutex<usize>,
    stop: AtomicBool,
}

impl<'a> Report<'a> {
    fn new(progress: &'a Progress<'a>, layer: usize, nodes: usize) -> Self {
        Self { progress, layer, nodes, done: Mutex::new(0), stop: AtomicBool::new(false) }
    }

    fn begin(&self, layers: usize) -> Result<()> {
        self.tell(ProgressEvent::Layer { layer: self.layer, layers, nodes: self.nodes })
    }

    pub fn node_done(&self) -> Result<()> {
        // Held while the event is told, so that events come in order.
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        *done += 1;
        self.tell(ProgressEvent::Node { layer: self.layer, done: *done, nodes: self.nodes })
    }

    fn tell(&self, event: ProgressEvent) -> Result<()> {
        // Nodes that were under way when the caller said stop end unreported.
        self.check()?;
        if (self.progress)(event).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.check()
    }

    pub fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Cancelled { layer: self.layer }) } else { Ok(()) }
    }
}
