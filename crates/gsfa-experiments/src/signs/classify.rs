//! Nearest centroids, for every number of features at once.

use std::ops::RangeInclusive;

use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;

/// Rows that one thread classifies at a time.
const ROWS: usize = 256;

/// The nearest class of each sample with the first d features, for each d of a range; of equally near ones the first.
///
/// One row per sample, one column per d. Features that do not exist change nothing.
pub(super) fn nearest(features: ArrayView2<'_, f64>, centroids: &Array2<f64>, d: RangeInclusive<usize>) -> Array2<u32> {
    let (from, to) = (*d.start(), *d.end());
    let mut out = Array2::zeros((features.nrows(), to + 1 - from));
    let blocks: Vec<_> =
        features.axis_chunks_iter(Axis(0), ROWS).zip(out.axis_chunks_iter_mut(Axis(0), ROWS)).collect();
    blocks.into_par_iter().for_each(|(rows, mut out)| {
        let mut distances = vec![0.0; centroids.nrows()];
        for (row, mut out) in rows.outer_iter().zip(out.outer_iter_mut()) {
            distances.fill(0.0);
            for d in 1..=to {
                if let Some(y) = row.get(d - 1) {
                    for (distance, m) in distances.iter_mut().zip(centroids.column(d - 1)) {
                        *distance += (y - m) * (y - m);
                    }
                }
                if d >= from {
                    out[d - from] = smallest(&distances);
                }
            }
        }
    });
    out
}

fn smallest(distances: &[f64]) -> u32 {
    let mut best = (f64::INFINITY, 0);
    for (c, &distance) in distances.iter().enumerate() {
        if distance < best.0 {
            best = (distance, c as u32);
        }
    }
    best.1
}

/// The share of wrong classes among some samples in percent, for each column of estimates.
pub(super) fn error_rates(estimates: &Array2<u32>, classes: &[u32], rows: &[usize]) -> Vec<f64> {
    let wrong = |column: ndarray::ArrayView1<'_, u32>| rows.iter().filter(|&&n| column[n] != classes[n]).count();
    estimates.columns().into_iter().map(|column| 100.0 * wrong(column) as f64 / rows.len().max(1) as f64).collect()
}
