//! What features are worth where there is no label: how slow they are on a part of a time series that they were not learned
//! from.

use ndarray::{Array2, ArrayView1, Axis};

use super::{Candidate, Judgement, Judging};
use crate::graph::Chain;
use crate::{Error, Result};

impl Judging<'_, '_> {
    /// Judges the slow features of a time series: each fold is seen by a network that was trained without it and without the
    /// samples beside it. The loss of a sample is how far features move from it to the one `lag` steps later,
    /// $(y(t + \text{lag}) - y(t))^2$ in units of their variance within the fold, mean over the features: its mean is the
    /// delta value of the fold, 2 for noise. Features of another size are worth the same, as are those with another mean.
    ///
    /// # Errors
    /// The reason of the last fold, if no fold could be judged; [`Error::Cancelled`] if `progress` says so.
    pub(crate) fn slowness(&self, candidate: &Candidate<'_>, chain: &Chain) -> Result<Judgement> {
        let sequence = chain.sequence_of_sample(self.input)?;
        let mut losses: Vec<Option<f64>> = vec![None; self.input.len()];
        let failures = self.each_fold(candidate, |fold| {
            let left_out = &fold.left_out;
            let pair = |k: usize| {
                let later = left_out.binary_search(&(left_out[k] + chain.lag)).ok()?;
                (sequence[left_out[k]] == sequence[left_out[later]]).then_some(later)
            };
            let weights: Vec<f64> = left_out.iter().map(|&n| self.input.weights()[n]).collect();
            let own = moves(&fold.new, &weights, pair);
            left_out.iter().zip(own).for_each(|(&n, loss)| losses[n] = loss);
            Ok(())
        })?;
        if losses.iter().all(Option::is_none) {
            let few = Error::TooFewSamples { needed: 2 * (chain.lag + 1), got: self.input.len() };
            return Err(failures.last.unwrap_or(few));
        }
        Ok(Judgement { labels: Vec::new(), losses, note: failures.note(), units: self.folds.units().to_vec() })
    }
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
