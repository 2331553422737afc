//! Samples that somebody may want to stop reading.

use ndarray::ArrayViewMut2;

use super::forward::forward;
use super::{Element, InputShape, Matrix, Precision, Rows, Samples};
use crate::{Error, Result};

/// Samples whose reading fails with [`Error::Cancelled`] once `stop` says so.
pub struct Stoppable<'a> {
    samples: &'a dyn Samples,
    stop: &'a (dyn Fn() -> bool + Sync + Send),
}

impl<'a> Stoppable<'a> {
    /// The samples, as long as `stop` says no.
    pub fn new(samples: &'a dyn Samples, stop: &'a (dyn Fn() -> bool + Sync + Send)) -> Self {
        Self { samples, stop }
    }

    fn check(&self) -> Result<()> {
        if (self.stop)() { Err(Error::Cancelled { layer: 0 }) } else { Ok(()) }
    }
}

impl Samples for Stoppable<'_> {
    forward!(self => self.samples; len, dim, element, precision, image_shape, reads_cheaply, original_row);

    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.check()?;
        self.samples.read_single(rows, out)
    }

    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.check()?;
        self.samples.read_double(rows, out)
    }

    fn read_single_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.check()?;
        self.samples.read_single_columns(rows, columns, out)
    }

    fn read_double_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.check()?;
        self.samples.read_double_columns(rows, columns, out)
    }

    fn matrix(&self) -> Option<Matrix<'_>> {
        // Once work shall stop, only reading remains, and that fails.
        if (self.stop)() { None } else { self.samples.matrix() }
    }
}
