//! Random graphs of every structure against the naive solver.

use gsfa::graph::{Coupling, EdgeTerm, FreeResponseMethod, FreeResponseOptions, Grouping, LowRank, TrainingGraph};
use ndarray::Array2;
use rand::RngExt;

use super::builders::*;
use super::naive::*;

#[test]
fn random_banded_graphs_agree_with_the_naive_solver() {
    for n in [2, 3, 4, 7, 20, 45] {
        for seed in 0..4 {
            let mut rng = rng(seed * 100 + n as u64);
            let width = [1, 1, 2, 5][seed as usize].min(n - 1);
            let diagonals = |rng: &mut Rng, sign: bool| {
                (0..=width)
                    .map(|o| {
                        (
                            o,
                            if sign {
                                signed(rng, n - o).iter().map(|x| x + 0.3).collect()
                            } else {
                                positive(rng, n - o)
                            },
                        )
                    })
                    .collect::<Vec<_>>()
            };
            for sign in [false, true] {
                let mut term = plain(banded(n, diagonals(&mut rng, sign)));
                term.loops = Some(positive(&mut rng, n).iter().map(|x| 2.0 * x).collect());
                let graph =
                    TrainingGraph::new(positive(&mut rng, n), vec![term], if seed == 1 { 0.1 } else { 0.0 }).unwrap();
                for count in counts(n) {
                    assert_solved(&graph, count, "banded");
                }
            }
        }
    }
}

#[test]
fn random_edge_lists_agree_with_the_naive_solver_connected_or_not() {
    for n in [2, 3, 6, 15, 40] {
        for (seed, per_vertex) in [(1, 0.4), (2, 0.9), (3, 2.0), (4, 6.0)] {
            let mut rng = rng(seed + 7 * n as u64);
            for low in [0.1, -0.3] {
                let mut edges = vec![(0, 1, 1.0)];
                for _ in 0..(per_vertex * n as f64) as usize {
                    let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
                    edges.push((i, j, low + rng.random::<f64>()));
                }
                let v = positive(&mut rng, n);
                let graph = TrainingGraph::new(v, vec![plain(sparse(n, &edges))], 0.0).unwrap();
                for count in counts(n) {
                    let free = assert_solved(&graph, count, "edges");
                    let components = graph.components().count;
                    if low > 0.0 {
                        let zeros = free.delta_values.iter().filter(|d| d.abs() < 1e-10).count();
                        assert_eq!(zeros, count.min(components - 1));
                    }
                }
            }
        }
    }
}

#[test]
fn grouped_graphs_agree_with_the_naive_solver_proportional_or_not() {
    for (n, groups) in [(2, 1), (4, 2), (9, 3), (24, 5), (40, 12)] {
        for seed in 0..6_u64 {
            let mut rng = rng(seed + 31 * n as u64);
            let of_vertex: Vec<u32> =
                (0..n).map(|k| if k < groups { k } else { rng.random_range(0..groups) } as u32).collect();
            let grouping = Grouping::new(of_vertex, groups).unwrap();
            let shares = positive(&mut rng, n);
            let factors = positive(&mut rng, groups);
            let mut v: Vec<f64> = (0..n).map(|i| shares[i] * factors[grouping.group(i)]).collect();
            if seed % 2 == 1 {
                // One group falls apart.
                v[0] *= 1.5;
            }
            let width = 2.min(groups - 1);
            let diagonals = (0..=width).map(|o| (o, positive(&mut rng, groups - o))).collect();
            let loops = (seed > 2).then(|| positive(&mut rng, n));
            let term = EdgeTerm { grouping, shares, coupling: banded(groups, diagonals), loops };
            let graph = TrainingGraph::new(v, vec![term], 0.05 * (seed % 3) as f64).unwrap();
            for count in counts(n) {
                assert_solved(&graph, count, "grouped");
            }
        }
    }
}

#[test]
fn low_rank_graphs_agree_with_the_naive_solver_consistent_or_not() {
    for (n, targets) in [(2, 1), (3, 2), (10, 3), (10, 9), (30, 5)] {
        for seed in 0..6_u64 {
            let mut rng = rng(seed + 17 * n as u64);
            let v = positive(&mut rng, n);
            let mut columns = labels(&mut rng, &v, targets);
            if seed >= 3 {
                // Neither decorrelated nor, at last, centred: then degrees are not proportional to v.
                let first = columns[0].clone();
                for c in &mut columns {
                    c.iter_mut().zip(&first).for_each(|(x, f)| *x += 0.5 * f + if seed == 5 { 0.2 } else { 0.0 });
                }
            }
            let mut lambda = positive(&mut rng, targets);
            if seed == 1 {
                lambda[0] = -0.5;
            }
            let graph = ell(&v, &columns, &lambda, 1.3);
            for count in counts(n) {
                let free = assert_solved(&graph, count, "low rank");
                assert_eq!(free.method == FreeResponseMethod::LowRank, seed != 5, "{:?}", free.method);
            }
        }
    }
}

#[test]
fn sums_of_terms_agree_with_the_naive_solver_and_with_the_iteration() {
    for n in [3, 12, 50] {
        for seed in 0..4_u64 {
            let mut rng = rng(seed + 13 * n as u64);
            let v = if seed % 2 == 0 { vec![1.0; n] } else { positive(&mut rng, n) };
            let mut edges = positive(&mut rng, n - 1);
            if seed > 1 {
                // Few columns beside others are added to an inverse iteration, which needs positive ones.
                edges[0] = -0.01;
            }
            let near = plain(banded(n, vec![(1, edges)]));
            let groups = 3.min(n);
            let grouping = Grouping::new((0..n).map(|k| ((k * 5) % groups) as u32).collect(), groups).unwrap();
            let clusters = EdgeTerm {
                grouping,
                shares: v.clone(),
                coupling: banded(groups, vec![(0, vec![0.2; groups])]),
                loops: None,
            };
            let columns = Array2::from_shape_fn((n, 2), |_| rng.random::<f64>() - 0.3);
            let coupling = Coupling::LowRank(LowRank { columns, values: vec![0.3, -0.1] });
            let coded = EdgeTerm { grouping: Grouping::singletons(n), shares: v.clone(), coupling, loops: None };
            let graph = TrainingGraph::new(v, vec![near, clusters, coded], 0.01).unwrap();
            for count in counts(n) {
                assert_solved(&graph, count, "sum");
                let iterate = FreeResponseOptions { dense_limit: 1, ..Default::default() };
                let free = assert_solved_with(&graph, count, &iterate, 1e-9, "sum, iterated");
                let inverse = seed <= 1 && 4 * count <= n;
                let method = if inverse { FreeResponseMethod::ShiftInvert } else { FreeResponseMethod::Krylov };
                assert_eq!(free.method, method);
            }
        }
    }
}

#[test]
fn iteration_finds_multiple_values_among_others() {
    // Two equal cycles, joined by nothing but a negative edge between a third: values of a cycle come in pairs.
    let cycle = |from: usize, n: usize| (0..n).map(move |k| (from + k, from + (k + 1) % n, 1.0));
    let edges: Vec<_> = cycle(0, 12).chain(cycle(12, 12)).chain(cycle(24, 9)).chain([(24, 30, -0.1)]).collect();
    let graph = TrainingGraph::new(vec![1.0; 33], vec![plain(sparse(33, &edges))], 0.0).unwrap();
    let iterate = FreeResponseOptions { dense_limit: 1, ..Default::default() };
    for count in [1, 3, 8, 20, 32] {
        assert_solved_with(&graph, count, &iterate, 1e-9, "cycles");
        assert_solved(&graph, count, "cycles");
    }
}

#[test]
fn iterations_find_all_copies_of_fourfold_values() {
    // A torus: values come four- and eightfold. Weak negative edges to the antipodes keep that, but rule out inversion.
    let side = 10;
    let at = |x: usize, y: usize| (x % side) * side + y % side;
    let cells = || (0..side).flat_map(|x| (0..side).map(move |y| (x, y)));
    let near = cells().flat_map(|(x, y)| [(at(x, y), at(x + 1, y), 1.0), (at(x, y), at(x, y + 1), 1.0)]);
    let near: Vec<_> = near.collect();
    let far = cells().map(|(x, y)| (at(x, y), at(x + 5, y + 5), -0.02));
    let signed: Vec<_> = near.iter().copied().chain(far).collect();
    let iterate = FreeResponseOptions { dense_limit: 1, ..Default::default() };
    for (edges, method) in [(near, FreeResponseMethod::ShiftInvert), (signed, FreeResponseMethod::Krylov)] {
        let graph = TrainingGraph::new(vec![1.0; 100], vec![plain(sparse(100, &edges))], 0.0).unwrap();
        for count in [1, 2, 4, 5, 9, 23, 60] {
            let free = assert_solved_with(&graph, count, &iterate, 1e-9, "torus");
            assert_eq!(free.method, method);
        }
    }
}
