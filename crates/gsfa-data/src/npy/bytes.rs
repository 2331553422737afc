//! The bytes of an array: a part of a file, read where they are needed, or memory that holds a decompressed one.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Error, Result, input};

/// A part of a file or of memory, shared by its copies.
///
/// Files are read and not mapped: a mapped file that another process shortens ends the program with a signal, and what
/// was read of it stays in memory.
#[derive(Debug, Clone)]
pub(super) struct Bytes {
    storage: Arc<Storage>,
    start: u64,
    len: u64,
}

#[derive(Debug)]
enum Storage {
    File { file: File, path: PathBuf },
    Memory(Vec<u8>),
}

impl Bytes {
    /// All of a file.
    pub fn open(path: &Path) -> Result<Self> {
        let (file, len) = input::open(path)?;
        Ok(Self { storage: Arc::new(Storage::File { file, path: path.to_path_buf() }), start: 0, len })
    }

    pub fn memory(bytes: Vec<u8>) -> Self {
        let len = bytes.len() as u64;
        Self { storage: Arc::new(Storage::Memory(bytes)), start: 0, len }
    }

    /// How many there were when the file was opened.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The part of this part, or `None` if it reaches beyond the end.
    pub fn part(&self, start: u64, len: u64) -> Option<Self> {
        let inside = start.checked_add(len)? <= self.len;
        inside.then(|| Self { storage: Arc::clone(&self.storage), start: self.start + start, len })
    }

    /// The first bytes, at most `most` of them.
    pub fn beginning(&self, most: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; self.len.min(most) as usize];
        self.read_at(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Fills `out` with the bytes at `at`, which lie within this part.
    ///
    /// # Errors
    /// [`Error::BecameShorter`] if they no longer do.
    pub fn read_at(&self, at: u64, out: &mut [u8]) -> Result<()> {
        let from = self.start + at;
        match &*self.storage {
            Storage::Memory(bytes) => {
                out.copy_from_slice(&bytes[from as usize..][..out.len()]);
                Ok(())
            }
            Storage::File { file, path } => read_exact_at(file, from, out).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => Error::BecameShorter {
                    path: path.clone(),
                    ends_at: file.metadata().map_or(0, |now| now.len()),
                    promised: self.start + self.len,
                },
                _ => Error::io("read", path)(error),
            }),
        }
    }

    /// The bytes as a stream with a position of its own.
    pub fn reader(&self) -> Reader<'_> {
        Reader { bytes: self, at: 0 }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, at: u64, out: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut at: u64, mut out: &mut [u8]) -> io::Result<()> {
    while !out.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, out, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                at += read as u64;
                out = &mut out[read..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Reads from the beginning, or from wherever it is sent.
pub(super) struct Reader<'a> {
    bytes: &'a Bytes,
    at: u64,
}

impl Read for Reader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = self.bytes.len.saturating_sub(self.at);
        let count = (out.len() as u64).min(left) as usize;
        self.bytes.read_at(self.at, &mut out[..count]).map_err(io::Error::other)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for Reader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.bytes.len.checked_add_signed(by),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
