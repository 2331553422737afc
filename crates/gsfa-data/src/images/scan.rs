//! The image files of a folder and its subfolders.

use std::fs;
use std::path::{Path, PathBuf};

use super::{BadImage, ImageFault};
use crate::{Error, Result};

/// Files with these extensions are taken for images; those of the second list are images we refuse rather than overlook.
const READ: [&str; 9] = ["png", "jpg", "jpeg", "ppm", "pgm", "pbm", "pnm", "pam", "bmp"];
const REFUSED: [&str; 8] = ["gif", "tif", "tiff", "webp", "avif", "heic", "jp2", "jxl"];

pub(super) struct Found {
    /// Path and name relative to the folder, in byte order of the names.
    pub files: Vec<(PathBuf, String)>,
    pub bad: Vec<BadImage>,
}

pub(super) fn scan(root: &Path) -> Result<Found> {
    let mut found = Found { files: Vec::new(), bad: Vec::new() };
    let real = root.canonicalize().map_err(Error::io("read", root))?;
    walk(root, "", &mut vec![real], &mut found)?;
    found.files.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(found)
}

/// `above` are the real paths of the folders on the way here: a folder that is among them is a loop.
fn walk(folder: &Path, prefix: &str, above: &mut Vec<PathBuf>, found: &mut Found) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(Error::io("read", folder))? {
        let path = entry.map_err(Error::io("read", folder))?.path();
        let metadata = fs::metadata(&path);
        let is_folder = metadata.as_ref().is_ok_and(fs::Metadata::is_dir);
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            if is_folder || has_extension(&path, &READ) {
                found.bad.push(BadImage { path, fault: ImageFault::Name });
            }
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        let name = format!("{prefix}{name}");
        if is_folder {
            let real = path.canonicalize().map_err(Error::io("read", &path))?;
            if above.contains(&real) {
                found.bad.push(BadImage { path, fault: ImageFault::Loop });
                continue;
            }
            above.push(real);
            walk(&path, &format!("{name}/"), above, found)?;
            above.pop();
        } else if has_extension(&path, &READ) {
            let fault = match metadata {
                Ok(metadata) if metadata.is_file() => {
                    found.files.push((path, name));
                    continue;
                }
                Ok(_) => ImageFault::NotAFile,
                // On Linux a link to itself reports ELOOP here.
                Err(e) => ImageFault::Unreadable(e.to_string()),
            };
            found.bad.push(BadImage { path, fault });
        } else if has_extension(&path, &REFUSED) {
            let format = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_uppercase();
            found.bad.push(BadImage { path, fault: ImageFault::Format(format) });
        }
    }
    Ok(())
}

/// Whether a file of this name in a folder of images would be read as one, or refused.
pub(crate) fn is_named_like_an_image(path: &Path) -> bool {
    has_extension(path, &READ) || has_extension(path, &REFUSED)
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|e| extensions.iter().any(|known| e.eq_ignore_ascii_case(known)))
}
