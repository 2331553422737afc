//! Identities of the method: equivalences with textbook methods, closed forms, invariances.

use crate::eigen::symmetric_eigen;
use crate::solve_support::*;
use gsfa::graph::{Banded, Coupling, Grouping, TrainingGraph};
use gsfa::{Gsfa, SlowFeatures, Surplus};
use ndarray::{Array1, Array2, Axis};

fn fit(x: &Array2<f64>, graph: &TrainingGraph) -> SlowFeatures {
    Gsfa::default().fit(&x.view(), graph).unwrap()
}

fn centered(x: &Array2<f64>, v: &[f64]) -> Array2<f64> {
    let mean = x.t().dot(&ndarray::aview1(v)) / v.iter().sum::<f64>();
    x - &mean
}

/// Generalised eigenvalues of A w = μ B w, ascending.
fn generalized(a: &Array2<f64>, b: &Array2<f64>) -> (Vec<f64>, Array2<f64>) {
    let e = symmetric_eigen(b.view()).unwrap();
    let s = &e.vectors / &e.values.mapv(f64::sqrt);
    let inner = symmetric_eigen(s.t().dot(a).dot(&s).view()).unwrap();
    (inner.values.to_vec(), s.dot(&inner.vectors))
}

fn solve(a: &Array2<f64>, b: &Array1<f64>) -> Array1<f64> {
    let e = symmetric_eigen(a.view()).unwrap();
    e.vectors.dot(&(e.vectors.t().dot(b) / &e.values))
}

#[test]
fn the_chain_is_textbook_sfa() {
    for n in [50, 400] {
        let x = samples(n, 6, 40);
        let slow = Gsfa::new(3).fit(&x.view(), &chain(n)).unwrap();
        let z = centered(&x, &vec![1.0; n]);
        let d = &z.slice(ndarray::s![1.., ..]) - &z.slice(ndarray::s![..n - 1, ..]);
        let (mu, _) = generalized(&(d.t().dot(&d) / (n - 1) as f64), &(z.t().dot(&z) / n as f64));
        for (a, b) in slow.delta_values.iter().zip(mu) {
            assert!((a - b).abs() < 1e-11);
        }
    }
}

#[test]
fn clusters_with_self_loops_are_the_fisher_discriminant() {
    let n = 150;
    let v = uneven_weights(n);
    let grouping = Grouping::new((0..n).map(|i| (i * 7 % 5) as u32).collect(), 5).unwrap();
    let x = samples(n, 8, 41);
    let slow = fit(&x, &clustered(&v, grouping.clone()));
    assert_eq!(slow.output_dim(), 4);
    // Δ = 2·(within / total): the Fisher criterion.
    let z = centered(&x, &v);
    let mut within = Array2::zeros((8, 8));
    let total = weighted_gram(&z, &v);
    for class in 0..5 {
        let members: Vec<usize> = (0..n).filter(|&i| grouping.group(i) == class).collect();
        let w: Vec<f64> = members.iter().map(|&i| v[i]).collect();
        let inner = centered(&z.select(Axis(0), &members), &w);
        within = within + weighted_gram(&inner, &w) * (w.iter().sum::<f64>() / v.iter().sum::<f64>());
    }
    let (mu, w) = generalized(&within, &total);
    for (j, delta) in slow.delta_values.iter().enumerate() {
        assert!((delta - 2.0 * mu[j]).abs() < 1e-11);
    }
    let expected = z.dot(&w.slice(ndarray::s![.., ..4]));
    assert!(angle(&slow.apply(x.view()).unwrap(), &expected, &v) < 1e-9);
}

#[test]
fn compact_labels_with_equal_eigenvalues_are_clusters() {
    let n = 120;
    let v = uneven_weights(n);
    let grouping = Grouping::new((0..n).map(|i| (i * 7 % 4) as u32).collect(), 4).unwrap();
    let x = samples(n, 6, 42);
    let clusters = clustered(&v, grouping.clone());
    let labels = ell_on(&v, grouping.clone(), targets(&grouping.sums(&v), 3), &[1.0; 3]);
    for i in 0..n {
        for j in 0..n {
            assert!((clusters.edge_weight(i, j) - labels.edge_weight(i, j)).abs() < 1e-12);
        }
    }
    let (a, b) = (fit(&x, &clusters), fit(&x, &labels));
    for (p, q) in a.delta_values.iter().zip(&b.delta_values) {
        assert!((p - q).abs() < 1e-12);
    }
    assert!(angle(&a.apply(x.view()).unwrap(), &b.apply(x.view()).unwrap(), &v) < 1e-9);
}

#[test]
fn one_label_is_weighted_least_squares() {
    for (n, dim) in [(30, 1), (80, 5), (300, 40)] {
        let v = uneven_weights(n);
        let label = targets(&v, 1);
        let x = samples(n, dim, 43);
        for (l1, l0) in [(1.0, 1.0), (0.4, 1.0)] {
            let mut graph = ell_labels(&v, label.clone(), &[l1]);
            graph = TrainingGraph::new(v.clone(), graph.terms().to_vec(), l0 / graph.q()).unwrap();
            let slow = fit(&x, &graph);
            assert_eq!(slow.output_dim(), 1);
            let z = centered(&x, &v);
            let q = graph.q();
            let b = z.t().dot(&(&label.column(0) * &ndarray::aview1(&v))) / q;
            let w = solve(&weighted_gram(&z, &v), &b);
            let rho2 = b.dot(&w);
            assert!((slow.delta_values[0] - (2.0 - 2.0 * l1 / l0 * rho2)).abs() < 1e-11);
            assert!((slow.correlations[0].unwrap() - rho2).abs() < 1e-11);
            // The standardised prediction, with positive sign.
            let off = &slow.weights.column(0) - &(&w / rho2.sqrt());
            assert!(off.dot(&off).sqrt() < 1e-9 * w.dot(&w).sqrt() / rho2.sqrt());
        }
    }
}

#[test]
fn equal_eigenvalues_are_canonical_correlations() {
    let n = 200;
    let v = uneven_weights(n);
    let t = targets(&v, 4);
    let x = samples(n, 9, 44);
    let slow = fit(&x, &ell_labels(&v, t.clone(), &[0.7; 4]));
    let z = centered(&x, &v);
    let mut weighted = t.clone();
    weighted.outer_iter_mut().zip(&v).for_each(|(mut row, v)| row *= *v);
    let b = z.t().dot(&weighted) / v.iter().sum::<f64>();
    let (rho2, _) = generalized(&b.dot(&b.t()), &weighted_gram(&z, &v));
    for (delta, rho2) in slow.delta_values.iter().zip(rho2.iter().rev()) {
        assert!((delta - (2.0 - 2.0 * rho2)).abs() < 1e-11);
    }
}

#[test]
fn v_equal_to_degrees_is_locality_preserving_projection() {
    let n = 90;
    let plain = neighbors(vec![1.0; n]);
    let degrees = plain.degrees().to_vec();
    let graph = TrainingGraph::new(degrees.clone(), plain.terms().to_vec(), 0.0).unwrap();
    let x = samples(n, 5, 45);
    let slow = Gsfa::new(2).fit(&x.view(), &graph).unwrap();
    // LPP: minimise wᵀXᵀLXw with wᵀXᵀDXw = 1, on D-centred data; Δ = 2μ.
    let z = centered(&x, &degrees);
    let mut laplacian = Array2::from_diag(&ndarray::aview1(&degrees));
    for i in 0..n {
        for j in 0..n {
            laplacian[[i, j]] -= graph.edge_weight(i, j);
        }
    }
    let mut weighted = z.clone();
    weighted.outer_iter_mut().zip(&degrees).for_each(|(mut row, d)| row *= *d);
    let (mu, _) = generalized(&z.t().dot(&laplacian).dot(&z), &z.t().dot(&weighted));
    for (a, b) in slow.delta_values.iter().zip(mu) {
        assert!((a - 2.0 * b).abs() < 1e-11);
    }
}

#[test]
fn reversible_tica_is_the_chain_weighted_by_degrees() {
    let n = 120;
    let plain = chain(n);
    let graph = TrainingGraph::new(plain.degrees().to_vec(), plain.terms().to_vec(), 0.0).unwrap();
    let x = samples(n, 4, 46);
    let slow = Gsfa::new(2).fit(&x.view(), &graph).unwrap();
    let v = graph.vertex_weights();
    let z = centered(&x, v);
    let (early, late) = (z.slice(ndarray::s![..n - 1, ..]), z.slice(ndarray::s![1.., ..]));
    let lagged = early.t().dot(&late) + late.t().dot(&early);
    let instant = early.t().dot(&early) + late.t().dot(&late);
    let (mu, _) = generalized(&lagged, &instant);
    for (a, b) in slow.delta_values.iter().zip(mu.iter().rev()) {
        assert!((a - (2.0 - 2.0 * b)).abs() < 1e-11);
    }
}

#[test]
fn pure_noise_is_overfitted_as_predicted() {
    let (n, dim) = (2000, 100);
    let v = vec![1.0; n];
    let t = targets(&v, 1);
    let runs = 20;
    let mean = (0..runs)
        .map(|seed| fit(&noise(n, dim, 100 + seed), &ell_labels(&v, t.clone(), &[1.0])).delta_values[0])
        .sum::<f64>()
        / runs as f64;
    let expected = 2.0 - 2.0 * dim as f64 / (n - 1) as f64;
    // ρ² is Beta(I/2, (N−1−I)/2): standard deviation √(2I(N−1−I)/((N−1)²(N+1))), doubled by Δ, over the mean of 20 runs.
    let deviation = 2.0 * (2.0 * dim as f64 * (n - 1 - dim) as f64 / ((n - 1) as f64).powi(2) / (n + 1) as f64).sqrt();
    assert!((mean - expected).abs() < 4.0 * deviation / (runs as f64).sqrt(), "{mean} {expected}");
}

#[test]
fn free_responses_are_learned_if_the_inputs_hold_them() {
    let n = 60;
    let v = uneven_weights(n);
    let groups = Grouping::new((0..n).map(|i| (i * 7 % 10) as u32).collect(), 10).unwrap();
    let columns = targets(&groups.sums(&v), 3);
    let labels = Array2::from_shape_fn((n, 3), |(i, j)| columns[[groups.group(i), j]]);
    let mixed = ndarray::concatenate(Axis(1), &[labels.view(), noise(n, 2, 47).view()]).unwrap().dot(&noise(5, 5, 48));
    // Distinct λ: features are the labels. Equal λ: so they are, by the rotation within equal delta values.
    for eigenvalues in [[1.0, 0.6, 0.3], [1.0, 1.0, 1.0], [1.0, 0.5, 0.5]] {
        let graph = ell_on(&v, groups.clone(), columns.clone(), &eigenvalues);
        let slow = fit(&mixed, &graph);
        let y = slow.apply(mixed.view()).unwrap();
        assert!(largest(&(&y - &labels)) < 1e-9, "{eigenvalues:?}");
        for (delta, lambda) in slow.delta_values.iter().zip(eigenvalues) {
            assert!((delta - (2.0 - 2.0 * lambda)).abs() < 1e-11);
        }
        assert!(slow.correlations.iter().all(|rho2| (rho2.unwrap() - 1.0).abs() < 1e-11));
    }
}

#[test]
fn serial_responses_have_their_closed_form() {
    let (n, k) = (60, 6);
    let groups = contiguous(n, k);
    // One indicator per group holds every response that is constant within groups.
    let x = Array2::from_shape_fn((n, k), |(i, g)| f64::from(u8::from(groups.group(i) == g)));
    let slow =
        Gsfa { surplus: Surplus::Fast, ..Gsfa::new(k - 1) }.fit(&x.view(), &serial(&vec![1.0; n], groups)).unwrap();
    assert_eq!(slow.rank, k - 1);
    for (j, delta) in slow.delta_values.iter().enumerate() {
        let expected = 2.0 - 2.0 * (std::f64::consts::PI * (j + 1) as f64 / (k - 1) as f64).cos();
        assert!((delta - expected).abs() < 1e-11, "{:?}", slow.delta_values);
    }
}

#[test]
fn paper_clusters_are_scaled_for_equal_classes() {
    let (n, classes) = (60, 5);
    let groups = Grouping::new((0..n).map(|i| (i % classes) as u32).collect(), classes).unwrap();
    let x = samples(n, 4, 49);
    let loops = Gsfa::new(2).fit(&x.view(), &clustered(&vec![1.0; n], groups.clone())).unwrap();
    let paper = Gsfa::new(2).fit(&x.view(), &clustered_paper(groups)).unwrap();
    let size = (n / classes) as f64;
    for (a, b) in loops.delta_values.iter().zip(&paper.delta_values) {
        assert!((b - size / (size - 1.0) * a).abs() < 1e-11);
    }
    assert!(relative(&paper.weights, &loops.weights) < 1e-9);
}

fn assert_same_features(a: &Array2<f64>, b: &Array2<f64>, tolerance: f64, what: &str) {
    let off = a.axis_iter(Axis(1)).zip(b.axis_iter(Axis(1))).map(|(p, q)| {
        let (plus, minus) = (&p - &q, &p + &q);
        plus.dot(&plus).min(minus.dot(&minus)).sqrt() / q.dot(&q).sqrt()
    });
    assert!(off.fold(0.0, f64::max) < tolerance, "{what}");
}

#[test]
fn features_are_invariant_under_affine_maps_of_the_inputs() {
    let (n, dim) = (120, 6);
    let x = samples(n, dim, 50);
    let mapped = x.dot(&noise(dim, dim, 51)) + noise(1, dim, 52).row(0);
    for (name, graph) in all_graphs(n) {
        let (a, b) = (fit(&x, &graph), fit(&mapped, &graph));
        assert_same_features(&b.apply(mapped.view()).unwrap(), &a.apply(x.view()).unwrap(), 1e-7, name);
        for (p, q) in a.delta_values.iter().zip(&b.delta_values) {
            assert!((p - q).abs() < 1e-9, "{name}");
        }
    }
}

#[test]
fn features_are_invariant_under_the_order_of_samples_and_the_scale_of_weights() {
    let n = 100;
    let x = samples(n, 5, 53);
    let v = uneven_weights(n);
    let order: Vec<usize> = (0..n).map(|i| i * 37 % n).collect();
    let groups: Vec<u32> = (0..n).map(|i| (i * 13 % 9) as u32).collect();
    let grouping = |index: &[usize]| Grouping::new(index.iter().map(|&i| groups[i]).collect(), 9).unwrap();
    let identity: Vec<usize> = (0..n).collect();
    let build = |index: &[usize], scale: f64| {
        let v: Vec<f64> = index.iter().map(|&i| v[i] * scale).collect();
        ell_on(&v, grouping(index), targets(&grouping(index).sums(&v), 3), &[1.0, 0.6, 0.3])
    };
    let plain = fit(&x, &build(&identity, 1.0));
    let permuted = fit(&x.select(Axis(0), &order), &build(&order, 1.0));
    let heavy = fit(&x, &build(&identity, 1e6));
    let strong = build(&identity, 1.0);
    let terms = strong.terms().iter().map(|t| t.clone().scaled(1e-5)).collect();
    let strong = fit(&x, &TrainingGraph::new(v.clone(), terms, strong.uniform() * 1e-5).unwrap());
    for (other, what) in [(permuted, "order"), (heavy, "scale of v"), (strong, "scale of edge weights")] {
        assert!(relative(&other.weights, &plain.weights) < 1e-9, "{what}");
        for (p, q) in other.delta_values.iter().zip(&plain.delta_values) {
            assert!((p - q).abs() < 1e-11, "{what}");
        }
    }
}

#[test]
fn a_weight_of_two_is_the_row_twice() {
    let n = 60;
    let x = samples(n, 5, 54);
    let times: Vec<usize> = (0..n).map(|i| 1 + i % 3).collect();
    let v: Vec<f64> = times.iter().map(|&t| t as f64).collect();
    let twice = repeated(&x, &times);
    let index: Vec<usize> = times.iter().enumerate().flat_map(|(n, &t)| std::iter::repeat_n(n, t)).collect();
    let ones = vec![1.0; twice.nrows()];
    let groups: Vec<u32> = (0..n).map(|i| (i / 10) as u32).collect();
    let one = Grouping::new(groups.clone(), 6).unwrap();
    let two = Grouping::new(index.iter().map(|&i| groups[i]).collect(), 6).unwrap();
    let columns = targets(&one.sums(&v), 3);
    let pairs = [
        (
            "ELL",
            ell_on(&v, one.clone(), columns.clone(), &[1.0, 0.5, 0.2]),
            ell_on(&ones, two.clone(), columns, &[1.0, 0.5, 0.2]),
        ),
        ("clustered", clustered(&v, one.clone()), clustered(&ones, two.clone())),
        ("serial", serial(&v, one), serial(&ones, two)),
    ];
    for (name, weighted, copied) in pairs {
        let (a, b) = (fit(&x, &weighted), fit(&twice, &copied));
        assert_same_features(&a.weights, &b.weights, 1e-9, name);
        for (p, q) in a.delta_values.iter().zip(&b.delta_values) {
            assert!((p - q).abs() < 1e-11, "{name}");
        }
    }
}

#[test]
fn signs_follow_the_labels_or_the_largest_weight() {
    let n = 80;
    let v = uneven_weights(n);
    let t = targets(&v, 2);
    let x = samples(n, 4, 55);
    let slow = fit(&x, &ell_labels(&v, t.clone(), &[1.0, 0.5]));
    let mirrored = fit(&x, &ell_labels(&v, t.mapv(|x| -x), &[1.0, 0.5]));
    assert!(relative(&mirrored.weights.mapv(|x| -x), &slow.weights) < 1e-9);
    let y = slow.apply(x.view()).unwrap();
    let correlation = |j: usize| (0..n).map(|i| v[i] * y[[i, j]] * t[[i, j]]).sum::<f64>();
    assert!(correlation(0) > 0.0);
    let chain = Gsfa::new(3).fit(&x.view(), &chain(n)).unwrap();
    for column in chain.weights.axis_iter(Axis(1)) {
        assert!(column.iter().fold(0.0_f64, |m, &w| if w.abs() > m.abs() { w } else { m }) > 0.0);
    }
}

#[test]
fn self_loops_scale_delta_and_nothing_else() {
    let n = 60;
    let x = samples(n, 4, 56);
    let band = || Coupling::Banded(Banded::new(n, vec![(1, vec![1.0; n - 1])]).unwrap());
    let without = singletons(vec![1.0; n], band(), None);
    let with = singletons(vec![1.0; n], band(), Some((0..n).map(|i| (i % 5) as f64).collect()));
    let (a, b) = (Gsfa::new(2).fit(&x.view(), &without).unwrap(), Gsfa::new(2).fit(&x.view(), &with).unwrap());
    assert!(relative(&b.weights, &a.weights) < 1e-9);
    for (p, q) in a.delta_values.iter().zip(&b.delta_values) {
        assert!((p * without.r() / with.r() - q).abs() < 1e-11);
    }
}

#[test]
fn ridge_on_one_label_is_ridge_regression() {
    let n = 100;
    let v = uneven_weights(n);
    let t = targets(&v, 1);
    let x = samples(n, 5, 57);
    let ridge = 0.3;
    let slow = Gsfa { ridge, ..Gsfa::default() }.fit(&x.view(), &ell_labels(&v, t.clone(), &[1.0])).unwrap();
    let z = centered(&x, &v);
    let c = weighted_gram(&z, &v);
    let b = z.t().dot(&(&t.column(0) * &ndarray::aview1(&v))) / v.iter().sum::<f64>();
    let w = solve(&(&c + &(Array2::<f64>::eye(5) * (ridge * c.diag().sum() / 5.0))), &b);
    let scaled = &w / w.dot(&c.dot(&w)).sqrt();
    let off = &slow.weights.column(0) - &scaled;
    assert!(off.dot(&off).sqrt() < 1e-10 * scaled.dot(&scaled).sqrt());
    let rho = scaled.dot(&b);
    assert!((slow.delta_values[0] - (2.0 - 2.0 * rho * rho)).abs() < 1e-11);
}
