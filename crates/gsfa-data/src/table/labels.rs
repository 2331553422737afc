//! Label columns: numbers to estimate or classes to tell apart.

use std::collections::HashSet;

use super::Table;
use crate::Result;

/// What the values of a label column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LabelKind {
    /// Numbers to estimate.
    Numbers,
    /// Classes to tell apart.
    Classes,
}

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

/// So many distinct whole numbers are classes, whatever they are.
const FEW: usize = 10;
/// So many distinct whole numbers are classes if they count from 0 or 1, as class identifiers do.
const IDENTIFIERS: usize = 100;

impl Table {
    /// Whether a column holds numbers or classes.
    ///
    /// Text is classes. Whole numbers are classes if each occurs twice on average and there are at most 10 of them, or at
    /// most 100 and the smallest is 0 or 1 (43 sign classes are, 60 ages from 16 to 75 are not). Other numbers are
    /// numbers.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`](crate::Error::UnknownColumn).
    pub fn recognise(&self, name: &str) -> Result<LabelKind> {
        let values = self.column(name)?;
        let mut distinct = HashSet::new();
        let mut present = 0;
        let mut smallest = f64::INFINITY;
        for row in 0..self.len() {
            let Some(value) = values.number(row, self.decimal_comma) else { return Ok(LabelKind::Classes) };
            if value.is_nan() {
                continue;
            }
            if value.fract() != 0.0 {
                return Ok(LabelKind::Numbers);
            }
            distinct.insert(value.to_bits());
            present += 1;
            smallest = smallest.min(value);
        }
        let few = distinct.len() <= FEW || (distinct.len() <= IDENTIFIERS && (smallest == 0.0 || smallest == 1.0));
        let classes = few && present > 0 && 2 * distinct.len() <= present;
        Ok(if classes { LabelKind::Classes } else { LabelKind::Numbers })
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
