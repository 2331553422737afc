//! Splits of samples into training and test sets, and into folds: seeded, by label value, by group.

use std::collections::HashMap;

use gsfa::error::brief::number;

use crate::seeded::{generator, shuffle};
use crate::{Error, Result};

/// Two sets of samples, each in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// Samples to learn from.
    pub train: Vec<usize>,
    /// Samples to test on.
    pub test: Vec<usize>,
}

impl Split {
    /// The split whose test set are the samples of one fold.
    pub fn of_fold(folds: &[usize], fold: usize) -> Self {
        let (test, train) = (0..folds.len()).partition(|&n| folds[n] == fold);
        Self { train, test }
    }
}

/// From the samples of each label value, `train` and `test` at random; further ones are left out.
///
/// # Errors
/// [`Error::TooFew`] with the value that has fewer samples; [`Error::Parameter`] for NaN.
pub fn per_value(labels: &[f64], train: usize, test: usize, seed: u64) -> Result<Split> {
    let mut order: Vec<usize> = (0..labels.len()).collect();
    if let Some(row) = labels.iter().position(|label| label.is_nan()) {
        return Err(Error::parameter("label", format!("NaN at row {row}"), "a split by label value needs all labels"));
    }
    order.sort_by(|&a, &b| labels[a].total_cmp(&labels[b]).then(a.cmp(&b)));
    let mut split = Split { train: Vec::new(), test: Vec::new() };
    for (position, samples) in order.chunk_by_mut(|&a, &b| labels[a] == labels[b]).enumerate() {
        if samples.len() < train + test {
            let what = format!("label value {}", number(labels[samples[0]]));
            return Err(Error::TooFew { what, found: samples.len(), needed: train + test });
        }
        shuffle(&mut generator(seed, [position as u64, 0]), samples);
        split.train.extend(&samples[..train]);
        split.test.extend(&samples[train..train + test]);
    }
    split.train.sort_unstable();
    split.test.sort_unstable();
    Ok(split)
}

/// What folds keep together and what they keep balanced.
#[derive(Debug, Clone, Copy, Default)]
pub struct FoldRule<'a> {
    /// Samples of one group go to one fold (e.g. the track of each sign).
    pub groups: Option<&'a [usize]>,
    /// Each fold gets its share of each stratum (e.g. the class of each sample); a group counts where its first sample does.
    pub strata: Option<&'a [u32]>,
}

/// The fold, from 0 to `count` − 1, of each of `samples` samples.
///
/// Groups in random order, larger ones first, go to the fold that has least of their stratum, of equal ones to that with
/// fewest samples. Without groups the sizes of folds, overall or within each stratum, differ by 1 at most.
///
/// # Errors
/// [`Error::Parameter`] for fewer than two folds, or fewer samples or groups than folds; [`Error::LengthMismatch`].
pub fn folds(samples: usize, count: usize, rule: FoldRule<'_>, seed: u64) -> Result<Vec<usize>> {
    if count < 2 {
        return Err(Error::parameter("folds", count, "at least 2 are needed"));
    }
    let members = members(samples, rule)?;
    if members.len() < count {
        return Err(Error::parameter("folds", count, "there are fewer samples, or groups to keep whole, than folds"));
    }
    let stratum = |group: &[usize]| rule.strata.map_or(0, |strata| strata[group[0]]);
    let mut order: Vec<&[usize]> = members.iter().map(Vec::as_slice).collect();
    shuffle(&mut generator(seed, [count as u64, 1]), &mut order);
    order.sort_by(|a, b| stratum(a).cmp(&stratum(b)).then(b.len().cmp(&a.len())));
    let mut fold_of = vec![0; samples];
    let mut sizes = vec![0_usize; count];
    for same in order.chunk_by(|a, b| stratum(a) == stratum(b)) {
        let mut here = vec![0_usize; count];
        for group in same {
            let fold = (0..count).min_by_key(|&fold| (here[fold], sizes[fold], fold)).unwrap_or(0);
            here[fold] += group.len();
            sizes[fold] += group.len();
            group.iter().for_each(|&n| fold_of[n] = fold);
        }
    }
    Ok(fold_of)
}

/// A training and a test set, the latter about `share` of the samples, under the same rule as [`folds`].
///
/// # Errors
/// As [`folds`]; [`Error::Parameter`] if the share is not between 0 and 1.
pub fn holdout(samples: usize, share: f64, rule: FoldRule<'_>, seed: u64) -> Result<Split> {
    if !(share > 0.0 && share < 1.0) {
        return Err(Error::parameter("holdout", share, "must lie between 0 and 1"));
    }
    let members = members(samples, rule)?;
    if members.len() < 2 {
        return Err(Error::TooFew { what: "the set to split".to_string(), found: members.len(), needed: 2 });
    }
    let stratum = |group: &[usize]| rule.strata.map_or(0, |strata| strata[group[0]]);
    let mut order: Vec<&[usize]> = members.iter().map(Vec::as_slice).collect();
    shuffle(&mut generator(seed, [0, 2]), &mut order);
    order.sort_by_key(|group| stratum(group));
    let mut split = Split { train: Vec::new(), test: Vec::new() };
    for same in order.chunk_by(|a, b| stratum(a) == stratum(b)) {
        let wanted = share * same.iter().map(|group| group.len()).sum::<usize>() as f64;
        let mut taken = 0_usize;
        for group in same {
            // A group belongs to the test set if its middle lies below the border.
            if taken as f64 + group.len() as f64 / 2.0 <= wanted {
                split.test.extend_from_slice(group);
            } else {
                split.train.extend_from_slice(group);
            }
            taken += group.len();
        }
    }
    split.train.sort_unstable();
    split.test.sort_unstable();
    for (what, side) in [("the training set", &split.train), ("the test set", &split.test)] {
        if side.is_empty() {
            return Err(Error::TooFew { what: what.to_string(), found: 0, needed: 1 });
        }
    }
    Ok(split)
}

/// The samples of each group, groups in order of first appearance; without groups each sample by itself.
fn members(samples: usize, rule: FoldRule<'_>) -> Result<Vec<Vec<usize>>> {
    let lengths = [("groups", rule.groups.map(<[usize]>::len)), ("strata", rule.strata.map(<[u32]>::len))];
    for (name, len) in lengths.into_iter().filter_map(|(name, len)| Some((name, len?))) {
        if len != samples {
            let (left, right) = ("samples".to_string(), name.to_string());
            return Err(Error::LengthMismatch { left, left_len: samples, right, right_len: len });
        }
    }
    let Some(groups) = rule.groups else { return Ok((0..samples).map(|n| vec![n]).collect()) };
    let mut position: HashMap<usize, usize> = HashMap::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (n, &group) in groups.iter().enumerate() {
        let at = *position.entry(group).or_insert_with(|| {
            members.push(Vec::new());
            members.len() - 1
        });
        members[at].push(n);
    }
    Ok(members)
}
