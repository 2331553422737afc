//! Columns of words as numbers: a 0/1 column for each word, or the days of dates.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, NaiveDateTime};
use gsfa::error::brief::text;
pub use gsfa::preparation::Encoding;
use gsfa::specification::suggestion;

use super::{Table, Values, is_missing_cell};
use crate::{Error, Result};

/// More words than this are names or texts, not categories.
const MOST_CATEGORIES: usize = 1000;

/// What becomes of sample columns that hold words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Categories {
    /// They are an error.
    #[default]
    Error,
    /// A column of 0 and 1 for each word; columns of dates (2026-11-17, with or without a time) become days since 1970-01-01.
    OneHot,
}

impl Table {
    /// How the named columns that hold words can become numbers.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`]; [`Error::TooManyCategories`] for a column with more than a thousand words, or a word of its own
    /// in every row.
    pub fn encodings(&self, names: &[String]) -> Result<BTreeMap<String, Encoding>> {
        let mut found = BTreeMap::new();
        for name in names {
            let values = self.column(name)?;
            let Values::Text(_) = values else { continue };
            if (0..self.len).all(|row| values.number(row, self.decimal_comma).is_some()) {
                continue;
            }
            found.insert(name.clone(), self.encoding(name, values)?);
        }
        Ok(found)
    }

    fn encoding(&self, name: &str, values: &Values) -> Result<Encoding> {
        let cells = || (0..self.len).filter(move |&row| !is_missing(values, row)).map(move |row| values.text(row));
        // A column of dates with a mistake in it is one of dates, too: reading it names the cell.
        if 2 * cells().filter(|cell| days(cell).is_some()).count() > cells().count() {
            return Ok(Encoding::Days);
        }
        let words: BTreeSet<String> = cells().map(std::borrow::Cow::into_owned).collect();
        if words.len() > MOST_CATEGORIES || (words.len() == cells().count() && self.len > 2) {
            let (path, column) = (self.path.clone(), name.to_string());
            return Err(Error::TooManyCategories { path, column, words: words.len(), rows: self.len });
        }
        Ok(Encoding::OneHot { words: words.into_iter().collect() })
    }

    /// The same table with columns of words as numbers, missing where the word is; others stay as they are.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`], [`Error::UnknownCategory`] for a word that the encoding does not have, [`Error::NotADate`].
    pub fn encoded(&self, encodings: &BTreeMap<String, Encoding>) -> Result<Self> {
        for name in encodings.keys() {
            self.column(name)?;
        }
        let mut columns: Vec<(String, Values)> = Vec::with_capacity(self.columns.len());
        for (name, values) in &self.columns {
            match encodings.get(name) {
                None => columns.push((name.clone(), values.clone())),
                Some(Encoding::Days) => columns.push((name.clone(), self.as_days(name, values)?)),
                Some(Encoding::OneHot { words }) => columns.extend(self.as_indicators(name, values, words)?),
            }
        }
        let mut table = Self::assemble(&self.path, columns, self.origin.clone(), self.decimal_comma)?;
        table.booleans.clone_from(&self.booleans);
        table.indicated = encodings
            .iter()
            .flat_map(|(name, encoding)| match encoding {
                Encoding::Days => Vec::new(),
                Encoding::OneHot { words } => words.iter().map(|word| (indicator(name, word), name.clone())).collect(),
            })
            .collect();
        Ok(table)
    }

    fn as_days(&self, name: &str, values: &Values) -> Result<Values> {
        let day = |row: usize| {
            day(&values.text(row)).ok_or_else(|| Error::NotADate {
                path: self.path.clone(),
                place: self.place(row),
                column: name.to_string(),
                text: values.text(row).into_owned(),
            })
        };
        Ok(Values::Numbers((0..self.len).map(day).collect::<Result<_>>()?))
    }

    fn as_indicators(&self, name: &str, values: &Values, words: &[String]) -> Result<Vec<(String, Values)>> {
        let mut indicators = vec![vec![0.0; self.len]; words.len()];
        for row in 0..self.len {
            if is_missing(values, row) {
                indicators.iter_mut().for_each(|column| column[row] = f64::NAN);
                continue;
            }
            let cell = values.text(row);
            let Ok(at) = words.binary_search_by(|word| word.as_str().cmp(&cell)) else {
                return Err(Error::UnknownCategory {
                    path: self.path.clone(),
                    place: self.place(row),
                    column: name.to_string(),
                    text: cell.into_owned(),
                    known: words.to_vec(),
                });
            };
            indicators[at][row] = 1.0;
        }
        let named = |(word, values): (&String, Vec<f64>)| (indicator(name, word), Values::Numbers(values));
        Ok(words.iter().zip(indicators).map(named).collect())
    }
}

/// What the column of 0 and 1 of a word is called.
fn indicator(name: &str, word: &str) -> String {
    format!("{name}={word}")
}

fn is_missing(values: &Values, row: usize) -> bool {
    values.number(row, false).is_some_and(f64::is_nan)
}

/// Days since 1970-01-01 of a cell of dates, NaN if it is missing; `None` if it holds something else.
pub fn day(cell: &str) -> Option<f64> {
    if is_missing_cell(cell) { Some(f64::NAN) } else { days(cell.trim()) }
}

/// Days since 1970-01-01 of a date in the order of ISO 8601, with or without a time.
fn days(cell: &str) -> Option<f64> {
    let cell = cell.trim_end_matches('Z');
    if let Ok(date) = NaiveDate::parse_from_str(cell, "%Y-%m-%d") {
        return Some((date - NaiveDate::default()).num_days() as f64);
    }
    let formats = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
    let time = formats.iter().find_map(|format| NaiveDateTime::parse_from_str(cell, format).ok())?;
    let passed = time - NaiveDateTime::default();
    Some(passed.num_milliseconds() as f64 / 86_400_000.0)
}

/// What was probably meant by an unknown word.
pub(crate) fn meant(word: &str, known: &[String]) -> Option<String> {
    suggestion(word, known.iter().map(String::as_str))
}

/// The first words, for messages.
pub(crate) fn some(words: &[String]) -> String {
    let shown: Vec<String> = words.iter().take(5).map(|word| format!("'{}'", text(word))).collect();
    let more = words.len().saturating_sub(5);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
