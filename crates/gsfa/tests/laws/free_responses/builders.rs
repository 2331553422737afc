//! Small graphs from terms.

use gsfa::graph::{Banded, Coupling, EdgeTerm, Grouping, LowRank, Sparse, TrainingGraph};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub type Rng = Xoshiro256PlusPlus;

pub fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

pub fn positive(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| 0.2 + rng.random::<f64>()).collect()
}

pub fn signed(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| rng.random::<f64>() - 0.4).collect()
}

/// Every vertex its own group with share 1.
pub fn plain(coupling: Coupling) -> EdgeTerm {
    let n = coupling.size();
    EdgeTerm { grouping: Grouping::singletons(n), shares: vec![1.0; n], coupling, loops: None }
}

pub fn banded(n: usize, diagonals: Vec<(usize, Vec<f64>)>) -> Coupling {
    Coupling::Banded(Banded::new(n, diagonals).unwrap())
}

pub fn sparse(n: usize, edges: &[(usize, usize, f64)]) -> Coupling {
    let both = edges.iter().flat_map(|&(i, j, w)| [(i as u32, j as u32, w), (j as u32, i as u32, w)]);
    Coupling::Sparse(Sparse::from_entries(n, both.collect()).unwrap())
}

pub fn chain(n: usize) -> TrainingGraph {
    TrainingGraph::new(vec![1.0; n], vec![plain(banded(n, vec![(1, vec![1.0; n - 1])]))], 0.0).unwrap()
}

/// The serial graph of rule 5.1 with the group of each vertex given.
pub fn serial(of_vertex: Vec<u32>, groups: usize) -> TrainingGraph {
    let grouping = Grouping::new(of_vertex, groups).unwrap();
    let sizes = grouping.sums(&vec![1.0; grouping.of_vertex().len()]);
    let degree = |g: usize| if g == 0 || g + 1 == groups { 1.0 } else { 2.0 };
    let v = grouping.of_vertex().iter().map(|&g| degree(g as usize) / sizes[g as usize]).collect();
    let between = (0..groups - 1).map(|g| 1.0 / (sizes[g] * sizes[g + 1])).collect();
    let shares = vec![1.0; grouping.of_vertex().len()];
    let term = EdgeTerm { grouping, shares, coupling: banded(groups, vec![(1, between)]), loops: None };
    TrainingGraph::new(v, vec![term], 0.0).unwrap()
}

/// v-centred, v-decorrelated, unit-variance columns.
pub fn labels(rng: &mut Rng, v: &[f64], count: usize) -> Vec<Vec<f64>> {
    let q: f64 = v.iter().sum();
    let mut kept: Vec<Vec<f64>> = vec![vec![1.0; v.len()]];
    for _ in 0..count {
        let mut x: Vec<f64> = v.iter().map(|_| rng.random::<f64>() - 0.5).collect();
        for _ in 0..3 {
            for k in &kept {
                let along: f64 = (0..v.len()).map(|n| v[n] * k[n] * x[n]).sum::<f64>() / q;
                x.iter_mut().zip(k).for_each(|(x, k)| *x -= along * k);
            }
            let norm = ((0..v.len()).map(|n| v[n] * x[n] * x[n]).sum::<f64>() / q).sqrt();
            x.iter_mut().for_each(|x| *x /= norm);
        }
        kept.push(x);
    }
    kept.remove(0);
    kept
}

/// The ELL graph, every vertex its own group.
pub fn ell(v: &[f64], labels: &[Vec<f64>], lambda: &[f64], lambda0: f64) -> TrainingGraph {
    let (n, q) = (v.len(), v.iter().sum::<f64>());
    let columns = Array2::from_shape_fn((n, labels.len()), |(i, j)| labels[j][i]);
    let values = lambda.iter().map(|l| l / q).collect();
    let coupling = Coupling::LowRank(LowRank { columns, values });
    let term = EdgeTerm { grouping: Grouping::singletons(n), shares: v.to_vec(), coupling, loops: None };
    TrainingGraph::new(v.to_vec(), vec![term], lambda0 / q).unwrap()
}
