//! Samples in another precision than their own.

use ndarray::ArrayViewMut2;

use super::forward::forward;
use super::{Element, InputShape, Matrix, Precision, Rows, Samples};
use crate::Result;

/// Samples, read in the given precision.
#[derive(Debug, Clone)]
pub struct InPrecision<S> {
    samples: S,
    precision: Precision,
}

impl<S: Samples> InPrecision<S> {
    /// The samples, to be read in this precision.
    pub fn new(samples: S, precision: Precision) -> Self {
        Self { samples, precision }
    }
}

impl<S: Samples> Samples for InPrecision<S> {
    forward!(self => self.samples; len, dim, element, image_shape, reads_cheaply, original_row, read);

    fn precision(&self) -> Precision {
        self.precision
    }

    fn matrix(&self) -> Option<Matrix<'_>> {
        self.samples.matrix().filter(|matrix| matrix.precision() == self.precision)
    }
}
