//! Parts of messages.

use std::path::Path;

use gsfa::error::brief;

use crate::listed::Listed;

/// The beginning of a sentence about a cell.
pub fn cell(path: &Path, place: &str, column: &str) -> String {
    format!("{}, {place}, column '{}'", brief::path(path), brief::text(column))
}

/// The beginning of a sentence about a column.
pub fn column(path: &Path, column: &str) -> String {
    format!("{}: column '{}'", brief::path(path), brief::text(column))
}

/// The beginning of a sentence about what a cell holds.
pub fn holds(path: &Path, place: &str, column: &str, cell: &str) -> String {
    format!("{}, {place}: column '{}' holds '{}'", brief::path(path), brief::text(column), brief::text(cell))
}

/// `1 missing value`, `2 missing values`.
pub fn values(count: usize, sort: &str) -> String {
    format!("{count} {sort} {}", if count == 1 { "value" } else { "values" })
}

pub fn asked_member(asked: Option<&str>) -> String {
    match asked {
        Some(name) => format!("there is no array '{}' in the archive", brief::text(name)),
        None => "which array of the archive?".to_string(),
    }
}

pub fn unmatched_message(table: &Path, folder: &Path, rows: &Listed, files: &Listed) -> String {
    let told = |(left, of, other): (&Listed, &Path, &Path)| {
        format!("{} of {} not in {}: {left}", left.count("file", "files"), brief::path(of), brief::path(other))
    };
    let sides = [(rows, table, folder), (files, folder, table)];
    sides.into_iter().filter(|(left, ..)| left.total > 0).map(told).collect::<Vec<_>>().join("; ")
}
