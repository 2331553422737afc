//! Closed forms, labels, components, errors.

use std::f64::consts::PI;

use gsfa::Error;
use gsfa::graph::{Coupling, EdgeTerm, FreeResponseMethod, Grouping, Sparse, TrainingGraph};
use rand::RngExt;

use super::builders::*;
use super::naive::*;

#[test]
fn chain_responses_are_half_cosines() {
    for n in [2, 3, 30] {
        let free = assert_solved(&chain(n), n - 1, "chain");
        assert_eq!(free.method, FreeResponseMethod::ClosedForm);
        let ratio = n as f64 / (2 * (n - 1)) as f64;
        for j in 1..n {
            let delta = 2.0 * ratio * (2.0 - 2.0 * (PI * j as f64 / n as f64).cos());
            assert!((free.delta_values[j - 1] - delta).abs() < 1e-14);
            for k in 0..n {
                let cosine = -(2.0_f64.sqrt()) * (PI * j as f64 * (k as f64 + 0.5) / n as f64).cos();
                assert!((free.responses[[k, j - 1]] - cosine).abs() < 1e-13, "{n} {j} {k}");
            }
        }
    }
}

#[test]
fn reordering_graph_of_thirty_has_fourteen_slow_responses() {
    let n = 30;
    let mut term = plain(banded(n, vec![(1, vec![1.0; n - 1])]));
    let mut loops = vec![0.0; n];
    (loops[0], loops[n - 1]) = (1.0, 1.0);
    term.loops = Some(loops);
    let free = assert_solved(&TrainingGraph::new(vec![1.0; n], vec![term], 0.0).unwrap(), n - 1, "reordering");
    assert_eq!(free.delta_values.iter().filter(|&&d| d < 2.0 - 1e-12).count(), 14);
    assert!((free.delta_values[5] - 0.382).abs() < 5e-4);
}

#[test]
fn serial_graph_has_six_slow_sixteen_neutral_and_seven_fast_responses() {
    let free = assert_solved(&serial((0..30).map(|n| n / 2).collect(), 15), 29, "serial");
    assert_eq!(free.method, FreeResponseMethod::ClosedForm);
    let slow = free.delta_values.iter().filter(|&&d| d < 2.0 - 1e-12).count();
    let fast = free.delta_values.iter().filter(|&&d| d > 2.0 + 1e-12).count();
    assert_eq!((slow, 29 - slow - fast, fast), (6, 16, 7));
    // Any sizes, vertices in any order: the values depend on the number of groups only.
    let mut rng = rng(5);
    let uneven: Vec<u32> = (0..60).map(|n| if n < 7 { 6 - n } else { rng.random_range(0..7) }).collect();
    let free = assert_solved(&serial(uneven, 7), 59, "serial, uneven");
    for j in 1..3 {
        assert!((free.delta_values[j - 1] - (2.0 - 2.0 * (PI * j as f64 / 6.0).cos())).abs() < 1e-13);
    }
}

#[test]
fn mixed_graph_has_the_values_of_a_path_with_loops() {
    let (n, groups) = (24, 8);
    let size = (n / groups) as f64;
    let grouping = Grouping::new((0..n).map(|k| (k * groups / n) as u32).collect(), groups).unwrap();
    let within = (0..groups).map(|g| if g == 0 || g + 1 == groups { 2.0 } else { 1.0 } / (size * size)).collect();
    let between = vec![1.0 / (size * size); groups - 1];
    let coupling = banded(groups, vec![(0, within), (1, between)]);
    let term = EdgeTerm { grouping, shares: vec![1.0; n], coupling, loops: None };
    let free = assert_solved(&TrainingGraph::new(vec![3.0 / size; n], vec![term], 0.0).unwrap(), n - 1, "mixed");
    for j in 1..5 {
        let delta = 4.0 / 3.0 * (1.0 - (PI * j as f64 / groups as f64).cos());
        assert!((free.delta_values[j - 1] - delta).abs() < 1e-13);
    }
    assert_eq!(free.delta_values.iter().filter(|&&d| (d - 2.0).abs() < 1e-12).count(), n - groups);
}

#[test]
fn sliding_window_responses_are_cosines() {
    for (n, w) in [(5, vec![1.0, 0.5]), (12, vec![0.7, 1.1, 0.2]), (40, vec![1.0; 8])] {
        let mut entries = Vec::new();
        for i in 0..n as i64 {
            for (k, &w) in w.iter().enumerate() {
                for step in [k as i64 + 1, -(k as i64) - 1] {
                    let to = i + step;
                    let to = if to < 0 {
                        -1 - to
                    } else if to >= n as i64 {
                        2 * n as i64 - 1 - to
                    } else {
                        to
                    };
                    entries.push((i as u32, to as u32, w));
                }
            }
        }
        let graph = TrainingGraph::new(
            vec![1.0; n],
            vec![plain(Coupling::Sparse(Sparse::from_entries(n, entries).unwrap()))],
            0.0,
        );
        let free = assert_solved(&graph.unwrap(), n - 1, "window");
        assert_eq!(free.method, FreeResponseMethod::ClosedForm);
        let total: f64 = w.iter().sum();
        let value = |j: usize| {
            2.0 - 2.0 * w.iter().enumerate().map(|(k, w)| w * (PI * (j * (k + 1)) as f64 / n as f64).cos()).sum::<f64>()
                / total
        };
        let mut deltas: Vec<f64> = (1..n).map(value).collect();
        deltas.sort_by(f64::total_cmp);
        assert!(free.delta_values.iter().zip(&deltas).all(|(a, b)| (a - b).abs() < 1e-13));
    }
}

#[test]
fn clustered_graphs_have_steps_at_zero_and_the_rest_at_two() {
    let sizes = [1_usize, 4, 2, 7];
    let (n, classes) = (14, 4);
    let of_vertex: Vec<u32> = sizes.iter().enumerate().flat_map(|(c, &m)| vec![c as u32; m]).collect();
    let grouping = Grouping::new(of_vertex, classes).unwrap();
    let within = sizes.iter().map(|&m| 1.0 / m as f64).collect();
    let term = EdgeTerm {
        grouping: grouping.clone(),
        shares: vec![1.0; n],
        coupling: banded(classes, vec![(0, within)]),
        loops: None,
    };
    let graph = TrainingGraph::new(vec![1.0; n], vec![term], 0.0).unwrap();
    let free = assert_solved(&graph, n - 1, "clustered");
    let expected: Vec<f64> = (0..n - 1).map(|j| if j < classes - 1 { 0.0 } else { 2.0 }).collect();
    assert!(free.delta_values.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14));
    assert_eq!(graph.components().count, classes);
    // The paper's weights without self-loops.
    let sizes = [3.0, 4.0, 2.0, 5.0];
    let grouping = Grouping::new((0..4).flat_map(|c| vec![c as u32; sizes[c] as usize]).collect(), 4).unwrap();
    let within: Vec<f64> = sizes.iter().map(|m| 1.0 / (m - 1.0)).collect();
    let loops = grouping.of_vertex().iter().map(|&g| -within[g as usize]).collect();
    let term = EdgeTerm { grouping, shares: vec![1.0; 14], coupling: banded(4, vec![(0, within)]), loops: Some(loops) };
    let free = assert_solved(&TrainingGraph::new(vec![1.0; 14], vec![term], 0.0).unwrap(), 13, "clustered, no loops");
    let expected = [0.0, 0.0, 0.0, 2.5, 2.5, 2.5, 2.5, 8.0 / 3.0, 8.0 / 3.0, 8.0 / 3.0, 3.0, 3.0, 4.0];
    assert!(free.delta_values.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-13), "{:?}", free.delta_values);
}

#[test]
fn ell_free_responses_are_the_target_labels() {
    for (n, targets) in [(2, 1), (5, 4), (40, 6), (3000, 10)] {
        let mut rng = rng(n as u64);
        let v = positive(&mut rng, n);
        let labels = labels(&mut rng, &v, targets);
        // Equal eigenvalues among them, and a negative one: order is by λ, bases are the labels themselves.
        let mut lambda: Vec<f64> = (0..targets).map(|j| (targets - j).max(targets / 2) as f64).collect();
        if targets == 6 {
            lambda[5] = -1.0;
        }
        let lambda0 = lambda[0];
        let graph = ell(&v, &labels, &lambda, lambda0);
        let positive = lambda.iter().filter(|&&l| l > 0.0).count();
        let free = graph.free_responses(targets.min(n - 1)).unwrap();
        assert_eq!(free.method, FreeResponseMethod::LowRank);
        for j in 0..positive {
            assert!((free.delta_values[j] - (2.0 - 2.0 * lambda[j] / lambda0)).abs() < 1e-14 * 10.0);
            let y = free.responses.column(j);
            let error = y.iter().zip(&labels[j]).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(error < 1e-14 * 10.0, "{n} {j}: {error:e}");
        }
        assert_feasible(&graph, &free, 1e-12, "ell");
        if n == 40 {
            let all = graph.free_responses(n - 1).unwrap();
            let neutral = all.delta_values.iter().filter(|&&d| (d - 2.0).abs() < 1e-14).count();
            assert_eq!(neutral, n - 1 - 6);
            assert!((all.delta_values[n - 2] - (2.0 + 2.0 / lambda0)).abs() < 1e-13);
        }
    }
}

#[test]
fn equal_eigenvalues_beside_correlated_columns_give_the_labels() {
    // Two labels of equal λ, and two correlated columns that rule out the shortcut for decorrelated ones.
    let (n, mut rng) = (25, rng(3));
    let v = positive(&mut rng, n);
    let mut columns = labels(&mut rng, &v, 4);
    columns[3] = columns[3].iter().zip(&columns[2]).map(|(d, c)| c + d).collect();
    let graph = ell(&v, &columns, &[1.0, 1.0, 0.7, 0.4], 2.0);
    let free = assert_solved(&graph, 6, "equal");
    let same: Vec<usize> = (0..6).filter(|&j| (free.delta_values[j] - 1.0).abs() < 1e-12).collect();
    assert_eq!(same.len(), 2);
    for (&j, label) in same.iter().zip(&columns) {
        assert!(label.iter().enumerate().all(|(k, x)| (free.responses[[k, j]] - x).abs() < 1e-12));
    }
}

#[test]
fn lagged_chain_falls_into_paths_of_equal_value() {
    let (n, lag) = (21, 4);
    let graph = TrainingGraph::new(vec![1.0; n], vec![plain(banded(n, vec![(lag, vec![1.0; n - lag])]))], 0.0).unwrap();
    assert_eq!(graph.components().count, lag);
    assert_eq!(graph.components().of_vertex[..6], [0, 1, 2, 3, 0, 1]);
    let free = assert_solved(&graph, n - 1, "lagged");
    assert_eq!(free.method, FreeResponseMethod::ClosedForm);
    // The first component is the longest, hence the slowest; its response vanishes on the others.
    assert!((0..n).filter(|k| k % lag != 0).all(|k| free.responses[[k, 3]] == 0.0));
}

#[test]
fn components_count_what_edges_connect() {
    // No edges within the middle group, and none to it: three single vertices.
    let grouping = Grouping::new(vec![0, 1, 1, 2, 1, 0], 3).unwrap();
    let term =
        EdgeTerm { grouping, shares: vec![1.0; 6], coupling: sparse(3, &[(0, 2, -1.0), (0, 0, 3.0)]), loops: None };
    let graph = TrainingGraph::new(vec![1.0; 6], vec![term.clone()], 0.0).unwrap();
    assert_eq!(graph.components().of_vertex, [0, 1, 2, 0, 3, 0]);
    assert_solved(&graph, 5, "isolated");
    let graph = TrainingGraph::new(vec![1.0; 6], vec![term], 0.5).unwrap();
    assert_eq!(graph.components().count, 1);
    assert_solved(&graph, 5, "isolated but for the uniform part");
    // A binary label with λ₁ = λ₀ gives two classes without an edge between them, for any balance and weights.
    let mut rng = rng(2);
    let v = positive(&mut rng, 9);
    let (q, class) = (v.iter().sum::<f64>(), [0, 1, 1, 0, 0, 1, 0, 0, 0]);
    let p = (0..9).filter(|&n| class[n] == 1).map(|n| v[n]).sum::<f64>() / q;
    let label = class.iter().map(|&c| if c == 1 { ((1.0 - p) / p).sqrt() } else { -(p / (1.0 - p)).sqrt() }).collect();
    let graph = ell(&v, &[label], &[1.0], 1.0);
    let components = graph.components();
    assert_eq!(components.count, 2);
    assert!((0..9).all(|n| components.of_vertex[n] == class[n]));
}

#[test]
fn uniform_graph_has_contrasts_only() {
    let graph = TrainingGraph::new(vec![1.0, 2.0, 3.0], vec![], 1.0).unwrap();
    let free = assert_solved(&graph, 2, "uniform");
    assert!(free.delta_values.iter().all(|d| (d - 2.0).abs() < 1e-15));
    assert!(free.responses[[0, 0]] < 0.0 && free.responses[[2, 0]] == 0.0);
}

#[test]
fn impossible_counts_are_errors() {
    assert!(matches!(chain(5).free_responses(0), Err(Error::Parameter { .. })));
    assert!(matches!(chain(5).free_responses(5), Err(Error::TooMany { requested: 5, available: 4, .. })));
}

#[test]
fn scales_of_vertex_and_edge_weights_change_neither_values_nor_responses() {
    let mut rng = rng(12);
    let n = 60;
    let v = positive(&mut rng, n);
    let path = plain(banded(n, vec![(1, positive(&mut rng, n - 1))]));
    let far = plain(banded(n, vec![(1, signed(&mut rng, n - 1)), (7, positive(&mut rng, n - 7))]));
    let targets = labels(&mut rng, &v, 3);
    let graphs = [
        TrainingGraph::new(v.clone(), vec![path.clone()], 0.0).unwrap(),
        TrainingGraph::new(v.clone(), vec![path, far], 0.1).unwrap(),
        ell(&v, &targets, &[3.0, 2.0, 1.0], 3.0),
        serial((0..60).map(|k| k / 7).collect(), 9),
    ];
    for (k, graph) in graphs.iter().enumerate() {
        let free = graph.free_responses(8).unwrap();
        for (a, b) in [(1e60, 1e-80), (1e-50, 1e70)] {
            let scaled_v = graph.vertex_weights().iter().map(|v| a * v).collect();
            let terms = graph.terms().iter().map(|t| t.clone().scaled(b)).collect();
            let scaled = TrainingGraph::new(scaled_v, terms, graph.uniform() * b / (a * a)).unwrap();
            let other = scaled.free_responses(8).unwrap();
            assert_eq!(free.method, other.method, "{k}");
            for j in 0..8 {
                let (x, y) = (free.delta_values[j], other.delta_values[j]);
                assert!((x - y).abs() < 1e-12 * (1.0 + x.abs()), "{k} {j}: {x} {y}");
                // Beyond the labels of an ELL graph responses are open up to rotation, but here by the same rule.
                let difference =
                    (0..n).fold(0.0_f64, |m, i| m.max((free.responses[[i, j]] - other.responses[[i, j]]).abs()));
                assert!(difference < 1e-8, "{k} {j}: {difference:e}");
            }
        }
    }
}
