//! Training in passes over pieces of the samples, which may lie in several files or on several machines.
//!
//! Each layer takes one or two passes: sums of its inputs, from which PCA, scales, clipping and skipped inputs follow, and
//! sums of its expanded inputs, from which slow features follow. Sums over pieces travel as bytes and are merged; the
//! outputs of a layer are the inputs of the next. A fit is the same with one piece that is all samples: there each node
//! takes both passes while its inputs are in memory.

use std::sync::OnceLock;

use ndarray::{Array2, ArrayViewMut2, Axis};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::faults::explain;
use super::fields::{fold_nodes, for_each_node};
use super::geometry::LayerGeometry;
use super::node::Node;
use super::node_sums::{NodeSums, SharedSums, prepares};
use super::pass_sums::{OTHER_TRAINING, PassSums, SumsOf, TrainingPrint};
use super::prepared::{Feed, NodeNumber, Place};
use super::ready::ReadyNetwork;
use super::spec::{LayerSpec, NetworkSpec};
use super::stacked::Stacked;
use super::train::{Network, Report, weighing};
use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::samples::{Precision, Samples};
use crate::{Error, Result};

/// Some consecutive samples.
#[derive(Clone, Copy)]
pub struct Piece<'a> {
    /// The number of the first one among all samples.
    pub first_row: usize,
    /// What the layer under training sees of them: outputs of the layer below, or the samples themselves.
    pub below: &'a dyn Samples,
    /// The samples themselves, for layers that look at them again.
    pub original: &'a dyn Samples,
}

/// A network under training, layer by layer.
#[derive(Debug, Clone)]
pub struct Trainer {
    spec: NetworkSpec,
    precision: Precision,
    layers: Vec<Vec<Node>>,
    /// Nodes of the current layer that know all that comes before GSFA.
    prepared: Option<Vec<Node>>,
    /// See [`print`](Self::print).
    print: OnceLock<TrainingPrint>,
}

/// The graph of a training, and one without structure over all samples for what is learned without labels.
pub(super) struct Graphs<'a> {
    pub labeled: &'a TrainingGraph,
    pub everyone: &'a TrainingGraph,
}

impl Trainer {
    /// Nothing is trained; samples are read in the given precision.
    ///
    /// # Errors
    /// If the specification is impossible.
    pub fn new(spec: NetworkSpec, precision: Precision) -> Result<Self> {
        Self::resume(spec, precision, Vec::new(), None)
    }

    /// As far as training has come somewhere else: finished layers, and prepared nodes of the next.
    ///
    /// # Errors
    /// If the specification is impossible.
    pub fn resume(
        spec: NetworkSpec,
        precision: Precision,
        layers: Vec<Vec<Node>>,
        prepared: Option<Vec<Node>>,
    ) -> Result<Self> {
        spec.plan()?;
        let mut trainer = Self { spec, precision, layers, prepared, print: OnceLock::new() };
        trainer.skip_idle_pass();
        Ok(trainer)
    }

    /// What the network is made of.
    pub fn spec(&self) -> &NetworkSpec {
        &self.spec
    }

    /// The precision that samples are read in.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// Finished layers.
    pub fn layers(&self) -> &[Vec<Node>] {
        &self.layers
    }

    /// Nodes of the current layer that wait for their slow features.
    pub fn prepared(&self) -> Option<&[Node]> {
        self.prepared.as_deref()
    }

    /// Whether all layers are trained.
    pub fn is_complete(&self) -> bool {
        self.layers.len() == self.spec.layers.len()
    }

    /// The number of the current pass, counted from 1, and of all passes. Complete trainings are beyond the last one.
    pub fn pass(&self) -> (usize, usize) {
        let passes = |layer: &LayerSpec| 1 + usize::from(prepares(layer));
        let finished: usize = self.spec.layers[..self.layers.len()].iter().map(passes).sum();
        let current = self.spec.layers.get(self.layers.len());
        let half_way = usize::from(self.prepared.is_some() && current.is_some_and(prepares));
        (finished + half_way + 1, self.spec.layers.iter().map(passes).sum())
    }

    /// The same training with another ridge in its last layer, which is not trained yet.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it is, or the ridge is not finite or negative.
    pub fn with_ridge(mut self, ridge: f64) -> Result<Self> {
        let complete = self.is_complete();
        match self.spec.layers.last_mut() {
            Some(top) if !complete => top.ridge = ridge,
            _ => return Err(Error::parameter("ridge", ridge, "all layers are trained")),
        }
        self.spec.plan()?;
        Ok(self)
    }

    /// Sums of the current pass over no samples of a graph yet.
    ///
    /// # Errors
    /// If all layers are trained.
    pub fn begin(&self, graph: &TrainingGraph) -> Result<PassSums> {
        let of = match self.precision {
            Precision::Single => SumsOf::Single(self.empty_sums(graph)?),
            Precision::Double => SumsOf::Double(self.empty_sums(graph)?),
        };
        Ok(PassSums { of, training: *self.print()? })
    }

    /// What tells this training from others, as far as the sums of its current pass depend on it: the network up to the
    /// current layer, whose ridge sums do not depend on, and what its nodes have learned.
    fn print(&self) -> Result<&TrainingPrint> {
        if let Some(print) = self.print.get() {
            return Ok(print);
        }
        let mut spec = self.spec.first_layers(self.layers.len() + 1);
        if let Some(current) = spec.layers.get_mut(self.layers.len()) {
            current.ridge = 0.0;
        }
        let mut told = Self { spec, ..self.clone() };
        // Remarks do not travel with a training.
        told.layers.iter_mut().flatten().filter_map(|node| node.slow.as_mut()).for_each(|slow| slow.notes.clear());
        let print = Sha256::digest(told.to_bytes()?).into();
        Ok(self.print.get_or_init(|| print))
    }

    fn check_own(&self, sums: &PassSums) -> Result<()> {
        match sums.training == *self.print()? {
            true => Ok(()),
            false => Err(Error::DifferentMoments { what: OTHER_TRAINING }),
        }
    }

    fn empty_sums<T: NodeNumber>(&self, graph: &TrainingGraph) -> Result<Vec<NodeSums<T>>> {
        let ((layer, geometry), everyone) = (self.current()?, weighing(graph)?);
        let empty = |k| NodeSums::new(&Place::new(layer, &geometry, k), self.prepared_node(k), graph, &everyone);
        (0..geometry.count()).map(empty).collect()
    }

    /// Adds a piece to the sums of the current pass.
    ///
    /// # Errors
    /// If the piece does not fit, a value is not finite or overflows when squared, or the graph connects single samples
    /// and the piece is not all of them.
    pub fn add(&self, sums: &mut PassSums, piece: Piece<'_>) -> Result<()> {
        self.check_own(sums)?;
        match &mut sums.of {
            SumsOf::Single(sums) => self.add_in(sums, piece),
            SumsOf::Double(sums) => self.add_in(sums, piece),
        }
    }

    fn add_in<T: NodeNumber>(&self, sums: &mut [NodeSums<T>], piece: Piece<'_>) -> Result<()> {
        let (layer, geometry) = self.current()?;
        let (below, original) = self.inputs(piece, self.layers.len());
        let feed = Feed { below: &*below, original: &*original, buffers: &Buffers::default() };
        let add = |place: &Place<'_>, feed: Feed<'_, T>, (k, sums): (usize, &mut NodeSums<T>)| {
            sums.add(place, self.prepared_node(k), piece.first_row, feed)
        };
        for_each_node((layer, &geometry), feed, sums.iter_mut().enumerate().collect(), add)
            .map(|_: Vec<()>| ())
            .map_err(|error| explain::<T>(error, piece.original, piece.first_row, Some(self.layers.len() + 1)))
    }

    /// Takes the current layer through all its passes over one piece that is all samples, node by node, and returns the
    /// features of its nodes, [stacked](Stacked).
    pub(super) fn train_layer<T: NodeNumber>(
        &mut self,
        feed: Feed<'_, T>,
        graphs: &Graphs<'_>,
        report: &Report<'_>,
    ) -> Result<Array2<T>> {
        let (layer, geometry) = self.current()?;
        let (samples, first_layer) = (feed.below.len(), self.layers.is_empty());
        let mut outputs = Array2::from_elem((geometry.count() * samples, layer.output_dim), T::default());
        let shared = if layer.shared { Some(self.shared_node(feed, graphs, report)?) } else { None };
        let train = |place: &Place<'_>, feed: Feed<'_, T>, out: ArrayViewMut2<'_, T>| {
            report.check()?;
            let node = match &shared {
                None => Node::train::<T>(place, feed, graphs, first_layer, out)?,
                Some(node) => node.apply(place, feed, out).map(|()| node.clone())?,
            };
            report.node_done()?;
            Ok(node)
        };
        let out = outputs.axis_chunks_iter_mut(Axis(0), samples).collect();
        let nodes = for_each_node((layer, &geometry), feed, out, train)?;
        self.finish_layer(nodes);
        Ok(outputs)
    }

    /// The node that all fields of the current layer share, after its passes over one piece that is all samples.
    fn shared_node<T: NodeNumber>(&self, feed: Feed<'_, T>, graphs: &Graphs<'_>, report: &Report<'_>) -> Result<Node> {
        let (layer, geometry) = self.current()?;
        let mut node = self.prepared_node(0).cloned();
        loop {
            let sum = |place: &Place<'_>, feed: Feed<'_, T>, ()| {
                report.check()?;
                let mut sums = NodeSums::new(place, node.as_ref(), graphs.labeled, graphs.everyone)?;
                sums.add(place, node.as_ref(), 0, feed)?;
                Ok(sums)
            };
            let mut shared = SharedSums::default();
            fold_nodes((layer, &geometry), feed, vec![(); geometry.count()], sum, |sums| shared.add(sums))?;
            let learned = self.learned_by_all::<T>(shared, node.as_ref())?;
            if node.replace(learned).is_some() {
                return node.ok_or_else(|| Error::parameter("pass", 0, "no pass was made"));
            }
        }
    }

    /// What the node of all fields learns from their sums.
    fn learned_by_all<T: NodeNumber>(&self, shared: SharedSums, prepared: Option<&Node>) -> Result<Node> {
        let (layer, geometry) = self.current()?;
        let place = Place::new(layer, &geometry, 0);
        let learned = shared.learn::<T>(&place, prepared, self.layers.is_empty());
        learned.map_err(|error| place.in_columns_below(error))
    }

    /// What the finished layers make of samples: what the current layer sees of them. Nothing if that is the samples
    /// themselves.
    ///
    /// # Errors
    /// As [`Network::apply`].
    pub fn below(&self, samples: &dyn Samples) -> Result<Option<Array2<f64>>> {
        match self.layers.is_empty() {
            true => Ok(None),
            false => ReadyNetwork::new(&self.spec, &self.layers, self.precision)?.apply(samples).map(Some),
        }
    }

    /// Learns from the sums of the current pass over all samples.
    ///
    /// # Errors
    /// If samples are missing, these are sums of another training or pass, or a node cannot be trained.
    pub fn advance(&mut self, sums: PassSums) -> Result<()> {
        self.check_own(&sums)?;
        let nodes = match sums.of {
            SumsOf::Single(sums) => self.learned(sums)?,
            SumsOf::Double(sums) => self.learned(sums)?,
        };
        match self.prepared {
            None => {
                self.prepared = Some(nodes);
                self.print = OnceLock::new();
            }
            Some(_) => self.finish_layer(nodes),
        }
        Ok(())
    }

    /// What the last finished layer makes of a piece, one row for each sample.
    ///
    /// # Errors
    /// If the piece does not fit, or no layer is finished.
    pub fn outputs(&self, piece: Piece<'_>) -> Result<Array2<f64>> {
        match self.precision {
            Precision::Single => self.outputs_in::<f32>(piece),
            Precision::Double => self.outputs_in::<f64>(piece),
        }
    }

    /// The trained network; `None` before the last pass.
    pub fn network(self) -> Option<Network> {
        self.is_complete().then_some(Network { spec: self.spec, layers: self.layers })
    }

    /// What a layer, counted from 0, sees of a piece: outputs of the layer below, or prepared samples, and these once more.
    fn inputs<'a>(&self, piece: Piece<'a>, layer: usize) -> (Box<dyn Samples + 'a>, Box<dyn Samples + 'a>) {
        let below = if layer == 0 { self.spec.inputs(piece.below) } else { Box::new(piece.below) };
        (below, self.spec.inputs(piece.original))
    }

    fn current(&self) -> Result<(&LayerSpec, LayerGeometry)> {
        let at = self.layers.len();
        let geometry = self.spec.geometry()?.into_iter().nth(at);
        match self.spec.layers.get(at).zip(geometry) {
            Some(current) => Ok(current),
            None => Err(Error::parameter("pass", at + 1, "all layers are trained")),
        }
    }

    fn finish_layer(&mut self, nodes: Vec<Node>) {
        self.layers.push(nodes);
        self.prepared = None;
        self.print = OnceLock::new();
        self.skip_idle_pass();
    }

    /// A layer that learns nothing before GSFA needs no pass for it.
    fn skip_idle_pass(&mut self) {
        let at = self.layers.len();
        if self.prepared.is_none() && self.spec.layers.get(at).is_some_and(|layer| !prepares(layer)) {
            let nodes = self.spec.plan().ok().and_then(|plan| plan.layers.get(at).map(|layer| layer.count()));
            self.prepared = nodes.map(|count| vec![Node::empty(); count]);
        }
    }

    /// A node of the current layer that waits for its slow features.
    fn prepared_node(&self, k: usize) -> Option<&Node> {
        self.prepared.as_ref().and_then(|nodes| nodes.get(k))
    }

    /// The nodes of the current layer, prepared or trained.
    fn learned<T: NodeNumber>(&self, sums: Vec<NodeSums<T>>) -> Result<Vec<Node>> {
        let ((layer, geometry), first_layer) = (self.current()?, self.layers.is_empty());
        if layer.shared {
            let mut shared = SharedSums::default();
            sums.into_iter().try_for_each(|sums| shared.add(sums))?;
            return Ok(vec![self.learned_by_all::<T>(shared, self.prepared_node(0))?; geometry.count()]);
        }
        let learn = |(k, sums): (usize, NodeSums<T>)| {
            let place = Place::new(layer, &geometry, k);
            let node = sums.learn(&place, self.prepared_node(k), first_layer);
            node.map_err(|error| place.in_columns_below(error))
        };
        let nodes: Vec<Result<Node>> = sums.into_par_iter().enumerate().with_max_len(1).map(learn).collect();
        nodes.into_iter().collect()
    }

    fn outputs_in<T: NodeNumber>(&self, piece: Piece<'_>) -> Result<Array2<f64>> {
        let none = || Error::parameter("pass", 1, "no layer is finished");
        let at = self.layers.len().checked_sub(1).ok_or_else(none)?;
        let (layer, nodes) = (&self.spec.layers[at], &self.layers[at]);
        let geometry = self.spec.geometry()?.into_iter().nth(at).ok_or_else(none)?;
        let rows = piece.below.len();
        if rows == 0 {
            return Ok(Array2::zeros((0, geometry.count() * layer.output_dim)));
        }
        let (below, original) = self.inputs(piece, at);
        let feed = Feed { below: &*below, original: &*original, buffers: &Buffers::default() };
        let mut outputs = Array2::from_elem((geometry.count() * rows, layer.output_dim), T::default());
        let owned = nodes.iter().zip(outputs.axis_chunks_iter_mut(Axis(0), rows)).collect();
        let apply = |place: &Place<'_>, feed: Feed<'_, T>, (node, out): (&Node, ArrayViewMut2<'_, T>)| {
            node.apply(place, feed, out)
        };
        for_each_node((layer, &geometry), feed, owned, apply)?;
        Ok(Stacked::new(outputs.view(), rows).joined())
    }
}
