//! The class whose mean is nearest.

use ndarray::{Array2, ArrayView2, Axis};
use serde::{Deserialize, Serialize};

use super::blocks::in_blocks;
use super::parts::{Arrays, check_classes};
use super::{Estimates, LabelEstimates, LabelledFeatures, Parts, PartsHeader};
use crate::{Error, Result};

/// Nearest centroid classifier: Euclidean distance to the weighted mean of each class; of equally near ones the first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    pub fn fit(&self, training: &LabelledFeatures<'_>) -> Result<FittedCentroids> {
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

    pub(super) fn estimate(&self, features: ArrayView2<'_, f64>) -> Estimates {
        let blocks = in_blocks(features, |rows| {
            rows.axis_iter(Axis(0))
                .map(|row| {
                    let mut best = (f64::INFINITY, 0);
                    for (c, centroid) in self.centroids.rows().into_iter().enumerate() {
                        let distance = row.iter().zip(centroid).map(|(y, m)| (y - m) * (y - m)).sum();
                        if distance < best.0 {
                            best = (distance, c as u32);
                        }
                    }
                    best.1
                })
                .collect::<Vec<u32>>()
        });
        Estimates::plain(LabelEstimates::Classes { names: self.classes.clone(), of_sample: blocks.concat() })
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
