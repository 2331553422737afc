//! An affine function of the features, clipped to the range of the label.

use ndarray::{Array0, Array1, ArrayView1, ArrayView2, array};

use super::blocks::in_blocks;
use super::parts::Arrays;
use super::{Estimates, LabelEstimates, Parts, PartsHeader};
use crate::error::brief::number;
use crate::{Error, Result};

/// $\hat\ell = b + \sum_k a_k y_k$, held within the label range of training if that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedLinear {
    intercept: f64,
    coefficients: Array1<f64>,
    range: (f64, f64),
}

impl FittedLinear {
    /// `range` holds the smallest and the largest estimate.
    pub(super) fn new(intercept: f64, coefficients: Array1<f64>, range: (f64, f64)) -> Self {
        Self { intercept, coefficients, range }
    }

    /// The estimate for features of 0, before clipping.
    pub fn intercept(&self) -> f64 {
        self.intercept
    }

    /// One factor per feature.
    pub fn coefficients(&self) -> ArrayView1<'_, f64> {
        self.coefficients.view()
    }

    /// The smallest and the largest estimate; ±`f64::MAX` without clipping.
    pub fn range(&self) -> (f64, f64) {
        self.range
    }

    pub(super) fn estimate(&self, features: ArrayView2<'_, f64>) -> Estimates {
        let (lower, upper) = self.range;
        let blocks = in_blocks(features, |rows| {
            let one = |row: ArrayView1<'_, f64>| {
                let products = row.into_iter().zip(&self.coefficients).map(|(y, a)| y * a);
                let estimate = self.intercept + products.sum::<f64>();
                (if estimate.is_finite() { estimate } else { self.beyond(row) }).max(lower).min(upper)
            };
            rows.rows().into_iter().map(one).collect::<Vec<f64>>()
        });
        Estimates::plain(LabelEstimates::Numbers(blocks.concat().into()))
    }

    /// The estimate for features so large that products overflow: the largest number of its sign, for the range to cut.
    fn beyond(&self, row: ArrayView1<'_, f64>) -> f64 {
        let unit = row.iter().fold(1.0_f64, |m, y| m.max(y.abs()));
        let products = row.into_iter().zip(&self.coefficients).map(|(y, a)| y / unit * a);
        let estimate = self.intercept / unit + products.sum::<f64>();
        (estimate * unit).clamp(f64::MIN, f64::MAX)
    }

    pub(super) fn to_parts(&self) -> Parts {
        Parts::new(PartsHeader::Linear)
            .with("intercept", &Array0::from_elem((), self.intercept))
            .with("coefficients", &self.coefficients)
            .with("range", &array![self.range.0, self.range.1])
    }

    pub(super) fn from_arrays(arrays: &mut Arrays) -> Result<Self> {
        let intercept: Array0<f64> = arrays.take("intercept")?;
        let range: Array1<f64> = arrays.take_shaped("range", &[2])?;
        if range[0] > range[1] {
            return Err(Error::parameter(
                "range",
                format!("[{}, {}]", number(range[0]), number(range[1])),
                "its lower end exceeds its upper end",
            ));
        }
        Ok(Self {
            intercept: intercept.into_scalar(),
            coefficients: arrays.take("coefficients")?,
            range: (range[0], range[1]),
        })
    }
}
