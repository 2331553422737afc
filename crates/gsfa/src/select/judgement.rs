//! What a candidate says about samples that it has not seen.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate};

use super::Folds;
use crate::graph::{Chain, GraphInput, GraphSpec, TrainingGraph};
use crate::labels::{Classes, LabelValues, Labels, SampleWeights};
use crate::network::{NetworkSpec, ProgressEvent};
use crate::readout::{Calibration, Estimates, LabelEstimates, LabelReadout, Readout, Recovery, measures};
use crate::samples::{Samples, Subset};
use crate::{Error, Note, Result};

/// All that is learned, specified in full: which graph, which network, which read-outs to choose from.
pub struct Candidate<'a> {
    /// The graph.
    pub graph: &'a GraphSpec,
    /// The network, with the ridge of every node.
    pub network: &'a NetworkSpec,
    /// For each label the read-outs to choose from, the simplest first.
    pub readouts: Vec<Vec<Readout>>,
}

/// How well a candidate estimates left-out samples.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// For each label, the read-out taken and what was found out about it.
    pub labels: Vec<Judged>,
    /// The loss of every sample, summed over the labels; `None` for samples that were not left out.
    pub losses: Vec<Option<f64>>,
    /// A remark if some folds could not be judged.
    pub note: Option<Note>,
    /// For each sample the first that says the same thing.
    pub(super) units: Vec<usize>,
}

/// The read-out of one label, judged by left-out samples.
#[derive(Debug, Clone)]
pub struct Judged {
    /// Which one.
    pub readout: Readout,
    /// Its corrections.
    pub calibration: Calibration,
    /// Mean left-out loss: squared error in units of the label's variance, or log loss.
    pub loss: f64,
}

/// Estimates of one label by one read-out, over the rows left out.
struct Pooled {
    readout: Readout,
    rows: Vec<usize>,
    parts: Vec<Estimates>,
}

/// Judges a candidate by the first `judged` folds: each is estimated by network and read-outs that were trained without it.
///
/// # Errors
/// The reason of the last fold, if no fold could be judged; [`Error::Cancelled`] if `progress` says so.
pub fn judge(
    candidate: &Candidate<'_>,
    samples: &dyn Samples,
    input: &GraphInput<'_>,
    folds: &Folds,
    judged: usize,
    progress: &(dyn Fn(ProgressEvent) -> ControlFlow<()> + Sync),
) -> Result<Judgement> {
    let labels = input.labels();
    let mut pools: Vec<Vec<Pooled>> = candidate
        .readouts
        .iter()
        .map(|some| some.iter().map(|&readout| Pooled { readout, rows: Vec::new(), parts: Vec::new() }).collect())
        .collect();
    let mut failed: Option<Error> = None;
    let mut failures = 0;
    let parts = judged.min(folds.count());
    for fold in 0..parts {
        let (left_out, others) = folds.split(fold);
        let progress = |_| progress(ProgressEvent::LeavingOut { part: fold + 1, parts });
        match one_fold(candidate, samples, input, &left_out, &others, &mut pools, &progress) {
            Ok(()) => {}
            Err(Error::Cancelled { layer }) => return Err(Error::Cancelled { layer }),
            Err(error) => (failed, failures) = (Some(error), failures + 1),
        }
    }
    let note =
        failed.as_ref().map(|error| Note::PartsNotLeftOut { parts: failures, of: parts, reason: error.to_string() });
    let weights = SampleWeights::new(input.weights().to_vec())?;
    let mut losses: Vec<Option<f64>> = vec![None; labels.len()];
    let mut taken = Vec::new();
    for ((name, label), pools) in labels.columns().zip(pools) {
        let mut best: Option<(Judged, Vec<usize>, Vec<f64>)> = None;
        for pool in pools {
            if pool.rows.is_empty() {
                continue;
            }
            let Ok(next) = pool.judged(name, label, &weights, folds.units()) else { continue };
            // The simpler one stands unless another is better by more than a standard error.
            let better = |best: &(Judged, Vec<usize>, Vec<f64>)| {
                let differences: Vec<f64> = next.2.iter().zip(&best.2).map(|(a, b)| a - b).collect();
                let (mean, error) = mean_difference(&next.1, &differences, input.weights(), folds.units());
                next.1 == best.1 && mean < -error
            };
            if best.as_ref().is_none_or(better) {
                best = Some(next);
            }
        }
        let Some((judged, rows, own)) = best else {
            return Err(failed.unwrap_or(Error::TooFewSamples { needed: 4, got: labels.labeled().len() }));
        };
        rows.iter().zip(own).for_each(|(&n, loss)| *losses[n].get_or_insert(0.0) += loss);
        taken.push(judged);
    }
    Ok(Judgement { labels: taken, losses, note, units: folds.units().to_vec() })
}

/// Weighted mean of the differences of some samples and its standard error, for which copies and members of a group count
/// as one.
fn mean_difference(rows: &[usize], differences: &[f64], weights: &[f64], units: &[usize]) -> (f64, f64) {
    let total: f64 = rows.iter().map(|&n| weights[n]).sum();
    let mean = rows.iter().zip(differences).map(|(&n, d)| weights[n] * d).sum::<f64>() / total;
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    for (&n, d) in rows.iter().zip(differences) {
        *sums.entry(units[n]).or_default() += weights[n] * (d - mean);
    }
    (mean, sums.values().map(|sum| sum * sum).sum::<f64>().sqrt() / total)
}

impl Judgement {
    /// Mean loss, its standard error, and the number of samples that were left out.
    pub fn mean(&self, weights: &[f64]) -> (f64, f64, usize) {
        let known = self.losses.iter().enumerate();
        let (rows, losses): (Vec<usize>, Vec<f64>) = known.filter_map(|(n, loss)| Some((n, (*loss)?))).unzip();
        let (mean, error) = mean_difference(&rows, &losses, weights, &self.units);
        (mean, error, rows.len())
    }

    /// Mean difference of the losses to those of another candidate over the samples that both have estimated, and its
    /// standard error; infinite if there are none.
    pub fn difference(&self, other: &Self, weights: &[f64]) -> (f64, f64) {
        let both = self.losses.iter().zip(&other.losses).enumerate();
        let (rows, differences): (Vec<usize>, Vec<f64>) =
            both.filter_map(|(n, (a, b))| Some((n, a.as_ref()? - b.as_ref()?))).unzip();
        if rows.is_empty() {
            return (f64::INFINITY, f64::INFINITY);
        }
        mean_difference(&rows, &differences, weights, &self.units)
    }
}

/// A label of our own: which samples of a part were neighbours in time before the others were left out.
const RUNS: &str = "runs of samples";

/// Some of the samples, and the graph of them.
pub(crate) struct Part {
    pub labels: Labels,
    pub weights: SampleWeights,
    pub graph: TrainingGraph,
}

impl Part {
    /// # Errors
    /// If there is no such graph of these samples.
    pub fn of(spec: &GraphSpec, input: &GraphInput<'_>, rows: &[usize]) -> Result<Self> {
        let labels = input.labels().select(rows);
        let weights = SampleWeights::new(rows.iter().map(|&n| input.weights()[n]).collect())?;
        let vectors = input.vectors().map(|vectors| vectors.select(Axis(0), rows));
        let mut own = GraphInput::new(&labels).with_weights(weights.clone())?;
        if let Some(vectors) = &vectors {
            own = own.with_vectors(vectors.view())?;
        }
        let graph = match spec {
            GraphSpec::Chain(chain) => Self::chain(chain, input, rows, &weights),
            _ => spec.build(&own),
        };
        Ok(Self { graph: graph.map_err(|error| error.with_rows(|row| rows[row]))?, labels, weights })
    }

    /// The chain of some samples: those on either side of a block that is left out do not become neighbours.
    fn chain(chain: &Chain, input: &GraphInput<'_>, rows: &[usize], weights: &SampleWeights) -> Result<TrainingGraph> {
        let sequence = chain.sequence_of_sample(input)?;
        let mut run = 0.0;
        let of_row = |k: usize| {
            let follows = k > 0 && rows[k] == rows[k - 1] + 1 && sequence[rows[k]] == sequence[rows[k - 1]];
            run += if follows { 0.0 } else { 1.0 };
            run
        };
        let runs = Labels::numbers(RUNS, (0..rows.len()).map(of_row).collect());
        let chain = Chain { sequences: Some(RUNS.into()), ..chain.clone() };
        chain.build(&GraphInput::new(&runs).with_weights(weights.clone())?)
    }
}

/// Trains without a fold and estimates it.
fn one_fold(
    candidate: &Candidate<'_>,
    samples: &dyn Samples,
    input: &GraphInput<'_>,
    left_out: &[usize],
    others: &[usize],
    pools: &mut [Vec<Pooled>],
    progress: &(dyn Fn(ProgressEvent) -> ControlFlow<()> + Sync),
) -> Result<()> {
    let Part { labels, weights, graph } = Part::of(candidate.graph, input, others)?;
    let learned = |error: Error| error.with_rows(|row| others[row]);
    let trained = candidate.network.fit_with(&Subset::new(samples, others)?, &graph, progress).map_err(learned)?;
    let new = trained.network.apply(&Subset::new(samples, left_out)?);
    let new = new.map_err(|error| error.with_rows(|row| left_out[row]))?;
    let training = ReadoutTraining::new(trained.features.view(), &labels, &weights, &graph)?;
    let names: Vec<String> = labels.columns().map(|(name, _)| name.to_string()).collect();
    for (k, (name, pools)) in names.iter().zip(pools).enumerate() {
        // A class that nobody has seen says nothing about how well the others are told apart.
        let known = known_rows(input.labels().column(name)?, labels.column(name)?, left_out);
        let places: Vec<usize> = (0..left_out.len()).filter(|&place| known[place]).collect();
        let features = new.select(Axis(0), &places);
        for pool in pools {
            // What cannot be fitted to this fold is no candidate for any.
            let Ok(fitted) = training.fit(k, &pool.readout) else { continue };
            pool.parts.push(fitted.estimate(features.view())?);
            pool.rows.extend(places.iter().map(|&place| left_out[place]));
        }
    }
    Ok(())
}

/// For each row, whether its class occurs in training; numbers always do.
fn known_rows(label: &LabelValues, training: &LabelValues, rows: &[usize]) -> Vec<bool> {
    match (label, training) {
        (LabelValues::Classes(all), LabelValues::Classes(training)) => rows
            .iter()
            .map(|&n| all.name_of(n).is_some_and(|name| training.names().iter().any(|t| t == name)))
            .collect(),
        _ => vec![true; rows.len()],
    }
}

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

impl Pooled {
    /// The read-out with its calibration, the rows that were left out in ascending order, and the loss of each.
    fn judged(
        mut self,
        name: &str,
        label: &LabelValues,
        weights: &SampleWeights,
        units: &[usize],
    ) -> Result<(Judged, Vec<usize>, Vec<f64>)> {
        let pooled = pooled(&self.parts, label)?;
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&k| self.rows[k]);
        let pooled = pooled.select(&order);
        self.rows.sort_unstable();
        let (truth, weights) = (label.select(&self.rows), weights.select(&self.rows));
        let effective = effective(&self.rows, weights.as_slice(), units);
        let calibration = Calibration::of(&pooled, name, &truth, &weights, effective)?;
        let losses = losses(&calibration.apply(pooled), &truth, label)?;
        let total: f64 = weights.as_slice().iter().sum();
        let loss = losses.iter().zip(weights.as_slice()).map(|(l, w)| l * w).sum::<f64>() / total;
        Ok((Judged { readout: self.readout, calibration, loss }, self.rows, losses))
    }
}

/// Kish's effective number (Σa)²/Σa² of the rows, where copies and members of a group count as one. `weights` are those of
/// the rows.
fn effective(rows: &[usize], weights: &[f64], units: &[usize]) -> f64 {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    rows.iter().zip(weights).for_each(|(&n, w)| *sums.entry(units[n]).or_default() += w);
    let (sum, squares) = sums.values().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    sum * sum / squares
}

/// Squared errors in units of the label's variance, or log losses.
fn losses(given: &Estimates, truth: &LabelValues, all: &LabelValues) -> Result<Vec<f64>> {
    match (&given.label, truth, all) {
        (LabelEstimates::Numbers(numbers), LabelValues::Numbers(truth), LabelValues::Numbers(all)) => {
            let known: Vec<f64> = all.iter().copied().filter(|x| !x.is_nan()).collect();
            let weights = SampleWeights::uniform(known.len());
            let mean = measures::mean(&known, &weights)?;
            let variance = measures::chance_rmse(mean, &known, &weights)?.powi(2);
            Ok(numbers.iter().zip(truth).map(|(e, l)| (e - l) * (e - l) / variance).collect())
        }
        (LabelEstimates::Classes { names, of_sample }, LabelValues::Classes(truth), _) => {
            let truth = measures::class_indices(truth, names)?;
            Ok(match &given.probabilities {
                Some(p) => {
                    truth.iter().enumerate().map(|(n, &c)| -p[[n, c as usize]].max(f64::MIN_POSITIVE).ln()).collect()
                }
                // Without probabilities a wrong class costs as much as not knowing it.
                None => {
                    let cost = (names.len() as f64).ln();
                    truth.iter().zip(of_sample).map(|(t, e)| if t == e { 0.0 } else { cost }).collect()
                }
            })
        }
        _ => Err(Error::parameter("readout", "estimates", "they are of another kind than the label")),
    }
}

/// Estimates of several folds one after the other; classes in the order of all samples.
fn pooled(parts: &[Estimates], label: &LabelValues) -> Result<Estimates> {
    let join = |column: fn(&Estimates) -> Option<&Array1<f64>>| -> Option<Array1<f64>> {
        let all: Option<Vec<Vec<f64>>> = parts.iter().map(|part| column(part).map(|values| values.to_vec())).collect();
        all.map(|all| all.concat().into())
    };
    let standard_deviation = join(|part| part.standard_deviation.as_ref());
    let outlier_score = join(|part| part.outlier_score.as_ref());
    let LabelValues::Classes(all) = label else {
        let numbers: Vec<Vec<f64>> = parts.iter().filter_map(|part| part.numbers().map(|x| x.to_vec())).collect();
        let label = LabelEstimates::Numbers(numbers.concat().into());
        return Ok(Estimates { standard_deviation, outlier_score, ..Estimates::plain(label) });
    };
    let (mut of_sample, mut probabilities) = (Vec::new(), Some(Vec::new()));
    for part in parts {
        let LabelEstimates::Classes { names, of_sample: own } = &part.label else { continue };
        let place = measures::class_indices(&Classes::new(names), all.names())?;
        of_sample.extend(own.iter().map(|&c| place[c as usize]));
        match (&part.probabilities, &mut probabilities) {
            (Some(own), Some(list)) => {
                let mut wide = Array2::zeros((own.nrows(), all.count()));
                own.columns().into_iter().zip(&place).for_each(|(p, &c)| wide.column_mut(c as usize).assign(&p));
                list.push(wide);
            }
            _ => probabilities = None,
        }
    }
    let joined = |list: Vec<Array2<f64>>| {
        let views: Vec<ArrayView2<'_, f64>> = list.iter().map(|part| part.view()).collect();
        concatenate(Axis(0), &views).ok()
    };
    let label = LabelEstimates::Classes { names: all.names().to_vec(), of_sample };
    let probabilities = probabilities.and_then(joined);
    Ok(Estimates { probabilities, outlier_score, ..Estimates::plain(label) })
}

/// What models of the other folds say about a fold, for tests.
#[cfg(test)]
pub(super) fn estimates_of_fold(
    candidate: &Candidate<'_>,
    samples: &dyn Samples,
    input: &GraphInput<'_>,
    folds: &Folds,
    fold: usize,
) -> Result<Vec<Vec<f64>>> {
    let pool = |&readout: &Readout| Pooled { readout, rows: Vec::new(), parts: Vec::new() };
    let mut pools: Vec<Vec<Pooled>> = candidate.readouts.iter().map(|some| some.iter().map(pool).collect()).collect();
    let (left_out, others) = folds.split(fold);
    let go_on = |_| ControlFlow::Continue(());
    one_fold(candidate, samples, input, &left_out, &others, &mut pools, &go_on)?;
    let numbers = |part: &Estimates| match (&part.label, &part.probabilities) {
        (LabelEstimates::Numbers(numbers), _) => numbers.to_vec(),
        (_, Some(probabilities)) => probabilities.iter().copied().collect(),
        _ => Vec::new(),
    };
    Ok(pools.iter().flatten().flat_map(|pool| pool.parts.iter().map(numbers)).collect())
}
