//! Errors over the parts of a validation.

use gsfa_report::{Cell, Column, Table};
use serde_json::{Value, json};

use super::scores::{Scores, measure_cell, percent_cell};
use super::words::counted;

/// The errors on the samples of one part.
pub struct ValidationPart {
    pub number: usize,
    pub samples: usize,
    pub scores: Vec<Scores>,
}

impl ValidationPart {
    pub fn json(&self) -> Value {
        let labels: Vec<Value> = self.scores.iter().map(Scores::json).collect();
        json!({"part": self.number, "samples": self.samples, "labels": labels})
    }
}

/// Mean and standard deviation of each error over the parts.
pub fn validation_table(parts: &[ValidationPart]) -> Table {
    let heads = ["error", "± over parts", "chance", "% of chance"].map(Column::number);
    let columns = [Column::text("label"), Column::text("measure")].into_iter().chain(heads).collect();
    let samples: usize = parts.iter().map(|part| part.samples).sum();
    let mut table =
        Table::new(format!("error over {}, {}", counted(parts.len(), "part"), counted(samples, "sample")), columns);
    let Some(first) = parts.first() else { return table };
    for (k, scores) in first.scores.iter().enumerate() {
        for (m, measure) in scores.measures().iter().enumerate() {
            let all: Vec<_> = parts.iter().filter_map(|part| part.scores[k].measures().get(m).copied()).collect();
            let (error, deviation) = mean_and_deviation(all.iter().map(|measure| measure.value));
            let chance: Option<Vec<f64>> = all.iter().map(|measure| measure.chance).collect();
            let chance = chance.map(|chances| mean_and_deviation(chances.into_iter()).0);
            table.rows.push(vec![
                Cell::Text(scores.label.clone()),
                Cell::Text(measure.name.into()),
                measure_cell(measure.name, error, scores.scale()),
                measure_cell(measure.name, deviation, scores.scale()),
                chance.map_or(Cell::Missing, |chance| measure_cell(measure.name, chance, chance)),
                chance.map_or(Cell::Missing, |chance| percent_cell(100.0 * error / chance)),
            ]);
        }
    }
    table
}

fn mean_and_deviation(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let square: f64 = values.map(|x| (x - mean) * (x - mean)).sum();
    (mean, (square / (count - 1.0).max(1.0)).sqrt())
}
