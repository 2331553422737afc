//! What features are worth where there is no label: how slow they are on a part of a time series that they were not learned
//! from.

use std::ops::ControlFlow;

use ndarray::{Array2, ArrayView1, Axis};

use super::judgement::Part;
use super::{Candidate, Folds, Judgement};
use crate::graph::{Chain, GraphInput};
use crate::network::ProgressEvent;
use crate::samples::{Samples, Subset};
use crate::{Error, Note, Result};

/// Judges the slow features of a time series by the first `judged` folds: each is seen by a network that was trained without
/// it and without the samples beside it. The loss of a sample is how far features move from it to the one `lag` steps later,
/// $(y(t + \text{lag}) - y(t))^2$ in units of their variance within the fold, mean over the features: its mean is the delta
/// value of the fold, 2 for noise. Features of another size are worth the same, as are those with another mean.
///
/// # Errors
/// The reason of the last fold, if no fold could be judged; [`Error::Cancelled`] if `progress` says so.
pub(crate) fn judge_slowness(
    candidate: &Candidate<'_>,
    chain: &Chain,
    samples: &dyn Samples,
    input: &GraphInput<'_>,
    folds: &Folds,
    judged: usize,
    progress: &(dyn Fn(ProgressEvent) -> ControlFlow<()> + Sync),
) -> Result<Judgement> {
    let sequence = chain.sequence_of_sample(input)?;
    let mut losses: Vec<Option<f64>> = vec![None; input.len()];
    let (mut failed, mut failures): (Option<Error>, usize) = (None, 0);
    let parts = judged.min(folds.count());
    for fold in 0..parts {
        let (left_out, others) = folds.split(fold);
        let progress = |_| progress(ProgressEvent::LeavingOut { part: fold + 1, parts });
        let features = Part::of(candidate.graph, input, &others).and_then(|part| {
            let trained = candidate.network.fit_with(&Subset::new(samples, &others)?, &part.graph, &progress);
            let network = trained.map_err(|error| error.with_rows(|row| others[row]))?.network;
            network.apply(&Subset::new(samples, &left_out)?).map_err(|error| error.with_rows(|row| left_out[row]))
        });
        match features {
            Ok(features) => {
                let pair = |k: usize| {
                    let later = left_out.binary_search(&(left_out[k] + chain.lag)).ok()?;
                    (sequence[left_out[k]] == sequence[left_out[later]]).then_some(later)
                };
                let weights: Vec<f64> = left_out.iter().map(|&n| input.weights()[n]).collect();
                let own = moves(&features, &weights, pair);
                left_out.iter().zip(own).for_each(|(&n, loss)| losses[n] = loss);
            }
            Err(Error::Cancelled { layer }) => return Err(Error::Cancelled { layer }),
            Err(error) => (failed, failures) = (Some(error), failures + 1),
        }
    }
    if losses.iter().all(Option::is_none) {
        return Err(failed.unwrap_or(Error::TooFewSamples { needed: 2 * (chain.lag + 1), got: input.len() }));
    }
    let note = failed.map(|error| Note::PartsNotLeftOut { parts: failures, of: parts, reason: error.to_string() });
    Ok(Judgement { labels: Vec::new(), losses, note, units: folds.units().to_vec() })
}

/// For each row that has a later one, the squared distance to it in units of the features' variances, mean over the features.
/// A feature that does not vary in the fold has nothing slow to show there: it is as bad as noise.
fn moves(features: &Array2<f64>, weights: &[f64], later: impl Fn(usize) -> Option<usize>) -> Vec<Option<f64>> {
    let total: f64 = weights.iter().sum();
    let variance = |column: ArrayView1<'_, f64>| {
        let mean = column.iter().zip(weights).map(|(y, w)| w * y).sum::<f64>() / total;
        column.iter().zip(weights).map(|(y, w)| w * (y - mean) * (y - mean)).sum::<f64>() / total
    };
    let variances: Vec<f64> = features.axis_iter(Axis(1)).map(variance).collect();
    let noise = 2.0;
    let one = |k: usize| {
        let (now, next) = (features.row(k), features.row(later(k)?));
        let squares = now.iter().zip(next).zip(&variances);
        let sum: f64 = squares.map(|((a, b), v)| if *v > 0.0 { (a - b) * (a - b) / v } else { noise }).sum();
        Some(sum / variances.len().max(1) as f64)
    };
    (0..features.nrows()).map(one).collect()
}
