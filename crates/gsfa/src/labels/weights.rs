//! Prior weights of the samples.

use crate::error::Places;
use crate::{Error, Result};

/// A positive, finite weight per sample: its importance, frequency or reliability.
///
/// Only ratios of weights matter. If the largest is beyond $2^{\pm 40}$, about a million millions, all are divided by
/// the power of two below it, so that squares and products of weights stay in range; and no weight is less than
/// $2^{-60}$ of the largest: less would neither move a mean nor leave a deviation that can be told from rounding.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleWeights(Vec<f64>);

impl SampleWeights {
    /// Weight 1 for each of `samples`.
    pub fn uniform(samples: usize) -> Self {
        Self(vec![1.0; samples])
    }

    /// Checked weights.
    ///
    /// # Errors
    /// Names the positions of weights that are not finite, negative or zero.
    pub fn new(weights: Vec<f64>) -> Result<Self> {
        check(&weights)?;
        Ok(Self(in_range(weights)))
    }

    /// The weights of some samples.
    ///
    /// # Panics
    /// If a row does not exist.
    pub fn select(&self, rows: &[usize]) -> Self {
        Self(rows.iter().map(|&row| self.0[row]).collect())
    }

    /// The weights.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }
}

/// Weights whose largest is within this power of two of 1 stay as they are.
const ORDINARY: i32 = 40;

/// The smallest weight, as a power of two of the largest.
const SMALLEST: i32 = -60;

fn in_range(mut weights: Vec<f64>) -> Vec<f64> {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let exponent = largest.log2().floor() as i32;
    if largest > 0.0 && exponent.abs() > ORDINARY {
        // In two steps: the power for a denormal weight is itself out of range.
        let half = exponent / 2;
        weights.iter_mut().for_each(|w| *w = *w * 2.0_f64.powi(-half) * 2.0_f64.powi(half - exponent));
    }
    let smallest = weights.iter().copied().fold(0.0, f64::max) * 2.0_f64.powi(SMALLEST);
    weights.iter_mut().for_each(|w| *w = w.max(smallest));
    weights
}

/// The share of each weight in their sum Q: weighted means of finite values cannot overflow with them.
pub(crate) fn shares(weights: &[f64]) -> Result<Vec<f64>> {
    check(weights)?;
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let total: f64 = weights.iter().map(|w| w / largest).sum();
    Ok(weights.iter().map(|w| w / largest / total).collect())
}

fn check(weights: &[f64]) -> Result<()> {
    if let Some(places) = Places::find(weights, |w| !w.is_finite()) {
        return Err(Error::NonFinite { what: "sample weights".into(), places });
    }
    if !weights.is_empty() && weights.iter().all(|&w| w == 0.0) {
        return Err(Error::AllWeightsZero { count: weights.len() });
    }
    if let Some(places) = Places::find(weights, |&w| w <= 0.0) {
        return Err(Error::NotPositive { what: "sample weights".into(), places });
    }
    Ok(())
}
