//! A network trained with a graph, and read out.

use std::time::Instant;

use gsfa::graph::{GraphInput, GraphSpec};
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::network::{Network, NetworkSpec};
use gsfa::readout::measures::rmse;
use gsfa::readout::{GaussianClassifier, LabeledFeatures, LinearRegression, LinearScaling, Readout};
use ndarray::Array2;

use super::faces::FaceData;
use crate::watch::progress;
use crate::{Result, Watch};

/// A trained network with the features of training and test faces.
pub(super) struct Trained {
    pub network: Network,
    pub train: Array2<f64>,
    pub test: Array2<f64>,
    /// Time of training.
    pub seconds: f64,
}

/// Estimates of a label.
pub(super) struct Estimated {
    pub train: Vec<f64>,
    pub test: Vec<f64>,
}

impl Trained {
    /// Trains a network with a graph of the faces' own labels.
    pub fn new(spec: &NetworkSpec, graph: &GraphSpec, data: &FaceData, watch: &dyn Watch) -> Result<Self> {
        Self::with_labels(spec, graph, &data.train.labels()?, data, watch)
    }

    /// Trains a network with a graph of given labels.
    pub fn with_labels(
        spec: &NetworkSpec,
        graph: &GraphSpec,
        labels: &Labels,
        data: &FaceData,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let start = Instant::now();
        let graph = graph.build(&GraphInput::new(labels))?;
        let trained = spec.fit_with(&data.train.images.view(), &graph, &progress(watch))?;
        let seconds = start.elapsed().as_secs_f64();
        let test = trained.network.apply(&data.test.images.view())?;
        Ok(Self { network: trained.network, train: trained.features, test, seconds })
    }

    /// The first `nodes` nodes of a cascade.
    pub fn lower_part(&self, nodes: usize, data: &FaceData) -> Result<Self> {
        let mut network = self.network.clone();
        network.spec.layers.truncate(nodes);
        network.layers.truncate(nodes);
        let train = network.apply(&data.train.images.view())?;
        let test = network.apply(&data.test.images.view())?;
        Ok(Self { network, train, test, seconds: self.seconds })
    }

    /// Estimates of a label whose training values are given.
    pub fn estimate(&self, readout: Readout, label: &[f64]) -> Result<Estimated> {
        let (label, weights) = (LabelValues::Numbers(label.to_vec()), SampleWeights::uniform(self.train.nrows()));
        let fitted = readout.fit(&LabeledFeatures::new(self.train.view(), "label", &label, &weights)?)?;
        let numbers = |features: &Array2<f64>| -> Result<Vec<f64>> {
            Ok(fitted.estimate(features.view())?.numbers().map_or_else(Vec::new, |x| x.to_vec()))
        };
        Ok(Estimated { train: numbers(&self.train)?, test: numbers(&self.test)? })
    }

    /// Test errors of several read-outs of one label; NaN for those that need more features than there are.
    pub fn errors(&self, readouts: &[Option<Readout>], name: &str, data: &FaceData) -> Result<Vec<f64>> {
        let error = |readout: &Option<Readout>| match readout {
            Some(readout) if features(readout) <= self.train.ncols() => {
                let estimates = self.estimate(*readout, data.train.label(name))?.test;
                let truth = data.test.label(name);
                Ok(rmse(&estimates, truth, &SampleWeights::uniform(truth.len()))?)
            }
            _ => Ok(f64::NAN),
        };
        readouts.iter().map(error).collect()
    }
}

fn features(readout: &Readout) -> usize {
    match readout {
        Readout::LinearRegression(spec) => spec.features.unwrap_or(1),
        Readout::SoftGc(spec) => spec.features.unwrap_or(1),
        _ => 1,
    }
}

/// Linear scaling of the slowest feature.
pub(super) fn scaling() -> Readout {
    Readout::LinearScaling(LinearScaling::default())
}

/// Linear regression on the first features.
pub(super) fn regression(features: usize) -> Readout {
    Readout::LinearRegression(LinearRegression { features: Some(features), ..LinearRegression::default() })
}

/// Soft GC on the first features.
pub(super) fn soft_gc(features: usize) -> Readout {
    Readout::SoftGc(GaussianClassifier { features: Some(features), ..GaussianClassifier::default() })
}
