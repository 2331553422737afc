//! Slow features of every kind of graph against the dense definition of the problem.

use crate::support::Draws;
use crate::support::cases::{dense, every_case, variant};
use gsfa::moments::Moments;
use gsfa::{Error, Gsfa, Surplus};
use ndarray::Array2;

/// The largest magnitude of an array.
fn size(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m, x| m.max(x.abs()))
}

#[test]
fn moments_of_every_graph_are_the_covariances_of_the_definition() {
    every_case(|name, spec, data, graph| {
        let dense = dense(spec, data, &graph);
        let n = graph.len();
        let mut draws = Draws::new(n as u64);
        let x = Array2::from_shape_fn((n, 4), |(i, j)| draws.normal() + (i * j) as f64 / n as f64 + 5.0);
        let moments = Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap();
        let (c, dot_c) = (dense.covariance(x.view()), dense.derivative_covariance(x.view()));
        let bound = 1e-11 * (n as f64).sqrt();
        assert!(size(&(moments.covariance() - &c)) <= bound * size(&c), "{name}");
        let scale = size(&dot_c) + size(&c) * dense.edge_weights.mapv(f64::abs).sum() / dense.r();
        assert!(size(&(moments.derivative_covariance() - &dot_c)) <= bound * scale, "{name}");
    });
}

#[test]
fn features_of_every_graph_minimise_the_definition_under_its_constraints() {
    let mut seen = [0; 11];
    every_case(|name, spec, data, graph| {
        let dense = dense(spec, data, &graph);
        let n = graph.len();
        for inputs in [1, 3].into_iter().filter(|&inputs| inputs < n) {
            let mut draws = Draws::new((n + inputs) as u64);
            let x = Array2::from_shape_fn((n, inputs), |(i, j)| draws.normal() + (i * (j + 1)) as f64 / n as f64);
            let all = Gsfa { surplus: Surplus::Fast, ..Gsfa::new(inputs) };
            let slow = match all.fit(&x.view(), &graph) {
                Ok(slow) => slow,
                Err(Error::TooFewDirections { .. }) => continue,
                Err(error) => panic!("{name}: {error}"),
            };
            let y = slow.apply(x.view()).unwrap();
            let (c, dot_c) = (dense.covariance(x.view()), dense.derivative_covariance(x.view()));
            let magnitude = 1.0 + dense.edge_weights.mapv(f64::abs).sum() / dense.r();
            let bound = 1e-8 * magnitude;
            let mut last = f64::NEG_INFINITY;
            for j in 0..inputs {
                let feature = y.column(j);
                let mean = dense.vertex_weights.dot(&feature) / dense.q();
                assert!(mean.abs() < bound, "{name}: mean {mean}");
                for k in 0..=j {
                    let product = (&dense.vertex_weights * &feature).dot(&y.column(k)) / dense.q();
                    let expected = if j == k { 1.0 } else { 0.0 };
                    assert!((product - expected).abs() < bound, "{name}: features {j} and {k}: {product}");
                }
                let delta = dense.delta(feature);
                assert!(
                    (slow.delta_values[j] - delta).abs() < bound,
                    "{name}: {} is not {delta}",
                    slow.delta_values[j]
                );
                assert!(delta > last - bound, "{name}: delta {delta} after {last}");
                last = delta;
                // Ċw = Δ C w: a critical point of the problem, and all of them are here.
                let w = slow.weights.column(j);
                let residual = dot_c.dot(&w) - c.dot(&w) * delta;
                let scale = (size(&dot_c) + size(&c)) * w.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                assert!(residual.iter().all(|r| r.abs() < bound * scale), "{name}: residual {residual}");
            }
            seen[variant(spec)] += 1;
        }
    });
    assert!(seen.iter().all(|&count| count >= 8), "{seen:?}");
}
