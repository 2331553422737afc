//! The errors of estimates, and how they are shown.

use gsfa::readout::measures;
use gsfa_report::{Cell, Column, Table};
use serde_json::{Value, json};

use super::digits::of_scale;

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

    /// How often each class was taken for each.
    pub fn confusion(&self) -> Option<Table> {
        let Errors::Classes { classes, confusion, .. } = &self.errors else { return None };
        let columns = std::iter::once(Column::text("true \\ estimated")).chain(classes.iter().map(Column::number));
        let mut table = Table::new(format!("confusion of {}", self.label), columns.collect());
        for (name, row) in classes.iter().zip(confusion) {
            let cells = row.iter().map(|&count| Cell::Number(count, 0));
            table.rows.push(std::iter::once(Cell::Text(name.clone())).chain(cells).collect());
        }
        Some(table)
    }
}

/// Shares with four decimals, errors in the label's own units with four digits.
pub fn measure_cell(measure: &str, value: f64, scale: f64) -> Cell {
    match measure {
        "RMSE" | "MAE" => of_scale(value, scale),
        _ => Cell::Number(value, 4),
    }
}

/// One line per label and measure.
pub fn score_table(title: &str, scores: &[Scores]) -> Table {
    let heads = ["error", "chance", "% of chance"].map(Column::number);
    let columns = [Column::text("label"), Column::text("measure")].into_iter().chain(heads).collect();
    let mut table = Table::new(title, columns);
    for score in scores {
        for Measure { name, value, chance } in score.measures() {
            let share = chance.map(|chance| Cell::Number(measures::percent_of_chance(value, chance), 1));
            table.rows.push(vec![
                Cell::Text(score.label.clone()),
                Cell::Text(name.into()),
                measure_cell(name, value, chance.unwrap_or(value)),
                chance.map_or(Cell::Missing, |chance| measure_cell(name, chance, chance)),
                share.unwrap_or_default(),
            ]);
        }
    }
    table
}
