//! A label with weighted mean 0 and variance 1 `[eq:label_normalization]`.

use super::weights::shares;
use crate::error::Places;
use crate::error::brief::label;
use crate::linalg::tolerance;
use crate::{Error, Result};

/// The weighted mean and standard deviation of a label, $\mu = \frac1Q v^T\ell$ and
/// $\sigma^2 = \frac1Q\sum_n v_n(\ell(n)-\mu)^2$.
///
/// ```
/// use gsfa::labels::Normalization;
/// let age = Normalization::of("age", &[20.0, 40.0], &[3.0, 1.0])?;
/// assert_eq!(age.mean, 25.0);
/// assert_eq!(age.undo(age.apply(40.0)), 40.0);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normalization {
    /// The weighted mean μ.
    pub mean: f64,
    /// The weighted standard deviation σ, positive.
    pub deviation: f64,
}

impl Normalization {
    /// The normalisation of the label called `name`.
    ///
    /// # Errors
    /// [`Error::ConstantLabel`] if the deviation is nothing against the label's magnitude; the positions of values that
    /// are not finite; weights that are not positive.
    pub fn of(name: &str, values: &[f64], weights: &[f64]) -> Result<Self> {
        if values.len() != weights.len() {
            return Err(Error::LengthMismatch {
                left: label(name),
                left_len: values.len(),
                right: "sample weights".into(),
                right_len: weights.len(),
            });
        }
        if values.is_empty() {
            return Err(Error::TooFewSamples { needed: 2, got: 0 });
        }
        check_values(name, values)?;
        let shares = shares(weights)?;
        let spread = Spread::of(values, &shares);
        if spread.is_constant() {
            return Err(spread.constant_label(name));
        }
        Ok(Self { mean: spread.mean, deviation: spread.deviation })
    }

    /// The normalised value $(\ell-\mu)/\sigma$.
    pub fn apply(&self, value: f64) -> f64 {
        (value - self.mean) / self.deviation
    }

    /// The label value $\mu + \sigma\tilde\ell$ of a normalised one.
    pub fn undo(&self, normalized: f64) -> f64 {
        self.mean + self.deviation * normalized
    }
}

/// The positions of values that are not finite, or the label whose range is not.
pub(crate) fn check_values(name: &str, values: &[f64]) -> Result<()> {
    if let Some(places) = Places::find(values, |x| !x.is_finite()) {
        return Err(Error::NonFinite { what: label(name), places });
    }
    let (smallest, largest) = range(values);
    if !values.is_empty() && !(largest - smallest).is_finite() {
        return Err(Error::parameter("label", name, "the difference of its values overflows; rescale it"));
    }
    Ok(())
}

/// The smallest and the largest value.
pub(crate) fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)))
}

/// Mean, deviation and largest magnitude of values that may be constant.
pub(crate) struct Spread {
    pub mean: f64,
    pub deviation: f64,
    pub magnitude: f64,
}

impl Spread {
    pub fn of(values: &[f64], shares: &[f64]) -> Self {
        let mean_about = |shift: f64| values.iter().zip(shares).map(|(x, share)| share * (x - shift)).sum::<f64>();
        // The first mean carries the round-off of the offset; the mean of the differences takes it away.
        let first = mean_about(0.0);
        let mean = first + mean_about(first);
        let farthest = values.iter().map(|x| (x - mean).abs()).fold(0.0, f64::max);
        // Squares of differences in units of the largest neither overflow nor vanish.
        let squares: f64 = values
            .iter()
            .zip(shares)
            .map(|(x, share)| share * ((x - mean) / farthest.max(f64::MIN_POSITIVE)).powi(2))
            .sum();
        let magnitude = values.iter().map(|x| x.abs()).fold(0.0, f64::max);
        Self { mean, deviation: farthest * squares.sqrt(), magnitude }
    }

    pub fn is_constant(&self) -> bool {
        self.deviation <= tolerance::CONSTANT_LABEL * self.magnitude || self.deviation < f64::MIN_POSITIVE
    }

    pub fn constant_label(&self, name: &str) -> Error {
        Error::ConstantLabel { name: name.to_string(), value: self.mean, deviation: self.deviation }
    }
}
