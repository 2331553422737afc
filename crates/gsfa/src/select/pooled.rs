//! Estimates of left-out samples by models of the other folds, as one list.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate};

use super::judging::FoldFeatures;
use super::{Judged, ReadoutTraining};
use crate::labels::{Classes, LabelValues, Labels, SampleWeights};
use crate::readout::{Calibration, Estimates, LabelEstimates, Readout, measures};
use crate::{Error, Result};

/// Estimates of one label by one read-out, over the rows left out.
pub(super) struct Pooled {
    readout: Readout,
    pub rows: Vec<usize>,
    pub parts: Vec<Estimates>,
}

/// For each label a pool for each read-out, all empty.
pub(super) fn pools(readouts: &[Vec<Readout>]) -> Vec<Vec<Pooled>> {
    let pool = |&readout: &Readout| Pooled { readout, rows: Vec::new(), parts: Vec::new() };
    readouts.iter().map(|some| some.iter().map(pool).collect()).collect()
}

/// Fits the read-outs of all pools to what was learned without a fold, and adds their estimates of the fold.
pub(super) fn add_fold(pools: &mut [Vec<Pooled>], fold: &FoldFeatures, all: &Labels) -> Result<()> {
    let (part, left_out) = (&fold.part, &fold.left_out);
    let training = ReadoutTraining::new(fold.learned.view(), &part.labels, &part.weights, &part.graph)?;
    for (k, ((name, label), pools)) in part.labels.columns().zip(pools).enumerate() {
        // A class that nobody has seen says nothing about how well the others are told apart.
        let known = known_rows(all.column(name)?, label, left_out);
        let places: Vec<usize> = (0..left_out.len()).filter(|&place| known[place]).collect();
        let features = fold.new.select(Axis(0), &places);
        for pool in pools {
            // What cannot be fitted to this fold is no candidate for any.
            let Ok(fitted) = training.fit(k, &pool.readout) else { continue };
            pool.parts.push(fitted.estimate(features.view())?);
            pool.rows.extend(places.iter().map(|&place| left_out[place]));
        }
    }
    Ok(())
}

/// For each row, whether its class occurs in training; numbers always do.
fn known_rows(label: &LabelValues, training: &LabelValues, rows: &[usize]) -> Vec<bool> {
    match (label, training) {
        (LabelValues::Classes(all), LabelValues::Classes(training)) => rows
            .iter()
            .map(|&n| all.name_of(n).is_some_and(|name| training.names().iter().any(|t| t == name)))
            .collect(),
        _ => vec![true; rows.len()],
    }
}

impl Pooled {
    /// The read-out with its calibration, the rows that were left out in ascending order, and the loss of each.
    pub fn judged(
        mut self,
        name: &str,
        label: &LabelValues,
        weights: &SampleWeights,
        units: &[usize],
    ) -> Result<(Judged, Vec<usize>, Vec<f64>)> {
        let pooled = pooled(&self.parts, label)?;
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&k| self.rows[k]);
        let pooled = pooled.select(&order);
        self.rows.sort_unstable();
        let (truth, every, weights) = (label.select(&self.rows), weights, weights.select(&self.rows));
        let effective = effective(&self.rows, weights.as_slice(), units);
        let calibration = Calibration::of(&pooled, name, &truth, &weights, effective)?;
        let losses = losses(&calibration.apply(pooled), &truth, label, every)?;
        let total: f64 = weights.as_slice().iter().sum();
        let loss = losses.iter().zip(weights.as_slice()).map(|(l, w)| l * w).sum::<f64>() / total;
        Ok((Judged { readout: self.readout, calibration, loss }, self.rows, losses))
    }
}

/// Kish's effective number (Σa)²/Σa² of the rows, where copies and members of a group count as one. `weights` are those of
/// the rows.
fn effective(rows: &[usize], weights: &[f64], units: &[usize]) -> f64 {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    rows.iter().zip(weights).for_each(|(&n, w)| *sums.entry(units[n]).or_default() += w);
    let (sum, squares) = sums.values().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
    sum * sum / squares
}

/// Squared errors in units of the label's variance over all samples with their weights, or log losses.
fn losses(given: &Estimates, truth: &LabelValues, all: &LabelValues, weights: &SampleWeights) -> Result<Vec<f64>> {
    match (&given.label, truth, all) {
        (LabelEstimates::Numbers(numbers), LabelValues::Numbers(truth), LabelValues::Numbers(all)) => {
            let rows: Vec<usize> = (0..all.len()).filter(|&n| !all[n].is_nan()).collect();
            let (known, weights) = (rows.iter().map(|&n| all[n]).collect::<Vec<f64>>(), weights.select(&rows));
            let mean = measures::mean(&known, &weights)?;
            let variance = measures::chance_rmse(mean, &known, &weights)?.powi(2);
            Ok(numbers.iter().zip(truth).map(|(e, l)| (e - l) * (e - l) / variance).collect())
        }
        (LabelEstimates::Classes { names, of_sample }, LabelValues::Classes(truth), _) => {
            let truth = measures::class_indices(truth, names)?;
            Ok(match &given.probabilities {
                Some(p) => {
                    truth.iter().enumerate().map(|(n, &c)| -p[[n, c as usize]].max(f64::MIN_POSITIVE).ln()).collect()
                }
                // Without probabilities a wrong class costs as much as not knowing it.
                None => {
                    let cost = (names.len() as f64).ln();
                    truth.iter().zip(of_sample).map(|(t, e)| if t == e { 0.0 } else { cost }).collect()
                }
            })
        }
        _ => Err(Error::parameter("readout", "estimates", "they are of another kind than the label")),
    }
}

/// Estimates of several folds one after the other; classes in the order of all samples.
fn pooled(parts: &[Estimates], label: &LabelValues) -> Result<Estimates> {
    let join = |column: fn(&Estimates) -> Option<&Array1<f64>>| -> Option<Array1<f64>> {
        let all: Option<Vec<Vec<f64>>> = parts.iter().map(|part| column(part).map(|values| values.to_vec())).collect();
        all.map(|all| all.concat().into())
    };
    let standard_deviation = join(|part| part.standard_deviation.as_ref());
    let outlier_score = join(|part| part.outlier_score.as_ref());
    let LabelValues::Classes(all) = label else {
        let numbers: Vec<Vec<f64>> = parts.iter().filter_map(|part| part.numbers().map(|x| x.to_vec())).collect();
        let label = LabelEstimates::Numbers(numbers.concat().into());
        return Ok(Estimates { standard_deviation, outlier_score, ..Estimates::plain(label) });
    };
    let (mut of_sample, mut probabilities) = (Vec::new(), Some(Vec::new()));
    for part in parts {
        let LabelEstimates::Classes { names, of_sample: own } = &part.label else { continue };
        let place = measures::class_indices(&Classes::new(names), all.names())?;
        of_sample.extend(own.iter().map(|&c| place[c as usize]));
        match (&part.probabilities, &mut probabilities) {
            (Some(own), Some(list)) => {
                let mut wide = Array2::zeros((own.nrows(), all.count()));
                own.columns().into_iter().zip(&place).for_each(|(p, &c)| wide.column_mut(c as usize).assign(&p));
                list.push(wide);
            }
            _ => probabilities = None,
        }
    }
    let joined = |list: Vec<Array2<f64>>| {
        let views: Vec<ArrayView2<'_, f64>> = list.iter().map(|part| part.view()).collect();
        concatenate(Axis(0), &views).ok()
    };
    let label = LabelEstimates::Classes { names: all.names().to_vec(), of_sample };
    let probabilities = probabilities.and_then(joined);
    Ok(Estimates { probabilities, outlier_score, ..Estimates::plain(label) })
}
