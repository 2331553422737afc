//! Applying a trained network.

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::faults::{check_finite, explain};
use super::node::ReadyNode;
use super::prepared::{Feed, NodeNumber, Place};
use super::train::Network;
use crate::moments::{Precision, Rows, Samples};
use crate::{Error, Result};

/// Rows that go through the whole network at a time.
const ROWS: usize = 256;

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
        self.ready(samples.precision())?.apply(samples)
    }

    /// The network with its weights converted and its fields laid out, for those who apply it again and again to few
    /// samples at a time.
    ///
    /// # Errors
    /// If the network's parts do not fit together.
    pub fn ready(&self, precision: Precision) -> Result<ReadyNetwork<'_>> {
        Ok(ReadyNetwork {
            input_dim: self.spec.input.dim().unwrap_or(0),
            output_dim: self.output_dim(),
            layers: match precision {
                Precision::Single => Layers::Single(self.ready_layers()?),
                Precision::Double => Layers::Double(self.ready_layers()?),
            },
        })
    }

    fn ready_layers<T: NodeNumber>(&self) -> Result<Vec<ReadyLayer<'_, T>>> {
        let layers = self.spec.layers.iter().zip(self.spec.geometry()?).zip(&self.layers);
        let ready = layers.map(|((layer, geometry), nodes)| {
            let ready = |(k, node)| ReadyNode::new(node, Place::new(layer, &geometry, k));
            let nodes = nodes.iter().enumerate().map(ready).collect::<Result<Vec<_>>>()?;
            Ok(ReadyLayer { nodes, output_dim: layer.output_dim })
        });
        ready.collect()
    }
}

/// A network prepared for samples of one precision; see [`Network::ready`].
pub struct ReadyNetwork<'a> {
    input_dim: usize,
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

impl ReadyNetwork<'_> {
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

    fn apply_layers<T: NodeNumber>(&self, layers: &[ReadyLayer<'_, T>], samples: &dyn Samples) -> Result<Array2<f64>> {
        let mut features = Array2::zeros((samples.len(), self.output_dim));
        let write = |(k, mut out): (usize, ArrayViewMut2<'_, f64>)| {
            let rows = k * ROWS..k * ROWS + out.nrows();
            let top = match T::matrix(samples) {
                Some(matrix) => checked(layers, matrix.slice(s![rows.clone(), ..]), rows.start)?,
                None => {
                    let mut block = Array2::from_elem((rows.len(), samples.dim()), T::default());
                    T::read(samples, Rows::Range(rows.clone()), block.view_mut())?;
                    checked(layers, block.view(), rows.start)?
                }
            };
            out.zip_mut_with(&top, |o, x| *o = x.to_f64());
            Ok(())
        };
        let blocks: Vec<_> = features.axis_chunks_iter_mut(Axis(0), ROWS).enumerate().collect();
        // For a single block, waking another thread would take longer than a sample does.
        let done = if blocks.len() == 1 {
            blocks.into_iter().try_for_each(write)
        } else {
            blocks.into_par_iter().try_for_each(write)
        };
        done.map_err(|error| explain::<T>(error, samples, None))?;
        Ok(features)
    }
}

/// A block of rows through all layers, if all values are finite; `first` is the number of its first row.
fn checked<T: NodeNumber>(layers: &[ReadyLayer<'_, T>], rows: ArrayView2<'_, T>, first: usize) -> Result<Array2<T>> {
    check_finite(rows, first)?;
    through(layers, rows)
}

/// A block of rows through all layers.
fn through<T: NodeNumber>(layers: &[ReadyLayer<'_, T>], original: ArrayView2<'_, T>) -> Result<Array2<T>> {
    let mut below: Option<Array2<T>> = None;
    for layer in layers {
        let rows = original.nrows();
        let mut outputs = Array2::from_elem((rows, layer.nodes.len() * layer.output_dim), T::default());
        let view = below.as_ref().map(|b| b.view());
        let feed = Feed { below: T::rows(view.as_ref().unwrap_or(&original)), original: T::rows(&original) };
        for (node, out) in layer.nodes.iter().zip(outputs.axis_chunks_iter_mut(Axis(1), layer.output_dim)) {
            node.apply_rows(feed, 0..rows, out)?;
        }
        below = Some(outputs);
    }
    Ok(below.unwrap_or_else(|| original.to_owned()))
}
