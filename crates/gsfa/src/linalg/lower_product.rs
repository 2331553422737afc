//! Sums of products over rows, $X^T Y$, of which only the lower triangle is needed because it is symmetric.
//!
//! For narrow matrices: blocks of rows run in parallel, each into a partial sum of its own, which the caller adds in the
//! order of the blocks. Where the partial sums would be too large, [`wide_product`](super::wide_product) takes over.

use ndarray::{Array2, Axis, ShapeBuilder};
use rayon::prelude::*;

use super::buffers::{Buffer, Buffers};
use super::memory::zeroed;
use super::panels::{Panels, add_product};
use super::real::Real;

/// From this many columns on, tiles of one sum run in parallel instead of blocks of rows.
pub const WIDE: usize = 1000;

/// A zero matrix in column-major order, which the backend prefers.
pub fn zeros<T: Real>(rows: usize, columns: usize) -> Array2<T> {
    // A shape that does not fit the length cannot come up; it would give an empty matrix.
    Array2::from_shape_vec((rows, columns).f(), zeroed(rows * columns)).unwrap_or_default()
}

/// The lower triangle of $X^T Y$ for one block of rows in pieces, sequential, padded to whole panels; entries above the
/// diagonal and beyond the columns are unspecified.
pub fn lower_product<'b, T: Real>(
    x: &[Panels<'_, T>],
    y: &[Panels<'_, T>],
    buffers: &'b Buffers<T>,
) -> Buffer<'b, f64> {
    let columns = x.first().map_or(0, Panels::columns);
    let side = x.first().map_or(0, Panels::padded);
    let mut out = buffers.sums(side, side);
    for (k, pair) in x.iter().zip(y).enumerate() {
        add_product(k == 0, out.values_mut(), side, pair, (0..columns, 0..columns));
    }
    out
}

/// Columns of a sum that one thread adds at least: fewer are not worth the call.
const COLUMNS: usize = 32;

/// `sum += part`, lower triangles, for the products of blocks in their order. Columns in parallel: one thread would mostly
/// wait for what others have in their caches, and they for it.
pub fn add_lower(sum: &mut Array2<f64>, parts: &[&Buffer<'_, f64>]) {
    let columns: Vec<_> = sum.axis_iter_mut(Axis(1)).enumerate().collect();
    columns.into_par_iter().with_min_len(COLUMNS).for_each(|(j, mut sum)| {
        for part in parts {
            let side = part.view().ncols();
            let part = &part.values()[j * side..(j + 1) * side];
            match sum.as_slice_mut() {
                Some(sum) => sum[j..].iter_mut().zip(&part[j..]).for_each(|(s, p)| *s += p),
                None => sum.iter_mut().zip(part).skip(j).for_each(|(s, p)| *s += p),
            }
        }
    });
}

/// Copies the lower triangle to the upper one.
pub fn symmetrize(a: &mut Array2<f64>) {
    let n = a.nrows();
    for from in (0..n).step_by(64) {
        for row in 0..n {
            for column in from.max(row + 1)..(from + 64).min(n).max(from) {
                a[[row, column]] = a[[column, row]];
            }
        }
    }
}
