//! Graphs built by hand, and the dense definition that every fast form is compared with.
use crate::eigen::symmetric_eigen;
use gsfa::graph::{Banded, Coupling, EdgeTerm, Grouping, LowRank, Sparse, TrainingGraph};
use ndarray::{Array1, Array2, ArrayView2, Axis};
use rand::SeedableRng;
use rand_distr::{Distribution, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Independent normal deviates.
pub fn noise(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    Array2::from_shape_simple_fn((rows, columns), || StandardNormal.sample(&mut random))
}

/// Noise through a random mixing matrix, with an offset and a slow drift, so that nothing is accidentally diagonal.
pub fn samples(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut x = noise(rows, columns, seed).dot(&noise(columns, columns, seed + 1));
    for (n, mut row) in x.outer_iter_mut().enumerate() {
        let t = n as f64 / rows as f64;
        row.iter_mut().enumerate().for_each(|(i, x)| *x += 3.0 + (1.0 + i as f64 % 3.0) * (t * (2.0 + i as f64)).cos());
    }
    x
}

/// Vertex weights between 0.5 and 2.
pub fn uneven_weights(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.5 + 1.5 * ((i * 7 % 11) as f64 / 10.0)).collect()
}

/// Columns over values 0 … K−1: cosines, decorrelated and normalised under the weights of the values.
pub fn targets(weights: &[f64], count: usize) -> Array2<f64> {
    let (k, q) = (weights.len(), weights.iter().sum::<f64>());
    let mut out: Vec<Array1<f64>> = Vec::new();
    for j in 1..=count {
        let mut t = Array1::from_shape_fn(k, |g| (std::f64::consts::PI * j as f64 * (g as f64 + 0.5) / k as f64).cos());
        for _ in 0..2 {
            let mean = t.iter().zip(weights).map(|(t, w)| t * w).sum::<f64>() / q;
            t -= mean;
            for o in &out {
                let along = t.iter().zip(o).zip(weights).map(|((t, o), w)| t * o * w).sum::<f64>() / q;
                t = &t - &(o * along);
            }
        }
        let variance = t.iter().zip(weights).map(|(t, w)| t * t * w).sum::<f64>() / q;
        out.push(t / variance.sqrt());
    }
    Array2::from_shape_fn((k, count), |(g, j)| out[j][g])
}

/// ELL over `values` distinct label values, in scrambled order; λ descending from 1, λ₀ = 1.
pub fn ell(v: &[f64], values: usize, eigenvalues: &[f64]) -> TrainingGraph {
    let groups: Vec<u32> = (0..v.len()).map(|n| (n * 13 % values) as u32).collect();
    let grouping = Grouping::new(groups, values).unwrap();
    let weights = grouping.sums(v);
    ell_on(v, grouping, targets(&weights, eigenvalues.len()), eigenvalues)
}

/// ELL with given target columns over groups.
pub fn ell_on(v: &[f64], grouping: Grouping, columns: Array2<f64>, eigenvalues: &[f64]) -> TrainingGraph {
    let q: f64 = v.iter().sum();
    let values = eigenvalues.iter().map(|l| l / q).collect();
    let coupling = Coupling::LowRank(LowRank { columns, values });
    let term = EdgeTerm { grouping, shares: v.to_vec(), coupling, loops: None };
    let largest = eigenvalues.iter().copied().fold(0.0_f64, |m, x| m.max(x.abs()));
    TrainingGraph::new(v.to_vec(), vec![term], largest / q).unwrap()
}

/// ELL with one label per sample.
pub fn ell_labels(v: &[f64], columns: Array2<f64>, eigenvalues: &[f64]) -> TrainingGraph {
    ell_on(v, Grouping::singletons(v.len()), columns, eigenvalues)
}

/// Serial: consecutive groups connected, rule for any sizes.
pub fn serial(a: &[f64], grouping: Grouping) -> TrainingGraph {
    let k = grouping.count();
    let total = grouping.sums(a);
    let degree = |g: usize| if g == 0 || g == k - 1 { 1.0 } else { 2.0 };
    let v = a.iter().zip(grouping.of_vertex()).map(|(a, &g)| degree(g as usize) * a / total[g as usize]).collect();
    let between = (0..k - 1).map(|g| 1.0 / (total[g] * total[g + 1])).collect();
    let coupling = Coupling::Banded(Banded::new(k, vec![(1, between)]).unwrap());
    TrainingGraph::new(v, vec![EdgeTerm { grouping, shares: a.to_vec(), coupling, loops: None }], 0.0).unwrap()
}

/// Contiguous groups of near-equal size.
pub fn contiguous(n: usize, groups: usize) -> Grouping {
    Grouping::new((0..n).map(|i| (i * groups / n) as u32).collect(), groups).unwrap()
}

/// Clusters with self-loops.
pub fn clustered(v: &[f64], grouping: Grouping) -> TrainingGraph {
    let total = grouping.sums(v);
    let coupling =
        Coupling::Banded(Banded::new(total.len(), vec![(0, total.iter().map(|t| 1.0 / t).collect())]).unwrap());
    TrainingGraph::new(v.to_vec(), vec![EdgeTerm { grouping, shares: v.to_vec(), coupling, loops: None }], 0.0).unwrap()
}

/// Clusters with the paper's 1/(N_c − 1) and no self-loops, v = 1.
pub fn clustered_paper(grouping: Grouping) -> TrainingGraph {
    let n = grouping.of_vertex().len();
    let size = grouping.sums(&vec![1.0; n]);
    let coupling =
        Coupling::Banded(Banded::new(size.len(), vec![(0, size.iter().map(|s| 1.0 / (s - 1.0)).collect())]).unwrap());
    let loops = grouping.of_vertex().iter().map(|&g| -1.0 / (size[g as usize] - 1.0)).collect();
    let term = EdgeTerm { grouping, shares: vec![1.0; n], coupling, loops: Some(loops) };
    TrainingGraph::new(vec![1.0; n], vec![term], 0.0).unwrap()
}

/// The chain of plain SFA, v = 1: inconsistent at its ends.
pub fn chain(n: usize) -> TrainingGraph {
    singletons(vec![1.0; n], Coupling::Banded(Banded::new(n, vec![(1, vec![1.0; n - 1])]).unwrap()), None)
}

/// Reordering: the chain with self-loops of 1 at its ends.
pub fn reordering(n: usize) -> TrainingGraph {
    let mut loops = vec![0.0; n];
    loops[0] = 1.0;
    loops[n - 1] = 1.0;
    singletons(vec![1.0; n], Coupling::Banded(Banded::new(n, vec![(1, vec![1.0; n - 1])]).unwrap()), Some(loops))
}

/// A symmetric edge list: some near, some far neighbours, uneven weights.
pub fn neighbors(v: Vec<f64>) -> TrainingGraph {
    let n = v.len();
    let mut entries = Vec::new();
    for i in 0..n {
        for step in [1, 2, 7] {
            let j = (i * step + step * 3 + 1) % n;
            let weight = 1.0 + ((i + step) % 4) as f64;
            entries.push((i as u32, j as u32, weight));
            entries.push((j as u32, i as u32, weight));
        }
    }
    singletons(v, Coupling::Sparse(Sparse::from_entries(n, entries).unwrap()), None)
}

pub fn singletons(v: Vec<f64>, coupling: Coupling, loops: Option<Vec<f64>>) -> TrainingGraph {
    let n = v.len();
    let term = EdgeTerm { grouping: Grouping::singletons(n), shares: vec![1.0; n], coupling, loops };
    TrainingGraph::new(v, vec![term], 0.0).unwrap()
}

/// Rule 7: half of each, normalised.
pub fn mixture(one: &TrainingGraph, other: &TrainingGraph) -> TrainingGraph {
    let part = |g: &TrainingGraph| g.terms().iter().map(|t| t.clone().scaled(0.5 / g.r())).collect::<Vec<_>>();
    let v: Vec<f64> = (one.vertex_weights().iter().zip(other.vertex_weights()))
        .map(|(a, b)| 0.5 * a / one.q() + 0.5 * b / other.q())
        .collect();
    assert_eq!(other.uniform(), 0.0);
    let mut terms = [part(one), part(other)].concat();
    // u v vᵀ with the first graph's v, as a term of its own.
    if one.uniform() != 0.0 {
        let n = one.len();
        let columns = Array2::ones((1, 1));
        let coupling = Coupling::LowRank(LowRank { columns, values: vec![one.uniform() * 0.5 / one.r()] });
        let shares = one.vertex_weights().to_vec();
        terms.push(EdgeTerm { grouping: Grouping::one(n), shares, coupling, loops: None });
    }
    TrainingGraph::new(v, terms, 0.0).unwrap()
}

/// Every kind of graph on n vertices, with its name.
pub fn all_graphs(n: usize) -> Vec<(&'static str, TrainingGraph)> {
    let v = uneven_weights(n);
    let ones = vec![1.0; n];
    let groups = (n / 4).clamp(2, 9);
    let scattered = || Grouping::new((0..n).map(|i| (i * 5 % groups) as u32).collect(), groups).unwrap();
    let mut graphs = vec![
        ("serial", serial(&ones, contiguous(n, groups))),
        ("serial, uneven weights, scattered", serial(&v, scattered())),
        ("clustered", clustered(&v, scattered())),
        (
            "clustered, paper's weights",
            clustered_paper(Grouping::new((0..n).map(|i| u32::from(i % 3 == 0)).collect(), 2).unwrap()),
        ),
        ("chain", chain(n)),
        ("reordering", reordering(n)),
        ("edge list", neighbors(v.clone())),
        ("ELL-1", ell(&v, groups, &[1.0])),
        ("ELL, one label per sample", ell_labels(&v, targets(&v, 3.min(n - 1)), &[1.0, 0.6, 0.3][..3.min(n - 1)])),
        ("indefinite", ell_labels(&v, targets(&v, 2.min(n - 1)), &[0.8, -0.5][..2.min(n - 1)])),
    ];
    if groups > 3 {
        graphs.push(("ELL-3", ell(&v, groups, &[1.0, 0.6, 0.3])));
        graphs.push(("ELL, equal eigenvalues", ell(&v, groups, &[1.0, 1.0, 1.0])));
        graphs.push(("ELL and serial", mixture(&ell(&v, groups, &[1.0, 0.5]), &serial(&ones, contiguous(n, groups)))));
        graphs.push(("ELL and edge list", mixture(&ell(&v, groups, &[1.0, 0.5]), &neighbors(ones.clone()))));
        let inconsistent = serial(&ones, contiguous(n, groups));
        graphs.push(("serial, v = 1", TrainingGraph::new(ones, inconsistent.terms().to_vec(), 0.0).unwrap()));
    }
    graphs
}

/// Mean, C and Ċ by their definitions, over all pairs.
pub struct Dense {
    pub mean: Array1<f64>,
    pub covariance: Array2<f64>,
    pub derivative: Array2<f64>,
}

pub fn dense(x: ArrayView2<'_, f64>, graph: &TrainingGraph) -> Dense {
    let (n, dim) = x.dim();
    let v = graph.vertex_weights();
    let mut mean = Array1::zeros(dim);
    x.outer_iter().zip(v).for_each(|(row, v)| mean.scaled_add(v / graph.q(), &row));
    let z = &x - &mean;
    let weighted = Array2::from_shape_fn((n, dim), |(i, j)| v[i] * z[[i, j]]);
    let mut derivative = Array2::zeros((dim, dim));
    for i in 0..n {
        for j in 0..n {
            let gamma = graph.edge_weight(i, j) / graph.r();
            if gamma == 0.0 {
                continue;
            }
            let d = &z.row(i) - &z.row(j);
            for a in 0..dim {
                for b in 0..dim {
                    derivative[[a, b]] += gamma * d[a] * d[b];
                }
            }
        }
    }
    Dense { mean, covariance: z.t().dot(&weighted) / graph.q(), derivative }
}

impl Dense {
    /// All delta values, ascending, from C^(−½) Ċ C^(−½).
    pub fn deltas(&self) -> Vec<f64> {
        let c = symmetric_eigen(self.covariance.view()).unwrap();
        let sphering = &c.vectors / &c.values.mapv(f64::sqrt);
        symmetric_eigen(sphering.t().dot(&self.derivative).dot(&sphering).view()).unwrap().values.to_vec()
    }
}

pub fn largest(a: &Array2<f64>) -> f64 {
    a.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Largest difference relative to the largest entry.
pub fn relative(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    largest(&(a - b)) / largest(b).max(f64::MIN_POSITIVE)
}

/// Weighted Gram matrix of columns, divided by the sum of weights.
pub fn weighted_gram(y: &Array2<f64>, v: &[f64]) -> Array2<f64> {
    let q: f64 = v.iter().sum();
    let mut scaled = y.clone();
    scaled.outer_iter_mut().zip(v).for_each(|(mut row, v)| row *= v / q);
    y.t().dot(&scaled)
}

/// Sine of the largest angle between the column spaces of two matrices with orthonormal columns under `v`.
pub fn angle(a: &Array2<f64>, b: &Array2<f64>, v: &[f64]) -> f64 {
    let q: f64 = v.iter().sum();
    let mut scaled = b.clone();
    scaled.outer_iter_mut().zip(v).for_each(|(mut row, v)| row *= v / q);
    let along = scaled.t().dot(a);
    let rest = a - &b.dot(&along);
    weighted_gram(&rest, v).diag().iter().fold(0.0, |m: f64, x| m.max(x.max(0.0).sqrt()))
}

/// y with each row repeated as often as `times` says.
pub fn repeated(x: &Array2<f64>, times: &[usize]) -> Array2<f64> {
    let index: Vec<usize> = times.iter().enumerate().flat_map(|(n, &t)| std::iter::repeat_n(n, t)).collect();
    x.select(Axis(0), &index)
}
