//! Class probabilities and estimates of a fitted Gaussian classifier.

use ndarray::{Array1, Array2, Array3, ArrayView1, ArrayView2};

use super::super::blocks::in_blocks;
use super::super::log_space::{largest, normalize};
use super::super::parts::{Arrays, check_classes};
use super::super::{Estimates, LabelEstimates, Parts, PartsHeader};
use crate::{Error, Result};

/// Standardised features are held within ± this: beyond it, squares would overflow and say nothing new.
const FARTHEST: f64 = 1e100;

const ROW_MAJOR: &str = "fitted arrays are created and loaded in row-major order";

/// A Gaussian per class.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedGaussian {
    pub(super) soft: bool,
    pub(super) classes: Option<Vec<String>>,
    pub(super) center: Array1<f64>,
    pub(super) inverse_scale: Array1<f64>,
    pub(super) means: Array2<f64>,
    pub(super) whitening: Array3<f64>,
    pub(super) log_weights: Array1<f64>,
    /// Per bin; empty for classes.
    pub(super) label_means: Array1<f64>,
    pub(super) label_variances: Array1<f64>,
}

#[derive(Default)]
struct Block {
    values: Vec<f64>,
    deviations: Vec<f64>,
    scores: Vec<f64>,
    probabilities: Vec<f64>,
    log_probabilities: Vec<f64>,
}

impl FittedGaussian {
    /// The number of features.
    pub fn input_dim(&self) -> usize {
        self.center.len()
    }

    /// The number of classes or bins.
    pub fn class_count(&self) -> usize {
        self.log_weights.len()
    }

    /// Names of the classes, if the label has classes.
    pub fn class_names(&self) -> Option<&[String]> {
        self.classes.as_deref()
    }

    /// The mean label of each bin; empty if the label has classes.
    pub fn bin_means(&self) -> ArrayView1<'_, f64> {
        self.label_means.view()
    }

    pub(in super::super) fn estimate(&self, features: ArrayView2<'_, f64>) -> Estimates {
        let blocks = in_blocks(features, |rows| {
            let mut block = Block::default();
            let mut z = vec![0.0; self.input_dim()];
            let mut shifted = vec![0.0; self.input_dim()];
            let mut distances = Vec::with_capacity(self.class_count());
            for row in rows.rows() {
                self.standardize(row, &mut z);
                let start = block.probabilities.len();
                self.log_scores(&z, &mut shifted, &mut block.probabilities, &mut distances);
                let probabilities = &mut block.probabilities[start..];
                let best = largest(probabilities);
                normalize(probabilities, best, &mut block.log_probabilities);
                if self.classes.is_none() {
                    block.log_probabilities.clear();
                }
                block
                    .scores
                    .push(probabilities.iter().zip(&distances).map(|(p, d)| if *p > 0.0 { p * d } else { 0.0 }).sum());
                if self.classes.is_some() {
                    block.values.push(best as f64);
                } else {
                    let (value, deviation) = self.number(probabilities, best);
                    block.values.push(value);
                    block.deviations.push(deviation);
                }
            }
            block
        });
        let mut all = Block::default();
        for block in blocks {
            all.values.extend(block.values);
            all.deviations.extend(block.deviations);
            all.scores.extend(block.scores);
            all.probabilities.extend(block.probabilities);
            all.log_probabilities.extend(block.log_probabilities);
        }
        let count = self.class_count();
        let table = |values: Vec<f64>| Array2::from_shape_fn((features.nrows(), count), |(n, c)| values[n * count + c]);
        let log_probabilities = self.classes.is_some().then(|| table(all.log_probabilities));
        let (label, standard_deviation) = match &self.classes {
            Some(names) => {
                let of_sample = all.values.iter().map(|&c| c as u32).collect();
                (LabelEstimates::Classes { names: names.clone(), of_sample }, None)
            }
            None => (LabelEstimates::Numbers(all.values.into()), Some(all.deviations.into())),
        };
        Estimates {
            label,
            standard_deviation,
            probabilities: Some(table(all.probabilities)),
            log_probabilities,
            outlier_score: Some(all.scores.into()),
        }
    }

    fn standardize(&self, row: ArrayView1<'_, f64>, z: &mut [f64]) {
        for (i, (out, &y)) in z.iter_mut().zip(row).enumerate() {
            let scale = self.inverse_scale[i];
            // The difference may be infinite; a constant feature must stay 0 even then.
            *out = if scale == 0.0 { 0.0 } else { ((y - self.center[i]) * scale).clamp(-FARTHEST, FARTHEST) };
        }
    }

    /// Appends ln π_c p(y|c) up to a constant for every class, and sets the squared Mahalanobis distances.
    fn log_scores(&self, z: &[f64], shifted: &mut [f64], scores: &mut Vec<f64>, distances: &mut Vec<f64>) {
        let d = z.len();
        distances.clear();
        // Slices rather than views: the matrices are small, and there is one per class and sample.
        let means = self.means.as_slice().expect(ROW_MAJOR);
        let factors = self.whitening.as_slice().expect(ROW_MAJOR);
        for (c, log_weight) in self.log_weights.iter().enumerate() {
            for (i, out) in shifted.iter_mut().enumerate() {
                *out = z[i] - means[c * d + i];
            }
            let mut distance = 0.0;
            for k in 0..d {
                let direction = &factors[(c * d + k) * d..(c * d + k + 1) * d];
                let projection: f64 = direction.iter().zip(shifted.iter()).map(|(u, x)| u * x).sum();
                distance += projection * projection;
            }
            distances.push(distance);
            scores.push(log_weight - 0.5 * distance);
        }
    }

    /// The estimate of a number and its predictive deviation, about the estimate given.
    fn number(&self, probabilities: &[f64], best: usize) -> (f64, f64) {
        // Relative to the most probable bin: where that is certain, its mean is the estimate to the last digit.
        let mut value = self.label_means[best];
        if self.soft {
            value +=
                probabilities.iter().zip(&self.label_means).map(|(p, l)| p * (l - self.label_means[best])).sum::<f64>();
        }
        let bins = self.label_means.iter().zip(&self.label_variances);
        let variance: f64 = probabilities.iter().zip(bins).map(|(p, (l, s))| p * (s + (l - value) * (l - value))).sum();
        (value, variance.sqrt())
    }

    pub(in super::super) fn to_parts(&self) -> Parts {
        let parts = Parts::new(PartsHeader::Gaussian { soft: self.soft, classes: self.classes.clone() })
            .with("centre", &self.center)
            .with("inverse_scale", &self.inverse_scale)
            .with("means", &self.means)
            .with("whitening", &self.whitening)
            .with("log_weights", &self.log_weights);
        if self.classes.is_some() {
            return parts;
        }
        parts.with("label_means", &self.label_means).with("label_variances", &self.label_variances)
    }

    pub(in super::super) fn from_arrays(arrays: &mut Arrays, soft: bool, classes: Option<Vec<String>>) -> Result<Self> {
        let means: Array2<f64> = arrays.take("means")?;
        let (count, d) = means.dim();
        let (mut label_means, mut label_variances) = (Array1::zeros(0), Array1::zeros(0));
        if let Some(names) = &classes {
            check_classes(names)?;
            Error::check_shape("array 'means'", &[count, d], &[names.len(), d])?;
        } else {
            label_means = arrays.take_shaped("label_means", &[count])?;
            label_variances = arrays.take_shaped("label_variances", &[count])?;
            if let Some(negative) = label_variances.iter().find(|&&v| v < 0.0) {
                return Err(Error::parameter("label_variances", negative, "a variance is negative"));
            }
        }
        if count == 0 {
            return Err(Error::parameter("array", "means", "there is no class"));
        }
        Ok(Self {
            soft,
            classes,
            center: arrays.take_shaped("centre", &[d])?,
            inverse_scale: arrays.take_shaped("inverse_scale", &[d])?,
            means,
            whitening: arrays.take_shaped("whitening", &[count, d, d])?,
            log_weights: arrays.take_shaped("log_weights", &[count])?,
            label_means,
            label_variances,
        })
    }
}
