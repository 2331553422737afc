//! Applying a trained network.

use std::sync::Arc;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::faults::{check_finite, explain};
use super::node::{Node, ReadyNode};
use super::prepared::{Feed, NodeNumber, Place};
use super::spec::NetworkSpec;
use super::stacked::Stacked;
use super::train::Network;
use crate::linalg::Buffers;
use crate::linalg::buffers::Buffer;
use crate::samples::{Precision, Rows, Samples};
use crate::spectrum::{ReadySpectrum, Spectra};
use crate::{Error, Result};

/// Rows that go through the whole network at a time: few enough for their inputs, read by node after node, to stay in
/// the second cache, and enough for the products.
fn block_rows<T: NodeNumber>(dim: usize) -> usize {
    ((1 << 20) / (dim * T::BYTES).max(1)).clamp(32, 256)
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
    /// value is not finite, [`Error::Overflow`] if one is so large that a feature would not be, or whatever prevents
    /// reading.
    pub fn apply(&self, samples: &dyn Samples) -> Result<Array2<f64>> {
        self.ready(samples.precision())?.apply(samples)
    }

    /// The network with its weights converted and its fields laid out, for those who apply it again and again to few
    /// samples at a time.
    ///
    /// # Errors
    /// If the network's parts do not fit together.
    pub fn ready(&self, precision: Precision) -> Result<ReadyNetwork<'_>> {
        ReadyNetwork::new(&self.spec, &self.layers, precision)
    }
}

/// A network prepared for samples of one precision; see [`Network::ready`].
pub struct ReadyNetwork<'a> {
    input_dim: usize,
    spectrum: Option<Arc<ReadySpectrum>>,
    output_dim: usize,
    layers: Layers<'a>,
}

enum Layers<'a> {
    Single(Vec<ReadyLayer<'a, f32>>),
    Double(Vec<ReadyLayer<'a, f64>>),
}

struct ReadyLayer<'a, T> {
    nodes: Vec<ReadyNode<'a, T>>,
    output_dim: usize,
}

impl<'a> ReadyNetwork<'a> {
    /// The first layers of a network, or all of them.
    pub(super) fn new(spec: &'a NetworkSpec, layers: &[Vec<Node>], precision: Precision) -> Result<Self> {
        let top = layers.len().checked_sub(1).map_or(0, |top| layers[top].len() * spec.layers[top].output_dim);
        Ok(Self {
            input_dim: spec.input.dim().unwrap_or(0),
            spectrum: spec.spectrum.and_then(|spectrum| spectrum.ready()).map(Arc::new),
            output_dim: top,
            layers: match precision {
                Precision::Single => Layers::Single(ready_layers(spec, layers)?),
                Precision::Double => Layers::Double(ready_layers(spec, layers)?),
            },
        })
    }

    /// The slow features of samples, which are read in the precision that the network was prepared for.
    ///
    /// # Errors
    /// As [`Network::apply`].
    pub fn apply(&self, samples: &dyn Samples) -> Result<Array2<f64>> {
        if samples.dim() != self.input_dim {
            return Err(Error::InputDim { expected: self.input_dim, got: samples.dim() });
        }
        match &self.layers {
            Layers::Single(layers) => self.apply_layers(layers, samples),
            Layers::Double(layers) => self.apply_layers(layers, samples),
        }
    }

    fn apply_layers<T: NodeNumber>(&self, layers: &[ReadyLayer<'_, T>], given: &dyn Samples) -> Result<Array2<f64>> {
        let spectra = self.spectrum.as_ref().map(|ready| Spectra::new(given, ready.clone()));
        let samples: &dyn Samples = spectra.as_ref().map_or(given, |spectra| spectra);
        let mut features = Array2::zeros((samples.len(), self.output_dim));
        let buffers = Buffers::default();
        let size = block_rows::<T>(samples.dim());
        let write = |(k, mut out): (usize, ArrayViewMut2<'_, f64>)| {
            let rows = k * size..k * size + out.nrows();
            let checked = |block: ArrayView2<'_, T>| {
                check_finite(block, rows.start)?;
                through(layers, block, &buffers)
            };
            out.assign(&match T::matrix(samples) {
                Some(matrix) => checked(matrix.slice(s![rows.clone(), ..]))?,
                None => {
                    let mut block = buffers.matrix(rows.len(), samples.dim());
                    T::read(samples, Rows::Range(rows.clone()), block.view_mut())?;
                    checked(block.view())?
                }
            });
            Ok(())
        };
        let blocks: Vec<_> = features.axis_chunks_iter_mut(Axis(0), size).enumerate().collect();
        // For a single block, waking another thread would take longer than a sample does.
        let done = if blocks.len() == 1 {
            blocks.into_iter().try_for_each(write)
        } else {
            blocks.into_par_iter().try_for_each(write)
        };
        done.map_err(|error| explain::<T>(error, given, 0, None))?;
        match features.outer_iter().position(|row| row.iter().any(|y| !y.is_finite())) {
            None => Ok(features),
            Some(row) => Err(overflow(layers, samples, row)),
        }
    }
}

fn ready_layers<'a, T: NodeNumber>(spec: &'a NetworkSpec, layers: &[Vec<Node>]) -> Result<Vec<ReadyLayer<'a, T>>> {
    let layers = spec.layers.iter().zip(spec.geometry()?).zip(layers);
    let ready = layers.map(|((layer, geometry), nodes)| {
        let ready = |(k, node)| ReadyNode::new(node, Place::new(layer, &geometry, k));
        let nodes = nodes.iter().enumerate().map(ready).collect::<Result<Vec<_>>>()?;
        Ok(ReadyLayer { nodes, output_dim: layer.output_dim })
    });
    ready.collect()
}

/// Why a row of finite values has features that are not: the value that lies farthest from those of training.
fn overflow<T: NodeNumber>(layers: &[ReadyLayer<'_, T>], samples: &dyn Samples, row: usize) -> Error {
    let mut values = Array2::from_elem((1, samples.dim()), T::default());
    if let Err(error) = T::read(samples, Rows::Range(row..row + 1), values.view_mut()) {
        return error;
    }
    let nodes = layers.first().map_or(&[][..], |layer| &layer.nodes);
    let farthest = nodes.iter().filter_map(|node| node.farthest_input(values.row(0)));
    match farthest.max_by(|(a, _), (b, _)| a.by.total_cmp(&b.by)) {
        Some((farthest, column)) => Error::Overflow { row, column, value: farthest.value },
        None => Error::NodeOverflow { row, layer: 1 },
    }
}

/// A block of rows through all layers.
fn through<T: NodeNumber>(
    layers: &[ReadyLayer<'_, T>],
    original: ArrayView2<'_, T>,
    buffers: &Buffers<T>,
) -> Result<Array2<f64>> {
    let rows = original.nrows();
    let mut below: Option<Buffer<'_, T>> = None;
    for layer in layers {
        let mut outputs = buffers.matrix(layer.nodes.len() * rows, layer.output_dim);
        let stacked = below.as_ref().map(|b| Stacked::new(b.view(), rows));
        let original = T::rows(&original);
        let feed = Feed { below: stacked.as_ref().map_or(original, T::stacked), original, buffers };
        for (node, out) in layer.nodes.iter().zip(outputs.view_mut().axis_chunks_iter_mut(Axis(0), rows)) {
            node.apply_rows(feed, 0..rows, out)?;
        }
        below = Some(outputs);
    }
    Ok(below.map_or_else(|| original.mapv(|x| x.to_f64()), |top| Stacked::new(top.view(), rows).joined()))
}
