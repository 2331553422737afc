//! The errors of estimates, and how they are shown.

use gsfa::readout::measures;
use gsfa_report::{Cell, Column, Table};
use serde_json::{Value, json};

use super::digits::{four_decimals, of_scale};

/// The errors of one label's estimates.
pub struct Scores {
    pub label: String,
    pub samples: usize,
    pub errors: Errors,
}

/// What is measured.
pub enum Errors {
    Numbers { rmse: f64, mae: f64, r_squared: Option<f64>, chance_rmse: f64 },
    Classes { error_rate: f64, chance_error_rate: f64, classes: Vec<String>, confusion: Vec<Vec<f64>> },
}

/// A number of an error table.
#[derive(Clone, Copy)]
pub struct Measure {
    pub name: &'static str,
    pub value: f64,
    pub chance: Option<f64>,
}

impl Scores {
    pub fn json(&self) -> Value {
        match &self.errors {
            Errors::Numbers { rmse, mae, r_squared, chance_rmse } => json!({
                "label": self.label, "kind": "numbers", "samples": self.samples, "rmse": rmse, "mae": mae,
                "r_squared": r_squared, "chance_rmse": chance_rmse,
                "percent_of_chance": measures::percent_of_chance(*rmse, *chance_rmse),
            }),
            Errors::Classes { error_rate, chance_error_rate, classes, confusion } => json!({
                "label": self.label, "kind": "classes", "samples": self.samples, "error_rate": error_rate,
                "chance_error_rate": chance_error_rate,
                "percent_of_chance": measures::percent_of_chance(*error_rate, *chance_error_rate),
                "classes": classes, "confusion": confusion,
            }),
        }
    }

    /// The lines of an error table.
    pub fn measures(&self) -> Vec<Measure> {
        match &self.errors {
            Errors::Numbers { rmse, mae, r_squared, chance_rmse } => {
                let mut all = vec![
                    Measure { name: "RMSE", value: *rmse, chance: Some(*chance_rmse) },
                    Measure { name: "MAE", value: *mae, chance: None },
                ];
                all.extend(r_squared.map(|value| Measure { name: "R²", value, chance: None }));
                all
            }
            Errors::Classes { error_rate, chance_error_rate, .. } => {
                vec![Measure { name: "error rate", value: *error_rate, chance: Some(*chance_error_rate) }]
            }
        }
    }

    /// The level of chance, in whose digits all errors of the label are shown.
    pub fn scale(&self) -> f64 {
        match self.errors {
            Errors::Numbers { chance_rmse, .. } => chance_rmse,
            Errors::Classes { chance_error_rate, .. } => chance_error_rate,
        }
    }

    /// How often each class was taken for each.
    pub fn confusion(&self) -> Option<Table> {
        let Errors::Classes { classes, confusion, .. } = &self.errors else { return None };
        let columns = std::iter::once(Column::text("true \\ estimated")).chain(classes.iter().map(Column::number));
        let mut table = Table::new(format!("confusion of {}", self.label), columns.collect());
        // Counts, or sums of weights.
        let largest = confusion.iter().flatten().copied().fold(0.0, f64::max);
        let counts = confusion.iter().flatten().all(|count| count.fract() == 0.0);
        let cell = |count: f64| if counts { Cell::Number(count, 0) } else { of_scale(count, largest) };
        for (name, row) in classes.iter().zip(confusion) {
            let cells = row.iter().map(|&count| cell(count));
            table.rows.push(std::iter::once(Cell::Text(name.clone())).chain(cells).collect());
        }
        Some(table)
    }
}

/// Shares with four decimals, errors in the label's own units with four digits.
pub fn measure_cell(measure: &str, value: f64, scale: f64) -> Cell {
    match measure {
        "RMSE" | "MAE" => of_scale(value, scale),
        _ => four_decimals(value),
    }
}

/// A percentage with one decimal, and a smaller one with digits of its own.
pub fn percent_cell(percent: f64) -> Cell {
    if percent != 0.0 && percent.abs() < 0.05 { of_scale(percent, percent) } else { Cell::Number(percent, 1) }
}

/// One line per label and measure.
pub fn score_table(title: &str, scores: &[Scores]) -> Table {
    let heads = ["error", "chance", "% of chance"].map(Column::number);
    let columns = [Column::text("label"), Column::text("measure")].into_iter().chain(heads).collect();
    let mut table = Table::new(title, columns);
    for score in scores {
        let scale = score.scale();
        for Measure { name, value, chance } in score.measures() {
            let share = chance.map(|chance| percent_cell(measures::percent_of_chance(value, chance)));
            table.rows.push(vec![
                Cell::Text(score.label.clone()),
                Cell::Text(name.into()),
                measure_cell(name, value, scale),
                chance.map_or(Cell::Missing, |chance| measure_cell(name, chance, chance)),
                share.unwrap_or_default(),
            ]);
        }
    }
    table
}
