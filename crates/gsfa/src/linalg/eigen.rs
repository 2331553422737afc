//! Eigendecomposition of symmetric matrices, safe at any magnitude.

use faer::Side;
use ndarray::{Array1, Array2, ArrayView2};

use super::convert::{to_faer, to_ndarray};
use crate::{Error, Result};

/// Eigenvalues in ascending order and the matrix whose columns are the orthonormal eigenvectors.
#[derive(Debug, Clone)]
pub struct SymmetricEigen {
    /// In ascending order.
    pub values: Array1<f64>,
    /// Column j belongs to `values[j]`.
    pub vectors: Array2<f64>,
}

/// All eigenpairs of a symmetric matrix; only its lower triangle is read.
///
/// The backend's solver is silently wrong above 128×128 when the norm is far from 1, so the matrix is scaled to a
/// largest entry near 1 by a power of two, which changes no digit, and the eigenvalues are scaled back.
///
/// # Errors
/// [`Error::Factorisation`] if an entry is not finite or the iteration fails.
pub fn symmetric_eigen(a: ArrayView2<'_, f64>) -> Result<SymmetricEigen> {
    let n = a.nrows();
    let failed = || Error::Factorisation { what: "symmetric eigendecomposition", size: n };
    let largest = a.iter().fold(0.0_f64, |m, x| if x.is_nan() { f64::NAN } else { m.max(x.abs()) });
    if !largest.is_finite() {
        return Err(failed());
    }
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
    let eigen = scaled.self_adjoint_eigen(Side::Lower).map_err(|_| failed())?;
    let values = eigen.S().column_vector().iter().map(|s| s * up.0 * up.1).collect();
    Ok(SymmetricEigen { values, vectors: to_ndarray(eigen.U()) })
}

/// Two factors each way whose products are 2^∓e with 2^e near `largest`; two, because one alone can overflow.
pub(crate) fn power_of_two_scale(largest: f64) -> ((f64, f64), (f64, f64)) {
    let exponent = largest.log2().floor() as i32;
    let half = exponent / 2;
    let rest = exponent - half;
    let two = |e: i32| 2.0_f64.powi(e);
    ((two(-half), two(-rest)), (two(half), two(rest)))
}
