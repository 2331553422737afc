//! A folder of images with a table of labels.

use super::ImageSet;
use crate::Result;
use crate::table::{Dataset, Matched, Table, TableSpec, Unmatched, match_known};

/// Images and their labels, row by row the same.
#[derive(Debug, Clone)]
pub struct LabeledImages {
    /// The images.
    pub images: ImageSet,
    /// Their labels and further columns.
    pub data: Dataset,
    /// What was left over on either side.
    pub matched: Matched,
}

/// Joins images with the rows of a table by the file names in its column `file_column`.
///
/// Rows of images that were skipped as unusable are left out; rows with missing labels follow the policy of `spec`.
///
/// # Errors
/// [`Error::Unmatched`](crate::Error::Unmatched) and everything that can be wrong with the table.
pub fn labeled(
    images: &ImageSet,
    table: &Table,
    file_column: &str,
    spec: &TableSpec,
    policy: Unmatched,
) -> Result<LabeledImages> {
    let names: Vec<&str> = images.files().iter().map(|file| file.name.as_str()).collect();
    let skipped: Vec<String> = images.skipped().iter().map(|bad| relative(images, &bad.path)).collect();
    let skipped: Vec<&str> = skipped.iter().map(String::as_str).collect();
    let matched = match_known(table, file_column, (&names, &skipped), images.root(), policy)?;
    let data = table.select(&matched.rows)?.dataset(spec)?;
    let kept: Vec<usize> = data.rows.iter().map(|&row| matched.files[row]).collect();
    Ok(LabeledImages { images: images.select(&kept)?, data, matched })
}

fn relative(images: &ImageSet, path: &std::path::Path) -> String {
    let path = path.strip_prefix(images.root()).unwrap_or(path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
