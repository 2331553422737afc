//! Inputs at the edge: no variance, dependence, few samples, offsets, magnitudes.

use crate::solve_support::*;
use gsfa::{Error, Gsfa, Note, SlowFeatures, Surplus};
use ndarray::{Array2, Axis, concatenate};

/// The slowest feature, whatever its delta value, and the others that are slow.
fn slow_or_slowest(x: &Array2<f64>, graph: &gsfa::graph::TrainingGraph) -> SlowFeatures {
    let slow = Gsfa::default().fit(&x.view(), graph);
    slow.or_else(|_| Gsfa { surplus: Surplus::Fast, ..Gsfa::new(1) }.fit(&x.view(), graph)).unwrap()
}

#[test]
fn constant_columns_get_weight_zero() {
    let n = 600;
    let x = samples(n, 4, 60);
    let mut wide = Array2::zeros((n, 7));
    // 0.1 is not a binary fraction: its mean must come out exactly.
    wide.column_mut(0).fill(0.1);
    wide.column_mut(3).fill(0.0);
    wide.column_mut(6).fill(-1e9);
    for (to, from) in [(1, 0), (2, 1), (4, 2), (5, 3)] {
        wide.column_mut(to).assign(&x.column(from));
    }
    for (name, graph) in all_graphs(n) {
        let plain = slow_or_slowest(&x, &graph);
        let slow = slow_or_slowest(&wide, &graph);
        assert_eq!((slow.dead_columns, slow.dropped_directions, slow.rank), (3, 0, 4), "{name}");
        for dead in [0, 3, 6] {
            assert!(slow.weights.row(dead).iter().all(|&w| w == 0.0), "{name}");
        }
        assert!(relative(&slow.weights.select(Axis(0), &[1, 2, 4, 5]), &plain.weights) < 1e-10, "{name}");
        assert!(slow.notes.contains(&Note::NoVariance { dead: 3, dropped: 0, rank: 4 }));
    }
}

#[test]
fn dependent_columns_are_dropped_and_change_nothing() {
    let (n, dim) = (200, 5);
    let x = samples(n, dim, 61);
    let twice = concatenate(Axis(1), &[x.view(), x.view()]).unwrap();
    let combined = concatenate(Axis(1), &[x.view(), x.dot(&noise(dim, 3, 62)).view()]).unwrap();
    for (name, graph) in all_graphs(n) {
        let plain = slow_or_slowest(&x, &graph);
        for more in [&twice, &combined] {
            let slow = slow_or_slowest(more, &graph);
            assert_eq!((slow.rank, slow.dead_columns), (dim, 0), "{name}");
            assert_eq!(slow.dropped_directions, more.ncols() - dim);
            assert_eq!(slow.output_dim(), plain.output_dim(), "{name}");
            let (y, z) = (slow.apply(more.view()).unwrap(), plain.apply(x.view()).unwrap());
            for (a, b) in y.axis_iter(Axis(1)).zip(z.axis_iter(Axis(1))) {
                assert!((a.dot(&b).abs() / b.dot(&b) - 1.0).abs() < 1e-8, "{name}");
            }
        }
    }
}

#[test]
fn fewer_samples_than_inputs_reveal_their_rank() {
    for (n, dim) in [(2, 1), (2, 5), (12, 40), (30, 30), (20, 450)] {
        let x = noise(n, dim, 63);
        let v = uneven_weights(n);
        let graph = ell_labels(&v, targets(&v, 1), &[1.0]);
        let slow = Gsfa::new(1).fit(&x.view(), &graph).unwrap();
        assert_eq!(slow.rank, (n - 1).min(dim), "{n}x{dim}");
        if dim >= n - 1 {
            assert!(slow.delta_values[0].abs() < 1e-9, "{n}x{dim}: {:?}", slow.delta_values);
            assert!(slow.notes.iter().any(|note| matches!(note, Note::Overfit { .. })));
        }
        let y = slow.apply(x.view()).unwrap();
        assert!((weighted_gram(&y, &v)[[0, 0]] - 1.0).abs() < 1e-9);
    }
}

#[test]
fn two_samples_are_enough() {
    let x = Array2::from_shape_vec((2, 1), vec![1.0, 4.0]).unwrap();
    let slow = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(1) }.fit(&x.view(), &chain(2)).unwrap();
    // One edge of the only feature there is: Δ = (y₁ − y₂)² = 4.
    assert!((slow.delta_values[0] - 4.0).abs() < 1e-12);
}

#[test]
fn inputs_without_any_variance_are_an_error() {
    let x = Array2::from_elem((30, 3), 2.5);
    let graph = ell(&uneven_weights(30), 5, &[1.0]);
    assert_eq!(Gsfa::default().fit(&x.view(), &graph).unwrap_err(), Error::NoVariance { inputs: 3 });
    let none = Array2::<f64>::zeros((30, 0));
    assert!(matches!(Gsfa::default().fit(&none.view(), &graph), Err(Error::NoVariance { inputs: 0 })));
    assert!(matches!(Gsfa::new(0).fit(&x.view(), &graph), Err(Error::Parameter { .. })));
    assert!(matches!(Gsfa { ridge: -1.0, ..Gsfa::default() }.fit(&x.view(), &graph), Err(Error::Parameter { .. })));
}

#[test]
fn offsets_cost_no_digits() {
    let n = 400;
    // Integers, so that the shifted samples are the same numbers exactly.
    let x = samples(n, 4, 64).mapv(|x| (x * 100.0).round());
    for (name, graph) in all_graphs(n) {
        let plain = slow_or_slowest(&x, &graph);
        let far = slow_or_slowest(&x.mapv(|x| x + 1e8), &graph);
        for (a, b) in far.weights.axis_iter(Axis(1)).zip(plain.weights.axis_iter(Axis(1))) {
            let off = (&a - &b).mapv(f64::abs).sum().min((&a + &b).mapv(f64::abs).sum());
            assert!(off < 1e-9 * b.mapv(f64::abs).sum(), "{name}");
        }
        let single = x.mapv(|x| x as f32);
        let one = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(1) };
        let near = one.fit(&single.view(), &graph).unwrap();
        let moved = one.fit(&single.mapv(|x| x + 1e3).view(), &graph).unwrap();
        assert!((near.delta_values[0] - moved.delta_values[0]).abs() < 1e-5, "{name}");
    }
}

#[test]
fn columns_of_any_magnitude_count_alike() {
    let n = 300;
    let x = samples(n, 5, 65);
    let powers = [-150, -30, 0, 40, 150];
    let mut scaled = x.clone();
    for (mut column, p) in scaled.axis_iter_mut(Axis(1)).zip(powers) {
        column *= 10.0_f64.powi(p);
    }
    for (name, graph) in all_graphs(n) {
        let (a, b) = (slow_or_slowest(&x, &graph), slow_or_slowest(&scaled, &graph));
        assert_eq!(b.rank, 5, "{name}");
        for (p, q) in a.delta_values.iter().zip(&b.delta_values) {
            assert!((p - q).abs() < 1e-10, "{name}");
        }
        let (y, z) = (a.apply(x.view()).unwrap(), b.apply(scaled.view()).unwrap());
        for (p, q) in y.axis_iter(Axis(1)).zip(z.axis_iter(Axis(1))) {
            assert!((p.dot(&q).abs() / p.dot(&p) - 1.0).abs() < 1e-9, "{name}");
        }
    }
}

#[test]
fn surplus_outputs_exist_for_any_mixture_of_magnitudes() {
    let n = 300;
    let mut x = samples(n, 6, 66);
    for (mut column, p) in x.axis_iter_mut(Axis(1)).zip([-100, -12, 0, 3, 10, 100]) {
        column *= 10.0_f64.powi(p);
    }
    let v = vec![1.0; n];
    let slow = Gsfa::new(6).fit(&x.view(), &ell(&v, 9, &[1.0, 0.5])).unwrap();
    let gram = weighted_gram(&slow.apply(x.view()).unwrap(), &v);
    assert!(largest(&(gram - Array2::<f64>::eye(6))) < 1e-8);
}

#[test]
fn single_precision_magnitudes_are_scaled_too() {
    let n = 300;
    let x = samples(n, 3, 67);
    let mut scaled = x.mapv(|x| x as f32);
    for (mut column, p) in scaled.axis_iter_mut(Axis(1)).zip([1e-30_f32, 1.0, 1e30]) {
        column *= p;
    }
    let graph = ell(&vec![1.0; n], 9, &[1.0, 0.5]);
    let (a, b) = (slow_or_slowest(&x, &graph), Gsfa::default().fit(&scaled.view(), &graph).unwrap());
    assert_eq!(b.rank, 3);
    for (p, q) in a.delta_values.iter().zip(&b.delta_values) {
        assert!((p - q).abs() < 1e-5);
    }
    let y = b.apply(scaled.view()).unwrap().mapv(f64::from);
    assert!(largest(&(weighted_gram(&y, &vec![1.0; n]) - Array2::<f64>::eye(2))) < 1e-4);
}

#[test]
fn very_slow_signals_keep_their_digits() {
    // One full cosine over many samples: Δ ≈ (2π/N)²·N/(N−1) would drown in differences of large sums.
    let n = 20_000;
    let x = Array2::from_shape_fn((n, 1), |(i, _)| (std::f64::consts::TAU * (i as f64 + 0.5) / n as f64).cos());
    let slow = Gsfa::new(1).fit(&x.view(), &chain(n)).unwrap();
    let z = &x - x.mean().unwrap();
    let speed = (1..n).map(|i| (z[[i, 0]] - z[[i - 1, 0]]).powi(2)).sum::<f64>() / (n - 1) as f64;
    let expected = speed / (z.iter().map(|z| z * z).sum::<f64>() / n as f64);
    assert!((slow.delta_values[0] / expected - 1.0).abs() < 1e-10, "{} {expected}", slow.delta_values[0]);
}

#[test]
fn sums_stay_for_another_attempt_when_features_cannot_be_had() {
    let x = concatenate(Axis(1), &[samples(60, 3, 69).view(), samples(60, 3, 69).view()]).unwrap();
    let graph = ell(&uneven_weights(60), 9, &[1.0]);
    let sums = gsfa::moments::Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap();
    let refused = Gsfa::new(5).solve(&sums).unwrap_err();
    assert!(matches!(refused, Error::TooFewDirections { rank: 3, inputs: 6, .. }), "{refused}");
    for ridge in [1e-3, 0.5] {
        let with_ridge = Gsfa { ridge, ..Gsfa::new(1) };
        assert_eq!(with_ridge.solve(&sums).unwrap(), with_ridge.fit(&x.view(), &graph).unwrap());
    }
}

#[test]
fn other_widths_are_refused_when_applied() {
    let x = samples(60, 4, 68);
    let slow = Gsfa::default().fit(&x.view(), &ell(&uneven_weights(60), 9, &[1.0])).unwrap();
    assert!(matches!(slow.apply(samples(5, 3, 1).view()), Err(Error::InputDim { expected: 4, got: 3 })));
    let mut out = Array2::zeros((4, 1));
    assert!(slow.apply_into(x.view(), out.view_mut()).is_err());
    assert_eq!(slow.apply(Array2::<f32>::zeros((0, 4)).view()).unwrap().dim(), (0, 1));
}
