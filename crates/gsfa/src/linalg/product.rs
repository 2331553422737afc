//! Matrix products.

use faer::{Accum, Par, linalg::matmul::matmul};
use ndarray::{ArrayView2, ArrayViewMut2};

use super::convert::{as_faer, as_faer_mut};

/// `out = a·b`, sequential.
pub fn multiply_into(out: ArrayViewMut2<'_, f64>, a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) {
    matmul(as_faer_mut(out), Accum::Replace, as_faer(a), as_faer(b), 1.0, Par::Seq);
}
