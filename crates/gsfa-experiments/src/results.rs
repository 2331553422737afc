//! Results as plain values: tables of numbers over runs, beside the paper's.

use gsfa_report::{Comparison, Table, csv_lines};
use serde::{Deserialize, Serialize};

use crate::expected::Expected;
use crate::gender::GenderResults;
use crate::graphs::GraphsResults;
use crate::signs::SignsResults;

/// What all experiments of one command found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Version of the program.
    pub version: String,
    /// `quick` or `full`.
    pub size: String,
    /// Seed of everything random.
    pub seed: u64,
    /// How long everything took.
    pub seconds: f64,
    /// The command that gives these results again.
    pub command_line: String,
    /// What it ran on: name and value.
    pub machine: Vec<(String, String)>,
    /// Gender from faces.
    pub gender: Option<GenderResults>,
    /// Three graphs for one label.
    pub graphs: Option<GraphsResults>,
    /// Traffic signs.
    pub signs: Option<SignsResults>,
}

/// A table of numbers, each measured in one or several runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultTable {
    /// A short name: of the CSV file, and of the paper's numbers.
    pub id: String,
    /// What stands above it.
    pub title: String,
    /// What the rows are.
    pub subject: String,
    /// The columns.
    pub measures: Vec<String>,
    /// Decimals shown.
    pub decimals: usize,
    /// Whether a smaller number is better, as of errors and times.
    pub smaller_is_better: bool,
    /// The rows.
    pub rows: Vec<ResultRow>,
}

/// A row of a table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultRow {
    /// What was measured.
    pub name: String,
    /// One entry per column of the table.
    pub numbers: Vec<Measured>,
}

/// A number over runs, and the one of the paper.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The mean over runs; none if it was not measured.
    pub mean: Option<f64>,
    /// The standard deviation over runs (with n − 1), if there are several.
    pub deviation: Option<f64>,
    /// Each run.
    pub runs: Vec<f64>,
    /// The paper's number, if it has one.
    pub paper: Option<f64>,
    /// Where in the paper.
    pub source: Option<String>,
}

impl Measured {
    /// A number over runs; runs that gave none (NaN) make it missing.
    pub fn over(runs: Vec<f64>) -> Self {
        let usable = !runs.is_empty() && runs.iter().all(|x| x.is_finite());
        let mean = usable.then(|| runs.iter().sum::<f64>() / runs.len() as f64);
        let deviation = mean.filter(|_| runs.len() > 1).map(|mean| {
            let squares: f64 = runs.iter().map(|x| (x - mean).powi(2)).sum();
            (squares / (runs.len() - 1) as f64).sqrt()
        });
        Self { mean, deviation, runs: if usable { runs } else { Vec::new() }, ..Self::default() }
    }

    fn shown(&self) -> gsfa_report::Measured {
        gsfa_report::Measured { ours: self.mean, spread: self.deviation, paper: self.paper }
    }
}

impl ResultTable {
    /// Rows of numbers with the paper's beside them where it has some.
    pub fn new(
        (id, title, subject): (&str, &str, &str),
        measures: &[&str],
        rows: Vec<(String, Vec<Measured>)>,
        expected: &Expected,
    ) -> Self {
        let rows = rows.into_iter().map(|(name, mut numbers)| {
            for (number, measure) in numbers.iter_mut().zip(measures) {
                if let Some(found) = expected.find(id, &name, measure) {
                    number.paper = Some(found.value);
                    number.source = Some(found.source.clone());
                }
            }
            ResultRow { name, numbers }
        });
        Self {
            id: id.into(),
            title: title.into(),
            subject: subject.into(),
            measures: measures.iter().map(|&name| name.into()).collect(),
            decimals: 3,
            smaller_is_better: true,
            rows: rows.collect(),
        }
    }

    /// The same table with another number of decimals.
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.decimals = decimals;
        self
    }

    /// The same table of numbers that are neither good nor bad.
    pub fn neutral(mut self) -> Self {
        self.smaller_is_better = false;
        self
    }

    /// A number by row and column.
    pub fn find(&self, row: &str, measure: &str) -> Option<&Measured> {
        let column = self.measures.iter().position(|name| name == measure)?;
        self.rows.iter().find(|r| r.name == row)?.numbers.get(column)
    }

    /// The mean of a number by row and column.
    pub fn mean(&self, row: &str, measure: &str) -> Option<f64> {
        self.find(row, measure)?.mean
    }

    /// Ours beside the paper's, with differences; without them where the paper has no number at all.
    pub fn table(&self) -> Table {
        if self.rows.iter().flat_map(|row| &row.numbers).any(|number| number.paper.is_some()) {
            return Comparison {
                title: self.title.clone(),
                subject: self.subject.clone(),
                measures: self.measures.clone(),
                rows: self
                    .rows
                    .iter()
                    .map(|row| (row.name.clone(), row.numbers.iter().map(Measured::shown).collect()))
                    .collect(),
                decimals: self.decimals,
                smaller_is_better: self.smaller_is_better,
            }
            .table();
        }
        self.plain()
    }

    fn plain(&self) -> Table {
        use gsfa_report::{Cell, Column};
        let columns = std::iter::once(Column::text(&self.subject)).chain(self.measures.iter().map(Column::number));
        let mut table = Table::new(&self.title, columns.collect());
        for row in &self.rows {
            let cells = row.numbers.iter().map(|number| match (number.mean, number.deviation) {
                (Some(mean), Some(deviation)) => Cell::Spread(mean, deviation, self.decimals),
                (Some(mean), None) => Cell::Number(mean, self.decimals),
                (None, _) => Cell::Missing,
            });
            table.rows.push(std::iter::once(Cell::Text(row.name.clone())).chain(cells).collect());
        }
        table
    }

    /// One line per number: row, measure, mean, deviation, number of runs, the paper's, where in the paper.
    pub fn csv(&self) -> String {
        let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
        let heads = ["row", "measure", "mean", "deviation", "runs", "paper", "source"];
        let mut lines = vec![heads.map(String::from).to_vec()];
        for row in &self.rows {
            for (measure, m) in self.measures.iter().zip(&row.numbers) {
                lines.push(vec![
                    row.name.clone(),
                    measure.clone(),
                    number(m.mean),
                    number(m.deviation),
                    m.runs.len().to_string(),
                    number(m.paper),
                    m.source.clone().unwrap_or_default(),
                ]);
            }
        }
        csv_lines(&lines)
    }
}
