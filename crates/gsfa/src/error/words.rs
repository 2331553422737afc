//! Numbers and lists in the sentences of errors.

use super::brief::{self, text};

pub fn count(n: usize, noun: &str) -> String {
    let plural = match noun {
        "class" => "classes".to_string(),
        "value is not" => "values are not".to_string(),
        "sample is labelled" => "samples are labelled".to_string(),
        _ => format!("{noun}s"),
    };
    if n == 1 { format!("1 {noun}") } else { format!("{n} {plural}") }
}

pub fn shape(lengths: &[usize]) -> String {
    lengths.iter().map(usize::to_string).collect::<Vec<_>>().join("x")
}

pub fn asked(n: usize, noun: &str) -> String {
    format!("{} {}", count(n, noun), if n == 1 { "was" } else { "were" })
}

pub fn none_varies(inputs: usize) -> String {
    if inputs == 1 { "the only input does not vary".into() } else { format!("none of the {inputs} inputs varies") }
}

pub fn were(n: usize) -> String {
    if n == 1 { "1 was".to_string() } else { format!("{n} were") }
}

pub fn quoted(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(5).map(|name| format!("'{}'", text(name))).collect();
    let more = names.len().saturating_sub(5);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

/// The reason of each, one after the other.
pub fn each(reasons: &[(String, String)]) -> String {
    let one = |(name, reason): &(String, String)| format!("{name}: {}", brief::reason(reason));
    reasons.iter().map(one).collect::<Vec<_>>().join("; ")
}

pub fn listed(what: &str, names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" {what} {}", quoted(names)) }
}

pub fn named(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!(" ({})", quoted(names)) }
}
