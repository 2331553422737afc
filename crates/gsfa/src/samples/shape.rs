//! Height, width and channels of a sample.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The shape of a sample: an image of height × width pixels with channels, stored row by row, channels innermost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InputShape {
    /// Rows of pixels.
    pub height: usize,
    /// Columns of pixels.
    pub width: usize,
    /// Values per pixel: 1 for grey, 3 for RGB.
    #[serde(default = "one")]
    pub channels: usize,
}

fn one() -> usize {
    1
}

impl InputShape {
    /// A grey image.
    pub fn grey(height: usize, width: usize) -> Self {
        Self { height, width, channels: 1 }
    }

    /// A table row of `dim` values: one pixel with that many channels.
    pub fn vector(dim: usize) -> Self {
        Self { height: 1, width: 1, channels: dim }
    }

    /// The number of values of a sample; `None` if it overflows.
    pub fn dim(&self) -> Option<usize> {
        self.height.checked_mul(self.width)?.checked_mul(self.channels)
    }

    /// The number of values of a sample that is in memory, and so does not overflow.
    pub fn values(&self) -> usize {
        self.dim().unwrap_or(usize::MAX)
    }
}

impl fmt::Display for InputShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { height, width, channels } = self;
        match (height, width, channels) {
            (1, 1, 1) => write!(f, "1 column"),
            (1, 1, _) => write!(f, "{channels} columns"),
            (_, _, 1) => write!(f, "{height}x{width} grey"),
            (_, _, 3) => write!(f, "{height}x{width} RGB"),
            _ => write!(f, "{height}x{width} with {channels} channels"),
        }
    }
}
