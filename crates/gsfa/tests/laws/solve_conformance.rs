//! Slow features of every graph solve the dense eigenproblem and meet the constraints.

use crate::solve_support::*;
use gsfa::moments::Moments;
use gsfa::{Gsfa, SlowFeatures, Surplus};
use ndarray::Array2;

fn all() -> Gsfa {
    Gsfa { surplus: Surplus::Fast, ..Gsfa::default() }
}

/// Wᵀ A W.
fn sandwich(slow: &SlowFeatures, a: &Array2<f64>) -> Array2<f64> {
    slow.weights.t().dot(a).dot(&slow.weights)
}

fn off_diagonal(a: &Array2<f64>) -> f64 {
    a.indexed_iter().filter(|((i, j), _)| i != j).fold(0.0, |m, (_, x)| m.max(x.abs()))
}

#[test]
fn features_of_every_graph_solve_the_dense_problem() {
    for (n, dim) in [(12, 1), (12, 2), (40, 7), (60, 30), (300, 5)] {
        let x = samples(n, dim, 30);
        for (name, graph) in all_graphs(n) {
            let expected = dense(x.view(), &graph);
            let deltas = expected.deltas();
            let slow = Gsfa { output_dim: Some(dim), ..all() }.fit(&x.view(), &graph).unwrap();
            let tolerance = 1e-9;
            assert_eq!(slow.output_dim(), dim, "{name}");
            for (delta, expected) in slow.delta_values.iter().zip(&deltas) {
                assert!((delta - expected).abs() < tolerance, "{name}, {n}x{dim}: {:?} {deltas:?}", slow.delta_values);
            }
            let y = slow.apply(x.view()).unwrap();
            let gram = weighted_gram(&y, graph.vertex_weights());
            assert!(largest(&(gram - Array2::<f64>::eye(dim))) < tolerance, "{name}: unit variance, decorrelation");
            let mean = y.t().dot(&ndarray::aview1(graph.vertex_weights())) / graph.q();
            assert!(mean.iter().all(|m| m.abs() < tolerance), "{name}: weighted zero mean");
            let objective = sandwich(&slow, &expected.derivative);
            assert!(off_diagonal(&objective) < 1e-8, "{name}: {objective:?}");
            for (delta, o) in slow.delta_values.iter().zip(objective.diag()) {
                assert!((delta - o).abs() < 1e-8, "{name}: delta is the objective");
            }
        }
    }
}

#[test]
fn the_slowest_alone_are_the_first_of_all() {
    let x = samples(300, 20, 31);
    for (name, graph) in all_graphs(300) {
        let all = Gsfa { output_dim: Some(20), ..all() }.fit(&x.view(), &graph).unwrap();
        for count in [1, 2] {
            let few = Gsfa { output_dim: Some(count), ..self::all() }.fit(&x.view(), &graph).unwrap();
            for j in 0..count.min(all.output_dim()) {
                assert!((few.delta_values[j] - all.delta_values[j]).abs() < 1e-10, "{name}");
            }
        }
    }
}

#[test]
fn a_wide_full_rank_graph_needs_the_slowest_pairs_only() {
    let (n, dim) = (1500, 420);
    let x = samples(n, dim, 32);
    let graph = chain(n);
    let few = Gsfa::new(5).fit(&x.view(), &graph).unwrap();
    let all = Gsfa::default().fit(&x.view(), &graph).unwrap();
    for j in 0..5 {
        assert!((few.delta_values[j] - all.delta_values[j]).abs() < 1e-10);
        let off = &few.weights.column(j) - &all.weights.column(j);
        assert!(off.dot(&off).sqrt() < 1e-6 * all.weights.column(j).dot(&all.weights.column(j)).sqrt());
    }
}

#[test]
fn slow_features_have_the_same_bits_for_any_number_of_threads() {
    let x = samples(2000, 12, 33);
    for (name, graph) in all_graphs(2000) {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Gsfa { output_dim: Some(4), ..all() }.fit(&x.view(), &graph).unwrap())
        };
        let one = run(1);
        for threads in [2, 3, 8] {
            assert!(run(threads) == one, "{name}, {threads} threads");
        }
    }
    let x = noise(1200, 1010, 34);
    let graph = ell(&vec![1.0; 1200], 9, &[1.0, 0.8, 0.1]);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Gsfa::new(5).fit(&x.view(), &graph).unwrap())
    };
    let one = run(1);
    assert!(run(2) == one && run(3) == one && one.output_dim() == 5);
}

#[test]
fn single_precision_features_agree_with_double() {
    let x = samples(800, 15, 35).mapv(|x| x as f32);
    let exact = x.mapv(f64::from);
    for (name, graph) in all_graphs(800) {
        let two = Gsfa { output_dim: Some(2), ..all() };
        let (single, double) = (two.fit(&x.view(), &graph).unwrap(), two.fit(&exact.view(), &graph).unwrap());
        for (a, b) in single.delta_values.iter().zip(&double.delta_values) {
            assert!((a - b).abs() < 1e-4, "{name}: {a} {b}");
        }
        let (y, z) = (single.apply(x.view()).unwrap().mapv(f64::from), double.apply(exact.view()).unwrap());
        let distinct = double.delta_values.len() < 2 || double.delta_values[1] - double.delta_values[0] > 0.01;
        if distinct {
            assert!(largest(&(y - z)) < 0.02, "{name}");
        }
    }
}

#[test]
fn surplus_outputs_are_principal_components_of_the_residual() {
    let (n, dim) = (200, 9);
    let x = samples(n, dim, 36);
    let v = uneven_weights(n);
    for (name, graph, count) in [
        ("ELL-2", ell(&v, 9, &[1.0, 0.5]), 2),
        ("serial", serial(&v, contiguous(n, 6)), 2),
        ("indefinite", ell_labels(&v, targets(&v, 2), &[0.8, -0.5]), 1),
    ] {
        let slow = Gsfa::new(dim - 3).fit(&x.view(), &graph).unwrap();
        assert_eq!(slow.informative, count, "{name}");
        let everything = Gsfa { output_dim: Some(dim), ..all() }.fit(&x.view(), &graph).unwrap();
        let off_two: Vec<usize> = (0..dim).filter(|&j| (everything.delta_values[j] - 2.0).abs() > 1e-8).collect();
        let w = everything.weights.select(ndarray::Axis(1), &off_two);
        let c = Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap().covariance();
        let residual = &c - &c.dot(&w).dot(&w.t()).dot(&c);
        let eigen = crate::eigen::symmetric_eigen(residual.view()).unwrap();
        for k in 0..slow.output_dim() - count {
            assert_eq!(slow.delta_values[count + k], 2.0);
            let p = eigen.vectors.column(dim - 1 - k);
            let mut expected = &p - &w.dot(&w.t().dot(&c.dot(&p)));
            expected /= expected.dot(&c.dot(&expected)).sqrt();
            let largest = expected.iter().fold(0.0_f64, |m, &x| if x.abs() > m.abs() { x } else { m });
            expected *= largest.signum();
            let off = &slow.weights.column(count + k) - &expected;
            assert!(off.dot(&off).sqrt() < 1e-8 * expected.dot(&expected).sqrt(), "{name}, residual component {k}");
        }
    }
}

#[test]
fn arbitrary_surplus_is_always_the_same_and_leaves_the_slow_features_alone() {
    let x = samples(200, 9, 37);
    let weights = uneven_weights(200);
    let graph = ell(&weights, 9, &[1.0, 0.5]);
    for ridge in [0.0, 0.01] {
        let ask = |surplus| Gsfa { surplus, ridge, ..Gsfa::new(6) }.fit(&x.view(), &graph).unwrap();
        let (arbitrary, again, residual) = (ask(Surplus::Arbitrary), ask(Surplus::Arbitrary), ask(Surplus::Residual));
        assert_eq!(arbitrary, again);
        assert!(arbitrary.notes.contains(&gsfa::Note::ArbitrarySurplus { slow: 2, arbitrary: 4 }));
        for k in 0..6 {
            let (ours, theirs) = (arbitrary.weights.column(k), residual.weights.column(k));
            let off = (&ours - &theirs).mapv(|x| x * x).sum() / theirs.dot(&theirs);
            assert!(if k < 2 { off < 1e-18 } else { off > 1e-3 }, "feature {k}: {off}");
        }
        // Mean 0, variance 1, uncorrelated.
        let mut y = arbitrary.apply(x.view()).unwrap();
        let total: f64 = weights.iter().sum();
        y.outer_iter_mut().zip(&weights).for_each(|(mut row, w)| row *= (w / total).sqrt());
        let covariance = y.t().dot(&y);
        for ((i, j), c) in covariance.indexed_iter() {
            assert!((c - f64::from(u8::from(i == j))).abs() < 1e-9, "{i}, {j}: {c}");
        }
    }
}

#[test]
fn surplus_can_be_truncated_or_refused() {
    let x = samples(200, 9, 37);
    let graph = ell(&uneven_weights(200), 9, &[1.0, 0.5]);
    let ask = |surplus| Gsfa { surplus, ..Gsfa::new(5) }.fit(&x.view(), &graph);
    assert_eq!(ask(Surplus::Residual).unwrap().output_dim(), 5);
    assert_eq!(ask(Surplus::Truncate).unwrap().output_dim(), 2);
    assert!(matches!(ask(Surplus::Error), Err(gsfa::Error::TooFewDirections { requested: 5, available: 2, .. })));
    assert!(Gsfa::new(10).fit(&x.view(), &graph).is_err());
    let fewer = Gsfa::new(10).fit_at_most(&x.view(), &graph).unwrap();
    assert_eq!(fewer.output_dim(), 9);
    assert_eq!(Gsfa::default().fit(&x.view(), &graph).unwrap().output_dim(), 2);
}

#[test]
fn features_faster_than_noise_are_returned_only_if_asked_for() {
    let n = 200;
    let x = samples(n, 4, 38);
    let graph = ell_labels(&vec![1.0; n], targets(&vec![1.0; n], 2), &[0.8, -0.5]);
    let without = Gsfa::new(4).fit_at_most(&x.view(), &graph).unwrap();
    assert_eq!(without.output_dim(), 3);
    assert!(without.delta_values.iter().all(|&d| d <= 2.0));
    let with = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(4) }.fit(&x.view(), &graph).unwrap();
    assert!(with.delta_values[3] > 2.0);
}
