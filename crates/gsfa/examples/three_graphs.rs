//! The paper's analysis of three training graphs for the same 30 labels: what each one considers slow.
//!
//! `cargo run --release --example three_graphs`

use gsfa::graph::{Ell, GraphInput, GraphSpec, Reordering, Serial};
use gsfa::labels::Labels;
use ndarray::Array2;

fn main() -> gsfa::Result<()> {
    let n = 30;
    // An arbitrary, unevenly spaced label.
    let label: Vec<f64> = (0..n).map(|i| i as f64 / 10.0 + (i as f64 / 4.0).sin()).collect();
    let labels = Labels::numbers("label", label.clone());
    let input = GraphInput::new(&labels);
    let specs: [(&str, GraphSpec); 3] = [
        ("reordering", Reordering::default().into()),
        ("serial, K = 15", Serial { groups: 15, label: None }.into()),
        ("ELL-4", Ell { targets: Some(4), ..Ell::default() }.into()),
    ];

    println!("Optimal free responses of three graphs for the same {n} labels\n");
    println!("{:<16}{:>8}{:>10}  first delta values", "graph", "Δ < 2", "smallest");
    for (name, spec) in &specs {
        let graph = spec.build(&input)?;
        let responses = graph.free_responses(n - 1)?;
        let slow = responses.delta_values.iter().filter(|&&delta| delta < 2.0 - 1e-9).count();
        let first: Vec<String> = responses.delta_values.iter().take(7).map(|delta| format!("{delta:.3}")).collect();
        println!("{name:<16}{slow:>8}{:>10.4}  {}", graph.smallest_edge().weight, first.join("  "));
    }

    println!("\nA half-noise version of the label against the sixth free response: which one looks slower?\n");
    println!("{:<16}{:>14}{:>10}", "graph", "noisy label", "y6");
    for (name, spec) in &specs {
        let graph = spec.build(&input)?;
        let responses = graph.free_responses(6)?;
        let first = responses.responses.column(0);
        // Alternating signs are as fast as a feature can be; scaled like the label they stand for noise.
        let noise = |i: usize| if (i * i / 3) % 2 == 0 { 1.0 } else { -1.0 };
        let noisy = Array2::from_shape_fn((n, 1), |(i, _)| (first[i] + noise(i)) / 2.0_f64.sqrt());
        println!("{name:<16}{:>14.3}{:>10.3}", graph.delta_values(noisy.view())?[0], responses.delta_values[5]);
    }
    Ok(())
}
