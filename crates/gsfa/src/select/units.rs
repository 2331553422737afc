//! Samples that are dealt as one: copies of each other, or members of a group.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use crate::labels::{LabelValues, Labels};

/// Samples that belong together, in the order in which they are dealt.
#[derive(Debug, Clone)]
pub(crate) struct Units {
    /// Samples, those of one unit after those of another.
    members: Vec<usize>,
    /// Where each unit stands among them.
    units: Vec<Range<usize>>,
    are_groups: bool,
}

impl Units {
    /// The labelled samples in the order of their first label and of their `keys` (numbers that copies of a sample share), each
    /// with its copies, or with its group if groups are given.
    pub fn of_labels(labels: &Labels, keys: &[f64], groups: Option<&[usize]>) -> Self {
        let (labeled, value) = (labels.labeled(), first_label(labels, keys));
        match groups {
            None => Self::copies(&labeled, value, keys),
            Some(groups) => Self::grouped(&labeled, value, keys, groups),
        }
    }

    /// Each sample with its copies: those of the same value and key.
    pub fn copies(labeled: &[usize], value: impl Fn(usize) -> f64, keys: &[f64]) -> Self {
        // Adding 0 makes one number of both zeros.
        let mut sorted: Vec<(f64, f64, usize)> = labeled.iter().map(|&n| (value(n) + 0.0, keys[n] + 0.0, n)).collect();
        sorted.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut units = Vec::with_capacity(sorted.len());
        for same in sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let from = units.last().map_or(0, |last: &Range<usize>| last.end);
            units.push(from..from + same.len());
        }
        Self { members: sorted.into_iter().map(|(_, _, n)| n).collect(), units, are_groups: false }
    }

    /// The members of each group, at their mean value.
    fn grouped(labeled: &[usize], value: impl Fn(usize) -> f64, keys: &[f64], groups: &[usize]) -> Self {
        let mut by_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        labeled.iter().for_each(|&n| by_group.entry(groups[n]).or_default().push(n));
        let place = |members: &[usize]| {
            // In an order of their own, so that the sum does not depend on that of the samples.
            let mut values: Vec<f64> = members.iter().map(|&n| value(n)).collect();
            values.sort_by(f64::total_cmp);
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            (mean, members.iter().map(|&n| keys[n]).fold(f64::INFINITY, f64::min))
        };
        let mut sorted: Vec<((f64, f64), Vec<usize>)> = by_group.into_values().map(|m| (place(&m), m)).collect();
        sorted.sort_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut all = Self { members: Vec::with_capacity(labeled.len()), units: Vec::new(), are_groups: true };
        for (_, members) in sorted {
            let from = all.members.len();
            all.members.extend(members);
            all.units.push(from..all.members.len());
        }
        all
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether they are groups that were given.
    pub fn are_groups(&self) -> bool {
        self.are_groups
    }

    /// The samples of each.
    pub fn in_order(&self) -> impl Iterator<Item = &[usize]> {
        self.units.iter().map(|unit| &self.members[unit.clone()])
    }
}

/// The first label of a sample as a number: its value, or the place of its class among all, which depends on the samples that
/// it has, by the least of their keys, and not on what it is called.
fn first_label<'a>(labels: &'a Labels, keys: &[f64]) -> impl Fn(usize) -> f64 + 'a {
    let first = labels.columns().next().map(|(_, values)| values);
    let places = match first {
        Some(LabelValues::Classes(classes)) => {
            let mut least = vec![f64::INFINITY; classes.count()];
            for (&class, &key) in classes.of_sample().iter().zip(keys) {
                if let Some(least) = least.get_mut(class as usize) {
                    *least = least.min(key);
                }
            }
            let mut order: Vec<usize> = (0..classes.count()).collect();
            let by_name = |a: usize, b: usize| classes.names()[a].cmp(&classes.names()[b]);
            order.sort_by(|&a, &b| least[a].total_cmp(&least[b]).then(by_name(a, b)));
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
