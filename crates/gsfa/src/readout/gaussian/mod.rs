//! Gaussian classifier and soft GC: one Gaussian per class, or per bin of a continuous label.

mod bins;
mod fitted;
mod moments;

use ndarray::{Array1, Array2, ArrayView2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LabeledFeatures;
use super::labeled::{column_moments, mean_and_variance};
use crate::graph::Grouping;
use crate::labels::LabelValues;
use crate::{Error, Result};
pub use fitted::FittedGaussian;
use moments::Gaussians;

/// A Gaussian per class with the class weights as priors; [`soft`](super::Readout::SoftGc) or
/// [`hard`](super::Readout::GaussianClassifier) estimates.
///
/// **Soft GC** estimates a number by its expectation $\hat\ell = \sum_c P(c|y)\,\bar\ell_c$, with the predictive
/// deviation $\sqrt{\sum_c P(c|y)(\sigma_c^2 + (\bar\ell_c - \hat\ell)^2)}$, where $\bar\ell_c$ and $\sigma_c^2$ are
/// mean and variance of the label in bin c.
///
/// **Bins** of a continuous label hold equal shares of the weight, in the order of the label, equal labels together;
/// a label with few distinct values has one bin for each. There are at most as many bins as leave d + 2 effective
/// samples each.
///
/// **Shrinkage.** A class of effectively $n_c$ samples (Kish's $(\sum a)^2/\sum a^2$ over its distinct feature vectors,
/// so that weight 2 is the row twice and the scale of the weights does not matter) has the covariance
/// $(n_c S_c + \kappa S)/(n_c - 1 + \kappa)$, $\kappa = \text{shrinkage}\cdot(d+1)$, where $S$ is the pooled covariance
/// within classes: a class of one sample has the pooled covariance, a large one its own. Variances are held above a
/// small share of the feature's overall variance; constant features are ignored.
///
/// ```
/// use gsfa::labels::{LabelValues, SampleWeights};
/// use gsfa::readout::{GaussianClassifier, LabeledFeatures, Readout};
/// use ndarray::array;
/// let features = array![[-1.1], [-0.9], [0.9], [1.1]];
/// let (label, weights) = (LabelValues::Numbers(vec![10.0, 10.0, 20.0, 20.0]), SampleWeights::uniform(4));
/// let training = LabeledFeatures::new(features.view(), "age", &label, &weights)?;
/// let soft = Readout::SoftGc(GaussianClassifier::default()).fit(&training)?;
/// let estimates = soft.estimate(array![[-1.0], [0.0], [50.0]].view())?;
/// assert!((estimates.numbers().unwrap()[0] - 10.0).abs() < 1e-6);
/// assert!((estimates.numbers().unwrap()[1] - 15.0).abs() < 1e-6); // half way between the classes …
/// assert!((estimates.standard_deviation.unwrap()[1] - 5.0).abs() < 1e-6); // … and therefore uncertain
/// assert!(estimates.outlier_score.unwrap()[2] > 1e4); // far from both
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GaussianClassifier {
    /// Use the first d features; all if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<usize>,
    /// The most bins of a continuous label (60 in the paper).
    pub bins: usize,
    /// Strength of the pull towards the pooled covariance; 0 for none.
    pub shrinkage: f64,
    /// Whether classes have covariances of their own or share one.
    pub covariance: ClassCovariance,
}

/// The covariances of Gaussian classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClassCovariance {
    /// Each class has its own, drawn to the pooled one.
    #[default]
    Own,
    /// All have the pooled one: the nearest mean in units of the deviation within classes wins, but for the priors.
    Shared,
}

impl Default for GaussianClassifier {
    fn default() -> Self {
        Self { features: None, bins: 60, shrinkage: 1.0, covariance: ClassCovariance::Own }
    }
}

/// The classes or bins of the samples, and the label within each bin.
struct Groups {
    grouping: Grouping,
    classes: Option<Vec<String>>,
    label_means: Array1<f64>,
    label_variances: Array1<f64>,
}

impl GaussianClassifier {
    /// Hard estimates: the most probable class, or the mean label of the most probable bin.
    ///
    /// # Errors
    /// If the label has one value, every sample is its own class, or a parameter is out of range.
    pub fn fit(&self, training: &LabeledFeatures<'_>) -> Result<FittedGaussian> {
        self.fit_with(training, false)
    }

    /// Soft estimates of numbers; classes as [`fit`](Self::fit).
    ///
    /// # Errors
    /// As [`fit`](Self::fit).
    pub(crate) fn fit_soft(&self, training: &LabeledFeatures<'_>) -> Result<FittedGaussian> {
        self.fit_with(training, true)
    }

    fn fit_with(&self, training: &LabeledFeatures<'_>, soft: bool) -> Result<FittedGaussian> {
        if self.bins < 2 {
            return Err(Error::parameter("bins", self.bins, "at least 2 are needed"));
        }
        if !(self.shrinkage >= 0.0 && self.shrinkage.is_finite()) {
            return Err(Error::parameter("shrinkage", self.shrinkage, "it must be finite and not negative"));
        }
        let features = training.first(self.features)?;
        let (center, deviations) = column_moments(features, training.weights());
        let inverse_scale = deviations.mapv(|s| if s > 0.0 { 1.0 / s } else { 0.0 });
        let z = standardize(features, &center, &inverse_scale);
        let groups = self.groups(training, &z)?;
        let pull = match self.covariance {
            ClassCovariance::Own => Some(self.shrinkage * (features.ncols() + 1) as f64),
            ClassCovariance::Shared => None,
        };
        let gaussians = Gaussians::fit(z.view(), &groups.grouping, training.weights(), pull)?;
        Ok(FittedGaussian {
            soft,
            classes: groups.classes,
            center,
            inverse_scale,
            means: gaussians.means,
            whitening: gaussians.whitening,
            log_weights: gaussians.log_weights,
            label_means: groups.label_means,
            label_variances: groups.label_variances,
        })
    }

    fn groups(&self, training: &LabeledFeatures<'_>, z: &Array2<f64>) -> Result<Groups> {
        if let LabelValues::Classes(_) = training.label() {
            let classes = training.classes()?;
            let (count, samples) = (classes.count(), z.nrows());
            if count == samples {
                return Err(Error::EverySampleItsOwnClass { classes: count, samples });
            }
            return Ok(Groups {
                grouping: Grouping::trusted(classes.of_sample().to_vec(), count),
                classes: Some(classes.names().to_vec()),
                label_means: Array1::zeros(0),
                label_variances: Array1::zeros(0),
            });
        }
        let (values, ..) = training.numbers()?;
        let everyone: Vec<u32> = (0..z.nrows() as u32).collect();
        let effective = moments::effective_size(z.view(), &everyone, training.weights());
        let enough = (effective / (z.ncols() + 2) as f64) as usize;
        let grouping = bins::by_rank(values, training.weights(), self.bins.min(enough).max(2));
        let (members, starts) = grouping.members();
        let (means, variances): (Vec<f64>, Vec<f64>) = starts
            .windows(2)
            .map(|range| {
                let of_bin = &members[range[0]..range[1]];
                let labels: Vec<f64> = of_bin.iter().map(|&n| values[n as usize]).collect();
                let weights: Vec<f64> = of_bin.iter().map(|&n| training.weights()[n as usize]).collect();
                mean_and_variance(&labels, &weights)
            })
            .unzip();
        Ok(Groups { grouping, classes: None, label_means: means.into(), label_variances: variances.into() })
    }
}

fn standardize(features: ArrayView2<'_, f64>, center: &Array1<f64>, inverse_scale: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn(features.dim(), |(n, i)| (features[[n, i]] - center[i]) * inverse_scale[i])
}
