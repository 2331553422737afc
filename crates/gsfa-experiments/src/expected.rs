//! The paper's numbers, from `experiments/expected/*.csv`.

use std::path::Path;

use gsfa_data::table::{CsvOptions, Table};

use crate::Result;

/// Published numbers by table, row and column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expected {
    numbers: Vec<Published>,
}

/// One published number.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The table of ours that it belongs to.
    pub table: String,
    /// The row.
    pub row: String,
    /// The column.
    pub measure: String,
    /// The number.
    pub value: f64,
    /// Where in the paper: the label of a table, figure or section.
    pub source: String,
}

const FILES: [(&str, &str); 3] = [
    ("gender.csv", include_str!("../../../experiments/expected/gender.csv")),
    ("graphs.csv", include_str!("../../../experiments/expected/graphs.csv")),
    ("signs.csv", include_str!("../../../experiments/expected/signs.csv")),
];

impl Expected {
    /// The numbers that are built in.
    ///
    /// # Errors
    /// If a built-in file is not well-formed, which a test rules out.
    pub fn built_in() -> Result<Self> {
        let mut numbers = Vec::new();
        for (name, text) in FILES {
            numbers.extend(read(text, name.as_ref())?);
        }
        Ok(Self { numbers })
    }

    /// A number by table, row and column.
    pub fn find(&self, table: &str, row: &str, measure: &str) -> Option<&Published> {
        self.numbers.iter().find(|p| p.table == table && p.row == row && p.measure == measure)
    }

    /// All numbers.
    pub fn numbers(&self) -> &[Published] {
        &self.numbers
    }
}

fn read(text: &str, path: &Path) -> Result<Vec<Published>> {
    let options = CsvOptions { delimiter: Some(','), decimal_comma: Some(false) };
    let table = Table::parse_csv(text.as_bytes(), path, &options)?;
    let [tables, rows, measures, sources] =
        [table.texts("table")?, table.texts("row")?, table.texts("measure")?, table.texts("source")?];
    let values = table.numbers("value")?;
    let cells = tables.into_iter().zip(rows).zip(measures).zip(values).zip(sources);
    let published =
        cells.map(|((((table, row), measure), value), source)| Published { table, row, measure, value, source });
    Ok(published.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_number_is_read_and_says_where_it_comes_from() {
        let expected = Expected::built_in().unwrap();
        assert!(expected.numbers().iter().all(|p| p.value.is_finite() && p.source.contains(':')));
        assert_eq!(expected.find("gender", "ELL-40", "soft GC 3F").unwrap().value, 0.345);
        assert_eq!(expected.find("color_joint", "2×25", "soft GC 3F").unwrap().value, 1.140);
        assert_eq!(expected.find("signs", "compact+5", "d = 5").unwrap().value, 11.67);
        assert_eq!(expected.find("graphs", "serial", "responses with Δ < 2").unwrap().value, 6.0);
        assert!(expected.find("graphs", "serial", "no such thing").is_none());
    }

    #[test]
    fn no_number_is_published_twice() {
        let expected = Expected::built_in().unwrap();
        for (n, p) in expected.numbers().iter().enumerate() {
            let same = |q: &&Published| (&q.table, &q.row, &q.measure) == (&p.table, &p.row, &p.measure);
            assert!(!expected.numbers()[..n].iter().any(|q| same(&q)), "{p:?}");
        }
    }
}
