//! Memory for what files hold: asked for first, so that too large a file is an error and not the end of the program.

use std::path::Path;

use ndarray::Array2;

use crate::table::TextColumn;
use crate::{Error, Result};

/// An empty list with room for `len` values from the file at `path`.
pub(crate) fn reserve<T>(len: usize, path: &Path) -> Result<Vec<T>> {
    let mut values = Vec::new();
    values.try_reserve_exact(len).map_err(|_| too_much(path, len.saturating_mul(size_of::<T>())))?;
    Ok(values)
}

/// Appends a value from the file at `path`.
pub(crate) fn push<T>(values: &mut Vec<T>, value: T, path: &Path) -> Result<()> {
    values.try_reserve(1).map_err(|_| too_much(path, size_of_val(&values[..])))?;
    values.push(value);
    Ok(())
}

/// Some values of a column of the file at `path`.
pub(crate) fn picked<T: Copy>(values: &[T], rows: &[usize], path: &Path) -> Result<Vec<T>> {
    let mut picked = reserve(rows.len(), path)?;
    picked.extend(rows.iter().map(|&row| values[row]));
    Ok(picked)
}

/// Appends a cell of the file at `path`.
pub(crate) fn push_cell(column: &mut TextColumn, cell: &str, path: &Path) -> Result<()> {
    column.reserve(cell.len()).map_err(|_| too_much(path, column.bytes() + cell.len()))?;
    column.push(cell);
    Ok(())
}

/// Rows of zeros for numbers from the file at `path`.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub fn zeros<T: Clone + Default>(rows: usize, columns: usize, path: &Path) -> Result<Array2<T>> {
    let len = rows.checked_mul(columns).ok_or_else(|| too_much(path, usize::MAX))?;
    let mut values = reserve(len, path)?;
    values.resize(len, T::default());
    Array2::from_shape_vec((rows, columns), values).map_err(|_| too_much(path, usize::MAX))
}

fn too_much(path: &Path, bytes: usize) -> Error {
    Error::OutOfMemory { path: path.to_path_buf(), bytes: bytes as u64 }
}
