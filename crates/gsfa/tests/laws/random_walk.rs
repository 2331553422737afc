//! The probabilistic interpretation: walks on graphs, and SFA on them.

use crate::support::Draws;
use gsfa::Error;
use gsfa::graph::*;
use gsfa::labels::{Labels, SampleWeights};

fn graphs() -> Vec<TrainingGraph> {
    let n = 12;
    let mut draws = Draws::new(1);
    let labels = Labels::numbers("y", (0..n).map(|i| ((i * 7) % n / 2) as f64).collect());
    let ell: GraphSpec = Ell { targets: Some(2), ..Ell::default() }.into();
    let serial: GraphSpec = Serial { groups: 4, label: None }.into();
    let specs: Vec<GraphSpec> = vec![
        Mixed { groups: 4, label: None }.into(),
        Reordering::default().into(),
        SlidingWindow { half_width: 3, shape: WindowShape::Triangle, label: None }.into(),
        ell.clone(),
        Edges {
            edges: (0..n).flat_map(|i| [(i, (i + 1) % n, 1.0 + i as f64), (i, (i + 3) % n, 0.5)]).collect(),
            vertex_weights: VertexWeights::Degrees,
        }
        .into(),
        Sum { graphs: vec![Summand { share: 1.0, graph: serial }, Summand { share: 2.0, graph: ell }] }.into(),
    ];
    let weights = SampleWeights::new(draws.weights(n)).unwrap();
    let input = GraphInput::new(&labels).with_weights(weights).unwrap();
    specs.iter().map(|spec| spec.build(&input).unwrap().without_negative_edges().unwrap()).collect()
}

#[test]
fn a_walk_takes_edges_in_proportion_to_their_weights() {
    for graph in graphs() {
        let n = graph.len();
        let steps = 150_000;
        let mut counts = vec![0.0; n * n];
        let walk: Vec<usize> = graph.random_walk(5).unwrap().take(steps + 1).collect();
        walk.windows(2).for_each(|w| counts[w[0] * n + w[1]] += 1.0);
        for i in 0..n {
            let transitions = graph.transition_probabilities(i).unwrap();
            assert!((transitions.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            for j in 0..n {
                // Edges that cancelled are −1e-17 here and nothing in the walk.
                let joint = graph.edge_weight(i, j).max(0.0) / graph.r();
                assert!((transitions[j] * graph.degrees()[i] / graph.r() - joint).abs() < 1e-12);
                // Steps of a walk are correlated: a wide bound, but one that a wrong part or share would exceed.
                let error = (joint * (1.0 - joint) / steps as f64).sqrt();
                let found = counts[i * n + j] / steps as f64;
                assert!((found - joint).abs() < 8.0 * error + 1e-4, "{i} to {j}: {found}, expected {joint} ± {error}");
            }
        }
    }
}

#[test]
fn sfa_on_a_long_walk_finds_the_free_responses_of_the_graph() {
    for graph in graphs().into_iter().filter(|g| g.consistency().holds) {
        let n = graph.len();
        let steps = 400_000;
        let walk: Vec<usize> = graph.random_walk(9).unwrap().take(steps + 1).collect();
        // SFA over time with one indicator input per vertex: an unlimited feature space. Visits are the covariance,
        // steps the edges; that is the graph of the walk's transitions.
        let edges = walk.windows(2).map(|w| (w[0], w[1], 1.0)).collect();
        let counted = Edges { edges, vertex_weights: VertexWeights::Degrees };
        let labels = Labels::none(n);
        let sampled = counted.build(&GraphInput::new(&labels)).unwrap();
        let (expected, found) = (graph.free_responses(4).unwrap(), sampled.free_responses(4).unwrap());
        for j in 0..4 {
            let difference = (expected.delta_values[j] - found.delta_values[j]).abs();
            assert!(difference < 0.03, "delta {j}: {} and {}", expected.delta_values[j], found.delta_values[j]);
        }
        let gap = expected.delta_values[1] - expected.delta_values[0];
        if gap > 0.1 {
            let v = graph.vertex_weights();
            let product: f64 =
                (0..n).map(|i| v[i] / graph.q() * expected.responses[[i, 0]] * found.responses[[i, 0]]).sum();
            assert!(product.abs() > 0.99, "the first responses have correlation {product}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_walk() {
    for graph in graphs() {
        let walk = |seed| graph.random_walk(seed).unwrap().take(50).collect::<Vec<_>>();
        assert_eq!(walk(3), walk(3));
        assert_ne!(walk(3), walk(4));
    }
}

#[test]
fn negative_and_disconnected_graphs_have_no_walk() {
    let labels = Labels::numbers("y", (0..8).map(|i| i as f64).collect());
    let ell = Ell::default().build(&GraphInput::new(&labels)).unwrap();
    let error = ell.random_walk(0).unwrap_err();
    assert!(matches!(error, Error::NegativeEdge { from: 0, to: 7, .. }), "{error}");
    assert!(error.hint().unwrap().contains("without_negative_edges"));
    assert!(matches!(ell.transition_probabilities(0), Err(Error::NegativeEdge { .. })));
    // Whichever vertex with a negative edge is asked for, the smallest edge is the smallest of all.
    let of_graph = ell.smallest_edge();
    for vertex in [0, 1, 6, 7] {
        let error = ell.transition_probabilities(vertex).unwrap_err();
        let Error::NegativeEdge { smallest, from, to, .. } = error else { panic!("{error}") };
        assert_eq!((smallest, (from, to)), (of_graph.weight, of_graph.vertices));
    }
    assert!(matches!(ell.transition_probabilities(8), Err(Error::Parameter { .. })));
    let classes = Labels::classes("c", ["a", "a", "b", "b"]);
    let clustered = Clustered::default().build(&GraphInput::new(&classes)).unwrap();
    let error = clustered.random_walk(0).unwrap_err();
    assert_eq!(error.to_string(), "the graph has 2 connected components; a random walk needs a connected one");
}
