//! Tables: CSV as people write it, labels, missing values, file names, and writing.
#![allow(clippy::unwrap_used)]

mod missing;
mod wide;

use std::fs;
use std::path::Path;

use gsfa::file::Overwrite;
use gsfa::labels::LabelValues;
use gsfa::samples::{Rows, Samples};
use gsfa_data::Error;
use gsfa_data::npy::NpyArray;
use gsfa_data::table::{
    Columns, CsvOptions, LabelKind, LabelSpec, Recognized, Table, TableSpec, Unmatched, Values, match_files,
};
use ndarray::{Array2, array};
use proptest::prelude::*;
use tempfile::tempdir;

fn parse(text: &[u8]) -> Result<Table, Error> {
    Table::parse_csv(text, Path::new("t.csv"), &CsvOptions::default())
}

fn table(text: &str) -> Table {
    parse(text.as_bytes()).unwrap()
}

fn message(text: &[u8]) -> String {
    let error = parse(text).unwrap_err();
    assert!(error.hint().is_some(), "{error}");
    error.to_string()
}

fn spec(labels: &[&str]) -> TableSpec {
    TableSpec { labels: labels.iter().map(|name| LabelSpec::named(*name)).collect(), ..Default::default() }
}

#[test]
fn delimiters_marks_and_decimal_commas_are_found_out() {
    let expected = array![[1.5, 2.0], [-3.25, 4e3]];
    for text in [
        "a,b\n1.5,2\n-3.25,4e3\n",
        "\u{feff}a,b\r\n1.5,2\r\n-3.25,4e3",
        "a;b\n1,5;2\n-3,25;4e3\n",
        "a;b\n1.5;2\n-3,25;4e3\n",
        "a\tb\n1.5\t2\n-3.25\t4e3\n",
        "\"a\",\"b\"\n\"1.5\",\" 2 \"\n\n\n-3.25,4e3\n\n",
        "\u{feff}\"a, really\";b\n1,5;2\n-3,25;4e3\n",
    ] {
        assert_eq!(table(text).dataset(&TableSpec::default()).unwrap().samples, expected, "{text:?}");
    }
}

#[test]
fn a_thousands_mark_beside_a_decimal_comma_is_not_a_number() {
    let error = table("a;b\n1.234,5;1\n").numbers("a").unwrap_err().to_string();
    assert_eq!(error, "t.csv, line 2, column 'a': '1.234,5' is not a number");
}

#[test]
fn every_fault_has_its_line() {
    assert_eq!(message(b""), "t.csv: the table is empty (no header)");
    assert_eq!(message(b"\n\r\n"), "t.csv: the table is empty (no header)");
    assert_eq!(message(b"a,b\n"), "t.csv: the table is empty (no rows)");
    assert_eq!(message(b"a,b,a\n1,2,3\n"), "t.csv, line 1: columns 1 and 3 are both called 'a'");
    assert_eq!(message(b"a,b\n1,2\n\n1,2,3\n"), "t.csv, line 4: 3 cells, the header has 2");
    assert_eq!(message(b"a,b\r\n1,2\r\n\r\n1\r\n"), "t.csv, line 4: 1 cells, the header has 2");
    assert_eq!(message(b"a,b\n\"x\ny\",2\n1\n"), "t.csv, line 4: 1 cells, the header has 2");
    assert_eq!(message(b"a,b\n1,2\n\xff,2\n"), "t.csv, line 3: the text is not UTF-8");
    assert_eq!(message(b"\xff\xfea\0,\0"), "t.csv, line 1: the text is UTF-16");
    assert!(message(b"1.5,2.5\n3.5,4.5\n").contains("line 1: the first line holds numbers only"));
    assert_eq!(table("0,1\n5,6\n").len(), 1, "pandas names columns 0, 1, …");
    let error = table("a,b\n\"x\n\n\",1\n2,oops\n").numbers("b").unwrap_err().to_string();
    assert_eq!(error, "t.csv, line 5, column 'b': 'oops' is not a number");
    let error = table("a\n1\ninf\n").numbers("a").unwrap_err().to_string();
    assert_eq!(error, "t.csv, line 3, column 'a': the value is infinite");
    let error = table("a,b\n1,2\n").column("c").unwrap_err().to_string();
    assert_eq!(error, "t.csv: there is no column 'c'; the columns are 'a', 'b'");
    let folder = tempdir().unwrap();
    assert!(matches!(Table::read_csv(folder.path().join("no.csv"), &CsvOptions::default()), Err(Error::Io { .. })));
    let options = CsvOptions { delimiter: Some('ä'), ..Default::default() };
    assert!(matches!(Table::parse_csv(b"a\n1", Path::new("t"), &options), Err(Error::Parameter { .. })));
}

#[test]
fn a_blank_line_is_a_missing_cell_only_in_a_table_of_one_column() {
    for text in ["y\n1\n\n3\n\n", "y\r\n1\r\n\r\n3\r\n\r\n"] {
        let t = table(text);
        assert_eq!(t.len(), 3, "{text:?}");
        assert_eq!(t.place(2), "line 4");
        let error = t.dataset(&spec(&["y"])).unwrap_err().to_string();
        assert_eq!(error, "t.csv: 1 missing value, first at line 3, column 'y'");
    }
    assert_eq!(table("x,y\n1,2\n\n3,4\n").len(), 2);
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn random_tables_never_panic(text in "[ab1,;\"\\n\\r .]{0,80}") {
        if let Ok(t) = parse(text.as_bytes()) {
            for name in t.names().map(str::to_string).collect::<Vec<_>>() {
                let _ = t.dataset(&spec(&[&name]));
            }
        }
    }

    #[test]
    fn lines_are_those_of_an_editor(blanks in prop::collection::vec(0_usize..3, 1..8), crlf in any::<bool>()) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut text = format!("a,b{end}");
        let mut expected = Vec::new();
        let mut line = 2;
        for blank in blanks {
            text.push_str(&end.repeat(blank));
            line += blank;
            expected.push(format!("line {line}"));
            text.push_str(&format!("\"x{end}y\",2{end}"));
            line += 2;
        }
        let t = table(&text);
        let places: Vec<String> = (0..t.len()).map(|row| t.place(row)).collect();
        prop_assert_eq!(places, expected);
    }
}

#[test]
fn kinds_of_labels_are_recognised_and_can_be_given() {
    let found = |values: Vec<String>| {
        table(&format!("x,y\n{}", values.iter().map(|v| format!("0,{v}\n")).collect::<String>()))
            .recognize("y")
            .unwrap()
    };
    let kind = |values: Vec<String>| found(values).kind;
    let repeat = |values: Vec<String>| values.iter().cycle().take(6 * values.len()).cloned().collect::<Vec<_>>();
    let count = |from: i32, to: i32| (from..to).map(|v| v.to_string()).collect::<Vec<_>>();
    assert_eq!(kind(vec!["stop".into(), "yield".into()]), LabelKind::Classes);
    assert_eq!(kind(repeat(count(0, 10))), LabelKind::Classes);
    assert_eq!(kind(repeat(count(0, 43))), LabelKind::Numbers, "too many to be classes");
    assert_eq!(kind(repeat(count(16, 76))), LabelKind::Numbers);
    assert_eq!(kind(repeat(count(-1, 2))), LabelKind::Classes);
    assert_eq!(kind(count(0, 10)), LabelKind::Numbers, "each value once: an index");
    assert_eq!(kind(repeat(vec!["0.5".into(), "1".into()])), LabelKind::Numbers);
    assert_eq!(kind(repeat(vec!["1".into(), "NA".into()])), LabelKind::Classes);
    // One cell of text makes a column of numbers one of classes: the reason names it.
    let reason = found(vec!["31".into(), "unknown".into(), "47".into()]).reason.to_string();
    assert_eq!(reason, "'unknown', line 3, is text");

    let t = table(&format!("x,y\n{}", "0,007\n0,7\n".repeat(5)));
    let mut spec = spec(&["y"]);
    let data = t.dataset(&spec).unwrap();
    assert_eq!(data.kinds[0].0, "y");
    assert_eq!(data.kinds[0].1.kind, LabelKind::Classes);
    let LabelValues::Classes(classes) = data.labels.column("y").unwrap() else { panic!("classes") };
    assert_eq!(classes.names(), ["007", "7"]);
    spec.labels[0].kind = Some(LabelKind::Numbers);
    let data = t.dataset(&spec).unwrap();
    assert_eq!(data.labels.column("y").unwrap(), &LabelValues::Numbers(vec![7.0; 10]));
    assert_eq!(data.kinds, [("y".to_string(), Recognized::given(LabelKind::Numbers))]);
}

#[test]
fn booleans_are_classes_however_rare() {
    let values = (0..1000).map(|n| if n == 7 { 1.0 } else { 0.0 }).collect();
    let t = Table::new(vec![("rare".to_string(), Values::Numbers(values))]).unwrap();
    assert_eq!(t.recognize("rare").unwrap().kind, LabelKind::Numbers);
    let t = t.with_booleans(["rare".to_string()]).select(&(0..1000).rev().collect::<Vec<_>>()).unwrap();
    assert_eq!(t.recognize("rare").unwrap(), Recognized::of_booleans());
}

#[test]
fn samples_of_weight_zero_do_not_decide_what_a_label_is() {
    let rows = |weight: u8| (0..30).map(|n| format!("{},1\n", n % 3)).collect::<String>() + &format!("9,{weight}\n");
    let kind = |weight| {
        let spec = TableSpec { samples: Columns::None, weights: Some("w".into()), ..spec(&["y"]) };
        table(&format!("y,w\n{}", rows(weight))).dataset(&spec).unwrap().kinds[0].1.kind
    };
    assert_eq!((kind(0), kind(1)), (LabelKind::Classes, LabelKind::Numbers));
}

/// Found by fuzzing.
#[test]
fn byte_order_marks_are_no_part_of_a_name() {
    for text in ["\u{feff}\u{feff}a,b\n1,2\n", "\n\u{feff}a,\u{feff} b\n1,2\n", "\"\u{feff}a\",b\n1,2\n"] {
        assert_eq!(table(text).names().collect::<Vec<_>>(), ["a", "b"], "{text:?}");
    }
}

#[test]
fn columns_have_roles() {
    let t = table("file,a,b,y,track\nu.png,1,2,0.5,t1\nv.png,3,4,0.7,t2\nw.png,5,6,0.9,t1\n");
    let mut spec = TableSpec { file: Some("file".into()), group: Some("track".into()), ..spec(&["y"]) };
    let data = t.dataset(&spec).unwrap();
    assert_eq!(data.sample_names, ["a", "b"]);
    assert_eq!(data.files.unwrap(), ["u.png", "v.png", "w.png"]);
    assert_eq!(data.groups.unwrap(), [0, 1, 0]);
    spec.samples = Columns::Named(vec!["b".into()]);
    assert_eq!(t.dataset(&spec).unwrap().samples, array![[2.0], [4.0], [6.0]]);
    spec.samples = Columns::None;
    assert_eq!(t.dataset(&spec).unwrap().samples.dim(), (3, 0));
    let text = toml::to_string(&spec).unwrap();
    assert_eq!(toml::from_str::<TableSpec>(&text).unwrap(), spec);
    spec = TableSpec { samples: Columns::Rest, weights: Some("b".into()), ..spec };
    let weighted = t.dataset(&spec).unwrap();
    assert_eq!((weighted.sample_names, weighted.weights.unwrap()), (vec!["a".into()], vec![2.0, 4.0, 6.0]));
    spec.group = Some("nobody".into());
    assert!(matches!(t.dataset(&spec), Err(Error::UnknownColumn { .. })));
    let text = table("name,a\nx,1\n").dataset(&TableSpec::default()).unwrap_err();
    assert_eq!(text.to_string(), "t.csv, line 2, column 'name': 'x' is not a number");
}

#[test]
fn rows_find_their_files() {
    let t = table("file,y\nb.png,1\nsub\\c.png,2\n./a.png,3\n");
    let m = match_files(&t, "file", &["a.png", "b.png", "sub/c.png"], Path::new("f"), Unmatched::Error).unwrap();
    assert_eq!((m.files, m.rows), (vec![0, 1, 2], vec![2, 0, 1]));
    let t = table("file,y\nc.png,1\n");
    assert_eq!(match_files(&t, "file", &["sub/c.png"], Path::new("f"), Unmatched::Error).unwrap().rows, [0]);
    let error = match_files(&t, "file", &["u/c.png", "v/c.png"], Path::new("f"), Unmatched::Error).unwrap_err();
    assert_eq!(error.to_string(), "t.csv: 'c.png' fits several files (u/c.png and v/c.png)");
    let t = table("file,y\nc.png,1\nc.png,2\n");
    let error = match_files(&t, "file", &["c.png"], Path::new("f"), Unmatched::Error).unwrap_err();
    assert_eq!(error.to_string(), "t.csv: 'c.png' is named twice (line 2 and line 3)");
}

#[test]
fn unmatched_rows_and_files_are_listed() {
    let text: String = (0..8).map(|n| format!("{n}.png,{n}\n")).collect();
    let t = table(&format!("file,y\n{text}"));
    let error = match_files(&t, "file", &["0.png", "z.png"], Path::new("f"), Unmatched::Error).unwrap_err();
    assert_eq!(
        error.to_string(),
        "7 files of t.csv not in f: '1.png', '2.png', '3.png', '4.png', '5.png' and 2 more; 1 file of f not in t.csv: 'z.png'"
    );
    let m = match_files(&t, "file", &["0.png", "z.png"], Path::new("f"), Unmatched::Drop).unwrap();
    assert_eq!((m.files, m.rows, m.rows_left.total, m.files_left.total), (vec![0], vec![0], 7, 1));
}

fn estimates() -> Table {
    Table::new(vec![
        ("estimate".into(), Values::Numbers(vec![0.1, f64::NAN, -3e-7])),
        ("class".into(), Values::text_from(["a,\"b\"", "x\ny", ""])),
    ])
    .unwrap()
}

#[test]
fn csv_that_is_written_is_read() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("e.csv");
    estimates().write_csv(&path, Overwrite::Never).unwrap();
    assert!(matches!(estimates().write_csv(&path, Overwrite::Never), Err(Error::OutputExists { .. })));
    estimates().write_csv(&path, Overwrite::Replace).unwrap();
    let read = Table::read_csv(&path, &CsvOptions::default()).unwrap();
    let numbers = read.numbers("estimate").unwrap();
    assert_eq!((numbers[0], numbers[2]), (0.1, -3e-7));
    assert!(numbers[1].is_nan());
    assert_eq!(read.texts("class").unwrap(), ["a,\"b\"", "x\ny", ""]);
    let one = Table::new(vec![("y".into(), Values::Numbers(vec![1.0, f64::NAN, 2.0]))]).unwrap();
    one.write_csv(&path, Overwrite::Replace).unwrap();
    assert_eq!(Table::read_csv(&path, &CsvOptions::default()).unwrap().len(), 3);
}

#[test]
fn json_lines_are_objects_in_column_order() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("e.jsonl");
    estimates().write_json_lines(&path, Overwrite::Never).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().next().unwrap(), r#"{"estimate":0.1,"class":"a,\"b\""}"#);
    let second: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert!(second["estimate"].is_null());
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn npy_holds_the_numbers_and_refuses_text() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("e.npy");
    let t =
        Table::new(vec![("a".into(), Values::Numbers(vec![1.0, 2.0])), ("b".into(), Values::Numbers(vec![3.0, 4.0]))]);
    t.unwrap().write_npy(&path, Overwrite::Never).unwrap();
    let read = NpyArray::open(&path).unwrap();
    let mut out = Array2::zeros((2, 2));
    read.read_double(Rows::Range(0..2), out.view_mut()).unwrap();
    assert_eq!(out, array![[1.0, 3.0], [2.0, 4.0]]);
    assert!(matches!(
        estimates().write_npy(folder.path().join("f.npy"), Overwrite::Never),
        Err(Error::NotANumber { .. })
    ));
    let uneven = Table::new(vec![("a".into(), Values::Numbers(vec![1.0])), ("b".into(), Values::Numbers(vec![]))]);
    assert_eq!(uneven.unwrap_err().to_string(), "column 'a' has 1 rows, column 'b' has 0");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_that_is_written_is_read_and_a_truncated_file_is_an_error() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("e.parquet");
    estimates().write_parquet(&path, Overwrite::Never).unwrap();
    let read = Table::read_parquet(&path).unwrap();
    let numbers = read.numbers("estimate").unwrap();
    assert_eq!((numbers[0], numbers[2]), (0.1, -3e-7));
    assert!(numbers[1].is_nan());
    assert_eq!(read.texts("class").unwrap(), ["a,\"b\"", "x\ny", ""]);
    let bytes = fs::read(&path).unwrap();
    for cut in [0, 3, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..cut]).unwrap();
        assert!(matches!(Table::read_parquet(&path), Err(Error::Parquet { .. })), "cut at {cut}");
    }
}
