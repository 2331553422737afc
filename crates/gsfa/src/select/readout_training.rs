//! Read-outs of the features that a network was trained to give.

use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::graph::TrainingGraph;
use crate::labels::{LabelValues, Labels, SampleWeights};
use crate::readout::{Calibration, LabelReadout, Readout, Recovery, measures};
use crate::{Error, Result};

/// Features of training samples, those without labels left out, with all that a read-out needs.
pub(crate) struct ReadoutTraining {
    features: Array2<f64>,
    labels: Labels,
    weights: SampleWeights,
    recovery: Option<Recovery>,
}

impl ReadoutTraining {
    pub fn new(
        features: ArrayView2<'_, f64>,
        labels: &Labels,
        weights: &SampleWeights,
        graph: &TrainingGraph,
    ) -> Result<Self> {
        let labeled = labels.labeled();
        let vertices = match graph.rows() {
            Some(rows) => features.select(Axis(0), rows),
            None => features.to_owned(),
        };
        Ok(Self {
            recovery: recovery(graph, labels, vertices.view())?,
            features: features.select(Axis(0), &labeled),
            labels: labels.select(&labeled),
            weights: weights.select(&labeled),
        })
    }

    /// Fits a read-out to the k-th label.
    pub fn fit(&self, k: usize, readout: &Readout) -> Result<LabelReadout> {
        let Some((name, label)) = self.labels.columns().nth(k) else {
            return Err(Error::parameter("label", k, "there is no such label"));
        };
        let one = Labels::none(self.labels.len());
        let one = match label {
            LabelValues::Numbers(x) => one.and_numbers(name, x.clone())?,
            LabelValues::Classes(c) => one.and_some_classes(name, (0..self.labels.len()).map(|n| c.name_of(n)))?,
        };
        if matches!(readout, Readout::LinearScaling(_)) && self.recovery.is_none() && self.labels.columns().count() > 1
        {
            let reason = "several labels need the transform of the target labels to be told apart";
            return Err(Error::parameter("readout", "linear_scaling", reason));
        }
        let all = readout.fit_all(self.features.view(), &one, &self.weights, self.recovery.as_ref())?;
        all.into_iter().next().ok_or_else(|| Error::parameter("label", k, "there is no such label"))
    }
}

impl ReadoutTraining {
    /// A read-out of numbers that knows no deviations, with that of the training residuals, where nothing better is known.
    pub fn with_own_deviation(&self, k: usize, readout: LabelReadout) -> Result<LabelReadout> {
        let Some((_, LabelValues::Numbers(truth))) = self.labels.columns().nth(k) else { return Ok(readout) };
        let given = readout.estimate(self.features.view())?;
        let Some(numbers) = given.numbers().filter(|_| given.standard_deviation.is_none()) else { return Ok(readout) };
        let deviation = measures::rmse(&numbers.to_vec(), truth, &self.weights)?;
        Ok(LabelReadout { calibration: Some(Calibration { deviation, ..Calibration::NONE }), ..readout })
    }
}

/// The way back from target labels to labels, and the features that stand for them.
fn recovery(graph: &TrainingGraph, labels: &Labels, features: ArrayView2<'_, f64>) -> Result<Option<Recovery>> {
    let Some(targets) = graph.targets() else { return Ok(None) };
    let known = targets.labels.raw_names();
    // A power of a label is another one.
    if labels.columns().any(|(name, _)| !known.iter().any(|raw| raw == name)) {
        return Ok(None);
    }
    let Some(correlations) = graph.target_correlations(features)? else { return Ok(None) };
    let (means, transform) = (Array1::from(targets.labels.means().to_vec()), targets.labels.transform().to_owned());
    let recovery = Recovery::new(known.to_vec(), means, transform)?.paired(correlations.view())?;
    Ok(Some(if labels.columns().count() == 1 { recovery.of_single_label() } else { recovery }))
}
