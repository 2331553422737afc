//! Samples in another precision than their own.

use ndarray::ArrayViewMut2;

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
    fn len(&self) -> usize {
        self.samples.len()
    }

    fn dim(&self) -> usize {
        self.samples.dim()
    }

    fn element(&self) -> Element {
        self.samples.element()
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn image_shape(&self) -> Option<InputShape> {
        self.samples.image_shape()
    }

    fn reads_cheaply(&self) -> bool {
        self.samples.reads_cheaply()
    }

    fn original_row(&self, row: usize) -> usize {
        self.samples.original_row(row)
    }

    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.samples.read_single(rows, out)
    }

    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.samples.read_double(rows, out)
    }

    fn read_single_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.samples.read_single_columns(rows, columns, out)
    }

    fn read_double_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.samples.read_double_columns(rows, columns, out)
    }

    fn matrix(&self) -> Option<Matrix<'_>> {
        self.samples.matrix().filter(|matrix| matrix.precision() == self.precision)
    }
}
