//! The mapping that ELL makes possible: undo the normalisation of the label.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assignment::assign;
use super::labeled::mean_and_variance;
use super::{FittedLinear, LabelClip, LabeledFeatures};
use crate::{Error, Result};

/// Linear scaling $\hat\ell = \pm\sigma_\ell y_1 + \mu_\ell$, which inverts the label normalisation
/// `[eq:label_normalization]`; the sign is the one that fits the training labels.
///
/// Features must have zero mean and unit variance over the training samples, as slow features do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinearScaling {
    /// Where estimates are held: by default within the label range of training.
    #[serde(default)]
    pub clip: LabelClip,
}

impl LinearScaling {
    /// Scales the slowest feature.
    ///
    /// # Errors
    /// If the label has classes or is constant, or there is no feature.
    pub fn fit(&self, training: &LabeledFeatures<'_>) -> Result<FittedLinear> {
        let features = training.first(Some(1))?;
        let (values, mean, deviation) = training.numbers()?;
        let sign = sign_of_covariance(features.column(0), values, mean, training.weights());
        Ok(FittedLinear::new(mean, Array1::from_elem(1, sign * deviation), self.clip.range(values)?))
    }

    /// Recovers a label from the features that belong to its target labels, through their transform.
    ///
    /// A target label is estimated by the feature assigned to it, times their correlation; one without a feature by 0, its
    /// mean. Where there is a single label of training, its own feature is scaled to its deviation, as the paper does.
    ///
    /// # Errors
    /// As [`fit`](Self::fit); [`Error::UnknownLabel`] if the recovery does not have the label.
    pub fn fit_recovering(&self, training: &LabeledFeatures<'_>, recovery: &Recovery) -> Result<FittedLinear> {
        let (mean, factors) = recovery.label(training.name())?;
        let (values, ..) = training.numbers()?;
        let features = training.first(None)?;
        let mut coefficients = Array1::zeros(features.ncols());
        for (pair, factor) in recovery.pairs.iter().zip(factors) {
            if let Some(Pair { feature, correlation }) = *pair
                && feature < coefficients.len()
            {
                let size = if recovery.single { correlation.signum() } else { correlation };
                coefficients[feature] += factor * size;
            }
        }
        Ok(FittedLinear::new(mean, coefficients, self.clip.range(values)?))
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

/// How raw labels follow from target labels: $\text{raw}_j = \text{mean}_j + \sum_k T_{kj}\,\ell_k$, and which feature
/// stands for which target label.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovery {
    names: Vec<String>,
    means: Array1<f64>,
    transform: Array2<f64>,
    /// The feature of each target label.
    pairs: Vec<Option<Pair>>,
    /// Whether one label alone is to be recovered.
    single: bool,
}

/// A feature that stands for a target label, and their correlation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Pair {
    feature: usize,
    correlation: f64,
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
        let pairs = (0..transform.nrows()).map(|k| Some(Pair { feature: k, correlation: 1.0 })).collect();
        Ok(Self { names, means, transform, pairs, single: false })
    }

    /// With features assigned to target labels, one to one, such that the sum of their squared correlations is largest:
    /// features are ordered by λρ², which is not the order of the labels. `correlations` has a row for each feature and a
    /// column for each target label.
    ///
    /// # Errors
    /// [`Error::Shape`] if there is not one column for each target label.
    pub fn paired(mut self, correlations: ArrayView2<'_, f64>) -> Result<Self> {
        let (features, targets) = correlations.dim();
        Error::check_shape("correlations", &[features, targets], &[features, self.transform.nrows()])?;
        let squares = correlations.mapv(|r| r * r);
        let pair = |feature: usize, target: usize| Pair { feature, correlation: correlations[[feature, target]] };
        self.pairs = vec![None; targets];
        if targets <= features {
            let of_target = assign(&squares.reversed_axes());
            of_target.iter().enumerate().for_each(|(k, &feature)| self.pairs[k] = Some(pair(feature, k)));
        } else {
            let of_feature = assign(&squares);
            of_feature.iter().enumerate().for_each(|(feature, &k)| self.pairs[k] = Some(pair(feature, k)));
        }
        Ok(self)
    }

    /// For the one label that the target labels were made from: its feature is scaled to the deviation of the label.
    pub(crate) fn of_single_label(mut self) -> Self {
        self.single = true;
        self
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
