//! Where a graph connects what is near, recipes take the samples: in training, and in every part that is left out.

use gsfa::graph::{GraphInput, NearestNeighbors, Sum, Summand};
use gsfa::labels::SampleWeights;
use gsfa::recipe::{NetworkChoice, NetworkKind, TrainedModel};
use gsfa::samples::Samples;
use gsfa::{Labels, Recipe};
use ndarray::{Array2, Axis};

use crate::support::Draws;

fn normal(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut draws = Draws::new(seed);
    Array2::from_shape_simple_fn((rows, columns), || draws.normal())
}

/// Samples on a curve, and a label that says nothing about where they are.
fn samples(n: usize) -> (Array2<f64>, Labels) {
    let noise = normal(n, 4, 7);
    let at = |k: usize| (k * 7 % n) as f64 / n as f64 * 6.0;
    let x = Array2::from_shape_fn((n, 3), |(k, j)| match j {
        0 => 3.0 * at(k).sin() + 0.1 * noise[[k, 0]],
        1 => 3.0 * at(k).cos() + 0.1 * noise[[k, 1]],
        _ => noise[[k, 2]],
    });
    (x, Labels::numbers("y", (0..n).map(|k| noise[[k, 3]]).collect()))
}

fn recipes() -> Vec<Recipe> {
    let near = || NearestNeighbors::new(3);
    let summand = |share, neighbors| Summand { share, graph: NearestNeighbors::new(neighbors).into() };
    let graphs = [near().into(), Sum { graphs: vec![summand(1.0, 2), summand(2.0, 5)] }.into()];
    let of = |graph, calibrate, kind| Recipe {
        graph: Some(graph),
        calibrate,
        network: NetworkChoice { kind, features: Some(2), ..NetworkChoice::default() },
        ..Recipe::default()
    };
    let all = graphs.into_iter().flat_map(|graph: gsfa::graph::GraphSpec| {
        let linear = of(graph.clone(), false, NetworkKind::Linear);
        [linear, of(graph, true, NetworkKind::Auto)]
    });
    all.collect()
}

/// Everything that a training gives.
fn answer(trained: &TrainedModel, x: &Array2<f64>) -> (Array2<f64>, String, Vec<f64>) {
    let estimates = trained.model.estimate(&x.view()).unwrap().remove(0).1;
    let chosen = serde_json::to_string(&trained.selection).unwrap();
    (trained.features.clone(), chosen, estimates.numbers().unwrap().to_vec())
}

#[test]
fn neighbours_are_those_of_the_samples_also_without_a_fold() {
    let (x, labels) = samples(60);
    let weights = SampleWeights::new((0..60).map(|k| 1.0 + (k % 3) as f64).collect()).unwrap();
    for recipe in recipes() {
        let input = || GraphInput::new(&labels).with_weights(weights.clone()).unwrap();
        let own = recipe.fit(&x, input()).unwrap();
        let given = recipe.fit(&x, input().with_vectors(x.view()).unwrap()).unwrap();
        assert_eq!(answer(&own, &x), answer(&given, &x));
        // Other vectors are taken where they are given.
        let ages = Array2::from_shape_fn((60, 1), |(k, _)| k as f64);
        let other = recipe.fit(&x, input().with_vectors(ages.view()).unwrap()).unwrap();
        assert_ne!(answer(&own, &x).0, answer(&other, &x).0);
    }
}

#[test]
fn samples_are_neighbours_without_numbers_among_the_labels() {
    let (x, _) = samples(40);
    let kinds: Vec<&str> = (0..40).map(|k| if k % 2 == 0 { "even" } else { "odd" }).collect();
    let labels = Labels::classes("kind", &kinds);
    for recipe in recipes() {
        let trained = recipe.fit(&x, &labels).unwrap();
        assert_eq!(trained.features.len_of(Axis(0)), 40);
    }
    let recipe = &recipes()[0];
    assert_eq!(recipe.vectors(&labels, &x).unwrap(), Some(x.clone()));
    assert_eq!(Recipe::default().vectors(&labels, &x).unwrap(), None);
    assert_eq!(Samples::len(&x), 40);
}
