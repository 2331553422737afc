//! Samples as they are stored: images are files, and what is missing is still missing.

use gsfa::samples::{Element, InputShape, Samples, Subset};
use gsfa_data::distort::{Distortion, ImageCopy};
use gsfa_data::finite::{Finite, Survey};
use gsfa_data::images::ImageSet;
use gsfa_data::npy::NpyArray;
use gsfa_data::pixels::{ImageRows, ImageSource, Preparation, PreparedImages};
use gsfa_data::table::Missing;
use ndarray::{Array2, Axis};

use crate::error::{Error, ErrorCode, Result};

/// Samples in whatever form the user has them.
#[derive(Clone)]
pub enum StoredSamples {
    Images(PreparedImages<ImageSet>),
    Array { rows: Subset<NpyArray>, preparation: Option<Preparation> },
    Table(Array2<f64>),
}

/// What stands in for missing values.
#[derive(Clone, Copy)]
pub enum Imputation<'a> {
    /// Nothing: there are none.
    Nothing,
    /// The mean of their column.
    OwnMeans,
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
    /// The mean of each column, unless the samples are images or whole numbers, which lack nothing.
    pub means: Option<Vec<f64>>,
    /// How many values of each column were missing and replaced.
    pub replaced: Vec<usize>,
}

/// Wider samples are no table, and their means are not kept.
const WIDEST: usize = 1 << 20;

impl StoredSamples {
    pub fn len(&self) -> usize {
        match self {
            Self::Images(images) => images.len(),
            Self::Array { rows, .. } => rows.len(),
            Self::Table(table) => table.nrows(),
        }
    }

    /// The given rows.
    pub fn select(&self, wanted: &[usize]) -> Result<Self> {
        Ok(match self {
            Self::Images(images) => {
                let chosen = images.images().select(wanted)?;
                Self::Images(PreparedImages::new(chosen, images.preparation().clone())?)
            }
            Self::Array { rows, preparation } => {
                let chosen = wanted.iter().map(|&row| rows.rows()[row]).collect();
                Self::Array { rows: Subset::new(rows.samples().clone(), chosen)?, preparation: preparation.clone() }
            }
            Self::Table(table) => Self::Table(table.select(Axis(0), wanted)),
        })
    }

    /// Numbers per sample, height and width of images, and the type in which they are read.
    pub fn kind(&self) -> Result<(usize, Option<InputShape>, Element)> {
        let of = |source: &dyn Samples| (source.dim(), source.image_shape(), source.element());
        Ok(match self {
            Self::Images(images) => of(images),
            Self::Array { rows, preparation: None } => of(rows),
            Self::Array { rows, preparation: Some(steps) } => {
                of(&PreparedImages::new(ImageRows::new(rows)?, steps.clone())?)
            }
            Self::Table(table) => of(table),
        })
    }

    /// Samples to be read: missing values replaced, pixels prepared, images distorted if there are copies.
    pub fn ready(self, fill: Imputation<'_>, copies: Option<Copies>) -> Result<ReadableSamples> {
        match self {
            Self::Images(images) => {
                Ok(ReadableSamples { source: distorted(images, copies)?, means: None, replaced: Vec::new() })
            }
            Self::Array { rows, preparation } => {
                let mut ready = filled(rows, fill)?;
                if preparation.is_some() || copies.is_some() {
                    let images = ImageRows::new(ready.source)?;
                    ready.source = distorted(PreparedImages::new(images, preparation.unwrap_or_default())?, copies)?;
                }
                Ok(ready)
            }
            Self::Table(_) if copies.is_some() => {
                Err(Error::usage(ErrorCode::Copies, "--copies distorts images, and the samples are rows of a table"))
            }
            Self::Table(table) => filled(table, fill),
        }
    }
}

fn filled<S: Samples + 'static>(source: S, fill: Imputation<'_>) -> Result<ReadableSamples> {
    let finite = match fill {
        Imputation::Nothing => {
            return Ok(ReadableSamples { source: Box::new(source), means: None, replaced: Vec::new() });
        }
        Imputation::OwnMeans => Finite::new(source, Missing::Impute)?,
        Imputation::Means(means) => Finite::with_means(source, means.to_vec())?,
    };
    let Survey { means, counts, .. } = finite.survey.clone();
    let known = means.len() <= WIDEST && means.iter().all(|mean| mean.is_finite());
    Ok(ReadableSamples { source: Box::new(finite), means: known.then_some(means), replaced: counts })
}

fn distorted<S: ImageSource + 'static>(images: PreparedImages<S>, copies: Option<Copies>) -> Result<Box<dyn Samples>> {
    Ok(match copies {
        None => Box::new(images),
        Some(Copies { rows, distortion, seed }) => Box::new(images.distorted(rows, distortion, seed)?),
    })
}
