//! Parquet tables: numbers and text in, tables out. Compiled with the `parquet` feature only.

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use gsfa::file::{AtomicFile, Overwrite};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

use super::{Origin, Table, TextColumn, Values};
use crate::{Error, Result, input};

impl Table {
    /// Reads the numeric and text columns of a Parquet file; nulls are missing values. Columns of other types are left out.
    ///
    /// # Errors
    /// [`Error::Parquet`] if the file is truncated or broken; [`Error::EmptyTable`]; [`Error::DuplicateHeader`].
    pub fn read_parquet(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let broken = |reason: String| Error::Parquet { path: path.to_path_buf(), reason };
        let (file, _) = input::open(path)?;
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|e| broken(e.to_string()))?;
        let mut columns: Vec<(String, Option<Values>)> =
            builder.schema().fields().iter().map(|field| (field.name().clone(), empty(field.data_type()))).collect();
        super::positions(columns.iter().map(|(name, _)| name.as_str()), path)?;
        let fields = builder.schema().fields().iter();
        let booleans = fields.filter(|field| *field.data_type() == DataType::Boolean);
        let booleans: Vec<String> = booleans.map(|field| field.name().clone()).collect();
        for batch in builder.build().map_err(|e| broken(e.to_string()))? {
            let batch = batch.map_err(|e| broken(e.to_string()))?;
            for ((_, values), array) in columns.iter_mut().zip(batch.columns()) {
                match values {
                    Some(Values::Numbers(numbers)) => append_numbers(numbers, array),
                    Some(Values::Text(text)) => append_text(text, array),
                    None => {}
                }
            }
        }
        let columns: Vec<(String, Values)> =
            columns.into_iter().filter_map(|(name, values)| Some((name, values?))).collect();
        if columns.first().is_none_or(|(_, values)| values.is_empty()) {
            return Err(Error::EmptyTable { path: path.to_path_buf(), missing: "no rows" });
        }
        Ok(Self::assemble(path, columns, Origin::Rows, false)?.with_booleans(booleans))
    }

    /// Writes the table as Parquet: doubles and text, nulls for what is missing, compressed with snappy.
    ///
    /// # Errors
    /// [`Error::OutputExists`], [`Error::Io`] or [`Error::Parquet`].
    pub fn write_parquet(&self, path: impl AsRef<Path>, overwrite: Overwrite) -> Result<()> {
        let path = path.as_ref();
        let broken = |reason: String| Error::Parquet { path: path.to_path_buf(), reason };
        let (mut fields, mut arrays) = (Vec::new(), Vec::<ArrayRef>::new());
        for (name, values) in self.columns() {
            let (kind, array): (DataType, ArrayRef) = match values {
                Values::Numbers(numbers) => {
                    let cells = numbers.iter().map(|&x| (!x.is_nan()).then_some(x));
                    (DataType::Float64, Arc::new(Float64Array::from_iter(cells)))
                }
                Values::Text(_) => {
                    let cells = (0..self.len()).map(|row| Some(values.text(row)).filter(|text| !text.is_empty()));
                    (DataType::Utf8, Arc::new(StringArray::from_iter(cells)))
                }
            };
            fields.push(Field::new(name, kind, true));
            arrays.push(array);
        }
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(|e| broken(e.to_string()))?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let mut file = AtomicFile::create(path, overwrite).map_err(Error::writing(path))?;
        let mut writer =
            ArrowWriter::try_new(&mut file, schema, Some(properties)).map_err(|e| broken(e.to_string()))?;
        writer.write(&batch).map_err(|e| broken(e.to_string()))?;
        writer.close().map_err(|e| broken(e.to_string()))?;
        file.commit().map_err(Error::writing(path))
    }
}

/// A column to fill, or `None` for types that are neither numbers nor text.
fn empty(kind: &DataType) -> Option<Values> {
    match kind {
        DataType::Boolean => Some(Values::Numbers(Vec::new())),
        kind if kind.is_integer() || matches!(kind, DataType::Float32 | DataType::Float64) => {
            Some(Values::Numbers(Vec::new()))
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(Values::Text(TextColumn::default())),
        DataType::Dictionary(key, value) if **value == DataType::Utf8 && key.is_integer() => {
            Some(Values::Text(TextColumn::default()))
        }
        _ => None,
    }
}

fn append_numbers(numbers: &mut Vec<f64>, array: &ArrayRef) {
    macro_rules! append {
        ($($kind:ident => $type:ty),*) => {
            match array.data_type() {
                DataType::Boolean => {
                    numbers.extend(array.as_boolean().iter().map(|x| x.map_or(f64::NAN, |x| f64::from(u8::from(x)))));
                }
                $(DataType::$kind => {
                    numbers.extend(array.as_primitive::<$type>().iter().map(|x| x.map_or(f64::NAN, |x| x as f64)));
                })*
                _ => numbers.resize(numbers.len() + array.len(), f64::NAN),
            }
        };
    }
    append!(
        Int8 => Int8Type, Int16 => Int16Type, Int32 => Int32Type, Int64 => Int64Type,
        UInt8 => UInt8Type, UInt16 => UInt16Type, UInt32 => UInt32Type, UInt64 => UInt64Type,
        Float32 => Float32Type, Float64 => Float64Type
    );
}

fn append_text(text: &mut TextColumn, array: &ArrayRef) {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().for_each(|cell| text.push(cell.unwrap_or_default())),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().for_each(|cell| text.push(cell.unwrap_or_default())),
        DataType::Utf8View => array.as_string_view().iter().for_each(|cell| text.push(cell.unwrap_or_default())),
        _ => {
            let dictionary = array.as_any_dictionary();
            let words = dictionary.values().as_string::<i32>();
            let keys = dictionary.normalized_keys();
            for (row, key) in keys.into_iter().enumerate() {
                text.push(if array.is_null(row) { "" } else { words.value(key) });
            }
        }
    }
}
