//! Affine maps of many rows.

use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::product::multiply_few_rows_into;
use super::{Real, multiply_rows_into, vectorized};

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
    weights: Weights<T>,
}

#[derive(Debug, Clone)]
enum Weights<T> {
    /// One row per input, one column per output.
    Full(Array2<T>),
    /// One output per input, of this weight.
    Diagonal(Vec<T>),
}

impl<T: Real> AffineMap<T> {
    /// From the mean (one value per input) and the weights (one row per input, one column per output).
    pub fn new(mean: &Array1<f64>, weights: &Array2<f64>) -> Self {
        let scales: Vec<f64> = weights.outer_iter().map(|row| row_scale(row.iter(), T::LARGEST_EXPONENT)).collect();
        // Inputs of weight 0 get scale 0, which takes them out whatever they are.
        let scaled = |(i, j): (usize, usize)| if scales[i] == 0.0 { 0.0 } else { weights[[i, j]] / scales[i] };
        Self {
            mean: mean.iter().map(|m| T::from_f64(*m)).collect(),
            scale: scales.iter().map(|s| T::from_f64(*s)).collect(),
            weights: Weights::Full(Array2::from_shape_fn(weights.dim(), |at| T::from_f64(scaled(at)))),
        }
    }

    /// Every input by itself: from the mean and the weight of each.
    pub fn diagonal(mean: &Array1<f64>, weights: &Array1<f64>) -> Self {
        let scales: Vec<f64> = weights.iter().map(|w| row_scale(std::iter::once(w), T::LARGEST_EXPONENT)).collect();
        let scaled = |(w, scale): (&f64, &f64)| T::from_f64(if *scale == 0.0 { 0.0 } else { w / scale });
        Self {
            mean: mean.iter().map(|m| T::from_f64(*m)).collect(),
            weights: Weights::Diagonal(weights.iter().zip(&scales).map(scaled).collect()),
            scale: scales.into_iter().map(T::from_f64).collect(),
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
    pub fn apply_block(&self, x: ArrayView2<'_, T>, out: ArrayViewMut2<'_, T>) {
        self.apply_in_place(x.as_standard_layout().into_owned().view_mut(), out);
    }

    /// The same for a block of rows that nobody needs any more: it is centred where it is.
    pub fn apply_in_place(&self, mut x: ArrayViewMut2<'_, T>, out: ArrayViewMut2<'_, T>) {
        center(x.view_mut(), &self.mean, &self.scale);
        self.multiply(x.view(), out);
    }

    /// Which of some values, given to the inputs from `first` on, moves the outputs most: of a sample whose outputs are
    /// no numbers, the one to blame.
    pub(crate) fn farthest_input<'a>(&self, first: usize, values: impl Iterator<Item = &'a T>) -> Option<Farthest> {
        let map = self.mean.iter().zip(&self.scale).skip(first);
        let moved = values.zip(map).enumerate().map(|(input, (x, (mean, scale)))| {
            let distance = (x.to_f64() - mean.to_f64()).abs();
            // Where the map does not look at any input, the largest.
            Farthest { by: distance * scale.to_f64(), distance, input, value: x.to_f64() }
        });
        moved.max_by(|a, b| a.by.total_cmp(&b.by).then(a.distance.total_cmp(&b.distance)))
    }

    /// The product of centred rows and the weights.
    fn multiply(&self, centered: ArrayView2<'_, T>, mut out: ArrayViewMut2<'_, T>) {
        let rows = centered.nrows();
        let weights = match &self.weights {
            Weights::Full(weights) => weights.view(),
            Weights::Diagonal(weights) => {
                for (mut out, row) in out.outer_iter_mut().zip(centered.outer_iter()) {
                    // A sum, as products with a matrix are: −0 does not come out of one.
                    let products = out.iter_mut().zip(row).zip(weights);
                    products.for_each(|((out, &x), &weight)| *out = x.times(weight).plus(T::default()));
                }
                return;
            }
        };
        if rows >= FEWEST {
            return multiply_rows_into(out, centered, weights);
        }
        if multiply_few_rows_into(out.view_mut(), centered, weights) {
            return;
        }
        let mut filled_up = Array2::from_elem((FEWEST, centered.ncols()), T::default());
        filled_up.slice_mut(s![..rows, ..]).assign(&centered);
        let mut products = Array2::from_elem((FEWEST, out.ncols()), T::default());
        multiply_rows_into(products.view_mut(), filled_up.view(), weights);
        out.assign(&products.slice(s![..rows, ..]));
    }
}

/// An input far from its mean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Farthest {
    /// By how much it moves the outputs, about.
    pub by: f64,
    distance: f64,
    /// Which of the values.
    pub input: usize,
    pub value: f64,
}

vectorized! {
    /// `x = (x − m)·s`, column by column.
    fn center<T: Real>(rows: ArrayViewMut2<'_, T>, mean: &[T], scale: &[T]) {
        let mut rows = rows;
        for mut row in rows.outer_iter_mut() {
            match row.as_slice_mut() {
                Some(row) => shift(row.iter_mut(), mean, scale),
                None => shift(row.iter_mut(), mean, scale),
            }
        }
    }
}

#[inline(always)]
fn shift<'a, T: Real>(row: impl Iterator<Item = &'a mut T>, mean: &[T], scale: &[T]) {
    row.zip(mean).zip(scale).for_each(|((x, &m), &s)| *x = x.shifted(m, s));
}

/// A power of two near the largest weight of an input, so that products stay in the range of f32; 0 for dead inputs.
/// Weights of tiny inputs may be beyond the largest power: the rest of it stays with the weights.
fn row_scale<'a>(row: impl Iterator<Item = &'a f64>, limit: i32) -> f64 {
    let largest = row.fold(0.0_f64, |m, w| m.max(w.abs()));
    if largest > 0.0 { 2.0_f64.powi((largest.log2().floor() as i32).clamp(-limit, limit)) } else { 0.0 }
}
