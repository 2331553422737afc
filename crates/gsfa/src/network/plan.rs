//! The architecture table, memory and work of a network, before anything is trained.

use std::fmt;

use super::candidates::most_candidates;
use super::fields::{NODES, group_size};
use super::prepared::is_small;
use super::spec::{LayerSpec, NetworkSpec, Skip};
use crate::error::brief;
use crate::linalg::partial_eigen::partial_eigen_bytes;
use crate::moments::{blocks_bytes, keeps_rows, moments_bytes};
use crate::samples::Precision;
use crate::{Error, Result, Solver, Surplus};

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
    /// Centres of radial basis functions per node, at most.
    pub centers: usize,
    /// Inputs of a node's GSFA, after the expansion and with skipped inputs; an upper bound as `pca_dim` is.
    pub expanded_dim: usize,
    /// Inputs of the largest patch and components of a gate.
    pub gate: Option<[usize; 2]>,
    /// Slow features per node.
    pub output_dim: usize,
    /// From what they are solved.
    pub solver: Solver,
    /// Whether all nodes are one.
    pub shared: bool,
}

impl NetworkSpec {
    /// The architecture table.
    ///
    /// # Errors
    /// If fields do not fit, an expansion is too large, or a parameter is out of its range.
    pub fn plan(&self) -> Result<NetworkPlan> {
        if let Some(spectrum) = &self.spectrum {
            spectrum.check(self.input)?;
        }
        let mut layers = Vec::new();
        for (number, (layer, geometry)) in self.layers.iter().zip(self.geometry()?).enumerate() {
            layer.check(number + 1)?;
            let input_dim = geometry.input_dim();
            let pca_dim = layer.pca.map(|pca| pca.most(input_dim)).transpose()?;
            let expanded = layer.expansion.output_dim(pca_dim.unwrap_or(input_dim))?;
            let centers = layer.expansion.rbf().map_or(0, |rbf| rbf.centers);
            let inputs = pca_dim.unwrap_or(input_dim);
            let originals = geometry.original_dim();
            let skipped = if layer.skip.is_some() { originals } else { 0 };
            let gate = layer.skip.and_then(|skip| skip.gate);
            let gated = gate.map_or(0, |gate| gate.width(inputs, originals));
            layers.push(LayerPlan {
                nodes: geometry.nodes,
                receptive_field: geometry.pixels,
                input_dim,
                pca_dim,
                centers,
                expanded_dim: expanded.saturating_add(skipped).saturating_add(gated),
                gate: gate
                    .map(|gate| [gate.longest(geometry.pixels, self.input.channels), gate.sizes(inputs, originals).1]),
                output_dim: layer.output_dim,
                solver: layer.solver,
                shared: layer.shared,
            });
        }
        Ok(NetworkPlan { layers, input_dim: self.input.dim().unwrap_or(0) })
    }
}

impl LayerSpec {
    /// Numbers that are wrong wherever the layer stands.
    fn check(&self, number: usize) -> Result<()> {
        let refuse = |name, value: f64, reason| {
            Err(Error::parameter(name, format!("{} in layer {number}", brief::number(value)), reason))
        };
        let positive = |x: f64| x.is_finite() && x > 0.0;
        match (self.skip, self.clip) {
            (Some(skip), _) if !positive(skip.feature_scale) => {
                refuse("feature_scale", skip.feature_scale, "it must be positive and finite")
            }
            (_, Some(clip)) if !positive(clip.sigmas) => {
                refuse("sigmas", clip.sigmas, "it must be positive and finite")
            }
            _ if !(positive(self.ridge) || self.ridge == 0.0) => {
                refuse("ridge", self.ridge, "it must be finite and not negative")
            }
            (Some(Skip { gate: Some(gate), .. }), _) => gate.check(number),
            _ => self.check_shared(number).and_then(|()| self.check_keep(number)),
        }
    }

    fn check_shared(&self, number: usize) -> Result<()> {
        let beside = match self {
            Self { shared: false, .. } => return Ok(()),
            Self { skip: Some(_), .. } => "`skip`",
            Self { solver: Solver::Svd, .. } => "solver = \"svd\"",
            layer if layer.expansion.rbf().is_some() => "radial basis functions",
            _ => return Ok(()),
        };
        let reason = format!("a layer whose nodes are one cannot have {beside}");
        Err(Error::parameter("shared", format!("true in layer {number}"), reason))
    }

    fn check_keep(&self, number: usize) -> Result<()> {
        let Some(keep) = &self.keep else { return Ok(()) };
        if self.surplus != Surplus::default() {
            let value = format!("{:?} in layer {number}", self.surplus).to_lowercase();
            return Err(Error::parameter("surplus", value, "a layer with `keep` fills its outputs with what it keeps"));
        }
        keep.check().map_err(|error| match error {
            Error::Parameter { name, value, reason } => {
                Error::Parameter { name, value: format!("{value} in layer {number}"), reason }
            }
            other => other,
        })
    }
}

impl LayerPlan {
    /// The number of nodes.
    pub fn count(&self) -> usize {
        self.nodes[0] * self.nodes[1]
    }

    /// How many nodes learn.
    pub fn learners(&self) -> usize {
        if self.shared { 1 } else { self.count() }
    }

    /// Numbers that training determines: maps and means of PCA and GSFA.
    pub fn parameters(&self) -> usize {
        let affine = |inputs: usize, outputs: usize| inputs.saturating_mul(outputs.saturating_add(1));
        let pca = self.pca_dim.map_or(0, |k| affine(self.input_dim, k));
        let gate = self.gate.map_or(0, |[patch, components]| affine(patch, components));
        let rbf = self.centers.saturating_mul(self.expansion_inputs().saturating_add(self.centers));
        let gsfa = affine(self.expanded_dim, self.output_dim);
        self.learners().saturating_mul(pca.saturating_add(gate).saturating_add(rbf).saturating_add(gsfa))
    }

    /// Inputs of the expansion.
    fn expansion_inputs(&self) -> usize {
        self.pca_dim.unwrap_or(self.input_dim)
    }

    /// Floating point operations of training on N samples: sums, factorisation, and applying the layer once.
    fn operations(&self, samples: f64) -> f64 {
        let (e, j, i) = (self.expanded_dim as f64, self.output_dim as f64, self.input_dim as f64);
        // Sums of squares and their factorisation, or a factorisation of the samples where they are fewer.
        let factored = |dim: f64| if samples < dim { 8.0 * samples * samples * dim } else { samples * dim * dim };
        let pca = self.pca_dim.map_or(0.0, |k| factored(i) + 4.0 * samples * i * k as f64);
        let gate = self.gate.map_or(0.0, |[patch, components]| 2.0 * samples * patch as f64 * components as f64);
        let smaller = e.min(samples);
        // Draws, kernels, and their map; about twenty operations for an exponential function.
        let (m, d) = (self.centers as f64, self.expansion_inputs() as f64);
        let candidates = samples.min(most_candidates(self.centers, self.input_dim) as f64);
        let rbf = m * (3.0 * d * candidates + m * m / 3.0 + samples * (3.0 * d + 20.0 + 2.0 * m));
        let solved = self.learners() as f64 * smaller.powi(3) / 3.0;
        self.count() as f64 * (pca + gate + rbf + factored(e) + 2.0 * samples * e * j) + solved
    }
}

impl NetworkPlan {
    /// Numbers that training determines.
    pub fn parameters(&self) -> usize {
        self.layers.iter().map(LayerPlan::parameters).fold(0, usize::saturating_add)
    }

    /// Floating point operations of training on N samples, roughly.
    pub fn operations(&self, samples: usize) -> f64 {
        self.layers.iter().map(|layer| layer.operations(samples as f64)).sum()
    }

    /// Bytes of memory that training on N samples needs beside the samples themselves: the outputs of two successive
    /// layers, and what the nodes that are trained at the same time need, their sums above all; `usize::MAX` if it is
    /// more than that.
    pub fn training_bytes(&self, samples: usize, precision: Precision, threads: usize) -> usize {
        let size = match precision {
            Precision::Single => 4,
            Precision::Double => 8,
        };
        let product = |factors: &[usize]| factors.iter().copied().fold(1, usize::saturating_mul);
        let sum = |parts: &[usize]| parts.iter().copied().fold(0, usize::saturating_add);
        let outputs = |layer: &LayerPlan| product(&[samples, layer.count(), layer.output_dim, size]);
        let node = |layer: &LayerPlan| {
            // PCA: the covariance and what its components take. GSFA: the sums and the factor of the correlations.
            let pca = layer.pca_dim.map_or(0, |count| match keeps_rows(samples, layer.input_dim) {
                true => moments_bytes(samples, layer.input_dim, Solver::Covariance),
                false => {
                    let covariance = product(&[8, layer.input_dim, layer.input_dim]);
                    sum(&[covariance, partial_eigen_bytes(layer.input_dim, count)])
                }
            });
            let gsfa = sum(&[
                moments_bytes(samples, layer.expanded_dim, layer.solver),
                kept(samples, layer.expanded_dim, size),
            ]);
            let blocks = match keeps_rows(samples, layer.expanded_dim) {
                true => 0,
                false => blocks_bytes(layer.expanded_dim, size, threads.max(1)),
            };
            let rbf = match layer.centers {
                0 => 0,
                m => sum(&[
                    product(&[16, m, m]),
                    product(&[8, samples.min(most_candidates(m, layer.input_dim)), layer.input_dim]),
                ]),
            };
            sum(&[pca.max(gsfa), blocks, rbf])
        };
        // Fields are gathered for a group of nodes together if they are small, and otherwise by each node.
        let fields =
            |layer: &LayerPlan| match (layer.pca_dim, group_size(layer.count(), samples, layer.input_dim, size)) {
                (None, _) => 0,
                (Some(_), group) if group < layer.count() => product(&[group, samples, layer.input_dim, size]),
                (Some(_), _) => product(&[layer.count().min(threads.max(1)), kept(samples, layer.input_dim, size)]),
            };
        // Sums of a group of nodes are there before they are added up.
        let at_once = |layer: &LayerPlan| if layer.shared { NODES + 1 } else { threads.max(1) };
        let nodes = |layer: &LayerPlan| node(layer).saturating_mul(layer.count().min(at_once(layer)));
        let mut below = 0;
        let mut most = 0;
        for layer in &self.layers {
            most = most.max(sum(&[below, outputs(layer), fields(layer), nodes(layer)]));
            below = outputs(layer);
        }
        most
    }
}

/// Bytes of a node's inputs, if they are kept in memory.
fn kept(samples: usize, columns: usize, size: usize) -> usize {
    if is_small(samples, columns, size) { samples * columns * size } else { 0 }
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
