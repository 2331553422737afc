//! What a model keeps for the command line: settings, pixel preparation, and the level of chance.

use std::collections::BTreeMap;

use gsfa::Model;
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::readout::measures;
use gsfa::recipe::Selection;
use gsfa_data::pixels::Preparation;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::config::Config;
use crate::failure::{Failure, Fault, Outcome};

/// Data of the command line in a model file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    pub config: Config,
    /// The preparation that was applied, whether named or by default.
    pub preparation: Option<Preparation>,
    /// The best constant estimate of each label: the mean, or the most frequent class.
    pub chance: BTreeMap<String, Value>,
    /// The mean of each input in training, which stands in for missing values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub means: Option<Vec<f64>>,
    /// What was tried to choose what was left open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<Selection>,
}

impl Kept {
    pub fn new(config: &Config, labels: &Labels, weights: &SampleWeights) -> Outcome<Self> {
        let labelled = labels.labelled();
        let (labels, weights) = (labels.select(&labelled), weights.select(&labelled));
        let constant = |values: &LabelValues| -> Outcome<Value> {
            Ok(match values {
                LabelValues::Numbers(x) => measures::mean(x, &weights)?.into(),
                LabelValues::Classes(c) => {
                    c.names()[measures::majority_class(c.of_sample(), &weights)? as usize].clone().into()
                }
            })
        };
        let chance = labels.columns().map(|(n, v)| Ok((n.to_string(), constant(v)?))).collect::<Outcome<_>>()?;
        Ok(Self {
            config: config.clone(),
            preparation: config.preparation.clone(),
            chance,
            means: None,
            selection: None,
        })
    }

    pub fn value(&self) -> Outcome<Value> {
        serde_json::to_value(self).map_err(|error| Failure::usage(format!("the settings cannot be stored: {error}")))
    }

    /// What the command line stored in a model; nothing if another program made it.
    pub fn of(model: &Model) -> Outcome<Self> {
        if model.extra().is_null() {
            return Ok(Self::default());
        }
        serde_json::from_value(model.extra().clone()).map_err(|error| {
            Failure::new(Fault::Model, format!("the settings in the model are not understood: {error}"))
                .hint("upgrade gsfa, or train the model again")
        })
    }
}
