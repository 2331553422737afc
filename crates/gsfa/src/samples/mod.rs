//! Where samples come from: anything that can read its rows.
//!
//! Arrays are samples, and files are (crate `gsfa-data`). What adapts others is here: some of the rows ([`Subset`]), another
//! precision ([`InPrecision`]), and reading that somebody may stop ([`Stoppable`]).

mod element;
pub(crate) mod forward;
mod in_type;
mod memory;
mod precision;
mod shape;
mod stop;
mod subset;

use std::ops::Range;

use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use crate::{Error, Result};
pub use element::Element;
pub use in_type::SampleType;
pub(crate) use memory::copy_run;
pub use precision::InPrecision;
pub use shape::InputShape;
pub use stop::Stoppable;
pub use subset::Subset;

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

impl Matrix<'_> {
    /// The type of its numbers.
    pub fn precision(&self) -> Precision {
        match self {
            Self::Single(_) => Precision::Single,
            Self::Double(_) => Precision::Double,
        }
    }
}

/// N samples of I inputs, read a few rows at a time and from several threads.
pub trait Samples: Send + Sync {
    /// N.
    fn len(&self) -> usize;

    /// I.
    fn dim(&self) -> usize;

    /// The type that the numbers have where they are stored.
    fn element(&self) -> Element;

    /// The type to read them in: f32 if it holds every stored number.
    fn precision(&self) -> Precision {
        if self.element().fits_single() { Precision::Single } else { Precision::Double }
    }

    /// Height, width and channels, if samples are images.
    fn image_shape(&self) -> Option<InputShape> {
        None
    }

    /// The shape of a sample: that of an image, or a row of a table.
    fn input_shape(&self) -> InputShape {
        self.image_shape().unwrap_or(InputShape::vector(self.dim()))
    }

    /// Whether rows can be read again and again: they are numbers in memory or in a file, nothing to decode.
    fn reads_cheaply(&self) -> bool {
        false
    }

    /// The number that a row has where the samples come from, if some of those were left out.
    fn original_row(&self, row: usize) -> usize {
        row
    }

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

/// That all rows asked for exist, and that a buffer of the given shape fits them: for whoever implements [`Samples`].
///
/// # Errors
/// [`Error::RowOutOfRange`] or [`Error::BufferShape`].
pub fn check_rows(rows: &Rows<'_>, (len, dim): (usize, usize), buffer: (usize, usize)) -> Result<()> {
    let missing = match rows {
        Rows::Range(range) => (range.end > len && !range.is_empty()).then(|| len.max(range.start)),
        Rows::List(list) => list.iter().copied().find(|&row| row >= len),
    };
    match missing {
        Some(row) => Err(Error::RowOutOfRange { row, len }),
        None if buffer == (rows.len(), dim) => Ok(()),
        None => Err(Error::BufferShape { found: buffer.into(), needed: [rows.len(), dim] }),
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
