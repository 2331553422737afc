//! What flags say of the read-out.

use gsfa::readout::Readout;
use serde_json::{Map, Value, json};

use crate::error::{Error, ErrorCode, Result};

/// The kind of a read-out, as TOML writes it.
const KIND: &str = "kind";

/// A read-out of some kind, or the given one, with so many features if a number is given.
pub fn read_out(kind: Option<&str>, given: Option<Readout>, features: Option<usize>) -> Result<Readout> {
    let unreadable = |error: serde_json::Error| Error::usage(ErrorCode::SettingValue, format!("the read-out: {error}"));
    let mut table = match (kind, json!(given)) {
        (None, Value::Object(table)) => table,
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
