//! Which row of a table belongs to which file of a folder.

use std::collections::HashMap;
use std::path::Path;

use super::Table;
use crate::listed::Listed;
use crate::{Error, Result};

/// What becomes of rows without file and files without row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unmatched {
    /// They are an error.
    #[default]
    Error,
    /// They are left out, and listed.
    Drop,
}

/// Pairs of row and file, in the order of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// The files that have a row, ascending.
    pub files: Vec<usize>,
    /// The row of each of them.
    pub rows: Vec<usize>,
    /// Names in the table without file.
    pub rows_left: Listed,
    /// Files without row.
    pub files_left: Listed,
}

/// Matches the names in `column` with files given by their paths relative to `folder`, with `/` between parts.
///
/// A name is a relative path (`\` is read as `/`, a leading `./` is ignored); if no file has that path, a bare file name
/// that occurs in one folder only.
///
/// # Errors
/// [`Error::Unmatched`] if something is left over and must not be; [`Error::AmbiguousFile`] if two rows name one file or a
/// bare name fits several.
pub fn match_files(table: &Table, column: &str, files: &[&str], folder: &Path, policy: Unmatched) -> Result<Matched> {
    match_known(table, column, (files, &[]), folder, policy)
}

/// As [`match_files`], with further files that are known to be unusable: their rows are left out without complaint.
pub(crate) fn match_known(
    table: &Table,
    column: &str,
    (usable, unusable): (&[&str], &[&str]),
    folder: &Path,
    policy: Unmatched,
) -> Result<Matched> {
    let files = &[usable, unusable].concat()[..];
    let by_path: HashMap<&str, usize> = files.iter().enumerate().map(|(n, name)| (*name, n)).collect();
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, path) in files.iter().enumerate() {
        by_name.entry(path.rsplit('/').next().unwrap_or(path)).or_default().push(n);
    }
    let mut row_of_file: Vec<Option<usize>> = vec![None; files.len()];
    let mut rows_left = Listed::default();
    for (row, name) in table.texts(column)?.into_iter().enumerate() {
        let path = name.replace('\\', "/");
        let path = path.strip_prefix("./").unwrap_or(&path);
        let ambiguous = |reason, first: String, second: String| Error::AmbiguousFile {
            table: table.path().to_path_buf(),
            name: name.clone(),
            reason,
            first,
            second,
        };
        let file = match (by_path.get(path), by_name.get(path)) {
            (Some(&file), _) => file,
            (None, Some(candidates)) if candidates.len() == 1 => candidates[0],
            (None, Some(several)) => {
                let (first, second) = (files[several[0]].to_string(), files[several[1]].to_string());
                return Err(ambiguous("fits several files", first, second));
            }
            (None, None) => {
                rows_left.push(name);
                continue;
            }
        };
        if let Some(earlier) = row_of_file[file].replace(row) {
            return Err(ambiguous("is named twice", table.place(earlier), table.place(row)));
        }
    }
    let files_left: Listed = (0..usable.len()).filter(|&n| row_of_file[n].is_none()).map(|n| files[n]).collect();
    if policy == Unmatched::Error && rows_left.total + files_left.total > 0 {
        let (table, folder) = (table.path().to_path_buf(), folder.to_path_buf());
        return Err(Error::Unmatched { table, folder, rows: rows_left, files: files_left });
    }
    let pairs: Vec<(usize, usize)> =
        row_of_file[..usable.len()].iter().enumerate().filter_map(|(n, row)| Some((n, (*row)?))).collect();
    let (files, rows) = pairs.into_iter().unzip();
    Ok(Matched { files, rows, rows_left, files_left })
}
