//! What noise looks like on a graph, by simulation and by free responses.

use crate::solve_support::*;
use crate::support::Draws;
use gsfa::graph::{FreeResponseOptions, TrainingGraph};

/// Mean Δ of independent normal noise that is given weighted zero mean and unit variance, and its standard error.
fn simulated(graph: &TrainingGraph, rounds: usize, seed: u64) -> (f64, f64) {
    let features = noise(graph.len(), rounds, seed);
    let deltas = graph.delta_values(features.view()).unwrap();
    let mean = deltas.iter().sum::<f64>() / rounds as f64;
    let square = deltas.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / rounds as f64;
    (mean, (square / rounds as f64).sqrt())
}

fn graphs(n: usize, v: &[f64]) -> Vec<(&'static str, TrainingGraph)> {
    let paths = reordering(n);
    let coupling = paths.terms()[0].coupling.clone();
    vec![
        ("ELL", ell(v, 5, &[1.0, 0.5])),
        ("clustered", clustered(v, contiguous(n, 3))),
        ("serial", serial(v, contiguous(n, 4))),
        ("a path with other weights", singletons(v.to_vec(), coupling, None)),
        ("neighbours", neighbors(v.to_vec())),
        ("a sum", mixture(&ell(v, 5, &[1.0, 0.5]), &clustered(v, contiguous(n, 3)))),
    ]
}

#[test]
fn feasible_noise_has_the_expected_delta_for_unequal_weights() {
    let mut draws = Draws::new(5);
    let n = 14;
    let weights: [Vec<f64>; 4] = [
        draws.weights(n),
        (0..n).map(|k| 1.6_f64.powi(k as i32)).collect(),
        (0..n).map(|k| if k == 4 { 300.0 } else { 1.0 }).collect(),
        (0..n).map(|k| if k % 2 == 0 { 1e-12 } else { 1.0 }).collect(),
    ];
    for (k, v) in weights.iter().enumerate() {
        for (name, graph) in graphs(n, v) {
            let (mean, error) = simulated(&graph, 20_000, 70 + k as u64);
            let expected = graph.expected_feasible_noise_delta();
            assert!((mean - expected).abs() < 5.0 * error + 1e-9, "{name} {k}: {mean} ± {error}, not {expected}");
        }
    }
}

#[test]
fn on_equal_weights_feasible_noise_has_the_mean_delta_of_all_free_responses() {
    for n in [2, 3, 12, 40] {
        let graphs = [("chain", chain(n)), ("reordering", reordering(n)), ("neighbours", neighbors(vec![0.7; n]))];
        for (name, graph) in graphs {
            let all = graph.free_responses_with(n - 1, &FreeResponseOptions::default()).unwrap().delta_values;
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            let expected = graph.expected_feasible_noise_delta();
            assert!((mean - expected).abs() < 1e-12 * mean.max(1.0), "{name}, N = {n}: {mean} {expected}");
        }
    }
    // The integral has the same limit: weights that differ in the last digits only.
    let n = 25;
    let graph = neighbors((0..n).map(|k| 0.7 + 1e-13 * k as f64).collect());
    let equal = neighbors(vec![0.7; n]).expected_feasible_noise_delta();
    assert!((graph.expected_feasible_noise_delta() - equal).abs() < 1e-9 * equal);
}

#[test]
fn two_samples_have_one_feasible_feature() {
    for v in [vec![1.0, 1.0], vec![1.0, 5.0], vec![1e-9, 1.0]] {
        let graph = singletons(v, chain(2).terms()[0].coupling.clone(), None);
        let only = graph.free_responses(1).unwrap().delta_values[0];
        let expected = graph.expected_feasible_noise_delta();
        assert!((expected / only - 1.0).abs() < 1e-8, "{expected} {only}");
    }
}

#[test]
fn feasible_noise_of_many_samples_is_affordable() {
    let n = 20_000;
    let v = uneven_weights(n);
    let graph = ell(&v, 500, &[1.0, 0.5]);
    let (mean, error) = simulated(&graph, 200, 9);
    let expected = graph.expected_feasible_noise_delta();
    assert!((mean - expected).abs() < 5.0 * error, "{mean} ± {error}, not {expected}");
}
