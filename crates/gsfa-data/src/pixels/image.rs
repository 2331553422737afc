//! One image, and where images come from.

use std::fmt;

use ndarray::ArrayViewMut2;

use crate::{Error, Result};
use gsfa::samples::{Element, InputShape, Rows, Samples};

/// One image in memory: lines from top to bottom, pixels from left to right, channels innermost.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// Height, width and channels.
    pub shape: InputShape,
    /// The pixels.
    pub pixels: Vec<f32>,
    /// The region of interest, if one is known.
    pub region: Option<Region>,
}

/// A rectangle of pixels: its first and last column and line, both inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Region {
    /// First column.
    pub left: usize,
    /// First line.
    pub top: usize,
    /// Last column.
    pub right: usize,
    /// Last line.
    pub bottom: usize,
}

impl Region {
    pub(crate) fn lies_in(&self, shape: InputShape) -> bool {
        self.left <= self.right && self.top <= self.bottom && self.right < shape.width && self.bottom < shape.height
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}) to ({}, {})", self.left, self.top, self.right, self.bottom)
    }
}

/// Images that are read one by one, of possibly different sizes.
pub trait ImageSource: Send + Sync {
    /// The number of images.
    fn len(&self) -> usize;

    /// Whether there are no images.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What messages call an image.
    fn name(&self, n: usize) -> String;

    /// The number that an image has where it comes from, if some of those were left out.
    fn original_row(&self, n: usize) -> usize {
        n
    }

    /// The shape of an image.
    fn shape(&self, n: usize) -> InputShape;

    /// The region of interest of an image, if one is known.
    fn region(&self, n: usize) -> Option<Region>;

    /// The type of stored pixels.
    fn element(&self) -> Element;

    /// Reads an image.
    ///
    /// # Errors
    /// If it cannot be read or decoded.
    fn read_image(&self, n: usize) -> Result<Image>;
}

/// Rows as images: those of an array of shape (N, H, W) or (N, H, W, C), or any of which the shape is known.
#[derive(Debug, Clone)]
pub struct ImageRows<S> {
    source: S,
    shape: InputShape,
}

impl<S: Samples> ImageRows<S> {
    /// # Errors
    /// [`Error::NotImages`] if the rows have no height and width, or no pixels.
    pub fn new(source: S) -> Result<Self> {
        match source.image_shape() {
            Some(shape) if shape.values() > 0 => Ok(Self { source, shape }),
            _ => Err(Error::NotImages { dim: source.dim() }),
        }
    }

    /// Rows that are images of a given shape, row by row, channels innermost.
    ///
    /// # Errors
    /// [`Error::NotImages`] if the rows have another number of values, or none.
    pub fn of_shape(source: S, shape: InputShape) -> Result<Self> {
        match shape.dim() {
            Some(dim) if dim > 0 && dim == source.dim() => Ok(Self { source, shape }),
            _ => Err(Error::NotImages { dim: source.dim() }),
        }
    }
}

impl<S: Samples> ImageSource for ImageRows<S> {
    fn len(&self) -> usize {
        self.source.len()
    }

    fn name(&self, n: usize) -> String {
        format!("row {}", self.source.original_row(n))
    }

    fn original_row(&self, n: usize) -> usize {
        self.source.original_row(n)
    }

    fn shape(&self, _: usize) -> InputShape {
        self.shape
    }

    fn region(&self, _: usize) -> Option<Region> {
        None
    }

    fn element(&self) -> Element {
        self.source.element()
    }

    fn read_image(&self, n: usize) -> Result<Image> {
        let mut pixels = vec![0.0; self.shape.values()];
        let out = ArrayViewMut2::from_shape((1, pixels.len()), &mut pixels);
        self.source
            .read_single(Rows::Range(n..n + 1), out.map_err(|_| Error::NotImages { dim: self.source.dim() })?)?;
        Ok(Image { shape: self.shape, pixels, region: None })
    }
}
