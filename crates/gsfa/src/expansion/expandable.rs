//! What expansions need of the number type of the samples.

use super::power::{BLOCK, power_f32, power_f64};
use crate::linalg::Real;

/// `f32` or `f64`, as numbers that can be expanded.
pub trait Expandable: Real + std::ops::Mul<Output = Self> {
    /// The absolute value.
    fn magnitude(self) -> Self;

    /// Replaces every value of a block by `|x|^p`.
    #[doc(hidden)]
    fn power(block: &mut [Self; BLOCK], p: f64);
}

impl Expandable for f32 {
    fn magnitude(self) -> Self {
        self.abs()
    }

    fn power(block: &mut [Self; BLOCK], p: f64) {
        power_f32(block, p);
    }
}

impl Expandable for f64 {
    fn magnitude(self) -> Self {
        self.abs()
    }

    fn power(block: &mut [Self; BLOCK], p: f64) {
        power_f64(block, p);
    }
}
