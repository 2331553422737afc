//! Writing `.npy`, row by row.

use std::io::Write;
use std::path::Path;

use ndarray::{Array2, ArrayView2};

use super::Header;
use crate::{Error, Result};
use gsfa::file::{AtomicFile, Overwrite};
use gsfa::samples::{Element, Rows, Samples};

/// Rows held at once while a source is copied.
const CHUNK_BYTES: usize = 8 << 20;

/// An array file that grows by rows and gets its name when the promised number of rows is written.
#[derive(Debug)]
pub struct NpyWriter {
    file: AtomicFile,
    element: Element,
    dim: usize,
    promised: usize,
    written: usize,
}

impl NpyWriter {
    /// Begins an array of the given shape, little-endian and in C order.
    ///
    /// # Errors
    /// If the shape has no axis or is too large, if `element` is not u8, f32 or f64, or the file cannot be created.
    pub fn create(path: impl AsRef<Path>, shape: &[usize], element: Element, overwrite: Overwrite) -> Result<Self> {
        if !matches!(element, Element::U8 | Element::F32 | Element::F64) {
            return Err(Error::parameter("element", format!("{element:?}"), "arrays are written as u8, f32 or f64"));
        }
        let bytes = shape.iter().try_fold(element.size(), |product, &axis| product.checked_mul(axis));
        let (Some(_), Some((&promised, inner)), true) = (bytes, shape.split_first(), shape.len() <= 32) else {
            return Err(Error::parameter(
                "shape",
                format!("{shape:?}"),
                "an array has 1 to 32 axes and fits the address space",
            ));
        };
        let path = path.as_ref();
        let mut file = AtomicFile::create(path, overwrite).map_err(Error::writing(path))?;
        file.write_all(&Header::encode(element, shape)).map_err(Error::writing(path))?;
        Ok(Self { file, element, dim: inner.iter().product(), promised, written: 0 })
    }

    /// Appends rows.
    ///
    /// # Errors
    /// If they have another length, are too many, or, for u8, are not whole numbers from 0 to 255.
    pub fn append(&mut self, rows: ArrayView2<'_, f64>) -> Result<()> {
        if rows.ncols() != self.dim || rows.nrows() > self.promised - self.written {
            let needed = [self.promised - self.written, self.dim];
            return Err(gsfa::Error::BufferShape { found: rows.dim().into(), needed }.into());
        }
        let mut bytes = Vec::with_capacity(rows.len() * self.element.size());
        for &value in rows {
            match self.element {
                Element::U8 if value.fract() == 0.0 && (0.0..=255.0).contains(&value) => bytes.push(value as u8),
                Element::U8 => return Err(Error::parameter("value", value, "u8 holds whole numbers from 0 to 255")),
                Element::F32 => bytes.extend((value as f32).to_le_bytes()),
                _ => bytes.extend(value.to_le_bytes()),
            }
        }
        self.file.write_all(&bytes).map_err(Error::writing(self.file.path()))?;
        self.written += rows.nrows();
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If rows are missing or the disk is full; nothing appears under the name then.
    pub fn finish(self) -> Result<()> {
        if self.written != self.promised {
            return Err(Error::LengthMismatch {
                left: self.file.path().display().to_string(),
                left_len: self.promised,
                right: "what was written".to_string(),
                right_len: self.written,
            });
        }
        let path = self.file.path().to_path_buf();
        self.file.commit().map_err(Error::writing(&path))
    }
}

/// Copies a source into an array file, chunk by chunk; images keep their height, width and channels.
///
/// # Errors
/// As reading and [`NpyWriter`].
pub fn write_source(
    source: &dyn Samples,
    path: impl AsRef<Path>,
    element: Element,
    overwrite: Overwrite,
) -> Result<()> {
    let dim = source.dim();
    let shape = match source.image_shape() {
        Some(s) if s.channels == 1 => vec![source.len(), s.height, s.width],
        Some(s) => vec![source.len(), s.height, s.width, s.channels],
        None => vec![source.len(), dim],
    };
    let mut writer = NpyWriter::create(path, &shape, element, overwrite)?;
    let step = (CHUNK_BYTES / (8 * dim.max(1))).max(1);
    let mut chunk = Array2::zeros((step.min(source.len()), dim));
    for start in (0..source.len()).step_by(step) {
        let end = (start + step).min(source.len());
        let mut rows = chunk.slice_mut(ndarray::s![..end - start, ..]);
        source.read_double(Rows::Range(start..end), rows.view_mut())?;
        writer.append(rows.view())?;
    }
    writer.finish()
}
