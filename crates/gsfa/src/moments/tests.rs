//! Both forms of the same moments give the same features.

use ndarray::{Array2, s};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::graph::{Chain, Clustered, Ell, GraphInput, Serial};
use crate::labels::{Labels, SampleWeights};
use crate::{Gsfa, SlowFeatures, Solver, Surplus};

fn data(samples: usize, inputs: usize, seed: u64) -> (Array2<f64>, Vec<f64>, Vec<f64>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut uniform = || rng.random_range(-1.0..1.0);
    let mut x = Array2::from_shape_simple_fn((samples, inputs), &mut uniform);
    // Columns of different units, a constant one and a copy.
    x.column_mut(1).mapv_inplace(|x| 100.0 * x + 7.0);
    x.column_mut(2).mapv_inplace(|x| 1e-3 * x - 4.0);
    x.column_mut(3).fill(2.5);
    let copy = x.column(0).to_owned();
    x.column_mut(5).assign(&copy);
    let y = x.outer_iter().map(|row| row[0] - row[4] + 0.01 * row[1] + 0.2 * uniform()).collect();
    let weights = (0..samples).map(|_| 1.5 + uniform()).collect();
    (x, y, weights)
}

fn graphs(y: &[f64], weights: &[f64]) -> Vec<(&'static str, TrainingGraph)> {
    let classes: Vec<String> = y.iter().map(|y| ((y * 2.0).floor() as i32).rem_euclid(3).to_string()).collect();
    let numbers = Labels::none(y.len()).and_numbers("y", y.to_vec()).unwrap();
    let classes = Labels::none(y.len()).and_classes("c", &classes).unwrap();
    let weights = SampleWeights::new(weights.to_vec()).unwrap();
    let input = |labels| GraphInput::new(labels).with_weights(weights.clone()).unwrap();
    vec![
        ("ell", Ell { targets: Some(3), ..Ell::default() }.build(&input(&numbers)).unwrap()),
        ("clustered", Clustered::default().build(&input(&classes)).unwrap()),
        ("serial", Serial { groups: 5, ..Serial::default() }.build(&input(&numbers)).unwrap()),
        ("chain", Chain::default().build(&input(&numbers)).unwrap()),
    ]
}

fn as_sums(x: &Array2<f64>, graph: &TrainingGraph) -> CenteredMoments {
    CenteredMoments(Finished::Covariance(Box::new(Covariance::<f64>::of(&x.view(), graph).unwrap().finish().unwrap())))
}

fn assert_same(rows: &SlowFeatures, sums: &SlowFeatures, new: &Array2<f64>, what: &str) {
    assert_eq!(
        (rows.rank, rows.informative, rows.dead_columns),
        (sums.rank, sums.informative, sums.dead_columns),
        "{what}"
    );
    assert_eq!((&rows.notes, rows.dropped_directions), (&sums.notes, sums.dropped_directions), "{what}");
    for (a, b) in rows.delta_values.iter().zip(&sums.delta_values) {
        assert!((a - b).abs() < 1e-9, "{what}: delta {a} {b}");
    }
    // On samples that were not there: what lies beyond the space of the samples is the same, too.
    let (a, b) = (rows.apply(new.view()).unwrap(), sums.apply(new.view()).unwrap());
    let size = b.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    let off = (&a - &b).iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    assert!(off < 1e-7 * size, "{what}: {off} of {size}");
}

#[test]
fn few_samples_give_the_same_features_as_rows_and_as_sums() {
    for (samples, inputs) in [(30, 40), (9, 61), (39, 40)] {
        let (x, y, weights) = data(samples, inputs, 3);
        let (new, ..) = data(20, inputs, 4);
        for weights in [vec![1.0; samples], weights] {
            for (name, graph) in graphs(&y, &weights) {
                let rows = Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap();
                assert!(matches!(rows.0, Finished::Rows(_)));
                let sums = as_sums(&x, &graph);
                let off = |a: Array2<f64>, b: Array2<f64>| (a - b).iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                assert!(off(rows.covariance(), sums.covariance()) < 1e-9);
                assert!(off(rows.derivative_covariance(), sums.derivative_covariance()) < 1e-9);
                for (ridge, surplus, features) in
                    [(0.0, Surplus::Truncate, 2), (1e-3, Surplus::Truncate, 2), (0.1, Surplus::Residual, 5)]
                {
                    let gsfa = Gsfa { ridge, surplus, ..Gsfa::new(features) };
                    let (rows, sums) = (gsfa.solve_at_most(&rows).unwrap(), gsfa.solve_at_most(&sums).unwrap());
                    let what = format!("{name} {samples}x{inputs} ridge {ridge}");
                    if ridge == 0.0 && name == "clustered" {
                        // Everything fits without ridge: all classes are equally slow, and any rotation of them is.
                        let gram = |slow: &SlowFeatures| {
                            let y = slow.apply(new.view()).unwrap();
                            y.dot(&y.t())
                        };
                        let size = gram(&sums).iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                        assert!(off(gram(&rows), gram(&sums)) < 1e-7 * size, "{what}");
                    } else {
                        assert_same(&rows, &sums, &new, &what);
                    }
                }
            }
        }
    }
}

#[test]
fn residual_components_of_few_samples_are_those_of_the_inputs() {
    let (x, y, weights) = data(12, 40, 5);
    let (new, ..) = data(20, 40, 6);
    let graph = &graphs(&y, &weights)[0].1;
    let gsfa = Gsfa { surplus: Surplus::Residual, ..Gsfa::new(7) };
    let rows = gsfa.solve(&Moments::<f64>::of(&x.view(), graph).unwrap().finish().unwrap()).unwrap();
    let sums = gsfa.solve(&as_sums(&x, graph)).unwrap();
    // The signs of surplus outputs follow their weights, which are those of inputs in both.
    assert_same(&rows, &sums, &new, "residual");
}

#[test]
fn rows_in_pieces_in_any_order_and_as_bytes_are_the_same_rows() {
    let (x, y, weights) = data(20, 33, 7);
    for (name, graph) in graphs(&y, &weights) {
        let whole = Moments::<f64>::of(&x.view(), &graph).unwrap();
        let mut parts = Moments::<f64>::new(&graph, 33);
        for range in [11..20, 0..4, 4..11] {
            let mut part = Moments::<f64>::new(&graph, 33);
            part.add(range.start, x.slice(s![range, ..])).unwrap();
            parts.merge(Moments::from_bytes(&graph, &part.to_bytes().unwrap()).unwrap()).unwrap();
        }
        assert!(parts.clone().merge(whole.clone()).is_err(), "rows twice");
        let bits = |m: &Moments<f64>| Gsfa::new(1).solve(&m.clone().finish().unwrap()).map(|slow| slow.weights);
        assert_eq!(bits(&parts).unwrap(), bits(&whole).unwrap(), "{name}");
        let mut fold = Moments::<f64>::new(&graph, 33);
        fold.add(6, x.slice(s![6..9, ..])).unwrap();
        parts.subtract(fold.clone()).unwrap();
        assert!(matches!(parts.clone().finish(), Err(Error::MissingRows { first_missing: 6, .. })));
        parts.merge(fold).unwrap();
        assert_eq!(bits(&parts).unwrap(), bits(&whole).unwrap(), "{name}");
        let bytes = whole.to_bytes().unwrap();
        for length in (0..bytes.len()).step_by(97) {
            assert!(Moments::<f64>::from_bytes(&graph, &bytes[..length]).is_err());
        }
        assert!(matches!(Moments::<f32>::from_bytes(&graph, &bytes), Err(Error::DifferentMoments { .. })));
    }
}

#[test]
fn what_cannot_be_is_refused_by_rows_as_by_sums() {
    let (mut x, y, weights) = data(10, 14, 8);
    let graph = &graphs(&y, &weights)[0].1;
    x[[7, 3]] = f64::NAN;
    let error = Moments::<f64>::of(&x.view(), graph).unwrap_err();
    assert!(matches!(error, Error::NonFiniteSample { row: 7, column: 3, total: 1 }), "{error}");
    let constant = Array2::from_elem((10, 14), 3.0);
    let moments = Moments::<f64>::of(&constant.view(), graph).unwrap().finish().unwrap();
    assert!(matches!(Gsfa::new(1).solve(&moments), Err(Error::NoVariance { inputs: 14 })));
    assert!(matches!(Gsfa { ridge: 0.1, ..Gsfa::new(1) }.solve(&moments), Err(Error::NoVariance { inputs: 14 })));
}

#[test]
fn a_singular_value_decomposition_keeps_the_digits_that_squares_lose() {
    // The label is in a direction with 1e-8 of the deviation of another.
    let (samples, mut rng) = (200, Xoshiro256PlusPlus::seed_from_u64(9));
    let mut uniform = || rng.random_range(-1.0..1.0);
    let y: Vec<f64> = (0..samples).map(|_| uniform()).collect();
    let large: Vec<f64> = (0..samples).map(|_| uniform()).collect();
    let x = Array2::from_shape_fn((samples, 2), |(n, j)| large[n] + if j == 0 { 1e-8 * y[n] } else { -1e-8 * y[n] });
    let labels = Labels::none(samples).and_numbers("y", y.clone()).unwrap();
    let graph = Ell { targets: Some(1), ..Ell::default() }.build(&GraphInput::new(&labels)).unwrap();
    let feature = |solver| {
        let slow = Gsfa { solver, ..Gsfa::new(1) }.fit(&x.view(), &graph).unwrap();
        let y1 = slow.apply(x.view()).unwrap().column(0).to_owned();
        let mean = y.iter().sum::<f64>() / samples as f64;
        let deviation = (y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / samples as f64).sqrt();
        y1.iter().zip(&y).map(|(f, y)| (f - (y - mean) / deviation).abs()).fold(0.0, f64::max)
    };
    assert!(feature(Solver::Svd) < 1e-6, "{}", feature(Solver::Svd));
    assert!(feature(Solver::Covariance) > 1e-3, "{}", feature(Solver::Covariance));
}
