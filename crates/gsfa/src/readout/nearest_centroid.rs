//! The class whose mean is nearest.

use ndarray::{Array2, ArrayView2, Axis};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocks::in_blocks;
use super::distance::Distances;
use super::log_space::normalize;
use super::parts::{Arrays, check_classes};
use super::{Estimates, LabelEstimates, LabeledFeatures, Parts, PartsHeader};
use crate::{Error, Result};

/// Nearest centroid classifier: Euclidean distance to the weighted mean of each class; of equally near ones the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearestCentroid {
    /// Use the first so many features; all if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<usize>,
}

impl NearestCentroid {
    /// Averages the classes.
    ///
    /// # Errors
    /// If the label has numbers or a single class, or there are fewer features than asked for.
    pub fn fit(&self, training: &LabeledFeatures<'_>) -> Result<FittedCentroids> {
        let features = training.first(self.features)?;
        let classes = training.classes()?;
        let mut sums = vec![0.0; classes.count()];
        for (&c, &weight) in classes.of_sample().iter().zip(training.weights()) {
            sums[c as usize] += weight;
        }
        let mut centroids = Array2::zeros((classes.count(), features.ncols()));
        for ((row, &c), &weight) in features.rows().into_iter().zip(classes.of_sample()).zip(training.weights()) {
            centroids.row_mut(c as usize).scaled_add(weight / sums[c as usize], &row);
        }
        Ok(FittedCentroids { classes: classes.names().to_vec(), centroids })
    }
}

/// The means of the classes.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedCentroids {
    classes: Vec<String>,
    centroids: Array2<f64>,
}

impl FittedCentroids {
    /// Names of the classes.
    pub fn class_names(&self) -> &[String] {
        &self.classes
    }

    /// Classes × features.
    pub fn centroids(&self) -> ArrayView2<'_, f64> {
        self.centroids.view()
    }

    /// Classes, with the probabilities of Gaussians of unit variance about the centroids and equal priors.
    pub(super) fn estimate(&self, features: ArrayView2<'_, f64>) -> Estimates {
        let count = self.classes.len();
        let blocks = in_blocks(features, |rows| {
            let mut nearest = Vec::with_capacity(rows.nrows());
            let (mut odds, mut logs) = (Vec::with_capacity(rows.nrows() * count), Vec::new());
            for row in rows.axis_iter(Axis(0)) {
                let from = Distances::from(row);
                let distances: Vec<f64> = self.centroids.rows().into_iter().map(|centroid| from.to(centroid)).collect();
                let best = (0..count).fold(0, |best, c| if distances[c] < distances[best] { c } else { best });
                nearest.push(best as u32);
                // Far from all of them, where differences overflow, the nearest has it all.
                let farther = |d: &f64| if *d == distances[best] { 0.0 } else { from.excess(*d, distances[best]) };
                let start = odds.len();
                odds.extend(distances.iter().map(|d| -0.5 * farther(d)));
                normalize(&mut odds[start..], best, &mut logs);
            }
            (nearest, odds, logs)
        });
        let mut of_sample = Vec::new();
        let (mut odds, mut logs) = (Vec::new(), Vec::new());
        for block in blocks {
            of_sample.extend(block.0);
            odds.extend(block.1);
            logs.extend(block.2);
        }
        let table = |values: Vec<f64>| Array2::from_shape_fn((features.nrows(), count), |(n, c)| values[n * count + c]);
        let label = LabelEstimates::Classes { names: self.classes.clone(), of_sample };
        Estimates { probabilities: Some(table(odds)), log_probabilities: Some(table(logs)), ..Estimates::plain(label) }
    }

    pub(super) fn to_parts(&self) -> Parts {
        Parts::new(PartsHeader::NearestCentroid { classes: self.classes.clone() }).with("centroids", &self.centroids)
    }

    pub(super) fn from_arrays(arrays: &mut Arrays, classes: Vec<String>) -> Result<Self> {
        check_classes(&classes)?;
        let centroids: Array2<f64> = arrays.take("centroids")?;
        Error::check_shape("array 'centroids'", centroids.shape(), &[classes.len(), centroids.ncols()])?;
        Ok(Self { classes, centroids })
    }
}
