//! Graphs too long for a full matrix: digits of small values, inverse iteration, honest failure.

use std::f64::consts::PI;

use gsfa::Error;
use gsfa::graph::{FreeResponseMethod, FreeResponseOptions, TrainingGraph};
use rand::RngExt;

use super::builders::*;
use super::naive::*;

#[test]
fn edge_list_of_a_shuffled_path_is_recognised() {
    let n = 500;
    let mut rng = rng(8);
    let mut name: Vec<usize> = (0..n).collect();
    for k in (1..n).rev() {
        name.swap(k, rng.random_range(0..=k));
    }
    let edges: Vec<_> = (0..n - 1).map(|k| (name[k], name[k + 1], 1.0)).collect();
    let graph = TrainingGraph::new(vec![1.0; n], vec![plain(sparse(n, &edges))], 0.0).unwrap();
    let free = graph.free_responses(5).unwrap();
    assert_eq!(free.method, FreeResponseMethod::ClosedForm);
    assert_feasible(&graph, &free, 1e-12, "shuffled");
    // With unequal weights the path is still narrow once it is renumbered.
    let edges: Vec<_> = edges.iter().map(|&(i, j, _)| (i, j, 0.5 + rng.random::<f64>())).collect();
    let graph = TrainingGraph::new(positive(&mut rng, n), vec![plain(sparse(n, &edges))], 0.0).unwrap();
    let free = graph.free_responses(5).unwrap();
    assert_eq!(free.method, FreeResponseMethod::ShiftInvert);
    assert_feasible(&graph, &free, 1e-9, "shuffled, weighted");
    let dense = graph.free_responses(n - 1).unwrap();
    assert_eq!(dense.method, FreeResponseMethod::Dense);
    for j in 0..5 {
        assert!((free.delta_values[j] - dense.delta_values[j]).abs() < 1e-12);
        let difference = (0..n).fold(0.0_f64, |m, k| m.max((free.responses[[k, j]] - dense.responses[[k, j]]).abs()));
        assert!(difference < 1e-6, "{difference:e}");
    }
}

#[test]
fn weighted_chains_keep_relative_accuracy() {
    // Sampling a uniform chain with a weight per vertex: scaling v and Γ together must scale nothing in Δ.
    let n = 100_000;
    let mut rng = rng(4);
    let s = positive(&mut rng, n);
    let edges = (0..n - 1).map(|k| s[k] * s[k + 1]).collect();
    let graph = TrainingGraph::new(s, vec![plain(banded(n, vec![(1, edges)]))], 0.0).unwrap();
    let free = graph.free_responses(10).unwrap();
    assert_eq!(free.method, FreeResponseMethod::ShiftInvert);
    assert!(free.residual < 1e-12, "{:e}", free.residual);
    assert_feasible(&graph, &free, 1e-10, "weighted");
    // Rayleigh quotients as sums of squares: no cancellation but that of neighbouring values.
    for j in 0..10 {
        let y = free.responses.column(j);
        let v = graph.vertex_weights();
        let square: f64 = (0..n - 1).map(|k| 2.0 * v[k] * v[k + 1] * (y[k] - y[k + 1]).powi(2)).sum();
        let delta = square / graph.r();
        assert!((delta / free.delta_values[j] - 1.0).abs() < 1e-9, "{delta:e} {:e}", free.delta_values[j]);
    }
}

#[test]
fn nearly_uniform_chain_has_the_values_of_the_uniform_one() {
    // One edge 1e-10 off hides the law; the inverse iteration must find Δ ~ 1e-7 to the accuracy of that change.
    let n = 20_000;
    let mut edges = vec![1.0; n - 1];
    edges[n / 3] += 1e-10;
    let graph = TrainingGraph::new(vec![1.0; n], vec![plain(banded(n, vec![(1, edges)]))], 0.0).unwrap();
    let (found, law) = (graph.free_responses(8).unwrap(), chain(n).free_responses(8).unwrap());
    assert_eq!(found.method, FreeResponseMethod::ShiftInvert);
    for (a, b) in found.delta_values.iter().zip(&law.delta_values) {
        assert!((a / b - 1.0).abs() < 1e-11, "{a:e} {b:e}");
    }
}

#[test]
fn iteration_that_is_cut_short_says_how_far_it_came() {
    let n = 3000;
    let mut rng = rng(6);
    let mut edges: Vec<_> = (0..n - 1).map(|k| (k, k + 1, 1.0 + rng.random::<f64>())).collect();
    edges.push((0, n / 2, -0.001));
    let graph = TrainingGraph::new(vec![1.0; n], vec![plain(sparse(n, &edges))], 0.0).unwrap();
    let error = graph.free_responses_with(3, &FreeResponseOptions { max_iterations: 50, ..Default::default() });
    match error {
        Err(Error::NotConverged { residual, iterations, tolerance, .. }) => {
            assert!(residual > tolerance && iterations >= 40, "{residual:e} {iterations}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn million_vertex_chain_keeps_the_digits_of_its_smallest_values() {
    let n = 1_000_000;
    let free = chain(n).free_responses(3).unwrap();
    for j in 1..=3 {
        let delta = n as f64 / (n - 1) as f64 * 4.0 * (PI * j as f64 / (2 * n) as f64).sin().powi(2);
        assert!((free.delta_values[j - 1] / delta - 1.0).abs() < 1e-13);
    }
    assert!((free.delta_values[0] - 9.8696e-12).abs() < 1e-15);
}
