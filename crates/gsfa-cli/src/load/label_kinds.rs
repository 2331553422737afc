//! What labels were taken as, told to the user.

use gsfa_data::table::Recognized;
use serde_json::{Value, json};

use crate::error::RemarkCode;
use crate::present::Printer;

/// Names and kinds of the labels that are learned, and why they were taken as that.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelKinds(pub Vec<(String, Recognized)>);

impl LabelKinds {
    /// A note for each label: a wrong kind makes a result wrong without any other sign.
    pub fn report(&self, printer: &Printer) {
        for (name, Recognized { kind, reason }) in &self.0 {
            printer.remark(
                RemarkCode::LabelTaken,
                format!("label '{name}' is taken as {kind}: {reason}; {} changes that", flag(name, *kind)),
            );
        }
    }

    pub fn json(&self) -> Value {
        let one = |(name, found): &(String, Recognized)| {
            json!({
                "name": name, "kind": found.kind, "reason": found.reason.to_string(), "change": flag(name, found.kind),
            })
        };
        self.0.iter().map(one).collect()
    }
}

/// The flag that makes the label the other kind, as a shell takes it.
fn flag(name: &str, kind: gsfa_data::table::LabelKind) -> String {
    let value = format!("{name}={}", kind.other());
    let plain = value.chars().all(|c| c.is_alphanumeric() || "=_-.".contains(c));
    if plain { format!("--task {value}") } else { format!("--task '{}'", value.replace('\'', "'\\''")) }
}
