//! Matrix products.

use faer::{Accum, Par, linalg::matmul::matmul};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::convert::{as_faer, as_faer_mut};
use super::lower_product::zeros;
use super::real::Real;

/// Rows of a product that one thread computes at a time.
const ROWS: usize = 256;

/// `out = a·b`, sequential.
pub fn multiply_into<T: Real>(out: ArrayViewMut2<'_, T>, a: ArrayView2<'_, T>, b: ArrayView2<'_, T>) {
    matmul(as_faer_mut(out), Accum::Replace, as_faer(a), as_faer(b), T::from_f64(1.0), Par::Seq);
}

/// Products summed at a time: above twice this the backend splits sums in a way that depends on the number of rows.
const DEPTH: usize = 256;

/// `out = a·b`, sequential; the bits of a row of `out` depend on its row of `a` only, not on how many rows there are.
pub fn multiply_rows_into<T: Real>(mut out: ArrayViewMut2<'_, T>, a: ArrayView2<'_, T>, b: ArrayView2<'_, T>) {
    let slice = |from: usize, out: ArrayViewMut2<'_, T>| {
        let range = from..(from + DEPTH).min(a.ncols());
        multiply_into(out, a.slice(s![.., range.clone()]), b.slice(s![range, ..]));
    };
    slice(0, out.view_mut());
    // Added here: the backend adds to what is there in an order that depends on the number of rows, too.
    let mut part = Array2::from_elem(if a.ncols() > DEPTH { out.dim() } else { (0, 0) }, T::default());
    for from in (DEPTH..a.ncols()).step_by(DEPTH) {
        slice(from, part.view_mut());
        out.zip_mut_with(&part, |sum, x| *sum = sum.plus(*x));
    }
}

/// `a·b` in column-major order; strips of rows run in parallel.
pub fn multiply(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut out = zeros(a.nrows(), b.ncols());
    if a.nrows() <= ROWS || a.ncols() * b.ncols() < ROWS {
        multiply_into(out.view_mut(), a, b);
        return out;
    }
    let strips: Vec<_> = out.axis_chunks_iter_mut(Axis(0), ROWS).zip(a.axis_chunks_iter(Axis(0), ROWS)).collect();
    strips.into_par_iter().for_each(|(out, a)| multiply_into(out, a, b));
    out
}
