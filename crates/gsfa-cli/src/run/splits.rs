//! Which samples are learned from, and which are estimated to measure errors.

use gsfa::labels::{LabelValues, Labels};
use gsfa_data::split::{FoldRule, Split, folds, holdout};

use crate::error::{Error, ErrorCode, Result};
use crate::load::Loaded;
use crate::settings::Validation;

/// The splits asked for; none if nothing is. Samples without labels can only be learned from.
pub fn splits(validation: &Validation, loaded: &Loaded, seed: u64) -> Result<Vec<Split>> {
    if validation.holdout.is_none() && validation.folds.is_none() {
        let useless = [("--group", validation.group.is_some()), ("--by-value", validation.by_value)];
        return match useless.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => {
                Err(Error::usage(ErrorCode::MeaninglessFlag, format!("{flag} says how to split, but nothing is split"))
                    .hint("add --holdout 0.2 or --folds 5"))
            }
            None => Ok(Vec::new()),
        };
    }
    let labels = loaded.labels()?;
    if labels.columns().next().is_none() {
        let flag = if validation.holdout.is_some() { "--holdout" } else { "--folds" };
        let message = format!("{flag} measures errors of labels, and none are learned");
        return Err(Error::usage(ErrorCode::MeaninglessFlag, message)
            .hint("name them with --learn; blocks of a series that are left out choose what is open without it"));
    }
    let labeled = labels.labeled();
    let strata = strata(&labels.select(&labeled), validation.by_value);
    let groups: Option<Vec<usize>> =
        loaded.groups.as_ref().map(|groups| labeled.iter().map(|&row| groups[row]).collect());
    let rule = FoldRule { groups: groups.as_deref(), strata: strata.as_deref() };
    let splits = match (validation.holdout, validation.folds) {
        (Some(share), _) => vec![holdout(labeled.len(), share, rule, seed)?],
        (None, count) => {
            let count = count.unwrap_or_default();
            let parts = folds(labeled.len(), count, rule, seed)?;
            (0..count).map(|fold| Split::of_fold(&parts, fold)).collect()
        }
    };
    let mut unlabelled = vec![true; labels.len()];
    labeled.iter().for_each(|&row| unlabelled[row] = false);
    let rows = |part: &[usize]| -> Vec<usize> { part.iter().map(|&k| labeled[k]).collect() };
    let complete = |split: Split| {
        let mut train = rows(&split.train);
        train.extend((0..labels.len()).filter(|&row| unlabelled[row]));
        train.sort_unstable();
        Split { train, test: rows(&split.test) }
    };
    Ok(splits.into_iter().map(complete).collect())
}

/// What each side of a split gets its share of: classes, or the values of a number if asked for.
fn strata(labels: &Labels, by_value: bool) -> Option<Vec<u32>> {
    let (_, first) = labels.columns().next()?;
    match first {
        LabelValues::Classes(classes) => Some(classes.of_sample().to_vec()),
        LabelValues::Numbers(values) if by_value => {
            let mut distinct = values.clone();
            distinct.sort_by(f64::total_cmp);
            distinct.dedup();
            let rank = |x: &f64| distinct.partition_point(|value| value.total_cmp(x).is_lt()) as u32;
            Some(values.iter().map(rank).collect())
        }
        LabelValues::Numbers(_) => None,
    }
}
