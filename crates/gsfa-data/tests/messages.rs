//! Messages stay short and on one line, whatever files and tables hold.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use gsfa::samples::InputShape;
use gsfa_data::images::{BadImage, ImageFault};
use gsfa_data::split::per_value;
use gsfa_data::table::{CsvOptions, LabelSpec, Table, TableSpec};
use gsfa_data::{Error, Listed};

/// A name that colours a terminal, breaks the line, turns the reading direction round, and does not end.
fn hostile() -> String {
    "\u{1b}[31m\r\n\t\u{202e}\0é".to_string() + &"x".repeat(5000)
}

fn path() -> PathBuf {
    PathBuf::from("folder\u{1b}[31m\n").join("x".repeat(200))
}

/// Every variant, with the worst it can hold.
fn errors() -> Vec<Error> {
    let (most, name, reason) = (usize::MAX, hostile, hostile);
    let place = || "line 18446744073709551615".to_string();
    let names = || vec![hostile(); 50];
    let listed = || names().into_iter().collect::<Listed>();
    let shape = InputShape { height: most, width: most, channels: most };
    let bad = || BadImage { path: path(), fault: ImageFault::Corrupt(hostile()) };
    let system = || std::io::Error::other(hostile());
    vec![
        Error::Io { action: "read", path: path(), source: system() },
        Error::OutputExists { path: path() },
        Error::OutputIsInput { path: path() },
        Error::Truncated { path: path(), ends_at: u64::MAX, promised: u64::MAX },
        Error::BecameShorter { path: path(), ends_at: u64::MAX, promised: u64::MAX },
        Error::TrailingBytes { path: path(), promised: u64::MAX, found: u64::MAX },
        Error::NpyHeader { path: path(), at: u64::MAX, reason: "expected '{'" },
        Error::Pickled { path: path() },
        Error::ElementType { path: path(), descr: hostile() },
        Error::Axes { path: path(), shape: vec![most; 32] },
        Error::Archive { path: path(), reason: reason() },
        Error::ArchiveMember { path: path(), asked: Some(name()), available: names() },
        Error::EmptyTable { path: path(), missing: "no rows" },
        Error::DuplicateHeader { path: path(), name: name(), first: most, second: most },
        Error::RaggedRow { path: path(), line: u64::MAX, found: most, expected: most },
        Error::TableText { path: path(), line: u64::MAX, reason: reason() },
        Error::UnknownColumn { path: path(), name: name(), available: names() },
        Error::TooManyCategories { path: path(), column: name(), words: most, rows: most },
        Error::UnknownCategory { path: path(), place: place(), column: name(), text: hostile(), known: names() },
        Error::NotADate { path: path(), place: place(), column: name(), text: hostile() },
        Error::NotANumber { path: path(), place: place(), column: name(), text: hostile() },
        Error::Infinite { path: path(), place: place(), column: name() },
        Error::MissingValues { path: path(), total: most, place: place(), column: name() },
        Error::EmptyColumn { path: path(), column: name() },
        Error::MissingClass { path: path(), place: place(), column: name(), done: "imputed" },
        Error::NonFiniteSamples { total: most, row: most, column: most },
        Error::Unmatched { table: path(), folder: path(), rows: listed(), files: listed() },
        Error::AmbiguousFile { table: path(), name: name(), reason: "is named twice", first: name(), second: name() },
        Error::OutsideFolder { table: path(), place: place(), name: name() },
        Error::BadImage { bad: bad() },
        Error::TooManyBadImages { total: most, allowed: most, bad: (0..5).map(|_| bad()).collect() },
        Error::NoImages { path: path() },
        Error::MixedSizes { name: name(), found: shape, first_name: name(), expected: shape },
        Error::OutsideClassFolders { path: path() },
        Error::NotImages { dim: most },
        Error::Layout { path: path(), reason: "there are no class folders" },
        Error::LengthMismatch { left: name(), left_len: most, right: name(), right_len: most },
        Error::TooFew { what: name(), found: most, needed: most },
        Error::Parquet { path: path(), reason: reason() },
        Error::OutOfMemory { path: path(), bytes: u64::MAX },
        Error::Parameter { name: "share", value: hostile(), reason: "must be positive" },
        Error::Core(gsfa::Error::Reading { cause: gsfa::error::Cause::new(reason()) }),
    ]
}

/// The names of the variants, from the source: a new one has to be added above.
fn variants() -> Vec<String> {
    let source = include_str!("../src/error/mod.rs");
    let body = source.split("pub enum Error {\n").nth(1).unwrap().split("\n}\n").next().unwrap();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| !line.starts_with(' '));
    let starts = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    starts.map(|line| line.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_string()).collect()
}

fn check(message: &str, longest: usize) {
    assert!(message.chars().count() <= longest, "{} characters: {message}", message.chars().count());
    assert!(!message.chars().any(|c| c.is_control() || c == '\u{202e}'), "{message:?}");
    let digits = message.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap();
    assert!(digits <= 20, "{digits} digits in a row: {message}");
}

#[test]
fn errors_are_short_whatever_they_are_about() {
    let all = errors();
    let variant = |error: &Error| {
        let debug = format!("{error:?}");
        debug.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_string()
    };
    assert_eq!(all.iter().map(variant).collect::<Vec<_>>(), variants());
    for error in &all {
        // Five files with what their decoders say.
        let longest = if matches!(error, Error::TooManyBadImages { .. }) { 7000 } else { 2700 };
        check(&error.to_string(), longest);
        assert!(error.hint().is_none_or(|hint| hint.len() < 400));
    }
}

fn parse(text: &str) -> Table {
    Table::parse_csv(text.as_bytes(), Path::new("t.csv"), &CsvOptions::default()).unwrap()
}

/// From the outside: cells, column names and numbers that a file holds.
#[test]
fn long_cells_names_and_numbers_are_cut() {
    let cell = "\u{1b}[31mbeep\u{7}".to_string() + &"y".repeat(500);
    let t = parse(&format!("{}x,b\n1,{cell}\n", "long".repeat(100)));
    let message = t.numbers("b").unwrap_err().to_string();
    let shown = format!("\\u{{1b}}[31mbeep\\u{{7}}{}… (510 characters)", "y".repeat(50));
    assert_eq!(message, format!("t.csv, line 2, column 'b': '{shown}' is not a number"));
    check(&t.column(&"?".repeat(1000)).unwrap_err().to_string(), 300);
    let spec = TableSpec { labels: vec![LabelSpec::named("b")], ..TableSpec::default() };
    check(&t.dataset(&spec).unwrap().kinds[0].1.reason.to_string(), 200);
    assert_eq!(
        per_value(&[1e300, 1e300, 2.0], 2, 1, 0).unwrap_err().to_string(),
        "label value 2 has 1 samples, 3 are needed"
    );
    let message = per_value(&[1e300], 2, 1, 0).unwrap_err().to_string();
    assert_eq!(message, "label value 1e300 has 1 samples, 3 are needed");
}
