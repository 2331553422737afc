//! Estimation in parallel over blocks of rows.

use ndarray::{ArrayView2, Axis};
use rayon::prelude::*;

/// Rows per block. Rows are estimated one by one, so that it changes the time only.
const ROWS: usize = 256;

/// `work` on every block of rows, results in the order of the blocks.
pub fn in_blocks<R: Send>(
    features: ArrayView2<'_, f64>,
    work: impl Fn(ArrayView2<'_, f64>) -> R + Send + Sync,
) -> Vec<R> {
    let blocks: Vec<_> = features.axis_chunks_iter(Axis(0), ROWS).collect();
    blocks.into_par_iter().map(work).collect()
}
