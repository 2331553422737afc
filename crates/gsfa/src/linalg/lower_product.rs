//! Sums of products over rows, $X^T Y$, of which only the lower triangle is needed because it is symmetric.
//!
//! Two ways, chosen by the width alone. Narrow: blocks of rows run in parallel, each into a partial sum of its own,
//! which the caller adds in the order of the blocks. Wide: the partial sums would be too large, so tiles of the one sum
//! run in parallel, each over the rows in order. Either way the bits do not depend on the number of threads.

use faer::{Accum, MatMut, MatRef, Par, linalg::matmul::matmul};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, ShapeBuilder};
use rayon::prelude::*;

use super::convert::{as_faer, as_faer_mut};
use super::real::Real;

/// From this many columns on, tiles of the sum run in parallel instead of blocks of rows.
pub const WIDE: usize = 1000;

/// Columns of one panel of a narrow product; the kernel is fastest at small multiples of the vector length.
const PANEL: usize = 32;

/// Side of a tile of a wide product.
const TILE: usize = 256;

/// Rows that a tile takes at a time; more do not fit into the fastest caches.
const DEPTH: usize = 128;

/// A zero matrix in column-major order, which the backend prefers.
pub fn zeros<T: Real>(rows: usize, columns: usize) -> Array2<T> {
    Array2::from_elem((rows, columns).f(), T::default())
}

/// The lower triangle of $X^T Y$ for one block of rows, sequential; entries above the diagonal are unspecified.
pub fn lower_product<T: Real>(x: ArrayView2<'_, T>, y: ArrayView2<'_, T>) -> Array2<T> {
    let mut out = zeros(x.ncols(), x.ncols());
    lower_product_into(as_faer_mut(out.view_mut()), as_faer(x), as_faer(y), Accum::Replace);
    out
}

fn lower_product_into<T: Real>(mut out: MatMut<'_, T>, x: MatRef<'_, T>, y: MatRef<'_, T>, accum: Accum) {
    let columns = x.ncols();
    for from in (0..columns).step_by(PANEL) {
        let width = PANEL.min(columns - from);
        let below = out.as_mut().submatrix_mut(from, from, columns - from, width);
        let left = x.transpose().subrows(from, columns - from);
        matmul(below, accum, left, y.subcols(from, width), T::from_f64(1.0), Par::Seq);
    }
}

/// `sum += part`, lower triangles.
pub fn add_lower<T: Real>(sum: &mut Array2<f64>, part: &Array2<T>) {
    for (j, (mut s, p)) in sum.axis_iter_mut(Axis(1)).zip(part.axis_iter(Axis(1))).enumerate() {
        for i in j..s.len() {
            s[i] += p[i].to_f64();
        }
    }
}

/// `sum += XᵀY`, lower triangle, tiles in parallel.
pub fn add_wide_product<T: Real>(sum: &mut Array2<f64>, x: ArrayView2<'_, T>, y: ArrayView2<'_, T>) {
    let left = slabs(x);
    let other = (x.as_ptr() != y.as_ptr()).then(|| slabs(y));
    let right = other.as_ref().unwrap_or(&left);
    for_lower_tiles(&mut sum.view_mut(), TILE, |rows, columns, mut tile| {
        let (x, y) = (as_faer(left[rows.start / TILE].view()), as_faer(right[columns.start / TILE].view()));
        let mut product = zeros::<T>(rows.len(), columns.len());
        let mut out = as_faer_mut(product.view_mut());
        for from in (0..x.nrows()).step_by(DEPTH) {
            let depth = DEPTH.min(x.nrows() - from);
            let (x, y) = (x.subrows(from, depth), y.subrows(from, depth));
            if rows.start == columns.start {
                lower_product_into(out.as_mut(), x, y, Accum::Add);
            } else {
                matmul(out.as_mut(), Accum::Add, x.transpose(), y, T::from_f64(1.0), Par::Seq);
            }
        }
        tile.zip_mut_with(&product, |s, p| *s += p.to_f64());
    });
}

/// The columns of each tile copied next to each other: rows of a wide matrix lie pages apart, and reading tiles from it
/// directly halves the speed.
fn slabs<T: Real>(x: ArrayView2<'_, T>) -> Vec<Array2<T>> {
    let strips: Vec<_> = x.axis_chunks_iter(Axis(1), TILE).collect();
    strips.into_par_iter().map(|strip| strip.as_standard_layout().into_owned()).collect()
}

/// Calls `visit(rows, columns, tile)` in parallel for the tiles of the lower triangle; tiles on the diagonal are whole
/// squares.
pub fn for_lower_tiles(
    matrix: &mut ArrayViewMut2<'_, f64>,
    side: usize,
    visit: impl Fn(std::ops::Range<usize>, std::ops::Range<usize>, ArrayViewMut2<'_, f64>) + Sync,
) {
    let n = matrix.nrows();
    let mut tiles = Vec::new();
    let mut rest = matrix.view_mut();
    let mut column = 0;
    while column < n {
        let width = side.min(n - column);
        let (strip, after) = rest.split_at(Axis(1), width);
        rest = after;
        let (_, mut below) = strip.split_at(Axis(0), column);
        let mut row = column;
        while row < n {
            let height = side.min(n - row);
            let (tile, after) = below.split_at(Axis(0), height);
            below = after;
            tiles.push((row..row + height, column..column + width, tile));
            row += height;
        }
        column += width;
    }
    tiles.into_par_iter().with_max_len(1).for_each(|(rows, columns, tile)| visit(rows, columns, tile));
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
