//! Read-outs: the one asked for, or for each label one that does well on samples it was not fitted to.

use ndarray::{Array1, ArrayView2, Axis};

use super::Recipe;
use crate::Result;
use crate::graph::TrainingGraph;
use crate::labels::{LabelValues, Labels, SampleWeights};
use crate::readout::{
    FittedReadout, GaussianClassifier, LabelledFeatures, LinearRegression, NearestCentroid, Readout, Recovery, measures,
};
use crate::solve::{deal, row_key};

impl Recipe {
    /// The read-outs of all labels, fitted to the features of the training samples, those without labels left out.
    ///
    /// # Errors
    /// As [`Readout::fit_all`].
    pub fn readouts(
        &self,
        features: ArrayView2<'_, f64>,
        labels: &Labels,
        weights: &SampleWeights,
        graph: &TrainingGraph,
    ) -> Result<Vec<(String, FittedReadout)>> {
        let labelled = labels.labelled();
        if labelled.len() < labels.len() {
            let (features, weights) = (features.select(Axis(0), &labelled), weights.select(&labelled));
            return self.readouts(features.view(), &labels.select(&labelled), &weights, graph);
        }
        if let Some(readout) = &self.readout {
            let recovery = recovery(graph, labels)?;
            return readout.fit_all(features, labels, weights, recovery.as_ref());
        }
        let one = |(name, label): (&str, &LabelValues)| {
            let readout = better(features, name, label, weights);
            Ok((name.to_string(), readout.fit(&LabelledFeatures::new(features, name, label, weights)?)?))
        };
        labels.columns().map(one).collect()
    }
}

/// The second candidate must err this much less than the first to be taken: halves of few samples differ by chance.
const CLEARLY: f64 = 0.9;

/// The first candidate, which also knows deviations, probabilities and outliers, unless the second errs clearly less over
/// both halves of the samples, each fitted on the other.
///
/// A linear relation with little noise is read best by regression, a bent or noisy one by the expectation of soft GC;
/// classes of few samples by their means alone.
fn better(features: ArrayView2<'_, f64>, name: &str, label: &LabelValues, weights: &SampleWeights) -> Readout {
    let candidates = match label {
        LabelValues::Numbers(_) => {
            [Readout::SoftGc(GaussianClassifier::default()), Readout::LinearRegression(LinearRegression::default())]
        }
        LabelValues::Classes(_) => [
            Readout::GaussianClassifier(GaussianClassifier::default()),
            Readout::NearestCentroid(NearestCentroid::default()),
        ],
    };
    let halves = halves(features, label);
    let error = |readout: &Readout| -> Result<f64> {
        let first = loss(readout, features, (name, label, weights), (&halves[0], &halves[1]))?;
        Ok(first + loss(readout, features, (name, label, weights), (&halves[1], &halves[0]))?)
    };
    // A half may be too small, or lack a class: then nothing is known, and the first candidate stands.
    let errors = candidates.each_ref().map(|readout| error(readout).unwrap_or(f64::INFINITY));
    if errors[1] < CLEARLY * errors[0] { candidates[1] } else { candidates[0] }
}

/// Both halves of the samples, dealt in the order of the label; copies of a sample go to the same half.
fn halves(features: ArrayView2<'_, f64>, label: &LabelValues) -> Vec<Vec<usize>> {
    let keys: Vec<f64> = features.outer_iter().map(row_key).collect();
    let compare = |a: usize, b: usize| match label {
        LabelValues::Numbers(x) => x[a].total_cmp(&x[b]),
        LabelValues::Classes(classes) => classes.of_sample()[a].cmp(&classes.of_sample()[b]),
    };
    let order = |a: usize, b: usize| compare(a, b).then(keys[a].total_cmp(&keys[b]));
    let mut sorted: Vec<usize> = (0..features.nrows()).collect();
    sorted.sort_by(|&a, &b| order(a, b));
    deal(&sorted, 2, |a, b| order(a, b).is_eq())
}

/// Mean square error or error rate on some samples after fitting to others.
fn loss(
    readout: &Readout,
    features: ArrayView2<'_, f64>,
    (name, label, weights): (&str, &LabelValues, &SampleWeights),
    (train, test): (&[usize], &[usize]),
) -> Result<f64> {
    let part = |rows: &[usize]| (features.select(Axis(0), rows), label.select(rows), weights.select(rows));
    let (x, y, weights) = part(train);
    let fitted = readout.fit(&LabelledFeatures::new(x.view(), name, &y, &weights)?)?;
    let (x, y, weights) = part(test);
    let estimates = fitted.estimate(x.view())?;
    match (&y, estimates.numbers(), estimates.classes()) {
        (LabelValues::Numbers(truth), Some(numbers), _) => {
            Ok(measures::rmse(&numbers.to_vec(), truth, &weights)?.powi(2))
        }
        (LabelValues::Classes(truth), _, Some(classes)) => {
            let truth = measures::class_indices(truth, fitted.class_names().unwrap_or_default())?;
            measures::error_rate(classes, &truth, &weights)
        }
        _ => Ok(f64::INFINITY),
    }
}

/// The way back from several target labels; one label needs none, its feature comes first.
fn recovery(graph: &TrainingGraph, labels: &Labels) -> Result<Option<Recovery>> {
    let Some(targets) = graph.targets().filter(|_| labels.columns().count() > 1) else { return Ok(None) };
    let labels = &targets.labels;
    let means = Array1::from(labels.means().to_vec());
    Ok(Some(Recovery::new(labels.raw_names().to_vec(), means, labels.transform().to_owned())?))
}
