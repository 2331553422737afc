//! The dense definitions: every graph as plain N×N edge weights, every quantity as the paper writes it.
//!
//! This is what the structured forms are tested against, and a place to read the method. It costs $O(N^2)$ to $O(N^3)$
//! and is meant for small N; nothing else in the crate uses it.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};

use crate::Result;
use crate::linalg::symmetric_eigen;

/// A training graph with all of its edge weights.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseGraph {
    /// v.
    pub vertex_weights: Array1<f64>,
    /// Γ, symmetric.
    pub edge_weights: Array2<f64>,
}

impl DenseGraph {
    /// Q `[eq:Q]`.
    pub fn q(&self) -> f64 {
        self.vertex_weights.sum()
    }

    /// R `[eq:R]`.
    pub fn r(&self) -> f64 {
        self.edge_weights.sum()
    }

    /// Γ1.
    pub fn degrees(&self) -> Array1<f64> {
        self.edge_weights.sum_axis(Axis(1))
    }

    /// $\max_n |v_n/Q - (\Gamma 1)_n/R|$ `[eq:consistency_long]`.
    pub fn consistency_violation(&self) -> f64 {
        let difference = &self.vertex_weights / self.q() - &self.degrees() / self.r();
        difference.iter().fold(0.0, |m, d| m.max(d.abs()))
    }

    /// Number of connected components; edges of either sign connect, weights below `negligible` do not.
    pub fn components(&self, negligible: f64) -> usize {
        let n = self.vertex_weights.len();
        let mut component: Vec<usize> = (0..n).collect();
        for i in 0..n {
            for j in 0..n {
                if i != j && self.edge_weights[[i, j]].abs() > negligible {
                    let (a, b) = (component[i], component[j]);
                    component.iter_mut().filter(|c| **c == b).for_each(|c| *c = a);
                }
            }
        }
        component.sort_unstable();
        component.dedup();
        component.len()
    }

    /// $c = \max(0, \max -\gamma_{n,n'}/(v_n v_{n'}))$ of `[eq:non_negative_weights]`.
    pub fn negative_excess(&self) -> f64 {
        let v = &self.vertex_weights;
        self.edge_weights.indexed_iter().fold(0.0, |c: f64, ((i, j), g)| c.max(-g / (v[i] * v[j])))
    }

    /// The smallest weight of all edges larger than `negligible` in magnitude.
    pub fn smallest_edge(&self, negligible: f64) -> f64 {
        let edges = self.edge_weights.iter().filter(|g| g.abs() > negligible);
        edges.fold(f64::INFINITY, |m, &g| m.min(g))
    }

    /// $\Gamma' = (\Gamma + c\,v v^T)/(1 + cQ^2/R)$ `[eq:non_negative_weights]`.
    pub fn without_negative_edges(&self) -> Self {
        let (c, v) = (self.negative_excess(), &self.vertex_weights);
        let scale = 1.0 + c * self.q().powi(2) / self.r();
        let edge_weights = Array2::from_shape_fn(self.edge_weights.dim(), |(i, j)| {
            (self.edge_weights[[i, j]] + c * v[i] * v[j]) / scale
        });
        Self { vertex_weights: v.clone(), edge_weights }
    }

    /// y with weighted zero mean `[eq:wzm_long]` and unit variance `[eq:wuv_long]`.
    pub fn normalized(&self, y: ArrayView1<'_, f64>) -> Array1<f64> {
        let mean = self.vertex_weights.dot(&y) / self.q();
        let centered = y.mapv(|x| x - mean);
        let variance = (&self.vertex_weights * &centered).dot(&centered) / self.q();
        centered / variance.sqrt()
    }

    /// Δ of a feasible y, the double sum `[eq:wobj_long]`.
    pub fn delta(&self, y: ArrayView1<'_, f64>) -> f64 {
        let terms = self.edge_weights.indexed_iter().map(|((i, j), g)| g * (y[j] - y[i]).powi(2));
        terms.sum::<f64>() / self.r()
    }

    /// The weighted mean x̃ `[eq:hatX]` of samples, one per row.
    pub fn mean(&self, samples: ArrayView2<'_, f64>) -> Array1<f64> {
        self.vertex_weights.dot(&samples) / self.q()
    }

    /// C, the weighted covariance of samples `[eq:cov_tg]`.
    pub fn covariance(&self, samples: ArrayView2<'_, f64>) -> Array2<f64> {
        let centered = &samples - &self.mean(samples);
        let weighted = &centered * &self.vertex_weights.view().insert_axis(Axis(1));
        centered.t().dot(&weighted) / self.q()
    }

    /// Ċ, the second moments of differences between connected samples `[eq:dcov_tg]`.
    pub fn derivative_covariance(&self, samples: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut sum = Array2::zeros((samples.ncols(), samples.ncols()));
        for ((i, j), g) in self.edge_weights.indexed_iter() {
            let difference = (&samples.row(j) - &samples.row(i)).insert_axis(Axis(1));
            sum.scaled_add(*g, &difference.dot(&difference.t()));
        }
        sum / self.r()
    }

    /// $2(R - \sum_n \gamma_{n,n})/R$: the expected Δ of a noise feature.
    pub fn expected_noise_delta(&self) -> f64 {
        2.0 * (self.r() - self.edge_weights.diag().sum()) / self.r()
    }

    /// All N−1 optimal free responses as columns, and their Δ, ascending.
    ///
    /// $(\mathrm{Diag}(\Gamma 1) - \Gamma) y = \mu\,\mathrm{Diag}(v) y$ and $\Delta = 2(Q/R)\mu$; for consistent graphs
    /// these are the eigenvectors of M `[eq:M_in_Gamma]` with $\Delta = 2 - (2Q/R)\lambda$ `[eq:delta_in_lambda]`.
    ///
    /// # Errors
    /// If the eigensolver fails.
    pub fn free_responses(&self) -> Result<(Vec<f64>, Array2<f64>)> {
        let n = self.vertex_weights.len();
        let root = self.vertex_weights.mapv(f64::sqrt);
        let degrees = self.degrees();
        let laplacian = |i: usize, j: usize| {
            if i == j { degrees[i] - self.edge_weights[[i, j]] } else { -self.edge_weights[[i, j]] }
        };
        let mut a = Array2::from_shape_fn((n, n), |(i, j)| laplacian(i, j) / (root[i] * root[j]));
        // The constant pseudo-response has μ = 0; moved above all others it comes out last.
        let above = 4.0 * a.iter().fold(0.0_f64, |m, x| m.max(x.abs())) * n as f64;
        for i in 0..n {
            for j in 0..n {
                a[[i, j]] += above * root[i] * root[j] / self.q();
            }
        }
        let eigen = symmetric_eigen(a.view())?;
        let delta = eigen.values.iter().take(n - 1).map(|mu| 2.0 * self.q() / self.r() * mu).collect();
        let responses = Array2::from_shape_fn((n, n - 1), |(i, j)| self.q().sqrt() * eigen.vectors[[i, j]] / root[i]);
        Ok((delta, responses))
    }
}

/// v ← s v and γ ← s s' γ: how sample weights act on graphs of pairs and ranks.
pub fn with_sample_weights(graph: DenseGraph, s: &[f64]) -> DenseGraph {
    let DenseGraph { mut vertex_weights, mut edge_weights } = graph;
    vertex_weights.iter_mut().zip(s).for_each(|(v, s)| *v *= s);
    edge_weights.indexed_iter_mut().for_each(|((i, j), g)| *g *= s[i] * s[j]);
    DenseGraph { vertex_weights, edge_weights }
}

/// The same edges with v = Γ1.
pub fn with_degrees_as_vertex_weights(graph: DenseGraph) -> DenseGraph {
    DenseGraph { vertex_weights: graph.degrees(), ..graph }
}

/// Samples `lag` apart in the same sequence are connected; v = 1.
pub fn chain(sequence: &[usize], lag: usize) -> DenseGraph {
    let n = sequence.len();
    let linked = |i: usize, j: usize| {
        let (first, last) = (i.min(j), i.max(j));
        last - first == lag && (first..=last).all(|k| sequence[k] == sequence[first])
    };
    dense(n, |_| 1.0, |i, j| f64::from(u8::from(linked(i, j))))
}

/// The sliding window with weights $w_1, w_2, …$ over the ranks of `label`: the mean over all orders of tied samples.
pub fn sliding_window(label: &[f64], weights: &[f64]) -> DenseGraph {
    let n = label.len() as isize;
    let reflect = |p: isize| {
        if p < 0 {
            -p - 1
        } else if p >= n {
            2 * n - 1 - p
        } else {
            p
        }
    };
    mean_over_orders(label, |order, edges| {
        for p in 0..n {
            for (k, w) in weights.iter().enumerate() {
                for q in [p + k as isize + 1, p - k as isize - 1] {
                    edges[[order[p as usize], order[reflect(q) as usize]]] += w;
                }
            }
        }
    })
}

/// Neighbours in the order of `label` are connected, and the first and the last vertex with themselves if
/// `end_loops`: the mean over all orders of tied samples.
pub fn reordering(label: &[f64], end_loops: bool) -> DenseGraph {
    mean_over_orders(label, |order, edges| {
        for pair in order.windows(2) {
            edges[[pair[0], pair[1]]] += 1.0;
            edges[[pair[1], pair[0]]] += 1.0;
        }
        if end_loops {
            let (first, last) = (order[0], order[order.len() - 1]);
            edges[[first, first]] += 1.0;
            edges[[last, last]] += 1.0;
        }
    })
}

/// All samples of neighbouring groups connected, $\gamma = a a'/(A_k A_{k+1})$, $v = \mathrm{deg}\,a/A$.
pub fn serial(group: &[usize], a: &[f64]) -> DenseGraph {
    let (count, total) = group_weights(group, a);
    let ends = |k: usize| if k == 0 || k + 1 == count { 1.0 } else { 2.0 };
    dense(
        group.len(),
        |n| ends(group[n]) * a[n] / total[group[n]],
        |i, j| if group[i].abs_diff(group[j]) == 1 { a[i] * a[j] / (total[group[i]] * total[group[j]]) } else { 0.0 },
    )
}

/// Serial, and all samples of a group connected, themselves included, to make up v = 3a/A.
pub fn mixed(group: &[usize], a: &[f64]) -> DenseGraph {
    let (count, total) = group_weights(group, a);
    let within = |k: usize| if k == 0 || k + 1 == count { 2.0 } else { 1.0 };
    let mut graph = serial(group, a);
    for i in 0..group.len() {
        graph.vertex_weights[i] = 3.0 * a[i] / total[group[i]];
        for j in 0..group.len() {
            if group[i] == group[j] {
                graph.edge_weights[[i, j]] += within(group[i]) * a[i] * a[j] / total[group[i]].powi(2);
            }
        }
    }
    graph
}

/// Samples of a class connected, themselves included: $\gamma = v v'/V_c$.
pub fn clustered(class: &[usize], v: &[f64]) -> DenseGraph {
    let (_, total) = group_weights(class, v);
    dense(class.len(), |n| v[n], |i, j| if class[i] == class[j] { v[i] * v[j] / total[class[i]] } else { 0.0 })
}

/// Different samples of a class connected with $1/(N_c - 1)$; a sample alone in its class with itself.
pub fn clustered_as_in_the_paper(class: &[usize]) -> DenseGraph {
    let (_, size) = group_weights(class, &vec![1.0; class.len()]);
    let weight = |i: usize, j: usize| match (class[i] == class[j], i == j, size[class[i]] == 1.0) {
        (true, false, _) => 1.0 / (size[class[i]] - 1.0),
        (true, true, true) => 1.0,
        _ => 0.0,
    };
    dense(class.len(), |_| 1.0, weight)
}

/// The ELL graph of normalised, decorrelated labels (columns) with eigenvalues λ₀ and λ: `[eq:GGELL]`, `[eq:MMELL]`,
/// `[eq:u_in_ell]`.
pub fn ell(labels: ArrayView2<'_, f64>, v: &[f64], lambda0: f64, lambda: &[f64]) -> DenseGraph {
    let n = v.len();
    let q: f64 = v.iter().sum();
    let u = |i: usize, j: Option<usize>| (v[i] / q).sqrt() * j.map_or(1.0, |j| labels[[i, j]]);
    let m = Array2::from_shape_fn((n, n), |(i, k)| {
        lambda0 * u(i, None) * u(k, None)
            + (0..lambda.len()).map(|j| lambda[j] * u(i, Some(j)) * u(k, Some(j))).sum::<f64>()
    });
    dense(n, |i| v[i], |i, k| v[i].sqrt() * m[[i, k]] * v[k].sqrt())
}

/// $(\Gamma + \Gamma^T)/2$ of directed edges, repeated ones summed; v = 1.
pub fn edges(n: usize, list: &[(usize, usize, f64)]) -> DenseGraph {
    let mut directed: Array2<f64> = Array2::zeros((n, n));
    for &(i, j, w) in list {
        directed[[i, j]] += w;
    }
    dense(n, |_| 1.0, |i, j| (directed[[i, j]] + directed[[j, i]]) / 2.0)
}

/// Rows are connected if one is among the k nearest of the other; v = Γ1.
pub fn nearest_neighbors(rows: ArrayView2<'_, f64>, k: usize, heat: Option<f64>) -> DenseGraph {
    let n = rows.nrows();
    let distance = |i: usize, j: usize| (&rows.row(i) - &rows.row(j)).mapv(|d| d * d).sum();
    let near = |i: usize| {
        let mut others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
        others.sort_by(|&a, &b| distance(i, a).total_cmp(&distance(i, b)));
        others.truncate(k);
        others
    };
    let lists: Vec<Vec<usize>> = (0..n).map(near).collect();
    let linked = |i: usize, j: usize| lists[i].contains(&j) || lists[j].contains(&i);
    let weight = |i: usize, j: usize| heat.map_or(1.0, |t| (-distance(i, j) / t).exp());
    with_degrees_as_vertex_weights(dense(n, |_| 1.0, |i, j| if linked(i, j) { weight(i, j) } else { 0.0 }))
}

/// $\Gamma = \sum \alpha \Gamma_g/R_g$, $v = \sum \alpha v_g/Q_g$ with shares that sum to 1.
pub fn sum(graphs: &[(f64, DenseGraph)]) -> DenseGraph {
    let n = graphs[0].1.vertex_weights.len();
    let total: f64 = graphs.iter().map(|(share, _)| share).sum();
    let mut mean = dense(n, |_| 0.0, |_, _| 0.0);
    for (share, graph) in graphs {
        mean.vertex_weights.scaled_add(share / total / graph.q(), &graph.vertex_weights);
        mean.edge_weights.scaled_add(share / total / graph.r(), &graph.edge_weights);
    }
    mean
}

fn dense(n: usize, v: impl Fn(usize) -> f64, gamma: impl Fn(usize, usize) -> f64) -> DenseGraph {
    DenseGraph {
        vertex_weights: Array1::from_shape_fn(n, v),
        edge_weights: Array2::from_shape_fn((n, n), |(i, j)| gamma(i, j)),
    }
}

/// The number of groups and the sum of `a` in each.
fn group_weights(group: &[usize], a: &[f64]) -> (usize, Vec<f64>) {
    let count = group.iter().max().map_or(0, |k| k + 1);
    let mut total = vec![0.0; count];
    group.iter().zip(a).for_each(|(&k, a)| total[k] += a);
    (count, total)
}

/// The mean of the edges that `add` makes for an order of the vertices, over all orders in which `label` does not
/// decrease; v = 1.
fn mean_over_orders(label: &[f64], add: impl Fn(&[usize], &mut Array2<f64>)) -> DenseGraph {
    let n = label.len();
    let mut edges = Array2::zeros((n, n));
    let mut orders = 0.0;
    let mut order: Vec<usize> = Vec::new();
    extend_orders(label, &mut order, &mut |order| {
        add(order, &mut edges);
        orders += 1.0;
    });
    DenseGraph { vertex_weights: Array1::ones(n), edge_weights: edges / orders }
}

/// Calls `found` with every completion of `order` by the vertices it does not have yet, smallest labels first.
fn extend_orders(label: &[f64], order: &mut Vec<usize>, found: &mut impl FnMut(&[usize])) {
    let left: Vec<usize> = (0..label.len()).filter(|n| !order.contains(n)).collect();
    let Some(smallest) = left.iter().map(|&n| label[n]).min_by(f64::total_cmp) else {
        return found(order);
    };
    for n in left.into_iter().filter(|&n| label[n] <= smallest) {
        order.push(n);
        extend_orders(label, order, found);
        order.pop();
    }
}
