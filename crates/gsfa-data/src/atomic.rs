//! Output files that appear complete or not at all.

use std::io::{self, Write};
use std::path::Path;

pub use gsfa::file::Overwrite;

use crate::images::is_named_like_an_image;
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

/// Refuses an output that is one of the inputs, under whatever name: a file, or what a folder of inputs is read for.
///
/// # Errors
/// [`Error::OutputIsInput`].
pub fn refuse_input<P: AsRef<Path>>(output: &Path, inputs: &[P]) -> Result<()> {
    let refuse = || Err(Error::OutputIsInput { path: output.to_path_buf() });
    // The file may not be there yet; its folder is.
    let folder = gsfa::file::folder_of(output).canonicalize();
    let real = output.canonicalize().or_else(|_| folder.map(|it| it.join(output.file_name().unwrap_or_default())));
    let Ok(real) = real else { return Ok(()) };
    for input in inputs.iter().filter_map(|input| input.as_ref().canonicalize().ok()) {
        if input == real || (input.is_dir() && real.starts_with(&input) && is_read_in_folders(&real)) {
            return refuse();
        }
    }
    Ok(())
}

/// Whether a file of this name is read with its folder: images, and the tables of the GTSRB folders.
fn is_read_in_folders(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    is_named_like_an_image(path) || (name.starts_with("GT-") && name.ends_with(".csv"))
}
