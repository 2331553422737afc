//! Passes over pieces of the samples give the network of one fit.

use crate::network_support::*;
use gsfa::Error;
use gsfa::expansion::{Clip, Expansion};
use gsfa::graph::{Chain, GraphInput};
use gsfa::labels::Labels;
use gsfa::moments::Precision;
use gsfa::network::{InputShape, LayerSpec, Network, NetworkSpec, Passes, PcaSpec, Piece, Skip};
use ndarray::{Array2, Axis, concatenate, s};

fn spec(shape: InputShape) -> NetworkSpec {
    let first = LayerSpec {
        field: Some([4, 4]),
        pca: Some(PcaSpec::components(6)),
        clip: Some(Clip { sigmas: 3.0 }),
        expansion: Expansion::EXPO_08,
        ..LayerSpec::new(4)
    };
    let second =
        LayerSpec { standardize: true, skip: Some(Skip { feature_scale: 2.0 }), ridge: 1e-3, ..LayerSpec::new(3) };
    NetworkSpec { input: shape, layers: vec![first, second, LayerSpec { ridge: 1e-3, ..LayerSpec::new(2) }] }
}

/// Trains in passes over rows cut at `borders`.
fn in_passes(spec: &NetworkSpec, x: &Array2<f64>, graph: &gsfa::graph::TrainingGraph, borders: &[usize]) -> Network {
    let mut passes = Passes::new(spec.clone(), Precision::Double).unwrap();
    let mut below = x.clone();
    while !passes.is_complete() {
        let mut total: Option<Vec<Vec<u8>>> = None;
        for rows in borders.windows(2).rev() {
            let (b, o) = (below.slice(s![rows[0]..rows[1], ..]), x.slice(s![rows[0]..rows[1], ..]));
            let part = passes.sums(Piece { first_row: rows[0], below: &b, original: &o }, graph).unwrap();
            total = Some(match total {
                Some(sum) => passes.merge(&sum, &part, graph).unwrap(),
                None => part,
            });
        }
        let finished = passes.layers().len();
        passes.advance(&total.unwrap(), graph).unwrap();
        if passes.layers().len() > finished {
            let outputs = borders.windows(2).map(|rows| {
                let (b, o) = (below.slice(s![rows[0]..rows[1], ..]), x.slice(s![rows[0]..rows[1], ..]));
                passes.outputs(Piece { first_row: rows[0], below: &b, original: &o }).unwrap()
            });
            let outputs: Vec<Array2<f64>> = outputs.collect();
            below = concatenate(Axis(0), &outputs.iter().map(|o| o.view()).collect::<Vec<_>>()).unwrap();
        }
    }
    passes.network().unwrap()
}

#[test]
fn pieces_of_any_size_give_the_network_of_one_fit() {
    let shape = InputShape::grey(8, 8);
    let (x, label) = images(300, shape, 3);
    let graph = graph(&label, 3);
    let spec = spec(shape);
    let whole = spec.fit(&x.view(), &graph).unwrap();
    for borders in [vec![0, 300], vec![0, 1, 150, 300], (0..=300).step_by(60).collect()] {
        let network = in_passes(&spec, &x, &graph, &borders);
        let features = network.apply(&x.view()).unwrap();
        let error = (&features - &whole.features).iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        assert!(error < 1e-8, "{borders:?}: {error}");
    }
}

#[test]
fn passes_refuse_graphs_of_single_samples_and_missing_pieces() {
    let shape = InputShape::vector(3);
    let (x, label) = images(300, shape, 3);
    let layer = NetworkSpec { input: shape, layers: vec![LayerSpec::new(1)] };
    let piece = |rows: std::ops::Range<usize>| x.slice(s![rows, ..]);
    let (first, all) = (piece(0..100), piece(0..300));
    let chain = Chain::default().build(&GraphInput::new(&Labels::none(300))).unwrap();
    let passes = Passes::new(layer.clone(), Precision::Double).unwrap();
    let refused = passes.sums(Piece { first_row: 0, below: &first, original: &first }, &chain);
    assert!(matches!(refused, Err(Error::NeedsRandomAccess { .. })));
    let graph = graph(&label, 1);
    let mut passes = Passes::new(layer, Precision::Double).unwrap();
    let part = passes.sums(Piece { first_row: 0, below: &first, original: &first }, &graph).unwrap();
    assert!(matches!(passes.advance(&part, &graph), Err(Error::MissingRows { .. })));
    assert!(passes.merge(&part, &part, &graph).is_err());
    assert!(passes.outputs(Piece { first_row: 0, below: &all, original: &all }).is_err());
    assert!(passes.network().is_none());
}

#[test]
fn surplus_outputs_of_white_inputs_do_not_depend_on_round_off() {
    // Outputs of the first layer are uncorrelated and of unit variance: all that the second leaves varies alike.
    let (x, label) = images(200, InputShape::vector(6), 3);
    let graph = graph(&label, 1);
    let spec = NetworkSpec {
        input: InputShape::vector(6),
        layers: vec![LayerSpec { ridge: 1e-3, ..LayerSpec::new(5) }, LayerSpec::new(4)],
    };
    let whole = spec.fit(&x.view(), &graph).unwrap().features;
    let scaled = spec.fit(&(&x * 3.0).view(), &graph).unwrap().features;
    assert!(difference_up_to_signs(&whole, &scaled) < 1e-9);
    let mut moved = x.clone();
    moved += 1e-3;
    let moved = spec.fit(&moved.view(), &graph).unwrap().features;
    assert!(difference_up_to_signs(&whole, &moved) < 1e-9);
}
