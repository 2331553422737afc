//! What a read-out says about samples.

use ndarray::{Array1, Array2, ArrayView1, Axis};

/// The estimates of one label for a number of samples, with what the read-out knows about their reliability.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimates {
    /// The estimated label.
    pub label: LabelEstimates,
    /// Predictive standard deviation of a number.
    pub standard_deviation: Option<Array1<f64>>,
    /// Probabilities, samples × classes (or bins of a continuous label); rows sum to 1.
    pub probabilities: Option<Array2<f64>>,
    /// Logarithms of the probabilities of classes, finite where a probability itself is no longer a number other than 0.
    /// Those of votes are of shares: −∞ for a class that nobody votes for.
    pub log_probabilities: Option<Array2<f64>>,
    /// How far a sample lies from all training samples; large for outliers. For Gaussian classifiers the squared
    /// Mahalanobis distance to the classes (or bins), weighted with their probabilities: about as large as the number of
    /// features for samples like those of training, however many classes overlap.
    pub outlier_score: Option<Array1<f64>>,
}

/// Estimated values of a label.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelEstimates {
    /// A number per sample.
    Numbers(Array1<f64>),
    /// A class per sample.
    Classes {
        /// The names of the classes of training, in their order.
        names: Vec<String>,
        /// The estimated class of each sample, an index into `names`.
        of_sample: Vec<u32>,
    },
}

impl Estimates {
    /// Estimates without measures of reliability.
    pub(crate) fn plain(label: LabelEstimates) -> Self {
        Self { label, standard_deviation: None, probabilities: None, log_probabilities: None, outlier_score: None }
    }

    /// The estimates of some samples, in the given order.
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        let pick = |values: &Array1<f64>| rows.iter().map(|&n| values[n]).collect();
        let label = match &self.label {
            LabelEstimates::Numbers(values) => LabelEstimates::Numbers(pick(values)),
            LabelEstimates::Classes { names, of_sample } => {
                let of_sample = rows.iter().map(|&n| of_sample[n]).collect();
                LabelEstimates::Classes { names: names.clone(), of_sample }
            }
        };
        Self {
            label,
            standard_deviation: self.standard_deviation.as_ref().map(pick),
            probabilities: self.probabilities.as_ref().map(|p| p.select(Axis(0), rows)),
            log_probabilities: self.log_probabilities.as_ref().map(|logs| logs.select(Axis(0), rows)),
            outlier_score: self.outlier_score.as_ref().map(pick),
        }
    }

    /// The estimated numbers, if the label has numbers.
    pub fn numbers(&self) -> Option<ArrayView1<'_, f64>> {
        match &self.label {
            LabelEstimates::Numbers(values) => Some(values.view()),
            LabelEstimates::Classes { .. } => None,
        }
    }

    /// The estimated classes, if the label has classes.
    pub fn classes(&self) -> Option<&[u32]> {
        match &self.label {
            LabelEstimates::Numbers(_) => None,
            LabelEstimates::Classes { of_sample, .. } => Some(of_sample),
        }
    }
}
