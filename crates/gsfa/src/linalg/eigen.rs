//! Eigendecomposition of symmetric matrices, safe at any magnitude.

use faer::{Mat, Side};
use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::convert::{to_faer, to_ndarray};
use super::tolerance;
use super::upper_halves::ClearedUpperHalves;
use crate::{Error, Result};

/// Eigenvalues in ascending order and the matrix whose columns are the orthonormal eigenvectors.
#[derive(Debug, Clone)]
pub struct SymmetricEigen {
    /// In ascending order.
    pub values: Array1<f64>,
    /// Column j belongs to `values[j]`.
    pub vectors: Array2<f64>,
}

impl SymmetricEigen {
    /// Values and vectors from the largest value to the smallest.
    pub fn descending(self) -> (Array1<f64>, Array2<f64>) {
        let order: Vec<usize> = (0..self.values.len()).rev().collect();
        (self.values.select(Axis(0), &order), self.vectors.select(Axis(1), &order))
    }
}

/// All eigenpairs of a symmetric matrix; only its lower triangle is read.
///
/// The backend's solver is silently wrong above 128×128 when the norm is far from 1, so the matrix is scaled to a
/// largest entry near 1 by a power of two, which changes no digit, and the eigenvalues are scaled back. Should its
/// iteration not end, rotations of pairs of axes (Jacobi's method) take its place: slow, but they always do.
///
/// # Errors
/// [`Error::Factorisation`] if an entry is not finite.
pub fn symmetric_eigen(a: ArrayView2<'_, f64>) -> Result<SymmetricEigen> {
    decompose(a, |scaled| {
        let eigen = scaled.self_adjoint_eigen(Side::Lower).ok()?;
        Some(SymmetricEigen {
            values: eigen.S().column_vector().iter().copied().collect(),
            vectors: to_ndarray(eigen.U()),
        })
    })
}

/// All eigenpairs by a solver for matrices of magnitude 1, and without it where it fails.
fn decompose(
    a: ArrayView2<'_, f64>,
    solver: impl FnOnce(&Mat<f64>) -> Option<SymmetricEigen>,
) -> Result<SymmetricEigen> {
    let n = a.nrows();
    let lower = a.outer_iter().enumerate().flat_map(|(i, row)| row.into_iter().take(i + 1));
    let Some(largest) = largest_magnitude(lower) else {
        return Err(Error::Factorisation { what: "symmetric eigendecomposition", size: n });
    };
    if largest == 0.0 {
        return Ok(SymmetricEigen { values: Array1::zeros(n), vectors: Array2::eye(n) });
    }
    let (down, up) = power_of_two_scale(largest);
    let mut scaled = to_faer(a);
    for j in 0..n {
        for i in j..n {
            scaled[(i, j)] = scaled[(i, j)] * down.0 * down.1;
        }
    }
    let _cleared = ClearedUpperHalves;
    let mut eigen =
        solver(&scaled).unwrap_or_else(|| jacobi(Array2::from_shape_fn((n, n), |(i, j)| scaled[(i.max(j), i.min(j))])));
    eigen.values.mapv_inplace(|s| s * up.0 * up.1);
    Ok(eigen)
}

/// Sweeps of rotations; each makes what is off the diagonal smaller, at the end quadratically.
const SWEEPS: usize = 60;

fn jacobi(mut a: Array2<f64>) -> SymmetricEigen {
    let n = a.nrows();
    let norm = a.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut vectors = Array2::<f64>::eye(n);
    for _ in 0..SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                if a[[p, q]].abs() > tolerance::EPSILON * norm / n as f64 {
                    rotate(&mut a, &mut vectors, p, q);
                    rotated = true;
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| a[[i, i]].total_cmp(&a[[j, j]]));
    SymmetricEigen { values: order.iter().map(|&i| a[[i, i]]).collect(), vectors: vectors.select(Axis(1), &order) }
}

/// Turns axes p and q so that a[p, q] becomes 0.
fn rotate(a: &mut Array2<f64>, vectors: &mut Array2<f64>, p: usize, q: usize) {
    let theta = (a[[q, q]] - a[[p, p]]) / (2.0 * a[[p, q]]);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    let t = sign / (theta.abs() + theta.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let columns = |m: &mut Array2<f64>| {
        for mut row in m.outer_iter_mut() {
            (row[p], row[q]) = (c * (row[p] - t * row[q]), c * (t * row[p] + row[q]));
        }
    };
    columns(a);
    columns(vectors);
    for k in 0..a.ncols() {
        let (x, y) = (a[[p, k]], a[[q, k]]);
        (a[[p, k]], a[[q, k]]) = (c * (x - t * y), c * (t * x + y));
    }
    (a[[p, q]], a[[q, p]]) = (0.0, 0.0);
}

/// The largest magnitude of an entry; `None` if one is not finite.
pub(super) fn largest_magnitude<'a>(entries: impl IntoIterator<Item = &'a f64>) -> Option<f64> {
    entries.into_iter().try_fold(0.0_f64, |largest, x| x.is_finite().then(|| largest.max(x.abs())))
}

/// Two factors each way whose products are 2^∓e with 2^e near `largest`; two, because one alone can overflow.
pub(crate) fn power_of_two_scale(largest: f64) -> ((f64, f64), (f64, f64)) {
    let exponent = largest.log2().floor() as i32;
    let half = exponent / 2;
    let rest = exponent - half;
    let two = |e: i32| 2.0_f64.powi(e);
    ((two(-half), two(-rest)), (two(half), two(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eigenvalues of all signs, some of them equal, over many magnitudes.
    fn matrix(n: usize) -> Array2<f64> {
        let wave = |i: usize, j: usize| ((1 + i) as f64 * (2 * j + 1) as f64 * 0.37).sin();
        let u = Array2::from_shape_fn((n, n), |(i, j)| wave(i, j));
        let d = Array2::from_diag(&Array1::from_shape_fn(n, |i| [1.0, 1.0, -1e-9, 0.0, 3.0][i % 5]));
        u.dot(&d).dot(&u.t())
    }

    #[test]
    fn a_solver_that_fails_is_replaced_by_rotations() {
        for n in [1, 2, 3, 17, 64] {
            for norm in [1e-200, 1.0, 1e200] {
                let a = matrix(n) * norm;
                let eigen = decompose(a.view(), |_| None).unwrap();
                let (v, values) = (&eigen.vectors, &eigen.values);
                let worst = |m: Array2<f64>| m.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                let tolerance = 1e-14 * n as f64;
                assert!(worst(a.dot(v) - v * values) <= tolerance * worst(a.clone()) * n as f64, "{n}, {norm:e}");
                assert!(worst(v.t().dot(v) - Array2::<f64>::eye(n)) <= tolerance, "{n}, {norm:e}");
                assert!(values.windows(2).into_iter().all(|pair| pair[0] <= pair[1]));
                let backend = symmetric_eigen(a.view()).unwrap();
                assert!(values.iter().zip(&backend.values).all(|(x, y)| (x - y).abs() <= tolerance * worst(a.clone())));
            }
        }
    }

    #[test]
    fn what_is_not_finite_has_no_decomposition_and_says_so() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut a = matrix(4);
            a[[2, 1]] = bad;
            let error = symmetric_eigen(a.view()).unwrap_err();
            assert_eq!(error.to_string(), "symmetric eigendecomposition of a 4x4 matrix failed");
            assert!(error.hint().unwrap().contains("extreme magnitude"));
        }
    }
}
