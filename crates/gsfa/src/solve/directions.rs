//! The eigenproblem in whitened inputs: factored graphs through a small one, others through the few slowest pairs.

use ndarray::{Array2, ArrayView2, Axis, concatenate, s};

use super::whitening::Whitening;
use crate::Result;
use crate::linalg::lower_product::symmetrize;
use crate::linalg::{multiply, smallest_eigenpairs, symmetric_eigen, thin_svd, tolerance};
use crate::moments::{Centered, FactorCoupling};

/// Orthonormal directions in whitened inputs, slowest first, whose delta value differs from the level of all others.
pub(super) struct Directions {
    pub vectors: Array2<f64>,
    pub deltas: Vec<f64>,
    /// The delta value of every direction orthogonal to these, if all are here.
    pub level: f64,
    /// Whether all directions off the level are here; else only the slowest are.
    pub complete: bool,
}

impl Directions {
    /// Solves for the `wanted` slowest directions, or for all.
    pub fn new(moments: &Centered, whitening: &Whitening, wanted: Option<usize>) -> Result<Self> {
        let columns: Vec<Array2<f64>> = moments.factors.iter().map(|f| whitening.whiten(f.columns.view())).collect();
        // Noise is at Δ = 2: where all else is not, it is no multiple of what the small problem starts from.
        let noise_apart = !whitening.noise.is_empty() && (moments.level - 2.0).abs() > gap();
        match &moments.rest {
            None if noise_apart => {
                let inputs = moments.input_dim();
                full(moments, whitening, Array2::zeros((inputs, inputs)), &columns, wanted)
            }
            None => factored(moments, whitening.rank(), &columns),
            Some(rest) => full(moments, whitening, rest.clone(), &columns, wanted),
        }
    }

    /// How many of the directions are slower than the level.
    pub fn slow(&self) -> usize {
        self.deltas.iter().take_while(|&&delta| delta < self.level).count()
    }
}

/// Δ = level − θ with θ the eigenvalues of $H S H^T$, $H = K^{-1}Z^T F$, which has few columns: its left singular vectors
/// span every direction with θ ≠ 0. With S = 1 (labels with positive eigenvalues) θ are the squared singular values; the
/// product $H^T H$, which would lose half of the digits, is never formed.
fn factored(moments: &Centered, rank: usize, columns: &[Array2<f64>]) -> Result<Directions> {
    let level = moments.level;
    let views: Vec<ArrayView2<'_, f64>> = columns.iter().map(|part| part.view()).collect();
    let h = if views.is_empty() { Array2::zeros((rank, 0)) } else { joined(&views) };
    let positive =
        moments.factors.iter().all(|f| matches!(&f.coupling, FactorCoupling::Signs(s) if s.iter().all(|s| *s > 0.0)));
    let (vectors, theta) = if positive {
        let svd = thin_svd(h.view())?;
        let thetas = svd.values.iter().take(svd.rank()).map(|s| s * s).collect();
        (svd.left.slice(s![.., ..svd.rank()]).to_owned(), thetas)
    } else if h.ncols() < rank {
        let svd = thin_svd(h.view())?;
        let kept = svd.rank();
        let small = (&svd.right.slice(s![.., ..kept]) * &svd.values.slice(s![..kept])).reversed_axes();
        let (v, theta) = coupled_eigen(moments, &small)?;
        (multiply(svd.left.slice(s![.., ..kept]), v.view()), theta)
    } else {
        coupled_eigen(moments, &h)?
    };
    Ok(off_level(vectors, theta.iter().map(|t| level - t).collect(), level))
}

/// Eigenpairs of $T S T^T$, descending.
fn coupled_eigen(moments: &Centered, t: &Array2<f64>) -> Result<(Array2<f64>, Vec<f64>)> {
    let product = coupled_product(moments, t);
    let eigen = symmetric_eigen(product.view())?;
    let order: Vec<usize> = (0..eigen.values.len()).rev().collect();
    Ok((eigen.vectors.select(Axis(1), &order), order.iter().map(|&k| eigen.values[k]).collect()))
}

/// $T S T^T$ with the couplings of all factors side by side.
fn coupled_product(moments: &Centered, t: &Array2<f64>) -> Array2<f64> {
    let mut from = 0;
    let mut parts = Vec::new();
    for factor in &moments.factors {
        let to = from + factor.columns.ncols();
        parts.push(factor.coupling.apply(&t.slice(s![.., from..to]).to_owned()));
        from = to;
    }
    let views: Vec<ArrayView2<'_, f64>> = parts.iter().map(|part| part.view()).collect();
    multiply(joined(&views).view(), t.t())
}

/// $K^{-1}\dot C K^{-T}$, of which only the slowest pairs are needed unless some are not slow.
fn full(
    moments: &Centered,
    whitening: &Whitening,
    mut rest: Array2<f64>,
    columns: &[Array2<f64>],
    wanted: Option<usize>,
) -> Result<Directions> {
    symmetrize(&mut rest);
    // Ridge is noise in the inputs: its variance σ² enters Ċ as 2σ², of which `level` is in the first term already.
    for (&i, noise) in whitening.live().iter().zip(&whitening.noise) {
        rest[[i, i]] += (2.0 - moments.level) * noise * moments.covariance[[i, i]];
    }
    let half = whitening.whiten(rest.view());
    let mut matrix = whitening.whiten(half.t());
    drop((half, rest));
    if !columns.is_empty() {
        let views: Vec<ArrayView2<'_, f64>> = columns.iter().map(|part| part.view()).collect();
        matrix -= &coupled_product(moments, &joined(&views));
    }
    matrix.diag_mut().mapv_inplace(|x| x + moments.level);
    symmetrize(&mut matrix);
    let level = 2.0;
    if let Some(wanted) = wanted.filter(|&wanted| wanted < matrix.nrows()) {
        let pairs = smallest_eigenpairs(matrix.view(), wanted)?;
        let deltas = pairs.values.to_vec();
        if deltas.last().is_some_and(|&delta| delta < level - gap()) {
            return Ok(Directions { vectors: pairs.vectors, deltas, level, complete: false });
        }
    }
    let eigen = symmetric_eigen(matrix.view())?;
    Ok(off_level(eigen.vectors, eigen.values.to_vec(), level))
}

/// Leaves out directions at the level: any rotation of them among themselves and the rest would do as well.
fn off_level(vectors: Array2<f64>, deltas: Vec<f64>, level: f64) -> Directions {
    let kept: Vec<usize> = (0..deltas.len()).filter(|&k| (deltas[k] - level).abs() > gap()).collect();
    Directions {
        vectors: vectors.select(Axis(1), &kept),
        deltas: kept.iter().map(|&k| deltas[k]).collect(),
        level,
        complete: true,
    }
}

/// Delta values nearer than this are equal.
pub(super) fn gap() -> f64 {
    2.0 * tolerance::EQUAL_DELTA
}

fn joined(parts: &[ArrayView2<'_, f64>]) -> Array2<f64> {
    // Parts have one row per direction, so that joining cannot fail.
    concatenate(Axis(1), parts).unwrap_or_default()
}
