//! What expansions need of the number type of the samples.

use ndarray::ArrayViewMut2;

use super::exponential::{decay_f32, decay_f64};
use super::power::{power_f32, power_f64};
use crate::linalg::Real;

/// `f32` or `f64`, as numbers that can be expanded.
pub trait Expandable: Real + std::ops::Mul<Output = Self> {
    /// The absolute value.
    fn magnitude(self) -> Self;

    /// e^(−self) of a value that is not negative.
    #[doc(hidden)]
    fn decay(self) -> Self;

    /// Fills the second half of every row with `|x|^p` of the first half.
    #[doc(hidden)]
    fn power(rows: ArrayViewMut2<'_, Self>, p: f64);
}

impl Expandable for f32 {
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn decay(self) -> Self {
        decay_f32(self)
    }

    fn power(rows: ArrayViewMut2<'_, Self>, p: f64) {
        power_f32(rows, p);
    }
}

impl Expandable for f64 {
    fn magnitude(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn decay(self) -> Self {
        decay_f64(self)
    }

    fn power(rows: ArrayViewMut2<'_, Self>, p: f64) {
        power_f64(rows, p);
    }
}
