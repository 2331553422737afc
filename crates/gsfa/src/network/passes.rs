//! Training in passes over pieces of the samples, which may lie on different machines.
//!
//! Each layer takes one or two passes: sums of its inputs, from which PCA, scales, clipping and skipped inputs follow, and
//! sums of its expanded inputs, from which slow features follow. Sums over pieces travel as bytes and are merged; the
//! outputs of a layer are the pieces of the next.

use ndarray::{Array2, Axis};

use super::geometry::LayerGeometry;
use super::node::{Node, ReadyNode};
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use super::spec::{LayerSpec, NetworkSpec};
use super::statistics::ColumnStatistics;
use super::train::{Network, weighing};
use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::moments::{CentredMoments, Moments, Precision, Rows, Samples};
use crate::{Error, Result, Solver};

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
pub struct Passes {
    spec: NetworkSpec,
    precision: Precision,
    layers: Vec<Vec<Node>>,
    /// Nodes of the current layer that know all that comes before GSFA.
    prepared: Option<Vec<Node>>,
}

/// Sums of one layer over some pieces: for each node one or two sums as bytes.
pub type LayerSums = Vec<Vec<u8>>;

impl Passes {
    /// Nothing is trained; samples are read in the given precision.
    ///
    /// # Errors
    /// If the specification is impossible.
    pub fn new(spec: NetworkSpec, precision: Precision) -> Result<Self> {
        spec.plan()?;
        Ok(Self { spec, precision, layers: Vec::new(), prepared: None }.without_idle_pass())
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

    /// The sums of the current pass over a piece.
    ///
    /// # Errors
    /// If the piece does not fit, a value is not finite or overflows when squared, or the graph connects single samples.
    pub fn sums(&self, piece: Piece<'_>, graph: &TrainingGraph) -> Result<LayerSums> {
        match self.precision {
            Precision::Single => self.sums_in::<f32>(piece, graph),
            Precision::Double => self.sums_in::<f64>(piece, graph),
        }
    }

    /// The sums over the pieces of both.
    ///
    /// # Errors
    /// If a sample is in both, or the bytes are no sums of this pass.
    pub fn merge(&self, a: &LayerSums, b: &LayerSums, graph: &TrainingGraph) -> Result<LayerSums> {
        let weighing = weighing(graph)?;
        let graph = if self.prepared.is_some() { graph } else { &weighing };
        Error::check_shape("the list of sums", &[b.len()], &[a.len()])?;
        let pairs = a.iter().zip(b);
        match self.precision {
            Precision::Single => pairs.map(|(a, b)| merged::<f32>(a, b, graph)).collect(),
            Precision::Double => pairs.map(|(a, b)| merged::<f64>(a, b, graph)).collect(),
        }
    }

    /// Learns from the sums of the current pass over all samples.
    ///
    /// # Errors
    /// If samples are missing, or a node cannot be trained.
    pub fn advance(&mut self, sums: &LayerSums, graph: &TrainingGraph) -> Result<()> {
        match self.precision {
            Precision::Single => self.advance_in::<f32>(sums, graph),
            Precision::Double => self.advance_in::<f64>(sums, graph),
        }
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
        let idle = |layer: &LayerSpec| !(sees_inputs(layer) || layer.skip.is_some());
        if self.prepared.is_none() && self.spec.layers.get(at).is_some_and(idle) {
            let nodes = self.spec.plan().ok().and_then(|plan| plan.layers.get(at).map(|layer| layer.count()));
            self.prepared = nodes.map(|count| vec![Node::empty(); count]);
        }
        self
    }

    fn sums_in<T: NodeNumber>(&self, piece: Piece<'_>, graph: &TrainingGraph) -> Result<LayerSums> {
        let (layer, geometry) = self.current()?;
        let feed = Feed { below: piece.below, original: piece.original, buffers: &Buffers::default() };
        let weighing = weighing(graph)?;
        let mut out = Vec::new();
        for k in 0..geometry.count() {
            let place = Place::new(layer, &geometry, k);
            let Some(prepared) = &self.prepared else {
                if sees_inputs(layer) {
                    let inputs = Preparation::<T>::gathering(&place);
                    let field = Prepared { place: &place, feed, preparation: &inputs };
                    out.push(summed(&field, piece.first_row, &weighing, Solver::Covariance)?);
                }
                if layer.skip.is_some() {
                    let place = place.originals();
                    let feed = Feed { below: piece.original, ..feed };
                    let inputs = Preparation::<T>::gathering(&place);
                    let originals = Prepared { place: &place, feed, preparation: &inputs };
                    out.push(summed(&originals, piece.first_row, &weighing, Solver::Covariance)?);
                }
                continue;
            };
            let preparation = Preparation::<T>::of(&prepared[k], &place)?;
            let expanded = Prepared { place: &place, feed, preparation: &preparation };
            out.push(summed(&expanded, piece.first_row, graph, layer.solver)?);
        }
        Ok(out)
    }

    fn advance_in<T: NodeNumber>(&mut self, sums: &LayerSums, graph: &TrainingGraph) -> Result<()> {
        let (layer, geometry) = self.current()?;
        let weighing = weighing(graph)?;
        let first_layer = self.layers.is_empty();
        let mut sums = sums.iter();
        let mut next = |graph: &TrainingGraph| {
            let bytes = sums.next().ok_or(Error::parameter("sums", "list", "there are fewer than nodes need"))?;
            Moments::<T>::from_bytes(graph, bytes)?.finish()
        };
        let mut nodes = Vec::new();
        for k in 0..geometry.count() {
            nodes.push(match &self.prepared {
                None => {
                    let inputs = if sees_inputs(layer) { Some(next(&weighing)?) } else { None };
                    let originals = if layer.skip.is_some() { Some(next(&weighing)?) } else { None };
                    let weights = graph.vertex_weights();
                    let place = Place::new(layer, &geometry, k);
                    prepared_node::<T>(layer, inputs.as_ref(), originals.as_ref(), weights)
                        .map_err(|error| place.in_columns_below(error))?
                }
                Some(prepared) => {
                    let moments = next(graph)?;
                    if first_layer {
                        prepared[k].check_products::<T>(&Place::new(layer, &geometry, k), &moments)?;
                    }
                    let slow = Node::slow_features(layer, &moments)?;
                    Node { slow, ..prepared[k].clone() }
                }
            });
        }
        match self.prepared.take() {
            None => self.prepared = Some(nodes),
            Some(_) => self.layers.push(nodes),
        }
        *self = self.clone().without_idle_pass();
        Ok(())
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

/// Whether a node learns from its inputs before they are expanded.
fn sees_inputs(layer: &LayerSpec) -> bool {
    layer.pca.is_some() || layer.clip.is_some() || layer.standardize
}

/// Sums over the rows of a piece, as bytes.
fn summed<T: NodeNumber>(
    samples: &Prepared<'_, T>,
    first_row: usize,
    graph: &TrainingGraph,
    solver: Solver,
) -> Result<Vec<u8>> {
    let rows = samples.feed.below.len();
    let mut block = Array2::from_elem((rows, samples.width()), T::default());
    samples.write(Rows::Range(0..rows), block.view_mut())?;
    let mut moments = Moments::<T>::for_solver(graph, samples.width(), solver);
    moments.add(first_row, block.view())?;
    moments.to_bytes()
}

fn merged<T: NodeNumber>(a: &[u8], b: &[u8], graph: &TrainingGraph) -> Result<Vec<u8>> {
    let mut sum = Moments::<T>::from_bytes(graph, a)?;
    sum.merge(Moments::<T>::from_bytes(graph, b)?)?;
    sum.to_bytes()
}

/// A node that knows all that comes before GSFA, from sums instead of samples; see [`Node::prepare`].
fn prepared_node<T: NodeNumber>(
    layer: &LayerSpec,
    inputs: Option<&CentredMoments>,
    originals: Option<&CentredMoments>,
    weights: &[f64],
) -> Result<Node> {
    let mut node = Node::empty();
    if let Some(moments) = inputs {
        let columns = ColumnStatistics::of_moments(moments, weights);
        let scales = layer.standardize.then(|| columns.inverse_deviations::<T>()).transpose()?;
        node.pca = match (&layer.pca, &scales) {
            (Some(pca), _) => Some(pca.of_moments::<T>(moments.clone(), scales.as_ref())?),
            (None, Some(scales)) => Some(super::pca::Pca::scaling(columns.mean.clone(), scales)),
            (None, None) => None,
        };
        if let Some(clip) = &layer.clip {
            node.clip = Some(node.clip_bounds(clip, || Ok(columns))?);
        }
    }
    let root = |moments| ColumnStatistics::of_moments(moments, weights).root_mean_variance::<T>();
    node.skip_scale = originals.map(root).transpose()?;
    Ok(node)
}
