//! A node learns its code of the classes, and with it the graph that it is solved for.

use ndarray::Array2;

use super::class_space::ClassSpace;
use super::directions::Directions;
use super::orientation;
use super::whitening::Whitening;
use crate::Result;
use crate::linalg::multiply;
use crate::linalg::qr::orthonormal_basis;
use crate::moments::Centred;

/// A code in terms of the graph's own labels.
pub(super) struct Learned {
    /// One column per label of the code: orthonormal combinations of the target labels.
    pub combinations: Array2<f64>,
    /// The labels of the code, one row per class.
    pub labels: Array2<f64>,
    /// Whether features come in the order of these labels.
    pub nested: bool,
}

/// Learns the code that the graph asks for, unless the features asked for hold the whole class space.
///
/// The graph has all C − 1 labels with equal eigenvalues, so that its features are the canonical ones: with the labels of
/// the classes in the rows of T, correlations of features and labels ρ… give the class means $\mu = T\,\mathrm{corr}^T$.
pub(super) fn learn(moments: &Centred, whitening: &Whitening, output_dim: Option<usize>) -> Result<Option<Learned>> {
    let Some(code) = &moments.code else { return Ok(None) };
    let all = Directions::new(moments, whitening, None)?;
    let Some(wanted) = code.targets.or(output_dim).map(|d| d.min(output_dim.unwrap_or(d))) else { return Ok(None) };
    if wanted >= all.deltas.len() {
        return Ok(None);
    }
    let weights = whitening.weights(all.vectors.view());
    let shares = orientation::correlations(moments, weights.view());
    let means = multiply(code.labels.view(), shares.t());
    // Δ = 2 − 2(λ/λ₀)ρ²; correlations with all labels say ρ² whatever λ₀ is.
    let correlations: Vec<f64> = shares.outer_iter().map(|row| row.dot(&row).min(1.0)).collect();
    let space = ClassSpace::new(code.class_weights.clone(), correlations.clone(), means)?;
    let v = space.learn(&code.code, wanted)?;
    let mut weighted = v.clone();
    weighted.outer_iter_mut().zip(&correlations).for_each(|(mut row, c)| row /= *c);
    let combinations = orthonormal_basis(multiply(shares.t(), weighted.view()).view())?.columns;
    let labels = multiply(code.labels.view(), combinations.view());
    Ok(Some(Learned { combinations, labels, nested: code.code.is_nested() }))
}
