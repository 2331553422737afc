//! Samples that somebody may want to stop reading.

use ndarray::ArrayViewMut2;

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
        self.samples.precision()
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
