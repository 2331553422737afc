//! Files of settings, and the line of what is wrong in them.

use std::ops::Range;
use std::path::Path;

use gsfa::specification::{Field, Sort, sort_of, suggestion};
use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{ALL_SETTINGS, Error, ErrorCode, Result};

/// Reads a file of settings.
pub fn parse<T: for<'de> Deserialize<'de> + JsonSchema>(path: &Path) -> Result<T> {
    let bytes = gsfa::file::read(path).map_err(|error| Error::io("read", path, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|&b| b == b'\n').count();
        Error::usage(ErrorCode::SettingsFile, format!("{}, line {line}: the text is not UTF-8", path.display()))
    })?;
    read(&text).map_err(|Refusal { at, message, hint, .. }| {
        let message = format!("{}, line {}: {message}", path.display(), line_of(&text, at));
        Error::usage(ErrorCode::SettingsFile, message).hint(hint)
    })
}

/// Why a text is no settings.
pub(super) struct Refusal {
    /// The setting that is wrong, if it is known.
    pub name: Option<String>,
    /// Where it stands.
    at: usize,
    pub message: String,
    pub hint: String,
}

/// Settings of a text.
pub(super) fn read<T: for<'de> Deserialize<'de> + JsonSchema>(text: &str) -> Result<T, Refusal> {
    toml::from_str(text).map_err(|error| {
        let message = error.message().trim_end();
        let (name, at) = place::<T>(text, message, error.span());
        let hint = meant(message).unwrap_or_else(|| ALL_SETTINGS.into());
        Refusal { name, at, message: plain(message), hint }
    })
}

/// A setting that there is not, or whose value is not taken.
struct Flaw {
    name: String,
    at: Range<usize>,
}

fn line_of(text: &str, place: usize) -> usize {
    1 + text.as_bytes()[..place.min(text.len())].iter().filter(|&&byte| byte == b'\n').count()
}

/// What a message is about, and where it stands. Of a table that says its kind serde knows the table only: the flaw in it is
/// looked for.
fn place<T: JsonSchema>(text: &str, message: &str, told: Option<Range<usize>>) -> (Option<String>, usize) {
    let mut flaws = Vec::new();
    if let (Ok(table), Sort::Table { fields }) = (DeTable::parse(text), sort_of::<T>()) {
        flaws_of_table(table.get_ref(), &fields, None, "", &mut flaws);
    }
    flaws.sort_by_key(|flaw| flaw.at.start);
    let after = told.map_or(0, |told| told.start);
    let mut behind = flaws.into_iter().filter(|flaw| flaw.at.start >= after).peekable();
    let first = behind.peek().map(|flaw| (flaw.name.clone(), flaw.at.start));
    let named = behind.find(|flaw| message.contains(&text[flaw.at.clone()])).map(|flaw| (flaw.name, flaw.at.start));
    // Of a table that takes any names serde knows the table only, too: what it quotes stands behind its head.
    let quoted = || message.split(['`', '\'']).nth(1).and_then(|word| Some(after + text.get(after..)?.find(word)?));
    match named.or(first) {
        Some((name, at)) => (Some(name), at),
        None => (None, quoted().unwrap_or(after)),
    }
}

/// A message of serde without the words of a programming language.
fn plain(message: &str) -> String {
    const TYPES: [(&str, &str); 8] = [
        ("usize", "a whole number"),
        ("u64", "a whole number"),
        ("u32", "a whole number"),
        ("i64", "a whole number"),
        ("f64", "a number"),
        ("a boolean", "true or false"),
        ("a sequence", "a list"),
        ("a map", "a table"),
    ];
    const OPENINGS: [(&str, &str, &str); 3] = [
        ("missing field `", "'", "' is missing"),
        ("unknown field `", "there is no setting '", "'"),
        ("unknown variant `", "'", "' is unknown"),
    ];
    let opened = OPENINGS.iter().find_map(|(opening, before, after)| {
        let (name, rest) = message.strip_prefix(opening)?.split_once('`')?;
        Some(format!("{before}{name}{after}{rest}"))
    });
    let message = &opened.or_else(|| not_taken(message)).unwrap_or_else(|| message.to_string());
    let Some((before, expected)) = message.split_once(", expected ") else { return message.clone() };
    let named = ["internally tagged enum ", "struct ", "enum "].iter().any(|start| expected.starts_with(start));
    let known = TYPES.iter().find(|(word, _)| *word == expected).map(|(_, plain)| *plain);
    let expected = known.unwrap_or(if named { "a table of settings" } else { expected });
    format!("{before}, expected {expected}")
}

/// What serde calls an invalid type or value: the value, where it tells it, and what it is otherwise.
fn not_taken(message: &str) -> Option<String> {
    let rest = ["invalid type: ", "invalid value: "].iter().find_map(|start| message.strip_prefix(start))?;
    let (given, expected) = rest.split_once(", expected ")?;
    let value = match given.split_once(['`', '"']) {
        Some((kind, value)) if kind.starts_with("string") => format!("\"{}\"", value.trim_end_matches('"')),
        Some((_, value)) => value.trim_end_matches('`').to_string(),
        None => match given {
            "sequence" => "a list".into(),
            "map" => "a table".into(),
            other => other.to_string(),
        },
    };
    Some(format!("{value} is not taken, expected {expected}"))
}

fn flaws_of_table(table: &DeTable<'_>, fields: &[Field], tag: Option<&str>, name: &str, flaws: &mut Vec<Flaw>) {
    let inner = |key: &str| if name.is_empty() { key.to_string() } else { format!("{name}.{key}") };
    for (key, value) in table {
        let own: &str = key.get_ref();
        match fields.iter().find(|field| field.name == own) {
            Some(field) => flaws_of(value, &field.sort, &inner(own), flaws),
            None if tag == Some(own) => {}
            None => flaws.push(Flaw { name: inner(own), at: key.span() }),
        }
    }
}

/// Keys that there are not, and values that are not taken.
fn flaws_of(value: &Spanned<DeValue<'_>>, sort: &Sort, name: &str, flaws: &mut Vec<Flaw>) {
    let good = match (sort, value.get_ref()) {
        (Sort::Again { .. } | Sort::Any, _) => true,
        (Sort::Flag, value) => value.is_bool(),
        (Sort::Count, value) => value.as_integer().is_some_and(|number| !number.as_str().starts_with('-')),
        (Sort::Number, value) => value.is_integer() || value.is_float(),
        (Sort::Text, value) => value.is_str(),
        (Sort::Word { words }, value) => words.iter().any(|word| value.as_str() == Some(&word.name)),
        (Sort::Either { sorts }, _) => sorts.iter().any(|sort| {
            let mut own = Vec::new();
            flaws_of(value, sort, name, &mut own);
            own.is_empty()
        }),
        (Sort::List { of, .. }, DeValue::Array(items)) => {
            let items = items.iter().enumerate();
            return items.for_each(|(at, item)| flaws_of(item, of, &format!("{name}.{at}"), flaws));
        }
        (Sort::Row { of }, DeValue::Array(items)) => {
            return items.iter().zip(of).for_each(|(item, sort)| flaws_of(item, sort, name, flaws));
        }
        // A table without settings of its own takes any names.
        (Sort::Table { fields }, DeValue::Table(_)) if fields.is_empty() => true,
        (Sort::Table { fields }, DeValue::Table(table)) => return flaws_of_table(table, fields, None, name, flaws),
        (Sort::Kinds { tag, kinds }, DeValue::Table(table)) => {
            let Some((_, given)) = table.iter().find(|(key, _)| key.get_ref() == tag) else { return };
            match kinds.iter().find(|kind| given.get_ref().as_str() == Some(&kind.name)) {
                Some(kind) => flaws_of_table(table, &kind.fields, Some(tag), name, flaws),
                None => flaws.push(Flaw { name: format!("{name}.{tag}"), at: given.span() }),
            }
            return;
        }
        _ => false,
    };
    if !good {
        flaws.push(Flaw { name: name.to_string(), at: value.span() });
    }
}

/// What was probably meant by the unknown name that serde tells, with those that it expected.
fn meant(message: &str) -> Option<String> {
    let (given, expected) = message.strip_prefix("unknown ")?.split_once(", expected ")?;
    let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    let known = quoted(expected);
    suggestion(quoted(given).first()?, known.iter().map(String::as_str))
}
