//! Samples that judge codes of the classes: test images, or held-out tracks.

use gsfa::solve::{ClassFeatures, ClassSpace};
use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Rows that one thread classifies at a time.
const ROWS: usize = 256;

/// How a sample gets its class. Classes weigh the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The nearest centroid among features of unit variance, as in the paper.
    NearestCentroid,
    /// The most likely of Gaussian classes with one covariance: the nearest centroid among features that are white within
    /// classes.
    SharedGaussian,
}

impl Rule {
    /// Both, the paper's first.
    pub const ALL: [Self; 2] = [Self::NearestCentroid, Self::SharedGaussian];

    /// Its name in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::NearestCentroid => "nearest centroid",
            Self::SharedGaussian => "shared Gaussian",
        }
    }
}

/// Canonical features of samples that a node has not seen, and their classes.
pub(super) struct Judges {
    pub space: ClassSpace,
    z: Array2<f64>,
    pub classes: Vec<u32>,
}

impl Judges {
    /// From clustered features of the samples.
    pub fn new(canonical: &ClassFeatures, clustered: ArrayView2<'_, f64>, classes: Vec<u32>) -> Result<Self> {
        Ok(Self { space: canonical.space.clone(), z: canonical.slow.apply(clustered)?, classes })
    }

    /// The features zV of the samples.
    pub fn features(&self, v: ArrayView2<'_, f64>) -> Array2<f64> {
        self.z.dot(&v)
    }

    /// The class of each sample by the features zV.
    pub fn estimates(&self, v: ArrayView2<'_, f64>, rule: Rule) -> Result<Vec<u32>> {
        let v = match rule {
            Rule::NearestCentroid => v.to_owned(),
            Rule::SharedGaussian => self.space.white_within(v)?,
        };
        Ok(nearest(self.z.dot(&v).view(), self.space.centroids(v.view())?.view()))
    }

    /// The share of wrong classes in percent.
    pub fn error(&self, v: ArrayView2<'_, f64>, rule: Rule) -> Result<f64> {
        let all: Vec<usize> = (0..self.classes.len()).collect();
        Ok(error_rate(&self.estimates(v, rule)?, &self.classes, &all))
    }
}

/// The nearest class of each sample; of equally near ones the first.
pub(super) fn nearest(features: ArrayView2<'_, f64>, centroids: ArrayView2<'_, f64>) -> Vec<u32> {
    let one = |row: ndarray::ArrayView1<'_, f64>| {
        let mut best = (f64::INFINITY, 0);
        for (c, centroid) in centroids.outer_iter().enumerate() {
            let distance: f64 = row.iter().zip(centroid).map(|(y, m)| (y - m) * (y - m)).sum();
            if distance < best.0 {
                best = (distance, c as u32);
            }
        }
        best.1
    };
    let blocks: Vec<_> = features.axis_chunks_iter(Axis(0), ROWS).collect();
    let blocks: Vec<Vec<u32>> = blocks.into_par_iter().map(|rows| rows.outer_iter().map(one).collect()).collect();
    blocks.concat()
}

/// The share of wrong classes among some samples in percent.
pub(super) fn error_rate(estimates: &[u32], classes: &[u32], rows: &[usize]) -> f64 {
    let wrong = rows.iter().filter(|&&n| estimates[n] != classes[n]).count();
    100.0 * wrong as f64 / rows.len().max(1) as f64
}

/// How many percent more one list errs than another, and the standard error of that difference over samples.
pub(super) fn paired(ours: &[u32], theirs: &[u32], classes: &[u32], rows: &[usize]) -> (f64, f64) {
    let count = rows.len().max(1) as f64;
    let wrong = |estimates: &[u32], n: usize| f64::from(u8::from(estimates[n] != classes[n]));
    let differences = rows.iter().map(|&n| wrong(ours, n) - wrong(theirs, n));
    let (sum, squares) = differences.fold((0.0, 0.0), |(sum, squares), d| (sum + d, squares + d * d));
    let mean = sum / count;
    (100.0 * mean, 100.0 * ((squares / count - mean * mean).max(0.0) / count).sqrt())
}
