//! Tables of many columns.

use std::fmt::Write;
use std::time::Instant;

use gsfa_data::table::{Columns, TableSpec};

use crate::{spec, table};

/// Looking names up one after the other took longer than a minute here, and 12 seconds when optimised.
#[test]
fn forty_thousand_columns_take_no_longer_than_as_many_rows() {
    let columns = 40_000;
    let mut text = String::new();
    for row in 0..4 {
        for i in 0..columns {
            let mark = if row == 0 { "column" } else { "" };
            write!(text, "{}{mark}{}", if i == 0 { "" } else { "," }, i + row).unwrap();
        }
        text.push('\n');
    }
    let started = Instant::now();
    let t = table(&text);
    let data = t.dataset(&spec(&["column7"])).unwrap();
    assert_eq!(data.samples.dim(), (3, columns - 1));
    assert_eq!(data.samples[[2, columns - 2]], (columns + 2) as f64);
    let mut names: Vec<String> = t.names().map(String::from).collect();
    names.reverse();
    let named = TableSpec { samples: Columns::Named(names), ..TableSpec::default() };
    assert_eq!(t.dataset(&named).unwrap().samples[[0, 0]], columns as f64);
    assert!(t.has("column9") && !t.has("9"));
    assert!(started.elapsed().as_secs_f64() < 10.0, "{:?}", started.elapsed());
}
