//! The size of slow features beside principal components.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::linalg::qr::orthonormal_basis;

/// The size that a node gives its slow features, so that the next one can compare them with principal components.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SlowScaling {
    /// The root of the variance of the inputs that each feature explains: $\|m_j\| s_j$.
    #[default]
    Sensitivity,
    /// Features mixed into orthogonal directions of the inputs: $Rs$ with $M = QR$.
    Qr,
    /// All of the deviation of a middling principal component.
    Median,
    /// The slowest of the deviation of a principal component at the upper quartile, the fastest at the lower, evenly spaced
    /// on a logarithmic scale in between.
    Spread,
    /// Unit variance.
    None,
}

/// The slow part in its size.
pub(super) struct Scaled {
    /// Columns are the outputs in terms of the features of unit variance.
    pub mixing: Array2<f64>,
    /// Columns are what the outputs say of the inputs.
    pub inverse: Array2<f64>,
    /// The variance of the inputs that the features explain, in the units of the sums.
    pub variance: f64,
}

impl SlowScaling {
    /// For M and the variances of the components, of inputs times `unit`.
    pub(super) fn of(self, explained: ArrayView2<'_, f64>, variances: &[f64], unit: f64) -> Result<Scaled> {
        let sizes: Vec<f64> = explained.axis_iter(Axis(1)).map(|m| m.dot(&m).sqrt()).collect();
        let variance = sizes.iter().map(|size| size * size).sum();
        if self == Self::Qr {
            return Ok(Scaled { variance, ..orthogonal(explained, &sizes, unit)? });
        }
        let factors: Array1<f64> = match self {
            Self::Sensitivity => sizes.iter().copied().collect(),
            // Without a component there is nothing to compare with.
            Self::Qr | Self::None => Array1::from_elem(sizes.len(), unit),
            _ if variances.is_empty() => Array1::from_elem(sizes.len(), unit),
            Self::Median => Array1::from_elem(sizes.len(), quantile(variances, 0.5).sqrt()),
            Self::Spread => {
                let [most, least] = [0.75, 0.25].map(|q| quantile(variances, q).sqrt().ln());
                let steps = sizes.len().saturating_sub(1).max(1) as f64;
                (0..sizes.len()).map(|j| (most + (least - most) * j as f64 / steps).exp()).collect()
            }
        };
        let mut inverse = explained.to_owned();
        for (mut column, factor) in inverse.axis_iter_mut(Axis(1)).zip(&factors) {
            column.mapv_inplace(|m| if *factor > 0.0 { m / factor } else { 0.0 });
        }
        Ok(Scaled { mixing: Array2::from_diag(&(factors / unit)), inverse, variance })
    }
}

/// $Rs$ and Q. Features beyond the number of inputs, of which no direction is left, keep their own sizes.
fn orthogonal(explained: ArrayView2<'_, f64>, sizes: &[f64], unit: f64) -> Result<Scaled> {
    let (inputs, features) = explained.dim();
    let mixed = features.min(inputs);
    let some = explained.slice(s![.., ..mixed]);
    let mut q = if mixed == 0 { Array2::zeros((inputs, 0)) } else { orthonormal_basis(some)?.columns };
    for (mut column, m) in q.axis_iter_mut(Axis(1)).zip(some.axis_iter(Axis(1))) {
        if column.dot(&m) < 0.0 {
            column.mapv_inplace(|x| -x);
        }
    }
    let r = q.t().dot(&some);
    let mut mixing = Array2::zeros((features, features));
    for k in 0..mixed {
        // Below its diagonal R is round-off.
        (k..mixed).for_each(|j| mixing[[j, k]] = r[[k, j]] / unit);
    }
    let mut inverse = Array2::zeros((inputs, features));
    inverse.slice_mut(s![.., ..mixed]).assign(&q);
    for j in mixed..features {
        mixing[[j, j]] = sizes[j] / unit;
        if sizes[j] > 0.0 {
            inverse.column_mut(j).assign(&(&explained.column(j) / sizes[j]));
        }
    }
    Ok(Scaled { mixing, inverse, variance: 0.0 })
}

/// Between the two values next to a share of descending ones.
fn quantile(descending: &[f64], share: f64) -> f64 {
    let at = (1.0 - share) * (descending.len() - 1) as f64;
    let (below, above) = (at.floor() as usize, at.ceil() as usize);
    descending[below] + (descending[above] - descending[below]) * at.fract()
}
