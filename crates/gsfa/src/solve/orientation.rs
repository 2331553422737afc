//! Which way features point: rotation within equal delta values, and signs.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis, s};

use super::directions::gap;
use crate::Result;
use crate::linalg::qr::orthonormal_basis;
use crate::linalg::tolerance;
use crate::moments::Centered;

/// A label must exceed another's share in a set of equal features by this to be preferred to an earlier one.
const PREFERENCE: f64 = 1.01;

/// Correlations of features with the target labels: one row per feature. `weights` are those of scaled inputs and give
/// unit variance.
pub(super) fn correlations(moments: &Centered, weights: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut out = Array2::zeros((weights.ncols(), moments.targets.len()));
    for (mut column, target) in out.axis_iter_mut(Axis(1)).zip(&moments.targets) {
        let b = moments.factors[target.factor].columns.column(target.column);
        column.assign(&(weights.t().dot(&b) * target.scale));
    }
    out
}

/// Rotates features of numerically equal delta values towards the target labels: of the labels that such a set holds
/// most of, each gets the feature nearest to it, in the order of labels. Other features stay as they are. `weights` are
/// those of scaled inputs and give uncorrelated features of unit variance.
pub(super) fn rotate_to_targets(moments: &Centered, mut weights: ArrayViewMut2<'_, f64>, deltas: &[f64]) {
    if moments.targets.is_empty() {
        return;
    }
    let deltas = &deltas[..weights.ncols()];
    let mut from = 0;
    while from < deltas.len() {
        let tied = deltas[from..].windows(2).take_while(|w| (w[1] - w[0]).abs() <= gap()).count();
        let to = from + tied + 1;
        if to - from > 1 {
            let set = weights.slice(s![.., from..to]).to_owned();
            let shares = correlations(moments, set.view());
            weights.slice_mut(s![.., from..to]).assign(&set.dot(&towards_labels(shares.view())));
        }
        from = to;
    }
}

/// An orthogonal matrix whose columns are, in terms of the features (rows of `shares`), the labels they hold most of.
fn towards_labels(shares: ArrayView2<'_, f64>) -> Array2<f64> {
    let size = shares.nrows();
    let mut left = shares.to_owned();
    let mut picked: Vec<(usize, Array1<f64>)> = Vec::new();
    while picked.len() < size {
        let norm = |column: ArrayView1<'_, f64>| column.dot(&column).sqrt();
        let mut best = (0, 0.0);
        for (label, column) in left.axis_iter(Axis(1)).enumerate() {
            if norm(column) > PREFERENCE * best.1 {
                best = (label, norm(column));
            }
        }
        if best.1 <= tolerance::NO_CORRELATION {
            break;
        }
        let unit = left.column(best.0).to_owned() / best.1;
        for mut column in left.axis_iter_mut(Axis(1)) {
            let along = column.dot(&unit);
            column.scaled_add(-along, &unit);
        }
        left.column_mut(best.0).fill(0.0);
        picked.push((best.0, unit));
    }
    picked.sort_by_key(|(label, _)| *label);
    let mut basis: Vec<Array1<f64>> = picked.into_iter().map(|(_, unit)| unit).collect();
    // Features that no label claims: what is left of the old ones, in their order.
    for k in 0..size {
        let mut unit = Array1::zeros(size);
        unit[k] = 1.0;
        for _ in 0..2 {
            basis.iter().for_each(|b| unit = &unit - &(b * b.dot(&unit)));
        }
        let left = unit.dot(&unit).sqrt();
        if basis.len() < size && left > tolerance::DEPENDENT_DIRECTION {
            basis.push(unit / left);
        }
    }
    Array2::from_shape_fn((size, size), |(i, j)| basis[j][i])
}

/// Rotates features within their span such that the first correlates with all labels, the second with all but the first,
/// and so on: with labels made for features one after the other, these are the features, in their order. Δ follows from
/// the correlations.
pub(super) fn nest(moments: &Centered, mut weights: ArrayViewMut2<'_, f64>, deltas: &mut [f64]) -> Result<()> {
    let shares = correlations(moments, weights.view());
    let rotated = weights.dot(&orthonormal_basis(shares.view())?.columns);
    weights.assign(&rotated);
    let slowness = |row: ArrayView1<'_, f64>| {
        moments.targets.iter().zip(row).map(|(target, share)| (share / target.scale).powi(2)).sum::<f64>()
    };
    let shares = correlations(moments, weights.view());
    deltas.iter_mut().zip(shares.outer_iter()).for_each(|(delta, row)| *delta = moments.level - slowness(row));
    Ok(())
}

/// Flips features so that each correlates positively with its target label, the one that maximises λ corr², where there
/// is one; else so that its weight of largest magnitude is positive. Returns the squared correlation with that label.
pub(super) fn orient(moments: &Centered, weights: &mut Array2<f64>, shares: &Array2<f64>) -> Vec<Option<f64>> {
    for (mut weight, row) in weights.axis_iter_mut(Axis(1)).zip(shares.outer_iter()) {
        let correlation = target(moments, row).map_or(0.0, |t| row[t]);
        let sign = if correlation.abs() > tolerance::NO_CORRELATION { correlation } else { dominant(weight.view()) };
        if sign < 0.0 {
            weight.mapv_inplace(|w| -w);
        }
    }
    squared(moments, shares)
}

/// The squared correlation of each feature with its target label.
pub(super) fn squared(moments: &Centered, shares: &Array2<f64>) -> Vec<Option<f64>> {
    shares.outer_iter().map(|row| target(moments, row).map(|t| row[t] * row[t])).collect()
}

/// The target label of a feature.
fn target(moments: &Centered, row: ArrayView1<'_, f64>) -> Option<usize> {
    let score = |t: usize| moments.targets[t].eigenvalue * row[t] * row[t];
    (0..moments.targets.len()).reduce(|a, b| if score(b) > score(a) { b } else { a })
}

/// The entry of largest magnitude; of several, the first.
fn dominant(weight: ArrayView1<'_, f64>) -> f64 {
    weight.iter().fold(0.0_f64, |best, &w| if w.abs() > best.abs() { w } else { best })
}
