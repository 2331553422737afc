//! Sums of products over rows, $X^T Y$, lower triangle, for matrices so wide that one sum is all that memory allows.
//!
//! Rows come in packed pieces of [`PIECE`]. Tiles of the sum run in parallel, each over the rows in order, so that the
//! bits do not depend on the number of threads.

use ndarray::{ArrayViewMut2, Axis};
use rayon::prelude::*;

use super::buffers::Buffers;
use super::panels::{DEPTH, Panels, add_product};
use super::real::Real;

/// Rows of a piece.
pub const PIECE: usize = DEPTH;

/// Side of a tile, a whole number of panels.
const TILE: usize = 288;

/// `sum += factor·XᵀY`, lower triangle, for X and Y in pieces with the same rows.
pub fn add_wide_product<T: Real>(
    mut sum: ArrayViewMut2<'_, f64>,
    factor: f64,
    x: &[Panels<'_, T>],
    y: &[Panels<'_, T>],
) {
    // Products pass from tile to tile: giving memory back to the system and asking for it again stops all threads.
    let buffers = Buffers::<T>::default();
    for_lower_tiles(&mut sum, TILE, |rows, columns, mut tile| {
        let mut product = buffers.sums(TILE, TILE);
        for (k, pieces) in x.iter().zip(y).enumerate() {
            add_product(k == 0, product.values_mut(), TILE, pieces, (rows.clone(), columns.clone()));
        }
        for (mut sum, product) in tile.axis_iter_mut(Axis(1)).zip(product.values().chunks(TILE)) {
            sum.iter_mut().zip(product).for_each(|(s, p)| *s += factor * p);
        }
    });
}

/// Calls `visit(rows, columns, tile)` in parallel for the tiles of the lower triangle; tiles on the diagonal are whole
/// squares.
fn for_lower_tiles(
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
