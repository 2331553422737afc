//! Some of the samples.

use ndarray::ArrayViewMut2;

use super::forward::forward;
use super::{Element, InputShape, Precision, Rows, Samples, check_rows};
use crate::{Error, Result};

/// Some rows of samples, as samples: one side of a split, or what remains after dropping rows.
#[derive(Debug, Clone)]
pub struct Subset<S, R = Vec<usize>> {
    samples: S,
    rows: R,
}

impl<S: Samples, R: AsRef<[usize]>> Subset<S, R> {
    /// The given rows, in the given order.
    ///
    /// # Errors
    /// [`Error::RowOutOfRange`] if one does not exist.
    pub fn new(samples: S, rows: R) -> Result<Self> {
        let len = samples.len();
        match rows.as_ref().iter().find(|&&row| row >= len) {
            Some(&row) => Err(Error::RowOutOfRange { row, len }),
            None => Ok(Self { samples, rows }),
        }
    }

    /// The samples of which these are some.
    pub fn samples(&self) -> &S {
        &self.samples
    }

    /// Their rows there.
    pub fn rows(&self) -> &[usize] {
        self.rows.as_ref()
    }

    fn original(&self, rows: &Rows<'_>, dim: usize, buffer: (usize, usize)) -> Result<Vec<usize>> {
        let own = self.rows.as_ref();
        check_rows(rows, (own.len(), dim), buffer)?;
        Ok((0..rows.len()).map(|k| own[rows.row(k)]).collect())
    }
}

impl<S: Samples, R: AsRef<[usize]> + Send + Sync> Samples for Subset<S, R> {
    forward!(self => self.samples; dim, element, precision, image_shape, reads_cheaply);

    fn len(&self) -> usize {
        self.rows.as_ref().len()
    }

    fn original_row(&self, row: usize) -> usize {
        self.samples.original_row(self.rows.as_ref()[row])
    }

    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
        let rows = self.original(&rows, self.dim(), out.dim())?;
        self.samples.read_single(Rows::List(&rows), out)
    }

    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
        let rows = self.original(&rows, self.dim(), out.dim())?;
        self.samples.read_double(Rows::List(&rows), out)
    }

    fn read_single_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f32>) -> Result<()> {
        let rows = self.original(&rows, columns.len(), out.dim())?;
        self.samples.read_single_columns(Rows::List(&rows), columns, out)
    }

    fn read_double_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f64>) -> Result<()> {
        let rows = self.original(&rows, columns.len(), out.dim())?;
        self.samples.read_double_columns(Rows::List(&rows), columns, out)
    }
}
