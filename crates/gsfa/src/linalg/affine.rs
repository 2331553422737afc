//! Affine maps of many rows.

use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::{Real, multiply_rows_into};

/// Rows that one thread maps at a time.
const ROWS: usize = 256;

/// Fewer rows than this are filled up: for a single one the backend sums in another order, and the bits of a sample's
/// features must not depend on how many others go with it.
const FEWEST: usize = 4;

/// $y = W^T(x - m)$, ready to be applied to rows of type T: W scaled to the range of T, input by input.
#[derive(Debug, Clone)]
pub struct AffineMap<T> {
    mean: Vec<T>,
    scale: Vec<T>,
    weights: Array2<T>,
}

impl<T: Real> AffineMap<T> {
    /// From the mean (one value per input) and the weights (one row per input, one column per output).
    pub fn new(mean: &Array1<f64>, weights: &Array2<f64>) -> Self {
        let scales: Vec<f64> = weights.outer_iter().map(|row| row_scale(row.iter())).collect();
        // Inputs of weight 0 get scale 0, which takes them out whatever they are.
        let scaled = |(i, j): (usize, usize)| if scales[i] == 0.0 { 0.0 } else { weights[[i, j]] / scales[i] };
        Self {
            mean: mean.iter().map(|m| T::from_f64(*m)).collect(),
            scale: scales.iter().map(|s| T::from_f64(*s)).collect(),
            weights: Array2::from_shape_fn(weights.dim(), |at| T::from_f64(scaled(at))),
        }
    }

    /// Maps rows into `out`, which has one row per sample and one column per output. The bits of a row do not depend on
    /// the other rows.
    pub fn apply_into(&self, samples: ArrayView2<'_, T>, mut out: ArrayViewMut2<'_, T>) {
        let blocks: Vec<_> =
            samples.axis_chunks_iter(Axis(0), ROWS).zip(out.axis_chunks_iter_mut(Axis(0), ROWS)).collect();
        blocks.into_par_iter().for_each(|(x, out)| self.apply_block(x, out));
    }

    /// The same for a block of rows, sequential.
    pub fn apply_block(&self, x: ArrayView2<'_, T>, mut out: ArrayViewMut2<'_, T>) {
        let rows = x.nrows().max(FEWEST);
        let mut centred = Array2::from_elem((rows, x.ncols()), T::default());
        for (mut to, from) in centred.outer_iter_mut().zip(x.outer_iter()) {
            if let (Some(to), Some(from)) = (to.as_slice_mut(), from.as_slice()) {
                for (((o, &x), &m), &s) in to.iter_mut().zip(from).zip(&self.mean).zip(&self.scale) {
                    *o = x.shifted(m, s);
                }
            } else {
                for (((o, &x), &m), &s) in to.iter_mut().zip(from).zip(&self.mean).zip(&self.scale) {
                    *o = x.shifted(m, s);
                }
            }
        }
        if rows == x.nrows() {
            return multiply_rows_into(out, centred.view(), self.weights.view());
        }
        let mut padded = Array2::from_elem((rows, out.ncols()), T::default());
        multiply_rows_into(padded.view_mut(), centred.view(), self.weights.view());
        out.assign(&padded.slice(s![..x.nrows(), ..]));
    }
}

/// A power of two near the largest weight of an input, so that products stay in the range of f32; 0 for dead inputs.
fn row_scale<'a>(row: impl Iterator<Item = &'a f64>) -> f64 {
    let largest = row.fold(0.0_f64, |m, w| m.max(w.abs()));
    if largest > 0.0 { 2.0_f64.powi((largest.log2().floor() as i32).clamp(-1000, 1000)) } else { 0.0 }
}
