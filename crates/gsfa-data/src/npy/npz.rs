//! Several arrays in one zip archive.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use gsfa::error::brief::text;
use zip::{CompressionMethod, ZipArchive};

use super::bytes::{Bytes, Reader};
use super::{NpyArray, member_path};
use crate::{Error, Result, memory};

/// Deflate cannot compress better than this; an archive that promises more lies.
const DEFLATE_LIMIT: u64 = 1032;

/// A `.npz` archive: named arrays, stored or deflated.
///
/// Stored members are read by rows like a `.npy` file, without looking at their checksum, which would mean
/// reading all of them first. Deflated members are decompressed into memory and checked.
#[derive(Debug)]
pub struct NpzFile {
    path: PathBuf,
    bytes: Bytes,
    names: Vec<String>,
}

impl NpzFile {
    /// Opens an archive and lists its arrays.
    ///
    /// # Errors
    /// [`Error::Archive`] if it is truncated or not a zip archive.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        let bytes = Bytes::open(&path)?;
        let archive = archive(&bytes, &path)?;
        let names = archive
            .file_names()
            .map(|name| name.map(|name| name.strip_suffix(".npy").unwrap_or(&name).to_string()))
            .collect::<std::result::Result<_, _>>()
            .map_err(|e| Error::Archive { path: path.clone(), reason: e.to_string() })?;
        Ok(Self { path, bytes, names })
    }

    /// The names of the arrays, without `.npy`, in their order in the archive.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The only array of the archive.
    ///
    /// # Errors
    /// [`Error::ArchiveMember`] if there are several, or none.
    pub fn only(&self) -> Result<NpyArray> {
        match &self.names[..] {
            [name] => self.array(name),
            names => Err(Error::ArchiveMember { path: self.path.clone(), asked: None, available: names.to_vec() }),
        }
    }

    /// The array called `name`, with or without `.npy`.
    ///
    /// # Errors
    /// [`Error::ArchiveMember`] if there is none; [`Error::Archive`] if it cannot be decompressed; everything that can be
    /// wrong with an array.
    pub fn array(&self, name: &str) -> Result<NpyArray> {
        let bare = name.strip_suffix(".npy").unwrap_or(name);
        let index = self.names.iter().position(|n| n == bare).ok_or_else(|| Error::ArchiveMember {
            path: self.path.clone(),
            asked: Some(name.to_string()),
            available: self.names.clone(),
        })?;
        let shown = text(bare);
        let broken = |reason: String| Error::Archive { path: self.path.clone(), reason };
        let mut archive = archive(&self.bytes, &self.path)?;
        let mut member = archive.by_index(index).map_err(|e| broken(e.to_string()))?;
        let size = member.size();
        let bytes = if member.compression() == CompressionMethod::Stored && !member.encrypted() {
            let start = member.data_start();
            start
                .and_then(|start| self.bytes.part(start, size))
                .ok_or_else(|| broken(format!("'{shown}' reaches beyond the end of the file")))?
        } else {
            // Both sizes are claims; the file is the proof.
            let compressed = member.compressed_size().min(self.bytes.len());
            if size / DEFLATE_LIMIT > compressed {
                return Err(broken(format!("'{shown}' promises {size} bytes, more than deflate can compress")));
            }
            let mut bytes =
                memory::reserve(usize::try_from(size).unwrap_or(usize::MAX), &member_path(&self.path, bare))?;
            member.by_ref().take(size).read_to_end(&mut bytes).map_err(|e| broken(e.to_string()))?;
            // One more read reaches the end of the stream, where the checksum is compared.
            if member.read(&mut [0]).map_err(|e| broken(e.to_string()))? != 0 {
                return Err(broken(format!("'{shown}' is longer than the {size} bytes it promises")));
            }
            Bytes::memory(bytes)
        };
        NpyArray::new(&bytes, &member_path(&self.path, bare))
    }
}

fn archive<'a>(bytes: &'a Bytes, path: &Path) -> Result<ZipArchive<BufReader<Reader<'a>>>> {
    ZipArchive::new(BufReader::new(bytes.reader()))
        .map_err(|e| Error::Archive { path: path.to_path_buf(), reason: e.to_string() })
}
