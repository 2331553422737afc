//! Cells without a value, or with none that can be used.

use gsfa::labels::LabelValues;
use gsfa_data::table::{Columns, Missing, Table, TableSpec, Values};
use ndarray::array;

use crate::{spec, table};

#[test]
fn missing_values_are_refused_dropped_imputed_or_kept() {
    let t = table("a,b,y\n1,,0.5\nNA,2,1.5\n3,4,\n5,9,2.5\n7,null,3.5\n");
    let with = |missing, missing_labels| TableSpec { missing, missing_labels, ..spec(&["y"]) };
    let error = t.dataset(&with(Missing::Error, Missing::Error)).unwrap_err();
    assert_eq!(error.to_string(), "t.csv: 4 missing values, first at line 2, column 'b'");
    assert!(error.hint().unwrap().contains("missing = drop"));

    let dropped = t.dataset(&with(Missing::Drop, Missing::Drop)).unwrap();
    assert_eq!(dropped.samples, array![[5.0, 9.0]]);
    assert_eq!(dropped.rows, [3]);
    assert_eq!((dropped.missing.cells, dropped.missing.dropped.total), (4, 4));
    assert_eq!(dropped.missing.dropped.first, ["line 2", "line 3", "line 4", "line 6"]);

    let imputed = t.dataset(&with(Missing::Impute, Missing::Drop)).unwrap();
    // Means over the rows that stay: a = (1 + 5 + 7)/3, b = (2 + 9)/2.
    assert_eq!(imputed.samples, array![[1.0, 5.5], [13.0 / 3.0, 2.0], [5.0, 9.0], [7.0, 5.5]]);
    assert_eq!(imputed.missing.imputed, [("a".to_string(), 1), ("b".to_string(), 2)]);
    assert_eq!(imputed.missing.dropped.first, ["line 4"]);

    let kept = t.dataset(&with(Missing::Impute, Missing::Keep)).unwrap();
    let LabelValues::Numbers(y) = kept.labels.column("y").unwrap() else { panic!("numbers") };
    assert!(y[2].is_nan());
    assert_eq!(kept.missing.kept, [("y".to_string(), 1)]);

    let empty = table("a,y\n,1.5\n,2.5\n");
    let error = empty.dataset(&with(Missing::Impute, Missing::Error)).unwrap_err().to_string();
    assert_eq!(error, "t.csv: column 'a' has no values");
    assert!(empty.dataset(&with(Missing::Drop, Missing::Error)).is_err());
}

#[test]
fn a_missing_class_can_be_dropped_only() {
    let t = table("x,c\n1,u\n2,\n3,v\n");
    let with = |missing_labels| TableSpec { missing_labels, ..spec(&["c"]) };
    assert!(t.dataset(&with(Missing::Error)).unwrap_err().to_string().contains("1 missing value, first at line 3"));
    assert_eq!(t.dataset(&with(Missing::Drop)).unwrap().rows, [0, 2]);
    let error = t.dataset(&with(Missing::Impute)).unwrap_err().to_string();
    assert_eq!(error, "t.csv, line 3, column 'c': a missing class cannot be imputed");
}

/// F70: infinity is no more of a value than NaN.
#[test]
fn infinite_cells_of_samples_follow_the_rule_of_missing_ones() {
    let t = table("a,b,y\n1,inf,0.5\n-Infinity,2,1.5\n3,4,2\nnan,6,2.5\n5,8,3.5\n");
    let with = |missing| TableSpec { missing, ..spec(&["y"]) };
    let error = t.dataset(&with(Missing::Error)).unwrap_err();
    assert_eq!(error.to_string(), "t.csv, line 3, column 'a': the value is infinite");
    assert!(error.hint().unwrap().contains("missing = drop"));

    let dropped = t.dataset(&with(Missing::Drop)).unwrap();
    assert_eq!((dropped.samples, dropped.rows), (array![[3.0, 4.0], [5.0, 8.0]], vec![2, 4]));
    assert_eq!(
        (dropped.missing.cells, dropped.missing.dropped.first),
        (3, vec!["line 2".into(), "line 3".into(), "line 5".into()])
    );

    let imputed = t.dataset(&with(Missing::Impute)).unwrap();
    assert_eq!(imputed.samples, array![[1.0, 5.0], [3.0, 2.0], [3.0, 4.0], [3.0, 6.0], [5.0, 8.0]]);
    assert_eq!(imputed.missing.imputed, [("a".to_string(), 2), ("b".to_string(), 1)]);

    let kept = t.dataset(&with(Missing::Keep)).unwrap();
    assert_eq!(kept.samples.iter().filter(|x| x.is_nan()).count(), 3, "infinity is kept as NaN");
    assert_eq!(kept.missing.kept, [("a".to_string(), 2), ("b".to_string(), 1)]);

    let nothing = table("a,y\ninf,1.5\n-inf,2.5\n").dataset(&with(Missing::Impute)).unwrap_err().to_string();
    assert_eq!(nothing, "t.csv: column 'a' has no values");
}

/// F3: a label that overflowed somewhere is not a label that nobody gave.
#[test]
fn infinite_labels_and_weights_are_errors_under_every_rule() {
    let t = table("x,y,w\n1,0.5,1\n,2,1\n2,inf,1\n3,1.5,-inf\n4,,1\n");
    for rule in [Missing::Error, Missing::Drop, Missing::Impute, Missing::Keep] {
        let spec = TableSpec { missing: rule, missing_labels: rule, ignore: vec!["w".into()], ..spec(&["y"]) };
        let error = t.dataset(&spec).unwrap_err().to_string();
        if rule != Missing::Error {
            assert_eq!(error, "t.csv, line 4, column 'y': the value is infinite");
        }
        let weighted = TableSpec { labels: vec![], ignore: vec!["y".into()], weights: Some("w".into()), ..spec };
        let error = t.dataset(&weighted).unwrap_err().to_string();
        assert_eq!(error, "t.csv, line 5, column 'w': the value is infinite");
    }
    // A NaN among labels is one that is missing.
    let t = table("x,y\n1,0.5\n2,nan\n3,1.5\n");
    let spec = TableSpec { missing_labels: Missing::Drop, ..spec(&["y"]) };
    assert_eq!(t.dataset(&spec).unwrap().rows, [0, 2]);
}

/// F70: who reads the message looks for the place in the file.
#[test]
fn places_are_those_of_the_file_after_rows_were_left_out() {
    let t = table("x,y\n1,0.5\n,1\n2,2\n3,oops\n").select(&[0, 2, 3]).unwrap();
    assert_eq!(t.numbers("y").unwrap_err().to_string(), "t.csv, line 5, column 'y': 'oops' is not a number");

    let column = |values: &[f64]| Values::Numbers(values.to_vec());
    let t = Table::new(vec![("y".into(), column(&[0.5, 9.0, 1.0, 9.0, f64::INFINITY, f64::NAN]))]).unwrap();
    let t = t.select(&[0, 2, 4, 5]).unwrap();
    assert_eq!((t.place(1), t.place(3)), ("row 2".to_string(), "row 5".to_string()));
    assert_eq!(t.numbers("y").unwrap_err().to_string(), "table, row 4, column 'y': the value is infinite");
    let t = t.select(&[3, 1, 0]).unwrap();
    assert_eq!((t.place(0), t.place(2)), ("row 5".to_string(), "row 0".to_string()));
    let spec = TableSpec { samples: Columns::None, ..spec(&["y"]) };
    let error = t.dataset(&spec).unwrap_err().to_string();
    assert_eq!(error, "table: 1 missing value, first at row 5, column 'y'");
}

/// F4: the mean of numbers whose sum is none.
#[test]
fn means_of_huge_numbers_are_numbers() {
    let t = table("x\n1.5e308\n1.5e308\n\n1.5e308\n");
    let spec = TableSpec { missing: Missing::Impute, ..TableSpec::default() };
    let filled = t.dataset(&spec).unwrap().samples[[2, 0]];
    assert!((filled / 1.5e308 - 1.0).abs() < 1e-15, "{filled:e}");
}
