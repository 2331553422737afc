//! Prior weights of the samples.

use crate::error::Places;
use crate::{Error, Result};

/// A positive, finite weight per sample: its importance, frequency or reliability.
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
        Ok(Self(weights))
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

    /// Whether all weights are equal.
    pub fn are_equal(&self) -> bool {
        self.0.windows(2).all(|w| w[0] == w[1])
    }
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
