//! Reading: only what has a length, since pipes may keep us waiting and devices may never end.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// A regular file and its length.
///
/// # Errors
/// What the system says, and [`io::ErrorKind::InvalidInput`] for folders, pipes, sockets and devices.
pub fn open(path: &Path) -> io::Result<(File, u64)> {
    // Before opening: that would wait for ever on a pipe.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(other_than_file(metadata.file_type()));
    }
    let file = File::open(path)?;
    let len = file.metadata()?.len();
    Ok((file, len))
}

/// All bytes of a regular file.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let (mut file, len) = open(path)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(len).unwrap_or(usize::MAX)).map_err(|_| io::ErrorKind::OutOfMemory)?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What something is that is no regular file, as an error.
pub(super) fn other_than_file(kind: FileType) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("it is {}, not a regular file", named(kind)))
}

#[cfg(unix)]
fn named(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn named(kind: FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "a device" }
}
