//! Some of the samples.

use ndarray::ArrayViewMut2;

use super::{Precision, Rows, Samples};
use crate::Result;

/// The given rows of samples, in the given order.
pub(crate) struct Subset<'a> {
    pub samples: &'a dyn Samples,
    pub rows: &'a [usize],
}

impl Subset<'_> {
    fn of(&self, rows: &Rows<'_>) -> Vec<usize> {
        (0..rows.len()).map(|k| self.rows[rows.row(k)]).collect()
    }
}

impl Samples for Subset<'_> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn dim(&self) -> usize {
        self.samples.dim()
    }

    fn precision(&self) -> Precision {
        self.samples.precision()
    }

    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.samples.read_single(Rows::List(&self.of(&rows)), out)
    }

    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.samples.read_double(Rows::List(&self.of(&rows)), out)
    }

    fn read_single_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.samples.read_single_columns(Rows::List(&self.of(&rows)), columns, out)
    }

    fn read_double_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.samples.read_double_columns(Rows::List(&self.of(&rows)), columns, out)
    }
}
