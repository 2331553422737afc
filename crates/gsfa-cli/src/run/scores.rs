//! The errors of a model's estimates.

use gsfa::Model;
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::model::Baseline;
use gsfa::readout::measures;
use ndarray::{ArrayView2, Axis};

use crate::error::{Error, ErrorCode, Result};
use crate::present::{Errors, Scores};

/// The errors of all labels that the model estimates, over the samples that have them.
pub fn scores(
    model: &Model,
    features: ArrayView2<'_, f64>,
    labels: &Labels,
    weights: &SampleWeights,
) -> Result<Vec<Scores>> {
    let labeled = labels.labeled();
    if labeled.len() < labels.len() {
        let (features, weights) = (features.select(Axis(0), &labeled), weights.select(&labeled));
        return scores(model, features.view(), &labels.select(&labeled), &weights);
    }
    let mut all = Vec::new();
    for readout in model.readouts() {
        let label = &readout.label;
        let estimates = readout.estimate(features)?;
        let errors = match (labels.column(label)?, estimates.numbers(), estimates.classes()) {
            (LabelValues::Numbers(truth), Some(numbers), _) => {
                let constant = match model.remembered().baselines.get(label) {
                    Some(Baseline::Number(mean)) => *mean,
                    _ => measures::mean(truth, weights)?,
                };
                let numbers = numbers.to_vec();
                Errors::Numbers {
                    rmse: measures::rmse(&numbers, truth, weights)?,
                    mae: measures::mae(&numbers, truth, weights)?,
                    r_squared: measures::r_squared(&numbers, truth, weights).ok(),
                    chance_rmse: measures::chance_rmse(constant, truth, weights)?,
                }
            }
            (LabelValues::Classes(truth), _, Some(classes)) => {
                let names = readout.class_names().unwrap_or_default();
                let truth = measures::class_indices(truth, names)?;
                let constant = match model.remembered().baselines.get(label) {
                    Some(Baseline::Class(class)) => names.iter().position(|name| name == class).map(|c| c as u32),
                    _ => None,
                };
                let constant = constant.map_or_else(|| measures::majority_class(&truth, weights), Ok)?;
                let confusion = measures::confusion_matrix(classes, &truth, names.len(), weights)?;
                Errors::Classes {
                    error_rate: measures::error_rate(classes, &truth, weights)?,
                    chance_error_rate: measures::chance_error_rate(constant, &truth, weights)?,
                    classes: names.to_vec(),
                    confusion: confusion.outer_iter().map(|row| row.to_vec()).collect(),
                }
            }
            _ => {
                return Err(Error::data(
                    ErrorCode::LabelKind,
                    format!("label '{label}' is of another kind than in training"),
                ));
            }
        };
        all.push(Scores { label: label.clone(), samples: labels.len(), errors });
    }
    Ok(all)
}
