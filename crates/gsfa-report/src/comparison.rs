//! Ours beside the paper's, and the difference.

use crate::table::{Cell, Column, Table};

/// Several measures of several things, each with what we measured and what was published.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What stands above the table.
    pub title: String,
    /// What the rows are, e.g. "graph".
    pub subject: String,
    /// Names of the measures, e.g. "soft GC 3F"; a single one may be empty.
    pub measures: Vec<String>,
    /// Each row's name and its numbers, one per measure.
    pub rows: Vec<(String, Vec<Measured>)>,
    /// Decimals shown.
    pub decimals: usize,
    /// Whether a smaller number is better, so that differences are coloured.
    pub smaller_is_better: bool,
}

/// One number beside the published one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// What we measured, if we did.
    pub ours: Option<f64>,
    /// Its standard deviation over runs, if there were several.
    pub spread: Option<f64>,
    /// What the paper has, if it has.
    pub paper: Option<f64>,
}

impl Comparison {
    /// The table with columns "ours", "paper" and "difference" under each measure.
    pub fn table(&self) -> Table {
        let mut columns = vec![Column::text(&self.subject)];
        for measure in &self.measures {
            columns.extend(["ours", "paper", "difference"].map(|name| Column::number(name).under(measure)));
        }
        let mut table = Table::new(&self.title, columns);
        for (name, numbers) in &self.rows {
            let mut row = vec![Cell::Text(name.clone())];
            row.extend(numbers.iter().flat_map(|number| self.cells(number)));
            table.rows.push(row);
        }
        table
    }

    fn cells(&self, number: &Measured) -> [Cell; 3] {
        let decimals = self.decimals;
        let ours = match (number.ours, number.spread) {
            (Some(mean), Some(spread)) => Cell::Spread(mean, spread, decimals),
            (Some(mean), None) => Cell::Number(mean, decimals),
            (None, _) => Cell::Missing,
        };
        let difference = number.ours.zip(number.paper).map(|(ours, paper)| ours - paper);
        [
            ours,
            number.paper.map_or(Cell::Missing, |paper| Cell::Number(paper, decimals)),
            difference.map_or(Cell::Missing, |d| Cell::Difference(d, decimals, self.smaller_is_better)),
        ]
    }
}
