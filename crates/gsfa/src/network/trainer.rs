//! Training in passes over pieces of the samples, which may lie in several files or on several machines.
//!
//! Each layer takes one or two passes: sums of its inputs, from which PCA, scales, clipping and skipped inputs follow, and
//! sums of its expanded inputs, from which slow features follow. Sums over pieces travel as bytes and are merged; the
//! outputs of a layer are the inputs of the next.

use ndarray::{Array2, Axis};

use super::geometry::LayerGeometry;
use super::node::{Node, ReadyNode};
use super::pass_sums::{PassSums, SumsOf, columns_of, prepares};
use super::prepared::{Feed, NodeNumber, Place};
use super::spec::{LayerSpec, NetworkSpec};
use super::statistics::ColumnStatistics;
use super::train::{Network, weighing};
use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::moments::CentredMoments;
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
}

/// The graph of a training, and one without structure over all its samples for what is learned without labels.
#[derive(Debug, Clone)]
pub struct PassGraphs {
    pub(super) graph: TrainingGraph,
    pub(super) weighing: TrainingGraph,
}

impl PassGraphs {
    /// For the given graph.
    ///
    /// # Errors
    /// If there are fewer than two samples.
    pub fn new(graph: TrainingGraph) -> Result<Self> {
        Ok(Self { weighing: weighing(&graph)?, graph })
    }

    /// The graph of the training.
    pub fn graph(&self) -> &TrainingGraph {
        &self.graph
    }
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
        Ok(Self { spec, precision, layers, prepared }.without_idle_pass())
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

    /// Sums of the current pass over no samples yet.
    ///
    /// # Errors
    /// If all layers are trained.
    pub fn begin<'g>(&self, graphs: &'g PassGraphs) -> Result<PassSums<'g>> {
        let (layer, geometry) = self.current()?;
        PassSums::new(layer, &geometry, self.prepared.as_deref(), self.precision, graphs)
    }

    /// Adds a piece to the sums of the current pass.
    ///
    /// # Errors
    /// If the piece does not fit, a value is not finite or overflows when squared, or the graph connects single samples.
    pub fn add(&self, sums: &mut PassSums<'_>, piece: Piece<'_>) -> Result<()> {
        let (layer, geometry) = self.current()?;
        sums.add((layer, &geometry), self.prepared.as_deref(), piece)
    }

    /// What the finished layers make of samples: what the current layer sees of them. Nothing if that is the samples
    /// themselves.
    ///
    /// # Errors
    /// As [`Network::apply`].
    pub fn below(&self, samples: &dyn Samples) -> Result<Option<Array2<f64>>> {
        if self.layers.is_empty() {
            return Ok(None);
        }
        let spec = NetworkSpec { layers: self.spec.layers[..self.layers.len()].to_vec(), input: self.spec.input };
        let finished = Network { spec, layers: self.layers.clone() };
        finished.ready(self.precision)?.apply(samples).map(Some)
    }

    /// Learns from the sums of the current pass over all samples.
    ///
    /// # Errors
    /// If samples are missing, or a node cannot be trained.
    pub fn advance(&mut self, sums: PassSums<'_>) -> Result<()> {
        let nodes = match sums.of {
            SumsOf::Single(sums) => self.learned::<f32>(finished(sums)?)?,
            SumsOf::Double(sums) => self.learned::<f64>(finished(sums)?)?,
        };
        match self.prepared.take() {
            None => self.prepared = Some(nodes),
            Some(_) => self.layers.push(nodes),
        }
        *self = self.clone().without_idle_pass();
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

    fn current(&self) -> Result<(&LayerSpec, LayerGeometry)> {
        let at = self.layers.len();
        let geometry = self.spec.geometry()?.into_iter().nth(at);
        match self.spec.layers.get(at).zip(geometry) {
            Some(current) => Ok(current),
            None => Err(Error::parameter("pass", at + 1, "all layers are trained")),
        }
    }

    /// A layer that learns nothing before GSFA needs no pass for it.
    fn without_idle_pass(mut self) -> Self {
        let at = self.layers.len();
        if self.prepared.is_none() && self.spec.layers.get(at).is_some_and(|layer| !prepares(layer)) {
            let nodes = self.spec.plan().ok().and_then(|plan| plan.layers.get(at).map(|layer| layer.count()));
            self.prepared = nodes.map(|count| vec![Node::empty(); count]);
        }
        self
    }

    /// The nodes of the current layer, prepared or trained.
    fn learned<T: NodeNumber>(&self, sums: Vec<(CentredMoments, Vec<f64>)>) -> Result<Vec<Node>> {
        let (layer, geometry) = self.current()?;
        let first_layer = self.layers.is_empty();
        let mut sums = sums.into_iter();
        let mut next = || sums.next().ok_or(Error::parameter("sums", "list", "there are fewer than nodes need"));
        let node = |k: usize| {
            let place = Place::new(layer, &geometry, k);
            let Some(prepared) = &self.prepared else {
                let inputs = if columns_of(layer) { Some(next()?) } else { None };
                let originals = if layer.skip.is_some() { Some(next()?) } else { None };
                return prepared_node::<T>(layer, inputs, originals, place.patches())
                    .map_err(|error| place.in_columns_below(error));
            };
            let moments = next()?.0;
            if first_layer {
                prepared[k].check_products::<T>(&place, &moments).map_err(|error| place.in_columns_below(error))?;
            }
            let slow = Node::slow_features(layer, &moments)?;
            Ok(Node { slow, ..prepared[k].clone() })
        };
        (0..geometry.count()).map(node).collect()
    }

    fn outputs_in<T: NodeNumber>(&self, piece: Piece<'_>) -> Result<Array2<f64>> {
        let none = || Error::parameter("pass", 1, "no layer is finished");
        let at = self.layers.len().checked_sub(1).ok_or_else(none)?;
        let (layer, nodes) = (&self.spec.layers[at], &self.layers[at]);
        let geometry = self.spec.geometry()?.into_iter().nth(at).ok_or_else(none)?;
        let rows = piece.below.len();
        let feed = Feed { below: piece.below, original: piece.original, buffers: &Buffers::default() };
        let mut outputs = Array2::from_elem((rows, geometry.count() * layer.output_dim), T::default());
        let places = outputs.axis_chunks_iter_mut(Axis(1), layer.output_dim).zip(nodes).enumerate();
        for (k, (out, node)) in places {
            ReadyNode::<T>::new(node, Place::new(layer, &geometry, k))?.apply_rows(feed, 0..rows, out)?;
        }
        Ok(outputs.mapv(|x| x.to_f64()))
    }
}

/// Finished sums with the weights of their samples.
fn finished<T: NodeNumber>(sums: Vec<crate::moments::Moments<'_, T>>) -> Result<Vec<(CentredMoments, Vec<f64>)>> {
    let finish = |moments: crate::moments::Moments<'_, T>| {
        let weights = moments.graph().vertex_weights().to_vec();
        Ok((moments.finish()?, weights))
    };
    sums.into_iter().map(finish).collect()
}

/// A node that knows all that comes before GSFA, from sums instead of samples; see [`Node::prepare`].
fn prepared_node<T: NodeNumber>(
    layer: &LayerSpec,
    inputs: Option<(CentredMoments, Vec<f64>)>,
    originals: Option<(CentredMoments, Vec<f64>)>,
    patches: &[Vec<usize>],
) -> Result<Node> {
    let mut node = Node::empty();
    if let Some((moments, weights)) = inputs {
        let columns = ColumnStatistics::of_moments(&moments, &weights);
        let scales = layer.standardize.then(|| columns.inverse_deviations::<T>()).transpose()?;
        node.pca = match (&layer.pca, &scales) {
            (Some(pca), _) => Some(pca.of_moments::<T>(moments, scales.as_ref())?),
            (None, Some(scales)) => Some(super::pca::Pca::scaling(columns.mean.clone(), scales)),
            (None, None) => None,
        };
        if let Some(clip) = &layer.clip {
            node.clip = Some(node.clip_bounds(clip, || Ok(columns))?);
        }
    }
    if let Some((moments, weights)) = originals {
        node.skip_scale = Some(ColumnStatistics::of_moments(&moments, &weights).root_mean_variance::<T>()?);
        let gate = layer.skip.and_then(|skip| skip.gate);
        node.gate = gate.map(|gate| gate.of_moments::<T>(&moments, patches)).transpose()?;
    }
    Ok(node)
}
