//! Numbers and names in sentences.

use gsfa::graph::{GraphSpec, Sum};
use gsfa::recipe::Selection;
use gsfa::specification::Kind;
use gsfa_data::pixels::{Preparation, Squash, Step};
use serde_json::{Value, json};

use super::digits::brief;
use crate::args::flag_case;

/// `1 sample`, `2 samples`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// `1 row with missing values was left out`, `2 rows …`; the noun is the first word.
pub fn left_out(count: usize, what: &str) -> String {
    let (noun, rest) = what.split_once(' ').unwrap_or((what, ""));
    format!("{} {rest} {} left out", counted(count, noun), if count == 1 { "was" } else { "were" })
}

/// What was tried and taken, under a heading that says by what.
pub fn selection_text(selection: &Selection) -> String {
    let judged = selection.tried.iter().any(|tried| tried.loss.is_some());
    let title = if judged { "chosen by left-out samples" } else { "taken, with the ridge that sums over folds say" };
    format!("{title}\n{selection}")
}

/// A graph in a line: its kind, and the settings that are not those of every graph of that kind.
pub fn graph_line(graph: &GraphSpec) -> String {
    let kind = graph.kind();
    let name = flag_case(&kind.name);
    if let GraphSpec::Sum(Sum { graphs }) = graph {
        let parts = graphs.iter().map(|part| format!("{} × ({})", brief(part.share), graph_line(&part.graph)));
        return format!("{name} of {}", parts.collect::<Vec<_>>().join(" + "));
    }
    let told = told(kind, &json!(graph));
    if told.is_empty() { name } else { format!("{name}, {}", told.join(", ")) }
}

/// Settings that differ from their defaults.
fn told(kind: &Kind, table: &Value) -> Vec<String> {
    let fields = kind.fields.iter().filter_map(|field| {
        let value = table.get(&field.name)?;
        let usual = field.default.as_ref() == Some(value) || value.is_null() || *value == json!([]);
        (!usual).then(|| format!("{} {}", flag_case(&field.name), value_words(value)))
    });
    fields.collect()
}

/// A value as people write it; long lists are counted.
fn value_words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), brief),
        Value::Array(items) if items.len() > 5 => counted(items.len(), "value"),
        Value::Array(items) => items.iter().map(value_words).collect::<Vec<_>>().join(" and "),
        Value::Object(table) => {
            let pairs = table.iter().map(|(name, value)| format!("{} {}", flag_case(name), value_words(value)));
            pairs.collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

/// The steps of a preparation in a line.
pub fn preparation_line(preparation: &Preparation) -> String {
    let step = |step: &Step| match *step {
        Step::Grey => "grey".to_string(),
        Step::Crop { share } => format!("crop to {} of the region", brief(share)),
        Step::Resize { height, width } => format!("resize to {height}x{width}"),
        Step::Warp { height, width, central } => format!("warp to {height}x{width}, central {}", brief(central)),
        Step::MeanIntensity { mean } => format!("mean intensity {}", brief(mean)),
        Step::Contrast(contrast) => {
            let squash = match contrast.squash {
                Squash::None => String::new(),
                Squash::Clip { at } => format!(", clipped at ±{}", brief(at)),
                Squash::Tanh => ", tanh".to_string(),
            };
            format!("contrast{}{squash}", if contrast.sqrt { " of the root" } else { "" })
        }
        Step::Disc { fade } => format!("disc with a rim of {}", brief(fade)),
        Step::Gradients(gradients) => {
            let weight =
                if gradients.weight == 1.0 { String::new() } else { format!(", times {}", brief(gradients.weight)) };
            let side = gradients.cell;
            format!("{} directions in cells of {side}x{side}{weight}", gradients.directions)
        }
        Step::Join { ref parts } => {
            parts.iter().map(|part| format!("[{}]", preparation_line(part))).collect::<Vec<_>>().join(" beside ")
        }
    };
    if preparation.steps.is_empty() {
        return "none".into();
    }
    preparation.steps.iter().map(step).collect::<Vec<_>>().join("; ")
}
