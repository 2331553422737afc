//! Arrays in numpy's `.npy` and `.npz`, read by rows.

mod bytes;
mod header;
mod npz;
mod rows;
mod runs;
mod write;

use std::path::{Path, PathBuf};

use ndarray::ArrayViewMut2;

pub use header::Header;
pub use npz::NpzFile;
pub use write::{NpyWriter, write_source};

use crate::{Error, Result};
use bytes::Bytes;
use gsfa::samples::{Element, InputShape, Rows, Samples, check_rows};

/// An array of samples on disk: (N), (N, I), (N, H, W) or (N, H, W, C) of any real type, order and endianness.
///
/// The file stays open and is not loaded: rows are read when they are asked for, and u8 stays u8 until then. A file that
/// is replaced by another of the same name, or grows, is read as it was; one that becomes shorter is an error.
#[derive(Debug, Clone)]
pub struct NpyArray {
    header: Header,
    bytes: Bytes,
    dim: usize,
}

impl NpyArray {
    /// Opens a `.npy` file.
    ///
    /// # Errors
    /// Everything that can be wrong with the header, and a file shorter or longer than it promises.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::new(&Bytes::open(path)?, path)
    }

    fn new(file: &Bytes, path: &Path) -> Result<Self> {
        let header = read_header(file, path)?;
        if header.shape.is_empty() || header.shape.len() > 4 {
            return Err(Error::Axes { path: path.to_path_buf(), shape: header.shape });
        }
        // Nothing in the file proves the axes of an array without numbers.
        if header.data_bytes == 0 && header.shape.iter().any(|&axis| axis > LONGEST_OF_NOTHING) {
            let reason = "an array without numbers has an axis of more than 16 million";
            return Err(Error::NpyHeader { path: path.to_path_buf(), at: 0, reason });
        }
        let found = file.len();
        // data_start is at most 1 MB and data_bytes at most isize::MAX: the sum fits.
        let promised = header.data_start + header.data_bytes;
        if found > promised {
            return Err(Error::TrailingBytes { path: path.to_path_buf(), promised, found });
        }
        let bytes = file.part(header.data_start, header.data_bytes).ok_or_else(|| Error::Truncated {
            path: path.to_path_buf(),
            ends_at: found,
            promised,
        })?;
        let dim = header.shape[1..].iter().product();
        Ok(Self { header, bytes, dim })
    }

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    fn read<T: rows::Number>(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, T>) -> Result<()> {
        check_rows(rows, (self.len(), self.dim), out.dim())?;
        rows::read(&self.bytes, &self.header, rows, out)
    }
}

impl Samples for NpyArray {
    fn len(&self) -> usize {
        self.header.shape[0]
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn image_shape(&self) -> Option<InputShape> {
        match self.header.shape[1..] {
            [height, width] => Some(InputShape { height, width, channels: 1 }),
            [height, width, channels] => Some(InputShape { height, width, channels }),
            _ => None,
        }
    }

    fn element(&self) -> Element {
        self.header.element
    }

    fn reads_cheaply(&self) -> bool {
        true
    }

    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> gsfa::Result<()> {
        Ok(self.read(&rows, out)?)
    }

    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> gsfa::Result<()> {
        Ok(self.read(&rows, out)?)
    }
}

/// The longest axis of an array that has no numbers, because another one is 0.
const LONGEST_OF_NOTHING: usize = 1 << 24;

/// Headers are some hundred bytes long; a longer one says so, and is read once more.
fn read_header(file: &Bytes, path: &Path) -> Result<Header> {
    const USUAL: u64 = 4096;
    match Header::parse(&file.beginning(USUAL)?, path) {
        Err(Error::Truncated { promised, .. }) if file.len() > USUAL => Header::parse(&file.beginning(promised)?, path),
        header => header,
    }
}

/// A path with the name of a member, as error messages show it.
fn member_path(archive: &Path, member: &str) -> PathBuf {
    let mut name = archive.as_os_str().to_os_string();
    name.push(":");
    name.push(member);
    PathBuf::from(name)
}
