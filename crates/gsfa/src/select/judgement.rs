//! What a candidate says about samples that it has not seen.

use super::Judging;
use super::pooled::{Pooled, add_fold, pools};
use crate::graph::GraphSpec;
use crate::labels::{LabelValues, SampleWeights};
use crate::network::NetworkSpec;
use crate::readout::{Calibration, Readout};
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

/// A read-out that was judged, the rows that were left out and the loss of each.
type JudgedRows = (Judged, Vec<usize>, Vec<f64>);

impl Judging<'_, '_> {
    /// Judges a candidate by what network and read-outs that were trained without a fold say about it.
    ///
    /// # Errors
    /// The reason of the last fold, if no fold could be judged; [`Error::Cancelled`] if `progress` says so.
    pub fn judge(&self, candidate: &Candidate<'_>) -> Result<Judgement> {
        let labels = self.input.labels();
        let mut all = pools(&candidate.readouts);
        let failures = self.each_fold(candidate, |fold| add_fold(&mut all, fold, labels))?;
        let mut losses: Vec<Option<f64>> = vec![None; labels.len()];
        let mut taken = Vec::new();
        for ((name, label), pools) in labels.columns().zip(all) {
            let Some((judged, rows, own)) = self.best_readout(name, label, pools)? else {
                let nothing = match label {
                    LabelValues::Classes(_) => Error::ClassesLeftOut { label: name.to_owned() },
                    LabelValues::Numbers(_) => Error::TooFewSamples { needed: 4, got: labels.labeled().len() },
                };
                return Err(failures.last.unwrap_or(nothing));
            };
            rows.iter().zip(own).for_each(|(&n, loss)| *losses[n].get_or_insert(0.0) += loss);
            taken.push(judged);
        }
        Ok(Judgement { labels: taken, losses, note: failures.note(), units: self.folds.units().to_vec() })
    }

    /// The read-out of a label that errs least: the simpler one stands unless another is better by more than a standard error.
    fn best_readout(&self, name: &str, label: &LabelValues, pools: Vec<Pooled>) -> Result<Option<JudgedRows>> {
        let (weights, units) = (SampleWeights::new(self.input.weights().to_vec())?, self.folds.units());
        let mut best: Option<JudgedRows> = None;
        for pool in pools.into_iter().filter(|pool| !pool.rows.is_empty()) {
            let Ok(next) = pool.judged(name, label, &weights, units) else { continue };
            let better = |best: &JudgedRows| {
                let differences: Vec<f64> = next.2.iter().zip(&best.2).map(|(a, b)| a - b).collect();
                let (mean, error) = mean_difference(&next.1, &differences, self.input.weights(), units);
                next.1 == best.1 && mean < -error
            };
            if best.as_ref().is_none_or(better) {
                best = Some(next);
            }
        }
        Ok(best)
    }
}

/// Weighted mean of the differences of some samples and its standard error, for which copies and members of a group count
/// as one.
fn mean_difference(rows: &[usize], differences: &[f64], weights: &[f64], units: &[usize]) -> (f64, f64) {
    let total: f64 = rows.iter().map(|&n| weights[n]).sum();
    let mean = rows.iter().zip(differences).map(|(&n, d)| weights[n] * d).sum::<f64>() / total;
    let mut sums = vec![0.0; units.len()];
    for (&n, d) in rows.iter().zip(differences) {
        sums[units[n]] += weights[n] * (d - mean);
    }
    (mean, sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt() / total)
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
