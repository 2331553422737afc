//! Matrix products.

use faer::{Accum, Par, linalg::matmul::matmul};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::convert::{as_faer, as_faer_mut};
use super::lower_product::zeros;
use super::real::Real;
use super::upper_halves::ClearedUpperHalves;
#[cfg(target_arch = "x86_64")]
use crate::vectors::Vectors;

/// Rows of a product that one thread computes at a time.
const ROWS: usize = 256;

/// `out = a·b`, sequential.
pub fn multiply_into<T: Real>(out: ArrayViewMut2<'_, T>, a: ArrayView2<'_, T>, b: ArrayView2<'_, T>) {
    let _cleared = ClearedUpperHalves;
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

/// With fewer columns the backend takes a matrix for a vector.
#[cfg(target_arch = "x86_64")]
const FEWEST_COLUMNS: usize = 4;

/// As [`multiply_rows_into`], with the same bits, for one to three rows: there the backend packs and fills up more than
/// it computes. Nothing, and false, on machines without fused steps, if the rows of `b` are not contiguous, or for few
/// columns, which the backend sums in another order.
pub fn multiply_few_rows_into<T: Real>(out: ArrayViewMut2<'_, T>, a: ArrayView2<'_, T>, b: ArrayView2<'_, T>) -> bool {
    #[cfg(target_arch = "x86_64")]
    if let Some(b) = b.as_slice()
        && out.ncols() >= FEWEST_COLUMNS
        && Vectors::Avx2.usable()
    {
        // SAFETY: the machine has the features.
        unsafe { multiply_few_rows(out, a, b) };
        return true;
    }
    false
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn multiply_few_rows<T: Real>(mut out: ArrayViewMut2<'_, T>, a: ArrayView2<'_, T>, b: &[T]) {
    for (a, mut out) in a.outer_iter().zip(out.outer_iter_mut()) {
        match (a.as_slice(), out.as_slice_mut()) {
            (Some(a), Some(out)) => multiply_row(out, a, b),
            _ => {
                let mut row = vec![T::default(); out.len()];
                multiply_row(&mut row, &a.to_vec(), b);
                out.iter_mut().zip(row).for_each(|(o, x)| *o = x);
            }
        }
    }
}

/// One row; `b` has as many columns as `out`. Products are added in order, slice by slice.
#[inline(always)]
fn multiply_row<T: Real>(out: &mut [T], a: &[T], b: &[T]) {
    let columns = out.len();
    for (k, a) in a.chunks(DEPTH).enumerate() {
        let b = &b[k * DEPTH * columns..];
        let mut at = 0;
        while at < columns {
            // As many columns at once as there are registers for: every sum waits for its last step.
            at += match columns - at {
                64.. if T::BYTES == 4 => multiply_columns::<T, 64>(&mut out[at..], a, &b[at..], columns, k == 0),
                48.. => multiply_columns::<T, 48>(&mut out[at..], a, &b[at..], columns, k == 0),
                40.. => multiply_columns::<T, 40>(&mut out[at..], a, &b[at..], columns, k == 0),
                32.. => multiply_columns::<T, 32>(&mut out[at..], a, &b[at..], columns, k == 0),
                24.. => multiply_columns::<T, 24>(&mut out[at..], a, &b[at..], columns, k == 0),
                16.. => multiply_columns::<T, 16>(&mut out[at..], a, &b[at..], columns, k == 0),
                8.. => multiply_columns::<T, 8>(&mut out[at..], a, &b[at..], columns, k == 0),
                4.. => multiply_columns::<T, 4>(&mut out[at..], a, &b[at..], columns, k == 0),
                2.. => multiply_columns::<T, 2>(&mut out[at..], a, &b[at..], columns, k == 0),
                _ => multiply_columns::<T, 1>(&mut out[at..], a, &b[at..], columns, k == 0),
            };
        }
    }
}

/// `WIDTH` neighbouring columns, whose sums stay in registers.
#[inline(always)]
fn multiply_columns<T: Real, const WIDTH: usize>(out: &mut [T], a: &[T], b: &[T], stride: usize, first: bool) -> usize {
    let mut sums = [T::default(); WIDTH];
    for (&factor, row) in a.iter().zip(b.chunks(stride)) {
        for (sum, &x) in sums.iter_mut().zip(&row[..WIDTH]) {
            *sum = factor.fused(x, *sum);
        }
    }
    for (out, sum) in out.iter_mut().zip(sums) {
        *out = if first { sum } else { out.plus(sum) };
    }
    WIDTH
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
