//! Writing: files that are there completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::regular::other_than_file;

/// What is done with a file of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Overwrite {
    /// It is kept, and writing fails.
    #[default]
    Never,
    /// It is replaced in one step. Of a symbolic link, the file that it names is replaced and the link stays.
    Replace,
}

/// A file written under a temporary name in the folder of its target, and renamed when complete.
///
/// Dropped without [`commit`](Self::commit), it leaves no trace; an earlier file of the same name survives every failure.
/// Devices like `/dev/null` are no files to be replaced: they get the bytes as they come.
#[derive(Debug)]
pub struct AtomicFile {
    writer: BufWriter<File>,
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Renamed { temporary: Temporary, target: PathBuf, overwrite: Overwrite },
    Device,
}

impl AtomicFile {
    /// Opens a temporary file beside `path`, or the device that it names.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] without leave to replace a file, [`io::ErrorKind::InvalidInput`] for folders, pipes
    /// and sockets, and what the system says of the folder.
    pub fn create(path: &Path, overwrite: Overwrite) -> io::Result<Self> {
        let (file, place) = match Destination::of(path, overwrite)? {
            Destination::Device => (OpenOptions::new().write(true).open(path)?, Place::Device),
            Destination::File(target) => {
                let (file, temporary) = Temporary::beside(&target)?;
                (file, Place::Renamed { temporary, target, overwrite })
            }
        };
        Ok(Self { writer: BufWriter::with_capacity(1 << 18, file), path: path.to_path_buf(), place })
    }

    /// The path that was asked for.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forces the contents to disk and gives the file its name.
    ///
    /// # Errors
    /// If the disk is full, or with [`io::ErrorKind::AlreadyExists`] if the name was taken meanwhile.
    pub fn commit(self) -> io::Result<()> {
        let file = self.writer.into_inner().map_err(io::IntoInnerError::into_error)?;
        let Place::Renamed { temporary, target, overwrite } = self.place else { return Ok(()) };
        file.sync_all()?;
        drop(file);
        match overwrite {
            Overwrite::Replace => temporary.rename(&target)?,
            Overwrite::Never => temporary.link(&target)?,
        }
        // The new name reaches the disk now rather than later. Should this fail, a crash leaves the old file or the new
        // one, but never a part; some file systems cannot do it at all.
        #[cfg(unix)]
        let _ = File::open(folder_of(&target)).and_then(|folder| folder.sync_all());
        Ok(())
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

/// Writes all bytes, or nothing.
///
/// # Errors
/// As [`AtomicFile::create`] and [`AtomicFile::commit`]; then the folder is as it was before.
pub fn write(path: &Path, bytes: &[u8], overwrite: Overwrite) -> io::Result<()> {
    let mut file = AtomicFile::create(path, overwrite)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Finds out whether a file can be written, before the work that fills it.
///
/// # Errors
/// As [`AtomicFile::create`].
pub fn check(path: &Path, overwrite: Overwrite) -> io::Result<()> {
    match Destination::of(path, overwrite)? {
        Destination::Device => OpenOptions::new().write(true).open(path).map(drop),
        Destination::File(target) => Temporary::beside(&target).map(drop),
    }
}

/// Where bytes go.
enum Destination {
    File(PathBuf),
    Device,
}

impl Destination {
    fn of(path: &Path, overwrite: Overwrite) -> io::Result<Self> {
        if path.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no file name"));
        }
        let refuse = || Err(io::ErrorKind::AlreadyExists.into());
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::File(path.to_path_buf())),
            found => found?,
        };
        let kind = match fs::metadata(path) {
            Ok(metadata) => metadata.file_type(),
            Err(_) if overwrite == Overwrite::Never => return refuse(),
            Err(error) => return Err(io::Error::new(error.kind(), format!("it is a link to nothing ({error})"))),
        };
        match (kind, overwrite) {
            (kind, Overwrite::Never) if kind.is_file() || is_disk(kind) => refuse(),
            (kind, _) if kind.is_file() => path.canonicalize().map(Self::File),
            (kind, _) if is_device(kind) => Ok(Self::Device),
            (kind, _) => Err(other_than_file(kind)),
        }
    }
}

/// Whether bytes can be written to it without anything being replaced, or, of a disk, with leave.
#[cfg(unix)]
fn is_device(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(unix)]
fn is_disk(kind: fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_block_device(&kind)
}

#[cfg(not(unix))]
fn is_device(_: fs::FileType) -> bool {
    false
}

#[cfg(not(unix))]
fn is_disk(_: fs::FileType) -> bool {
    false
}

/// The folder that a file lies in.
pub fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file under a temporary name, which is gone when this is.
#[derive(Debug)]
struct Temporary(PathBuf);

impl Temporary {
    fn beside(target: &Path) -> io::Result<(File, Self)> {
        // Long names leave no room for a suffix.
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let stem: String = name.chars().take(32).collect();
        let process = std::process::id();
        // Remains of a killed process of the same number, or another thread, may have taken a name.
        for attempt in 0..1000 {
            let path = folder_of(target).join(format!(".{stem}.{process}-{attempt}.tmp"));
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
        let fail_after = |k: usize| {
            let mut file = AtomicFile::create(&path, Overwrite::Replace).unwrap();
            file.write_all(&content[..k]).and_then(|()| file.flush()).unwrap();
        };
        for k in 0..=content.len() {
            fail_after(k);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        }
        write(&path, b"old", Overwrite::Never).unwrap();
        for k in 0..=content.len() {
            fail_after(k);
            assert_eq!(fs::read(&path).unwrap(), b"old");
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        }
        // Somebody else takes the name while the file is written.
        let other = folder.join("other");
        let mut file = AtomicFile::create(&other, Overwrite::Never).unwrap();
        fs::write(&other, b"theirs").unwrap();
        file.write_all(b"ours").unwrap();
        assert_eq!(file.commit().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&other).unwrap(), b"theirs");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_devices_written_to_and_nothing_else_is_replaced() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;
        let folder = std::env::temp_dir().join(format!("gsfa-kinds-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (real, link, nothing) = (folder.join("real"), folder.join("link"), folder.join("nothing"));
        fs::write(&real, b"old").unwrap();
        symlink(&real, &link).unwrap();
        symlink(folder.join("absent"), &nothing).unwrap();
        write(&link, b"new", Overwrite::Replace).unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        assert!(link.symlink_metadata().unwrap().is_symlink());
        let kind = |path: &Path, overwrite| write(path, b"x", overwrite).map_err(|error| error.kind());
        assert_eq!(kind(&link, Overwrite::Never), Err(io::ErrorKind::AlreadyExists));
        assert_eq!(kind(&nothing, Overwrite::Never), Err(io::ErrorKind::AlreadyExists));
        assert_eq!(kind(&nothing, Overwrite::Replace), Err(io::ErrorKind::NotFound));
        let socket = folder.join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        for overwrite in [Overwrite::Never, Overwrite::Replace] {
            assert_eq!(kind(Path::new("/dev/null"), overwrite), Ok(()));
            assert_eq!(kind(&socket, overwrite), Err(io::ErrorKind::InvalidInput));
            assert_eq!(kind(&folder, overwrite), Err(io::ErrorKind::InvalidInput));
            assert_eq!(check(&socket, overwrite).unwrap_err().kind(), io::ErrorKind::InvalidInput);
            assert_eq!(check(&folder.join("no/x"), overwrite).unwrap_err().kind(), io::ErrorKind::NotFound);
        }
        check(&folder.join("fine"), Overwrite::Never).unwrap();
        assert!(!Path::new("/dev/null").symlink_metadata().unwrap().is_file());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 4);
        fs::remove_dir_all(&folder).unwrap();
    }
}
