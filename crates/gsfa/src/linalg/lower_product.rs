//! Sums of products over rows, $X^T Y$, of which only the lower triangle is needed because it is symmetric.
//!
//! For narrow matrices: blocks of rows run in parallel, each into a partial sum of its own, which the caller adds in the
//! order of the blocks. Where the partial sums would be too large, [`wide_product`](super::wide_product) takes over.

use faer::{Accum, MatMut, MatRef, Par, linalg::matmul::matmul};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, ShapeBuilder};

use super::convert::{as_faer, as_faer_mut};
use super::real::Real;

/// From this many columns on, tiles of one sum run in parallel instead of blocks of rows.
pub const WIDE: usize = 1000;

/// Columns of one panel of a narrow product; the kernel is fastest at small multiples of the vector length.
const PANEL: usize = 32;

/// A zero matrix in column-major order, which the backend prefers.
pub fn zeros<T: Real>(rows: usize, columns: usize) -> Array2<T> {
    Array2::from_elem((rows, columns).f(), T::default())
}

/// The lower triangle of $X^T Y$ for one block of rows, sequential; entries above the diagonal are unspecified.
pub fn lower_product<T: Real>(x: ArrayView2<'_, T>, y: ArrayView2<'_, T>) -> Array2<T> {
    let mut out = zeros(x.ncols(), x.ncols());
    lower_product_into(out.view_mut(), x, y);
    out
}

/// The same into `out`.
pub fn lower_product_into<T: Real>(out: ArrayViewMut2<'_, T>, x: ArrayView2<'_, T>, y: ArrayView2<'_, T>) {
    update_lower(as_faer_mut(out), as_faer(x), as_faer(y), Accum::Replace);
}

/// The same, added to `out` or in its place.
pub(super) fn update_lower<T: Real>(mut out: MatMut<'_, T>, x: MatRef<'_, T>, y: MatRef<'_, T>, accum: Accum) {
    let columns = x.ncols();
    for from in (0..columns).step_by(PANEL) {
        let width = PANEL.min(columns - from);
        let below = out.as_mut().submatrix_mut(from, from, columns - from, width);
        let left = x.transpose().subrows(from, columns - from);
        matmul(below, accum, left, y.subcols(from, width), T::from_f64(1.0), Par::Seq);
    }
}

/// `sum += part`, lower triangles.
pub fn add_lower<T: Real>(sum: &mut Array2<f64>, part: ArrayView2<'_, T>) {
    for (j, (mut s, p)) in sum.axis_iter_mut(Axis(1)).zip(part.axis_iter(Axis(1))).enumerate() {
        match (s.as_slice_mut(), p.as_slice()) {
            (Some(s), Some(p)) => s[j..].iter_mut().zip(&p[j..]).for_each(|(s, p)| *s += p.to_f64()),
            _ => s.iter_mut().zip(p).skip(j).for_each(|(s, p)| *s += p.to_f64()),
        }
    }
}

/// Copies the lower triangle to the upper one.
pub fn symmetrise(a: &mut Array2<f64>) {
    let n = a.nrows();
    for from in (0..n).step_by(64) {
        for row in 0..n {
            for column in from.max(row + 1)..(from + 64).min(n).max(from) {
                a[[row, column]] = a[[column, row]];
            }
        }
    }
}
