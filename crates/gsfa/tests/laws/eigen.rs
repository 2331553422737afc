//! Eigenpairs of symmetric matrices, straight from the backend: for dense definitions.

use faer::{Mat, Side};
use ndarray::{Array1, Array2, ArrayView2};

/// Eigenvalues in ascending order, and a column of `vectors` for each.
pub struct Eigen {
    pub values: Array1<f64>,
    pub vectors: Array2<f64>,
}

/// All eigenpairs. The backend wants a norm near 1, to which a power of two changes no digit.
pub fn symmetric_eigen(a: ArrayView2<'_, f64>) -> Option<Eigen> {
    let n = a.nrows();
    let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let unit = if largest > 0.0 { 2.0_f64.powi(largest.log2().floor() as i32) } else { 1.0 };
    let eigen = Mat::from_fn(n, n, |i, j| a[[i, j]] / unit).self_adjoint_eigen(Side::Lower).ok()?;
    let values = eigen.S().column_vector().iter().map(|x| x * unit).collect();
    Some(Eigen { values, vectors: Array2::from_shape_fn((n, n), |(i, j)| eigen.U()[(i, j)]) })
}
