//! Why a file cannot be used as an image.

use std::fmt;
use std::path::PathBuf;

use gsfa::error::brief::{self, sentence, text};

use crate::pixels::Region;
use gsfa::samples::InputShape;

/// A file that cannot be used, and why.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BadImage {
    /// The file or folder.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: ImageFault,
}

/// What is wrong with a file that should be an image.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageFault {
    /// It has no bytes.
    #[error("the file is empty")]
    Empty,
    /// It is no image at all.
    #[error("not an image: it begins with {}", text(.0))]
    NotAnImage(String),
    /// An image of a format that is not read.
    #[error("{} images are not read", text(.0))]
    Format(String),
    /// Several frames.
    #[error("the image is animated")]
    Animated,
    /// So many pixels that it is refused before memory is reserved.
    #[error("{width}x{height} pixels, at most {limit} in all are allowed")]
    TooLarge {
        /// Pixels per line.
        width: u32,
        /// Lines.
        height: u32,
        /// Pixels allowed.
        limit: u64,
    },
    /// No pixels.
    #[error("the image has no pixels ({width}x{height})")]
    NoPixels {
        /// Pixels per line.
        width: u32,
        /// Lines.
        height: u32,
    },
    /// The data is incomplete.
    #[error("the image is truncated")]
    Truncated,
    /// The decoder gave up.
    #[error("cannot be decoded: {}", sentence(.0))]
    Corrupt(String),
    /// The file was another image when the folder was opened.
    #[error("the file changed: it was {before} and is {now}")]
    Changed {
        /// Shape when the folder was opened.
        before: InputShape,
        /// Shape now.
        now: InputShape,
    },
    /// The region of interest reaches beyond the image.
    #[error("the region of interest {region} does not lie in an image of {shape} pixels")]
    Region {
        /// The region.
        region: Region,
        /// The image.
        shape: InputShape,
    },
    /// The name is not text.
    #[error("the name is not UTF-8")]
    Name,
    /// A link to a folder it lies in.
    #[error("the symbolic link leads back to a folder above it")]
    Loop,
    /// A pipe, a socket, or a folder with an image's name.
    #[error("not a regular file")]
    NotAFile,
    /// The system refused, or a link leads nowhere.
    #[error("cannot be read: {}", sentence(.0))]
    Unreadable(String),
}

impl fmt::Display for BadImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", brief::path(&self.path), self.fault)
    }
}

impl serde::Serialize for ImageFault {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn lossy<S: serde::Serializer>(path: &std::path::Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}
