//! Cholesky factors, and solving with them.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltRegularization, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Par, Spec};
use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::buffers::Buffers;
use super::convert::{as_faer, as_faer_mut};
use super::panels::Panels;
use super::upper_halves::ClearedUpperHalves;
use super::wide_product::add_wide_product;

/// Side of the tiles of a factorisation, a multiple of the 48 rows that the kernel takes at a time; smaller matrices are
/// factored in one piece.
const TILE: usize = 288;

/// Columns of L that an update of the trailing square takes at a time.
const DEPTH: usize = TILE / 3;

/// Right-hand sides that are solved together.
const STRIP: usize = 64;

/// Replaces the lower triangle of a positive definite matrix by its factor L, $A = LL^T$; zeros above the diagonal stay,
/// other values there are unspecified. False if a pivot is not positive.
///
/// Right-looking over tiles, which run in parallel; each tile takes its updates in a fixed order.
pub fn cholesky_in_place_lower(a: &mut Array2<f64>) -> bool {
    let n = a.nrows();
    let buffers = Buffers::default();
    for from in (0..n).step_by(TILE) {
        let to = (from + TILE).min(n);
        if !factor_tile(a.slice_mut(s![from..to, from..to])) {
            return false;
        }
        clear_upper(a.slice_mut(s![from..to, from..to]));
        if to == n {
            break;
        }
        let (diagonal, mut panel) = a.slice_mut(s![from.., from..to]).split_at(Axis(0), to - from);
        panel.axis_chunks_iter_mut(Axis(0), TILE).collect::<Vec<_>>().into_par_iter().for_each(|rows| {
            let _cleared = ClearedUpperHalves;
            // L₂₁ L₁₁ᵀ = A₂₁, transposed: L₁₁ L₂₁ᵀ = A₂₁ᵀ.
            solve_lower_triangular_in_place(as_faer(diagonal.view()), as_faer_mut(rows.reversed_axes()), Par::Seq);
        });
        let panel = panel.t();
        let rows: Vec<_> = panel.axis_chunks_iter(Axis(0), DEPTH).collect();
        let pieces: Vec<_> = rows.into_par_iter().map(|rows| Panels::of(rows, &buffers)).collect();
        add_wide_product(a.slice_mut(s![to.., to..]), -1.0, &pieces, &pieces);
    }
    true
}

fn factor_tile(tile: ArrayViewMut2<'_, f64>) -> bool {
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(tile.nrows(), Par::Seq, Spec::default()));
    let none = LltRegularization { dynamic_regularization_delta: 0.0, dynamic_regularization_epsilon: 0.0 };
    let _cleared = ClearedUpperHalves;
    cholesky_in_place(as_faer_mut(tile), none, Par::Seq, MemStack::new(&mut memory), Spec::default()).is_ok()
}

/// Zeros above the diagonal. Only tiles on the diagonal of the whole matrix need it: above them nothing was written, and
/// large parts of a large matrix were never touched.
fn clear_upper(mut tile: ArrayViewMut2<'_, f64>) {
    for (j, mut column) in tile.axis_iter_mut(Axis(1)).enumerate() {
        column.iter_mut().take(j).for_each(|x| *x = 0.0);
    }
}

/// $B \leftarrow L^{-1}B$ with the lower triangle of `factor`; strips of columns in parallel.
pub fn solve_lower(factor: ArrayView2<'_, f64>, b: &mut Array2<f64>) {
    b.axis_chunks_iter_mut(Axis(1), STRIP).collect::<Vec<_>>().into_par_iter().for_each(|strip| {
        let _cleared = ClearedUpperHalves;
        solve_lower_triangular_in_place(as_faer(factor), as_faer_mut(strip), Par::Seq);
    });
}

/// $B \leftarrow L^{-T}B$ with the lower triangle of `factor`; strips of columns in parallel.
pub fn solve_lower_transposed(factor: ArrayView2<'_, f64>, b: &mut Array2<f64>) {
    b.axis_chunks_iter_mut(Axis(1), STRIP).collect::<Vec<_>>().into_par_iter().for_each(|strip| {
        let _cleared = ClearedUpperHalves;
        solve_upper_triangular_in_place(as_faer(factor.t()), as_faer_mut(strip), Par::Seq);
    });
}

/// An estimate, from above, of the smallest eigenvalue of $LL^T$ by inverse iteration.
///
/// A small pivot shows a nearly singular matrix, but not every nearly singular matrix has one.
pub fn smallest_eigenvalue(factor: ArrayView2<'_, f64>) -> f64 {
    let n = factor.nrows();
    // Any start that no eigenvector of a structured matrix is likely to be orthogonal to.
    let mut x = Array2::from_shape_fn((n, 1), |(i, _)| 1.0 + ((i * 7919) % 1013) as f64 / 1013.0);
    let mut inverse = 0.0;
    for _ in 0..4 {
        let size = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        x.mapv_inplace(|x| x / size);
        solve_lower(factor, &mut x);
        inverse = x.iter().map(|x| x * x).sum::<f64>();
        solve_lower_transposed(factor, &mut x);
    }
    1.0 / inverse
}
