//! Writing tables: CSV, JSON lines, `.npy`.

use std::io::{self, Write};
use std::path::Path;

use ndarray::Array2;
use serde_json::{Number, Value};

use super::{Table, Values};
use crate::npy::NpyWriter;
use crate::{Error, Result};
use gsfa::file::{AtomicFile, Overwrite};
use gsfa::samples::Element;

impl Table {
    /// Writes the table as CSV: a header, commas, decimal points, missing numbers as empty cells.
    ///
    /// # Errors
    /// [`Error::OutputExists`] or [`Error::Io`].
    pub fn write_csv(&self, path: impl AsRef<Path>, overwrite: Overwrite) -> Result<()> {
        let path = path.as_ref();
        let mut file = AtomicFile::create(path, overwrite).map_err(Error::writing(path))?;
        self.write_csv_to(&mut file).map_err(Error::writing(path))?;
        file.commit().map_err(Error::writing(path))
    }

    /// Writes the table as CSV to any writer.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn write_csv_to(&self, writer: impl Write) -> io::Result<()> {
        let mut csv = ::csv::WriterBuilder::new().from_writer(writer);
        let fail = |e: ::csv::Error| match e.into_kind() {
            ::csv::ErrorKind::Io(e) => e,
            other => io::Error::other(format!("{other:?}")),
        };
        csv.write_record(self.names()).map_err(fail)?;
        for row in 0..self.len() {
            for (_, values) in self.columns() {
                csv.write_field(values.text(row).as_bytes()).map_err(fail)?;
            }
            csv.write_record(None::<&[u8]>).map_err(fail)?;
        }
        csv.flush()
    }

    /// Writes the table as JSON lines: one object per row, keys in the order of the columns, `null` for what is missing.
    ///
    /// # Errors
    /// [`Error::OutputExists`] or [`Error::Io`].
    pub fn write_json_lines(&self, path: impl AsRef<Path>, overwrite: Overwrite) -> Result<()> {
        let path = path.as_ref();
        let mut file = AtomicFile::create(path, overwrite).map_err(Error::writing(path))?;
        write_json_lines_to(self, &mut file).map_err(Error::writing(path))?;
        file.commit().map_err(Error::writing(path))
    }

    /// Writes the numeric columns as one `.npy` array of f64 (N×columns).
    ///
    /// # Errors
    /// [`Error::NotANumber`] if a column holds text; [`Error::OutputExists`] or [`Error::Io`].
    pub fn write_npy(&self, path: impl AsRef<Path>, overwrite: Overwrite) -> Result<()> {
        let columns = self.names().map(|name| self.numbers(name)).collect::<Result<Vec<_>>>()?;
        let rows = Array2::from_shape_fn((self.len(), columns.len()), |(n, i)| columns[i][n]);
        let mut writer = NpyWriter::create(path, &[self.len(), columns.len()], Element::F64, overwrite)?;
        writer.append(rows.view())?;
        writer.finish()
    }
}

/// Writes a table as JSON lines to any writer; JSON has no infinity, so that infinite numbers are `null` too.
///
/// # Errors
/// What the writer reports.
pub fn write_json_lines_to(table: &Table, mut writer: impl Write) -> io::Result<()> {
    for row in 0..table.len() {
        for (i, (name, values)) in table.columns().enumerate() {
            writer.write_all(if i == 0 { b"{" } else { b"," })?;
            serde_json::to_writer(&mut writer, name)?;
            writer.write_all(b":")?;
            serde_json::to_writer(&mut writer, &json(values, row))?;
        }
        writer.write_all(if table.columns.is_empty() { b"{}\n" } else { b"}\n" })?;
    }
    writer.flush()
}

fn json(values: &Values, row: usize) -> Value {
    match values {
        Values::Numbers(numbers) => Number::from_f64(numbers[row]).map_or(Value::Null, Value::Number),
        Values::Text(_) => Value::String(values.text(row).into_owned()),
    }
}
