//! Label columns: numbers to estimate or classes to tell apart.

pub use gsfa::labels::{KindReason, LabelKind, Recognized};

use super::Table;
use crate::{Result, memory};

/// A label column, and what its values are if that is not to be found out.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelSpec {
    /// The name of the column.
    pub name: String,
    /// What its values are; `None` to recognise it.
    #[serde(default)]
    pub kind: Option<LabelKind>,
}

impl LabelSpec {
    /// A column whose kind is recognised.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: None }
    }
}

impl Table {
    /// Whether a column holds numbers or classes, and why: text and booleans are classes, numbers go by the rule of
    /// [`Recognized::of_numbers`].
    ///
    /// # Errors
    /// [`Error::UnknownColumn`](crate::Error::UnknownColumn).
    pub fn recognize(&self, name: &str) -> Result<Recognized> {
        self.recognize_among(name, |_| true)
    }

    /// As [`recognize`](Self::recognise), from some of the rows.
    pub(super) fn recognize_among(&self, name: &str, counts: impl Fn(usize) -> bool) -> Result<Recognized> {
        let values = self.column(name)?;
        if self.booleans.iter().any(|boolean| boolean == name) {
            return Ok(Recognized::of_booleans());
        }
        let mut numbers = memory::reserve(self.len(), self.path())?;
        for row in (0..self.len()).filter(|&row| counts(row)) {
            match values.number(row, self.decimal_comma) {
                Some(value) => numbers.push(value),
                None => return Ok(Recognized::of_text(values.text(row), self.place(row))),
            }
        }
        Ok(Recognized::of_numbers(numbers))
    }

    /// The classes of a column as text, `None` where one is missing.
    ///
    /// A class is missing if its cell is empty; where all others are numbers, also if it is a word for a missing number.
    pub(super) fn class_names(&self, name: &str) -> Result<Vec<Option<String>>> {
        let values = self.column(name)?;
        let numbers: Option<Vec<f64>> = (0..self.len()).map(|row| values.number(row, self.decimal_comma)).collect();
        let missing = |row: usize, text: &str| numbers.as_ref().map_or(text.is_empty(), |x| x[row].is_nan());
        Ok((0..self.len())
            .map(|row| values.text(row).into_owned())
            .enumerate()
            .map(|(row, text)| if missing(row, &text) { None } else { Some(text) })
            .collect())
    }
}
