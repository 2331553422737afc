//! Read-outs: from slow features to estimates of a label.
//!
//! A [`Readout`] says what is wanted, [`Readout::fit`] learns it from training features, and the [`FittedReadout`]
//! estimates the label of new samples. Every read-out is fitted for one label; several labels get one each
//! ([`Readout::fit_all`]).

pub mod measures;

mod assignment;
mod blocks;
mod calibration;
mod distance;
mod estimates;
mod gaussian;
mod label_clip;
mod label_readout;
mod labeled;
mod linear;
mod linear_regression;
mod linear_scaling;
mod log_space;
mod nearest_centroid;
mod nearest_neighbors;
mod parts;

use ndarray::ArrayView2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use calibration::Calibration;
pub use estimates::{Estimates, LabelEstimates};
pub use gaussian::{ClassCovariance, FittedGaussian, GaussianClassifier};
pub use label_clip::LabelClip;
pub use label_readout::LabelReadout;
pub use labeled::LabeledFeatures;
pub use linear::FittedLinear;
pub use linear_regression::LinearRegression;
pub use linear_scaling::{LinearScaling, Recovery};
pub use nearest_centroid::{FittedCentroids, NearestCentroid};
pub use nearest_neighbors::{FittedNeighbors, NearestNeighbors};
pub use parts::{Parts, PartsHeader};

use crate::labels::{Labels, SampleWeights};
use crate::{Error, Result};

/// How a label is estimated from slow features. In TOML: `{ kind = "soft_gc", features = 3 }`.
///
/// ```
/// use gsfa::labels::{LabelValues, SampleWeights};
/// use gsfa::readout::{LabeledFeatures, LinearRegression, Readout};
/// use ndarray::array;
/// let (features, ages) = (array![[-1.0], [0.0], [1.0]], LabelValues::Numbers(vec![10.0, 30.0, 50.0]));
/// let weights = SampleWeights::uniform(3);
/// let readout = Readout::LinearRegression(LinearRegression::default());
/// let fitted = readout.fit(&LabeledFeatures::new(features.view(), "age", &ages, &weights)?)?;
/// let estimates = fitted.estimate(array![[0.5], [9.0]].view())?;
/// assert_eq!(estimates.numbers().unwrap(), array![40.0, 50.0]); // the second one is clipped to the range of training
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Readout {
    /// The slowest feature, scaled and shifted to the mean and deviation of the label; for ELL graphs.
    LinearScaling(LinearScaling),
    /// Least squares on the first features.
    LinearRegression(LinearRegression),
    /// The most probable class, or the mean label of the most probable bin.
    GaussianClassifier(GaussianClassifier),
    /// The expectation of the label over the class probabilities of a Gaussian classifier; classes as there.
    SoftGc(GaussianClassifier),
    /// The class with the nearest mean.
    NearestCentroid(NearestCentroid),
    /// Mean or vote of the nearest training samples.
    NearestNeighbors(NearestNeighbors),
}

impl Readout {
    /// Learns to estimate one label.
    ///
    /// # Errors
    /// If the label is of the wrong kind or constant, or a parameter does not fit the number of features.
    pub fn fit(&self, training: &LabeledFeatures<'_>) -> Result<FittedReadout> {
        Ok(match self {
            Self::LinearScaling(spec) => FittedReadout::Linear(spec.fit(training)?),
            Self::LinearRegression(spec) => FittedReadout::Linear(spec.fit(training)?),
            Self::GaussianClassifier(spec) => FittedReadout::Gaussian(Box::new(spec.fit(training)?)),
            Self::SoftGc(spec) => FittedReadout::Gaussian(Box::new(spec.fit_soft(training)?)),
            Self::NearestCentroid(spec) => FittedReadout::Centroids(spec.fit(training)?),
            Self::NearestNeighbors(spec) => FittedReadout::Neighbors(spec.fit(training)?),
        })
    }

    /// Learns to estimate every label column, in their order, without calibration.
    ///
    /// With a `recovery`, linear scaling estimates the labels it knows, each from the features that belong to its target
    /// labels; without one it can read one label only, from the slowest feature.
    ///
    /// # Errors
    /// As [`fit`](Self::fit); [`Error::Parameter`] for linear scaling of several labels without a recovery.
    pub fn fit_all(
        &self,
        features: ArrayView2<'_, f64>,
        labels: &Labels,
        weights: &SampleWeights,
        recovery: Option<&Recovery>,
    ) -> Result<Vec<LabelReadout>> {
        let several = labels.columns().count() > 1;
        labels
            .columns()
            .map(|(name, label)| {
                let training = LabeledFeatures::new(features, name, label, weights)?;
                let fitted = match (self, recovery) {
                    (Self::LinearScaling(spec), Some(recovery)) => {
                        FittedReadout::Linear(spec.fit_recovering(&training, recovery)?)
                    }
                    (Self::LinearScaling(_), None) if several => {
                        let reason = "several labels need the transform of the target labels to be told apart";
                        return Err(Error::parameter("readout", "linear_scaling", reason));
                    }
                    _ => self.fit(&training)?,
                };
                Ok(LabelReadout { label: name.to_string(), settings: Some(*self), fitted, calibration: None })
            })
            .collect()
    }
}

/// A read-out that knows its label.
#[derive(Debug, Clone, PartialEq)]
pub enum FittedReadout {
    /// An affine function of the features: linear scaling or linear regression.
    Linear(FittedLinear),
    /// A Gaussian per class.
    Gaussian(Box<FittedGaussian>),
    /// A mean per class.
    Centroids(FittedCentroids),
    /// All training features.
    Neighbors(FittedNeighbors),
}

impl FittedReadout {
    /// The number of features used: the first ones.
    pub fn input_dim(&self) -> usize {
        match self {
            Self::Linear(fitted) => fitted.coefficients().len(),
            Self::Gaussian(fitted) => fitted.input_dim(),
            Self::Centroids(fitted) => fitted.centroids().ncols(),
            Self::Neighbors(fitted) => fitted.input_dim(),
        }
    }

    /// The names of the classes, if the label has classes.
    pub fn class_names(&self) -> Option<&[String]> {
        match self {
            Self::Linear(_) => None,
            Self::Gaussian(fitted) => fitted.class_names(),
            Self::Centroids(fitted) => Some(fitted.class_names()),
            Self::Neighbors(fitted) => fitted.class_names(),
        }
    }

    /// Estimates for samples given by their slow features, one per row; columns beyond those used are ignored.
    ///
    /// Rows are independent of each other: chunks and threads change no bit.
    ///
    /// # Errors
    /// [`Error::Shape`] for too few columns, [`Error::NonFiniteSample`] for NaN and infinity.
    pub fn estimate(&self, features: ArrayView2<'_, f64>) -> Result<Estimates> {
        let features = labeled::first_features(features, self.input_dim())?;
        Ok(match self {
            Self::Linear(fitted) => fitted.estimate(features),
            Self::Gaussian(fitted) => fitted.estimate(features),
            Self::Centroids(fitted) => fitted.estimate(features),
            Self::Neighbors(fitted) => fitted.estimate(features),
        })
    }

    /// Everything learned as named arrays and a small header, for a model file.
    pub fn to_parts(&self) -> Parts {
        match self {
            Self::Linear(fitted) => fitted.to_parts(),
            Self::Gaussian(fitted) => fitted.to_parts(),
            Self::Centroids(fitted) => fitted.to_parts(),
            Self::Neighbors(fitted) => fitted.to_parts(),
        }
    }

    /// The read-out that gave these parts, with the same bits.
    ///
    /// # Errors
    /// If an array is missing, unexpected, of the wrong shape or not finite.
    pub fn from_parts(parts: Parts) -> Result<Self> {
        let Parts { header, arrays } = parts;
        let mut arrays = parts::Arrays::new(arrays);
        let fitted = match header {
            PartsHeader::Linear => Self::Linear(FittedLinear::from_arrays(&mut arrays)?),
            PartsHeader::Gaussian { soft, classes } => {
                Self::Gaussian(Box::new(FittedGaussian::from_arrays(&mut arrays, soft, classes)?))
            }
            PartsHeader::NearestCentroid { classes } => {
                Self::Centroids(FittedCentroids::from_arrays(&mut arrays, classes)?)
            }
            PartsHeader::NearestNeighbors { neighbors, classes } => {
                Self::Neighbors(FittedNeighbors::from_arrays(&mut arrays, neighbors, classes)?)
            }
        };
        arrays.finish()?;
        Ok(fitted)
    }
}
