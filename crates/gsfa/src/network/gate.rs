//! Products of the features below with principal components of the original inputs.
//!
//! A feature says which way a sample lies; what the original inputs mean may depend on that. Products of the first features
//! with components of the inputs let a linear node learn it, with a ridge of its own.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, s};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pca::Pca;
use super::prepared::NodeNumber;
use crate::linalg::{AffineMap, Buffers};
use crate::{Error, Result};

/// Products z·p and (z² − 1)·p of the first features z below with the leading principal components p of the original inputs,
/// in the units of skipped inputs and not whitened.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Principal components, those of all patches ranked by their variance; at most as many as there are inputs.
    pub components: usize,
    /// Height and width in pixels of the patches whose components are taken, about: sides are cut into equal parts. The whole
    /// receptive field if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patch: Option<[usize; 2]>,
    /// How many of the features below take part, the first ones; all if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<usize>,
    /// How much of the variance of their component products z·p have: with ridge, small shares make a node trust them less.
    #[serde(default = "default_products")]
    pub products: f64,
    /// The same for (z² − 1)·p; 0, the usual number, leaves them out.
    #[serde(default)]
    pub squares: f64,
}

fn default_products() -> f64 {
    0.3
}

impl Gate {
    /// So many components, with all else as usual.
    pub fn components(count: usize) -> Self {
        Self { components: count, patch: None, features: None, products: default_products(), squares: 0.0 }
    }

    /// The numbers of features and components that take part, of those that there are.
    pub(super) fn sizes(&self, features: usize, originals: usize) -> (usize, usize) {
        (self.features.unwrap_or(features).min(features), self.components.min(originals))
    }

    /// How many products there are.
    pub(crate) fn width(&self, features: usize, originals: usize) -> usize {
        let (features, components) = self.sizes(features, originals);
        let degrees = 1 + usize::from(self.squares > 0.0);
        [features, components, degrees].into_iter().fold(1, usize::saturating_mul)
    }

    pub(super) fn check(&self, number: usize) -> Result<()> {
        let refuse = |name, value: String, reason| {
            Err(Error::parameter(name, format!("{value} in the gate of layer {number}"), reason))
        };
        let positive = |x: f64| x.is_finite() && x > 0.0;
        match self {
            _ if self.components == 0 => refuse("components", "0".into(), "at least one component is needed"),
            _ if self.features == Some(0) => refuse("features", "0".into(), "at least one feature is needed"),
            _ if self.patch.is_some_and(|patch| patch.contains(&0)) => {
                refuse("patch", format!("{:?}", self.patch.unwrap_or_default()), "sides must be at least 1")
            }
            _ if !positive(self.products) => {
                refuse("products", self.products.to_string(), "it must be positive and finite")
            }
            _ if !(positive(self.squares) || self.squares == 0.0) => {
                refuse("squares", self.squares.to_string(), "it must be finite and not negative")
            }
            _ => Ok(()),
        }
    }

    /// The inputs of every patch, of a field of so many rows, columns and values per pixel.
    pub(crate) fn patches(&self, [height, width]: [usize; 2], channels: usize) -> Vec<Vec<usize>> {
        let [rows, columns] = self.patch.unwrap_or([height, width]);
        let mut patches = Vec::new();
        for row in parts(height, rows) {
            for column in parts(width, columns) {
                let pixel = |y: usize| (y * width + column.start) * channels..(y * width + column.end) * channels;
                patches.push(row.clone().flat_map(pixel).collect());
            }
        }
        patches
    }

    /// Inputs of the largest patch.
    pub(crate) fn longest(&self, field: [usize; 2], channels: usize) -> usize {
        let patch = self.patch.unwrap_or(field);
        let side = |a: usize| field[a].div_ceil(count(field[a], patch[a]));
        side(0).saturating_mul(side(1)).saturating_mul(channels)
    }

    /// The leading components of all patches.
    pub(super) fn leading(&self, patches: &[Pca], originals: usize) -> GateComponents {
        let longest = patches.iter().map(|pca| pca.mean.len()).max().unwrap_or(0);
        let mut all: Vec<(usize, usize)> =
            patches.iter().enumerate().flat_map(|(k, pca)| (0..pca.variances.len()).map(move |c| (k, c))).collect();
        let variance = |&(patch, component): &(usize, usize)| patches[patch].variances[component];
        all.sort_by(|a, b| variance(b).total_cmp(&variance(a)));
        all.truncate(self.components.min(originals));
        all.sort_unstable();
        let mut weights = Array2::zeros((longest, all.len()));
        for (mut column, &(patch, component)) in weights.axis_iter_mut(Axis(1)).zip(&all) {
            let own = patches[patch].weights.column(component);
            column.slice_mut(s![..own.len()]).assign(&own);
        }
        let means: Vec<ArrayView1<'_, f64>> = patches.iter().map(|pca| pca.mean.view()).collect();
        let mean = ndarray::concatenate(Axis(0), &means).unwrap_or_default();
        GateComponents { mean, weights, patch: all.into_iter().map(|(patch, _)| patch).collect() }
    }
}

/// Into how many parts of about `wanted` a side is cut.
fn count(side: usize, wanted: usize) -> usize {
    (side.saturating_add(wanted / 2) / wanted.max(1)).clamp(1, side.max(1))
}

/// A side in equal parts of about `wanted`.
fn parts(side: usize, wanted: usize) -> Vec<Range<usize>> {
    let count = count(side, wanted);
    (0..count).map(|k| k * side / count..(k + 1) * side / count).collect()
}

/// Principal components of the original inputs, as far as a gate takes them.
#[derive(Debug, Clone, PartialEq)]
pub struct GateComponents {
    /// The weighted mean of the original inputs, patch by patch.
    pub mean: Array1<f64>,
    /// One column per component over the inputs of its patch; patches that are smaller than others end in zeros.
    pub weights: Array2<f64>,
    /// The patch of each component, ascending.
    pub patch: Vec<usize>,
}

/// A gate, ready for samples of type T.
pub(super) struct ReadyGate<T> {
    /// Inputs of each patch that has components, and their map.
    maps: Vec<(Vec<usize>, AffineMap<T>, usize)>,
    features: usize,
    components: usize,
    factors: (T, T),
}

impl<T: NodeNumber> ReadyGate<T> {
    /// For `inputs` features from below; skipped inputs are divided by `scale`.
    pub fn new(gate: &Gate, fitted: &GateComponents, patches: &[Vec<usize>], inputs: usize, scale: f64) -> Self {
        let mut maps = Vec::new();
        let (mut at, mut from) = (0, 0);
        for (k, columns) in patches.iter().enumerate() {
            let count = fitted.patch[from..].iter().take_while(|&&patch| patch == k).count();
            if count > 0 {
                let mean = fitted.mean.slice(s![at..at + columns.len()]).mapv(|m| m / scale);
                let weights = fitted.weights.slice(s![..columns.len(), from..from + count]).to_owned();
                maps.push((columns.clone(), AffineMap::new(&mean, &weights), count));
            }
            (at, from) = (at + columns.len(), from + count);
        }
        let (features, components) = gate.sizes(inputs, fitted.mean.len());
        let factors = (T::from_f64(gate.products.sqrt()), T::from_f64(gate.squares.sqrt()));
        Self { maps, features, components, factors }
    }

    fn degrees(&self) -> usize {
        1 + usize::from(self.factors.1 != T::default())
    }

    /// How many products there are.
    pub fn width(&self) -> usize {
        self.features * self.components * self.degrees()
    }

    /// Writes the products: for every feature first those with z, then those with z² − 1.
    pub fn write(
        &self,
        skipped: ArrayView2<'_, T>,
        features: ArrayView2<'_, T>,
        mut out: ArrayViewMut2<'_, T>,
        buffers: &Buffers<T>,
    ) {
        let rows = skipped.nrows();
        let mut components = buffers.matrix(rows, self.components);
        let mut components = components.view_mut();
        let mut from = 0;
        for (columns, map, count) in &self.maps {
            let mut patch = buffers.matrix(rows, columns.len());
            let mut patch = patch.view_mut();
            for (mut to, row) in patch.outer_iter_mut().zip(skipped.outer_iter()) {
                to.iter_mut().zip(columns).for_each(|(to, &column)| *to = row[column]);
            }
            map.apply_in_place(patch, components.slice_mut(s![.., from..from + count]));
            from += count;
        }
        let one = T::from_f64(1.0);
        for ((z, p), mut out) in features.outer_iter().zip(components.outer_iter()).zip(out.outer_iter_mut()) {
            let mut blocks = out.exact_chunks_mut(self.components.max(1)).into_iter();
            for &z in z.iter().take(self.features) {
                let factors = [self.factors.0 * z, self.factors.1 * (z * z - one)];
                for factor in &factors[..self.degrees()] {
                    let Some(mut block) = blocks.next() else { return };
                    block.zip_mut_with(&p, |out, &p| *out = *factor * p);
                }
            }
        }
    }
}
