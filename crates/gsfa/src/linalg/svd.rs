//! Thin singular value decomposition, safe at any magnitude and checked.

use faer::Side;
use ndarray::{Array1, Array2, ArrayView2, Axis};

use super::convert::{as_faer, to_faer, to_ndarray};
use super::eigen::{largest_magnitude, power_of_two_scale};
use super::product::multiply;
use super::tolerance;
use super::upper_halves::ClearedUpperHalves;
use crate::{Error, Result};

/// $A = U\,\mathrm{Diag}(\sigma)\,V^T$ with min(rows, columns) singular values in descending order.
#[derive(Debug, Clone)]
pub struct ThinSvd {
    /// Orthonormal columns.
    pub left: Array2<f64>,
    /// Descending.
    pub values: Array1<f64>,
    /// Orthonormal columns.
    pub right: Array2<f64>,
}

impl ThinSvd {
    /// How many singular values are more than round-off.
    pub fn rank(&self) -> usize {
        let largest = self.values.first().copied().unwrap_or(0.0);
        let size = self.left.nrows().max(self.right.nrows());
        self.values.iter().take_while(|&&s| s > tolerance::rank(size) * largest).count()
    }
}

/// The thin SVD of `a`.
///
/// The matrix is scaled by a power of two first. The product of the factors is compared with `a`; should the backend
/// fail that test, rotations of pairs of columns (one-sided Jacobi) take its place.
///
/// # Errors
/// [`Error::Factorisation`] if an entry is not finite or no method succeeds.
pub fn thin_svd(a: ArrayView2<'_, f64>) -> Result<ThinSvd> {
    let (rows, columns) = a.dim();
    let failed = || Error::Factorisation { what: "singular value decomposition", size: rows.max(columns) };
    let largest = largest_magnitude(a).ok_or_else(failed)?;
    let size = rows.min(columns);
    if largest == 0.0 || size == 0 {
        let unit = |n: usize| Array2::from_shape_fn((n, size), |(i, j)| f64::from(u8::from(i == j)));
        return Ok(ThinSvd { left: unit(rows), values: Array1::zeros(size), right: unit(columns) });
    }
    let (down, up) = power_of_two_scale(largest);
    let scaled = a.mapv(|x| x * down.0 * down.1);
    let _cleared = ClearedUpperHalves;
    let backend = as_faer(scaled.view()).thin_svd().ok().map(|svd| ThinSvd {
        left: to_ndarray(svd.U()),
        values: svd.S().column_vector().iter().copied().collect(),
        right: to_ndarray(svd.V()),
    });
    let mut svd = match backend.filter(|svd| is_decomposition(scaled.view(), svd)) {
        Some(svd) => svd,
        None => Some(jacobi(scaled.view())).filter(|svd| is_decomposition(scaled.view(), svd)).ok_or_else(failed)?,
    };
    svd.values.mapv_inplace(|s| s * up.0 * up.1);
    Ok(svd)
}

fn is_decomposition(a: ArrayView2<'_, f64>, svd: &ThinSvd) -> bool {
    let tolerance = tolerance::factorisation(a.nrows().max(a.ncols()));
    let allowed = tolerance * a.iter().map(|x| x * x).sum::<f64>().sqrt();
    let product = multiply((&svd.left * &svd.values).view(), svd.right.t());
    let off = product.iter().zip(a).map(|(p, x)| (p - x).powi(2)).sum::<f64>().sqrt();
    off <= allowed && [&svd.left, &svd.right].into_iter().all(|u| deviation_from_orthonormal(u) <= tolerance)
}

fn deviation_from_orthonormal(u: &Array2<f64>) -> f64 {
    let gram = multiply(u.t(), u.view());
    gram.indexed_iter().map(|((i, j), g)| (g - f64::from(u8::from(i == j))).abs()).fold(0.0, f64::max)
}

/// Through the R factor and a symmetric eigenproblem refined by one-sided Jacobi rotations.
fn jacobi(a: ArrayView2<'_, f64>) -> ThinSvd {
    if a.nrows() < a.ncols() {
        let ThinSvd { left, values, right } = jacobi(a.t());
        return ThinSvd { left: right, values, right: left };
    }
    let n = a.ncols();
    let mut u = a.to_owned();
    let mut v = Array2::<f64>::eye(n);
    let _cleared = ClearedUpperHalves;
    // A start near the answer keeps the number of sweeps small; its accuracy does not matter.
    if let Ok(start) = to_faer(multiply(a.t(), a).view()).self_adjoint_eigen(Side::Lower) {
        v = to_ndarray(start.U());
        u = multiply(a, v.view());
    }
    for _ in 0..60 {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                rotated |= rotate(&mut u, &mut v, p, q);
            }
        }
        if !rotated {
            break;
        }
    }
    let norms: Vec<f64> = u.axis_iter(Axis(1)).map(|c| c.dot(&c).sqrt()).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| norms[j].total_cmp(&norms[i]).then(i.cmp(&j)));
    let mut left = u.select(Axis(1), &order);
    let values: Array1<f64> = order.iter().map(|&i| norms[i]).collect();
    for (mut column, &s) in left.axis_iter_mut(Axis(1)).zip(&values) {
        if s > 0.0 {
            column /= s;
        }
    }
    ThinSvd { left, values, right: v.select(Axis(1), &order) }
}

/// Makes columns p and q of u orthogonal; false if they are.
fn rotate(u: &mut Array2<f64>, v: &mut Array2<f64>, p: usize, q: usize) -> bool {
    let (up, uq) = (u.column(p), u.column(q));
    let (alpha, beta, gamma) = (up.dot(&up), uq.dot(&uq), up.dot(&uq));
    if gamma.abs() <= tolerance::EPSILON * (alpha * beta).sqrt() {
        return false;
    }
    let zeta = (beta - alpha) / (2.0 * gamma);
    let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    for m in [u, v] {
        for i in 0..m.nrows() {
            let (x, y) = (m[[i, p]], m[[i, q]]);
            m[[i, p]] = c * (x - t * y);
            m[[i, q]] = c * (t * x + y);
        }
    }
    true
}
