//! The architecture table, memory and work of a network, before anything is trained.

use std::fmt;

use super::spec::NetworkSpec;
use crate::moments::Precision;
use crate::{Error, Result};

/// What a network will look like: the paper's table of its architecture.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkPlan {
    /// From the input to the top.
    pub layers: Vec<LayerPlan>,
    /// Values of a sample.
    pub input_dim: usize,
}

/// A row of the architecture table.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerPlan {
    /// Rows and columns of nodes.
    pub nodes: [usize; 2],
    /// A node's receptive field in pixels.
    pub receptive_field: [usize; 2],
    /// Inputs per node.
    pub input_dim: usize,
    /// Principal components per node; an upper bound if they are chosen by their share of the variance.
    pub pca_dim: Option<usize>,
    /// Inputs of a node's GSFA, after the expansion and with skipped inputs; an upper bound as `pca_dim` is.
    pub expanded_dim: usize,
    /// Slow features per node.
    pub output_dim: usize,
}

impl NetworkSpec {
    /// The architecture table.
    ///
    /// # Errors
    /// If fields do not fit, an expansion is too large, or a parameter is out of its range.
    pub fn plan(&self) -> Result<NetworkPlan> {
        let mut layers = Vec::new();
        for (layer, geometry) in self.layers.iter().zip(self.geometry()?) {
            let input_dim = geometry.input_dim();
            let pca_dim = layer.pca.map(|pca| pca.most(input_dim)).transpose()?;
            let expanded = layer.expansion.output_dim(pca_dim.unwrap_or(input_dim))?;
            let skipped = match layer.skip {
                Some(skip) if !(skip.feature_scale.is_finite() && skip.feature_scale > 0.0) => {
                    return Err(Error::parameter("feature_scale", skip.feature_scale, "it must be positive"));
                }
                Some(_) => geometry.original_dim(),
                None => 0,
            };
            layers.push(LayerPlan {
                nodes: geometry.nodes,
                receptive_field: geometry.pixels,
                input_dim,
                pca_dim,
                expanded_dim: expanded + skipped,
                output_dim: layer.output_dim,
            });
        }
        Ok(NetworkPlan { layers, input_dim: self.input.dim().unwrap_or(0) })
    }
}

impl LayerPlan {
    /// The number of nodes.
    pub fn count(&self) -> usize {
        self.nodes[0] * self.nodes[1]
    }

    /// Numbers that training determines: maps and means of PCA and GSFA.
    pub fn parameters(&self) -> usize {
        let affine = |inputs: usize, outputs: usize| inputs * (outputs + 1);
        self.count()
            * (self.pca_dim.map_or(0, |k| affine(self.input_dim, k)) + affine(self.expanded_dim, self.output_dim))
    }

    /// Floating point operations of training on N samples: sums, factorisation, and applying the layer once.
    fn operations(&self, samples: f64) -> f64 {
        let (e, j, i) = (self.expanded_dim as f64, self.output_dim as f64, self.input_dim as f64);
        let pca = self.pca_dim.map_or(0.0, |k| samples * (i * i + 4.0 * i * k as f64));
        self.count() as f64 * (pca + samples * (e * e + 2.0 * e * j) + e * e * e / 3.0)
    }
}

impl NetworkPlan {
    /// Numbers that training determines.
    pub fn parameters(&self) -> usize {
        self.layers.iter().map(LayerPlan::parameters).sum()
    }

    /// Floating point operations of training on N samples, roughly.
    pub fn operations(&self, samples: usize) -> f64 {
        self.layers.iter().map(|layer| layer.operations(samples as f64)).sum()
    }

    /// Bytes of memory that training on N samples needs beside the samples themselves: the outputs of two successive
    /// layers, and the sums of the nodes that are trained at the same time.
    pub fn training_bytes(&self, samples: usize, precision: Precision, threads: usize) -> usize {
        let size = match precision {
            Precision::Single => 4,
            Precision::Double => 8,
        };
        let outputs = |layer: &LayerPlan| samples * layer.count() * layer.output_dim * size;
        let sums = |layer: &LayerPlan| {
            let square = |n: usize| n * n * 8;
            // The sums, their centred copy, the correlation matrix and its factor.
            layer.count().min(threads.max(1))
                * 4
                * square(layer.expanded_dim.max(layer.pca_dim.map_or(0, |_| layer.input_dim)))
        };
        let mut below = 0;
        let mut most = 0;
        for layer in &self.layers {
            most = most.max(below + outputs(layer) + sums(layer));
            below = outputs(layer);
        }
        most
    }
}

impl fmt::Display for NetworkPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |p: [usize; 2]| format!("{}x{}", p[0], p[1]);
        writeln!(
            f,
            "{:>5}{:>8}{:>17}{:>11}{:>6}{:>14}{:>12}{:>13}",
            "layer", "nodes", "receptive field", "input dim", "PCA", "expanded dim", "output dim", "parameters"
        )?;
        for (number, layer) in self.layers.iter().enumerate() {
            writeln!(
                f,
                "{:>5}{:>8}{:>17}{:>11}{:>6}{:>14}{:>12}{:>13}",
                number + 1,
                pair(layer.nodes),
                pair(layer.receptive_field),
                layer.input_dim,
                layer.pca_dim.map_or("-".to_string(), |k| k.to_string()),
                layer.expanded_dim,
                layer.output_dim,
                layer.parameters(),
            )?;
        }
        Ok(())
    }
}
