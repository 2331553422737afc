//! A shared layer: one node for all fields.

use crate::network_support::*;
use crate::solve_support::largest;
use gsfa::expansion::{Clip, Expansion};
use gsfa::graph::{Chain, Clustered, Compact, Ell, GraphInput, GraphSpec, Mixed, Serial, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::model::Training;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
use gsfa::{Error, Keep, Model, Solver};
use ndarray::{Array2, Axis, concatenate, s};

/// A field of 3×3 pixels of a grid of 2×3 fields that overlap.
fn shared(layer: LayerSpec) -> LayerSpec {
    LayerSpec { field: Some([3, 3]), stride: Some([2, 2]), shared: true, ..layer }
}

const SHAPE: InputShape = InputShape { height: 5, width: 7, channels: 1 };

/// What each field sees of all samples, one field below the other.
fn stacked(x: &Array2<f64>) -> Array2<f64> {
    let mut fields = Vec::new();
    for (top, left) in [0, 2].into_iter().flat_map(|top| [0, 2, 4].map(|left| (top, left))) {
        let columns: Vec<usize> =
            (top..top + 3).flat_map(|row| (left..left + 3).map(move |column| row * SHAPE.width + column)).collect();
        fields.push(x.select(Axis(1), &columns));
    }
    concatenate(Axis(0), &fields.iter().map(|field| field.view()).collect::<Vec<_>>()).unwrap()
}

fn built(spec: &GraphSpec, label: &[f64], weights: &[f64], copies: usize) -> TrainingGraph {
    let repeated = |values: &[f64]| values.repeat(copies);
    let classes: Vec<String> = repeated(label).iter().map(|l| format!("{}", (l * 4.999) as usize)).collect();
    let labels = Labels::numbers("label", repeated(label)).and_classes("class", &classes).unwrap();
    let weights = SampleWeights::new(repeated(weights)).unwrap();
    spec.build(&GraphInput::new(&labels).with_weights(weights).unwrap()).unwrap()
}

fn graphs() -> Vec<GraphSpec> {
    let (label, class) = (|| Some("label".to_string()), || Some("class".to_string()));
    vec![
        Ell { labels: vec!["label".into()], targets: Some(3), ..Ell::default() }.into(),
        Serial { label: label(), groups: 6 }.into(),
        Mixed { label: label(), groups: 5 }.into(),
        Clustered { label: class(), ..Clustered::default() }.into(),
        Compact { label: class(), ..Compact::default() }.into(),
    ]
}

fn layers() -> Vec<LayerSpec> {
    let plain = shared(LayerSpec { ridge: 1e-6, ..LayerSpec::new(3) });
    let reduced = LayerSpec { pca: Some(PcaSpec::components(5)), expansion: Expansion::EXPO_08, ..plain.clone() };
    let clipped = LayerSpec { clip: Some(Clip { sigmas: 2.0 }), expansion: Expansion::QUADRATIC, ..plain.clone() };
    let keep = Some(Keep { slow: Some(2), ..Keep::default() });
    let scaled = LayerSpec { standardize: true, keep, output_dim: 6, ..plain.clone() };
    vec![plain, reduced, clipped, scaled]
}

#[test]
fn a_shared_node_is_one_that_is_trained_on_all_fields_as_samples() {
    // With few samples, fields are fewer than inputs of the node.
    for (n, weighted) in [(120, false), (120, true), (20, false)] {
        let (x, label) = images(n, SHAPE, 5);
        let weights: Vec<f64> = (0..n).map(|k| if weighted { 1.0 + (k % 3) as f64 } else { 1.0 }).collect();
        let fields = stacked(&x);
        for graph in graphs() {
            let (of_images, of_fields) = (built(&graph, &label, &weights, 1), built(&graph, &label, &weights, 6));
            for layer in layers() {
                let outputs = layer.output_dim;
                let alone = LayerSpec { field: None, stride: None, shared: false, ..layer.clone() };
                let found = NetworkSpec::new(SHAPE, vec![layer.clone()]).fit(&x.view(), &of_images).unwrap();
                let expected = NetworkSpec::new(InputShape::grey(3, 3), vec![alone]).fit(&fields.view(), &of_fields);
                let expected = expected.unwrap().features;
                for field in 0..6 {
                    let ours = found.features.slice(s![.., field * outputs..(field + 1) * outputs]);
                    let theirs = expected.slice(s![field * n..(field + 1) * n, ..]);
                    // Of the same signs in all fields: one node. Directions that no label tells are not compared.
                    let same = found.network.layers[0][0].slow.as_ref().unwrap().informative.min(outputs);
                    for k in 0..same {
                        let sign = (&ours.column(k) * &theirs.column(k)).sum().signum();
                        let off = largest(&(&ours.column(k) - &(&theirs.column(k) * sign)).insert_axis(Axis(1)));
                        assert!(off < 1e-7, "{n} {graph:?} {layer:?}: feature {k} of field {field} is {off:e} off");
                    }
                }
                let nodes = &found.network.layers[0];
                assert!(nodes.iter().all(|node| *node == nodes[0]) && nodes.len() == 6);
            }
        }
    }
}

#[test]
fn the_network_of_shared_layers_fits_images_of_any_size() {
    for (height, width, channels) in [(1, 1, 1), (1, 7, 1), (4, 4, 3), (5, 6, 1), (28, 28, 1), (96, 33, 3)] {
        let spec = NetworkSpec::shared(InputShape { height, width, channels }, 100, 2);
        let plan = spec.plan().unwrap();
        assert_eq!((plan.layers.len(), plan.layers[2].nodes, plan.layers[2].output_dim), (3, [1, 1], 2));
        assert_eq!(plan.layers[2].receptive_field, [height, width], "every pixel is seen");
        assert!(plan.layers[..2].iter().all(|layer| layer.shared && layer.learners() == 1));
    }
    // The sizes of the study, whose last fields leave out a row and a column.
    let plan = NetworkSpec::shared(InputShape::grey(28, 28), 500, 9).plan().unwrap();
    assert_eq!([plan.layers[0].nodes, plan.layers[1].nodes], [[12, 12], [5, 5]]);
}

#[test]
fn a_shared_layer_has_the_parameters_of_one_node_and_is_stored_once() {
    let (x, label) = images(80, SHAPE, 2);
    let top = LayerSpec { ridge: 1e-3, ..LayerSpec::new(2) };
    let spec = NetworkSpec::new(SHAPE, vec![layers()[1].clone(), top.clone()]);
    let apart = NetworkSpec::new(SHAPE, vec![LayerSpec { shared: false, ..layers()[1].clone() }, top]);
    let (plan, unshared) = (spec.plan().unwrap(), apart.plan().unwrap());
    assert_eq!(unshared.layers[0].parameters(), 6 * plan.layers[0].parameters());
    assert!(plan.operations(80) < unshared.operations(80));
    let (labels, graph) = (Labels::numbers("label", label.clone()), graph(&label, 2));
    let training = Training { labels: &labels, spec: None, graph: &graph };
    let trained = spec.fit(&x.view(), &graph).unwrap();
    let model = Model::new(trained.network.clone(), Vec::new(), &training).unwrap();
    let bytes = model.to_bytes().unwrap();
    let read = Model::from_bytes(&bytes).unwrap().network().apply(&x.view()).unwrap();
    assert_eq!(read, trained.network.apply(&x.view()).unwrap());
    let other = Model::new(apart.fit(&x.view(), &graph).unwrap().network, Vec::new(), &training).unwrap();
    assert!(bytes.len() + 5 * 1000 < other.to_bytes().unwrap().len());
}

#[test]
fn what_a_shared_layer_cannot_have_is_refused_by_name() {
    let (x, label) = images(40, SHAPE, 2);
    let plain = layers()[0].clone();
    let skip = Some(Skip { feature_scale: 1.0, gate: None });
    let rbf = Expansion::Rbf { centers: 5, width: 1.0, seed: 0 };
    let refused = [
        LayerSpec { skip, ..plain.clone() },
        LayerSpec { solver: Solver::Svd, ..plain.clone() },
        LayerSpec { expansion: rbf, ..plain.clone() },
    ];
    for layer in refused {
        let error = NetworkSpec::new(SHAPE, vec![layer]).plan().unwrap_err();
        assert!(matches!(error, Error::Parameter { name: "shared", .. }), "{error}");
    }
    let labels = Labels::numbers("label", label);
    let chain = Chain::default().build(&GraphInput::new(&labels)).unwrap();
    let spec = NetworkSpec::new(SHAPE, vec![plain]);
    let error = spec.fit(&x.view(), &chain).unwrap_err();
    assert!(matches!(error, Error::Parameter { name: "shared", .. }), "{error}");
}
