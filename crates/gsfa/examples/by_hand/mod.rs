//! Graphs for timing, built from edge terms by hand.
#![allow(dead_code)]

use gsfa::graph::{Banded, Coupling, EdgeTerm, Grouping, LowRank, TrainingGraph};
use ndarray::{Array1, Array2};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Noise of mean 0 and variance 1 (uniform: fast to draw).
pub fn noise(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let unit = 12.0_f64.sqrt() / (1_u64 << 53) as f64;
    Array2::from_shape_simple_fn((rows, columns), || (random.next_u64() >> 11) as f64 * unit - 3.0_f64.sqrt())
}

/// The label (group number) and cosines of it, decorrelated, linear eigenvalues; v = 1.
pub fn ell(group: &[u32], groups: usize, targets: usize) -> TrainingGraph {
    let n = group.len() as f64;
    let grouping = Grouping::new(group.to_vec(), groups).unwrap();
    let weights = grouping.sums(&vec![1.0; group.len()]);
    let mut columns: Vec<Array1<f64>> = Vec::new();
    for j in 1..=targets {
        let t = |g: usize| g as f64 / (groups - 1) as f64;
        let raw = |g: usize| if j == 1 { t(g) } else { (std::f64::consts::PI * j as f64 * t(g)).cos() };
        let mut column = Array1::from_shape_fn(groups, raw);
        for _ in 0..2 {
            column -= column.iter().zip(&weights).map(|(t, w)| t * w).sum::<f64>() / n;
            for o in &columns {
                let along = column.iter().zip(o).zip(&weights).map(|((t, o), w)| t * o * w).sum::<f64>() / n;
                column.scaled_add(-along, o);
            }
        }
        let variance = column.iter().zip(&weights).map(|(t, w)| t * t * w).sum::<f64>() / n;
        columns.push(column / variance.sqrt());
    }
    let low = LowRank {
        columns: Array2::from_shape_fn((groups, targets), |(g, j)| columns[j][g]),
        values: (0..targets).map(|j| (targets - j) as f64 / targets as f64 / n).collect(),
    };
    graph(vec![1.0; group.len()], grouping, Coupling::LowRank(low), 1.0 / n)
}

/// Groups of equal size, neighbouring ones connected.
pub fn serial(group: &[u32], groups: usize) -> TrainingGraph {
    let grouping = Grouping::new(group.to_vec(), groups).unwrap();
    let size = group.len() as f64 / groups as f64;
    let weight = |&g: &u32| if g == 0 || g as usize == groups - 1 { 1.0 } else { 2.0 };
    let band = Banded::new(groups, vec![(1, vec![1.0 / size; groups - 1])]).unwrap();
    graph(group.iter().map(weight).collect(), grouping, Coupling::Banded(band), 0.0)
}

fn graph(v: Vec<f64>, grouping: Grouping, coupling: Coupling, uniform: f64) -> TrainingGraph {
    let term = EdgeTerm { grouping, shares: vec![1.0; v.len()], coupling, loops: None };
    TrainingGraph::new(v, vec![term], uniform).expect("a graph with positive weights")
}

/// Peak resident memory of this process in MB, or 0 where the system does not tell.
pub fn peak_memory() -> usize {
    memory("VmHWM")
}

/// A line of this process's memory table in MB, or 0 where the system does not tell.
pub fn memory(line: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with(line));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok()).unwrap_or(0) / 1024
}
