//! How failures are made.

use std::io;
use std::path::Path;

use gsfa::error::brief::Shown;

use super::Error;
use crate::images::BadImage;

impl Error {
    /// A failure to write a file, with its name.
    pub fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| match source.kind() {
            io::ErrorKind::AlreadyExists => Self::OutputExists { path },
            _ => Self::Io { action: "write", path, source },
        }
    }

    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { action, path, source }
    }

    pub(crate) fn parameter(name: &'static str, value: impl Shown, reason: &'static str) -> Self {
        Self::Parameter { name, value: value.shown(), reason }
    }

    pub(crate) fn bad_image(bad: BadImage) -> Self {
        Self::BadImage { bad }
    }
}
