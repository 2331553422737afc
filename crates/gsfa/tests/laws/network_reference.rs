//! Networks equal what their definition gives: nodes by hand, and a slow network of loops and dense matrices.

use crate::network_support::*;
use gsfa::Gsfa;
use gsfa::expansion::{Clip, Expansion, First};
use gsfa::network::{Gate, InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
use gsfa::solve::{Keep, SlowScaling};
use ndarray::{Array2, Axis, concatenate, s};

fn one_node(dim: usize, layer: LayerSpec) -> NetworkSpec {
    NetworkSpec::new(InputShape::vector(dim), vec![layer])
}

#[test]
fn one_linear_node_is_plain_gsfa_to_the_bit() {
    for (n, dim, ridge) in [(2, 1, 0.0), (30, 4, 0.0), (1500, 20, 1e-3), (600, 1003, 0.0)] {
        let (x, label) = images(n, InputShape::vector(dim), 1);
        let graph = graph(&label, 3.min(n - 1));
        let outputs = 3.min(dim).min(n - 1);
        let spec = one_node(dim, LayerSpec { ridge, ..LayerSpec::new(outputs) });
        let gsfa = Gsfa { ridge, ..Gsfa::new(outputs) };
        let trained = spec.fit(&x.view(), &graph).unwrap();
        let plain = gsfa.fit(&x.view(), &graph).unwrap();
        let node = trained.network.layers[0][0].slow.as_ref().unwrap();
        assert_eq!((&node.weights, &node.mean), (&plain.weights, &plain.mean), "{n}x{dim}");
        assert_eq!((&node.delta_values, &node.correlations), (&plain.delta_values, &plain.correlations));
        assert_eq!(trained.features, plain.apply(x.view()).unwrap(), "{n}x{dim}");
        let single = x.mapv(|x| x as f32);
        let trained = spec.fit(&single.view(), &graph).unwrap();
        let plain = gsfa.fit(&single.view(), &graph).unwrap();
        assert_eq!(trained.network.layers[0][0].slow.as_ref().unwrap().weights, plain.weights, "{n}x{dim}, f32");
        assert_eq!(trained.features, plain.apply(single.view()).unwrap().mapv(f64::from), "{n}x{dim}, f32");
    }
}

#[test]
fn a_cascade_is_its_nodes_applied_by_hand() {
    let (n, dim) = (700, 12);
    let (x, label) = images(n, InputShape::vector(dim), 2);
    let graph = graph(&label, 4);
    let expansion = Expansion::Polynomial { degree: 2, first: Some(First { count: 2, degree: 3 }) };
    let skip = Some(Skip { feature_scale: 0.5, gate: None });
    let spec = NetworkSpec::new(
        InputShape::vector(dim),
        vec![
            LayerSpec { ridge: 3e-4, ..LayerSpec::new(4) },
            LayerSpec { expansion, skip, ridge: 3e-3, ..LayerSpec::new(4) },
            LayerSpec { expansion: Expansion::EXPO_08, ..LayerSpec::new(3) },
        ],
    );
    let trained = spec.fit(&x.view(), &graph).unwrap();
    let first = Gsfa { ridge: 3e-4, ..Gsfa::new(4) }.fit(&x.view(), &graph).unwrap();
    let y = first.apply(x.view()).unwrap();
    let mut products = Array2::zeros((n, expansion.output_dim(4).unwrap()));
    expansion.expand_into(y.view(), products.view_mut()).unwrap();
    let (_, variance) = column_moments(&x, &vec![1.0; n]);
    let scaled = &x * (1.0 / variance.mean().unwrap().sqrt());
    let joined = concatenate(Axis(1), &[scaled.view(), (products * 0.5).view()]).unwrap();
    let second = Gsfa { ridge: 3e-3, ..Gsfa::new(4) }.fit(&joined.view(), &graph).unwrap();
    let y = second.apply(joined.view()).unwrap();
    let mut expo = Array2::zeros((n, 8));
    Expansion::EXPO_08.expand_into(y.view(), expo.view_mut()).unwrap();
    let third = Gsfa::new(3).fit(&expo.view(), &graph).unwrap();
    let by_hand = third.apply(expo.view()).unwrap();
    assert!(difference_up_to_signs(&trained.features, &by_hand) < 1e-9);
    // Signs follow from one rule, so that not even these differ.
    assert!(crate::solve_support::largest(&(&trained.features - &by_hand)) < 1e-9);
}

#[test]
fn a_cascade_without_skip_has_the_bits_of_its_nodes() {
    let (x, label) = images(900, InputShape::vector(9), 3);
    let graph = graph(&label, 3);
    let quadratic = LayerSpec { expansion: Expansion::QUADRATIC, ..LayerSpec::new(3) };
    let layers = vec![LayerSpec::new(3), quadratic];
    let trained = NetworkSpec::new(InputShape::vector(9), layers).fit(&x.view(), &graph).unwrap();
    let y = Gsfa::new(3).fit(&x.view(), &graph).unwrap().apply(x.view()).unwrap();
    let mut expanded = Array2::zeros((900, 9));
    Expansion::QUADRATIC.expand_into(y.view(), expanded.view_mut()).unwrap();
    let top = Gsfa::new(3).fit(&expanded.view(), &graph).unwrap();
    assert_eq!(trained.features, top.apply(expanded.view()).unwrap());
}

/// Networks that keep information, in every size of the slow part.
fn keeping() -> Vec<(&'static str, NetworkSpec)> {
    let node = |field, slow, scaling, outputs| LayerSpec {
        field,
        keep: Some(Keep { slow: Some(slow), delta: None, scaling }),
        ..LayerSpec::new(outputs)
    };
    let expo = |layer: LayerSpec| LayerSpec { expansion: Expansion::EXPO_08, ..layer };
    let pca = |layer: LayerSpec| LayerSpec { pca: Some(PcaSpec::components(6)), ..layer };
    let first = || LayerSpec { stride: Some([2, 2]), ..node(Some([2, 4]), 2, SlowScaling::Sensitivity, 5) };
    let skip = Some(Skip { feature_scale: 0.3, gate: None });
    let network = |layers| NetworkSpec::new(InputShape::grey(4, 6), layers);
    vec![
        ("keeping, sensitivity", network(vec![expo(first()), node(None, 3, SlowScaling::Sensitivity, 9)])),
        ("keeping, components first", network(vec![pca(expo(first())), node(None, 3, SlowScaling::Qr, 9)])),
        (
            "keeping, ridge",
            network(vec![
                LayerSpec { ridge: 1e-2, ..expo(node(Some([2, 3]), 3, SlowScaling::Qr, 5)) },
                LayerSpec { ridge: 1e-2, ..node(None, 2, SlowScaling::Median, 8) },
            ]),
        ),
        (
            "keeping, median and spread",
            network(vec![expo(node(Some([2, 3]), 3, SlowScaling::Median, 6)), {
                LayerSpec { expansion: Expansion::QUADRATIC, ridge: 1e-2, ..node(None, 3, SlowScaling::Spread, 9) }
            }]),
        ),
        (
            "keeping skipped inputs",
            network(vec![
                node(Some([2, 3]), 2, SlowScaling::None, 4),
                LayerSpec { skip, ridge: 1e-2, ..node(None, 2, SlowScaling::Sensitivity, 7) },
            ]),
        ),
    ]
}

/// Networks with a bit of everything.
fn specs() -> Vec<(&'static str, NetworkSpec)> {
    let grey = InputShape::grey(4, 6);
    let color = InputShape { height: 5, width: 4, channels: 3 };
    let layer = LayerSpec::new(3);
    let expo = LayerSpec { expansion: Expansion::EXPO_08, ..layer.clone() };
    let pca = |k| Some(PcaSpec::components(k));
    let radial = Expansion::Rbf { centers: 150, width: 0.3, seed: 1 };
    let radial = LayerSpec { expansion: radial, ridge: 1e-2, ..layer.clone() };
    let overlapping = LayerSpec { field: Some([3, 2]), stride: Some([2, 1]), pca: pca(6), ..expo.clone() };
    vec![
        ("one linear node", NetworkSpec::new(grey, vec![layer.clone()])),
        (
            "radial basis functions, standardised",
            NetworkSpec::new(InputShape::vector(5), vec![LayerSpec { standardize: true, ..radial.clone() }]),
        ),
        (
            "radial basis functions of fields, and of components above",
            NetworkSpec::new(
                grey,
                vec![
                    LayerSpec { field: Some([2, 3]), ..radial.clone() },
                    LayerSpec { pca: pca(4), standardize: true, ..radial },
                ],
            ),
        ),
        (
            "fields without overlap",
            NetworkSpec::new(grey, vec![LayerSpec { field: Some([2, 3]), pca: pca(4), ..expo.clone() }, expo.clone()]),
        ),
        (
            "overlap, three channels",
            NetworkSpec::new(
                color,
                vec![
                    overlapping.clone(),
                    LayerSpec { field: Some([1, 2]), stride: Some([1, 1]), ..layer.clone() },
                    expo.clone(),
                ],
            ),
        ),
        (
            "stride below the field in one direction, ridge",
            NetworkSpec::new(
                grey,
                vec![
                    LayerSpec { field: Some([2, 4]), stride: Some([2, 2]), ridge: 1e-2, ..layer.clone() },
                    LayerSpec { ridge: 1e-3, expansion: Expansion::QUADRATIC, field: Some([1, 2]), ..layer.clone() },
                    LayerSpec::new(2),
                ],
            ),
        ),
        (
            "whitened components by share of variance, clipped",
            NetworkSpec::new(
                grey,
                vec![
                    LayerSpec {
                        field: Some([2, 6]),
                        pca: Some(PcaSpec { variance: Some(0.8), whiten: true, components: None }),
                        clip: Some(Clip { sigmas: 1.5 }),
                        ..expo.clone()
                    },
                    LayerSpec { clip: Some(Clip { sigmas: 2.0 }), expansion: Expansion::QUADRATIC, ..layer.clone() },
                ],
            ),
        ),
        (
            "skip within fields",
            NetworkSpec::new(
                color,
                vec![
                    LayerSpec { field: Some([5, 2]), ridge: 1e-3, ..layer.clone() },
                    LayerSpec {
                        field: Some([1, 1]),
                        skip: Some(Skip { feature_scale: 0.3, gate: None }),
                        ridge: 1e-2,
                        expansion: Expansion::QUADRATIC,
                        ..layer.clone()
                    },
                    LayerSpec { skip: Some(Skip { feature_scale: 0.7, gate: None }), ridge: 1e-2, ..layer.clone() },
                ],
            ),
        ),
        (
            "products with components of the inputs, all of them or some",
            NetworkSpec::new(
                grey,
                vec![
                    LayerSpec { field: Some([2, 6]), ridge: 1e-3, ..layer.clone() },
                    LayerSpec {
                        field: Some([1, 1]),
                        skip: Some(Skip {
                            feature_scale: 0.3,
                            gate: Some(Gate { squares: 0.2, ..Gate::components(50) }),
                        }),
                        ridge: 1e-2,
                        ..layer.clone()
                    },
                    LayerSpec {
                        skip: Some(Skip {
                            feature_scale: 0.7,
                            gate: Some(Gate { features: Some(2), ..Gate::components(5) }),
                        }),
                        ridge: 1e-2,
                        ..layer.clone()
                    },
                ],
            ),
        ),
        (
            "standardised, quadratic",
            NetworkSpec::new(
                InputShape::vector(5),
                vec![LayerSpec { standardize: true, expansion: Expansion::QUADRATIC, ridge: 1e-2, ..layer.clone() }],
            ),
        ),
        (
            "standardised, then components",
            NetworkSpec::new(
                grey,
                vec![LayerSpec { standardize: true, pca: pca(5), expansion: Expansion::QUADRATIC, ..layer }],
            ),
        ),
    ]
}

#[test]
fn every_layer_equals_the_slow_reference() {
    for (name, spec) in specs().into_iter().chain(keeping()) {
        let (mut x, label) = images(150, spec.input, 4);
        // Columns of different size, so that scales matter.
        x.axis_iter_mut(Axis(1)).enumerate().for_each(|(i, mut c)| c *= 1.0 + (i % 4) as f64);
        let graph = graph(&label, 3);
        let expected = reference_network(&spec, &x, &graph);
        for depth in 1..=spec.layers.len() {
            let part = NetworkSpec { layers: spec.layers[..depth].to_vec(), ..spec.clone() };
            let features = part.fit(&x.view(), &graph).unwrap().features;
            let off = difference_up_to_signs(&features, &expected[depth - 1]);
            assert!(off < 1e-8, "{name}, layer {depth}: {off:e}");
            let single = part.fit(&x.mapv(|x| x as f32).view(), &graph).unwrap().features;
            let off = difference_up_to_signs(&single, &expected[depth - 1]);
            // Rounding of f32 grows with the condition of the covariance, layer by layer.
            assert!(off < 3e-3, "{name}, layer {depth}, f32: {off:e}");
        }
    }
}

#[test]
fn weighted_samples_weigh_in_pca_and_clipping() {
    // A sample of weight 2 is the sample twice.
    let shape = InputShape::grey(2, 6);
    let (x, label) = images(90, shape, 5);
    let spec = NetworkSpec::new(
        shape,
        vec![
            LayerSpec {
                field: Some([2, 3]),
                pca: Some(PcaSpec::components(4)),
                clip: Some(Clip { sigmas: 2.0 }),
                expansion: Expansion::EXPO_08,
                ..LayerSpec::new(3)
            },
            LayerSpec { clip: Some(Clip { sigmas: 2.0 }), expansion: Expansion::QUADRATIC, ..LayerSpec::new(2) },
        ],
    );
    let times: Vec<usize> = (0..90).map(|n| 1 + n % 3).collect();
    let weights: Vec<f64> = times.iter().map(|&t| t as f64).collect();
    let labels = gsfa::labels::Labels::numbers("label", label.clone());
    let input = gsfa::graph::GraphInput::new(&labels);
    let weighted = input.with_weights(gsfa::labels::SampleWeights::new(weights).unwrap()).unwrap();
    let ell = gsfa::graph::Ell { targets: Some(3), ..Default::default() };
    let one = spec.fit(&x.view(), &ell.build(&weighted).unwrap()).unwrap();
    let label: Vec<f64> = times.iter().zip(&label).flat_map(|(&t, &l)| std::iter::repeat_n(l, t)).collect();
    let repeated = crate::solve_support::repeated(&x, &times);
    let labels = gsfa::labels::Labels::numbers("label", label);
    let other = spec.fit(&repeated.view(), &ell.build(&gsfa::graph::GraphInput::new(&labels)).unwrap()).unwrap();
    let off = difference_up_to_signs(&crate::solve_support::repeated(&one.features, &times), &other.features);
    assert!(off < 1e-9, "{off:e}");
}

#[test]
fn features_of_a_node_lie_side_by_side_in_the_order_of_the_nodes() {
    let shape = InputShape::grey(2, 4);
    let (x, label) = images(60, shape, 6);
    let graph = graph(&label, 2);
    let spec = NetworkSpec::new(shape, vec![LayerSpec { field: Some([1, 2]), ..LayerSpec::new(2) }]);
    let features = spec.fit(&x.view(), &graph).unwrap().features;
    for (node, columns) in [[0, 1], [2, 3], [4, 5], [6, 7]].iter().enumerate() {
        let field = x.select(Axis(1), columns);
        let alone = Gsfa::new(2).fit(&field.view(), &graph).unwrap().apply(field.view()).unwrap();
        assert_eq!(features.slice(s![.., 2 * node..2 * node + 2]), alone, "node {node}");
    }
}
