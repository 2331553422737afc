//! Which samples are left out together.

use std::collections::BTreeMap;

use crate::labels::{LabelValues, Labels};
use crate::solve::deal;

/// The fold of every sample; samples without labels are in none and always learned from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    of_sample: Vec<Option<usize>>,
    count: usize,
    /// Samples that say the same thing once: copies, or members of a group.
    units: Vec<usize>,
}

impl Folds {
    /// Deals the labelled samples to at most `count` folds in the order of their first label, so that every fold has all of
    /// its values, and of their `keys` (numbers that copies of a sample share). Copies go to the same fold, and so do samples
    /// of a group, if groups are given. `None` if fewer than two folds can be made.
    pub(crate) fn deal(labels: &Labels, keys: &[f64], groups: Option<&[usize]>, count: usize) -> Option<Self> {
        let labelled = labels.labelled();
        let value = first_label(labels);
        let rank = |n: usize| (value(n), keys[n]);
        let compare = |a: (f64, f64), b: (f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1));
        let mut of_sample = vec![None; labels.len()];
        let mut units: Vec<usize> = (0..labels.len()).collect();
        let made = match groups {
            None => {
                let mut sorted = labelled;
                sorted.sort_by(|&a, &b| compare(rank(a), rank(b)));
                let mut distinct = 0;
                for copies in sorted.chunk_by(|&a, &b| compare(rank(a), rank(b)).is_eq()) {
                    distinct += 1;
                    copies.iter().for_each(|&n| units[n] = copies[0]);
                }
                let count = count.min(distinct / 2);
                let piles = deal(&sorted, count.max(1), |a, b| compare(rank(a), rank(b)).is_eq());
                piles.iter().enumerate().for_each(|(fold, pile)| pile.iter().for_each(|&n| of_sample[n] = Some(fold)));
                count
            }
            Some(groups) => {
                let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
                labelled.iter().for_each(|&n| members.entry(groups[n]).or_default().push(n));
                let mut members: Vec<Vec<usize>> = members.into_values().collect();
                let mean = |group: &[usize]| group.iter().map(|&n| value(n)).sum::<f64>() / group.len() as f64;
                let smallest = |group: &[usize]| group.iter().map(|&n| keys[n]).fold(f64::INFINITY, f64::min);
                members.sort_by(|a, b| compare((mean(a), smallest(a)), (mean(b), smallest(b))));
                let count = count.min(members.len());
                for (k, group) in members.iter().enumerate() {
                    for &n in group {
                        (of_sample[n], units[n]) = (Some(k % count.max(1)), group[0]);
                    }
                }
                count
            }
        };
        (made >= 2).then_some(Self { of_sample, count: made, units })
    }

    /// How many labelled samples are different, by their first label and their key.
    pub(crate) fn distinct(labels: &Labels, keys: &[f64]) -> usize {
        let value = first_label(labels);
        let mut pairs: Vec<(u64, u64)> =
            labels.labelled().iter().map(|&n| ((value(n) + 0.0).to_bits(), (keys[n] + 0.0).to_bits())).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The fold of each sample, `None` for those that are never left out.
    pub fn of_sample(&self) -> &[Option<usize>] {
        &self.of_sample
    }

    /// For each sample the first that says the same thing: a copy of it, or a member of its group.
    pub fn units(&self) -> &[usize] {
        &self.units
    }

    /// The samples of a fold, and all others.
    pub fn split(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        (0..self.of_sample.len()).partition(|&n| self.of_sample[n] == Some(fold))
    }
}

/// The first label of a sample as a number: its value, or the place of its class.
fn first_label(labels: &Labels) -> impl Fn(usize) -> f64 + '_ {
    let first = labels.columns().next().map(|(_, values)| values);
    move |n| match first {
        Some(LabelValues::Numbers(x)) => x[n],
        Some(LabelValues::Classes(classes)) => f64::from(classes.of_sample()[n]),
        None => 0.0,
    }
}
