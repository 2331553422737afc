//! Output files that appear complete or not at all.

use std::io::{self, Write};
use std::path::Path;

pub use gsfa::file::Overwrite;

use crate::{Error, Result};

/// A [`gsfa::file::AtomicFile`] whose failures name the file.
#[derive(Debug)]
pub struct AtomicFile(gsfa::file::AtomicFile);

impl AtomicFile {
    /// Opens a temporary file beside `target`, or the device that it names.
    ///
    /// # Errors
    /// [`Error::OutputExists`] without leave to replace it; [`Error::Io`] if the folder cannot be written.
    pub fn create(target: impl AsRef<Path>, overwrite: Overwrite) -> Result<Self> {
        let target = target.as_ref();
        gsfa::file::AtomicFile::create(target, overwrite).map(Self).map_err(failure(target))
    }

    /// The path that was asked for.
    pub fn target(&self) -> &Path {
        self.0.path()
    }

    /// Forces the contents to disk and gives the file its name.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk is full; [`Error::OutputExists`] if the target appeared meanwhile.
    pub fn commit(self) -> Result<()> {
        let target = self.target().to_path_buf();
        self.0.commit().map_err(failure(&target))
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.write_all(bytes).map_err(failure(self.target()))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Finds out whether a file can be written, before the work that fills it.
///
/// # Errors
/// As [`AtomicFile::create`].
pub fn check(target: &Path, overwrite: Overwrite) -> Result<()> {
    gsfa::file::check(target, overwrite).map_err(failure(target))
}

fn failure(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| match source.kind() {
        io::ErrorKind::AlreadyExists => Error::OutputExists { path },
        _ => Error::Io { action: "write", path, source },
    }
}

/// Refuses an output that is one of the inputs, under whatever name.
///
/// # Errors
/// [`Error::OutputIsInput`].
pub fn refuse_input<P: AsRef<Path>>(output: &Path, inputs: &[P]) -> Result<()> {
    let Ok(real) = output.canonicalize() else { return Ok(()) };
    if inputs.iter().any(|input| input.as_ref().canonicalize().is_ok_and(|input| input == real)) {
        return Err(Error::OutputIsInput { path: output.to_path_buf() });
    }
    Ok(())
}
