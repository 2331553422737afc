//! Tables: named columns of numbers or text, from CSV or Parquet, and back.

mod column;
mod csv;
mod dataset;
mod labels;
mod matching;
#[cfg(feature = "parquet")]
mod parquet;
mod write;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub use column::{TextColumn, Values};
pub use csv::CsvOptions;
pub use dataset::{Columns, Dataset, Missing, MissingReport, TableSpec};
pub use labels::{KindReason, LabelKind, LabelSpec, Recognised};
pub(crate) use matching::match_known;
pub use matching::{Matched, Unmatched, match_files};
pub use write::write_json_lines_to;

use crate::{Error, Result};

/// A table in memory: its text or numbers take about the space of the file.
///
/// Tables larger than memory belong into `.npy`, which is read by rows.
#[derive(Debug, Clone)]
pub struct Table {
    path: PathBuf,
    columns: Vec<(String, Values)>,
    len: usize,
    /// The line on which each row starts, for tables that have lines.
    lines: Option<Vec<u64>>,
    decimal_comma: bool,
    /// Columns of numbers that were booleans in the file.
    booleans: Vec<String>,
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
                left: format!("column '{}'", columns[0].0),
                left_len: len,
                right: format!("column '{name}'"),
                right_len: values.len(),
            });
        }
        let path = PathBuf::from("table");
        refuse_duplicates(columns.iter().map(|(name, _)| name.as_str()), &path)?;
        Ok(Self { path, columns, len, lines: None, decimal_comma: false, booleans: Vec::new() })
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
        self.columns.iter().find(|(n, _)| n == name).map(|(_, values)| values).ok_or_else(|| Error::UnknownColumn {
            path: self.path.clone(),
            name: name.to_string(),
            available: self.names().map(str::to_string).collect(),
        })
    }

    /// The numbers of a column, NaN where one is missing.
    ///
    /// # Errors
    /// [`Error::NotANumber`] or [`Error::Infinite`] with line and column.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>> {
        let values = self.column(name)?;
        (0..self.len)
            .map(|row| match values.number(row, self.decimal_comma) {
                Some(value) if value.is_infinite() => {
                    Err(Error::Infinite { path: self.path.clone(), place: self.place(row), column: name.to_string() })
                }
                Some(value) => Ok(value),
                None => Err(Error::NotANumber {
                    path: self.path.clone(),
                    place: self.place(row),
                    column: name.to_string(),
                    text: values.text(row).chars().take(40).collect(),
                }),
            })
            .collect()
    }

    /// The cells of a column as text.
    ///
    /// # Errors
    /// [`Error::UnknownColumn`].
    pub fn texts(&self, name: &str) -> Result<Vec<String>> {
        let values = self.column(name)?;
        Ok((0..self.len).map(|row| values.text(row).into_owned()).collect())
    }

    /// The given rows, in the given order, also repeatedly; messages still name the original lines.
    ///
    /// # Errors
    /// [`Error::RowOutOfRange`].
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        if let Some(&row) = rows.iter().find(|&&row| row >= self.len) {
            return Err(Error::RowOutOfRange { row, len: self.len });
        }
        Ok(Self {
            path: self.path.clone(),
            columns: self.columns.iter().map(|(name, values)| (name.clone(), values.select(rows))).collect(),
            len: rows.len(),
            lines: self.lines.as_ref().map(|lines| rows.iter().map(|&row| lines[row]).collect()),
            decimal_comma: self.decimal_comma,
            booleans: self.booleans.clone(),
        })
    }

    /// Where a row stands: its line if the table has lines, else its number from 0.
    pub fn place(&self, row: usize) -> String {
        match &self.lines {
            Some(lines) => format!("line {}", lines[row]),
            None => format!("row {row}"),
        }
    }
}

fn refuse_duplicates<'a>(names: impl Iterator<Item = &'a str>, path: &Path) -> Result<()> {
    let mut seen = HashMap::new();
    for (position, name) in names.enumerate() {
        if let Some(first) = seen.insert(name, position) {
            return Err(Error::DuplicateHeader {
                path: path.to_path_buf(),
                name: name.to_string(),
                first: first + 1,
                second: position + 1,
            });
        }
    }
    Ok(())
}
