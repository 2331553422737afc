//! Ridge by cross-validation from sums equals refitting on what each fold leaves.

use crate::eigen::symmetric_eigen;
use crate::network_support::*;
use crate::solve_support::noise;
use gsfa::expansion::Expansion;
use gsfa::graph::{Clustered, Compact, Coupling, Ell, GraphInput, GraphSpec, Serial, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, PcaSpec};
use gsfa::solve::{DEFAULT_RIDGE, RIDGES, choose_ridge};
use gsfa::{Error, Gsfa};
use ndarray::{Array1, Array2, Axis};

/// Labels over samples, one column each, and their importance, from the terms of a graph.
fn labels_of(graph: &TrainingGraph) -> (Array2<f64>, Vec<f64>) {
    let term = &graph.terms()[0];
    let (columns, values) = match &term.coupling {
        Coupling::LowRank(low) => (low.columns.clone(), low.values.clone()),
        Coupling::Banded(band) => (Array2::eye(term.grouping.count()), band.diagonal(0).unwrap().to_vec()),
        Coupling::Sparse(_) => unreachable!(),
    };
    (Array2::from_shape_fn((graph.len(), values.len()), |(n, j)| columns[[term.grouping.group(n), j]]), values)
}

/// The numbers by which samples are dealt to folds: columns in the order of their contents, in units of
/// their ranges, each with a factor that is drawn; constant ones take none.
/// No two rows are copies here.
fn keys(x: &Array2<f64>) -> Vec<f64> {
    let (n, dim) = x.dim();
    let range = |i: usize| x.column(i).iter().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
    let ranges: Vec<(f64, f64)> = (0..dim).map(range).collect();
    let share = |n: usize, i: usize| {
        let (low, high) = ranges[i];
        if high > low { (x[[n, i]] - low) / (high - low) } else { 0.0 }
    };
    let varying: Vec<usize> = (0..dim).filter(|&i| ranges[i].1 > ranges[i].0).collect();
    let level = |n: usize| varying.iter().map(|&i| share(n, i)).sum::<f64>() / varying.len() as f64;
    let rank = |i: usize| (0..n).map(|k| share(k, i) * (1.0 + level(k).powi(2))).sum::<f64>();
    let mut columns: Vec<(f64, usize)> = varying.iter().map(|&i| (rank(i), i)).collect();
    columns.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mixed = |hash: u64| {
        let step = |hash: u64| (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let hash = step(step(hash));
        hash ^ (hash >> 32)
    };
    let factor = |j: u64| (mixed(0x9e37_79b9_7f4a_7c15 ^ j) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
    let key = |n: usize| columns.iter().zip(1..).map(|((_, i), j)| share(n, *i) * factor(j)).sum::<f64>();
    (0..n).map(key).collect()
}

/// Mean squared error on samples left out: regressions fitted from scratch on the others.
fn brute_force(x: &Array2<f64>, graph: &TrainingGraph, ridge: f64, folds: usize) -> f64 {
    let (labels, importance) = labels_of(graph);
    let (n, v) = (graph.len(), graph.vertex_weights());
    let mut order: Vec<usize> = (0..n).collect();
    let group = |n: usize| graph.terms()[0].grouping.group(n);
    let keys = keys(x);
    let key = |n: usize| keys[n];
    // Groups in the order of their smallest key.
    let mut first = vec![f64::INFINITY; graph.terms()[0].grouping.count()];
    (0..n).for_each(|n| first[group(n)] = first[group(n)].min(key(n)));
    order.sort_by(|&a, &b| first[group(a)].total_cmp(&first[group(b)]).then(key(a).total_cmp(&key(b))));
    let (mut error, mut total) = (0.0, 0.0);
    let weighted_mean = |a: &Array2<f64>, rows: &[usize]| {
        let q: f64 = rows.iter().map(|&n| v[n]).sum();
        rows.iter().fold(Array1::<f64>::zeros(a.ncols()), |sum, &n| sum + &a.row(n) * (v[n] / q))
    };
    for fold in 0..folds {
        let held: Vec<usize> = order.iter().copied().skip(fold).step_by(folds).collect();
        let kept: Vec<usize> = (0..n).filter(|n| !held.contains(n)).collect();
        let q: f64 = kept.iter().map(|&n| v[n]).sum();
        let (mean, label_mean) = (weighted_mean(x, &kept), weighted_mean(&labels, &kept));
        let z = &x.select(Axis(0), &kept) - &mean;
        let weighted = Array2::from_shape_fn(z.dim(), |(k, i)| v[kept[k]] / q * z[[k, i]]);
        let mut c = z.t().dot(&weighted);
        let live = c.diag().iter().filter(|c| **c > 1e-20).count();
        let size = ridge * c.diag().sum() / live as f64;
        c.diag_mut().mapv_inplace(|c| c + size);
        let b = weighted.t().dot(&(&labels.select(Axis(0), &kept) - &label_mean));
        let eigen = symmetric_eigen(c.view()).unwrap();
        let inverse = eigen.values.mapv(|e| if e > 1e-12 { 1.0 / e } else { 0.0 });
        let beta = (&eigen.vectors * &inverse).dot(&eigen.vectors.t()).dot(&b);
        let estimates = (&x.select(Axis(0), &held) - &mean).dot(&beta) + &label_mean;
        for (k, &n) in held.iter().enumerate() {
            for (j, l) in importance.iter().enumerate() {
                error += v[n] * l * (labels[[n, j]] - estimates[[k, j]]).powi(2);
            }
        }
    }
    let everyone: Vec<usize> = (0..n).collect();
    let mean = weighted_mean(&labels, &everyone);
    for n in 0..n {
        for (j, l) in importance.iter().enumerate() {
            total += v[n] * l * (labels[[n, j]] - mean[j]).powi(2);
        }
    }
    error / total
}

/// Inputs that say something about the label, a constant one and one of another size among them.
fn inputs(n: usize, dim: usize, label: &[f64]) -> Array2<f64> {
    let mut x = noise(n, dim, 5);
    for (k, mut row) in x.outer_iter_mut().enumerate() {
        row[0] += label[k];
        if dim > 3 {
            row[1] *= 5.0;
            row[2] = 0.7;
            row[3] = 100.0 + row[3] + label[k] * label[k];
        }
    }
    x
}

fn graphs(n: usize) -> Vec<(&'static str, Vec<f64>, TrainingGraph)> {
    let label: Vec<f64> = (0..n).map(|k| ((k * 7 + 3) % n / 2) as f64 * 4.0 / n as f64).collect();
    let numbers = Labels::numbers("label", label.clone());
    let names: Vec<String> = label.iter().map(|l| format!("{}", *l as u32)).collect();
    let classes = Labels::classes("class", &names);
    let weights = SampleWeights::new((0..n).map(|k| 1.0 + (k % 3) as f64).collect()).unwrap();
    let build = |spec: GraphSpec, labels: &Labels, weighted: bool| {
        let input = GraphInput::new(labels);
        let input = if weighted { input.with_weights(weights.clone()).unwrap() } else { input };
        spec.build(&input).unwrap()
    };
    let ell = |targets| GraphSpec::Ell(Ell { targets: Some(targets), ..Ell::default() });
    vec![
        ("ELL-1", label.clone(), build(ell(1), &numbers, false)),
        ("ELL-3, weighted", label.clone(), build(ell(3.min(n / 2 - 1)), &numbers, true)),
        ("ELL-6", label.clone(), build(ell(6.min(n / 2 - 1)), &numbers, false)),
        ("clustered", label.clone(), build(Clustered::default().into(), &classes, false)),
        ("clustered, weighted", label.clone(), build(Clustered::default().into(), &classes, true)),
        ("compact", label, build(Compact::default().into(), &classes, false)),
    ]
}

#[test]
fn weights_choose_as_copies_do() {
    // Nine samples have four folds, however often each of them comes; with 30 inputs their rows are kept, and copies are summed.
    for (n, dim) in [(4, 1), (9, 4), (9, 30), (11, 3), (40, 6)] {
        let label: Vec<f64> = (0..n).map(|k| ((k * 7 + 3) % n) as f64 / n as f64).collect();
        let x = inputs(n, dim, &label);
        let often: Vec<usize> = (0..n).flat_map(|k| std::iter::repeat_n(k, 1 + k * 5 % 4)).collect();
        let weights = SampleWeights::new((0..n).map(|k| (1 + k * 5 % 4) as f64).collect()).unwrap();
        let copied: Vec<f64> = often.iter().map(|&k| label[k]).collect();
        let spec = GraphSpec::Ell(Ell { targets: Some(1), ..Ell::default() });
        let (one, all) = (Labels::numbers("label", label), Labels::numbers("label", copied));
        let weighted = spec.build(&GraphInput::new(&one).with_weights(weights).unwrap()).unwrap();
        let repeated = spec.build(&GraphInput::new(&all)).unwrap();
        let expected = choose_ridge(&x.view(), &weighted, &RIDGES, 5).unwrap();
        let found = choose_ridge(&x.select(Axis(0), &often).view(), &repeated, &RIDGES, 5).unwrap();
        assert_eq!((found.ridge, found.errors.len()), (expected.ridge, expected.errors.len()), "{n}x{dim}");
        for (a, b) in found.errors.iter().zip(&expected.errors) {
            assert!((a - b).abs() <= 1e-7 * b, "{n}x{dim}: {a} {b}");
        }
    }
}

#[test]
fn errors_from_sums_equal_those_of_refits() {
    let candidates = [1e-4, 1e-2, 0.3, 2.0];
    for (n, dim, folds) in [(8, 1, 2), (40, 5, 4), (61, 7, 5), (30, 40, 3), (1200, 6, 5)] {
        for (name, label, graph) in graphs(n) {
            let x = inputs(n, dim, &label);
            let choice = choose_ridge(&x.view(), &graph, &candidates, folds).unwrap();
            let expected: Vec<f64> = candidates.iter().map(|&r| brute_force(&x, &graph, r, folds)).collect();
            for (error, expected) in choice.errors.iter().zip(&expected) {
                assert!((error - expected).abs() < 1e-9 * expected, "{name}, {n}x{dim}: {error} {expected}");
            }
            assert_eq!(choice.errors.len(), 4, "{name}");
            let best = (0..4).min_by(|&a, &b| expected[a].total_cmp(&expected[b])).unwrap();
            assert_eq!(choice.ridge, candidates[best], "{name}, {n}x{dim}");
            let single = choose_ridge(&x.mapv(|x| x as f32).view(), &graph, &candidates, folds).unwrap();
            for (error, expected) in single.errors.iter().zip(&expected) {
                assert!((error - expected).abs() < 1e-3 * expected, "{name}, {n}x{dim}, f32: {error} {expected}");
            }
        }
    }
}

#[test]
fn a_copy_of_a_sample_is_its_weight_and_the_order_of_samples_does_not_matter() {
    let n = 40;
    let label: Vec<f64> = (0..n).map(|k| (k % 7) as f64).collect();
    let x = inputs(n, 5, &label);
    let weights: Vec<usize> = (0..n).map(|k| 1 + k % 3).collect();
    let copies: Vec<usize> = (0..n).rev().flat_map(|k| std::iter::repeat_n(k, weights[k])).collect();
    let names = |rows: &[usize]| Labels::classes("c", rows.iter().map(|&k| label[k].to_string()));
    let numbers = |rows: &[usize]| Labels::numbers("l", rows.iter().map(|&k| label[k]).collect());
    let all: Vec<usize> = (0..n).collect();
    let specs: [(GraphSpec, [Labels; 2]); 2] = [
        (Ell { targets: Some(3), ..Ell::default() }.into(), [numbers(&all), numbers(&copies)]),
        (Clustered::default().into(), [names(&all), names(&copies)]),
    ];
    for (spec, [once, often]) in specs {
        let given = SampleWeights::new(weights.iter().map(|w| *w as f64).collect()).unwrap();
        let weighted = spec.build(&GraphInput::new(&once).with_weights(given).unwrap()).unwrap();
        let repeated = spec.build(&GraphInput::new(&often)).unwrap();
        let a = choose_ridge(&x.view(), &weighted, &RIDGES, 5).unwrap();
        let b = choose_ridge(&x.select(Axis(0), &copies).view(), &repeated, &RIDGES, 5).unwrap();
        assert_eq!(a.ridge, b.ridge);
        for (a, b) in a.errors.iter().zip(&b.errors) {
            assert!((a - b).abs() < 1e-9 * a, "{a} {b}");
        }
    }
}

#[test]
fn features_with_ridge_span_the_regressions_that_are_compared() {
    // ELL-1 has one feature: the ridge regression of the label, scaled.
    let (name, label, graph) = graphs(60).remove(0);
    let x = inputs(60, 6, &label);
    let slow = Gsfa { ridge: 0.05, ..Gsfa::new(1) }.fit(&x.view(), &graph).unwrap();
    let z = &x - &x.mean_axis(Axis(0)).unwrap();
    let mut c = z.t().dot(&z) / 60.0;
    let size = 0.05 * c.diag().sum() / 5.0;
    c.diag_mut().mapv_inplace(|c| c + size);
    let eigen = symmetric_eigen(c.view()).unwrap();
    let b = z.t().dot(&Array1::from(label));
    let beta = (&eigen.vectors / &eigen.values).dot(&eigen.vectors.t()).dot(&b);
    let w = slow.weights.column(0);
    let cosine = w.dot(&beta) / (w.dot(&w) * beta.dot(&beta)).sqrt();
    assert!((cosine - 1.0).abs() < 1e-12, "{name}: {cosine}");
}

#[test]
fn outputs_with_ridge_are_directions_of_the_samples_never_of_the_ridge() {
    // 20 samples vary in 19 of 50 directions; with each input twice, 1000 samples vary in 6 of 12.
    let twice = |x: Array2<f64>| ndarray::concatenate(Axis(1), &[x.view(), x.view()]).unwrap();
    for (x, rank) in [(noise(20, 50, 3), 19), (twice(noise(1000, 6, 4)), 6)] {
        let n = x.nrows();
        let label: Vec<f64> = (0..n).map(|k| x[[k, 0]]).collect();
        let graph = graph(&label, 2);
        for ridge in [1e-6, 1e-2, 1.0] {
            let asked = rank + 5;
            let gsfa = Gsfa { ridge, ..Gsfa::new(asked) };
            let slow = gsfa.fit_at_most(&x.view(), &graph).unwrap();
            assert_eq!(slow.output_dim(), rank, "ridge {ridge}");
            let y = slow.apply(x.view()).unwrap();
            let (_, variance) = column_moments(&y, &vec![1.0; n]);
            assert!(variance.iter().all(|v| (v - 1.0).abs() < 1e-6), "ridge {ridge}: {variance}");
            let single = gsfa.fit_at_most(&x.mapv(|x| x as f32).view(), &graph).unwrap();
            assert_eq!(single.output_dim(), rank, "ridge {ridge}, f32");
            let strict = gsfa.fit(&x.view(), &graph);
            assert!(
                matches!(strict, Err(Error::TooFewDirections { requested, available, .. }) if requested == asked && available == rank)
            );
        }
    }
}

#[test]
fn a_network_of_one_node_chooses_on_its_expanded_inputs() {
    let (_, label, graph) = graphs(120).remove(1);
    let x = inputs(120, 6, &label);
    let pca = Some(PcaSpec::components(3));
    let layer = LayerSpec { pca, expansion: Expansion::QUADRATIC, ..LayerSpec::new(2) };
    let spec = NetworkSpec::new(InputShape::vector(6), vec![layer.clone()]);
    let choice = spec.choose_ridge(&x.view(), &graph, &RIDGES, 5).unwrap();
    // The components by hand.
    let node = &spec.fit(&x.view(), &graph).unwrap().network.layers[0][0];
    let components = (&x - &node.pca.as_ref().unwrap().mean).dot(&node.pca.as_ref().unwrap().weights);
    // In the order of the library's terms, on which it depends how samples are dealt.
    let mut expanded = Array2::zeros((120, 9));
    Expansion::QUADRATIC.expand_into(components.view(), expanded.view_mut()).unwrap();
    let by_hand = choose_ridge(&expanded.view(), &graph, &RIDGES, 5).unwrap();
    assert_eq!(choice.ridge, by_hand.ridge);
    for (a, b) in choice.errors.iter().zip(&by_hand.errors) {
        assert!((a - b).abs() < 1e-9 * b, "{a} {b}");
    }
    let chosen = spec.clone().with_chosen_ridge(&x.view(), &graph).unwrap();
    assert_eq!(chosen.layers[0], LayerSpec { ridge: choice.ridge, ..layer });
    // Several nodes: left as they are.
    let cascade = NetworkSpec::cascade(InputShape::vector(6), 2, 2);
    assert_eq!(cascade.clone().with_chosen_ridge(&x.view(), &graph).unwrap(), cascade);
}

#[test]
fn graphs_without_labels_get_the_default() {
    let x = noise(40, 3, 1);
    let numbers = Labels::numbers("label", (0..40).map(f64::from).collect());
    let serial = Serial { groups: 8, label: None }.build(&GraphInput::new(&numbers)).unwrap();
    for graph in [
        serial,
        crate::solve_support::chain(40),
        crate::solve_support::clustered_paper(crate::solve_support::contiguous(40, 4)),
    ] {
        let choice = choose_ridge(&x.view(), &graph, &RIDGES, 5).unwrap();
        assert_eq!((choice.ridge, choice.errors.len()), (DEFAULT_RIDGE, 0));
    }
    let two = graph(&[0.0, 1.0], 1);
    assert_eq!(choose_ridge(&noise(2, 2, 1).view(), &two, &RIDGES, 5).unwrap().ridge, DEFAULT_RIDGE);
}

#[test]
fn constant_inputs_are_as_good_as_the_mean() {
    let (_, _, graph) = graphs(40).remove(0);
    let choice = choose_ridge(&Array2::<f64>::ones((40, 3)).view(), &graph, &[0.1, 1.0], 4).unwrap();
    assert!(choice.errors.iter().all(|e| (e - 1.0).abs() < 0.1));
    assert_eq!(choice.ridge, 1.0);
}

#[test]
fn faults_of_a_choice_are_named() {
    let (_, label, graph) = graphs(40).remove(0);
    let mut x = inputs(40, 5, &label);
    let refused = |candidates: &[f64], folds| {
        let error = choose_ridge(&x.view(), &graph, candidates, folds).unwrap_err();
        matches!(error, Error::Parameter { .. })
    };
    assert!(refused(&[], 5) && refused(&[-0.1], 5) && refused(&[f64::NAN], 5) && refused(&[0.1], 1));
    x[[23, 4]] = f64::NAN;
    let expected = Error::NonFiniteSample { row: 23, column: 4, total: 1 };
    assert_eq!(choose_ridge(&x.view(), &graph, &RIDGES, 5).unwrap_err(), expected);
    let short = x.slice(ndarray::s![..39, ..]);
    assert!(matches!(choose_ridge(&short, &graph, &RIDGES, 5), Err(Error::LengthMismatch { .. })));
}

#[test]
fn the_choice_has_the_same_bits_for_any_number_of_threads() {
    let (_, label, graph) = graphs(3000).remove(2);
    let x = inputs(3000, 8, &label);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| choose_ridge(&x.view(), &graph, &RIDGES, 5).unwrap())
    };
    let one = run(1);
    assert!([2, 3, 8].into_iter().all(|threads| run(threads) == one));
}

#[test]
fn with_ridge_features_are_uncorrelated_and_their_delta_values_ascend() {
    for (n, dim) in [(40, 5), (61, 12), (30, 40)] {
        for (name, label, graph) in graphs(n) {
            let x = inputs(n, dim, &label);
            for outputs in [2, 4] {
                let gsfa = Gsfa { ridge: 0.3, ..Gsfa::new(outputs) };
                let slow = gsfa.fit_at_most(&x.view(), &graph).unwrap();
                let y = slow.apply(x.view()).unwrap();
                let q = graph.q();
                for i in 0..y.ncols() {
                    for j in 0..=i {
                        let v = graph.vertex_weights();
                        let product: f64 = (0..n).map(|k| v[k] / q * y[[k, i]] * y[[k, j]]).sum();
                        let expected = f64::from(u8::from(i == j));
                        assert!((product - expected).abs() < 1e-9, "{name}, {n}x{dim}: {i} {j} {product}");
                    }
                }
                let by_definition = graph.delta_values(y.view()).unwrap();
                let informative = &slow.delta_values[..slow.informative];
                assert!(informative.windows(2).all(|d| d[0] <= d[1] + 1e-12), "{name}: {informative:?}");
                for (a, b) in slow.delta_values.iter().zip(&by_definition) {
                    assert!((a - b).abs() < 1e-9, "{name}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn ridge_means_the_same_whatever_form_a_graph_has() {
    // Classes of equal size with the paper's weights, as groups and as a list of edges.
    let n = 24;
    let names: Vec<String> = (0..n).map(|k| format!("{}", k % 3)).collect();
    let label: Vec<f64> = (0..n).map(|k| (k % 3) as f64).collect();
    let labels = Labels::classes("c", &names);
    let groups = Clustered { paper_weights: true, ..Clustered::default() }.build(&GraphInput::new(&labels)).unwrap();
    let mut edges = Vec::new();
    for a in 0..n {
        for b in a + 1..n {
            if groups.edge_weight(a, b) != 0.0 {
                edges.push((a, b, groups.edge_weight(a, b)));
            }
        }
    }
    let listed =
        gsfa::graph::Edges { edges, ..gsfa::graph::Edges::default() }.build(&GraphInput::new(&labels)).unwrap();
    let x = inputs(n, 6, &label);
    for ridge in [0.0, 0.1, 1.0] {
        let deltas = [&groups, &listed].map(|graph| {
            let gsfa = Gsfa { ridge, ..Gsfa::new(2) };
            gsfa.fit(&x.view(), graph).unwrap().delta_values
        });
        for (a, b) in deltas[0].iter().zip(&deltas[1]) {
            assert!((a - b).abs() < 1e-9, "ridge {ridge}: {deltas:?}");
        }
    }
}
