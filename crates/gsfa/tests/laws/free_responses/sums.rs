//! Sums of graphs: few columns beside neighbours in a line, at sizes where neither a full matrix nor plain iteration works.

use gsfa::graph::{
    Chain, Clustered, Compact, Edges, Ell, FreeResponseOptions, GraphInput, GraphSpec, Mixed, NearestNeighbors,
    Reordering, Serial, SlidingWindow, Sum, Summand, TrainingGraph,
};
use gsfa::labels::{Labels, SampleWeights};
use rand::RngExt;

use super::naive::*;

fn labels(n: usize) -> Labels {
    // A label without ties, in scrambled order, and classes that follow it in part.
    let step = (1..n).rev().find(|step| step % 2 == 1 && gcd(*step, n) == 1 && *step < 2 * n / 3).unwrap_or(1);
    let place = |i: usize| i * step % n;
    let values = (0..n).map(|i| place(i) as f64 + 0.3 * (i as f64).sin()).collect();
    Labels::numbers("y", values)
        .and_classes("c", (0..n).map(|i| format!("c{}", (place(i) * 6 / n + i % 2) % 6)))
        .unwrap()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn kinds(n: usize) -> Vec<(&'static str, GraphSpec)> {
    let y = || Some("y".to_string());
    let c = || Some("c".to_string());
    let edges = (0..n).flat_map(|i| [(i, (i + 1) % n, 1.0), (i, (i + 3) % n, 0.5)]).collect();
    vec![
        ("ell", Ell { targets: Some(4), labels: vec!["y".into()], ..Ell::default() }.into()),
        ("reordering", Reordering { label: y(), ..Reordering::default() }.into()),
        ("serial", Serial { groups: 12, label: y() }.into()),
        ("mixed", Mixed { groups: 9, label: y() }.into()),
        ("window", SlidingWindow { half_width: 3, shape: Default::default(), label: y() }.into()),
        ("chain", Chain::default().into()),
        ("clustered", Clustered { label: c(), ..Clustered::default() }.into()),
        ("compact", Compact { label: c(), ..Compact::default() }.into()),
        ("edges", Edges { edges, ..Edges::default() }.into()),
        ("neighbours", NearestNeighbors::new(5).into()),
    ]
}

fn sum(one: &GraphSpec, other: &GraphSpec, shares: [f64; 2]) -> GraphSpec {
    let summand = |share, graph: &GraphSpec| Summand { share, graph: graph.clone() };
    Sum { graphs: vec![summand(shares[0], one), summand(shares[1], other)] }.into()
}

fn build(spec: &GraphSpec, n: usize, weighted: bool) -> TrainingGraph {
    let (labels, mut rng) = (labels(n), super::builders::rng(3));
    let numbers = match labels.column("y").unwrap() {
        gsfa::labels::LabelValues::Numbers(values) => values.clone(),
        gsfa::labels::LabelValues::Classes(_) => Vec::new(),
    };
    let vectors = ndarray::Array2::from_shape_fn((n, 2), |(i, k)| [numbers[i], (i % 7) as f64][k]);
    let weights = (0..n).map(|_| if weighted { 0.5 + rng.random::<f64>() } else { 1.0 }).collect();
    let input = GraphInput::new(&labels).with_weights(SampleWeights::new(weights).unwrap()).unwrap();
    spec.build(&input.with_vectors(vectors.view()).unwrap()).unwrap()
}

#[test]
fn sums_have_the_responses_of_the_full_matrix() {
    let n = 260;
    let kinds = kinds(n);
    // No full matrix: what large graphs get.
    let large = FreeResponseOptions { dense_limit: 50, ..FreeResponseOptions::default() };
    for weighted in [false, true] {
        for (i, (first, one)) in kinds.iter().enumerate() {
            for (second, other) in &kinds[i + 1..] {
                let graph = build(&sum(one, other, [0.5, 0.5]), n, weighted);
                let name = format!("{first} + {second}, weighted: {weighted}");
                let free = graph.free_responses_with(10, &large).unwrap_or_else(|e| panic!("{name}: {e}"));
                let dense = FreeResponseOptions { dense_limit: 10 * n, ..FreeResponseOptions::default() };
                let full = graph.free_responses_with(n - 1, &dense).unwrap();
                for j in 0..10 {
                    let (a, b) = (free.delta_values[j], full.delta_values[j]);
                    assert!((a - b).abs() < 1e-9, "{name}: Δ{j} = {a}, not {b} by {:?}", free.method);
                }
                assert_feasible(&graph, &free, 1e-7, &name);
            }
        }
    }
}

#[test]
fn no_pair_of_graphs_fails_from_some_size_on() {
    let n = 1500;
    let kinds = kinds(n);
    for (i, (first, one)) in kinds.iter().enumerate() {
        for (second, other) in &kinds[i + 1..] {
            let graph = build(&sum(one, other, [0.5, 0.5]), n, false);
            let free = graph.free_responses(10).unwrap_or_else(|e| panic!("{first} + {second}: {e}"));
            assert_feasible(&graph, &free, 1e-7, &format!("{first} + {second}"));
        }
    }
}

#[test]
fn long_sums_are_solved() {
    let of = |n: usize| {
        let k = kinds(n);
        let pair = |a: usize, b: usize| (format!("{} + {}", k[a].0, k[b].0), sum(&k[a].1, &k[b].1, [0.5, 0.5]));
        // ELL and reordering, serial and ELL, chain and clustered, serial and reordering, window and compact.
        [pair(0, 1), pair(2, 0), pair(5, 6), pair(2, 1), pair(4, 7)]
    };
    for n in [10_000, 100_000] {
        for (name, spec) in of(n).iter().take(if n > 10_000 { 3 } else { 5 }) {
            let graph = build(spec, n, true);
            let free = graph.free_responses(10).unwrap_or_else(|e| panic!("{name}, N = {n}: {e}"));
            assert_feasible(&graph, &free, 1e-7, name);
        }
    }
}

#[test]
fn a_small_share_of_labels_keeps_small_values_apart() {
    // Labels that move responses by less than neighbours do, and by far more.
    let (n, large) = (240, FreeResponseOptions { dense_limit: 50, ..FreeResponseOptions::default() });
    let kinds = kinds(n);
    for share in [1e-9, 1e-6, 1e-4, 1e-2, 0.9, 0.9999] {
        for (one, other) in [(0, 1), (6, 5), (2, 1), (7, 4)] {
            let graph = build(&sum(&kinds[one].1, &kinds[other].1, [share, 1.0 - share]), n, true);
            let free = graph.free_responses_with(8, &large).unwrap();
            let dense = FreeResponseOptions { dense_limit: 10 * n, ..FreeResponseOptions::default() };
            let full = graph.free_responses_with(n - 1, &dense).unwrap();
            for j in 0..8 {
                let (a, b) = (free.delta_values[j], full.delta_values[j]);
                assert!((a - b).abs() < 1e-10, "{} {share}: Δ{j} = {a:e}, not {b:e}", kinds[one].0);
            }
        }
    }
}
