//! What settings say of the read-out.

use gsfa::labels::{LabelValues, Labels};
use gsfa::readout::{GaussianClassifier, LabelClip, Readout};
use serde_json::{Map, Value, json};

use super::Settings;
use crate::error::{Error, ErrorCode, Result};

impl Settings {
    /// The read-out that is named, and where the estimates of any are held: one meaning of `clip`, whoever says it.
    pub(super) fn clipped(&self, labels: &Labels) -> Result<(Option<Readout>, LabelClip)> {
        let numbers = labels.columns().any(|(_, values)| matches!(values, LabelValues::Numbers(_)));
        if let Some(Readout::GaussianClassifier(gaussian) | Readout::SoftGc(gaussian)) = &self.readout
            && gaussian.bins != GaussianClassifier::default().bins
            && !numbers
        {
            let message = "readout.bins means nothing to classes, which are their own bins";
            return Err(Error::usage(ErrorCode::MeaninglessFlag, message).hint("leave it out"));
        }
        let Some(clip) = self.clip else { return Ok((self.readout, LabelClip::None)) };
        let meaningless =
            |why: &str| Error::usage(ErrorCode::MeaninglessFlag, format!("--clip (clip) means nothing {why}"));
        if !numbers && clip != LabelClip::None {
            return Err(meaningless("to classes, which have no range").hint("leave it out"));
        }
        let readout = match self.readout {
            Some(Readout::LinearScaling(mut scaling)) => {
                scaling.clip = clip;
                Some(Readout::LinearScaling(scaling))
            }
            Some(Readout::LinearRegression(mut regression)) => {
                regression.clip = clip;
                Some(Readout::LinearRegression(regression))
            }
            Some(_) if clip == LabelClip::Training => {
                return Err(meaningless("to this read-out, which never leaves the labels of training")
                    .hint("leave it out; a range like 0,120 holds every read-out"));
            }
            other => other,
        };
        Ok((readout, clip))
    }
}

/// The kind of a read-out, as TOML writes it.
const KIND: &str = "kind";

/// A read-out of some kind, or the given one, with so many features if a number is given.
pub fn read_out(kind: Option<&str>, given: Option<Readout>, features: Option<usize>) -> Result<Readout> {
    let unreadable = |error: serde_json::Error| Error::usage(ErrorCode::SettingValue, format!("the read-out: {error}"));
    let mut table = match (kind, json!(given)) {
        (None, Value::Object(table)) => table,
        // Named once more it keeps what a file says of it.
        (Some(kind), Value::Object(table)) if table.get(KIND) == Some(&json!(kind)) => table,
        _ => Map::from_iter([(KIND.to_string(), json!(kind))]),
    };
    if let Some(count) = features {
        table.insert("features".into(), json!(count));
        let kind = table[KIND].as_str().unwrap_or_default().replace('_', " ");
        let takes_features = gsfa::specification::kinds_of::<Readout>()
            .iter()
            .any(|known| table[KIND] == known.name.as_str() && known.field("features").is_some());
        if !takes_features {
            return Err(Error::usage(
                ErrorCode::MeaninglessFlag,
                format!("--readout-features means nothing to {kind}: it uses one per target"),
            ));
        }
    }
    serde_json::from_value(table.into()).map_err(unreadable)
}
