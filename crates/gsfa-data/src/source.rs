//! Where rows come from: anything that can read given rows into a buffer.

use std::fmt;

pub use gsfa::samples::Rows;
use ndarray::{Array2, ArrayViewMut2};
use rayon::prelude::*;

use crate::{Error, Result};

/// Samples that are read by rows on demand, so that no more than a chunk is ever held as floating-point numbers.
pub trait Source: Send + Sync {
    /// The number of samples N.
    fn len(&self) -> usize;

    /// Whether there are no samples.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers per sample I.
    fn dim(&self) -> usize;

    /// Height, width and channels, if a row is an image; pixels run along a line, channels innermost.
    fn image_shape(&self) -> Option<ImageShape>;

    /// The type the numbers have where they are stored.
    fn element(&self) -> Element;

    /// Whether rows can be read again and again: they are numbers in memory or in a file, nothing to decode.
    fn reads_cheaply(&self) -> bool {
        false
    }

    /// The number that a row has where the samples come from, if some of those were left out.
    fn original_row(&self, row: usize) -> usize {
        row
    }

    /// Reads rows in single precision.
    ///
    /// # Errors
    /// If a row does not exist, the buffer has another shape, or reading fails.
    fn read_f32(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()>;

    /// Reads rows in double precision.
    ///
    /// # Errors
    /// As [`read_f32`](Self::read_f32).
    fn read_f64(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()>;
}

/// Checks that all rows exist and that a buffer of the given shape fits them.
///
/// # Errors
/// [`Error::RowOutOfRange`] or [`Error::BufferShape`].
pub fn check_rows(rows: &Rows<'_>, len: usize, dim: usize, buffer: (usize, usize)) -> Result<()> {
    if let Some(row) = (0..rows.len()).map(|k| rows.row(k)).find(|&row| row >= len) {
        return Err(Error::RowOutOfRange { row, len });
    }
    if buffer != (rows.len(), dim) {
        return Err(Error::BufferShape {
            found_rows: buffer.0,
            found_columns: buffer.1,
            rows: rows.len(),
            columns: dim,
        });
    }
    Ok(())
}

/// Height, width and channels of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ImageShape {
    /// Lines.
    pub height: usize,
    /// Pixels per line.
    pub width: usize,
    /// 1 for grey, 3 for RGB.
    pub channels: usize,
}

impl ImageShape {
    /// Numbers per image.
    pub fn dim(&self) -> usize {
        self.height * self.width * self.channels
    }
}

impl fmt::Display for ImageShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.height, self.width)?;
        match self.channels {
            1 => write!(f, " grey"),
            3 => write!(f, " RGB"),
            c => write!(f, " with {c} channels"),
        }
    }
}

/// The stored type of a number.
///
/// Conversion rule: booleans become 0 and 1; integers become the nearest floating-point number (exact up to 2²⁴ in
/// single and 2⁵³ in double precision); `f64` read in single precision is rounded to nearest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Element {
    /// One byte, 0 or 1.
    Bool,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Unsigned 8-bit integer: pixels.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}

impl Element {
    /// Bytes per number.
    pub fn size(self) -> usize {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether single precision holds every value of the type.
    pub fn fits_single(self) -> bool {
        !matches!(self, Self::I32 | Self::I64 | Self::U32 | Self::U64 | Self::F64)
    }
}

/// Some rows of a source, as a source: one side of a split, or what remains after dropping rows.
#[derive(Debug, Clone)]
pub struct Subset<S> {
    source: S,
    rows: Vec<usize>,
}

impl<S: Source> Subset<S> {
    /// The given rows of `source`, in the given order.
    ///
    /// # Errors
    /// [`Error::RowOutOfRange`] if one does not exist.
    pub fn new(source: S, rows: Vec<usize>) -> Result<Self> {
        let len = source.len();
        match rows.iter().find(|&&row| row >= len) {
            Some(&row) => Err(Error::RowOutOfRange { row, len }),
            None => Ok(Self { source, rows }),
        }
    }

    /// The underlying source.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The rows of the underlying source.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    fn mapped(&self, rows: &Rows<'_>, buffer: (usize, usize)) -> Result<Vec<usize>> {
        check_rows(rows, self.rows.len(), self.source.dim(), buffer)?;
        Ok((0..rows.len()).map(|k| self.rows[rows.row(k)]).collect())
    }
}

impl<S: Source> Source for Subset<S> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn dim(&self) -> usize {
        self.source.dim()
    }

    fn image_shape(&self) -> Option<ImageShape> {
        self.source.image_shape()
    }

    fn element(&self) -> Element {
        self.source.element()
    }

    fn reads_cheaply(&self) -> bool {
        self.source.reads_cheaply()
    }

    fn original_row(&self, row: usize) -> usize {
        self.source.original_row(self.rows[row])
    }

    fn read_f32(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.source.read_f32(&Rows::List(&self.mapped(rows, out.dim())?), out)
    }

    fn read_f64(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.source.read_f64(&Rows::List(&self.mapped(rows, out.dim())?), out)
    }
}

impl Source for Array2<f64> {
    fn len(&self) -> usize {
        self.nrows()
    }

    fn dim(&self) -> usize {
        self.ncols()
    }

    fn image_shape(&self) -> Option<ImageShape> {
        None
    }

    fn element(&self) -> Element {
        Element::F64
    }

    fn reads_cheaply(&self) -> bool {
        true
    }

    fn read_f32(&self, rows: &Rows<'_>, mut out: ArrayViewMut2<'_, f32>) -> Result<()> {
        check_rows(rows, self.nrows(), self.ncols(), out.dim())?;
        for (k, mut target) in out.rows_mut().into_iter().enumerate() {
            target.zip_mut_with(&self.row(rows.row(k)), |to, &from| *to = from as f32);
        }
        Ok(())
    }

    fn read_f64(&self, rows: &Rows<'_>, mut out: ArrayViewMut2<'_, f64>) -> Result<()> {
        check_rows(rows, self.nrows(), self.ncols(), out.dim())?;
        for (k, mut target) in out.rows_mut().into_iter().enumerate() {
            target.assign(&self.row(rows.row(k)));
        }
        Ok(())
    }
}

macro_rules! forward_source {
    ($($pointer:ty),*) => {$(
        impl<S: Source + ?Sized> Source for $pointer {
            fn len(&self) -> usize {
                (**self).len()
            }
            fn dim(&self) -> usize {
                (**self).dim()
            }
            fn image_shape(&self) -> Option<ImageShape> {
                (**self).image_shape()
            }
            fn element(&self) -> Element {
                (**self).element()
            }
            fn reads_cheaply(&self) -> bool {
                (**self).reads_cheaply()
            }
            fn original_row(&self, row: usize) -> usize {
                (**self).original_row(row)
            }
            fn read_f32(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
                (**self).read_f32(rows, out)
            }
            fn read_f64(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
                (**self).read_f64(rows, out)
            }
        }
    )*};
}

forward_source!(&S, Box<S>, std::sync::Arc<S>);

/// Fills the rows of `out` in parallel; of several failures the one of the first row is returned, whatever the threads.
pub(crate) fn fill_rows<T, F>(mut out: ArrayViewMut2<'_, T>, fill: F) -> Result<()>
where
    T: Copy + Default + Send,
    F: Fn(usize, &mut [T]) -> Result<()> + Sync,
{
    let (rows, dim) = out.dim();
    if rows == 0 || dim == 0 {
        return Ok(());
    }
    let Some(flat) = out.as_slice_mut() else {
        let mut row = vec![T::default(); dim];
        for (k, mut target) in out.rows_mut().into_iter().enumerate() {
            fill(k, &mut row)?;
            target.iter_mut().zip(&row).for_each(|(to, &from)| *to = from);
        }
        return Ok(());
    };
    let failure = flat
        .par_chunks_mut(dim)
        .enumerate()
        .filter_map(|(k, row)| fill(k, row).err().map(|error| (k, error)))
        .min_by_key(|(k, _)| *k);
    failure.map_or(Ok(()), |(_, error)| Err(error))
}
