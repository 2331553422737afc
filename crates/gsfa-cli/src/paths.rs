//! Paths in JSON and TOML, which know text only.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Puts a path into an object: as text, with invalid bytes replaced. Where that happened, a second field, `…_hex`, has the
/// bytes themselves.
pub fn put(object: &mut Map<String, Value>, key: &str, path: Option<&Path>) {
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

/// As text with invalid bytes replaced: what a model remembers of where its data was is for people.
pub fn lossy<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}
