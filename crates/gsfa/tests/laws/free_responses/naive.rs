//! The naive solver, and what every set of free responses must satisfy.

use gsfa::graph::{FreeResponseOptions, FreeResponses, TrainingGraph};

/// All μ of a graph but that of the constant, ascending, by Jacobi rotations on the full matrix.
pub fn naive_mus(graph: &TrainingGraph) -> Vec<f64> {
    let n = graph.len();
    let v = graph.vertex_weights();
    let mut a = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            if i != j {
                let w = graph.edge_weight(i, j);
                a[i][j] -= w / (v[i] * v[j]).sqrt();
                a[i][i] += w / v[i];
            }
        }
    }
    let lift = 10.0 + 2.0 * n as f64 * a.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    for i in 0..n {
        for j in 0..n {
            a[i][j] += lift * (v[i] * v[j]).sqrt() / graph.q();
        }
    }
    for _ in 0..60 {
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
                let (s, c) = angle.sin_cos();
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (above, below) = a.split_at_mut(q);
                for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
            }
        }
    }
    let mut mus: Vec<f64> = (0..n).map(|i| a[i][i]).collect();
    mus.sort_by(f64::total_cmp);
    mus.pop();
    mus
}

/// Weighted mean 0, unit variance, no correlation, Δ by its definition, and eigenvectors: with the right values this
/// makes the spans right too, equal values or not.
pub fn assert_feasible(graph: &TrainingGraph, free: &FreeResponses, tolerance: f64, name: &str) {
    let (v, q, r) = (graph.vertex_weights(), graph.q(), graph.r());
    let columns: Vec<Vec<f64>> = free.responses.columns().into_iter().map(|c| c.to_vec()).collect();
    for (j, y) in columns.iter().enumerate() {
        let mean: f64 = y.iter().zip(v).map(|(y, v)| v * y).sum::<f64>() / q;
        assert!(mean.abs() < tolerance, "{name}: mean {mean:e} of response {j}");
        for (i, x) in columns[..=j].iter().enumerate() {
            let moment: f64 = (0..v.len()).map(|n| v[n] * x[n] * y[n]).sum::<f64>() / q;
            let expected = f64::from(u8::from(i == j));
            assert!((moment - expected).abs() < tolerance, "{name}: moment {moment:e} of responses {i} and {j}");
        }
        let gamma_y = graph.multiply(y);
        let difference: f64 = (0..v.len()).map(|n| y[n] * (graph.degrees()[n] * y[n] - gamma_y[n])).sum();
        let delta = 2.0 * difference / r;
        let size = 1.0 + free.delta_values[j].abs();
        assert!((delta - free.delta_values[j]).abs() < tolerance * size, "{name}: Δ {delta} {}", free.delta_values[j]);
        let lambda = r / q - free.delta_values[j] * r / (2.0 * q);
        assert!((lambda - free.eigenvalues[j]).abs() < tolerance * (1.0 + r / q) * size, "{name}");
    }
    assert!(free.residual < tolerance, "{name}: residual {:e} by {:?}", free.residual, free.method);
    assert!(free.delta_values.windows(2).all(|w| w[0] <= w[1]), "{name}: {:?}", free.delta_values);
}

pub fn assert_solved(graph: &TrainingGraph, count: usize, name: &str) -> FreeResponses {
    let options = FreeResponseOptions::default();
    assert_solved_with(graph, count, &options, 1e-11, name)
}

pub fn assert_solved_with(
    graph: &TrainingGraph,
    count: usize,
    options: &FreeResponseOptions,
    tolerance: f64,
    name: &str,
) -> FreeResponses {
    let name = format!("{name}, N = {}, J = {count}", graph.len());
    let free = graph.free_responses_with(count, options).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(free.responses.dim(), (graph.len(), count), "{name}");
    let naive = naive_mus(graph);
    let scale = naive.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for (j, delta) in free.delta_values.iter().enumerate() {
        let mu = delta * graph.r() / (2.0 * graph.q());
        assert!(
            (mu - naive[j]).abs() < tolerance * scale,
            "{name}: μ{j} = {mu}, naively {} by {:?}",
            naive[j],
            free.method
        );
    }
    assert_feasible(graph, &free, tolerance * 10.0 * (1.0 + graph.q() / graph.r() * scale), &name);
    free
}

pub fn counts(n: usize) -> Vec<usize> {
    let mut counts = vec![1, 2, n / 5, n / 2, n - 1];
    counts.retain(|&c| c >= 1 && c < n);
    counts.sort_unstable();
    counts.dedup();
    counts
}
