use ndarray::{Array2, ArrayView2};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pairs::{VertexWeights, pair_graph};
use crate::graph::{Coupling, GraphInput, Sparse, TrainingGraph};
use crate::labels::LabelValues;
use crate::{Error, Result};

/// The k-nearest-neighbour graph of given vectors (the samples, or the numeric labels where there are none): two vertices are connected if one is
/// among the k nearest of the other. With the degrees as vertex weights, GSFA on it is the locality preserving
/// projection.
///
/// Neighbours are exact, by Euclidean distance; of equally distant ones the lower index is taken. The search costs
/// $O(N^2)$ distances and $O(Nk)$ memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearestNeighbors {
    /// The number of neighbours, k.
    #[serde(default = "default_neighbors")]
    #[schemars(extend("flag" = "K", "minimum" = 1))]
    pub neighbors: usize,
    /// Weights $\exp(-\|x - x'\|^2 / t)$ with this t instead of 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub heat: Option<f64>,
    /// Where the vertex weights come from.
    #[serde(default = "degrees")]
    pub vertex_weights: VertexWeights,
}

fn default_neighbors() -> usize {
    5
}

fn degrees() -> VertexWeights {
    VertexWeights::Degrees
}

impl Default for NearestNeighbors {
    fn default() -> Self {
        Self { neighbors: default_neighbors(), heat: None, vertex_weights: degrees() }
    }
}

impl NearestNeighbors {
    /// k neighbours, weights of 1, degrees as vertex weights.
    pub fn new(neighbors: usize) -> Self {
        Self { neighbors, ..Self::default() }
    }

    /// Builds the graph.
    ///
    /// # Errors
    /// If k is 0 or not below N, the heat is not positive, or there are no vectors or one is not finite.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let n = input.len();
        if self.neighbors == 0 || self.neighbors >= n {
            let reason = format!("it must be at least 1 and below the number of samples, {n}");
            return Err(Error::parameter("neighbors", self.neighbors, reason));
        }
        if let Some(t) = self.heat.filter(|t| !(t.is_finite() && *t > 0.0)) {
            return Err(Error::parameter("heat", t, "it must be positive"));
        }
        let from_labels;
        let vectors = match input.vectors() {
            Some(vectors) => vectors,
            None => {
                from_labels = label_vectors(input)?;
                from_labels.view()
            }
        };
        for (row, values) in vectors.outer_iter().enumerate() {
            if let Some(column) = values.iter().position(|x| !x.is_finite()) {
                return Err(Error::NonFiniteSample { row, column, total: 1 });
            }
        }
        let coupling = Coupling::Sparse(Sparse::trusted(n, self.edges(vectors)));
        pair_graph(input, coupling, &self.vertex_weights)
    }

    /// Both directions of every edge, once.
    fn edges(&self, vectors: ArrayView2<'_, f64>) -> Vec<(u32, u32, f64)> {
        let rows = vectors.as_standard_layout();
        let rows = rows.view();
        let nearest: Vec<Vec<(f64, u32)>> =
            (0..rows.nrows()).into_par_iter().map(|i| nearest(rows, i, self.neighbors)).collect();
        let mut edges: Vec<(u32, u32, f64)> = Vec::new();
        for (i, list) in nearest.iter().enumerate() {
            for &(distance, j) in list {
                let weight = self.heat.map_or(1.0, |t| (-distance / t).exp());
                edges.extend([(i as u32, j, weight), (j, i as u32, weight)]);
            }
        }
        // Mutual neighbours were found from both sides.
        edges.sort_by_key(|&(i, j, _)| (i, j));
        edges.dedup_by_key(|&mut (i, j, _)| (i, j));
        edges
    }
}

/// Squared distances and indices of the k rows nearest to row `i`, nearest first.
fn nearest(rows: ArrayView2<'_, f64>, i: usize, k: usize) -> Vec<(f64, u32)> {
    let mut best: Vec<(f64, u32)> = Vec::with_capacity(k + 1);
    let own = rows.row(i);
    for (j, other) in rows.outer_iter().enumerate() {
        if j == i {
            continue;
        }
        let distance: f64 = own.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum();
        if best.len() == k && best.last().is_some_and(|last| distance >= last.0) {
            continue;
        }
        let at = best.partition_point(|b| b.0 <= distance);
        best.insert(at, (distance, j as u32));
        best.truncate(k);
    }
    best
}

/// The numeric labels as vectors.
fn label_vectors(input: &GraphInput<'_>) -> Result<Array2<f64>> {
    let columns: Vec<&Vec<f64>> = input
        .labels()
        .columns()
        .filter_map(|(_, values)| match values {
            LabelValues::Numbers(x) => Some(x),
            LabelValues::Classes(_) => None,
        })
        .collect();
    if columns.is_empty() {
        return Err(Error::parameter("vectors", "none", "nearest neighbours need vectors or numeric labels"));
    }
    Ok(Array2::from_shape_fn((input.len(), columns.len()), |(n, j)| columns[j][n]))
}
