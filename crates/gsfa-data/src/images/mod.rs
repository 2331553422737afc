//! Image files: found in a folder, checked by their headers, decoded on demand and in parallel.
//!
//! Rules: the content decides the format, not the extension. 16-bit images are rounded to 8 bits, CMYK is converted to RGB
//! by the decoder, transparency is blended over black, orientation tags are ignored (pixels stay as stored). If some
//! images are in colour, grey ones are repeated in the three channels. Animated images, and formats other than PNG, JPEG,
//! PNM and BMP, are refused. Hidden files and files without an image's extension are not looked at.

mod decode;
mod fault;
mod labeled;
mod scan;

use std::path::{Path, PathBuf};

use gsfa::labels::Labels;
use rayon::prelude::*;

pub(crate) use scan::is_named_like_an_image;

pub use fault::{BadImage, ImageFault};
pub use labeled::{LabeledImages, labeled};

use crate::pixels::{Image, ImageSource, Region};
use crate::{Error, Result};
use gsfa::samples::{Element, InputShape};

/// How a folder of images is read.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImageOptions {
    /// How many unusable images may be left out; they are listed in [`ImageSet::skipped`].
    ///
    /// If this is not 0, all images are decoded once when the folder is opened, to know which ones to leave out.
    pub skip_bad: usize,
    /// Images with more pixels are refused before memory is reserved for them.
    pub max_pixels: u64,
}

impl Default for ImageOptions {
    fn default() -> Self {
        Self { skip_bad: 0, max_pixels: 1 << 26 }
    }
}

/// One image file whose header was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its path relative to the folder, with `/` between parts.
    pub name: String,
    /// Its size and channels.
    pub shape: InputShape,
    /// The region of interest, if one is known.
    pub region: Option<Region>,
}

/// Image files in a fixed order, decoded when they are needed.
#[derive(Debug, Clone)]
pub struct ImageSet {
    root: PathBuf,
    files: Vec<ImageFile>,
    channels: usize,
    skipped: Vec<BadImage>,
    max_pixels: u64,
}

impl ImageSet {
    /// Finds all images of a folder and its subfolders, in byte order of their relative paths.
    ///
    /// # Errors
    /// [`Error::BadImage`] at the first unusable file, or [`Error::TooManyBadImages`]; [`Error::NoImages`].
    pub fn open(folder: impl AsRef<Path>, options: &ImageOptions) -> Result<Self> {
        let root = folder.as_ref();
        let found = scan::scan(root)?;
        let candidates = found.files.into_iter().map(|(path, name)| Candidate { path, name, region: None }).collect();
        Self::from_candidates(root, candidates, found.bad, options)
    }

    pub(crate) fn from_candidates(
        root: &Path,
        candidates: Vec<Candidate>,
        mut skipped: Vec<BadImage>,
        options: &ImageOptions,
    ) -> Result<Self> {
        let looked_at: Vec<std::result::Result<ImageFile, BadImage>> =
            candidates.into_par_iter().map(|candidate| candidate.look(options)).collect();
        let mut files = Vec::with_capacity(looked_at.len());
        for result in looked_at {
            match result {
                Ok(file) => files.push(file),
                Err(bad) => skipped.push(bad),
            }
        }
        skipped.sort_by(|a, b| a.path.cmp(&b.path));
        if skipped.len() > options.skip_bad {
            if options.skip_bad == 0 {
                return Err(Error::bad_image(skipped.swap_remove(0)));
            }
            let total = skipped.len();
            skipped.truncate(5);
            return Err(Error::TooManyBadImages { total, allowed: options.skip_bad, bad: skipped });
        }
        if files.is_empty() {
            return Err(Error::NoImages { path: root.to_path_buf() });
        }
        let channels = files.iter().map(|file| file.shape.channels).max().unwrap_or(1);
        Ok(Self { root: root.to_path_buf(), files, channels, skipped, max_pixels: options.max_pixels })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The files, in order.
    pub fn files(&self) -> &[ImageFile] {
        &self.files
    }

    /// Files that were left out, and why.
    pub fn skipped(&self) -> &[BadImage] {
        &self.skipped
    }

    /// The given images, in the given order; the number of channels stays that of the whole set.
    ///
    /// # Errors
    /// [`gsfa::Error::RowOutOfRange`].
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        let len = self.files.len();
        let files = rows
            .iter()
            .map(|&row| self.files.get(row).cloned().ok_or(gsfa::Error::RowOutOfRange { row, len }.into()))
            .collect::<Result<_>>()?;
        Ok(Self { files, ..self.clone() })
    }

    /// The class of each image, named after the topmost folder it lies in; the label is called `class`.
    ///
    /// # Errors
    /// [`Error::OutsideClassFolders`] if an image lies in no subfolder.
    pub fn class_folders(&self) -> Result<Labels> {
        let classes = self
            .files
            .iter()
            .map(|file| match file.name.split_once('/') {
                Some((class, _)) => Ok(class),
                None => Err(Error::OutsideClassFolders { path: file.path.clone() }),
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(Labels::classes("class", classes))
    }
}

impl ImageSource for ImageSet {
    fn len(&self) -> usize {
        self.files.len()
    }

    fn name(&self, n: usize) -> String {
        self.files[n].path.display().to_string()
    }

    fn shape(&self, n: usize) -> InputShape {
        InputShape { channels: self.channels, ..self.files[n].shape }
    }

    fn region(&self, n: usize) -> Option<Region> {
        self.files[n].region
    }

    fn element(&self) -> Element {
        Element::U8
    }

    fn read_image(&self, n: usize) -> Result<Image> {
        let file = &self.files[n];
        let bad = |fault| Error::bad_image(BadImage { path: file.path.clone(), fault });
        let decoded = decode::decode(&file.path, self.max_pixels).map_err(bad)?;
        // The file was replaced since its header was read.
        if decoded.shape != file.shape {
            return Err(bad(ImageFault::Changed { before: file.shape, now: decoded.shape }));
        }
        let bytes = decoded.bytes;
        let pixels = match (decoded.shape.channels, self.channels) {
            (1, 3) => bytes.iter().flat_map(|&grey| [f32::from(grey); 3]).collect(),
            _ => bytes.iter().map(|&byte| f32::from(byte)).collect(),
        };
        Ok(Image { shape: self.shape(n), pixels, region: file.region })
    }
}

/// A file that should be an image.
pub(crate) struct Candidate {
    pub path: PathBuf,
    pub name: String,
    pub region: Option<Region>,
}

impl Candidate {
    /// Reads the header, or all of the image if bad ones are to be left out.
    fn look(self, options: &ImageOptions) -> std::result::Result<ImageFile, BadImage> {
        let Self { path, name, region } = self;
        let shape = if options.skip_bad > 0 {
            decode::decode(&path, options.max_pixels).map(|decoded| decoded.shape)
        } else {
            decode::shape(&path, options.max_pixels)
        };
        match shape {
            Ok(shape) => match region {
                Some(r) if !r.lies_in(shape) => Err(BadImage { path, fault: ImageFault::Region { region: r, shape } }),
                _ => Ok(ImageFile { path, name, shape, region }),
            },
            Err(fault) => Err(BadImage { path, fault }),
        }
    }
}
