//! A node learns its code of the classes, and with it the graph that it is solved for.

use ndarray::{Array1, Array2, Axis};

use super::class_space::ClassSpace;
use super::directions::Directions;
use super::whitening::Whitening;
use crate::Result;
use crate::linalg::multiply;
use crate::linalg::qr::orthonormal_basis;
use crate::moments::Centered;

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
/// The graph has all C − 1 labels with equal eigenvalues, so that its features are the canonical ones; their class means
/// follow from those of the inputs, which the sums of a graph over classes keep.
pub(super) fn learn(moments: &Centered, whitening: &Whitening, output_dim: Option<usize>) -> Result<Option<Learned>> {
    let (Some(code), Some(classes)) = (&moments.code, &moments.classes) else { return Ok(None) };
    let all = Directions::new(moments, whitening, None)?;
    let Some(wanted) = code.targets.or(output_dim).map(|d| d.min(output_dim.unwrap_or(d))) else { return Ok(None) };
    if wanted >= all.deltas.len() {
        return Ok(None);
    }
    let mut means = multiply(classes.means.view(), whitening.weights(all.vectors.view()).view());
    let total: f64 = classes.weights.iter().sum();
    let mean = classes.weights.iter().map(|w| w / total).collect::<Array1<f64>>().dot(&means);
    means -= &mean;
    // ρ²: the variance between classes of features of unit variance, over all vertices, those without labels included.
    let shares: Array1<f64> = classes.weights.iter().map(|w| w / moments.q).collect();
    let correlations: Vec<f64> = shares.dot(&means.mapv(|m| m * m)).iter().map(|c| c.min(1.0)).collect();
    let space = ClassSpace::new(classes.weights.clone(), correlations, means)?;
    let v = space.learn(&code.code, wanted)?;
    // In coordinates of the target labels, which are orthonormal under these shares.
    let weighted = &space.class_values(v.view()) * &shares.view().insert_axis(Axis(1));
    let combinations = orthonormal_basis(multiply(code.labels.t(), weighted.view()).view())?.columns;
    let labels = multiply(code.labels.view(), combinations.view());
    Ok(Some(Learned { combinations, labels, nested: code.code.is_nested() }))
}
