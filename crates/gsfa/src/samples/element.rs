//! The type that numbers are stored in.

use serde::{Deserialize, Serialize};

/// The stored type of a number.
///
/// Conversion rule: booleans become 0 and 1; integers become the nearest floating-point number (exact up to 2²⁴ in
/// single and 2⁵³ in double precision); `f64` read in single precision is rounded to nearest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    /// One byte, 0 or 1.
    Bool,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 8-bit integer: pixels.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Element {
    /// Bytes per number.
    pub fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether single precision holds every value of the type.
    pub fn fits_single(self) -> bool {
        !matches!(self, Self::I32 | Self::I64 | Self::U32 | Self::U64 | Self::F64)
    }
}
