//! Where samples come from: anything that can read its rows.

mod shape;
mod subset;

use std::ops::Range;

use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use crate::linalg::Real;
use crate::{Error, Result};
pub use shape::InputShape;
pub(crate) use subset::Subset;

/// The type in which samples are read; sums over them are f64 in either case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// f32: twice as fast, and all that f32 or 8-bit samples need.
    Single,
    /// f64.
    Double,
}

/// Rows to read.
#[derive(Debug, Clone)]
pub enum Rows<'a> {
    /// Consecutive rows.
    Range(Range<usize>),
    /// Rows in any order.
    List(&'a [usize]),
}

impl Rows<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::List(list) => list.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The k-th row.
    pub fn row(&self, k: usize) -> usize {
        match self {
            Self::Range(range) => range.start + k,
            Self::List(list) => list[k],
        }
    }
}

/// All samples as a matrix in memory.
#[derive(Debug, Clone, Copy)]
pub enum Matrix<'a> {
    /// In f32.
    Single(ArrayView2<'a, f32>),
    /// In f64.
    Double(ArrayView2<'a, f64>),
}

/// N samples of I inputs, read a few rows at a time and from several threads.
pub trait Samples: Sync {
    /// N.
    fn len(&self) -> usize;

    /// I.
    fn dim(&self) -> usize;

    /// The type to read them in.
    fn precision(&self) -> Precision;

    /// Fills `out` (one row per row asked for) in f32.
    ///
    /// # Errors
    /// Whatever prevents reading.
    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()>;

    /// Fills `out` (one row per row asked for) in f64.
    ///
    /// # Errors
    /// Whatever prevents reading.
    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()>;

    /// Fills `out` with some columns of the rows asked for, in f32. Nodes of a network look at small fields of large
    /// images, so sources that can should not read the rest.
    ///
    /// # Errors
    /// Whatever prevents reading.
    fn read_single_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f32>) -> Result<()> {
        let mut all = Array2::zeros((rows.len(), self.dim()));
        self.read_single(rows, all.view_mut())?;
        pick(all.view(), columns, out);
        Ok(())
    }

    /// As [`read_single_columns`](Self::read_single_columns), in f64.
    ///
    /// # Errors
    /// Whatever prevents reading.
    fn read_double_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, f64>) -> Result<()> {
        let mut all = Array2::zeros((rows.len(), self.dim()));
        self.read_double(rows, all.view_mut())?;
        pick(all.view(), columns, out);
        Ok(())
    }

    /// Whether there are no samples.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The matrix, if they are in memory in the type of [`precision`](Self::precision): saves copying them.
    fn matrix(&self) -> Option<Matrix<'_>> {
        None
    }
}

fn pick<T: Copy>(all: ArrayView2<'_, T>, columns: &[usize], mut out: ArrayViewMut2<'_, T>) {
    for (from, mut to) in all.outer_iter().zip(out.outer_iter_mut()) {
        to.iter_mut().zip(columns).for_each(|(o, &c)| *o = from[c]);
    }
}

fn copy_columns<A: Copy, T>(
    from: &ArrayView2<'_, A>,
    rows: &Rows<'_>,
    columns: &[usize],
    mut out: ArrayViewMut2<'_, T>,
    convert: impl Fn(A) -> T,
) {
    // Rows of a receptive field are runs of neighbouring columns, and runs are copied many times faster.
    let runs: Vec<Range<usize>> = columns.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[0] + run.len()).collect();
    for (k, mut row) in out.outer_iter_mut().enumerate() {
        let from = from.row(rows.row(k));
        match (from.as_slice(), row.as_slice_mut()) {
            (Some(from), Some(mut row)) => {
                for run in &runs {
                    let (to, rest) = row.split_at_mut(run.len());
                    copy_run(&from[run.clone()], to, &convert);
                    row = rest;
                }
            }
            _ => row.iter_mut().zip(columns).for_each(|(o, &c)| *o = convert(from[c])),
        }
    }
}

/// Copies one run. Eight values at a time are one load and one store; runs are too short for the compiler's own loops.
#[inline(always)]
pub(crate) fn copy_run<A: Copy, T>(from: &[A], to: &mut [T], convert: &impl Fn(A) -> T) {
    let (from_eights, from_rest) = from.as_chunks::<8>();
    let (to_eights, to_rest) = to.as_chunks_mut::<8>();
    to_eights.iter_mut().zip(from_eights).for_each(|(o, x)| *o = x.map(convert));
    to_rest.iter_mut().zip(from_rest).for_each(|(o, &x)| *o = convert(x));
}

fn copy<A: Copy, T>(
    from: &ArrayView2<'_, A>,
    rows: &Rows<'_>,
    mut out: ArrayViewMut2<'_, T>,
    convert: impl Fn(A) -> T,
) {
    for (k, mut row) in out.outer_iter_mut().enumerate() {
        row.zip_mut_with(&from.row(rows.row(k)), |o, &x| *o = convert(x));
    }
}

macro_rules! samples_in_memory {
    ($type:ty, $precision:ident, |$view:ident| $matrix:expr) => {
        impl Samples for ArrayView2<'_, $type> {
            fn len(&self) -> usize {
                self.nrows()
            }
            fn dim(&self) -> usize {
                self.ncols()
            }
            fn precision(&self) -> Precision {
                Precision::$precision
            }
            fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
                copy(self, &rows, out, |x| x as f32);
                Ok(())
            }
            fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
                copy(self, &rows, out, f64::from);
                Ok(())
            }
            fn read_single_columns(
                &self,
                rows: Rows<'_>,
                columns: &[usize],
                out: ArrayViewMut2<'_, f32>,
            ) -> Result<()> {
                copy_columns(self, &rows, columns, out, |x| x as f32);
                Ok(())
            }
            fn read_double_columns(
                &self,
                rows: Rows<'_>,
                columns: &[usize],
                out: ArrayViewMut2<'_, f64>,
            ) -> Result<()> {
                copy_columns(self, &rows, columns, out, f64::from);
                Ok(())
            }
            fn matrix(&self) -> Option<Matrix<'_>> {
                let $view = self;
                $matrix
            }
        }
    };
}

samples_in_memory!(f32, Single, |x| Some(Matrix::Single(x.view())));
samples_in_memory!(f64, Double, |x| Some(Matrix::Double(x.view())));
samples_in_memory!(u8, Single, |_x| None);

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

/// Samples and graph must describe the same vertices.
pub(crate) fn check_length(samples: &dyn Samples, vertices: usize) -> Result<()> {
    if samples.len() == vertices {
        return Ok(());
    }
    Err(Error::LengthMismatch {
        left: "X".into(),
        left_len: samples.len(),
        right: "the graph".into(),
        right_len: vertices,
    })
}
