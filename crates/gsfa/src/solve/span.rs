//! Features within a given span: uncorrelated, of unit variance, slowest first.

use ndarray::{Array2, ArrayView2, Axis, s};

use crate::Result;
use crate::linalg::lower_product::symmetrize;
use crate::linalg::{multiply, symmetric_eigen, tolerance};
use crate::moments::Centered;

/// Features by their weights (of scaled inputs) and delta values.
pub(super) struct Spanned {
    pub weights: Array2<f64>,
    pub deltas: Vec<f64>,
    /// How many of them, the first ones, span what was informative.
    pub informative: usize,
}

/// Features that ridge has chosen meet the constraints for inputs with noise, not for the samples. Within the span of the
/// `informative` ones this finds the slowest, by the definition of Δ, that do; what follows them is made uncorrelated with
/// all before it, one by one, and keeps its order.
pub(super) fn slowest_of_span(moments: &Centered, weights: Array2<f64>, informative: usize) -> Result<Spanned> {
    let mut covariance = Array2::clone(&moments.covariance);
    symmetrize(&mut covariance);
    let image = multiply(covariance.view(), weights.view());
    drop(covariance);
    let gram = multiply(weights.t(), image.view());
    let (mut out, mut kept) = (Array2::zeros((weights.ncols(), weights.ncols())), 0);
    if informative > 0 {
        let slow = uncorrelated(gram.slice(s![..informative, ..informative]))?;
        let inner = weights.slice(s![.., ..informative]).dot(&slow);
        let eigen = symmetric_eigen(speeds(moments, inner.view()).view())?;
        let rotation = slow.dot(&eigen.vectors);
        kept = rotation.ncols();
        out.slice_mut(s![..informative, ..kept]).assign(&rotation);
    }
    let slow = kept;
    for k in informative..weights.ncols() {
        let mut next = Array2::zeros((weights.ncols(), 1));
        next[[k, 0]] = 1.0;
        // Twice: the first pass leaves round-off that the second removes.
        for _ in 0..2 {
            let before = out.slice(s![.., ..kept]);
            next = &next - &before.dot(&before.t().dot(&gram.dot(&next)));
        }
        let variance = next.t().dot(&gram.dot(&next))[[0, 0]];
        if variance > tolerance::DEPENDENT_DIRECTION.powi(2) * gram[[k, k]] {
            out.column_mut(kept).assign(&(next.column(0).to_owned() / variance.sqrt()));
            kept += 1;
        }
    }
    let weights = weights.dot(&out.slice(s![.., ..kept]));
    let deltas = speeds(moments, weights.view()).diag().to_vec();
    Ok(Spanned { weights, deltas, informative: slow })
}

/// The delta values of the informative features by the definition, $w^T\dot C w$, and the features in their order. An
/// eigenvalue is right to the round-off of the largest one, and that is huge where a few samples have nearly all of the
/// weight: some direction then hardly varies and is fast all the same.
pub(super) fn by_definition(moments: &Centered, features: Spanned) -> Spanned {
    let Spanned { weights, mut deltas, informative } = features;
    let measured = speeds(moments, weights.slice(s![.., ..informative]));
    deltas[..informative].iter_mut().zip(measured.diag()).for_each(|(delta, measured)| *delta = *measured);
    let mut order: Vec<usize> = (0..deltas.len()).collect();
    order[..informative].sort_by(|&a, &b| deltas[a].total_cmp(&deltas[b]));
    let deltas = order.iter().map(|&k| deltas[k]).collect();
    Spanned { weights: weights.select(Axis(1), &order), deltas, informative }
}

/// Combinations of unit variance that are not correlated, of features with the given covariance; those without variance
/// are left out.
fn uncorrelated(gram: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
    // In units of their deviations, so that features of any size count alike.
    let inverse: Vec<f64> = gram.diag().iter().map(|v| if *v > 0.0 { v.sqrt().recip() } else { 0.0 }).collect();
    let scaled = Array2::from_shape_fn(gram.dim(), |(i, j)| gram[[i, j]] * inverse[i] * inverse[j]);
    let eigen = symmetric_eigen(scaled.view())?;
    let smallest = tolerance::DEPENDENT_DIRECTION.powi(2);
    let kept: Vec<usize> = (0..eigen.values.len()).filter(|&k| eigen.values[k] > smallest).collect();
    let mut out = eigen.vectors.select(Axis(1), &kept);
    out.axis_iter_mut(Axis(1)).zip(&kept).for_each(|(mut column, &k)| column /= eigen.values[k].sqrt());
    out.outer_iter_mut().zip(&inverse).for_each(|(mut row, scale)| row *= *scale);
    Ok(out)
}

/// $W^T\dot C W$ for weights of scaled inputs that give uncorrelated features of unit variance.
pub(super) fn speeds(moments: &Centered, weights: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut speeds = Array2::from_diag(&ndarray::Array1::from_elem(weights.ncols(), moments.level));
    if let Some(rest) = &moments.rest {
        let mut full = rest.clone();
        symmetrize(&mut full);
        speeds += &multiply(weights.t(), multiply(full.view(), weights).view());
    }
    for factor in &moments.factors {
        let shares = multiply(weights.t(), factor.columns.view());
        speeds -= &multiply(factor.coupling.apply(&shares).view(), shares.t());
    }
    speeds
}
