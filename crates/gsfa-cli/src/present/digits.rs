//! Numbers in tables for people: as many digits as say something.

use gsfa_report::{Cell, Column, Table};

/// Digits of an error that are shown.
const DIGITS: i32 = 4;

/// What is left of 0 after some thousand operations.
const ROUND_OFF: f64 = 1e-12;

/// A number beside others of a scale, with four of their digits; very large and very small ones with an exponent.
pub fn of_scale(value: f64, scale: f64) -> Cell {
    // Beside a much larger scale a number has digits of its own: no zeros that are none.
    let size = if value != 0.0 && value.abs() < 1e-3 * scale.abs() { value.abs() } else { scale.abs() };
    if !size.is_finite() || size == 0.0 {
        return Cell::Number(value, DIGITS as usize);
    }
    if !(1e-6..1e9).contains(&size) {
        return Cell::Text(format!("{value:.*e}", DIGITS as usize - 1));
    }
    Cell::Number(value, (DIGITS - 1 - size.log10().floor() as i32).max(0) as usize)
}

/// A number with six digits, without zeros that only fill: Q, R and edge weights.
pub fn brief(value: f64) -> String {
    if value == 0.0 || (1e-4..1e9).contains(&value.abs()) {
        let decimals = if value == 0.0 { 0 } else { (5 - value.abs().log10().floor() as i32).max(0) as usize };
        let text = format!("{value:.decimals$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        return text.to_string();
    }
    format!("{value:.5e}")
}

/// A number with four decimals, and one that they would not show with an exponent, unless it is round-off.
pub fn four_decimals(value: f64) -> Cell {
    let hidden = (ROUND_OFF..5e-4).contains(&value.abs());
    if hidden { Cell::Text(format!("{value:.2e}")) } else { Cell::Number(value, DIGITS as usize) }
}

/// Δ and ρ² of features as a table, without ρ² where no feature has a target. Features that are noise, with a Δ about 2 and
/// nothing of a target, are one line.
pub fn feature_table(title: &str, deltas: &[f64], correlations: &[Option<f64>]) -> Table {
    let targets = correlations.iter().any(Option::is_some);
    let mut columns = vec![Column::number("feature"), Column::number("Δ")];
    columns.extend(targets.then(|| Column::number("ρ²")));
    let mut table = Table::new(title, columns);
    let is_noise = |j: usize| (deltas[j] - 2.0).abs() < 5e-4 && correlations[j].is_none_or(|rho| rho < 5e-4);
    let count = deltas.len().min(correlations.len());
    let mut j = 0;
    while j < count {
        let run = (j..count).take_while(|&k| is_noise(k)).count().max(1);
        let name = if run == 1 { (j + 1).to_string() } else { format!("{}–{}", j + 1, j + run) };
        let mut row = vec![Cell::Text(name), four_decimals(deltas[j])];
        row.extend(targets.then(|| correlations[j].map_or(Cell::Missing, |rho| Cell::Number(rho, 4))));
        table.rows.push(row);
        j += run;
    }
    table
}
