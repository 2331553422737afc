//! Training layer by layer, and applying what was trained.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ndarray::{Array2, ArrayViewMut2, Axis};
use rayon::prelude::*;

use super::faults::{check_finite, explain};
use super::geometry::LayerGeometry;
use super::node::{Node, ReadyNode};
use super::prepared::{Feed, NodeNumber, Place};
use super::spec::{LayerSpec, NetworkSpec};
use crate::graph::TrainingGraph;
use crate::moments::{Precision, Rows, Samples, check_length};
use crate::{Error, Result};

/// Rows that go through the whole network at a time when it is applied.
const ROWS: usize = 256;

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
        check_length(samples, graph.len())
    }

    fn train<T: NodeNumber>(
        &self,
        samples: &dyn Samples,
        graph: &TrainingGraph,
        progress: &Progress<'_>,
    ) -> Result<Trained> {
        let weighing = weighing(graph)?;
        let geometry = self.geometry()?;
        let mut layers = Vec::new();
        let mut below: Option<Array2<T>> = None;
        for (index, (layer, geometry)) in self.layers.iter().zip(&geometry).enumerate() {
            let report = Report::new(progress, index + 1, geometry.count());
            report.begin(self.layers.len())?;
            let view = below.as_ref().map(|b| b.view());
            let feed = Feed { below: view.as_ref().map_or(samples, T::rows), original: samples };
            let (nodes, outputs) = train_layer::<T>(layer, geometry, feed, graph, &weighing, &report)
                .map_err(|error| explain::<T>(error, samples, Some(index + 1)))?;
            layers.push(nodes);
            below = Some(outputs);
        }
        let features = below.map(|top| top.mapv(|x| x.to_f64())).unwrap_or_default();
        Ok(Trained { network: Network { spec: self.clone(), layers }, features })
    }
}

/// A graph without structure that holds the vertex weights of another.
pub(super) fn weighing(graph: &TrainingGraph) -> Result<TrainingGraph> {
    TrainingGraph::new(graph.vertex_weights().to_vec(), Vec::new(), 1.0 / graph.q())
}

/// Trains all nodes of a layer in parallel and returns their features side by side.
fn train_layer<T: NodeNumber>(
    layer: &LayerSpec,
    geometry: &LayerGeometry,
    feed: Feed<'_>,
    graph: &TrainingGraph,
    weighing: &TrainingGraph,
    report: &Report<'_>,
) -> Result<(Vec<Node>, Array2<T>)> {
    let mut outputs = Array2::from_elem((feed.below.len(), geometry.count() * layer.output_dim), T::default());
    let places: Vec<(usize, ArrayViewMut2<'_, T>)> =
        outputs.axis_chunks_iter_mut(Axis(1), layer.output_dim).enumerate().collect();
    let train = |(k, out): (usize, ArrayViewMut2<'_, T>)| {
        report.check()?;
        let place = Place::new(layer, geometry, k);
        let node = Node::fit::<T>(&place, feed, graph, weighing)?;
        ReadyNode::new(&node, place)?.apply(feed, out)?;
        report.node_done()?;
        Ok(node)
    };
    // One task per node: nodes of a layer take about the same time.
    let nodes: Vec<Result<Node>> = places.into_par_iter().with_max_len(1).map(train).collect();
    let nodes = nodes.into_iter().collect::<Result<Vec<Node>>>()?;
    Ok((nodes, outputs))
}

/// Counts nodes and remembers whether to stop.
struct Report<'a> {
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

    fn node_done(&self) -> Result<()> {
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

    fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Cancelled { layer: self.layer }) } else { Ok(()) }
    }
}

impl Network {
    /// The number of slow features.
    pub fn output_dim(&self) -> usize {
        let top = self.spec.layers.last().map_or(0, |layer| layer.output_dim);
        top * self.layers.last().map_or(0, Vec::len)
    }

    /// How many of the declared outputs of all nodes are always 0, because a field has too few directions or none.
    pub fn missing_outputs(&self) -> usize {
        let layers = self.spec.layers.iter().zip(&self.layers);
        layers.flat_map(|(layer, nodes)| nodes.iter().map(|node| node.missing_outputs(layer.output_dim))).sum()
    }

    /// The slow features of samples, one row each.
    ///
    /// # Errors
    /// [`Error::InputDim`] if the samples have another shape than those in training, [`Error::NonFiniteSample`] if a
    /// value is not finite, or whatever prevents reading.
    pub fn apply(&self, samples: &dyn Samples) -> Result<Array2<f64>> {
        let expected = self.spec.input.dim().unwrap_or(0);
        if samples.dim() != expected {
            return Err(Error::InputDim { expected, got: samples.dim() });
        }
        match samples.precision() {
            Precision::Single => self.apply_as::<f32>(samples),
            Precision::Double => self.apply_as::<f64>(samples),
        }
    }

    fn apply_as<T: NodeNumber>(&self, samples: &dyn Samples) -> Result<Array2<f64>> {
        let ready = self.ready::<T>()?;
        let mut features = Array2::zeros((samples.len(), self.output_dim()));
        let blocks: Vec<_> = features.axis_chunks_iter_mut(Axis(0), ROWS).enumerate().collect();
        blocks
            .into_par_iter()
            .try_for_each(|(k, mut out)| {
                let rows = k * ROWS..k * ROWS + out.nrows();
                let mut original = Array2::from_elem((rows.len(), samples.dim()), T::default());
                T::read(samples, Rows::Range(rows.clone()), original.view_mut())?;
                check_finite(original.view(), rows.start)?;
                let top = through(&ready, original)?;
                out.zip_mut_with(&top, |o, x| *o = x.to_f64());
                Ok(())
            })
            .map_err(|error| explain::<T>(error, samples, None))?;
        Ok(features)
    }

    fn ready<T: NodeNumber>(&self) -> Result<Vec<ReadyLayer<'_, T>>> {
        let layers = self.spec.layers.iter().zip(self.spec.geometry()?).zip(&self.layers);
        let ready = layers.map(|((layer, geometry), nodes)| {
            let ready = |(k, node)| ReadyNode::new(node, Place::new(layer, &geometry, k));
            let nodes = nodes.iter().enumerate().map(ready).collect::<Result<Vec<_>>>()?;
            Ok(ReadyLayer { nodes, output_dim: layer.output_dim })
        });
        ready.collect()
    }
}

struct ReadyLayer<'a, T> {
    nodes: Vec<ReadyNode<'a, T>>,
    output_dim: usize,
}

/// A block of rows through all layers.
fn through<T: NodeNumber>(layers: &[ReadyLayer<'_, T>], original: Array2<T>) -> Result<Array2<T>> {
    let input = original.view();
    let mut below: Option<Array2<T>> = None;
    for layer in layers {
        let rows = original.nrows();
        let mut outputs = Array2::from_elem((rows, layer.nodes.len() * layer.output_dim), T::default());
        let view = below.as_ref().map(|b| b.view());
        let feed = Feed { below: T::rows(view.as_ref().unwrap_or(&input)), original: T::rows(&input) };
        for (node, out) in layer.nodes.iter().zip(outputs.axis_chunks_iter_mut(Axis(1), layer.output_dim)) {
            node.apply_rows(feed, Rows::Range(0..rows), out)?;
        }
        below = Some(outputs);
    }
    Ok(below.unwrap_or(original))
}
