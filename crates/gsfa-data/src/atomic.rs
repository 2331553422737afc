//! Output files that appear complete or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::{Error, Result};

/// What to do if the output exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwrite {
    /// Leave it alone and fail.
    #[default]
    Refuse,
    /// Replace it once the new file is complete.
    Replace,
}

/// A file written under a temporary name in the folder of its target and renamed when complete.
///
/// Dropped without [`commit`](Self::commit), it leaves no trace; an earlier file of the same name survives every failure.
#[derive(Debug)]
pub struct AtomicFile {
    writer: BufWriter<NamedTempFile>,
    target: PathBuf,
    overwrite: Overwrite,
}

impl AtomicFile {
    /// Opens a temporary file beside `target`.
    ///
    /// # Errors
    /// [`Error::OutputExists`] without leave to replace it; [`Error::Io`] if the folder cannot be written.
    pub fn create(target: impl AsRef<Path>, overwrite: Overwrite) -> Result<Self> {
        let target = target.as_ref().to_path_buf();
        if overwrite == Overwrite::Refuse && target.symlink_metadata().is_ok() {
            return Err(Error::OutputExists { path: target });
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".gsfa-").suffix(".partial");
        #[cfg(unix)]
        {
            // The default of temporary files is private; an output gets what any new file gets, the umask applied.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder_of(&target)).map_err(Error::io("write", &target))?;
        Ok(Self { writer: BufWriter::with_capacity(1 << 18, file), target, overwrite })
    }

    /// The path the file will have.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Forces the contents to disk and gives the file its name.
    ///
    /// # Errors
    /// [`Error::Io`] if the disk is full; [`Error::OutputExists`] if the target appeared meanwhile.
    pub fn commit(self) -> Result<()> {
        let Self { writer, target, overwrite } = self;
        let file = writer.into_inner().map_err(|e| Error::io("write", &target)(e.into_error()))?;
        file.as_file().sync_all().map_err(Error::io("write", &target))?;
        let persisted = match overwrite {
            Overwrite::Refuse => file.persist_noclobber(&target),
            Overwrite::Replace => file.persist(&target),
        };
        match persisted {
            Ok(_) => {}
            Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(Error::OutputExists { path: target });
            }
            Err(e) => return Err(Error::io("write", &target)(e.error)),
        }
        // Without this a power cut could forget the rename. Some file systems refuse to open folders: nothing to do then.
        if let Ok(folder) = File::open(folder_of(&target)) {
            folder.sync_all().map_err(Error::io("write", &target))?;
        }
        Ok(())
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes).map_err(Error::io("write", &self.target))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
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

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
