//! The nearest training samples decide.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocks::in_blocks;
use super::distance::Distances;
use super::parts::{Arrays, check_classes};
use super::{Estimates, LabelEstimates, LabeledFeatures, Parts, PartsHeader};
use crate::error::Places;
use crate::labels::LabelValues;
use crate::{Error, Result};

/// k nearest neighbors, exact, by Euclidean distance.
///
/// Numbers: the weighted mean of the neighbors' labels. Classes: a vote by weight. Of training samples at equal
/// distance the earlier one is nearer; of classes with equal votes the first wins. A weight counts in the mean or the
/// vote, but not as further neighbors: here weight 2 is not the row twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NearestNeighbors {
    /// Use the first so many features; all if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<usize>,
    /// How many neighbors are asked, k.
    #[serde(default = "default_neighbors")]
    pub neighbors: usize,
}

impl Default for NearestNeighbors {
    fn default() -> Self {
        Self { features: None, neighbors: default_neighbors() }
    }
}

fn default_neighbors() -> usize {
    5
}

impl NearestNeighbors {
    /// Keeps the training features.
    ///
    /// # Errors
    /// If k is 0 or more than there are samples, the label is constant, or there are fewer features than asked for.
    pub fn fit(&self, training: &LabeledFeatures<'_>) -> Result<FittedNeighbors> {
        let features = training.first(self.features)?;
        check_neighbors(self.neighbors, features.nrows())?;
        let (classes, labels) = match training.label() {
            LabelValues::Numbers(_) => (None, Array1::from(training.numbers()?.0.to_vec())),
            LabelValues::Classes(_) => {
                let classes = training.classes()?;
                (Some(classes.names().to_vec()), classes.of_sample().iter().map(|&c| f64::from(c)).collect())
            }
        };
        let samples = features.t().as_standard_layout().into_owned();
        let weights = Array1::from(training.weights().to_vec());
        Ok(FittedNeighbors { neighbors: self.neighbors, classes, samples, weights, labels })
    }
}

fn check_neighbors(neighbors: usize, samples: usize) -> Result<()> {
    if neighbors == 0 {
        return Err(Error::parameter("neighbors", 0, "at least one neighbour is needed"));
    }
    if neighbors > samples {
        return Err(Error::TooMany { what: "neighbors", requested: neighbors, available: samples });
    }
    Ok(())
}

/// The training samples and their labels.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedNeighbors {
    neighbors: usize,
    classes: Option<Vec<String>>,
    /// Features × samples, so that distances to many samples are computed side by side.
    samples: Array2<f64>,
    weights: Array1<f64>,
    labels: Array1<f64>,
}

/// What the neighbors of one block of rows say.
#[derive(Default)]
struct Said {
    values: Vec<f64>,
    deviations: Vec<f64>,
    probabilities: Vec<f64>,
}

impl FittedNeighbors {
    /// The number of features.
    pub fn input_dim(&self) -> usize {
        self.samples.nrows()
    }

    /// Names of the classes, if the label has classes.
    pub fn class_names(&self) -> Option<&[String]> {
        self.classes.as_deref()
    }

    pub(super) fn estimate(&self, features: ArrayView2<'_, f64>) -> Estimates {
        let blocks = in_blocks(features, |rows| {
            let mut said = Said::default();
            let mut distances = Array1::zeros(self.labels.len());
            for row in rows.rows() {
                let nearest = self.nearest(row, &mut distances);
                match &self.classes {
                    None => self.average(&nearest, &mut said),
                    Some(classes) => self.vote(&nearest, classes.len(), &mut said),
                }
            }
            said
        });
        let (mut values, mut deviations, mut probabilities) = (Vec::new(), Vec::new(), Vec::new());
        for block in blocks {
            values.extend(block.values);
            deviations.extend(block.deviations);
            probabilities.extend(block.probabilities);
        }
        match &self.classes {
            None => Estimates {
                standard_deviation: Some(deviations.into()),
                ..Estimates::plain(LabelEstimates::Numbers(values.into()))
            },
            Some(names) => {
                let of_sample: Vec<u32> = values.iter().map(|&c| c as u32).collect();
                let count = names.len();
                let shares = Array2::from_shape_fn((of_sample.len(), count), |(n, c)| probabilities[n * count + c]);
                Estimates {
                    log_probabilities: Some(shares.mapv(f64::ln)),
                    probabilities: Some(shares),
                    ..Estimates::plain(LabelEstimates::Classes { names: names.clone(), of_sample })
                }
            }
        }
    }

    /// The k nearest training samples, nearest first.
    fn nearest(&self, row: ArrayView1<'_, f64>, distances: &mut Array1<f64>) -> Vec<usize> {
        Distances::from(row).to_all(self.samples.rows().into_iter(), distances);
        let mut nearest: Vec<usize> = Vec::with_capacity(self.neighbors + 1);
        let (mut full, mut farthest) = (false, 0.0);
        for (n, &distance) in distances.iter().enumerate() {
            if full && distance >= farthest {
                continue;
            }
            let place = nearest.partition_point(|&other| distances[other] <= distance);
            nearest.insert(place, n);
            nearest.truncate(self.neighbors);
            full = nearest.len() == self.neighbors;
            if full {
                farthest = distances[nearest[self.neighbors - 1]];
            }
        }
        nearest
    }

    fn average(&self, nearest: &[usize], said: &mut Said) {
        let labels: Vec<f64> = nearest.iter().map(|&n| self.labels[n]).collect();
        let weights: Vec<f64> = nearest.iter().map(|&n| self.weights[n]).collect();
        let (mean, variance) = super::labeled::mean_and_variance(&labels, &weights);
        said.values.push(mean);
        said.deviations.push(variance.sqrt());
    }

    fn vote(&self, nearest: &[usize], classes: usize, said: &mut Said) {
        let mut votes = vec![0.0; classes];
        for &n in nearest {
            votes[self.labels[n] as usize] += self.weights[n];
        }
        let total: f64 = votes.iter().sum();
        let winner = (0..classes).fold(0, |best, c| if votes[c] > votes[best] { c } else { best });
        said.values.push(winner as f64);
        said.probabilities.extend(votes.iter().map(|v| v / total));
    }

    pub(super) fn to_parts(&self) -> Parts {
        let (neighbors, classes) = (self.neighbors, self.classes.clone());
        Parts::new(PartsHeader::NearestNeighbors { neighbors, classes })
            .with("samples", &self.samples)
            .with("weights", &self.weights)
            .with("labels", &self.labels)
    }

    pub(super) fn from_arrays(arrays: &mut Arrays, neighbors: usize, classes: Option<Vec<String>>) -> Result<Self> {
        let samples: Array2<f64> = arrays.take("samples")?;
        let count = samples.ncols();
        check_neighbors(neighbors, count)?;
        let weights: Array1<f64> = arrays.take_shaped("weights", &[count])?;
        if let Some(places) = Places::find(&weights.to_vec(), |&w| w <= 0.0) {
            return Err(Error::NotPositive { what: "array 'weights'".into(), places });
        }
        let labels: Array1<f64> = arrays.take_shaped("labels", &[count])?;
        if let Some(classes) = &classes {
            check_classes(classes)?;
            let valid = |c: f64| c >= 0.0 && c < classes.len() as f64 && c.fract() == 0.0;
            if let Some(&wrong) = labels.iter().find(|&&c| !valid(c)) {
                return Err(Error::parameter("array 'labels'", wrong, format!("there are {} classes", classes.len())));
            }
        }
        Ok(Self { neighbors, classes, samples, weights, labels })
    }
}
