//! Read-outs: the one asked for, or for each label those to choose from.

use ndarray::ArrayView2;

use super::Recipe;
use crate::Result;
use crate::graph::TrainingGraph;
use crate::labels::{LabelValues, Labels, SampleWeights};
use crate::readout::{
    Calibration, GaussianClassifier, LabelClip, LabelReadout, LinearRegression, NearestCentroid, Readout,
};
use crate::select::{Judgement, ReadoutTraining};

/// So strong a pull towards the pooled covariance that all classes share it.
const SHARED: f64 = 1e9;

impl Recipe {
    /// For each label the read-outs to choose from, the simplest first.
    pub(super) fn candidates(&self, labels: &Labels) -> Vec<Vec<Readout>> {
        labels.columns().map(|(_, values)| self.readouts_of(values)).collect()
    }

    fn readouts_of(&self, values: &LabelValues) -> Vec<Readout> {
        if let Some(readout) = self.readout {
            return vec![readout];
        }
        match values {
            LabelValues::Numbers(_) => vec![
                Readout::LinearRegression(LinearRegression { features: None, clip: self.clip }),
                Readout::SoftGc(GaussianClassifier::default()),
            ],
            LabelValues::Classes(_) => vec![
                Readout::GaussianClassifier(GaussianClassifier { shrinkage: SHARED, ..GaussianClassifier::default() }),
                Readout::GaussianClassifier(GaussianClassifier::default()),
                Readout::NearestCentroid(NearestCentroid::default()),
            ],
        }
    }

    /// The read-outs of all labels, fitted to the features of the training samples, those without labels left out: the ones
    /// that a judgement took, with its calibration, or the first that fit.
    ///
    /// # Errors
    /// If none of them can be fitted.
    pub fn readouts(
        &self,
        features: ArrayView2<'_, f64>,
        labels: &Labels,
        weights: &SampleWeights,
        graph: &TrainingGraph,
        judgement: Option<&Judgement>,
    ) -> Result<Vec<LabelReadout>> {
        let training = ReadoutTraining::new(features, labels, weights, graph)?;
        let one = |(k, candidates): (usize, Vec<Readout>)| match judgement.and_then(|judgement| judgement.labels.get(k))
        {
            Some(judged) => {
                Ok(LabelReadout { calibration: Some(judged.calibration), ..training.fit(k, &judged.readout)? })
            }
            None => {
                let mut fits = candidates.iter().map(|readout| training.fit(k, readout));
                let first = fits.next().unwrap_or_else(|| training.fit(k, &candidates[0]));
                let fitted = first.or_else(|error| fits.find_map(Result::ok).ok_or(error))?;
                training.with_own_deviation(k, fitted)
            }
        };
        let mut readouts: Vec<LabelReadout> =
            self.candidates(labels).into_iter().enumerate().map(one).collect::<Result<_>>()?;
        if let LabelClip::Range(low, high) = self.clip {
            let numbers = readouts.iter_mut().filter(|readout| readout.class_names().is_none());
            numbers.for_each(|readout| readout.calibration.get_or_insert(Calibration::NONE).range = Some([low, high]));
        }
        Ok(readouts)
    }
}
