//! What is wrong with a file, before it is said which file.

use std::path::Path;

use super::header::FORMAT;
use crate::Error;

/// Why bytes are no model.
#[derive(Debug)]
pub enum Flaw {
    Reason(String),
    Ends { bytes: u64, promised: u64 },
    Version { format: u64, library: String },
    Checksum,
    Read(std::io::Error),
}

impl Flaw {
    pub fn reason(reason: impl Into<String>) -> Self {
        Self::Reason(reason.into())
    }

    /// The error of the file at `path`.
    pub fn of(self, path: &Path) -> Error {
        let path = path.to_path_buf();
        match self {
            Self::Reason(reason) => Error::ModelFile { path, reason },
            Self::Ends { bytes, promised } => Error::ModelEnds { path, bytes, promised },
            Self::Version { format, library } => Error::ModelVersion { path, format, library, supported: FORMAT },
            Self::Checksum => Error::ModelChecksum { path },
            Self::Read(error) => Error::Read { path, message: error.to_string() },
        }
    }
}

impl From<Error> for Flaw {
    /// A part that its own constructor refuses.
    fn from(error: Error) -> Self {
        Self::Reason(error.to_string())
    }
}

impl From<std::io::Error> for Flaw {
    fn from(error: std::io::Error) -> Self {
        Self::Read(error)
    }
}
