//! The two types of numbers samples may have.

use std::fmt::Debug;
use std::ops::Mul;

use super::power::{BLOCK, power_f32, power_f64};

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// `f32` or `f64`: what samples and expanded samples are made of.
pub trait Real:
    sealed::Sealed + Copy + Debug + Default + PartialOrd + Mul<Output = Self> + Send + Sync + 'static
{
    /// The nearest value of this type.
    fn from_f64(x: f64) -> Self;

    /// The absolute value.
    fn magnitude(self) -> Self;

    /// Replaces every value of a block by `|x|^p`.
    #[doc(hidden)]
    fn power(block: &mut [Self; BLOCK], p: f64);
}

impl Real for f32 {
    fn from_f64(x: f64) -> Self {
        x as f32
    }

    fn magnitude(self) -> Self {
        self.abs()
    }

    fn power(block: &mut [Self; BLOCK], p: f64) {
        power_f32(block, p);
    }
}

impl Real for f64 {
    fn from_f64(x: f64) -> Self {
        x
    }

    fn magnitude(self) -> Self {
        self.abs()
    }

    fn power(block: &mut [Self; BLOCK], p: f64) {
        power_f64(block, p);
    }
}
