//! Closed forms of free responses, equivalences between graphs, invariances.

use std::f64::consts::PI;

use crate::support::{Draws, assert_all_near, assert_near};
use gsfa::graph::*;
use gsfa::labels::{EigenvalueProfile, Labels, SampleWeights};

fn build(spec: impl Into<GraphSpec>, labels: &Labels) -> TrainingGraph {
    spec.into().build(&GraphInput::new(labels)).unwrap()
}

fn build_weighted(spec: impl Into<GraphSpec>, labels: &Labels, weights: &[f64]) -> TrainingGraph {
    let weights = SampleWeights::new(weights.to_vec()).unwrap();
    spec.into().build(&GraphInput::new(labels).with_weights(weights).unwrap()).unwrap()
}

/// Δ of all free responses.
fn deltas(graph: &TrainingGraph) -> Vec<f64> {
    graph.free_responses(graph.len() - 1).unwrap().delta_values
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn below_two(deltas: &[f64]) -> usize {
    deltas.iter().filter(|&&d| d < 2.0 - 1e-9).count()
}

/// N distinct values in random order.
fn shuffled(n: usize, seed: u64) -> Vec<f64> {
    let mut draws = Draws::new(seed);
    let mut values: Vec<f64> = (0..n).map(|i| i as f64 + draws.uniform(0.0, 0.9)).collect();
    for i in (1..n).rev() {
        values.swap(i, draws.below(i + 1));
    }
    values
}

const SIZES: [usize; 7] = [2, 3, 4, 5, 8, 17, 30];

#[test]
fn reordering_has_cosines() {
    for n in SIZES {
        let graph = build(Reordering::default(), &Labels::numbers("y", shuffled(n, 1)));
        let expected: Vec<f64> = (1..n).map(|j| 2.0 - 2.0 * (PI * j as f64 / n as f64).cos()).collect();
        assert_all_near(&deltas(&graph), &expected, 1e-12);
        assert_eq!(below_two(&expected), (n - 1) / 2);
        assert!(graph.consistency().holds);
    }
}

#[test]
fn end_loops_scale_delta_by_n_minus_1_over_n() {
    for n in SIZES {
        let labels = Labels::numbers("y", shuffled(n, 2));
        let with = deltas(&build(Reordering::default(), &labels));
        let without = deltas(&build(Reordering { end_loops: false, ..Reordering::default() }, &labels));
        let scaled: Vec<f64> = without.iter().map(|d| d * (n - 1) as f64 / n as f64).collect();
        assert_all_near(&with, &scaled, 1e-12);
    }
}

#[test]
fn serial_has_the_same_delta_values_for_groups_of_any_size_and_weight() {
    for n in [4, 7, 12, 30] {
        for groups in [2, 3, 4, 5, 9, 15] {
            let weights = Draws::new(n as u64).weights(n);
            let labels = Labels::numbers("y", shuffled(n, 3));
            let graph = build_weighted(Serial { groups, label: None }, &labels, &weights);
            let k = groups.min(n);
            let cosines = (1..k).map(|j| 2.0 - 2.0 * (PI * j as f64 / (k - 1) as f64).cos());
            let expected = sorted(cosines.chain(std::iter::repeat_n(2.0, n - k)).collect());
            let found = deltas(&graph);
            assert_all_near(&found, &expected, 1e-11);
            assert_eq!(below_two(&found), (k - 2) / 2);
            assert_eq!(found.iter().filter(|&&d| d > 2.0 + 1e-9).count(), k / 2);
            assert!(graph.consistency().holds);
        }
    }
}

#[test]
fn mixed_has_its_closed_form() {
    for (n, k) in [(4, 2), (9, 3), (13, 5), (30, 10)] {
        let weights = Draws::new(k as u64).weights(n);
        let graph = build_weighted(Mixed { groups: k, label: None }, &Labels::numbers("y", shuffled(n, 4)), &weights);
        let cosines = (1..k).map(|j| 4.0 / 3.0 * (1.0 - (PI * j as f64 / k as f64).cos()));
        let expected = sorted(cosines.chain(std::iter::repeat_n(2.0, n - k)).collect());
        assert_all_near(&deltas(&graph), &expected, 1e-11);
        assert!(graph.consistency().holds);
    }
}

#[test]
fn sliding_window_has_its_closed_form() {
    let mut draws = Draws::new(5);
    for n in [3, 6, 11, 30] {
        for half_width in [1, 2, n / 2, n - 1] {
            let w = draws.weights(half_width);
            let spec = SlidingWindow { half_width, shape: WindowShape::Weights(w.clone()), label: None };
            let graph = build(spec, &Labels::numbers("y", shuffled(n, 6)));
            let total: f64 = w.iter().sum();
            let cosine = |j: usize, k: usize| (PI * (j * k) as f64 / n as f64).cos();
            let lambda = |j: usize| w.iter().enumerate().map(|(k, w)| w * cosine(j, k + 1)).sum::<f64>();
            let expected = sorted((1..n).map(|j| 2.0 - 2.0 * lambda(j) / total).collect());
            assert_all_near(&deltas(&graph), &expected, 1e-11);
            assert_near(graph.r(), 2.0 * n as f64 * total, 1e-13);
        }
    }
}

#[test]
fn a_window_of_half_width_1_is_the_reordering_graph_with_ties_and_weights() {
    let values = vec![3.0, 1.0, 1.0, 2.0, 2.0, 2.0, 5.0, 4.0, 5.0, 5.0, 5.0];
    let weights = Draws::new(7).weights(values.len());
    let labels = Labels::numbers("y", values);
    let window =
        build_weighted(SlidingWindow { half_width: 1, shape: WindowShape::Box, label: None }, &labels, &weights);
    let reordering = build_weighted(Reordering::default(), &labels, &weights);
    assert_same_edges(&window, &reordering, 1e-14);
}

#[test]
fn clustered_separates_classes_at_delta_0() {
    for sizes in [vec![2, 2], vec![1, 4], vec![3, 1, 6], vec![5, 5, 5, 5]] {
        let n: usize = sizes.iter().sum();
        let names: Vec<String> =
            sizes.iter().enumerate().flat_map(|(c, &m)| std::iter::repeat_n(c.to_string(), m)).collect();
        let labels = Labels::classes("class", &names);
        let c = sizes.len();
        let own = build_weighted(Clustered::default(), &labels, &Draws::new(8).weights(n));
        let expected = std::iter::repeat_n(0.0, c - 1).chain(std::iter::repeat_n(2.0, n - c));
        assert_all_near(&deltas(&own), &expected.collect::<Vec<_>>(), 1e-12);
        let paper = build(Clustered { paper_weights: true, ..Clustered::default() }, &labels);
        let within = sizes.iter().flat_map(|&m| std::iter::repeat_n(2.0 + 2.0 / (m as f64 - 1.0), m - 1));
        let expected = sorted(std::iter::repeat_n(0.0, c - 1).chain(within).collect());
        assert_all_near(&deltas(&paper), &expected, 1e-12);
    }
}

#[test]
fn equal_classes_give_the_same_features_with_the_papers_weights() {
    let names: Vec<String> = (0..12).map(|i| (i % 3).to_string()).collect();
    let labels = Labels::classes("class", &names);
    let own = build(Clustered::default(), &labels);
    let paper = build(Clustered { paper_weights: true, ..Clustered::default() }, &labels);
    let features = ndarray::Array2::from_shape_vec((12, 4), Draws::new(9).vector(48)).unwrap();
    let ratio = 4.0 / 3.0;
    let scaled: Vec<f64> = own.delta_values(features.view()).unwrap().iter().map(|d| d * ratio).collect();
    assert_all_near(&paper.delta_values(features.view()).unwrap(), &scaled, 1e-13);
}

#[test]
fn ell_free_responses_are_the_target_labels() {
    for (n, targets) in [(2, 1), (3, 2), (8, 3), (30, 4), (40, 12)] {
        let weights = Draws::new(n as u64).weights(n);
        let labels = Labels::numbers("y", shuffled(n, 10));
        let graph = build_weighted(Ell { targets: Some(targets), ..Ell::default() }, &labels, &weights);
        let found = graph.free_responses(n - 1).unwrap();
        let learned = graph.targets().unwrap();
        let lambda = &learned.eigenvalues.values;
        let rows = learned.labels.values();
        let group = &graph.terms()[0].grouping;
        for j in 0..lambda.len() {
            assert_near(found.delta_values[j], 2.0 - 2.0 * lambda[j] / learned.eigenvalues.lambda0, 1e-12);
            for i in 0..n {
                assert_near(found.responses[[i, j]], rows[[group.group(i), j]], 1e-10);
            }
        }
        assert!(found.delta_values[lambda.len()..].iter().all(|&d| d == 2.0), "{:?}", found.delta_values);
        assert!(graph.consistency().holds);
    }
}

#[test]
fn thirty_samples_have_14_6_and_4_slow_responses() {
    let labels = Labels::numbers("y", shuffled(30, 11));
    assert_eq!(below_two(&deltas(&build(Reordering::default(), &labels))), 14);
    let serial = deltas(&build(Serial { groups: 15, label: None }, &labels));
    assert_eq!(below_two(&serial), 6);
    assert_eq!(serial.iter().filter(|d| (**d - 2.0).abs() < 1e-9).count(), 16);
    assert_eq!(below_two(&deltas(&build(Ell { targets: Some(4), ..Ell::default() }, &labels))), 4);
    assert_near(deltas(&build(Reordering::default(), &labels))[5], 0.382, 1e-3);
}

#[test]
fn compact_with_all_targets_and_equal_eigenvalues_is_clustered_edge_by_edge() {
    for sizes in [vec![3, 2], vec![1, 4, 2], vec![2, 5, 1, 3], vec![1, 2, 3, 4, 5, 6, 7]] {
        let names: Vec<String> =
            sizes.iter().enumerate().flat_map(|(c, &m)| std::iter::repeat_n(c.to_string(), m)).collect();
        let labels = Labels::classes("class", &names);
        let weights = Draws::new(12).weights(names.len());
        for code in [ClassCode::Binary, ClassCode::Sparse] {
            let spec = Compact { eigenvalues: EigenvalueProfile::Equal, lambda0: None, code, ..Compact::default() };
            let compact = build_weighted(spec, &labels, &weights);
            let clustered = build_weighted(Clustered::default(), &labels, &weights);
            assert_same_edges(&compact, &clustered, 1e-12);
            assert_eq!(compact.components().count, sizes.len());
        }
    }
}

#[test]
fn a_two_valued_label_has_no_negative_edge() {
    for (a, b) in [(1, 1), (1, 5), (3, 2), (10, 1)] {
        let values = (0..a).map(|_| -1.0).chain((0..b).map(|_| 4.0)).collect();
        let graph = build_weighted(Ell::default(), &Labels::numbers("y", values), &Draws::new(13).weights(a + b));
        assert_near(graph.negative_excess(), 0.0, 1e-14);
        assert_eq!(graph.components().count, 2);
    }
}

#[test]
fn one_label_has_its_negative_excess_in_closed_form() {
    for lambda0 in [0.4, 1.0, 2.5] {
        let labels = Labels::numbers("y", shuffled(25, 14));
        let graph = build(Ell { lambda0: Some(lambda0), ..Ell::default() }, &labels);
        let targets = graph.targets().unwrap();
        let rows = targets.labels.values();
        let (low, high) = rows.iter().fold((0.0_f64, 0.0_f64), |(l, h), &x| (l.min(x), h.max(x)));
        let expected = ((low * high).abs() - lambda0).max(0.0) / graph.q();
        assert_near(graph.negative_excess(), expected, 1e-13);
        assert_near(graph.smallest_edge().weight, (lambda0 + low * high) / graph.q(), 1e-13);
    }
}

#[test]
fn graphs_without_loops_or_negative_edges_know_their_samples_and_targets() {
    let mut values = shuffled(12, 3);
    values[4] = f64::NAN;
    let labels = Labels::numbers("y", values);
    for unlabelled in [None, Some(0.5)] {
        let spec = Ell { targets: Some(3), semi_supervised: true, unlabelled, ..Ell::default() };
        let graph = build(spec, &labels);
        let (positive, loopless) = (graph.without_negative_edges().unwrap(), graph.without_self_loops().unwrap());
        for other in [&positive, &loopless] {
            assert_eq!((other.samples(), other.rows()), (12, graph.rows()));
            assert_eq!((other.sample_weights(), other.unlabelled()), (graph.sample_weights(), graph.unlabelled()));
            assert_eq!(other.notes(), graph.notes());
            assert_eq!(other.target_values(), graph.target_values());
        }
        // λ are those of the new Γ: Δ = 2 − 2λ/λ₀.
        let targets = positive.targets().unwrap();
        let expected: Vec<f64> =
            targets.eigenvalues.values.iter().map(|x| 2.0 - 2.0 * x / targets.eigenvalues.lambda0).collect();
        let values = positive.target_values().unwrap();
        assert_all_near(&positive.delta_values(values.view()).unwrap(), &expected, 1e-12);
        assert_near(targets.eigenvalues.lambda0, positive.r() / positive.q(), 1e-13);
    }
}

#[test]
fn removing_negative_edges_changes_delta_by_an_affine_law_and_no_response() {
    let labels = Labels::numbers("y", shuffled(20, 15)).and_numbers("z", Draws::new(16).vector(20)).unwrap();
    let weights = Draws::new(17).weights(20);
    for graph in [
        build_weighted(Ell { targets: Some(6), ..Ell::default() }, &labels, &weights),
        build_weighted(
            Edges { edges: vec![(0, 1, 2.0), (1, 2, -0.3), (3, 4, 1.0)], ..Edges::default() },
            &labels,
            &weights,
        ),
    ] {
        let c = graph.negative_excess();
        assert!(c > 0.0);
        let positive = graph.without_negative_edges().unwrap();
        assert!(positive.smallest_edge().weight >= -1e-15);
        assert_near(positive.r(), graph.r(), 1e-13);
        let share = c * graph.q() * graph.q() / graph.r();
        let (before, after) = (graph.free_responses(19).unwrap(), positive.free_responses(19).unwrap());
        let expected: Vec<f64> = before.delta_values.iter().map(|d| (d + 2.0 * share) / (1.0 + share)).collect();
        assert_all_near(&after.delta_values, &expected, 1e-11);
        // λ₀' = λ₀ + cQ says the same for consistent graphs.
        if graph.consistency().holds {
            let (old, new) = (graph.r() / graph.q(), graph.r() / graph.q() + c * graph.q());
            let expected: Vec<f64> = before.delta_values.iter().map(|d| 2.0 - (2.0 - d) * old / new).collect();
            assert_all_near(&after.delta_values, &expected, 1e-11);
        }
        let features = ndarray::Array2::from_shape_vec((20, 3), Draws::new(18).vector(60)).unwrap();
        let before = graph.delta_values(features.view()).unwrap();
        let expected: Vec<f64> = before.iter().map(|d| (d + 2.0 * share) / (1.0 + share)).collect();
        assert_all_near(&positive.delta_values(features.view()).unwrap(), &expected, 1e-11);
    }
}

#[test]
fn thirty_thousand_label_rows_have_their_exact_excess_in_bounded_memory() {
    let n = 30_000;
    let labels = Labels::numbers("y", Draws::new(19).vector(n));
    let graph = build(Ell { targets: Some(3), ..Ell::default() }, &labels);
    let targets = graph.targets().unwrap();
    let rows = targets.labels.values();
    let lambda = &targets.eigenvalues.values;
    let c = graph.negative_excess();
    let (i, j) = graph.smallest_edge().vertices;
    let ratio = |a: usize, b: usize| {
        targets.eigenvalues.lambda0 + (0..lambda.len()).map(|k| lambda[k] * rows[[a, k]] * rows[[b, k]]).sum::<f64>()
    };
    assert_near(c, -ratio(i, j) / graph.q(), 1e-12);
    let mut draws = Draws::new(20);
    for _ in 0..2_000_000 {
        assert!(ratio(draws.below(n), draws.below(n)) >= -c * graph.q() - 1e-12);
    }
}

#[test]
fn removing_self_loops_scales_delta_and_keeps_responses() {
    let labels = Labels::numbers("y", shuffled(15, 21));
    for graph in [
        build(Reordering::default(), &labels),
        build(Mixed { groups: 5, label: None }, &labels),
        build(Ell { targets: Some(3), ..Ell::default() }, &labels),
    ] {
        let bare = graph.without_self_loops().unwrap();
        assert!(bare.self_loops().iter().all(|l| l.abs() < 1e-15));
        assert_near(bare.expected_noise_delta(), 2.0, 1e-13);
        let scaled: Vec<f64> = deltas(&graph).iter().map(|d| d * graph.r() / bare.r()).collect();
        assert_all_near(&deltas(&bare), &scaled, 1e-10);
    }
}

#[test]
fn noise_has_the_expected_delta() {
    let labels = Labels::numbers("y", shuffled(12, 22));
    for graph in [
        build(Reordering::default(), &labels),
        build_weighted(Mixed { groups: 4, label: None }, &labels, &Draws::new(23).weights(12)),
        build(Chain { lag: 2, ..Chain::default() }, &labels),
        build(Ell { targets: Some(3), ..Ell::default() }, &labels),
    ] {
        // On equal weights a random feasible feature has the mean Δ of all free responses.
        let (all, v) = (deltas(&graph), graph.vertex_weights());
        if v.iter().all(|x| *x == v[0]) {
            assert_near(graph.expected_feasible_noise_delta(), all.iter().sum::<f64>() / all.len() as f64, 1e-12);
        }
        // Before normalisation: Δ·variance of plain noise, by simulation.
        let mut draws = Draws::new(24);
        let rounds = 20_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..rounds {
            let y = draws.vector(12);
            let quadratic: f64 = y.iter().zip(graph.degrees()).map(|(y, d)| d * y * y).sum::<f64>()
                - y.iter().zip(graph.multiply(&y)).map(|(y, g)| y * g).sum::<f64>();
            let delta = 2.0 * quadratic / graph.r();
            sum += delta;
            squares += delta * delta;
        }
        let mean = sum / rounds as f64;
        let error = ((squares / rounds as f64 - mean * mean) / rounds as f64).sqrt();
        let expected = graph.expected_noise_delta();
        assert!((mean - expected).abs() < 5.0 * error, "{mean} ± {error}, expected {expected}");
    }
}

#[test]
fn weight_2_is_the_row_twice() {
    let n = 12;
    let values = shuffled(n, 25);
    let class: Vec<String> = (0..n).map(|i| ["a", "b", "c"][(i * i) % 3].to_string()).collect();
    let labels = Labels::numbers("y", values.clone()).and_classes("class", &class).unwrap();
    let weights: Vec<f64> = (0..n).map(|i| if i % 4 == 1 { 2.0 } else { 1.0 }).collect();
    let copies: Vec<usize> = (0..n).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
    let twice = Labels::numbers("y", copies.iter().map(|&i| values[i]).collect())
        .and_classes("class", copies.iter().map(|&i| class[i].as_str()))
        .unwrap();
    let specs: Vec<GraphSpec> = vec![
        Ell { targets: Some(3), ..Ell::default() }.into(),
        Compact::default().into(),
        Clustered::default().into(),
        Serial { groups: 4, label: None }.into(),
        Mixed { groups: 5, label: None }.into(),
    ];
    for spec in specs {
        let weighted = build_weighted(spec.clone(), &labels, &weights);
        let copied = build(spec.clone(), &twice);
        for i in 0..n {
            for j in 0..n {
                let sum: f64 = (0..copies.len())
                    .flat_map(|a| (0..copies.len()).map(move |b| (a, b)))
                    .filter(|&(a, b)| copies[a] == i && copies[b] == j)
                    .map(|(a, b)| copied.edge_weight(a, b) / copied.r())
                    .sum();
                assert_near(weighted.edge_weight(i, j) / weighted.r(), sum, 1e-14);
            }
            let v: f64 = (0..copies.len()).filter(|&a| copies[a] == i).map(|a| copied.vertex_weights()[a]).sum();
            assert_near(weighted.vertex_weights()[i] / weighted.q(), v / copied.q(), 1e-14);
        }
    }
}

#[test]
fn graphs_do_not_depend_on_the_order_of_the_samples() {
    let n = 14;
    let values: Vec<f64> = (0..n).map(|i| (i / 2) as f64 * 1.5).collect();
    let class: Vec<String> = (0..n).map(|i| ((i * 5) % 4).to_string()).collect();
    let weights = Draws::new(26).weights(n);
    let order: Vec<usize> = (0..n).map(|i| (i * 5 + 3) % n).collect();
    let take = |x: &[f64]| order.iter().map(|&i| x[i]).collect::<Vec<f64>>();
    let labels = Labels::numbers("y", values.clone()).and_classes("class", &class).unwrap();
    let permuted =
        Labels::numbers("y", take(&values)).and_classes("class", order.iter().map(|&i| class[i].as_str())).unwrap();
    for spec in label_specs() {
        let a = build_weighted(spec.clone(), &labels, &weights);
        let b = build_weighted(spec.clone(), &permuted, &take(&weights));
        for i in 0..n {
            for j in 0..n {
                assert_near(a.edge_weight(order[i], order[j]), b.edge_weight(i, j), 1e-12);
            }
        }
    }
}

#[test]
fn scaling_all_weights_changes_no_delta() {
    let n = 14;
    let labels =
        Labels::numbers("y", shuffled(n, 27)).and_classes("class", (0..n).map(|i| (i % 3).to_string())).unwrap();
    let weights = Draws::new(28).weights(n);
    let features = ndarray::Array2::from_shape_vec((n, 3), Draws::new(29).vector(3 * n)).unwrap();
    for spec in label_specs() {
        let expected = build_weighted(spec.clone(), &labels, &weights).delta_values(features.view()).unwrap();
        for factor in [1e-9, 0.3, 1e7] {
            let scaled: Vec<f64> = weights.iter().map(|w| w * factor).collect();
            let graph = build_weighted(spec.clone(), &labels, &scaled);
            assert_all_near(&graph.delta_values(features.view()).unwrap(), &expected, 1e-11);
        }
    }
}

#[test]
fn rank_graphs_see_the_order_of_labels_only_and_ell_their_affine_class() {
    let n = 16;
    let values = shuffled(n, 30);
    let labels = Labels::numbers("y", values.clone());
    let cubes = Labels::numbers("y", values.iter().map(|x| x.powi(3)).collect());
    let affine = Labels::numbers("y", values.iter().map(|x| 1e6 - 40.0 * x).collect());
    let rank: Vec<GraphSpec> = vec![
        Reordering::default().into(),
        Serial { groups: 5, label: None }.into(),
        Mixed { groups: 5, label: None }.into(),
        SlidingWindow { half_width: 3, shape: WindowShape::Triangle, label: None }.into(),
    ];
    for spec in rank {
        assert_same_edges(&build(spec.clone(), &labels), &build(spec, &cubes), 0.0);
    }
    // cos(πk t) becomes ±cos(πk(1 − t)): the targets stay up to sign, and so does Γ.
    let spec = Ell { targets: Some(5), ..Ell::default() };
    assert_same_edges(&build(spec.clone(), &labels), &build(spec, &affine), 1e-9);
}

#[test]
fn the_scale_of_edges_does_not_matter_and_repeated_ones_add() {
    let mut draws = Draws::new(31);
    let edges: Vec<(usize, usize, f64)> =
        (0..30).map(|_| (draws.below(9), draws.below(9), draws.uniform(0.1, 1.0))).collect();
    let none = Labels::none(9);
    let features = ndarray::Array2::from_shape_vec((9, 2), draws.vector(18)).unwrap();
    let once = build(Edges { edges: edges.clone(), ..Edges::default() }, &none);
    let thrice =
        build(Edges { edges: [edges.clone(), edges.clone(), edges.clone()].concat(), ..Edges::default() }, &none);
    let reversed =
        build(Edges { edges: edges.iter().map(|&(i, j, w)| (j, i, w)).collect(), ..Edges::default() }, &none);
    let expected = once.delta_values(features.view()).unwrap();
    assert_all_near(&thrice.delta_values(features.view()).unwrap(), &expected, 1e-13);
    assert_all_near(&reversed.delta_values(features.view()).unwrap(), &expected, 1e-13);
}

#[test]
fn a_sum_of_consistent_graphs_is_consistent_and_mixes_delta_values() {
    let labels = Labels::numbers("y", shuffled(18, 32));
    let parts: [GraphSpec; 2] =
        [Serial { groups: 6, label: None }.into(), Ell { targets: Some(3), ..Ell::default() }.into()];
    let sum = Sum {
        graphs: vec![Summand { share: 1.0, graph: parts[0].clone() }, Summand { share: 3.0, graph: parts[1].clone() }],
    };
    let graph = build(sum, &labels);
    assert!(graph.consistency().holds);
    assert_near(graph.r(), 1.0, 1e-14);
    assert_near(graph.q(), 1.0, 1e-14);
    // Σγ(y − y')²/R of the sum is the mixture, for the same y.
    let y = Draws::new(33).vector(18);
    let energy = |g: &TrainingGraph| {
        let own: f64 = y.iter().zip(g.degrees()).map(|(y, d)| d * y * y).sum();
        let cross: f64 = y.iter().zip(g.multiply(&y)).map(|(y, x)| x * y).sum();
        2.0 * (own - cross) / g.r()
    };
    let [serial, ell] = parts.map(|p| build(p, &labels));
    assert_near(energy(&graph), 0.25 * energy(&serial) + 0.75 * energy(&ell), 1e-13);
}

#[test]
fn unlabelled_samples_keep_an_ell_graph_consistent_and_are_no_responses_of_their_own() {
    let mut values = shuffled(20, 34);
    values[3] = f64::NAN;
    values[11] = f64::NAN;
    let weights = Draws::new(35).weights(20);
    let spec = Ell { targets: Some(3), semi_supervised: true, unlabelled: Some(1.0), ..Ell::default() };
    let graph = build_weighted(spec, &Labels::numbers("y", values.clone()), &weights);
    assert!(graph.consistency().holds);
    assert_eq!(graph.notes(), [gsfa::Note::Unlabelled { count: 2, weight: 1.0 }]);
    let found = graph.free_responses(19).unwrap();
    assert_all_near(&found.delta_values[..4], &[0.0, 2.0 / 3.0, 4.0 / 3.0, 2.0], 1e-12);
    for j in 0..3 {
        assert_near(found.responses[[3, j]], 0.0, 1e-12);
        assert_near(found.responses[[11, j]], 0.0, 1e-12);
    }
    // The first response is the label: affine on labelled samples.
    let y = found.responses.column(0);
    let (a, b) = (0, 1);
    let slope = (y[a] - y[b]) / (values[a] - values[b]);
    for n in (0..20).filter(|&n| !values[n].is_nan()) {
        assert_near(y[n], y[a] + slope * (values[n] - values[a]), 1e-11);
    }
}

#[test]
fn lambda0_moves_delta_values_and_no_response() {
    let labels = Labels::numbers("y", shuffled(12, 36));
    let small = build(Ell { targets: Some(3), ..Ell::default() }, &labels);
    let large = build(Ell { targets: Some(3), lambda0: Some(5.0), ..Ell::default() }, &labels);
    let (a, b) = (small.free_responses(3).unwrap(), large.free_responses(3).unwrap());
    for j in 0..3 {
        assert_near((2.0 - a.delta_values[j]) * 0.5, (2.0 - b.delta_values[j]) * 5.0, 1e-12);
    }
    for (x, y) in a.responses.iter().zip(&b.responses) {
        assert_near(*x, *y, 1e-12);
    }
    assert_near(small.r() / small.q(), 0.5, 1e-14);
    assert_near(large.r() / large.q(), 5.0, 1e-14);
}

fn label_specs() -> Vec<GraphSpec> {
    vec![
        Reordering::default().into(),
        Serial { groups: 4, label: None }.into(),
        Mixed { groups: 3, label: None }.into(),
        SlidingWindow { half_width: 3, shape: WindowShape::Triangle, label: None }.into(),
        Clustered::default().into(),
        Compact::default().into(),
        Ell { targets: Some(4), ..Ell::default() }.into(),
    ]
}

#[track_caller]
fn assert_same_edges(a: &TrainingGraph, b: &TrainingGraph, tolerance: f64) {
    let scale = a.vertex_weights().iter().fold(0.0_f64, |m, v| m.max(*v));
    for i in 0..a.len() {
        for j in 0..a.len() {
            let (x, y) = (a.edge_weight(i, j) / a.r() * a.q(), b.edge_weight(i, j) / b.r() * b.q());
            assert!((x - y).abs() <= tolerance * scale, "edge {i}, {j}: {x} is not {y}");
        }
    }
}
