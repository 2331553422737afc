//! Nodes that keep information: what their outputs are, and what they say of the inputs.

use crate::network_support::*;
use crate::solve_support::{largest, noise, repeated};
use gsfa::expansion::Expansion;
use gsfa::graph::{Chain, Ell, GraphInput, Serial, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::moments::Moments;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
use gsfa::solve::{Keep, SlowScaling};
use gsfa::{Error, Gsfa, SlowFeatures, Solver, Surplus};
use ndarray::{Array2, s};

const SCALINGS: [SlowScaling; 5] =
    [SlowScaling::Sensitivity, SlowScaling::Qr, SlowScaling::Median, SlowScaling::Spread, SlowScaling::None];

fn count(slow: usize, scaling: SlowScaling) -> Keep {
    Keep { slow: Some(slow), delta: None, scaling }
}

fn solved(x: &Array2<f64>, graph: &TrainingGraph, outputs: usize, keep: Keep, inputs: usize) -> SlowFeatures {
    solved_by(Solver::Covariance, x, graph, outputs, keep, inputs)
}

fn solved_by(
    solver: Solver,
    x: &Array2<f64>,
    graph: &TrainingGraph,
    outputs: usize,
    keep: Keep,
    inputs: usize,
) -> SlowFeatures {
    let moments = Moments::<f64>::of_for(&x.view(), graph, solver).unwrap().finish().unwrap();
    Gsfa { solver, ..Gsfa::new(outputs) }.solve_keeping(&moments, &keep, inputs).unwrap()
}

fn variance(x: &Array2<f64>, graph: &TrainingGraph) -> f64 {
    column_moments(x, graph.vertex_weights()).1.sum()
}

#[test]
fn without_a_slow_part_outputs_are_principal_components() {
    for (n, dim, outputs) in [(2, 1, 1), (40, 6, 6), (300, 9, 4)] {
        let (x, label) = images(n, InputShape::vector(dim), 1);
        let graph = graph(&label, 1);
        for scaling in SCALINGS {
            let kept = solved(&x, &graph, outputs, count(0, scaling), dim);
            let expected = keeping(&x, &Array2::zeros((n, 0)), graph.vertex_weights(), outputs, SlowScaling::None);
            let off = difference_up_to_signs(&kept.apply(x.view()).unwrap(), &expected);
            assert!(off < 1e-12, "{n}x{dim}: {off:e}");
            assert_eq!((kept.informative, kept.output_dim()), (0, outputs));
        }
    }
}

#[test]
fn a_slow_part_of_all_outputs_is_gsfa() {
    for (n, dim, outputs) in [(2, 1, 1), (60, 5, 3), (500, 12, 4)] {
        let (x, label) = images(n, InputShape::vector(dim), 2);
        let graph = graph(&label, outputs.min(n - 1));
        let plain = Gsfa::new(outputs).fit(&x.view(), &graph).unwrap();
        for scaling in [SlowScaling::None, SlowScaling::Median, SlowScaling::Spread] {
            let kept = solved(&x, &graph, outputs, count(outputs, scaling), dim);
            assert!(largest(&(&kept.weights - &plain.weights)) <= 1e-12 * largest(&plain.weights), "{scaling:?}");
            assert_eq!(kept.delta_values, plain.delta_values);
        }
        let kept = solved(&x, &graph, outputs, count(outputs, SlowScaling::Sensitivity), dim);
        let (_, variances) = column_moments(&kept.apply(x.view()).unwrap(), graph.vertex_weights());
        let unit = kept.apply(x.view()).unwrap() / variances.mapv(f64::sqrt);
        assert!(largest(&(unit - plain.apply(x.view()).unwrap())) < 1e-9);
    }
}

#[test]
fn sums_of_one_pass_say_what_a_regression_and_a_second_pass_would() {
    for (solver, n) in [(Solver::Covariance, 400), (Solver::Svd, 400), (Solver::Covariance, 25), (Solver::Svd, 12)] {
        let (x, label) = images(n, InputShape::vector(7), 3);
        let mut expanded = Array2::zeros((n, Expansion::QUADRATIC.output_dim(7).unwrap()));
        Expansion::QUADRATIC.expand_into(x.view(), expanded.view_mut()).unwrap();
        let graph = graph(&label, 3);
        for scaling in SCALINGS {
            let kept = solved_by(solver, &expanded, &graph, 6, count(2, scaling), 7);
            let slow = Gsfa { solver, surplus: Surplus::Truncate, ..Gsfa::new(2) };
            let slow = slow.fit(&expanded.view(), &graph).unwrap().apply(expanded.view()).unwrap();
            let expected = keeping(&x, &slow, graph.vertex_weights(), 6, scaling);
            let off = difference_up_to_signs(&kept.apply(expanded.view()).unwrap(), &expected);
            assert!(off < 1e-11, "{solver:?}, {n} samples, {scaling:?}: {off:e}");
        }
    }
}

#[test]
fn variances_of_outputs_say_what_the_linear_inverse_explains() {
    for n in [20, 300] {
        let (x, label) = images(n, InputShape::vector(8), 4);
        let expanded = expand(Expansion::EXPO_08, &x);
        let graph = graph(&label, 3);
        for scaling in SCALINGS {
            let slow = solved(&expanded, &graph, 5, count(3, scaling), 8);
            let kept = slow.kept.as_ref().unwrap();
            let outputs = slow.apply(expanded.view()).unwrap();
            let estimate = outputs.dot(&kept.inverse.t()) + slow.mean.slice(s![..8]);
            let explained = 1.0 - variance(&(&x - &estimate), &graph) / variance(&x, &graph);
            assert!((explained - kept.explained).abs() < 1e-12, "{scaling:?}: {explained} {}", kept.explained);
            assert!((kept.variance / variance(&x, &graph) - 1.0).abs() < 1e-12);
            if matches!(scaling, SlowScaling::Sensitivity | SlowScaling::Qr) {
                let share = variance(&outputs, &graph) / variance(&x, &graph);
                assert!((share - explained).abs() < 1e-12, "{scaling:?}: {share} {explained}");
            }
        }
    }
}

#[test]
fn the_inverse_of_all_outputs_of_a_linear_node_gives_the_inputs() {
    for (n, dim, slow) in [(3, 1, 1), (50, 4, 0), (50, 4, 2), (200, 9, 3)] {
        let (x, label) = images(n, InputShape::vector(dim), 5);
        let graph = graph(&label, slow.clamp(1, n - 1));
        for scaling in SCALINGS {
            let standardize = slow == 2;
            let layer = LayerSpec { standardize, keep: Some(count(slow, scaling)), ..LayerSpec::new(dim) };
            let spec = NetworkSpec::new(InputShape::vector(dim), vec![layer]);
            let trained = spec.fit(&x.view(), &graph).unwrap();
            let back = trained.network.inverse(trained.features.view()).unwrap();
            assert!(largest(&(&back - &x)) < 1e-9, "{dim}, {slow}, {scaling:?}");
            let quality = trained.network.reconstructions(&x.view()).unwrap();
            assert!(quality.len() == 1 && (quality[0].explained - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn the_inverse_goes_through_components_overlaps_and_skipped_inputs() {
    let shape = InputShape::grey(6, 6);
    let (x, label) = images(400, shape, 6);
    let graph = graph(&label, 2);
    let keep = Some(count(2, SlowScaling::Sensitivity));
    let first = LayerSpec {
        field: Some([4, 4]),
        stride: Some([2, 2]),
        pca: Some(PcaSpec::components(16)),
        keep,
        ..LayerSpec::new(16)
    };
    let everything = |layers| NetworkSpec::new(shape, layers).fit(&x.view(), &graph).unwrap();
    let all = everything(vec![first.clone(), LayerSpec { keep, ..LayerSpec::new(64) }]);
    let back = all.network.inverse(all.features.view()).unwrap();
    assert!(largest(&(&back - &x)) < 1e-8);
    // A layer that sees the inputs once more needs no inverse below it.
    let skip = Some(Skip { feature_scale: 0.1, gate: None });
    let plain = LayerSpec { keep: None, ..first.clone() };
    let skipping = everything(vec![plain.clone(), LayerSpec { skip, keep, ridge: 1e-3, ..LayerSpec::new(40) }]);
    let back = skipping.network.inverse(skipping.features.view()).unwrap();
    assert!(largest(&(&back - &x)) < 1e-8);
    let half = everything(vec![plain, LayerSpec { keep, ..LayerSpec::new(8) }]);
    let refused = half.network.inverse(half.features.view());
    assert!(matches!(refused, Err(Error::Parameter { name: "keep", .. })), "{refused:?}");
    // Fewer outputs keep less, layer by layer.
    let few = everything(vec![LayerSpec { output_dim: 9, ..first }, LayerSpec { keep, ..LayerSpec::new(5) }]);
    let quality = few.network.reconstructions(&x.view()).unwrap();
    assert!(quality[0].explained > quality[1].explained && quality[1].explained > 0.1, "{quality:?}");
    assert!(quality[0].error < quality[1].error);
}

#[test]
fn the_slow_part_goes_by_delta_values_or_by_noise() {
    let (n, dim) = (600, 10);
    let (x, label) = images(n, InputShape::vector(dim), 7);
    let ell = graph(&label, 6);
    let plain = Gsfa::new(6).fit(&x.view(), &ell).unwrap();
    for delta in [0.1, 1.0, 1.6, 1.99, 2.0] {
        let by_delta = Keep { delta: Some(delta), ..Keep::default() };
        let kept = solved(&x, &ell, 8, by_delta, dim);
        assert_eq!(kept.informative, plain.delta_values.iter().filter(|d| **d <= delta).count(), "{delta}");
        assert_eq!(kept.output_dim(), 8);
    }
    // What the label moves is more than noise, and what is independent of it is not.
    let kept = solved(&x, &ell, 8, Keep::default(), dim);
    assert!(kept.informative > 0 && kept.informative < 6, "{}", kept.informative);
    let unrelated = solved(&noise(n, dim, 8), &ell, 8, Keep::default(), dim);
    assert!(unrelated.informative <= 1, "{}", unrelated.informative);
    // Graphs of groups have no labels but a number of groups; chains of samples have neither.
    let labels = Labels::numbers("label", label.clone());
    let serial = Serial { groups: 10, ..Serial::default() }.build(&GraphInput::new(&labels)).unwrap();
    assert!(solved(&x, &serial, 8, Keep::default(), dim).informative > 0);
    let chain = Chain::default().build(&GraphInput::new(&Labels::none(n))).unwrap();
    let moments = Moments::<f64>::of(&x.view(), &chain).unwrap().finish().unwrap();
    let refused = Gsfa::new(4).solve_keeping(&moments, &Keep::default(), dim);
    assert!(matches!(refused, Err(Error::Parameter { name: "keep", .. })), "{refused:?}");
    let refused = Gsfa::new(4).solve_keeping(&moments, &Keep { delta: Some(3.0), ..Keep::default() }, dim);
    assert!(matches!(refused, Err(Error::Parameter { name: "delta", .. })), "{refused:?}");
    assert!(Gsfa::new(4).solve_keeping(&moments, &count(1, SlowScaling::None), dim + 1).is_err());
}

#[test]
fn a_sample_of_weight_two_is_the_sample_twice() {
    let (x, label) = images(80, InputShape::vector(6), 9);
    let times: Vec<usize> = (0..80).map(|n| 1 + n % 3).collect();
    let weights = SampleWeights::new(times.iter().map(|&t| t as f64).collect()).unwrap();
    let ell = Ell { targets: Some(3), ..Default::default() };
    let labels = Labels::numbers("label", label.clone());
    let weighted = ell.build(&GraphInput::new(&labels).with_weights(weights).unwrap()).unwrap();
    let label = times.iter().zip(&label).flat_map(|(&t, &l)| std::iter::repeat_n(l, t)).collect();
    let often = ell.build(&GraphInput::new(&Labels::numbers("label", label))).unwrap();
    for scaling in SCALINGS {
        let one = solved(&x, &weighted, 5, count(2, scaling), 6);
        let other = solved(&repeated(&x, &times), &often, 5, count(2, scaling), 6);
        assert!(largest(&(&one.weights - &other.weights)) < 1e-9, "{scaling:?}");
        let (one, other) = (one.kept.unwrap(), other.kept.unwrap());
        assert!(largest(&(&one.inverse - &other.inverse)) < 1e-9 && (one.explained - other.explained).abs() < 1e-12);
    }
}

#[test]
fn constant_and_copied_inputs_are_kept_as_they_are() {
    let (mut x, label) = images(100, InputShape::vector(6), 10);
    x.column_mut(1).fill(7.5);
    let copy = x.column(0).to_owned();
    x.column_mut(4).assign(&copy);
    let graph = graph(&label, 2);
    let layer = LayerSpec { keep: Some(count(2, SlowScaling::Sensitivity)), ..LayerSpec::new(6) };
    let spec = NetworkSpec::new(InputShape::vector(6), vec![layer]);
    let trained = spec.fit(&x.view(), &graph).unwrap();
    let node = trained.network.layers[0][0].slow.as_ref().unwrap();
    assert_eq!(node.output_dim(), 4);
    assert!(node.weights.row(1).iter().all(|w| *w == 0.0));
    assert!(largest(&(trained.network.inverse(trained.features.view()).unwrap() - &x)) < 1e-9);
    // A field in which nothing varies keeps its mean.
    let half = LayerSpec { field: Some([1, 3]), ..spec.layers[0].clone() };
    x.slice_mut(s![.., ..3]).fill(-2.0);
    let spec = NetworkSpec::new(InputShape { height: 1, width: 6, channels: 1 }, vec![half]);
    let trained = spec.fit(&x.view(), &graph).unwrap();
    assert_eq!(trained.network.layers[0][0].slow.as_ref().unwrap().output_dim(), 0);
    assert!(largest(&(trained.network.inverse(trained.features.view()).unwrap() - &x)) < 1e-9);
}

#[test]
fn the_size_of_the_inputs_is_the_size_of_what_is_kept() {
    let (x, label) = images(90, InputShape::vector(5), 11);
    let graph = graph(&label, 2);
    for scaling in [SlowScaling::Sensitivity, SlowScaling::Qr, SlowScaling::Median, SlowScaling::Spread] {
        let outputs = |factor: f64| {
            let x = &x * factor;
            solved(&x, &graph, 4, count(2, scaling), 5).apply(x.view()).unwrap() / factor
        };
        for factor in [1e-100, 3.0, 1e120] {
            assert!(largest(&(outputs(factor) - outputs(1.0))) < 1e-9, "{scaling:?}, {factor:e}");
        }
    }
}

#[test]
fn layers_say_what_is_wrong_with_what_they_should_keep() {
    let network = |layer: LayerSpec| NetworkSpec::new(InputShape::vector(4), vec![layer]).plan();
    let keep = Some(Keep { delta: Some(-1.0), ..Keep::default() });
    let error = network(LayerSpec { keep, ..LayerSpec::new(2) }).unwrap_err();
    assert!(error.to_string().contains("-1 in layer 1"), "{error}");
    let keep = Some(Keep::default());
    let error = network(LayerSpec { keep, surplus: Surplus::Fast, ..LayerSpec::new(2) }).unwrap_err();
    assert!(error.to_string().contains("fast in layer 1"), "{error}");
    let spec: LayerSpec = toml::from_str("output_dim = 5\nkeep = { slow = 2, scaling = 'qr' }").unwrap();
    assert_eq!(spec.keep, Some(count(2, SlowScaling::Qr)));
    assert!(toml::from_str::<LayerSpec>("output_dim = 5\nkeep = { fast = 2 }").is_err());
}
