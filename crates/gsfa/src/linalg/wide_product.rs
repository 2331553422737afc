//! Sums of products over rows, $X^T Y$, lower triangle, for matrices so wide that one sum is all that memory allows.
//!
//! Rows come in pieces of [`PIECE`], each in column-major order: then both factors of a tile are contiguous runs of
//! memory, and the kernel of the backend works near the peak of the processor. Tiles of the sum run in parallel, each
//! over the rows in order, so that the bits do not depend on the number of threads.

use std::sync::Mutex;

use faer::{Accum, Par, linalg::matmul::matmul};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::convert::{as_faer, as_faer_mut};
use super::lower_product::{update_lower, zeros};
use super::real::Real;

/// Rows of a piece: two tiles of it fit into the second cache beside their product.
pub const PIECE: usize = 128;

/// Side of a tile: a multiple of the 48 rows (96 in f32) that the kernel takes at a time.
const TILE: usize = 288;

/// Pieces whose products are added up in the type of the samples before they enter the f64 sum.
const PIECES: usize = 8;

/// Copies at most [`PIECE`] rows to a column-major piece, in the memory of an earlier one.
pub fn fill_piece<T: Real>(piece: &mut Array2<T>, rows: ArrayView2<'_, T>) {
    /// Rows that are read side by side, so that whole cache lines are read and written.
    const LINE: usize = 16;
    if piece.dim() != rows.dim() {
        *piece = zeros(rows.nrows(), rows.ncols());
    }
    for (mut to, from) in piece.axis_chunks_iter_mut(Axis(0), LINE).zip(rows.axis_chunks_iter(Axis(0), LINE)) {
        for (mut to, from) in to.axis_iter_mut(Axis(1)).zip(from.axis_iter(Axis(1))) {
            to.iter_mut().zip(from).for_each(|(o, x)| *o = *x);
        }
    }
}

/// `sum += XᵀY`, lower triangle, for X and Y in pieces with the same rows.
pub fn add_wide_product<T: Real>(sum: &mut Array2<f64>, x: &[Array2<T>], y: &[Array2<T>]) {
    // Products pass from tile to tile: giving memory back to the system and asking for it again stops all threads.
    let spare: Mutex<Vec<Array2<T>>> = Mutex::default();
    let taken = || spare.lock().ok().and_then(|mut spare| spare.pop()).unwrap_or_else(|| zeros(TILE, TILE));
    for_lower_tiles(&mut sum.view_mut(), TILE, |rows, columns, mut tile| {
        let mut buffer = taken();
        let mut product = buffer.slice_mut(s![..rows.len(), ..columns.len()]);
        for (x, y) in x.chunks(PIECES).zip(y.chunks(PIECES)) {
            let mut accum = Accum::Replace;
            for (x, y) in x.iter().zip(y) {
                let x = as_faer(x.slice(s![.., rows.clone()]));
                let y = as_faer(y.slice(s![.., columns.clone()]));
                let out = as_faer_mut(product.view_mut());
                if rows.start == columns.start {
                    update_lower(out, x, y, accum);
                } else {
                    matmul(out, accum, x.transpose(), y, T::from_f64(1.0), Par::Seq);
                }
                accum = Accum::Add;
            }
            for (mut sum, product) in tile.axis_iter_mut(Axis(1)).zip(product.axis_iter(Axis(1))) {
                sum.zip_mut_with(&product, |s, p| *s += p.to_f64());
            }
        }
        if let Ok(mut spare) = spare.lock() {
            spare.push(buffer);
        }
    });
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
