//! What can go wrong with files and tables, with file, line, column and byte; the cure stands apart in [`Error::hint`].
//!
//! One list of variants and nothing else, and therefore longer than other files: users look a failure up in one place.

mod answer;
mod core;
mod making;
mod words;

use std::io;
use std::path::PathBuf;

use gsfa::error::brief::{self, sentence};
use gsfa::samples::InputShape;

use crate::images::BadImage;
use crate::listed::{Listed, quoted};
use crate::table::some;

pub use answer::ErrorKind;

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Every failure of reading, preparing, splitting and writing data.
///
/// `Display` says what, where and how much in one sentence; [`hint`](Error::hint) says what to do about it.
#[derive(Debug, thiserror::Error, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}: {}", brief::path(path), sentence(&source.to_string()))]
    Io {
        /// What was attempted, e.g. `read`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The output exists and replacing it was not asked for.
    #[error("{} exists", brief::path(path))]
    OutputExists {
        /// The file.
        path: PathBuf,
    },
    /// The output is one of the inputs.
    #[error("{} is both input and output", brief::path(path))]
    OutputIsInput {
        /// The file.
        path: PathBuf,
    },
    /// A file is shorter than its header promises.
    #[error("{}: file ends at byte {ends_at}, header promises {promised}", brief::path(path))]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        ends_at: u64,
        /// The length it should have.
        promised: u64,
    },
    /// A file is shorter than when it was opened.
    #[error(
        "{}: file ends at byte {ends_at}, header promised {promised}: it became shorter while it was read",
        brief::path(path)
    )]
    BecameShorter {
        /// The file.
        path: PathBuf,
        /// Its length in bytes now.
        ends_at: u64,
        /// Where the array ends in it.
        promised: u64,
    },
    /// A file is longer than its header promises.
    #[error("{}: header promises {promised} bytes, file has {found}", brief::path(path))]
    TrailingBytes {
        /// The file.
        path: PathBuf,
        /// The length it should have.
        promised: u64,
        /// Its length in bytes.
        found: u64,
    },
    /// The header of an array file is not one.
    #[error("{}: bad npy header at byte {at}: {reason}", brief::path(path))]
    NpyHeader {
        /// The file.
        path: PathBuf,
        /// Where reading stopped.
        at: u64,
        /// What was expected there.
        reason: &'static str,
    },
    /// An array of Python objects, which only executing its contents could read.
    #[error("{}: pickled arrays are refused", brief::path(path))]
    Pickled {
        /// The file.
        path: PathBuf,
    },
    /// An element type that is not a real number.
    #[error("{}: element type '{}' is not a real number type", brief::path(path), brief::text(descr))]
    ElementType {
        /// The file.
        path: PathBuf,
        /// The type as written in the header.
        descr: String,
    },
    /// An array with no rows to speak of, or more axes than images have.
    #[error(
        "{}: the array has shape {shape:?}, rows need 1 to 4 axes: (N), (N, I), (N, H, W) or (N, H, W, C)",
        brief::path(path)
    )]
    Axes {
        /// The file.
        path: PathBuf,
        /// Its shape.
        shape: Vec<usize>,
    },
    /// An archive cannot be read.
    #[error("{}: broken archive: {}", brief::path(path), sentence(reason))]
    Archive {
        /// The file.
        path: PathBuf,
        /// The reason the archive reader gives.
        reason: String,
    },
    /// An archive has several arrays, none, or not the one asked for.
    #[error("{}: {}; it has {}", brief::path(path), words::asked_member(asked.as_deref()), quoted(available))]
    ArchiveMember {
        /// The archive.
        path: PathBuf,
        /// The array asked for, if one was named.
        asked: Option<String>,
        /// The arrays there are.
        available: Vec<String>,
    },
    /// A table without header or rows.
    #[error("{}: the table is empty ({missing})", brief::path(path))]
    EmptyTable {
        /// The file.
        path: PathBuf,
        /// What is missing: `no header` or `no rows`.
        missing: &'static str,
    },
    /// Two columns have the same name.
    #[error("{}, line 1: columns {first} and {second} are both called '{}'", brief::path(path), brief::text(name))]
    DuplicateHeader {
        /// The file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The first column, counted from 1.
        first: usize,
        /// The second column, counted from 1.
        second: usize,
    },
    /// A row has more or fewer cells than the header.
    #[error("{}, line {line}: {found} cells, the header has {expected}", brief::path(path))]
    RaggedRow {
        /// The file.
        path: PathBuf,
        /// The line on which the row starts, counted from 1.
        line: u64,
        /// Cells found.
        found: usize,
        /// Cells expected.
        expected: usize,
    },
    /// Text that is not UTF-8, or a table that cannot be parsed.
    #[error("{}, line {line}: {}", brief::path(path), sentence(reason))]
    TableText {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// What is wrong.
        reason: String,
    },
    /// A column name is not in the table.
    #[error("{}: there is no column '{}'; the columns are {}", brief::path(path), brief::text(name), quoted(available))]
    UnknownColumn {
        /// The file.
        path: PathBuf,
        /// The name asked for.
        name: String,
        /// The names there are.
        available: Vec<String>,
    },
    /// A column of words with so many that they are no categories.
    #[error(
        "{} has {words} different words in {rows} rows: these are names, not categories",
        words::column(path, column)
    )]
    TooManyCategories {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// Different words.
        words: usize,
        /// Rows.
        rows: usize,
    },
    /// A word that the samples of training did not have.
    #[error("{}, training knew {}", words::holds(path, place, column, text), some(known))]
    UnknownCategory {
        /// The file.
        path: PathBuf,
        /// Line or row.
        place: String,
        /// The column.
        column: String,
        /// The cell.
        text: String,
        /// The words of training.
        known: Vec<String>,
    },
    /// A cell that should be a date is not.
    #[error("{}, which is no date like 2026-11-17", words::holds(path, place, column, text))]
    NotADate {
        /// The file.
        path: PathBuf,
        /// Line or row.
        place: String,
        /// The column.
        column: String,
        /// The cell.
        text: String,
    },
    /// A cell that should be a number is not.
    #[error("{}: '{}' is not a number", words::cell(path, place, column), brief::text(text))]
    NotANumber {
        /// The file.
        path: PathBuf,
        /// Line or row, e.g. `line 7`.
        place: String,
        /// The column.
        column: String,
        /// The text of the cell.
        text: String,
    },
    /// An infinite number.
    #[error("{}: the value is infinite", words::cell(path, place, column))]
    Infinite {
        /// The file.
        path: PathBuf,
        /// Line or row, e.g. `line 7`.
        place: String,
        /// The column.
        column: String,
    },
    /// Cells without a value.
    #[error("{}: {}, first at {place}, column '{}'", brief::path(path), words::values(*total, "missing"), brief::text(column))]
    MissingValues {
        /// The file.
        path: PathBuf,
        /// How many.
        total: usize,
        /// Line or row of the first one, e.g. `line 7`.
        place: String,
        /// Column of the first one.
        column: String,
    },
    /// A column without any value, so that there is no mean to impute.
    #[error("{} has no values", words::column(path, column))]
    EmptyColumn {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
    },
    /// A missing class, which no mean can replace.
    #[error("{}: a missing class cannot be {done}", words::cell(path, place, column))]
    MissingClass {
        /// The file.
        path: PathBuf,
        /// Line or row, e.g. `line 7`.
        place: String,
        /// The column.
        column: String,
        /// `imputed` or `left out`.
        done: &'static str,
    },
    /// Samples that contain NaN or infinity.
    #[error("X has {}, first at row {row}, column {column}", words::values(*total, "non-finite"))]
    NonFiniteSamples {
        /// How many.
        total: usize,
        /// Row of the first one.
        row: usize,
        /// Column of the first one.
        column: usize,
    },
    /// Rows of a table and files of a folder that have no counterpart.
    #[error("{}", words::unmatched_message(table, folder, rows, files))]
    Unmatched {
        /// The table.
        table: PathBuf,
        /// The folder.
        folder: PathBuf,
        /// File names in the table that are not in the folder.
        rows: Listed,
        /// Files of the folder that are not in the table.
        files: Listed,
    },
    /// Two rows name the same file, or a bare name fits several files.
    #[error("{}: '{}' {reason} ({} and {})", brief::path(table), brief::text(name), sentence(first), sentence(second))]
    AmbiguousFile {
        /// The table.
        table: PathBuf,
        /// The name in the table.
        name: String,
        /// Why it is ambiguous.
        reason: &'static str,
        /// The first place.
        first: String,
        /// The second place.
        second: String,
    },
    /// A table of images names a file outside its folder, or no file.
    #[error("{}, {place}: '{}' is not the name of a file in this folder", brief::path(table), brief::text(name))]
    OutsideFolder {
        /// The table.
        table: PathBuf,
        /// Line, e.g. `line 7`.
        place: String,
        /// The name.
        name: String,
    },
    /// A file that should be an image is not usable.
    #[error("{bad}")]
    BadImage {
        /// The file and what is wrong with it.
        bad: BadImage,
    },
    /// More unusable images than were allowed.
    #[error("{total} images cannot be used, {allowed} may be skipped; {}", bad.iter().map(BadImage::to_string).collect::<Vec<_>>().join("; "))]
    TooManyBadImages {
        /// How many there are.
        total: usize,
        /// How many may be skipped.
        allowed: usize,
        /// The first five.
        bad: Vec<BadImage>,
    },
    /// A folder without images.
    #[error("{}: no images (.png, .jpg, .jpeg, .ppm, .pgm, .pbm, .pnm, .bmp)", brief::path(path))]
    NoImages {
        /// The folder.
        path: PathBuf,
    },
    /// Images of different sizes after preparation.
    #[error("{} is {found} pixels, {} is {expected}", sentence(name), sentence(first_name))]
    MixedSizes {
        /// The image that differs.
        name: String,
        /// Its shape.
        found: InputShape,
        /// The first image.
        first_name: String,
        /// Its shape.
        expected: InputShape,
    },
    /// An image that does not lie in a class folder.
    #[error("{} lies outside the class folders", brief::path(path))]
    OutsideClassFolders {
        /// The image.
        path: PathBuf,
    },
    /// The rows of a source are not images.
    #[error("rows of {dim} numbers are not images: the source has no height and width")]
    NotImages {
        /// Numbers per row.
        dim: usize,
    },
    /// A folder that should follow the GTSRB layout does not.
    #[error("{}: {reason}", brief::path(path))]
    Layout {
        /// The folder or file.
        path: PathBuf,
        /// What is missing or wrong.
        reason: &'static str,
    },
    /// Two inputs that describe the same samples differ in length.
    #[error("{} has {left_len} rows, {} has {right_len}", sentence(left), sentence(right))]
    LengthMismatch {
        /// Name of the first input.
        left: String,
        /// Its number of rows.
        left_len: usize,
        /// Name of the second input.
        right: String,
        /// Its number of rows.
        right_len: usize,
    },
    /// Fewer samples of a kind than a split needs.
    #[error("{} has {found} samples, {needed} are needed", sentence(what))]
    TooFew {
        /// What was counted, e.g. `label value 2.9`.
        what: String,
        /// Samples found.
        found: usize,
        /// Samples needed.
        needed: usize,
    },
    /// A Parquet file cannot be read or written.
    #[error("{}: broken Parquet file: {}", brief::path(path), sentence(reason))]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The reason the Parquet crate gives.
        reason: String,
    },
    /// More numbers than memory holds.
    #[error("{}: {bytes} bytes do not fit into memory", brief::path(path))]
    OutOfMemory {
        /// The file they come from.
        path: PathBuf,
        /// How much was asked for.
        bytes: u64,
    },
    /// A parameter is out of its range.
    #[error("{name} = {}: {reason}", sentence(value))]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// Why it does not work.
        reason: &'static str,
    },
    /// A failure of the core.
    #[error(transparent)]
    Core(gsfa::Error),
}
