//! Sample weights at the edge: one sample that outweighs all others, and weights of any magnitude.

use crate::solve_support::*;
use gsfa::graph::{Chain, Clustered, Compact, Ell, GraphInput, GraphSpec, Grouping, Reordering, Serial, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::moments::Moments;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec};
use gsfa::{Gsfa, Surplus};
use ndarray::{Array2, Axis, concatenate, s};

/// Five independent columns and their sum with random signs.
fn dependent(n: usize, seed: u64) -> Array2<f64> {
    let x = samples(n, 5, seed);
    concatenate(Axis(1), &[x.view(), x.dot(&noise(5, 1, seed + 7)).view()]).unwrap()
}

fn weighted(n: usize, heavy: usize, weight: f64) -> Vec<f64> {
    (0..n).map(|i| if i == heavy { weight } else { 1.0 }).collect()
}

#[test]
fn rank_is_right_where_one_sample_outweighs_all_others() {
    let n = 20;
    for weight in [1e3, 1e4, 1e6, 1e9] {
        let wrong = (0..300).filter(|&k| {
            let x = dependent(n, 1000 + 10 * k as u64);
            let graph = clustered(&weighted(n, k % n, weight), contiguous(n, 3));
            Gsfa { surplus: Surplus::Fast, ..Gsfa::new(1) }.fit(&x.view(), &graph).unwrap().rank != 5
        });
        assert_eq!(wrong.count(), 0, "weight {weight:e}");
    }
}

#[test]
fn rank_is_right_where_the_heavy_sample_comes_late_or_in_another_part() {
    let n = 1600;
    for (weight, heavy) in [(1e7, 0), (1e7, 511), (1e7, 700), (1e9, 1599), (1e12, 1300)] {
        let x = dependent(n, 31);
        let graph = clustered(&weighted(n, heavy, weight), contiguous(n, 3));
        let solve = |moments: Moments<f64>| {
            let slow = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(1) }.solve(&moments.finish().unwrap()).unwrap();
            (slow.rank, slow.delta_values[0])
        };
        let (rank, delta) = solve(Moments::of(&x.view(), &graph).unwrap());
        assert_eq!(rank, 5, "{weight:e} at {heavy}");
        let part = |from: usize, to: usize| {
            let mut part = Moments::<f64>::new(&graph, 6);
            part.add(from, x.slice(s![from..to, ..])).unwrap();
            part
        };
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut sum = Moments::new(&graph, 6);
            for k in order {
                sum.merge(part([0, 400, 900][k], [400, 900, n][k])).unwrap();
            }
            let merged = solve(sum);
            assert_eq!(merged.0, 5, "{weight:e} at {heavy}, {order:?}");
            assert!((merged.1 - delta).abs() < 1e-9 * delta.abs().max(1.0), "{merged:?}, {delta}");
        }
    }
}

#[test]
fn chunks_keep_the_bits_of_the_whole_where_sums_move_to_a_heavier_sample() {
    let (n, dim) = (1700, 4);
    let x = samples(n, dim, 33);
    // Heavier and heavier: sums move twice.
    let v: Vec<f64> = (0..n).map(|i| [1.0, 1e5, 1e11][usize::from(i == 800) + 2 * usize::from(i == 1400)]).collect();
    let graph = clustered(&v, contiguous(n, 4));
    let whole = Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap();
    for chunk in [1, 100, 512, 513, 1699] {
        let mut sum = Moments::<f64>::new(&graph, dim);
        for from in (0..n).step_by(chunk) {
            sum.add(from, x.slice(s![from..(from + chunk).min(n), ..])).unwrap();
            if from == 5 * chunk {
                sum = Moments::from_bytes(&graph, &sum.to_bytes().unwrap()).unwrap();
            }
        }
        let sum = sum.finish().unwrap();
        assert!(sum.covariance() == whole.covariance() && sum.mean() == whole.mean(), "{chunk}");
        assert!(sum.derivative_covariance() == whole.derivative_covariance(), "{chunk}");
    }
}

fn specs() -> Vec<GraphSpec> {
    vec![
        Ell { targets: Some(2), labels: vec!["y".into()], ..Ell::default() }.into(),
        Clustered { label: Some("c".into()), ..Clustered::default() }.into(),
        Serial { groups: 5, label: Some("y".into()) }.into(),
        Compact { label: Some("c".into()), ..Compact::default() }.into(),
        Chain::default().into(),
        Reordering { label: Some("y".into()), ..Reordering::default() }.into(),
    ]
}

fn labels(n: usize) -> Labels {
    let values = (0..n).map(|i| (i * 37 % n) as f64 + 0.25).collect();
    Labels::numbers("y", values).and_classes("c", (0..n).map(|i| format!("c{}", i * 37 % n * 4 / n))).unwrap()
}

fn build(spec: &GraphSpec, labels: &Labels, weights: Vec<f64>) -> TrainingGraph {
    let input = GraphInput::new(labels).with_weights(SampleWeights::new(weights).unwrap()).unwrap();
    spec.build(&input).unwrap_or_else(|error| panic!("{spec:?}: {error}"))
}

#[test]
fn equal_weights_of_any_magnitude_are_weights_of_one() {
    let n = 60;
    let labels = labels(n);
    let x = samples(n, 4, 34);
    for spec in specs() {
        let one = build(&spec, &labels, vec![1.0; n]);
        let slow = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(2) }.fit(&x.view(), &one).unwrap();
        for weight in [1e-320, 1e-300, 1e-160, 1e-20, 1e20, 1e160, 1e300] {
            let graph = build(&spec, &labels, vec![weight; n]);
            let found = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(2) }.fit(&x.view(), &graph).unwrap();
            for (a, b) in found.delta_values.iter().zip(&slow.delta_values) {
                assert!((a - b).abs() < 1e-10, "{spec:?}, {weight:e}: {a} and {b}");
            }
            let single = x.mapv(|x| x as f32);
            let found = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(2) }.fit(&single.view(), &graph).unwrap();
            for (a, b) in found.delta_values.iter().zip(&slow.delta_values) {
                assert!((a - b).abs() < 1e-4, "{spec:?}, {weight:e} in single precision: {a} and {b}");
            }
            let (a, b) = (graph.free_responses(3).unwrap(), one.free_responses(3).unwrap());
            for (a, b) in a.delta_values.iter().zip(&b.delta_values) {
                assert!((a - b).abs() < 1e-10, "{spec:?}, {weight:e}: free {a} and {b}");
            }
        }
    }
}

#[test]
fn ordinary_weights_stay_as_they_are() {
    for weights in [vec![1.0, 2.5, 1e-9], vec![1e-11, 3e-12], vec![1e11, 1e-5]] {
        assert_eq!(SampleWeights::new(weights.clone()).unwrap().as_slice(), weights);
    }
    // A power of two, so that ratios keep all digits; nothing becomes 0.
    let extreme = SampleWeights::new(vec![3e200, 1e200, 5e-324]).unwrap();
    let w = extreme.as_slice();
    assert_eq!(w[0] / w[1], 3e200 / 1e200);
    assert!(w[2] > 0.0 && w[0] <= 2.0 && w[0] >= 0.5, "{w:?}");
}

#[test]
fn weights_over_six_hundred_orders_of_magnitude_work() {
    let n = 60;
    let labels = labels(n);
    let x = samples(n, 4, 35);
    for seed in 0..10_u64 {
        let exponent = |i: usize| ((i as u64 * 7919 + seed * 104_729) % 601) as i32 - 300;
        let weights: Vec<f64> = (0..n).map(|i| 10_f64.powi(exponent(i))).collect();
        for spec in specs() {
            let graph = build(&spec, &labels, weights.clone());
            let slow = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(1) }.fit(&x.view(), &graph).unwrap();
            assert!(slow.delta_values[0].is_finite() && slow.rank >= 1, "{spec:?}");
            assert!(slow.weights.iter().all(|w| w.is_finite()), "{spec:?}");
            // What the solver says is what the definition says of its features.
            let y = slow.apply(x.view()).unwrap();
            let delta = graph.delta_values(y.view()).unwrap()[0];
            assert!((delta - slow.delta_values[0]).abs() < 1e-5 * delta.abs().max(1.0), "{spec:?}: {delta} {slow:?}");
            let layer = LayerSpec { standardize: true, ..LayerSpec::new(1) };
            let spec = NetworkSpec::new(InputShape::vector(4), vec![layer]);
            let trained = spec.fit(&x.view(), &graph).unwrap();
            assert!(trained.features.iter().all(|y| y.is_finite()));
            // Features faster than noise are none.
            assert!(slow.delta_values[0] > 1.999 || trained.features.iter().any(|y| *y != 0.0));
        }
    }
}

#[test]
fn grouped_weights_that_differ_keep_their_mean() {
    // The shift is the weighted mean: a heavy sample is at 0 in the frame and its square is lost to nobody.
    let n = 40;
    let x = samples(n, 3, 36).mapv(|x| x + 1e6);
    let graph = clustered(&weighted(n, 17, 1e14), Grouping::new((0..n).map(|i| (i % 3) as u32).collect(), 3).unwrap());
    let moments = Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap();
    for (i, mean) in moments.mean().iter().enumerate() {
        assert!((mean - x[[17, i]]).abs() < 1e-9, "{mean} {}", x[[17, i]]);
    }
    // Σ (x − x₁₇)² / Q of the others.
    for (i, variance) in moments.covariance().diag().iter().enumerate() {
        let others: f64 = x.column(i).iter().map(|a| (a - x[[17, i]]).powi(2)).sum::<f64>() / graph.q();
        assert!((variance / others - 1.0).abs() < 1e-8, "{variance:e} {others:e}");
    }
}
