//! The README's figure: delta values of the free responses of three graphs for the same 30 labels, as SVG on standard
//! output.
//!
//! `cargo run --release -p gsfa-report --example delta_values > docs/images/delta-values.svg`

use gsfa::graph::{Ell, GraphInput, GraphSpec, Reordering, Serial};
use gsfa::labels::Labels;
use gsfa_report::{Axis, LineChart, Rule, Series};

fn main() -> gsfa::Result<()> {
    let n = 30;
    let label = (0..n).map(|i| i as f64 / 10.0 + (i as f64 / 4.0).sin()).collect();
    let labels = Labels::numbers("label", label);
    let specs: [(&str, GraphSpec); 3] = [
        ("reordering: 14 below 2", Reordering::default().into()),
        ("serial, 15 groups: 6 below 2", Serial { groups: 15, label: None }.into()),
        ("ELL-4: 4 below 2", Ell { targets: Some(4), ..Ell::default() }.into()),
    ];
    let mut series = Vec::new();
    for (name, spec) in specs {
        let responses = spec.build(&GraphInput::new(&labels))?.free_responses(n - 1)?;
        let points = responses.delta_values.iter().enumerate().map(|(j, delta)| ((j + 1) as f64, *delta)).collect();
        series.push(Series::new(name, points));
    }
    let chart = LineChart {
        title: "What three graphs for the same 30 labels consider slow".into(),
        x: Axis::new("free response j"),
        y: Axis::from_zero("delta value"),
        series,
        rules: vec![Rule { value: 2.0, label: "noise".into() }],
    };
    println!("{}", chart.figure().svg());
    Ok(())
}
