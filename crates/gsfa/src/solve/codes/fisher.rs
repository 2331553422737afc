//! Weighted Fisher directions: one eigenproblem.

use ndarray::{Array2, s};

use super::points::{Points, squared_distances};
use crate::Result;
use crate::linalg::{multiply, symmetric_eigen};

/// $\omega(\delta) = \mathrm{erf}(\delta/2\sqrt2)/2\delta^2$, the weight at which a pair counts by its accuracy.
fn accuracy_weight(squared: f64) -> f64 {
    if squared <= 0.0 {
        return 0.0;
    }
    libm::erf((squared / 8.0).sqrt()) / (2.0 * squared)
}

/// The `d` leading eigenvectors of $\sum_{i<j} w_{ij}\,\omega(\delta_{ij})D_{ij}D_{ij}^T$, distances times `scale`.
pub(super) fn directions(points: &Points, d: usize, scale: f64) -> Result<Array2<f64>> {
    let mut q = squared_distances(points.u.view());
    q.zip_mut_with(&points.weights, |q, w| *q = w * accuracy_weight(*q * scale * scale));
    leading(&points.scatter(&q, points.u.view()), d)
}

/// One direction after the other: each is the leading one for the pairs that those before it confuse.
pub(super) fn one_by_one(points: &Points, d: usize) -> Result<Array2<f64>> {
    let mut all = Array2::zeros((points.dim(), d));
    let mut accuracy = squared_distances(points.u.view());
    accuracy.zip_mut_with(&points.weights, |q, w| *q = w * accuracy_weight(*q));
    for k in 0..d {
        let known = all.slice(s![.., ..k]).to_owned();
        let mut q = squared_distances(multiply(points.u.view(), known.view()).view());
        // In units of the nearest pair, which has most of the error.
        let pairs = q.indexed_iter().filter(|((i, j), _)| i != j && points.weights[[*i, *j]] > 0.0);
        let nearest = pairs.map(|(_, q)| *q).fold(f64::INFINITY, f64::min);
        q.zip_mut_with(&accuracy, |q, a| *q = a * (-(*q - nearest).max(0.0) / 8.0).exp());
        let mut scatter = points.scatter(&q, points.u.view());
        // Among directions orthogonal to the known ones.
        let outside = Array2::eye(points.dim()) - multiply(known.view(), known.t());
        scatter = multiply(multiply(outside.view(), scatter.view()).view(), outside.view());
        all.column_mut(k).assign(&leading(&scatter, 1)?.column(0));
    }
    Ok(all)
}

/// The eigenvectors of the `d` largest eigenvalues, largest first.
fn leading(matrix: &Array2<f64>, d: usize) -> Result<Array2<f64>> {
    let eigen = symmetric_eigen(matrix.view())?;
    let n = eigen.values.len();
    Ok(Array2::from_shape_fn((n, d), |(i, k)| eigen.vectors[[i, n - 1 - k]]))
}
