//! Sums of parts: merged, subtracted, stored; and what is refused.

use crate::solve_support::*;
use gsfa::graph::{Ell, GraphInput, GraphSpec, Grouping, Serial, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::moments::{CenteredMoments, Moments};
use gsfa::{Error, Gsfa};
use ndarray::{Array2, Axis, s};

fn part(x: &Array2<f64>, graph: &TrainingGraph, from: usize, to: usize) -> Moments<f64> {
    let mut moments = Moments::new(graph, x.ncols());
    moments.add(from, x.slice(s![from..to, ..])).unwrap();
    moments
}

fn assert_close(a: &CenteredMoments, b: &CenteredMoments, tolerance: f64, what: &str) {
    assert!(relative(&a.covariance(), &b.covariance()) < tolerance, "{what}: C");
    assert!(relative(&a.derivative_covariance(), &b.derivative_covariance()) < tolerance, "{what}: derivative");
    let mean = |m: &CenteredMoments| Array2::from_shape_vec((1, m.input_dim()), m.mean().to_vec()).unwrap();
    assert!(relative(&mean(a), &mean(b)) < tolerance, "{what}: mean");
}

#[test]
fn parts_merge_in_any_order() {
    let (n, dim) = (900, 6);
    // Columns of very different offset and scale, so that the parts' frames differ.
    let mut x = samples(n, dim, 20);
    x.column_mut(1).mapv_inplace(|x| 1e8 + x);
    x.column_mut(2).mapv_inplace(|x| 1e-20 * x);
    x.slice_mut(s![..300, 3]).fill(0.0);
    for (name, graph) in all_graphs(n) {
        let Ok(()) = Moments::new(&graph, dim).add(0, x.slice(s![..1, ..])) else { continue };
        let whole = Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap();
        let borders = [(0, 300), (300, 301), (301, 650), (650, 900)];
        for order in [[0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]] {
            let mut sum = Moments::new(&graph, dim);
            for k in order {
                sum.merge(part(&x, &graph, borders[k].0, borders[k].1)).unwrap();
            }
            // Offset 1e8: sixteen digits less eight leave eight for the differences of the parts' means.
            assert_close(&sum.finish().unwrap(), &whole, 1e-10, name);
        }
    }
}

#[test]
fn stored_sums_continue_with_the_same_bits() {
    let (n, dim) = (1100, 4);
    let x = samples(n, dim, 21);
    for (name, graph) in all_graphs(n) {
        let mut moments = Moments::new(&graph, dim);
        let Ok(()) = moments.add(0, x.slice(s![..700, ..])) else {
            assert!(matches!(moments.to_bytes(), Err(Error::NeedsRandomAccess { .. })));
            continue;
        };
        let mut resumed: Moments<f64> = Moments::from_bytes(&graph, &moments.to_bytes().unwrap()).unwrap();
        for m in [&mut moments, &mut resumed] {
            m.add(700, x.slice(s![700.., ..])).unwrap();
        }
        let (a, b) = (moments.finish().unwrap(), resumed.finish().unwrap());
        assert!(a.covariance() == b.covariance() && a.mean() == b.mean(), "{name}");
        assert!(a.derivative_covariance() == b.derivative_covariance(), "{name}");
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let graph = ell(&uneven_weights(40), 9, &[1.0, 0.5]);
    let x = samples(40, 3, 22);
    let bytes = part(&x, &graph, 0, 33).to_bytes().unwrap();
    for length in 0..bytes.len() {
        assert!(Moments::<f64>::from_bytes(&graph, &bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(matches!(Moments::<f32>::from_bytes(&graph, &bytes), Err(Error::DifferentMoments { .. })));
    let other = ell(&uneven_weights(41), 9, &[1.0, 0.5]);
    assert!(matches!(Moments::<f64>::from_bytes(&other, &bytes), Err(Error::DifferentMoments { .. })));
    // Not a bit may differ (F55).
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let read = Moments::<f64>::from_bytes(&graph, &damaged);
            assert!(matches!(read, Err(Error::Damaged { .. })), "bit {bit} of byte {at}");
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(Moments::<f64>::from_bytes(&graph, &longer), Err(Error::Damaged { .. })));
}

/// Sums of one graph are not taken for those of another of the same size (F55, F68).
#[test]
fn sums_of_other_labels_weights_or_graphs_are_refused_and_told_apart() {
    let (n, x) = (40, samples(40, 3, 22));
    let numbers =
        |shift: usize| Labels::numbers("y", (0..n).map(|i| ((i * 7 + shift * (i % 3)) % 11) as f64).collect());
    let (labels, others) = (numbers(0), numbers(1));
    let weights = SampleWeights::new((0..n).map(|i| 1.0 + (i % 4) as f64).collect()).unwrap();
    let swapped = SampleWeights::new((0..n).map(|i| 1.0 + (i % 5) as f64).collect()).unwrap();
    let build = |spec: &GraphSpec, labels: &Labels, weights: &SampleWeights| {
        spec.build(&GraphInput::new(labels).with_weights(weights.clone()).unwrap()).unwrap()
    };
    for (spec, other_spec) in [
        (GraphSpec::Serial(Serial { groups: 5, ..Serial::default() }), GraphSpec::Ell(Ell::default())),
        (GraphSpec::Ell(Ell::default()), GraphSpec::Serial(Serial { groups: 5, ..Serial::default() })),
    ] {
        let graph = build(&spec, &labels, &weights);
        let sums = part(&x, &graph, 0, 20);
        let same = build(&spec, &labels, &weights);
        sums.clone().merge(part(&x, &same, 20, 40)).unwrap();
        Moments::<f64>::from_bytes(&same, &sums.to_bytes().unwrap()).unwrap();
        for other in
            [build(&spec, &others, &weights), build(&other_spec, &labels, &weights), build(&spec, &labels, &swapped)]
        {
            let different = |done: Result<(), Error>| matches!(done, Err(Error::DifferentMoments { .. }));
            assert!(different(sums.clone().merge(part(&x, &other, 20, 40))));
            assert!(different(sums.clone().subtract(part(&x, &other, 0, 20))));
            assert!(different(Moments::<f64>::from_bytes(&other, &sums.to_bytes().unwrap()).map(|_| ())));
        }
    }
    let ell = GraphSpec::Ell(Ell::default());
    let (graph, other) = (build(&ell, &labels, &weights), build(&ell, &labels, &swapped));
    assert!(graph.print().difference(other.print()).is_some_and(|what| what.starts_with("the vertex weights")));
    let other = build(&ell, &others, &weights);
    assert!(graph.print().difference(other.print()).is_some_and(|what| what.starts_with("the graph")));
}

/// One label of many moved to its neighbour's is seen; last digits are not.
#[test]
fn prints_see_one_label_and_no_round_off() {
    let n = 100_000;
    let values: Vec<f64> = (0..n).map(|i| ((i * 7919) % n) as f64).collect();
    let graph = |values: Vec<f64>| Serial::default().build(&GraphInput::new(&Labels::numbers("y", values))).unwrap();
    let first = graph(values.clone());
    let mut moved = values.clone();
    moved.swap(10, 2000);
    assert!(first.print().difference(graph(moved).print()).is_some());
    let ell = |values: Vec<f64>| Ell::default().build(&GraphInput::new(&Labels::numbers("y", values))).unwrap();
    let nudged = values.iter().map(|y| y * (1.0 + 4.0 * f64::EPSILON)).collect();
    assert_eq!(ell(values).print().difference(ell(nudged).print()), None);
}

/// Cross-validation: all sums minus a fold equal a fit of the remaining samples with a graph of their own.
#[test]
fn subtracting_a_fold_equals_fitting_the_rest() {
    let (n, dim) = (240, 7);
    let x = samples(n, dim, 23);
    let v = uneven_weights(n);
    let groups: Vec<u32> = (0..n).map(|i| (i * 13 % 9) as u32).collect();
    let eigenvalues = [1.0, 0.7, 0.2];
    for fold in [0..60, 60..61, 100..240] {
        let kept: Vec<usize> = (0..n).filter(|i| !fold.contains(i)).collect();
        let rest_x = x.select(Axis(0), &kept);
        let rest_v: Vec<f64> = kept.iter().map(|&i| v[i]).collect();
        let rest_grouping = Grouping::new(kept.iter().map(|&i| groups[i]).collect(), 9).unwrap();
        let rest_weights = rest_grouping.sums(&rest_v);
        let labels = |i: &usize| groups[*i] as usize;
        let cases = [
            (
                "ELL",
                ell_on(
                    &v,
                    Grouping::new(groups.clone(), 9).unwrap(),
                    targets(&Grouping::new(groups.clone(), 9).unwrap().sums(&v), 3),
                    &eigenvalues,
                ),
                ell_on(&rest_v, rest_grouping.clone(), targets(&rest_weights, 3), &eigenvalues),
            ),
            (
                "ELL, one label per sample",
                ell_labels(
                    &v,
                    targets(&Grouping::new(groups.clone(), 9).unwrap().sums(&v), 3)
                        .select(Axis(0), &(0..n).map(|i| labels(&i)).collect::<Vec<_>>()),
                    &eigenvalues,
                ),
                ell_on(&rest_v, rest_grouping.clone(), targets(&rest_weights, 3), &eigenvalues),
            ),
            (
                "clustered",
                clustered(&v, Grouping::new(groups.clone(), 9).unwrap()),
                clustered(&rest_v, rest_grouping.clone()),
            ),
        ];
        for (name, graph, rest_graph) in &cases {
            let mut sums: Moments<f64> = Moments::of(&x.view(), graph).unwrap();
            sums.subtract(part(&x, graph, fold.start, fold.end)).unwrap();
            let remaining = sums.finish_remaining().unwrap();
            let refit = Moments::<f64>::of(&rest_x.view(), rest_graph).unwrap().finish().unwrap();
            assert_close(&remaining, &refit, 1e-10, name);
            let (a, b) = (Gsfa::default().solve(&remaining).unwrap(), Gsfa::default().solve(&refit).unwrap());
            for (p, q) in a.delta_values.iter().zip(&b.delta_values) {
                assert!((p - q).abs() < 1e-10, "{name}");
            }
            assert!(relative(&a.weights, &b.weights) < 1e-8, "{name}: {fold:?}");
        }
    }
}

#[test]
fn graphs_whose_rest_does_not_follow_from_sums_are_refused() {
    let x = samples(60, 3, 24);
    let graph = serial(&vec![1.0; 60], contiguous(60, 6));
    let mut sums: Moments<f64> = Moments::of(&x.view(), &graph).unwrap();
    sums.subtract(part(&x, &graph, 0, 10)).unwrap();
    assert!(matches!(sums.clone().finish_remaining(), Err(Error::NotSeparable { .. })));
    assert!(matches!(sums.finish(), Err(Error::MissingRows { expected: 60, got: 50, first_missing: 0 })));
}

#[test]
fn rows_are_added_once_and_subtracted_if_there() {
    let x = samples(60, 3, 25);
    let graph = serial(&vec![1.0; 60], contiguous(60, 6));
    let mut sums = part(&x, &graph, 10, 30);
    assert!(matches!(sums.add(29, x.slice(s![29..31, ..])), Err(Error::RowRange { first: 29, last: 30, .. })));
    assert!(matches!(sums.add(59, x.slice(s![..2, ..])), Err(Error::RowRange { .. })));
    assert!(matches!(sums.clone().merge(part(&x, &graph, 20, 40)), Err(Error::RowRange { .. })));
    assert!(matches!(sums.clone().subtract(part(&x, &graph, 20, 40)), Err(Error::RowRange { .. })));
    assert!(matches!(sums.add(30, samples(2, 4, 1).view()), Err(Error::InputDim { expected: 3, got: 4 })));
    let long = chain(300);
    let mut chunks = Moments::<f64>::new(&long, 3);
    assert!(matches!(chunks.add(0, x.view()), Err(Error::NeedsRandomAccess { .. })));
}

#[test]
fn bad_values_are_named_with_row_and_column() {
    for n in [40, 1100] {
        let graph = ell(&uneven_weights(n), 9, &[1.0]);
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut x = samples(n, 3, 26);
            x[[n - 3, 1]] = value;
            let error = Gsfa::default().fit(&x.view(), &graph).unwrap_err();
            assert_eq!(error, Error::NonFiniteSample { row: n - 3, column: 1, total: 1 });
        }
    }
    let x = samples(7, 3, 26);
    let graph = ell(&uneven_weights(40), 9, &[1.0]);
    assert!(matches!(Gsfa::default().fit(&x.view(), &graph), Err(Error::LengthMismatch { .. })));
}

#[test]
fn values_that_overflow_when_squared_are_named() {
    let graph = ell(&uneven_weights(1100), 9, &[1.0]);
    let mut x = samples(1100, 3, 27);
    x[[1097, 1]] = 1e200;
    let error = Gsfa::default().fit(&x.view(), &graph).unwrap_err();
    assert_eq!(error, Error::Overflow { row: 1097, column: 1, value: 1e200 });
    // A column that is large from the start is scaled.
    x.column_mut(1).mapv_inplace(|x| if x == 1e200 { x } else { x * 1e200 });
    assert!(Gsfa::default().fit(&x.view(), &graph).is_ok());
}
