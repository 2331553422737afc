//! Prepared images as a source of rows.

use ndarray::ArrayViewMut2;
use rayon::prelude::*;

use super::{Image, ImageSource, Preparation, Prepare};
use crate::distort::{Distortion, ImageCopy, Motion};
use gsfa::samples::{Element, InputShape, Rows, Samples, check_rows};

use crate::rows::fill_rows;
use crate::{Error, Result};

/// Images that are read, distorted if asked for, and prepared when their rows are read: in parallel, with nothing kept.
///
/// Preparation computes in single precision.
#[derive(Debug, Clone)]
pub struct PreparedImages<S> {
    images: S,
    preparation: Preparation,
    shape: InputShape,
    copies: Option<Copies>,
}

#[derive(Debug, Clone)]
struct Copies {
    rows: Vec<ImageCopy>,
    distortion: Distortion,
    seed: u64,
}

impl<S: ImageSource> PreparedImages<S> {
    /// Row n is image n, prepared.
    ///
    /// # Errors
    /// [`Error::MixedSizes`] if the images differ in shape after preparation; [`Error::Parameter`] for a step that makes no
    /// sense.
    pub fn new(images: S, preparation: Preparation) -> Result<Self> {
        let shape_of = |n: usize| preparation.output_shape(images.shape(n), images.region(n));
        let shape = if images.is_empty() { InputShape { height: 0, width: 0, channels: 1 } } else { shape_of(0)? };
        for n in 1..images.len() {
            let found = shape_of(n)?;
            if found != shape {
                let (name, first_name) = (images.name(n), images.name(0));
                return Err(Error::MixedSizes { name, found, first_name, expected: shape });
            }
        }
        Ok(Self { images, preparation, shape, copies: None })
    }

    /// Row n is a randomly distorted copy of an image; the draw depends on the seed, the image and the number of the copy.
    ///
    /// # Errors
    /// [`gsfa::Error::RowOutOfRange`] for an image that does not exist; [`Error::Parameter`] for ranges that make no sense.
    pub fn distorted(self, rows: Vec<ImageCopy>, distortion: Distortion, seed: u64) -> Result<Self> {
        distortion.check()?;
        let len = self.images.len();
        if let Some(copy) = rows.iter().find(|copy| copy.image >= len) {
            return Err(gsfa::Error::RowOutOfRange { row: copy.image, len }.into());
        }
        Ok(Self { copies: Some(Copies { rows, distortion, seed }), ..self })
    }

    /// The images.
    pub fn images(&self) -> &S {
        &self.images
    }

    /// The preparation.
    pub fn preparation(&self) -> &Preparation {
        &self.preparation
    }

    /// Which image and copy each row shows, if rows are distorted copies.
    pub fn copies(&self) -> Option<&[ImageCopy]> {
        self.copies.as_ref().map(|copies| &copies.rows[..])
    }

    fn row(&self, n: usize) -> Result<Image> {
        let (image, motion) = match &self.copies {
            Some(copies) => (copies.rows[n].image, copies.distortion.draw(copies.seed, copies.rows[n])),
            None => (n, Motion::NONE),
        };
        Ok(self.preparation.apply(self.images.read_image(image)?, motion))
    }
}

impl<S: ImageSource> Samples for PreparedImages<S> {
    fn len(&self) -> usize {
        self.copies.as_ref().map_or(self.images.len(), |copies| copies.rows.len())
    }

    fn dim(&self) -> usize {
        self.shape.values()
    }

    fn image_shape(&self) -> Option<InputShape> {
        Some(self.shape)
    }

    fn element(&self) -> Element {
        let whole_pixels = self.preparation.steps.iter().all(|step| matches!(step, super::Step::Crop { .. }));
        if whole_pixels && self.copies.is_none() { self.images.element() } else { Element::F32 }
    }

    /// Of copies the row of their image.
    fn original_row(&self, row: usize) -> usize {
        self.images.original_row(self.copies.as_ref().map_or(row, |copies| copies.rows[row].image))
    }

    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> gsfa::Result<()> {
        check_rows(&rows, (self.len(), self.dim()), out.dim())?;
        fill_rows(out, |k, row| {
            row.copy_from_slice(&self.row(rows.row(k))?.pixels);
            Ok(())
        })?;
        Ok(())
    }

    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> gsfa::Result<()> {
        check_rows(&rows, (self.len(), self.dim()), out.dim())?;
        fill_rows(out, |k, row| {
            let image = self.row(rows.row(k))?;
            row.iter_mut().zip(&image.pixels).for_each(|(to, &from)| *to = f64::from(from));
            Ok(())
        })?;
        Ok(())
    }
}

/// The mean pixel of each image as stored: the paper's colour label, once [`Step::MeanIntensity`](super::Step) has hidden it.
///
/// # Errors
/// If an image cannot be read.
pub fn mean_intensities(images: &dyn ImageSource) -> Result<Vec<f64>> {
    let means: Vec<Result<f64>> = (0..images.len())
        .into_par_iter()
        .map(|n| {
            let image = images.read_image(n)?;
            Ok(image.pixels.iter().map(|&x| f64::from(x)).sum::<f64>() / image.pixels.len() as f64)
        })
        .collect();
    means.into_iter().collect()
}
