//! Results as JSON; paths in it, which knows text only.

use std::fmt::Write as _;
use std::path::Path;

use gsfa::network::NetworkPlan;
use serde_json::{Map, Value, json};

/// Puts a path into an object: as text, with invalid bytes replaced. Where that happened, a second field, `…_hex`, has the
/// bytes themselves.
pub fn put_path(object: &mut Map<String, Value>, key: &str, path: Option<&Path>) {
    object.insert(key.into(), path.map_or(Value::Null, |path| path.to_string_lossy().into()));
    if let Some(path) = path.filter(|path| path.to_str().is_none()) {
        object.insert(format!("{key}_hex"), hex(path.as_os_str().as_encoded_bytes()).into());
    }
}

/// Bytes as pairs of digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The architecture table as JSON.
pub fn layers(plan: &NetworkPlan) -> Value {
    let layer = |l: &gsfa::network::LayerPlan| {
        json!({
            "nodes": l.nodes, "receptive_field": l.receptive_field, "input_dim": l.input_dim, "pca_dim": l.pca_dim,
            "expanded_dim": l.expanded_dim, "output_dim": l.output_dim, "parameters": l.parameters(),
        })
    };
    plan.layers.iter().map(layer).collect()
}
