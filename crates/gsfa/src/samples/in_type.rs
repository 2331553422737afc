//! Reading in a type that is known where it is compiled.

use ndarray::{ArrayView2, ArrayViewMut2};

use super::{Matrix, Rows, Samples};
use crate::Result;
use crate::linalg::Real;

/// A number type that [`Samples`] can be read in.
pub trait SampleType: Real {
    /// Reads rows in this type.
    ///
    /// # Errors
    /// Whatever prevents reading.
    fn read(samples: &dyn Samples, rows: Rows<'_>, out: ArrayViewMut2<'_, Self>) -> Result<()>;

    /// Reads some columns of rows in this type.
    ///
    /// # Errors
    /// Whatever prevents reading.
    fn read_columns(
        samples: &dyn Samples,
        rows: Rows<'_>,
        columns: &[usize],
        out: ArrayViewMut2<'_, Self>,
    ) -> Result<()>;

    /// The samples' matrix, if it is in memory in this type.
    fn matrix(samples: &dyn Samples) -> Option<ArrayView2<'_, Self>>;
}

impl SampleType for f32 {
    fn read(samples: &dyn Samples, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
        samples.read_single(rows, out)
    }
    fn read_columns(
        samples: &dyn Samples,
        rows: Rows<'_>,
        columns: &[usize],
        out: ArrayViewMut2<'_, f32>,
    ) -> Result<()> {
        samples.read_single_columns(rows, columns, out)
    }
    fn matrix(samples: &dyn Samples) -> Option<ArrayView2<'_, f32>> {
        samples.matrix().and_then(|m| if let Matrix::Single(x) = m { Some(x) } else { None })
    }
}

impl SampleType for f64 {
    fn read(samples: &dyn Samples, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
        samples.read_double(rows, out)
    }
    fn read_columns(
        samples: &dyn Samples,
        rows: Rows<'_>,
        columns: &[usize],
        out: ArrayViewMut2<'_, f64>,
    ) -> Result<()> {
        samples.read_double_columns(rows, columns, out)
    }
    fn matrix(samples: &dyn Samples) -> Option<ArrayView2<'_, f64>> {
        samples.matrix().and_then(|m| if let Matrix::Double(x) = m { Some(x) } else { None })
    }
}
