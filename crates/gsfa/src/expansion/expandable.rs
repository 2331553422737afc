//! What expansions need of the number type of the samples.

use super::power::{power_f32, power_f64};
use crate::linalg::Real;

/// `f32` or `f64`, as numbers that can be expanded.
pub trait Expandable: Real + std::ops::Mul<Output = Self> {
    /// The absolute value.
    fn magnitude(self) -> Self;

    /// Replaces every value by `|x|^p`; whole vectors at a time, if their number is a multiple of 64.
    #[doc(hidden)]
    fn power(values: &mut [Self], p: f64);
}

impl Expandable for f32 {
    fn magnitude(self) -> Self {
        self.abs()
    }

    fn power(values: &mut [Self], p: f64) {
        power_f32(values, p);
    }
}

impl Expandable for f64 {
    fn magnitude(self) -> Self {
        self.abs()
    }

    fn power(values: &mut [Self], p: f64) {
        power_f64(values, p);
    }
}
