//! Samples as they are stored: images are files, and what is missing is still missing.

use gsfa::samples::{Element, InputShape, Samples, Subset};
use gsfa_data::distort::{Distortion, ImageCopy};
use gsfa_data::finite::{Finite, Survey, kept_means};
use gsfa_data::images::ImageSet;
use gsfa_data::npy::NpyArray;
use gsfa_data::pixels::{ImageRows, ImageSource, Preparation, PreparedImages};
use ndarray::{Array2, Axis};

use crate::error::{Error, ErrorCode, Result};

/// Samples in whatever form the user has them.
#[derive(Clone)]
pub enum StoredSamples {
    Images(PreparedImages<ImageSet>),
    Rows(StoredRows),
}

/// Rows of numbers. If their shape is known they are images, and prepared as images are.
#[derive(Clone)]
pub struct StoredRows {
    values: Values,
    image: Option<InputShape>,
    preparation: Option<Preparation>,
}

#[derive(Clone)]
enum Values {
    Array(Subset<NpyArray>),
    Table(Array2<f64>),
}

/// What stands in for missing values.
#[derive(Clone, Copy)]
pub enum Imputation<'a> {
    /// Nothing: there are none.
    Nothing,
    /// The mean of their column, by the weights of the samples.
    OwnMeans(&'a [f64]),
    /// The mean of their column in training.
    Means(&'a [f64]),
}

/// Randomly distorted copies to learn from.
pub struct Copies {
    pub rows: Vec<ImageCopy>,
    pub distortion: Distortion,
    pub seed: u64,
}

/// Samples that can be read.
pub struct ReadableSamples {
    pub source: Box<dyn Samples>,
    /// The mean of each column, unless the samples are prepared images or whole numbers, which lack nothing.
    pub means: Option<Vec<f64>>,
    /// How many values of each column were missing and replaced.
    pub replaced: Vec<usize>,
}

impl StoredSamples {
    /// Rows of an array; those of three axes or more are images.
    pub fn array(rows: Subset<NpyArray>) -> Self {
        let image = rows.image_shape();
        Self::Rows(StoredRows { values: Values::Array(rows), image, preparation: None })
    }

    /// Rows of a table.
    pub fn table(rows: Array2<f64>) -> Self {
        Self::Rows(StoredRows { values: Values::Table(rows), image: None, preparation: None })
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Images(images) => images.len(),
            Self::Rows(rows) => rows.values.get().len(),
        }
    }

    /// The given rows.
    pub fn select(&self, wanted: &[usize]) -> Result<Self> {
        Ok(match self {
            Self::Images(images) => {
                let chosen = images.images().select(wanted)?;
                Self::Images(PreparedImages::new(chosen, images.preparation().clone())?)
            }
            Self::Rows(rows) => Self::Rows(StoredRows { values: rows.values.select(wanted)?, ..rows.clone() }),
        })
    }

    /// Numbers per sample after preparation, their shape if they are images, and the type in which they are read.
    pub fn kind(&self) -> Result<(usize, Option<InputShape>, Element)> {
        let of = |source: &dyn Samples| (source.dim(), source.image_shape(), source.element());
        Ok(match self {
            Self::Images(images) => of(images),
            Self::Rows(StoredRows { values, image: Some(shape), preparation: Some(steps) }) => {
                of(&PreparedImages::new(ImageRows::of_shape(values.get(), *shape)?, steps.clone())?)
            }
            Self::Rows(rows) => {
                let (dim, _, element) = of(rows.values.get());
                (dim, rows.image, element)
            }
        })
    }

    /// The shape that all images have before they are prepared; nothing if they differ, or samples are no images.
    pub fn raw_shape(&self) -> Option<InputShape> {
        match self {
            Self::Images(images) => {
                let images = images.images();
                let first = (!images.is_empty()).then(|| images.shape(0))?;
                (1..images.len()).all(|n| images.shape(n) == first).then_some(first)
            }
            Self::Rows(rows) => rows.image,
        }
    }

    /// Whether the means of these samples, as they are read, are those of their values: not of images that are prepared.
    pub fn has_means(&self) -> bool {
        matches!(self, Self::Rows(StoredRows { preparation: None, .. }))
    }

    /// Samples to be read: missing values replaced, pixels prepared, images distorted if there are copies.
    pub fn ready(self, fill: Imputation<'_>, copies: Option<Copies>) -> Result<ReadableSamples> {
        match self {
            Self::Images(images) => {
                Ok(ReadableSamples { source: distorted(images, copies)?, means: None, replaced: Vec::new() })
            }
            Self::Rows(StoredRows { values, image, preparation }) => {
                let mut ready = match values {
                    Values::Array(rows) => filled(rows, fill)?,
                    Values::Table(rows) => filled(rows, fill)?,
                };
                if preparation.is_none() && copies.is_none() {
                    return Ok(ready);
                }
                let Some(shape) = image else {
                    return Err(Error::usage(
                        ErrorCode::Copies,
                        "copies are of images, and the samples are rows of numbers",
                    )
                    .hint(SHAPE_HINT));
                };
                let images = ImageRows::of_shape(ready.source, shape)?;
                ready.source = distorted(PreparedImages::new(images, preparation.unwrap_or_default())?, copies)?;
                Ok(ready)
            }
        }
    }
}

/// How rows become images.
pub const SHAPE_HINT: &str = "--image-shape HEIGHTxWIDTH says which images the rows are";

impl StoredRows {
    /// The shape of the images that rows are, if it is known.
    pub fn image(&self) -> Option<InputShape> {
        self.image
    }

    /// Numbers in a row, before preparation.
    pub fn width(&self) -> usize {
        self.values.get().dim()
    }

    /// As images of a shape with as many values as rows have.
    pub fn shaped(self, shape: InputShape) -> Self {
        Self { image: Some(shape), ..self }
    }

    /// Prepared; steps are for images.
    pub fn prepared(self, preparation: Preparation) -> Self {
        Self { preparation: Some(preparation), ..self }
    }
}

impl Values {
    fn get(&self) -> &dyn Samples {
        match self {
            Self::Array(rows) => rows,
            Self::Table(rows) => rows,
        }
    }

    fn select(&self, wanted: &[usize]) -> Result<Self> {
        Ok(match self {
            Self::Array(rows) => {
                let chosen = wanted.iter().map(|&row| rows.rows()[row]).collect();
                Self::Array(Subset::new(rows.samples().clone(), chosen)?)
            }
            Self::Table(rows) => Self::Table(rows.select(Axis(0), wanted)),
        })
    }
}

fn filled<S: Samples + 'static>(source: S, fill: Imputation<'_>) -> Result<ReadableSamples> {
    let finite = match fill {
        Imputation::Nothing => {
            return Ok(ReadableSamples { source: Box::new(source), means: None, replaced: Vec::new() });
        }
        Imputation::OwnMeans(weights) => Finite::imputed(source, weights)?,
        Imputation::Means(means) => Finite::with_means(source, means.to_vec())?,
    };
    let Survey { means, counts, .. } = finite.survey.clone();
    Ok(ReadableSamples { source: Box::new(finite), means: kept_means(means), replaced: counts })
}

fn distorted<S: ImageSource + 'static>(images: PreparedImages<S>, copies: Option<Copies>) -> Result<Box<dyn Samples>> {
    Ok(match copies {
        None => Box::new(images),
        Some(Copies { rows, distortion, seed }) => Box::new(images.distorted(rows, distortion, seed)?),
    })
}
