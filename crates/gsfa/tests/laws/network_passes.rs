//! Passes over pieces of the samples give the network of one fit.

use crate::network_support::*;
use gsfa::expansion::{Clip, Expansion};
use gsfa::graph::{Chain, GraphInput};
use gsfa::labels::Labels;
use gsfa::network::{Gate, InputShape, LayerSpec, Network, NetworkSpec, PassSums, PcaSpec, Piece, Skip, Trainer};
use gsfa::samples::{Precision, Samples};
use gsfa::{Error, Keep};
use ndarray::{Array2, Axis, concatenate, s};

fn spec(shape: InputShape) -> NetworkSpec {
    let first = LayerSpec {
        field: Some([4, 4]),
        pca: Some(PcaSpec::components(6)),
        clip: Some(Clip { sigmas: 3.0 }),
        expansion: Expansion::EXPO_08,
        keep: Some(Keep { slow: Some(2), ..Keep::default() }),
        ..LayerSpec::new(4)
    };
    let gate = Gate { patch: Some([4, 3]), features: Some(3), squares: 0.1, ..Gate::components(7) };
    let second = LayerSpec {
        standardize: true,
        skip: Some(Skip { feature_scale: 2.0, gate: Some(gate) }),
        ridge: 1e-3,
        ..LayerSpec::new(3)
    };
    NetworkSpec::new(shape, vec![first, second, LayerSpec { ridge: 1e-3, ..LayerSpec::new(2) }])
}

/// Trains in passes over rows cut at `borders`: every piece in a process of its own that is told as bytes how far the
/// training has come. What the layer under training sees comes from the layer below, or from all layers below.
fn in_passes(
    spec: &NetworkSpec,
    x: &Array2<f64>,
    graph: &gsfa::graph::TrainingGraph,
    borders: &[usize],
    from_samples: bool,
) -> Network {
    let mut trainer = Trainer::new(spec.clone(), Precision::Double).unwrap();
    let mut below = x.clone();
    let (mut passes, all_passes) = (0, trainer.pass().1);
    while !trainer.is_complete() {
        passes += 1;
        assert_eq!(trainer.pass(), (passes, all_passes));
        let mut total: Option<PassSums> = None;
        for rows in borders.windows(2).rev() {
            let worker = Trainer::from_bytes(&trainer.to_bytes().unwrap()).unwrap();
            let (b, o) = (below.slice(s![rows[0]..rows[1], ..]), x.slice(s![rows[0]..rows[1], ..]));
            let all = if from_samples { worker.below(&o).unwrap() } else { None };
            let all = all.as_ref().map(|all| all.view());
            let mut part = worker.begin(graph).unwrap();
            let below: &dyn Samples = match &all {
                Some(all) => all,
                None => &b,
            };
            worker.add(&mut part, Piece { first_row: rows[0], below, original: &o }).unwrap();
            assert_eq!(part.rows(), rows[1] - rows[0]);
            let part = trainer.begin(graph).unwrap().read(&part.to_bytes().unwrap()).unwrap();
            match &mut total {
                Some(sum) => sum.merge(part).unwrap(),
                None => total = Some(part),
            }
        }
        let finished = trainer.layers().len();
        trainer.advance(total.unwrap()).unwrap();
        if trainer.layers().len() > finished && !from_samples {
            let outputs = borders.windows(2).map(|rows| {
                let (b, o) = (below.slice(s![rows[0]..rows[1], ..]), x.slice(s![rows[0]..rows[1], ..]));
                trainer.outputs(Piece { first_row: rows[0], below: &b, original: &o }).unwrap()
            });
            let outputs: Vec<Array2<f64>> = outputs.collect();
            below = concatenate(Axis(0), &outputs.iter().map(|o| o.view()).collect::<Vec<_>>()).unwrap();
        }
    }
    trainer.network().unwrap()
}

#[test]
fn pieces_of_any_size_give_the_network_of_one_fit() {
    let shape = InputShape::grey(8, 8);
    let (x, label) = images(300, shape, 3);
    let graph = graph(&label, 3);
    let spec = spec(shape);
    assert_eq!(Trainer::new(spec.clone(), Precision::Double).unwrap().pass(), (1, 5));
    let whole = spec.fit(&x.view(), &graph).unwrap();
    for (borders, from_samples) in
        [(vec![0, 300], true), (vec![0, 1, 150, 300], false), ((0..=300).step_by(60).collect(), true)]
    {
        let network = in_passes(&spec, &x, &graph, &borders, from_samples);
        let features = network.apply(&x.view()).unwrap();
        let error = (&features - &whole.features).iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        assert!(error < 1e-10, "{borders:?}: {error}");
    }
}

/// Networks with everything that nodes learn before their slow features.
fn specs(shape: InputShape) -> Vec<NetworkSpec> {
    let standardize = LayerSpec { standardize: true, ..LayerSpec::new(2) };
    let clip = LayerSpec { clip: Some(Clip { sigmas: 1.5 }), expansion: Expansion::EXPO_08, ..LayerSpec::new(2) };
    let svd = LayerSpec { solver: gsfa::Solver::Svd, ..LayerSpec::new(2) };
    let fields = LayerSpec { field: Some([4, 4]), stride: Some([2, 2]), ..standardize.clone() };
    let skip = LayerSpec { skip: Some(Skip { feature_scale: 0.5, gate: None }), ridge: 0.01, ..LayerSpec::new(2) };
    let shared = LayerSpec { shared: true, ..fields.clone() };
    let reduced = LayerSpec { shared: true, pca: Some(PcaSpec::components(3)), ..clip.clone() };
    let networks = [vec![standardize], vec![clip], vec![svd], vec![fields, skip.clone()], vec![shared, reduced, skip]];
    let mut all: Vec<NetworkSpec> = networks.into_iter().map(|layers| NetworkSpec::new(shape, layers)).collect();
    all.push(spec(shape));
    all
}

#[test]
fn one_piece_of_all_samples_has_the_bits_of_a_fit() {
    let shape = InputShape::grey(8, 8);
    for samples in [40, 1100] {
        let (x, label) = images(samples, shape, 3);
        let chain = Chain::default().build(&GraphInput::new(&Labels::none(samples))).unwrap();
        for (graph, of_labels) in [(graph(&label, 3), true), (chain, false)] {
            // Fields of a shared layer are connected by labels.
            let trains = |spec: &NetworkSpec| of_labels || spec.layers.iter().all(|layer| !layer.shared);
            for spec in specs(shape).into_iter().filter(trains) {
                let whole = spec.fit(&x.view(), &graph).unwrap();
                let mut trainer = Trainer::new(spec, Precision::Double).unwrap();
                while !trainer.is_complete() {
                    let (original, below) = (x.view(), trainer.below(&x.view()).unwrap());
                    let below = below.as_ref().map(|below| below.view());
                    let below: &dyn Samples = below.as_ref().map_or(&original as &dyn Samples, |below| below);
                    let mut sums = trainer.begin(&graph).unwrap();
                    trainer.add(&mut sums, Piece { first_row: 0, below, original: &original }).unwrap();
                    trainer.advance(sums).unwrap();
                }
                assert!(trainer.network().unwrap() == whole.network, "{samples} samples");
            }
        }
    }
}

#[test]
fn sums_of_another_training_are_refused_in_words() {
    let shape = InputShape::grey(8, 8);
    let (x, label) = images(60, shape, 3);
    let (x, graph) = (x.view(), graph(&label, 2));
    let piece = Piece { first_row: 0, below: &x, original: &x };
    let summed = |trainer: &Trainer| {
        let mut sums = trainer.begin(&graph).unwrap();
        trainer.add(&mut sums, piece).unwrap();
        sums
    };
    let network = |layer: LayerSpec| NetworkSpec::new(shape, vec![layer]);
    let trainer = |layer| Trainer::new(network(layer), Precision::Double).unwrap();
    let ours = trainer(LayerSpec { standardize: true, ..LayerSpec::new(2) });
    // Another network, another pass of the same, and the same pass after other samples.
    let mut later = ours.clone();
    later.advance(summed(&ours)).unwrap();
    let mut other = ours.clone();
    let doubled = &x * 2.0;
    let mut sums = ours.begin(&graph).unwrap();
    ours.add(&mut sums, Piece { first_row: 0, below: &doubled.view(), original: &doubled.view() }).unwrap();
    other.advance(sums).unwrap();
    let clipped = trainer(LayerSpec { clip: Some(Clip { sigmas: 2.0 }), ..LayerSpec::new(2) });
    for (a, b) in [(&ours, &clipped), (&ours, &later), (&later, &other)] {
        let (mut of_a, of_b) = (summed(a), summed(b));
        let refused = [
            of_a.merge(of_b.clone()),
            a.clone().advance(of_b.clone()),
            a.add(&mut of_b.clone(), piece),
            a.begin(&graph).unwrap().read(&of_b.to_bytes().unwrap()).map(|_| ()),
        ];
        for refused in refused {
            let Err(Error::DifferentMoments { what }) = refused else { panic!("{refused:?}") };
            assert!(what.contains("the pass"), "{what}");
        }
    }
    // The ridge of the layer under training is no part of its sums.
    let mut ridged = later.clone().with_ridge(0.1).unwrap();
    ridged.advance(summed(&later)).unwrap();
}

#[test]
fn centers_are_drawn_alike_from_pieces() {
    let shape = InputShape::grey(4, 4);
    let (x, label) = images(300, shape, 3);
    let graph = graph(&label, 2);
    let rbf = |centers| Expansion::Rbf { centers, width: 1.0, seed: 1 };
    let below = LayerSpec { field: Some([4, 2]), expansion: rbf(12), ridge: 1e-3, ..LayerSpec::new(3) };
    let pca = Some(PcaSpec::components(4));
    let top = LayerSpec { pca, expansion: rbf(25), ridge: 1e-3, ..LayerSpec::new(2) };
    let spec = NetworkSpec::new(shape, vec![below, top]);
    let whole = spec.fit(&x.view(), &graph).unwrap();
    for (borders, from_samples) in [(vec![0, 300], true), (vec![0, 1, 150, 300], false)] {
        let network = in_passes(&spec, &x, &graph, &borders, from_samples);
        for (ours, theirs) in network.layers.iter().flatten().zip(whole.network.layers.iter().flatten()) {
            let (ours, theirs) = (ours.centers.as_ref().unwrap(), theirs.centers.as_ref().unwrap());
            let apart = (&ours.centers - &theirs.centers).iter().fold(0.0_f64, |m, d| m.max(d.abs()));
            assert!(apart < 1e-9, "{borders:?}: {apart}");
        }
        let features = network.apply(&x.view()).unwrap();
        let error = (&features - &whole.features).iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        assert!(error < 1e-6, "{borders:?}: {error}");
    }
}

#[test]
fn passes_refuse_graphs_of_single_samples_and_missing_pieces() {
    let shape = InputShape::vector(3);
    let (x, label) = images(300, shape, 3);
    let layer = NetworkSpec::new(shape, vec![LayerSpec::new(1)]);
    let piece = |rows: std::ops::Range<usize>| x.slice(s![rows, ..]);
    let (first, all) = (piece(0..100), piece(0..300));
    let chain = Chain::default().build(&GraphInput::new(&Labels::none(300))).unwrap();
    let trainer = Trainer::new(layer.clone(), Precision::Double).unwrap();
    let refused =
        trainer.add(&mut trainer.begin(&chain).unwrap(), Piece { first_row: 0, below: &first, original: &first });
    assert!(matches!(refused, Err(Error::NeedsRandomAccess { .. })));
    let graph = graph(&label, 1);
    let mut trainer = Trainer::new(layer, Precision::Double).unwrap();
    let mut part = trainer.begin(&graph).unwrap();
    trainer.add(&mut part, Piece { first_row: 0, below: &first, original: &first }).unwrap();
    assert!(matches!(trainer.advance(part.clone()), Err(Error::MissingRows { .. })));
    assert!(part.clone().merge(part.clone()).is_err());
    let bytes = part.to_bytes().unwrap();
    for length in (0..bytes.len()).step_by(7) {
        assert!(trainer.begin(&graph).unwrap().read(&bytes[..length]).is_err(), "{length}");
    }
    assert!(trainer.outputs(Piece { first_row: 0, below: &all, original: &all }).is_err());
    let mut spoilt = x.slice(s![100..200, ..]).to_owned();
    spoilt[[3, 1]] = f64::NAN;
    let spoilt = spoilt.view();
    let refused = trainer.add(&mut part, Piece { first_row: 100, below: &spoilt, original: &spoilt });
    assert!(matches!(refused, Err(Error::NonFiniteSample { row: 103, column: 1, .. })), "{refused:?}");
    assert!(trainer.network().is_none());
}

#[test]
fn a_training_that_is_damaged_is_refused() {
    let shape = InputShape::grey(8, 8);
    let trainer = Trainer::new(spec(shape), Precision::Single).unwrap();
    let bytes = trainer.to_bytes().unwrap();
    assert_eq!(Trainer::from_bytes(&bytes).unwrap().to_bytes().unwrap(), bytes);
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(Trainer::from_bytes(&damaged).is_err(), "byte {at}");
    }
}

#[test]
fn surplus_outputs_of_white_inputs_do_not_depend_on_round_off() {
    // Outputs of the first layer are uncorrelated and of unit variance: all that the second leaves varies alike.
    let (x, label) = images(200, InputShape::vector(6), 3);
    let graph = graph(&label, 1);
    let spec = NetworkSpec::new(
        InputShape::vector(6),
        vec![LayerSpec { ridge: 1e-3, ..LayerSpec::new(5) }, LayerSpec::new(4)],
    );
    let whole = spec.fit(&x.view(), &graph).unwrap().features;
    let scaled = spec.fit(&(&x * 3.0).view(), &graph).unwrap().features;
    assert!(difference_up_to_signs(&whole, &scaled) < 1e-9);
    let mut moved = x.clone();
    moved += 1e-3;
    let moved = spec.fit(&moved.view(), &graph).unwrap().features;
    assert!(difference_up_to_signs(&whole, &moved) < 1e-9);
}
