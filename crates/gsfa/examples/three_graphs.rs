//! The paper's analysis of three training graphs for the same 30 labels: what each one considers slow.
//!
//! `cargo run --release --example three_graphs`

use gsfa::graph::{Ell, GraphInput, GraphSpec, Reordering, Serial};
use gsfa::labels::Labels;
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

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

    println!(
        "\nThe label with as much noise added, against the unwanted sixth free response: which one looks slower?\n"
    );
    println!("{:<16}{:>14}{:>10}", "graph", "noisy label", "y6");
    let draws = 500;
    for (name, spec) in &specs {
        let graph = spec.build(&input)?;
        let responses = graph.free_responses(6)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut noise = || -> f64 { rng.sample(StandardNormal) };
        let mean = label.iter().sum::<f64>() / n as f64;
        let deviation = (label.iter().map(|l| (l - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
        let noisy =
            Array2::from_shape_fn((n, draws), |(i, _)| ((label[i] - mean) / deviation + noise()) / 2.0_f64.sqrt());
        let mean_delta = graph.delta_values(noisy.view())?.iter().sum::<f64>() / draws as f64;
        println!("{name:<16}{mean_delta:>14.3}{:>10.3}", responses.delta_values[5]);
    }
    Ok(())
}
