//! Real data by path: faces and traffic signs are recognised by what a folder holds.

use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Where real data is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RealData {
    /// Faces, if they were found.
    pub faces: Option<FacesPath>,
    /// The folder of traffic signs, if it was found.
    pub signs: Option<PathBuf>,
}

/// Files of faces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacesPath {
    /// The images, `.npy` of shape (N, 64, 64).
    pub images: PathBuf,
    /// Their labels, a CSV table with a column `gender`.
    pub labels: PathBuf,
}

/// Recognises data: a folder with `images.npy` and `labels.csv`, or such an `.npy` file with the table beside it, are
/// faces; a folder with `Final_Training` and `Final_Test` (or `GTSRB` with these) are signs.
///
/// # Errors
/// [`Error::UnknownData`] for a path that is neither.
pub fn find(paths: &[PathBuf]) -> Result<RealData> {
    let mut found = RealData::default();
    for path in paths {
        if let Some(faces) = faces(path) {
            found.faces = Some(faces);
        } else if is_signs(path) || is_signs(&path.join("GTSRB")) {
            found.signs = Some(path.clone());
        } else {
            return Err(Error::UnknownData { path: path.clone() });
        }
    }
    Ok(found)
}

fn faces(path: &Path) -> Option<FacesPath> {
    let images = if path.is_dir() { path.join("images.npy") } else { path.to_path_buf() };
    let labels = images.with_file_name("labels.csv");
    let is_array = images.extension().is_some_and(|extension| extension == "npy");
    (is_array && images.is_file() && labels.is_file()).then_some(FacesPath { images, labels })
}

fn is_signs(path: &Path) -> bool {
    path.join("Final_Training").is_dir() && path.join("Final_Test").is_dir()
}
