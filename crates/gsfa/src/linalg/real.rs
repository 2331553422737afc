//! The two number types samples come in.

use faer::traits::ComplexField;

use super::panels::PanelKernels;

/// f32 or f64: the type of the samples. Sums over samples are f64 for both.
pub trait Real: PanelKernels + ComplexField + Copy + Default + PartialOrd + Send + Sync + 'static {
    /// Distance from 1 to the next number.
    const EPSILON: f64;
    /// A value beyond this, in units of its column's scale, is refused: sums of its squares could overflow.
    const LARGEST: f64;
    /// What varies by less, like the square of a small column, loses digits to the end of the range of numbers.
    const SMALLEST_SQUARE: f64;
    /// The largest power of two by which rows are scaled.
    const LARGEST_EXPONENT: i32;
    /// Size in bytes, and the tag of the type in serialised sums.
    const BYTES: usize;

    /// Exact for f32.
    fn to_f64(self) -> f64;
    /// Rounds for f32.
    fn from_f64(x: f64) -> Self;
    /// `(self − shift)·scale`.
    fn shifted(self, shift: Self, scale: Self) -> Self;
    /// `self·factor + term`, rounded once.
    fn fused(self, factor: Self, term: Self) -> Self;
    /// Sum.
    fn plus(self, other: Self) -> Self;
    /// Product.
    fn times(self, factor: Self) -> Self;
    /// Whether |self| ≤ `limit`; false for NaN.
    fn within(self, limit: Self) -> bool;
}

macro_rules! real {
    ($type:ty, $largest:expr, $exponent:expr, $bytes:expr) => {
        impl Real for $type {
            const EPSILON: f64 = <$type>::EPSILON as f64;
            const LARGEST: f64 = $largest;
            const SMALLEST_SQUARE: f64 = <$type>::MIN_POSITIVE as f64 / <$type>::EPSILON as f64;
            const LARGEST_EXPONENT: i32 = $exponent;
            const BYTES: usize = $bytes;

            #[inline(always)]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline(always)]
            fn from_f64(x: f64) -> Self {
                x as Self
            }
            #[inline(always)]
            fn shifted(self, shift: Self, scale: Self) -> Self {
                (self - shift) * scale
            }
            #[inline(always)]
            fn fused(self, factor: Self, term: Self) -> Self {
                self.mul_add(factor, term)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn times(self, factor: Self) -> Self {
                self * factor
            }
            #[inline(always)]
            fn within(self, limit: Self) -> bool {
                self.abs() <= limit
            }
        }
    };
}

// Squares of these, summed over a block in f32 and over any number of samples in f64, stay finite.
real!(f32, 1e15, 120, 4);
real!(f64, 1e145, 1000, 8);
