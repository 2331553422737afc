//! Arrays in numpy's `.npy` and `.npz`: mapped into memory and read by rows.

mod header;
mod npz;
mod rows;
mod write;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memmap2::Mmap;
#[cfg(unix)]
use memmap2::UncheckedAdvice;
use ndarray::ArrayViewMut2;

pub use header::Header;
pub use npz::NpzFile;
pub use write::{NpyWriter, write_source};

use crate::source::{Element, ImageShape, Rows, Source, check_rows};
use crate::{Error, Result, input};

/// An array of samples on disk: (N), (N, I), (N, H, W) or (N, H, W, C) of any real type, order and endianness.
///
/// The file is mapped, not loaded: u8 stays u8 until rows are read. It must not be changed while it is open.
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
        Self::new(Bytes::map(path)?, path)
    }

    fn new(mut bytes: Bytes, path: &Path) -> Result<Self> {
        let header = Header::parse(bytes.all(), path)?;
        if header.shape.is_empty() || header.shape.len() > 4 {
            return Err(Error::Axes { path: path.to_path_buf(), shape: header.shape });
        }
        let found = bytes.all().len() as u64;
        // data_start is at most 1 MB and data_bytes at most isize::MAX: the sum fits.
        let promised = header.data_start + header.data_bytes;
        if found < promised {
            return Err(Error::Truncated { path: path.to_path_buf(), ends_at: found, promised });
        }
        if found > promised {
            return Err(Error::TrailingBytes { path: path.to_path_buf(), promised, found });
        }
        bytes.range.start += header.data_start as usize;
        let dim = header.shape[1..].iter().product();
        Ok(Self { header, bytes, dim })
    }

    /// What the header says.
    pub fn header(&self) -> &Header {
        &self.header
    }

    fn read<T: rows::Number>(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, T>) -> Result<()> {
        check_rows(rows, self.len(), self.dim, out.dim())?;
        rows::read(self.bytes.all(), &self.header, rows, out)?;
        if let (Some(rows), false) = (stretch(rows), self.header.fortran_order) {
            let row = self.bytes.range.len() / self.len().max(1);
            self.bytes.release(rows.start * row..rows.end * row);
        }
        Ok(())
    }
}

impl Source for NpyArray {
    fn len(&self) -> usize {
        self.header.shape[0]
    }

    fn dim(&self) -> usize {
        self.dim
    }

    fn image_shape(&self) -> Option<ImageShape> {
        match self.header.shape[1..] {
            [height, width] => Some(ImageShape { height, width, channels: 1 }),
            [height, width, channels] => Some(ImageShape { height, width, channels }),
            _ => None,
        }
    }

    fn element(&self) -> Element {
        self.header.element
    }

    fn reads_cheaply(&self) -> bool {
        true
    }

    fn read_f32(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.read(rows, out)
    }

    fn read_f64(&self, rows: &Rows<'_>, out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.read(rows, out)
    }
}

/// Smaller parts are not worth a call to the system.
#[cfg(unix)]
const RELEASED: usize = 1 << 16;

/// A part of a mapped file, or of memory that holds a decompressed one.
#[derive(Debug, Clone)]
struct Bytes {
    storage: Arc<Storage>,
    range: Range<usize>,
}

#[derive(Debug)]
enum Storage {
    Mapped(Mmap),
    Memory(Vec<u8>),
}

impl Bytes {
    fn map(path: &Path) -> Result<Self> {
        let (file, len) = input::open(path)?;
        if len == 0 {
            return Ok(Self::memory(Vec::new()));
        }
        // SAFETY: the mapping is read-only and private to this value. A file that another process shortens meanwhile
        // ends the program with a signal, as for every mapped file; the documentation of `NpyArray` says so.
        let map = unsafe { Mmap::map(&file) }.map_err(Error::io("read", path))?;
        let range = 0..map.len();
        Ok(Self { storage: Arc::new(Storage::Mapped(map)), range })
    }

    fn memory(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        Self { storage: Arc::new(Storage::Memory(bytes)), range }
    }

    /// The part of this part, or `None` if it reaches beyond the end.
    fn part(&self, start: u64, length: u64) -> Option<Self> {
        let start = self.range.start.checked_add(usize::try_from(start).ok()?)?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        (end <= self.range.end).then(|| Self { storage: Arc::clone(&self.storage), range: start..end })
    }

    /// Says that a part was read and its pages need not stay in the memory of this process, so that reading a large file
    /// from its beginning to its end takes no more memory than a part of it. They are there if they are read again.
    fn release(&self, part: Range<usize>) {
        #[cfg(unix)]
        if let (Storage::Mapped(map), true) = (&*self.storage, part.len() >= RELEASED) {
            let start = self.range.start + part.start;
            // SAFETY: the mapping is never written to, so that dropped pages come back from the file as they were. What
            // the system makes of the advice does not matter.
            let _ = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, part.len()) };
        }
    }

    fn all(&self) -> &[u8] {
        let bytes = match &*self.storage {
            Storage::Mapped(map) => &map[..],
            Storage::Memory(bytes) => &bytes[..],
        };
        &bytes[self.range.clone()]
    }
}

/// The rows, if they follow each other.
fn stretch(rows: &Rows<'_>) -> Option<Range<usize>> {
    match rows {
        Rows::Range(rows) => Some(rows.clone()),
        Rows::List(rows) => {
            let (first, last) = (*rows.first()?, *rows.last()?);
            rows.windows(2).all(|pair| pair[1] == pair[0] + 1).then_some(first..last + 1)
        }
    }
}

/// A path with the name of a member, as error messages show it.
fn member_path(archive: &Path, member: &str) -> PathBuf {
    let mut name = archive.as_os_str().to_os_string();
    name.push(":");
    name.push(member);
    PathBuf::from(name)
}
