//! Files that are there completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// What saving does with a file of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// Keeps it and fails.
    Never,
    /// Replaces it in one step. A symbolic link is replaced itself.
    Replace,
}

/// A regular file and its length.
pub fn open(path: &Path) -> Result<(File, u64)> {
    let refuse = |message: String| Error::Read { path: path.to_path_buf(), message };
    // Before opening: that would wait for ever on a pipe.
    let metadata = fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
    if !metadata.is_file() {
        return Err(refuse("it is not a regular file".into()));
    }
    let file = File::open(path).map_err(|error| refuse(error.to_string()))?;
    let len = file.metadata().map_err(|error| refuse(error.to_string()))?.len();
    Ok((file, len))
}

/// Writes a file: first under another name in the same folder and to the disk, then under its own.
///
/// # Errors
/// [`Error::FileExists`] or [`Error::Save`]; then the folder is as it was before.
pub fn write(path: &Path, bytes: &[u8], overwrite: Overwrite) -> Result<()> {
    write_by(path, overwrite, |file| file.write_all(bytes)).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Error::FileExists { path: path.to_path_buf() },
        _ => Error::Save { path: path.to_path_buf(), bytes: bytes.len(), message: error.to_string() },
    })
}

fn write_by(path: &Path, overwrite: Overwrite, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "there is no file name"))?;
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if overwrite == Overwrite::Never && path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (mut file, temporary) = Temporary::create(folder, &name.to_string_lossy())?;
    fill(&mut file)?;
    file.sync_all()?;
    drop(file);
    match overwrite {
        Overwrite::Replace => temporary.rename(path)?,
        Overwrite::Never => temporary.link(path)?,
    }
    // The new name reaches the disk now rather than later. Should this fail, a crash leaves the old file or the new
    // one, but never a part; some file systems cannot do it at all.
    #[cfg(unix)]
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A file under a temporary name, which is gone when this is.
struct Temporary(PathBuf);

impl Temporary {
    fn create(folder: &Path, name: &str) -> io::Result<(File, Self)> {
        // Long names leave no room for a suffix.
        let stem: String = name.chars().take(32).collect();
        let process = std::process::id();
        // Remains of a killed process of the same number, or another thread, may have taken a name.
        for attempt in 0..1000 {
            let path = folder.join(format!(".{stem}.{process}-{attempt}.tmp"));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((file, Self(path))),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("no temporary file name is free in its folder"))
    }

    fn rename(self, path: &Path) -> io::Result<()> {
        fs::rename(&self.0, path)
    }

    /// Gives the file its name unless that is taken. Unlike renaming, linking never replaces a file that somebody else
    /// made in the meantime.
    fn link(self, path: &Path) -> io::Result<()> {
        match fs::hard_link(&self.0, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                // Some file systems have no links.
                if path.symlink_metadata().is_ok() {
                    return Err(io::ErrorKind::AlreadyExists.into());
                }
                fs::rename(&self.0, path)
            }
            linked => linked,
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After renaming there is nothing to remove.
        let _ = fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_after_any_number_of_bytes_leaves_the_folder_as_it_was() {
        let folder = std::env::temp_dir().join(format!("gsfa-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("model.gsfa");
        let content: Vec<u8> = (0..200).collect();
        let failing = |k: usize| {
            let bytes = &content[..k];
            move |file: &mut File| file.write_all(bytes).and(Err(io::ErrorKind::StorageFull.into()))
        };
        for k in 0..=content.len() {
            assert!(write_by(&path, Overwrite::Replace, failing(k)).is_err());
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        }
        write(&path, b"old", Overwrite::Never).unwrap();
        for k in 0..=content.len() {
            assert!(write_by(&path, Overwrite::Replace, failing(k)).is_err());
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        }
        // Somebody else takes the name while the file is written.
        let other = folder.join("other");
        let error = write_by(&other, Overwrite::Never, |file| {
            fs::write(&other, b"theirs")?;
            file.write_all(b"ours")
        });
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&other).unwrap(), b"theirs");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }
}
