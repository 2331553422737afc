//! Ten free responses of graphs with a million vertices; name some of `chain`, `serial`, `ell`, `weighted_chain`, or
//! none for all. Prints seconds, the largest memory so far and the first delta values.
//!
//! `cargo run --release --example million_vertices`

use std::time::Instant;

use gsfa::graph::{Chain, Ell, GraphInput, GraphSpec, Serial};
use gsfa::labels::{Labels, SampleWeights};

const VERTICES: usize = 1_000_000;

fn main() -> gsfa::Result<()> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let specs: [(&str, GraphSpec); 4] = [
        ("chain", Chain::default().into()),
        ("serial", Serial { groups: 60, label: None }.into()),
        ("ell", Ell { targets: Some(10), ..Ell::default() }.into()),
        ("weighted_chain", Chain::default().into()),
    ];
    // Distinct labels in scrambled order, so that an ELL graph has a million label rows.
    let label = (0..VERTICES).map(|n| ((n * 7919) % VERTICES) as f64).collect();
    let labels = Labels::numbers("label", label);
    println!(
        "{:<16}{:>8}{:>9}{:>9}{:>13}  method, first delta values",
        "graph", "build", "solve", "memory", "residual"
    );
    for (name, spec) in specs.iter().filter(|(name, _)| names.is_empty() || names.iter().any(|n| n == name)) {
        let weight = |n: usize| if *name == "weighted_chain" { 1.0 + 0.5 * (n as f64 * 0.7).sin() } else { 1.0 };
        let weights = SampleWeights::new((0..VERTICES).map(weight).collect())?;
        let input = GraphInput::new(&labels).with_weights(weights)?;
        let start = Instant::now();
        let graph = spec.build(&input)?;
        let built = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let free = graph.free_responses(10)?;
        let solved = start.elapsed().as_secs_f64();
        let deltas: Vec<String> = free.delta_values.iter().take(3).map(|delta| format!("{delta:.4e}")).collect();
        println!(
            "{name:<16}{built:>6.2} s{solved:>7.2} s{:>6} MB{:>13.1e}  {:?}, {}",
            peak_megabytes(),
            free.residual,
            free.method,
            deltas.join(" ")
        );
    }
    Ok(())
}

/// The largest memory the process has had so far; 0 where the system does not tell.
fn peak_megabytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|kb| kb.parse::<usize>().ok()).unwrap_or(0) / 1024
}
