//! Which samples are left out together.

use super::units::Units;
use crate::graph::TrainingGraph;

/// The fold of every sample; samples of no fold are always learned from, as those without labels are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    of_sample: Vec<Option<usize>>,
    count: usize,
    /// For each sample the first that says the same thing: a copy, or a member of its group.
    units: Vec<usize>,
    /// For each fold of a time series the samples beside it, which are neither left out with it nor learned from.
    gaps: Vec<Vec<usize>>,
}

impl Folds {
    /// Deals samples in the order of their first label, so that every fold has all of its values, and of their keys, to at most
    /// `count` folds. Copies go to the same fold, and so do samples of a group. `None` if fewer than two folds can be made.
    pub(crate) fn deal(samples: usize, units: &Units, count: usize) -> Option<Self> {
        // Of single samples at least two, so that a fold is more than one chance.
        let most = if units.are_groups() { units.len() } else { units.len() / 2 };
        let count = count.min(most);
        if count < 2 {
            return None;
        }
        let itself = (0..samples).collect();
        let mut folds = Self { of_sample: vec![None; samples], count, units: itself, gaps: Vec::new() };
        for (k, members) in units.in_order().enumerate() {
            for &n in members {
                (folds.of_sample[n], folds.units[n]) = (Some(k % count), members[0]);
            }
        }
        Some(folds)
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
        let mut labeled = vec![true; graph.len()];
        graph.unlabelled().iter().for_each(|&n| labeled[n] = false);
        let labeled: Vec<usize> = (0..graph.len()).filter(|&n| labeled[n]).collect();
        // As many as of different samples: a weight of 2 is two copies.
        Self::deal(graph.len(), &Units::copies(&labeled, |n| rank[group(n)], keys), count)
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

    /// Blocks of a time series of equal length, of samples that are neighbours in time, with `gap` samples on either side that
    /// are neither left out with a block nor learned from: neighbours resemble each other. Where there are as many sequences
    /// as blocks, whole sequences are left out, and nothing lies beside them. `None` if fewer than two blocks can be made.
    pub(crate) fn blocks(sequences: &[usize], count: usize, gap: usize) -> Option<Self> {
        let samples = sequences.len();
        let starts: Vec<usize> = (0..samples).filter(|&n| n == 0 || sequences[n] != sequences[n - 1]).collect();
        if count < 2 || samples < count {
            return None;
        }
        let whole = starts.len() >= count;
        let block = |n: usize| n * count / samples;
        // A sequence goes where its middle lies; none of the blocks is empty for that, as there may be long ones.
        let mut of_sample = Vec::with_capacity(samples);
        let mut units = Vec::with_capacity(samples);
        for (k, &from) in starts.iter().enumerate() {
            let to = starts.get(k + 1).copied().unwrap_or(samples);
            for n in from..to {
                of_sample.push(Some(if whole { block((from + to) / 2) } else { block(n) }));
                let first = if whole { from } else { (block(n) * samples).div_ceil(count) };
                units.push(first);
            }
        }
        let count = renumbered(&mut of_sample);
        let mut folds = Self { of_sample, count, units, gaps: vec![Vec::new(); count] };
        if !whole {
            for fold in 0..count {
                folds.gaps[fold] = folds.beside(fold, sequences, gap);
            }
        }
        (count >= 2).then_some(folds)
    }

    /// Samples of the same sequence at most `gap` steps away from those of a fold.
    fn beside(&self, fold: usize, sequences: &[usize], gap: usize) -> Vec<usize> {
        let mut near = vec![false; sequences.len()];
        let mut look = |order: &mut dyn Iterator<Item = usize>| {
            let mut last: Option<usize> = None;
            for n in order {
                if self.of_sample[n] == Some(fold) {
                    last = Some(n);
                } else {
                    let reached = |last: usize| sequences[last] == sequences[n] && last.abs_diff(n) <= gap;
                    near[n] |= last.is_some_and(reached);
                }
            }
        };
        look(&mut (0..sequences.len()));
        look(&mut (0..sequences.len()).rev());
        (0..sequences.len()).filter(|&n| near[n]).collect()
    }

    /// Whether they are blocks of a time series.
    pub(crate) fn are_blocks(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// The samples of a fold, and those to learn from without it: all others, but for samples beside a block of a time series.
    pub fn split(&self, fold: usize) -> (Vec<usize>, Vec<usize>) {
        let (left_out, mut others): (Vec<usize>, Vec<usize>) =
            (0..self.of_sample.len()).partition(|&n| self.of_sample[n] == Some(fold));
        if let Some(gap) = self.gaps.get(fold) {
            others.retain(|n| gap.binary_search(n).is_err());
        }
        (left_out, others)
    }
}

/// Numbers folds without those that nothing went to; how many there are.
fn renumbered(of_sample: &mut [Option<usize>]) -> usize {
    let mut used: Vec<usize> = of_sample.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    for fold in of_sample.iter_mut().flatten() {
        *fold = used.partition_point(|other| other < fold);
    }
    used.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::Labels;

    #[test]
    fn copies_stay_together_and_others_are_dealt_in_turn() {
        let labels = Labels::numbers("y", vec![1.0, 1.0, 1.0, 0.0, -0.0, 2.0, 3.0]);
        let keys = [0.5, 0.7, 0.5, 0.1, 0.1, 0.0, 0.0];
        let units = Units::of_labels(&labels, &keys, None);
        let folds = Folds::deal(7, &units, 2).unwrap();
        // In order: rows 3 and 4 are one, then 0 and 2, then 1, 5, 6.
        assert_eq!(folds.of_sample(), [Some(1), Some(0), Some(1), Some(0), Some(0), Some(1), Some(0)]);
        assert_eq!((folds.units()[2], folds.units()[4]), (0, 3));
        assert_eq!(units.len(), 5);
        let two = Units::of_labels(&Labels::numbers("y", vec![1.0; 3]), &[0.0, 0.0, 1.0], None);
        assert!(Folds::deal(3, &two, 5).is_none());
    }

    #[test]
    fn blocks_are_of_one_time_and_leave_a_gap() {
        let folds = Folds::blocks(&[0; 20], 4, 2).unwrap();
        assert_eq!((folds.count(), folds.are_blocks()), (4, true));
        let (left_out, others) = folds.split(1);
        assert_eq!((left_out, others), ((5..10).collect(), [(0..3).collect::<Vec<_>>(), (12..20).collect()].concat()));
        assert_eq!(folds.units()[7], 5);
        // The gap ends with the sequence.
        let two: Vec<usize> = (0..20).map(|n| usize::from(n >= 10)).collect();
        assert_eq!(
            Folds::blocks(&two, 4, 2).unwrap().split(1).1,
            [(0..3).collect::<Vec<_>>(), (10..20).collect()].concat()
        );
        // Whole sequences, where there are enough.
        let many: Vec<usize> = [0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3].to_vec();
        let folds = Folds::blocks(&many, 2, 3).unwrap();
        assert_eq!(folds.split(0), ((0..8).collect(), (8..12).collect()));
        assert_eq!((folds.units()[9], folds.units()[11]), (8, 11));
        assert!(Folds::blocks(&[0; 3], 4, 1).is_none() && Folds::blocks(&[], 4, 1).is_none());
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
                Folds::deal(12, &Units::of_labels(&labels, keys, with_groups.then_some(groups)), 3).unwrap()
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
