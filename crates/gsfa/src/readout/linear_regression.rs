//! Least squares on the first features.

use ndarray::{Array1, Array2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::labeled::column_moments;
use super::{FittedLinear, LabelClip, LabeledFeatures};
use crate::Result;
use crate::linalg::{symmetric_eigen, tolerance};

/// Weighted linear regression with intercept.
///
/// Directions of feature space without variance (constant or dependent features) get no weight: of all least-squares
/// solutions the shortest one in units of the features' deviations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinearRegression {
    /// Use the first so many features; all if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<usize>,
    /// Where estimates are held: by default within the label range of training.
    #[serde(default)]
    pub clip: LabelClip,
}

impl LinearRegression {
    /// Solves the normal equations of the standardised features by their eigenvectors; slow features are all but
    /// decorrelated, so that forming the equations costs no digits.
    ///
    /// # Errors
    /// If the label has classes or is constant, or there are fewer features than asked for.
    pub fn fit(&self, training: &LabeledFeatures<'_>) -> Result<FittedLinear> {
        let features = training.first(self.features)?;
        let (values, label_mean, _) = training.numbers()?;
        let (samples, d) = features.dim();
        let (means, deviations) = column_moments(features, training.weights());
        let inverse: Array1<f64> = deviations.mapv(|s| if s > 0.0 { 1.0 / s } else { 0.0 });
        let total: f64 = training.weights().iter().sum();

        let mut correlation = Array2::<f64>::zeros((d, d));
        let mut with_label = Array1::<f64>::zeros(d);
        let mut z = vec![0.0; d];
        for ((row, &value), &weight) in features.rows().into_iter().zip(values).zip(training.weights()) {
            for i in 0..d {
                z[i] = (row[i] - means[i]) * inverse[i];
            }
            let share = weight / total;
            for i in 0..d {
                let shared = share * z[i];
                with_label[i] += shared * (value - label_mean);
                for j in 0..=i {
                    correlation[[i, j]] += shared * z[j];
                }
            }
        }

        let eigen = symmetric_eigen(correlation.view())?;
        let largest = eigen.values.iter().fold(0.0_f64, |m, &x| m.max(x));
        let negligible = largest * tolerance::rank(d).max(tolerance::sum(samples));
        let mut coefficients = Array1::<f64>::zeros(d);
        for (&value, vector) in eigen.values.iter().zip(eigen.vectors.columns()) {
            if value > negligible {
                coefficients.scaled_add(vector.dot(&with_label) / value, &vector);
            }
        }
        let coefficients = coefficients * inverse;
        let intercept = label_mean - coefficients.dot(&means);
        Ok(FittedLinear::new(intercept, coefficients, self.clip.range(values)?))
    }
}
