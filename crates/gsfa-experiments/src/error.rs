//! What can go wrong in an experiment.

use std::path::PathBuf;

/// Why an experiment ended without results.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The method refused the numbers it was given.
    #[error(transparent)]
    Method(#[from] gsfa::Error),
    /// Data could not be read or written.
    #[error(transparent)]
    Data(#[from] gsfa_data::Error),
    /// A specification cannot be read or makes no sense.
    #[error("{path}: {reason}", path = path.display())]
    Spec {
        /// The file, or the built-in specification of that name.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Data is not what an experiment needs.
    #[error("{path} holds neither faces nor signs", path = path.display())]
    UnknownData {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A file or folder could not be written.
    #[error("cannot write {path}: {reason}", path = path.display())]
    Folder {
        /// Where.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Results could not be turned into text.
    #[error("results cannot be written as {what}: {reason}")]
    Writing {
        /// JSON or CSV.
        what: &'static str,
        /// Why not.
        reason: String,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

impl Error {
    /// What to do about it, where that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Method(error) => error.hint(),
            Self::Data(error) => error.hint(),
            Self::Spec { .. } => Some("the built-in files in experiments/ show every key"),
            Self::UnknownData { .. } => Some(
                "faces are a folder with images.npy (N×64×64) and labels.csv (columns gender, color, …); signs are the \
                 GTSRB folder with Final_Training and Final_Test",
            ),
            Self::Folder { .. } | Self::Writing { .. } | Self::Stopped => None,
        }
    }
}

/// The result of a part of an experiment.
pub type Result<T> = std::result::Result<T, Error>;
