//! Laws of radial basis functions.

use gsfa::expansion::{Expansion, RbfCenters, RbfSpec};
use gsfa::graph::{Ell, GraphInput, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, Trained};
use gsfa::{Error, Result};
use ndarray::{Array2, Axis, concatenate, s};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn samples(rows: usize, columns: usize) -> Array2<f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    Array2::from_shape_simple_fn((rows, columns), || random.random_range(-1.0..1.0))
}

fn labels(x: &Array2<f64>) -> Vec<f64> {
    let column = |i: usize| x.column(i.min(x.ncols() - 1)).to_owned();
    column(0).iter().zip(&column(1)).map(|(a, b)| (3.0 * a).sin() + b * b).collect()
}

fn graph_of(y: &[f64]) -> TrainingGraph {
    let labels = Labels::numbers("y", y.to_vec());
    Ell { targets: Some(1), ..Ell::default() }.build(&GraphInput::new(&labels)).unwrap()
}

fn layer(centers: usize, width: f64) -> LayerSpec {
    let expansion = Expansion::Rbf { centers, width, seed: 0 };
    LayerSpec { expansion, standardize: true, ridge: 1e-4, ..LayerSpec::new(1) }
}

fn network(inputs: usize, layer: LayerSpec) -> NetworkSpec {
    NetworkSpec::new(InputShape::vector(inputs), vec![layer])
}

fn fit(x: &Array2<f64>, y: &[f64], layer: LayerSpec) -> Result<Trained> {
    network(x.ncols(), layer).fit(&x.view(), &graph_of(y))
}

fn centers(trained: &Trained) -> &RbfCenters {
    trained.network.layers[0][0].centers.as_ref().unwrap()
}

fn far(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    let most = |sign: f64| (a - &(b * sign)).iter().fold(0.0_f64, |most, d| most.max(d.abs()));
    most(1.0).min(most(-1.0))
}

#[test]
fn terms_are_inputs_and_features_whose_products_are_kernels() {
    let x = samples(40, 3);
    let drawn = RbfCenters::draw::<f64>(&RbfSpec { centers: 12, width: 0.7, seed: 3 }, x.view()).unwrap();
    assert_eq!(drawn.count(), 12);
    let mut terms = Array2::zeros((12, 15));
    drawn.expand_into(drawn.centers.view(), terms.view_mut()).unwrap();
    assert_eq!(terms.slice(s![.., ..3]), drawn.centers);
    let z = terms.slice(s![.., 3..]);
    let variance = x.var_axis(Axis(0), 0.0).sum();
    assert!((drawn.scale.powi(-2) / 2.0 - 0.49 * variance).abs() < 1e-12);
    for (i, a) in drawn.centers.outer_iter().enumerate() {
        for (j, b) in drawn.centers.outer_iter().enumerate() {
            let square: f64 = (&a - &b).mapv(|d| d * d).sum();
            let kernel = (-square / (2.0 * 0.49 * variance)).exp();
            assert!((z.row(i).dot(&z.row(j)) - kernel).abs() < 1e-9, "{i} {j}");
        }
    }
}

#[test]
fn as_many_centers_as_samples_interpolate() {
    for (n, dim) in [(4, 1), (30, 2), (60, 5)] {
        let x = samples(n, dim);
        let trained = fit(&x, &labels(&x), LayerSpec { ridge: 1e-9, ..layer(n, 0.3) }).unwrap();
        assert!(centers(&trained).count() >= n - 1, "{n}: {}", centers(&trained).count());
        let slow = trained.network.layers[0][0].slow.as_ref().unwrap();
        assert!(slow.correlations[0] > Some(1.0 - 1e-5), "{n}: {:?}", slow.correlations[0]);
    }
}

#[test]
fn wide_kernels_leave_a_linear_node() {
    let x = samples(80, 3);
    let y = labels(&x);
    let wide = fit(&x, &y, layer(50, 1e6)).unwrap();
    assert_eq!(centers(&wide).count(), 1, "all kernels are the same");
    let linear = LayerSpec { expansion: Expansion::Identity, ..layer(1, 1.0) };
    assert!(far(&wide.features, &fit(&x, &y, linear).unwrap().features) < 1e-3);
}

#[test]
fn neither_threads_nor_the_order_of_samples_matter() {
    let x = samples(700, 4);
    let y = labels(&x);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&x, &y, layer(60, 1.0)).unwrap())
    };
    let one = with(1);
    for threads in [2, 5] {
        assert_eq!(with(threads).features, one.features);
    }
    let back: Vec<usize> = (0..700).rev().collect();
    let turned = x.select(Axis(0), &back);
    let y: Vec<f64> = back.iter().map(|&n| y[n]).collect();
    let turned = fit(&turned, &y, layer(60, 1.0)).unwrap();
    assert!(far(&turned.features.select(Axis(0), &back), &one.features) < 1e-8);
}

#[test]
fn the_order_of_columns_does_not_matter() {
    // Numbers, and words as columns of 0 and 1, where rows have the same values in other places. Not all rows that there
    // could be: then nothing but their names would tell columns apart.
    let x = samples(700, 12);
    let words = Array2::from_shape_fn((700, 12), |(n, i)| f64::from(u8::from(x[[n, i]] > 0.1 * i as f64 - 0.7)));
    for x in [x, words] {
        let y = labels(&x);
        for (count, standardize) in [(20, true), (60, false)] {
            let of = |x: &Array2<f64>| fit(x, &y, LayerSpec { standardize, ..layer(count, 1.0) }).unwrap().features;
            let back: Vec<usize> = (0..x.ncols()).rev().collect();
            let apart = far(&of(&x.select(Axis(1), &back)), &of(&x));
            assert!(apart < 1e-8, "{count} centres, {}: {apart}", x[[0, 0]]);
        }
    }
}

#[test]
fn weights_are_copies() {
    let x = samples(50, 2);
    let y = labels(&x);
    let twice = concatenate(Axis(0), &[x.view(), x.slice(s![..20, ..])]).unwrap();
    let copied: Vec<f64> = y.iter().chain(&y[..20]).copied().collect();
    let copies = fit(&twice, &copied, layer(15, 1.0)).unwrap();
    let labels = Labels::numbers("y", y);
    let weights: Vec<f64> = (0..50).map(|n| if n < 20 { 2.0 } else { 1.0 }).collect();
    let input = GraphInput::new(&labels).with_weights(SampleWeights::new(weights).unwrap()).unwrap();
    let graph = Ell { targets: Some(1), ..Ell::default() }.build(&input).unwrap();
    let weighted = network(2, layer(15, 1.0)).fit(&x.view(), &graph).unwrap();
    assert!(far(&weighted.features, &copies.features.slice(s![..50, ..]).to_owned()) < 1e-8);
    let apart = &centers(&weighted).centers - &centers(&copies).centers;
    assert!(apart.iter().all(|d| d.abs() < 1e-12));
}

#[test]
fn hostile_values_are_learned_from_or_refused_with_the_place() {
    let x = samples(60, 3);
    let y = labels(&x);
    // All samples are centres: another scale has other hashes, and another draw.
    let usual = fit(&x, &y, layer(60, 1.0)).unwrap();
    for factor in [1e200, 1e-200, 1e6] {
        let mut large = x.clone();
        large.column_mut(1).mapv_inplace(|v| v * factor);
        let trained = fit(&large, &y, layer(60, 1.0)).unwrap();
        assert!(far(&trained.features, &usual.features) < 1e-6, "{factor}");
    }
    // Columns that say nothing change nothing.
    let constant = concatenate(Axis(1), &[x.view(), Array2::from_elem((60, 1), 7.25).view()]).unwrap();
    assert!(far(&fit(&constant, &y, layer(60, 1.0)).unwrap().features, &usual.features) < 1e-8);
    // Fewer different samples than centres.
    let copies = x.select(Axis(0), &(0..60).map(|n| n % 6).collect::<Vec<_>>());
    let few = fit(&copies, &labels(&copies), layer(20, 1.0)).unwrap();
    assert!(centers(&few).count() <= 6);
    assert!(few.features.iter().all(|v| v.is_finite()));
    // Nothing varies: there is no centre, and no feature.
    let dead = fit(&Array2::from_elem((60, 2), 3.0), &y, layer(20, 1.0)).unwrap();
    assert_eq!(centers(&dead).count(), 0);
    assert!(dead.features.iter().all(|v| *v == 0.0));
    let mut hole = x.clone();
    hole[[17, 2]] = f64::NAN;
    assert!(matches!(
        fit(&hole, &y, LayerSpec { standardize: false, ..layer(20, 1.0) }),
        Err(Error::NonFiniteSample { row: 17, column: 2, .. })
    ));
    // A new sample far away is far from all centres, and its features are numbers.
    let away = usual.network.apply(&Array2::from_elem((1, 3), 1e150).view()).unwrap();
    assert!(away.iter().all(|v| v.is_finite()));
}

#[test]
fn impossible_numbers_are_refused() {
    let rbf = |centers, width| Expansion::Rbf { centers, width, seed: 0 };
    for bad in [rbf(0, 1.0), rbf(20_001, 1.0), rbf(5, 0.0), rbf(5, -1.0), rbf(5, f64::NAN), rbf(5, f64::INFINITY)] {
        assert!(matches!(bad.output_dim(3), Err(Error::Parameter { .. })), "{bad:?}");
    }
    assert_eq!(rbf(5, 1.0).output_dim(3), Ok(8));
    assert!(rbf(5, 1.0).output_dim(usize::MAX).is_err());
    let mut out = Array2::<f64>::zeros((2, 8));
    assert!(rbf(5, 1.0).expand_into(samples(2, 3).view(), out.view_mut()).is_err(), "there are no centres");
}

#[test]
fn cascades_and_fields_have_their_own_centers() {
    let x = samples(90, 8);
    let y = labels(&x);
    let below = LayerSpec { field: Some([2, 2]), output_dim: 2, ..layer(12, 1.0) };
    let spec = NetworkSpec::new(InputShape { height: 2, width: 4, channels: 1 }, vec![below, layer(20, 1.5)]);
    let plan = spec.plan().unwrap();
    assert_eq!((plan.layers[0].expanded_dim, plan.layers[1].expanded_dim, plan.layers[1].centers), (16, 24, 20));
    let trained = spec.fit(&x.view(), &graph_of(&y)).unwrap();
    assert_eq!(trained.network.layers[0].len(), 2);
    let apart = trained.network.apply(&x.view()).unwrap() - &trained.features;
    assert!(apart.iter().all(|d| d.abs() < 1e-9));
}
