//! Tables: named columns of numbers or text, from CSV or Parquet, and back.

mod column;
mod csv;
mod dataset;
mod encode;
mod labels;
mod matching;
#[cfg(feature = "parquet")]
mod parquet;
mod write;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use gsfa::error::brief::text;

pub use column::{TextColumn, Values, is_missing_cell};
pub use csv::CsvOptions;
pub use dataset::{Columns, Dataset, Missing, MissingReport, TableSpec};
pub use encode::{Categories, Encoding, day};
pub(crate) use encode::{meant, some};
pub use labels::{KindReason, LabelKind, LabelSpec, Recognized};
pub(crate) use matching::match_known;
pub use matching::{Matched, Unmatched, match_files};
pub use write::write_json_lines_to;

use crate::{Error, Result, memory};

/// A table in memory: its text or numbers take about the space of the file.
///
/// Tables larger than memory belong into `.npy`, which is read by rows.
#[derive(Debug, Clone)]
pub struct Table {
    path: PathBuf,
    columns: Vec<(String, Values)>,
    /// Where each column stands: tables may have as many columns as others have rows.
    position: HashMap<String, usize>,
    len: usize,
    origin: Origin,
    decimal_comma: bool,
    /// Columns of numbers that were booleans in the file.
    booleans: Vec<String>,
    /// The column of words that each column of 0 and 1 was made of.
    indicated: HashMap<String, String>,
}

/// Where the rows of a table stand in its file.
#[derive(Debug, Clone)]
enum Origin {
    /// The line on which each row starts.
    Lines(Vec<u64>),
    /// Row by row.
    Rows,
    /// Some of the rows of a file without lines.
    SomeRows(Vec<usize>),
}

impl Table {
    /// A table from columns of equal length.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] or [`Error::DuplicateHeader`].
    pub fn new(columns: Vec<(String, Values)>) -> Result<Self> {
        let len = columns.first().map_or(0, |(_, values)| values.len());
        if let Some((name, values)) = columns.iter().find(|(_, values)| values.len() != len) {
            return Err(Error::LengthMismatch {
                left: format!("column '{}'", text(&columns[0].0)),
                left_len: len,
                right: format!("column '{}'", text(name)),
                right_len: values.len(),
            });
        }
        Self::assemble(&PathBuf::from("table"), columns, Origin::Rows, false)
    }

    /// A table from columns that are known to have the same length.
    fn assemble(path: &Path, columns: Vec<(String, Values)>, origin: Origin, decimal_comma: bool) -> Result<Self> {
        let len = columns.first().map_or(0, |(_, values)| values.len());
        let position = positions(columns.iter().map(|(name, _)| name.as_str()), path)?;
        let (path, booleans, indicated) = (path.to_path_buf(), Vec::new(), HashMap::new());
        Ok(Self { path, columns, position, len, origin, decimal_comma, booleans, indicated })
    }

    /// The same table, with columns of 0 and 1 that are booleans: as labels they are classes.
    #[must_use]
    pub fn with_booleans(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.booleans.extend(names);
        self
    }

    /// The file the table was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Names and values of the columns, in their order.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &Values)> {
        self.columns.iter().map(|(name, values)| (name.as_str(), values))
    }

    /// The names of the columns, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The column called `name`.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`] if there is none.
    pub fn column(&self, name: &str) -> Result<&Values> {
        self.position.get(name).map(|&at| &self.columns[at].1).ok_or_else(|| Error::UnknownColumn {
            path: self.path.clone(),
            name: name.to_string(),
            available: self.names().map(str::to_string).collect(),
        })
    }

    /// Whether there is a column called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.position.contains_key(name)
    }

    /// The numbers of a column, NaN where one is missing.
    ///
    /// # Errors
    /// [`Error::NotANumber`] or [`Error::Infinite`] with line and column.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>> {
        let numbers = self.numbers_or_infinity(name)?;
        match numbers.iter().position(|value| value.is_infinite()) {
            Some(row) => {
                Err(Error::Infinite { path: self.path.clone(), place: self.place(row), column: name.to_string() })
            }
            None => Ok(numbers),
        }
    }

    fn numbers_or_infinity(&self, name: &str) -> Result<Vec<f64>> {
        let values = self.column(name)?;
        let mut numbers = memory::reserve(self.len, &self.path)?;
        for row in 0..self.len {
            numbers.push(values.number(row, self.decimal_comma).ok_or_else(|| Error::NotANumber {
                path: self.path.clone(),
                place: self.place(row),
                column: name.to_string(),
                text: values.text(row).into_owned(),
            })?);
        }
        Ok(numbers)
    }

    /// The cells of a column as text.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`].
    pub fn texts(&self, name: &str) -> Result<Vec<String>> {
        let values = self.column(name)?;
        Ok((0..self.len).map(|row| values.text(row).into_owned()).collect())
    }

    /// The given rows, in the given order, also repeatedly; messages still name the original lines or rows.
    ///
    /// # Errors
    /// [`gsfa::Error::RowOutOfRange`].
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        if let Some(&row) = rows.iter().find(|&&row| row >= self.len) {
            return Err(gsfa::Error::RowOutOfRange { row, len: self.len }.into());
        }
        Ok(Self {
            path: self.path.clone(),
            columns: self.columns.iter().map(|(name, values)| (name.clone(), values.select(rows))).collect(),
            position: self.position.clone(),
            len: rows.len(),
            origin: match &self.origin {
                Origin::Lines(lines) => Origin::Lines(rows.iter().map(|&row| lines[row]).collect()),
                Origin::Rows => Origin::SomeRows(rows.to_vec()),
                Origin::SomeRows(own) => Origin::SomeRows(rows.iter().map(|&row| own[row]).collect()),
            },
            decimal_comma: self.decimal_comma,
            booleans: self.booleans.clone(),
            indicated: self.indicated.clone(),
        })
    }

    /// Where a row stands in the file: its line if there are lines, else its number from 0.
    pub fn place(&self, row: usize) -> String {
        match &self.origin {
            Origin::Lines(lines) => format!("line {}", lines[row]),
            Origin::Rows => format!("row {row}"),
            Origin::SomeRows(rows) => format!("row {}", rows[row]),
        }
    }
}

/// Where each name stands, unless one stands twice.
fn positions<'a>(names: impl Iterator<Item = &'a str>, path: &Path) -> Result<HashMap<String, usize>> {
    let mut seen = HashMap::new();
    for (position, name) in names.enumerate() {
        if let Some(first) = seen.insert(name.to_string(), position) {
            return Err(Error::DuplicateHeader {
                path: path.to_path_buf(),
                name: name.to_string(),
                first: first + 1,
                second: position + 1,
            });
        }
    }
    Ok(seen)
}
