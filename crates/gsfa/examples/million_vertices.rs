//! Ten free responses of graphs with a million vertices: name one of `chain`, `serial`, `ell`, `weighted_chain`.
//!
//! Prints seconds, the largest memory so far and the first delta values.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use gsfa::graph::{Banded, Coupling, EdgeTerm, Grouping, LowRank, TrainingGraph};
use ndarray::Array2;

const VERTICES: usize = 1_000_000;

fn main() -> gsfa::Result<()> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    for name in ["chain", "serial", "ell", "weighted_chain"] {
        if !names.is_empty() && !names.iter().any(|n| n == name) {
            continue;
        }
        let graph = match name {
            "chain" => path(vec![1.0; VERTICES])?,
            "weighted_chain" => path((0..VERTICES).map(|n| 1.0 + 0.5 * (n as f64 * 0.7).sin()).collect())?,
            "serial" => serial(60)?,
            _ => ell(10)?,
        };
        let before = peak_megabytes();
        let start = Instant::now();
        let free = graph.free_responses(10)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name}: {seconds:.2} s by {:?}, residual {:.1e}, peak {} MB ({before} MB before), delta {:?}",
            free.method,
            free.residual,
            peak_megabytes(),
            &free.delta_values[..3]
        );
    }
    Ok(())
}

/// A chain whose samples weigh `s`: vₙ = sₙ, γ = sₙsₙ₊₁.
fn path(s: Vec<f64>) -> gsfa::Result<TrainingGraph> {
    let edges = s.windows(2).map(|w| w[0] * w[1]).collect();
    let coupling = Coupling::Banded(Banded::new(s.len(), vec![(1, edges)]));
    let shares = vec![1.0; s.len()];
    let term = EdgeTerm { grouping: Grouping::singletons(s.len()), shares, coupling, loops: None };
    TrainingGraph::new(s, vec![term], 0.0)
}

fn serial(groups: usize) -> gsfa::Result<TrainingGraph> {
    let grouping = Grouping::new((0..VERTICES).map(|n| (n * groups / VERTICES) as u32).collect(), groups);
    let sizes = grouping.sums(&vec![1.0; VERTICES]);
    let degree = |g: usize| if g == 0 || g + 1 == groups { 1.0 } else { 2.0 };
    let v = grouping.of_vertex().iter().map(|&g| degree(g as usize) / sizes[g as usize]).collect();
    let between = sizes.windows(2).map(|w| 1.0 / (w[0] * w[1])).collect();
    let coupling = Coupling::Banded(Banded::new(groups, vec![(1, between)]));
    let term = EdgeTerm { grouping, shares: vec![1.0; VERTICES], coupling, loops: None };
    TrainingGraph::new(v, vec![term], 0.0)
}

/// Target labels that are cosines of the rank, eigenvalues falling linearly.
fn ell(targets: usize) -> gsfa::Result<TrainingGraph> {
    let phase = |n: usize, j: usize| std::f64::consts::PI * (j + 1) as f64 * (n as f64 + 0.5) / VERTICES as f64;
    let columns = Array2::from_shape_fn((VERTICES, targets), |(n, j)| -(2.0_f64.sqrt()) * phase(n, j).cos());
    let q = VERTICES as f64;
    let values = (0..targets).map(|j| (targets - j) as f64 / q).collect();
    let coupling = Coupling::LowRank(LowRank { columns, values });
    let grouping = Grouping::singletons(VERTICES);
    let term = EdgeTerm { grouping, shares: vec![1.0; VERTICES], coupling, loops: None };
    TrainingGraph::new(vec![1.0; VERTICES], vec![term], targets as f64 / q)
}

/// The largest resident memory of this process so far, where the system tells.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:"));
    line.and_then(|l| l.split_whitespace().nth(1)).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}
