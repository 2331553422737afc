//! Which samples are left out together.

use std::collections::BTreeMap;

use crate::graph::TrainingGraph;
use crate::labels::{LabelValues, Labels};

/// The fold of every sample; samples of no fold are always learned from, as those without labels are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    of_sample: Vec<Option<usize>>,
    count: usize,
    /// For each sample the first that says the same thing: a copy, or a member of its group.
    units: Vec<usize>,
}

/// Samples that are dealt as one, and where they stand among others.
struct Unit {
    members: Vec<usize>,
    value: f64,
    key: f64,
}

impl Folds {
    /// Deals the labelled samples to at most `count` folds in the order of their first label, so that every fold has all of
    /// its values, and of their `keys` (numbers that copies of a sample share). Copies go to the same fold, and so do samples
    /// of a group, if groups are given. `None` if fewer than two folds can be made.
    pub(crate) fn deal(labels: &Labels, keys: &[f64], groups: Option<&[usize]>, count: usize) -> Option<Self> {
        let (labelled, value) = (labels.labelled(), first_label(labels));
        let units = match groups {
            None => copies(&labelled, value, keys),
            Some(groups) => grouped(&labelled, value, keys, groups),
        };
        // Of single samples at least two, so that a fold is more than one chance.
        let most = if groups.is_some() { units.len() } else { units.len() / 2 };
        Self::of_units(labels.len(), units, count.min(most))
    }

    /// Deals the vertices of a graph by the groups of its first term and by content.
    pub(crate) fn of_graph(graph: &TrainingGraph, keys: &[f64], count: usize) -> Option<Self> {
        let group = |n: usize| graph.terms().first().map_or(0, |term| term.grouping.group(n));
        // Groups may be numbered as they first occur; their smallest keys do not depend on the order of the samples.
        let mut first = vec![f64::INFINITY; 1 + (0..graph.len()).map(group).max().unwrap_or(0)];
        (0..graph.len()).for_each(|n| first[group(n)] = first[group(n)].min(keys[n]));
        let mut order: Vec<usize> = (0..first.len()).collect();
        order.sort_by(|&a, &b| first[a].total_cmp(&first[b]));
        let mut rank = vec![0.0; first.len()];
        (0_u32..).zip(&order).for_each(|(place, &group)| rank[group] = f64::from(place));
        let mut labelled = vec![true; graph.len()];
        graph.unlabelled().iter().for_each(|&n| labelled[n] = false);
        let labelled: Vec<usize> = (0..graph.len()).filter(|&n| labelled[n]).collect();
        Self::of_units(graph.len(), copies(&labelled, |n| rank[group(n)], keys), count)
    }

    /// Deals units in their order, in turn.
    fn of_units(samples: usize, mut units: Vec<Unit>, count: usize) -> Option<Self> {
        if count < 2 {
            return None;
        }
        units.sort_by(|a, b| a.value.total_cmp(&b.value).then(a.key.total_cmp(&b.key)));
        let mut folds = Self { of_sample: vec![None; samples], count, units: (0..samples).collect() };
        for (k, unit) in units.iter().enumerate() {
            for &n in &unit.members {
                (folds.of_sample[n], folds.units[n]) = (Some(k % count), unit.members[0]);
            }
        }
        Some(folds)
    }

    /// How many labelled samples are different, by their first label and their key.
    pub(crate) fn distinct(labels: &Labels, keys: &[f64]) -> usize {
        copies(&labels.labelled(), first_label(labels), keys).len()
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

/// Each sample with its copies: those of the same value and key.
fn copies(labelled: &[usize], value: impl Fn(usize) -> f64, keys: &[f64]) -> Vec<Unit> {
    // Adding 0 makes one number of both zeros.
    let rank = |n: usize| (value(n) + 0.0, keys[n] + 0.0);
    let mut sorted = labelled.to_vec();
    sorted.sort_by(|&a, &b| rank(a).0.total_cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1)));
    let same = |&a: &usize, &b: &usize| rank(a) == rank(b);
    let unit =
        |members: &[usize]| Unit { value: rank(members[0]).0, key: rank(members[0]).1, members: members.to_vec() };
    sorted.chunk_by(same).map(unit).collect()
}

/// The members of each group, at their mean value.
fn grouped(labelled: &[usize], value: impl Fn(usize) -> f64, keys: &[f64], groups: &[usize]) -> Vec<Unit> {
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    labelled.iter().for_each(|&n| members.entry(groups[n]).or_default().push(n));
    let unit = |members: Vec<usize>| {
        // In an order of their own, so that the sum does not depend on that of the samples.
        let mut values: Vec<f64> = members.iter().map(|&n| value(n)).collect();
        values.sort_by(f64::total_cmp);
        let value = values.iter().sum::<f64>() / values.len() as f64;
        Unit { value, key: members.iter().map(|&n| keys[n]).fold(f64::INFINITY, f64::min), members }
    };
    members.into_values().map(unit).collect()
}

/// The first label of a sample as a number: its value, or the place of its class among all in the order of their names, which
/// does not depend on that of the samples.
fn first_label(labels: &Labels) -> impl Fn(usize) -> f64 + '_ {
    let first = labels.columns().next().map(|(_, values)| values);
    let places = match first {
        Some(LabelValues::Classes(classes)) => {
            let mut order: Vec<usize> = (0..classes.count()).collect();
            order.sort_by(|&a, &b| classes.names()[a].cmp(&classes.names()[b]));
            let mut places = vec![0.0; order.len()];
            (0_u32..).zip(order).for_each(|(place, class)| places[class] = f64::from(place));
            places
        }
        _ => Vec::new(),
    };
    move |n| match first {
        Some(LabelValues::Numbers(x)) => x[n],
        Some(LabelValues::Classes(classes)) => places.get(classes.of_sample()[n] as usize).copied().unwrap_or(-1.0),
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_stay_together_and_others_are_dealt_in_turn() {
        let labels = Labels::numbers("y", vec![1.0, 1.0, 1.0, 0.0, -0.0, 2.0, 3.0]);
        let keys = [0.5, 0.7, 0.5, 0.1, 0.1, 0.0, 0.0];
        let folds = Folds::deal(&labels, &keys, None, 2).unwrap();
        // In order: rows 3 and 4 are one, then 0 and 2, then 1, 5, 6.
        assert_eq!(folds.of_sample(), [Some(1), Some(0), Some(1), Some(0), Some(0), Some(1), Some(0)]);
        assert_eq!((folds.units()[2], folds.units()[4]), (0, 3));
        assert_eq!(Folds::distinct(&labels, &keys), 5);
        assert!(Folds::deal(&Labels::numbers("y", vec![1.0; 3]), &[0.0, 0.0, 1.0], None, 5).is_none());
    }

    #[test]
    fn the_order_of_samples_and_of_classes_does_not_matter() {
        let names = ["b", "a", "c", "a", "b", "c", "a", "b", "c", "a", "b", "c"];
        let keys: Vec<f64> = (0..12).map(|n| f64::from(n * 7 % 12)).collect();
        let groups: Vec<usize> = (0..12).map(|n| n / 2).collect();
        let order = [5, 3, 11, 0, 1, 8, 7, 9, 10, 2, 4, 6];
        let pick = |values: &[f64]| order.iter().map(|&n| values[n]).collect::<Vec<f64>>();
        for with_groups in [false, true] {
            let folds = |names: &[&str], keys: &[f64], groups: &[usize]| {
                let labels = Labels::classes("c", names);
                Folds::deal(&labels, keys, with_groups.then_some(groups), 3).unwrap()
            };
            let one = folds(&names, &keys, &groups);
            let other = folds(
                &order.map(|n| names[n]),
                &pick(&keys),
                &order.iter().map(|&n| groups[n]).collect::<Vec<usize>>(),
            );
            let moved: Vec<Option<usize>> = order.iter().map(|&n| one.of_sample()[n]).collect();
            assert_eq!(other.of_sample(), moved, "{with_groups}");
        }
    }
}
