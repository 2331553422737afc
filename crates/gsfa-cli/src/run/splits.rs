//! Which samples are learned from, and which are estimated to measure errors.

use gsfa::labels::{LabelValues, Labels};
use gsfa_data::split::{FoldRule, Split, folds, holdout};

use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::load::Loaded;
use crate::present::{Printer, counted};
use crate::settings::Validation;

/// The splits asked for; none if nothing is. Samples without labels can only be learned from, and those of a class that the
/// others lack tell nothing.
pub fn splits(validation: &Validation, loaded: &Loaded, seed: u64, printer: &Printer) -> Result<Vec<Split>> {
    if validation.holdout.is_none() && validation.folds.is_none() {
        if validation.by_value {
            let message = "--by-value says how to measure errors, and none are measured";
            return Err(Error::usage(ErrorCode::MeaninglessFlag, message).hint("add --holdout 0.2 or --folds 5"));
        }
        return Ok(Vec::new());
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
    let mut splits: Vec<Split> = splits.into_iter().map(complete).collect();
    let before: usize = splits.iter().map(|split| split.test.len()).sum();
    splits.iter_mut().for_each(|split| only_known_classes(labels, split));
    splits.retain(|split| !split.test.is_empty());
    let unknown = before - splits.iter().map(|split| split.test.len()).sum::<usize>();
    if unknown > 0 {
        let message = format!(
            "{} of classes that no other samples to learn from have: what is said of them is not counted",
            counted(unknown, "left-out sample")
        );
        printer.remark(RemarkCode::UnseenClasses, message);
    }
    Ok(splits)
}

/// Takes samples away from those to estimate whose class nobody can know.
fn only_known_classes(labels: &Labels, split: &mut Split) {
    for (_, values) in labels.columns() {
        let LabelValues::Classes(classes) = values else { continue };
        let mut known = vec![false; classes.count()];
        for &row in &split.train {
            if let Some(known) = known.get_mut(classes.of_sample()[row] as usize) {
                *known = true;
            }
        }
        split.test.retain(|&row| known.get(classes.of_sample()[row] as usize).is_some_and(|known| *known));
    }
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
