//! Input files: only what has a length is read, since pipes may keep us waiting and devices may never end.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::{Error, Result};

/// A regular file and its length.
pub(crate) fn open(path: &Path) -> Result<(File, u64)> {
    gsfa::file::open(path).map_err(Error::io("read", path))
}

/// All bytes of a regular file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    gsfa::file::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::OutOfMemory => {
            let bytes = path.metadata().map_or(0, |metadata| metadata.len());
            Error::OutOfMemory { path: path.to_path_buf(), bytes }
        }
        _ => Error::io("read", path)(error),
    })
}
