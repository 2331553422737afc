//! The mapping that ELL makes possible: undo the normalisation of the label.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::labelled::mean_and_variance;
use super::linear::label_range;
use super::{FittedLinear, LabelledFeatures};
use crate::{Error, Result};

/// Linear scaling $\hat\ell = \pm\sigma_\ell y_1 + \mu_\ell$, which inverts the label normalisation
/// `[eq:label_normalization]`; the sign is the one that fits the training labels.
///
/// Features must have zero mean and unit variance over the training samples, as slow features do.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearScaling {
    /// Whether estimates are held within the label range of training, as in the paper.
    #[serde(default = "yes")]
    pub clip: bool,
}

impl Default for LinearScaling {
    fn default() -> Self {
        Self { clip: true }
    }
}

fn yes() -> bool {
    true
}

impl LinearScaling {
    /// Scales the slowest feature.
    ///
    /// # Errors
    /// If the label has classes or is constant, or there is no feature.
    pub fn fit(&self, training: &LabelledFeatures<'_>) -> Result<FittedLinear> {
        let features = training.first(Some(1))?;
        let (values, mean, deviation) = training.numbers()?;
        let sign = sign_of_covariance(features.column(0), values, mean, training.weights());
        Ok(FittedLinear::new(mean, Array1::from_elem(1, sign * deviation), label_range(values, self.clip)))
    }

    /// Recovers a label from as many features as there are target labels, through their triangular transform.
    ///
    /// Every feature gets the sign with which it fits this label better. With fewer features than target labels the
    /// missing ones are taken as 0, their mean.
    ///
    /// # Errors
    /// As [`fit`](Self::fit); [`Error::UnknownLabel`] if the recovery does not have the label.
    pub fn fit_recovering(&self, training: &LabelledFeatures<'_>, recovery: &Recovery) -> Result<FittedLinear> {
        let (mean, factors) = recovery.label(training.name())?;
        let (values, training_mean, _) = training.numbers()?;
        let features = training.first(None)?;
        let coefficients = features
            .columns()
            .into_iter()
            .zip(factors)
            .map(|(feature, &t)| t.abs() * sign_of_covariance(feature, values, training_mean, training.weights()))
            .collect();
        Ok(FittedLinear::new(mean, coefficients, label_range(values, self.clip)))
    }
}

/// ±1; +1 if the feature and the label do not covary at all.
fn sign_of_covariance(feature: ArrayView1<'_, f64>, values: &[f64], mean: f64, weights: &[f64]) -> f64 {
    let feature = feature.to_vec();
    let (feature_mean, _) = mean_and_variance(&feature, weights);
    let covariance: f64 =
        feature.iter().zip(values).zip(weights).map(|((y, l), w)| w * (y - feature_mean) * (l - mean)).sum();
    if covariance < 0.0 { -1.0 } else { 1.0 }
}

/// How raw labels follow from target labels: $\text{raw}_j = \text{mean}_j + \sum_k T_{kj}\,\ell_k$.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovery {
    names: Vec<String>,
    means: Array1<f64>,
    transform: Array2<f64>,
}

impl Recovery {
    /// From the names and means of the raw labels and the transform (target labels × raw labels).
    ///
    /// # Errors
    /// [`Error::Shape`] if the numbers of raw labels differ, [`Error::Parameter`] if a number is not finite.
    pub fn new(names: Vec<String>, means: Array1<f64>, transform: Array2<f64>) -> Result<Self> {
        Error::check_shape("means of raw labels", means.shape(), &[names.len()])?;
        Error::check_shape("transform of labels", transform.shape(), &[transform.nrows(), names.len()])?;
        if let Some(x) = means.iter().chain(&transform).find(|x| !x.is_finite()) {
            return Err(Error::parameter("transform of labels", x, "its numbers must be finite"));
        }
        Ok(Self { names, means, transform })
    }

    /// Names of the raw labels.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Means of the raw labels.
    pub fn means(&self) -> ArrayView1<'_, f64> {
        self.means.view()
    }

    /// Target labels × raw labels.
    pub fn transform(&self) -> ArrayView2<'_, f64> {
        self.transform.view()
    }

    /// Mean of a raw label and its factor for every target label.
    fn label(&self, name: &str) -> Result<(f64, ArrayView1<'_, f64>)> {
        let j = self
            .names
            .iter()
            .position(|n| n == name)
            .ok_or_else(|| Error::UnknownLabel { name: name.to_string(), available: self.names.clone() })?;
        Ok((self.means[j], self.transform.column(j)))
    }
}
