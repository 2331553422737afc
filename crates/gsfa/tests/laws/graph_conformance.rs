//! Every structured graph against its dense definition, with one function; and proof that the function has teeth.

use crate::support::Draws;
use crate::support::cases::{Data, dense, every_case, specs, variant};
use gsfa::graph::reference::{self, DenseGraph};
use gsfa::graph::{Coupling, EdgeTerm, GraphSpec, Grouping, Sparse, TrainingGraph};
use gsfa::labels::Labels;
use ndarray::Array2;
use proptest::prelude::*;

/// Everything a structured graph says about itself, compared with the dense one.
fn conforms(graph: &TrainingGraph, dense: &DenseGraph, seed: u64) -> Result<(), String> {
    let n = graph.len();
    let tolerance = 1e-11 * (n as f64).sqrt();
    let check = |what: &str, a: f64, b: f64, scale: f64| {
        if (a - b).abs() <= tolerance * scale { Ok(()) } else { Err(format!("{what}: {a} is not {b}")) }
    };
    let largest = dense.edge_weights.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
    let (q, r) = (dense.q(), dense.r());
    check("Q", graph.q(), q, q)?;
    check("R", graph.r(), r, r)?;
    for i in 0..n {
        check("v", graph.vertex_weights()[i], dense.vertex_weights[i], q)?;
        check("degree", graph.degrees()[i], dense.degrees()[i], largest * n as f64)?;
        for j in 0..n {
            check("edge", graph.edge_weight(i, j), dense.edge_weights[[i, j]], largest)?;
        }
    }
    check_listed(graph, dense, tolerance * largest)?;
    check("consistency", graph.consistency().violation(), dense.consistency_violation(), 1.0)?;
    let c_scale = dense
        .edge_weights
        .indexed_iter()
        .fold(0.0_f64, |m, ((i, j), g)| m.max(g.abs() / (dense.vertex_weights[i] * dense.vertex_weights[j])));
    check("c", graph.negative_excess(), dense.negative_excess(), c_scale)?;
    let negligible = tolerance * largest;
    check("smallest edge", graph.smallest_edge().weight, dense.smallest_edge(negligible), largest)?;
    let (i, j) = graph.smallest_edge().vertices;
    check("place of the smallest edge", graph.smallest_edge().weight, dense.edge_weights[[i, j]], largest)?;
    check("noise", graph.expected_noise_delta(), dense.expected_noise_delta(), 2.0)?;
    if graph.components().count != dense.components(negligible) {
        return Err(format!("components: {} is not {}", graph.components().count, dense.components(negligible)));
    }
    let mut draws = Draws::new(seed);
    let features = Array2::from_shape_fn((n, 3), |_| draws.normal());
    let scale = 1.0 + largest * (n * n) as f64 / r;
    for (delta, y) in graph.delta_values(features.view()).map_err(|e| e.to_string())?.iter().zip(features.columns()) {
        check("delta", *delta, dense.delta(dense.normalized(y).view()), scale)?;
    }
    let positive = graph.without_negative_edges().map_err(|e| e.to_string())?;
    let dense_positive = dense.without_negative_edges();
    for i in 0..n {
        for j in 0..n {
            check("non-negative edge", positive.edge_weight(i, j), dense_positive.edge_weights[[i, j]], largest)?;
        }
    }
    check_free_responses(graph, dense, scale, tolerance)
}

/// Γ as a list and as a matrix: the same, without what cancelled, and that of the definition.
fn check_listed(graph: &TrainingGraph, dense: &DenseGraph, negligible: f64) -> Result<(), String> {
    let everyone: Vec<usize> = (0..graph.len()).rev().collect();
    let matrix = graph.edge_matrix(&everyone).map_err(|e| e.to_string())?;
    let list = graph.edge_list().map_err(|e| e.to_string())?;
    for (i, &n) in everyone.iter().enumerate() {
        let row: Vec<(usize, f64)> = list.row(n).collect();
        if !row.is_sorted_by(|a, b| a.0 < b.0) || row.iter().any(|(_, w)| *w == 0.0) {
            return Err(format!("row {n} of the list: {row:?}"));
        }
        for (j, &m) in everyone.iter().enumerate() {
            let listed = row.iter().find(|(at, _)| *at == m).map_or(0.0, |(_, w)| *w);
            if listed != matrix[[i, j]] || (listed - dense.edge_weights[[n, m]]).abs() > negligible {
                return Err(format!("edge {n}, {m}: listed {listed}, in the matrix {}", matrix[[i, j]]));
            }
        }
    }
    Ok(())
}

fn check_free_responses(graph: &TrainingGraph, dense: &DenseGraph, scale: f64, tolerance: f64) -> Result<(), String> {
    let n = graph.len();
    let (q, r) = (dense.q(), dense.r());
    let found = graph.free_responses(n - 1).map_err(|e| e.to_string())?;
    let (deltas, _) = dense.free_responses().map_err(|e| e.to_string())?;
    let v = &dense.vertex_weights;
    let degrees = dense.degrees();
    let deviation = |what: &str, j: usize, size: f64, bound: f64| {
        if size <= bound {
            Ok(())
        } else {
            Err(format!("{what} of free response {j}: off by {size:e}, bound {bound:e}"))
        }
    };
    let wide = 1e3 * tolerance * scale;
    for (j, expected) in deltas.iter().enumerate() {
        deviation("delta", j, (found.delta_values[j] - expected).abs(), wide)?;
        let y = found.responses.column(j);
        for k in 0..=j {
            let product = (v * &y).dot(&found.responses.column(k)) / q - f64::from(u8::from(j == k));
            deviation("normalisation", j, product.abs(), wide)?;
        }
        deviation("mean", j, (v.dot(&y) / q).abs(), wide)?;
        // The defining equation, first order in the error of y: equal Δ need no comparison of subspaces.
        let mu = found.delta_values[j] * r / (2.0 * q);
        let residual = &degrees * &y - dense.edge_weights.dot(&y) - mu * &(v * &y);
        let worst = residual.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        deviation("residual", j, worst, wide * (r / q) * v.iter().fold(0.0_f64, |m, v| m.max(*v)) * (n as f64).sqrt())?;
    }
    Ok(())
}

#[test]
fn every_graph_conforms_to_its_dense_definition() {
    let mut seen = [0; 11];
    every_case(|name, spec, data, graph| {
        let dense = dense(spec, data, &graph);
        if let Err(problem) = conforms(&graph, &dense, 7) {
            panic!("{name}: {problem}");
        }
        seen[variant(spec)] += 1;
    });
    assert!(seen.iter().all(|&count| count >= 8), "{seen:?}");
}

/// Responses with weighted mean 0 and variance 1, each without what earlier ones explain, twice for the digits.
fn orthonormal(responses: &Array2<f64>, v: &[f64]) -> Array2<f64> {
    let v = ndarray::Array1::from(v.to_vec());
    let q = v.sum();
    let mut out = responses.clone();
    for j in 0..out.ncols() {
        for _ in 0..2 {
            let mut y = out.column(j).to_owned();
            let mean = v.dot(&y) / q;
            y -= mean;
            for k in 0..j {
                let earlier = out.column(k).to_owned();
                let shared = (&v * &y).dot(&earlier) / q;
                y.scaled_add(-shared, &earlier);
            }
            let deviation = ((&v * &y).dot(&y) / q).sqrt();
            out.column_mut(j).assign(&(y / deviation));
        }
    }
    out
}

#[test]
fn a_graph_from_responses_conforms_to_its_dense_definition() {
    for (n, count) in [(2, 1), (3, 1), (3, 2), (5, 3), (9, 8), (14, 3), (30, 29)] {
        for weighted in [false, true] {
            let mut draws = Draws::new(n as u64);
            let v = if weighted { draws.weights(n) } else { vec![1.0; n] };
            let mut responses = Array2::from_shape_fn((n, count), |_| 10.0 + draws.normal());
            if n == 14 {
                // Vertices that are asked to respond alike.
                (0..n).for_each(|k| responses.row_mut(k).assign(&ndarray::Array1::from_elem(count, (k / 3) as f64)));
                (0..n).for_each(|k| (1..count).for_each(|j| responses[[k, j]] = ((k / 3 * (j + 1)) % 5) as f64));
            }
            // In no order, some faster than noise and some slower than a constant.
            let deltas: Vec<f64> = (0..count).map(|_| draws.uniform(-0.5, 3.0)).collect();
            let graph = TrainingGraph::from_responses(responses.view(), &deltas, v.clone()).unwrap();
            let lambda: Vec<f64> = deltas.iter().map(|delta| 1.0 - delta / 2.0).collect();
            let dense = reference::ell(orthonormal(&responses, &v).view(), &v, 1.0, &lambda);
            conforms(&graph, &dense, 5).unwrap_or_else(|problem| panic!("{n} vertices, {count} responses: {problem}"));
            assert!(graph.consistency().holds && (graph.r() - graph.q()).abs() < 1e-12 * graph.q());
            let mut expected = deltas;
            expected.resize(n - 1, 2.0);
            expected.sort_by(f64::total_cmp);
            let found = graph.free_responses(n - 1).unwrap().delta_values;
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-11), "{found:?}, {expected:?}");
        }
    }
}

#[test]
fn a_consistent_graph_is_that_of_its_own_free_responses() {
    let mut tried = 0;
    every_case(|name, _, _, graph| {
        if !graph.consistency().holds {
            return;
        }
        let free = graph.free_responses(graph.len() - 1).unwrap();
        let again =
            TrainingGraph::from_responses(free.responses.view(), &free.delta_values, graph.vertex_weights().to_vec());
        let (again, factor) = (again.unwrap(), graph.r() / graph.q());
        let largest = (0..graph.len()).fold(0.0_f64, |m, n| m.max(graph.edge_weight(n, n).abs())).max(graph.r());
        for n in 0..graph.len() {
            for m in 0..graph.len() {
                let difference = factor * again.edge_weight(n, m) - graph.edge_weight(n, m);
                assert!(difference.abs() < 1e-9 * largest, "{name}: edge {n}, {m} off by {difference:e}");
            }
        }
        tried += 1;
    });
    assert!(tried > 150, "{tried}");
}

#[test]
fn an_edge_weight_changed_by_a_millionth_is_noticed() {
    let mut tried = 0;
    every_case(|name, spec, data, graph| {
        let n = graph.len();
        let dense = dense(spec, data, &graph);
        // The heaviest edge, found deterministically.
        let ((i, j), weight) = dense
            .edge_weights
            .indexed_iter()
            .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
            .map(|(at, w)| (at, *w))
            .unwrap();
        let (i, j) = (i as u32, j as u32);
        let mut entries = vec![(i, j, 1e-6 * weight)];
        entries.extend((i != j).then_some((j, i, 1e-6 * weight)));
        let mut terms = graph.terms().to_vec();
        terms.push(EdgeTerm {
            grouping: Grouping::singletons(n),
            shares: vec![1.0; n],
            coupling: Coupling::Sparse(Sparse::from_entries(n, entries).unwrap()),
            loops: None,
        });
        let changed = TrainingGraph::new(graph.vertex_weights().to_vec(), terms, graph.uniform()).unwrap();
        assert!(conforms(&changed, &dense, 7).is_err(), "{name}");
        tried += 1;
    });
    assert!(tried > 300, "{tried}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn graphs_of_small_integer_labels_conform(
        label in prop::collection::vec(0_u8..4, 2..9),
        weights in prop::collection::vec(0.1..5.0_f64, 9),
        vectors in prop::collection::vec(-2_i8..3, 27),
        pick in 0_usize..64,
    ) {
        let n = label.len();
        // At most three samples share a value, so that all orders of ties can be listed.
        let values: Vec<f64> = (0..n).map(|i| f64::from(label[i]) + (i / 3) as f64 * 4.0).collect();
        let labels = Labels::numbers("y", values)
            .and_numbers("z", (0..n).map(|i| f64::from(vectors[i])).collect())
            .and_then(|l| l.and_classes("class", label.iter().map(u8::to_string)))
            .and_then(|l| l.and_numbers("sequence", (0..n).map(|i| (i / 5) as f64).collect()))
            .unwrap();
        let vectors = Array2::from_shape_fn((n, 3), |(i, j)| f64::from(vectors[3 * i + j]));
        let data = Data { labels, weights: weights[..n].to_vec(), vectors };
        let specs = specs(n);
        let spec = &specs[pick % specs.len()];
        // Constant labels, single classes and the like are refused; what is built conforms.
        if let Ok(graph) = spec.build(&data.input()) {
            let problem = conforms(&graph, &dense(spec, &data, &graph), 3);
            prop_assert!(problem.is_ok(), "{spec:?}: {problem:?}");
        }
    }
}

#[test]
fn every_specification_survives_toml_and_json() {
    for spec in specs(9) {
        let text = toml::to_string(&spec).unwrap();
        assert_eq!(toml::from_str::<GraphSpec>(&text).unwrap(), spec, "{text}");
        let text = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<GraphSpec>(&text).unwrap(), spec, "{text}");
    }
    let unknown = toml::from_str::<GraphSpec>("kind = 'serial'\ngruops = 3").unwrap_err().to_string();
    assert!(unknown.contains("gruops"), "{unknown}");
}
