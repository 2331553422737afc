//! The cells of one column.

use std::borrow::Cow;
use std::collections::TryReserveError;

/// The cells of one column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers, NaN where one is missing.
    Numbers(Vec<f64>),
    /// Text, empty where it is missing.
    Text(TextColumn),
}

impl Values {
    /// A text column from its cells.
    pub fn text_from<S: AsRef<str>>(cells: impl IntoIterator<Item = S>) -> Self {
        let mut column = TextColumn::default();
        for cell in cells {
            column.push(cell.as_ref());
        }
        Self::Text(column)
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Text(text) => text.ends.len(),
        }
    }

    /// Whether there are no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a cell without surrounding blanks; numbers in their shortest exact form, missing ones empty.
    pub fn text(&self, row: usize) -> Cow<'_, str> {
        match self {
            Self::Numbers(numbers) if numbers[row].is_nan() => Cow::Borrowed(""),
            Self::Numbers(numbers) => Cow::Owned(numbers[row].to_string()),
            Self::Text(text) => Cow::Borrowed(text.get(row).trim()),
        }
    }

    pub(super) fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Numbers(numbers) => Self::Numbers(rows.iter().map(|&row| numbers[row]).collect()),
            Self::Text(text) => Self::text_from(rows.iter().map(|&row| text.get(row))),
        }
    }

    /// The number in a cell, NaN if it is missing; `None` if the cell holds something else.
    pub(super) fn number(&self, row: usize, decimal_comma: bool) -> Option<f64> {
        match self {
            Self::Numbers(numbers) => Some(numbers[row]),
            Self::Text(text) => parse(text.get(row).trim(), decimal_comma),
        }
    }
}

/// Text cells one after the other in one string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextColumn {
    text: String,
    ends: Vec<usize>,
}

impl TextColumn {
    /// Appends a cell.
    pub fn push(&mut self, cell: &str) {
        self.text.push_str(cell);
        self.ends.push(self.text.len());
    }

    /// Makes room for one more cell.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), TryReserveError> {
        self.text.try_reserve(bytes)?;
        self.ends.try_reserve(1)
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + self.ends.len() * size_of::<usize>()
    }

    fn get(&self, row: usize) -> &str {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.text[start..self.ends[row]]
    }
}

/// What stands for a missing number, beside an empty cell.
const MISSING: [&str; 6] = ["na", "n/a", "nan", "null", "none", "?"];

/// Whether the text of a cell stands for a missing value, blanks around it left aside.
pub fn is_missing_cell(cell: &str) -> bool {
    parse(cell.trim(), false).is_some_and(f64::is_nan)
}

fn parse(cell: &str, decimal_comma: bool) -> Option<f64> {
    if cell.is_empty() || MISSING.iter().any(|word| cell.eq_ignore_ascii_case(word)) {
        return Some(f64::NAN);
    }
    if decimal_comma && cell.contains(',') {
        // A point beside the comma would be a thousands mark, which nobody can tell from a decimal point: not a number.
        return if cell.contains('.') { None } else { cell.replacen(',', ".", 1).parse().ok() };
    }
    cell.parse().ok()
}
