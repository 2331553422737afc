//! Errors on samples that were not learned: a part that is held out, or every part in turn.

use gsfa::labels::{LabelValues, Labels};
use gsfa_data::split::{FoldRule, Split, folds, holdout};
use gsfa_report::{Cell, Column, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::args::ValidationArgs;
use crate::data::Loaded;
use crate::failure::{Failure, Outcome, Reason};
use crate::scores::{Scores, shown};

/// How samples are split into those to learn from and those to estimate.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Validation {
    /// Share of the samples that is held out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holdout: Option<f64>,
    /// Parts of a cross-validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folds: Option<usize>,
    /// The column of groups that stay together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Whether the samples of each label value are split alike.
    pub by_value: bool,
}

impl Validation {
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    pub fn apply(&mut self, args: &ValidationArgs) {
        // One replaces the other, wherever it comes from.
        if args.holdout.is_some() || args.folds.is_some() {
            (self.holdout, self.folds) = (args.holdout, args.folds);
        }
        if args.group.is_some() {
            self.group.clone_from(&args.group);
        }
        self.by_value |= args.by_value;
    }

    /// The splits asked for; none if nothing is. Samples without labels can only be learned from.
    pub fn splits(&self, loaded: &Loaded, seed: u64) -> Outcome<Vec<Split>> {
        if self.holdout.is_none() && self.folds.is_none() {
            let useless = [("--group", self.group.is_some()), ("--by-value", self.by_value)];
            return match useless.into_iter().find(|(_, given)| *given) {
                Some((flag, _)) => Err(Failure::usage(
                    Reason::MeaninglessFlag,
                    format!("{flag} says how to split, but nothing is split"),
                )
                .hint("add --holdout 0.2 or --folds 5")),
                None => Ok(Vec::new()),
            };
        }
        let labels = loaded.labels()?;
        let labelled = labels.labelled();
        let strata = strata(&labels.select(&labelled), self.by_value);
        let groups: Option<Vec<usize>> =
            loaded.groups.as_ref().map(|groups| labelled.iter().map(|&row| groups[row]).collect());
        let rule = FoldRule { groups: groups.as_deref(), strata: strata.as_deref() };
        let splits = match (self.holdout, self.folds) {
            (Some(share), _) => vec![holdout(labelled.len(), share, rule, seed)?],
            (None, count) => {
                let count = count.unwrap_or_default();
                let parts = folds(labelled.len(), count, rule, seed)?;
                (0..count).map(|fold| Split::of_fold(&parts, fold)).collect()
            }
        };
        let mut unlabelled = vec![true; labels.len()];
        labelled.iter().for_each(|&row| unlabelled[row] = false);
        let rows = |part: &[usize]| -> Vec<usize> { part.iter().map(|&k| labelled[k]).collect() };
        let complete = |split: Split| {
            let mut train = rows(&split.train);
            train.extend((0..labels.len()).filter(|&row| unlabelled[row]));
            train.sort_unstable();
            Split { train, test: rows(&split.test) }
        };
        Ok(splits.into_iter().map(complete).collect())
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

/// The errors on the samples of one part.
pub struct Part {
    pub number: usize,
    pub samples: usize,
    pub scores: Vec<Scores>,
}

impl Part {
    pub fn json(&self) -> Value {
        let labels: Vec<Value> = self.scores.iter().map(Scores::json).collect();
        json!({"part": self.number, "samples": self.samples, "labels": labels})
    }
}

/// Mean and standard deviation of each error over the parts.
pub fn table(parts: &[Part]) -> Table {
    let heads = ["error", "± over parts", "chance", "% of chance"].map(Column::number);
    let columns = [Column::text("label"), Column::text("measure")].into_iter().chain(heads).collect();
    let samples: usize = parts.iter().map(|part| part.samples).sum();
    let mut table = Table::new(format!("error over {} parts, {samples} samples", parts.len()), columns);
    let Some(first) = parts.first() else { return table };
    for (k, scores) in first.scores.iter().enumerate() {
        for (m, measure) in scores.measures().iter().enumerate() {
            let all: Vec<_> = parts.iter().filter_map(|part| part.scores[k].measures().get(m).copied()).collect();
            let (error, deviation) = mean_and_deviation(all.iter().map(|measure| measure.value));
            let chance: Option<Vec<f64>> = all.iter().map(|measure| measure.chance).collect();
            let chance = chance.map(|chances| mean_and_deviation(chances.into_iter()).0);
            table.rows.push(vec![
                Cell::Text(scores.label.clone()),
                Cell::Text(measure.name.into()),
                shown(measure.name, error, chance.unwrap_or(error)),
                shown(measure.name, deviation, chance.unwrap_or(error)),
                chance.map_or(Cell::Missing, |chance| shown(measure.name, chance, chance)),
                chance.map_or(Cell::Missing, |chance| Cell::Number(100.0 * error / chance, 1)),
            ]);
        }
    }
    table
}

fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let square: f64 = values.map(|x| (x - mean) * (x - mean)).sum();
    (mean, (square / (count - 1.0).max(1.0)).sqrt())
}
