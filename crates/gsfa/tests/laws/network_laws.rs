//! Laws of trained networks: shapes, dead nodes, determinism, reports, faults.

use std::ops::ControlFlow;
use std::sync::Mutex;

use crate::network_support::*;
use gsfa::expansion::{Clip, Expansion};
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, PcaSpec, ProgressEvent, Skip, Trained};
use gsfa::{Error, Surplus};
use ndarray::{Array2, s};

/// PCA, 0.8Expo, overlap, a skip and a polynomial, in three layers over 8×8.
fn network() -> NetworkSpec {
    let pca = Some(PcaSpec::components(10));
    let expo = Expansion::EXPO_08;
    let layers = vec![
        LayerSpec { field: Some([4, 4]), stride: Some([2, 4]), pca, expansion: expo, ..LayerSpec::new(5) },
        LayerSpec { field: Some([3, 1]), clip: Some(Clip { sigmas: 4.0 }), expansion: expo, ..LayerSpec::new(5) },
        LayerSpec {
            expansion: Expansion::QUADRATIC,
            skip: Some(Skip { feature_scale: 1.0, gate: None }),
            ridge: 1e-3,
            ..LayerSpec::new(3)
        },
    ];
    NetworkSpec::new(InputShape::grey(8, 8), layers)
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn applying_to_training_samples_gives_the_training_features() {
    // 1300 rows: several blocks of every size, and a rest.
    let (x, label) = images(1300, InputShape::grey(8, 8), 1);
    let graph = graph(&label, 5);
    let spec = network();
    let double = spec.fit(&x.view(), &graph).unwrap();
    assert_eq!(double.network.apply(&x.view()).unwrap(), double.features);
    let single = x.mapv(|x| x as f32);
    let trained = spec.fit(&single.view(), &graph).unwrap();
    assert_eq!(trained.network.apply(&single.view()).unwrap(), trained.features);
    let bytes = as_bytes(&x);
    let trained = spec.fit(&bytes.view(), &graph).unwrap();
    assert_eq!(trained.network.apply(&bytes.view()).unwrap(), trained.features);
    // Bytes are read as f32.
    assert_eq!(spec.fit(&bytes.mapv(f32::from).view(), &graph).unwrap().features, trained.features);
    let exact = spec.fit(&bytes.mapv(f64::from).view(), &graph).unwrap();
    assert!(difference_up_to_signs(&exact.features, &trained.features) < 1e-2);
}

#[test]
fn bits_do_not_depend_on_threads() {
    let (x, label) = images(1100, InputShape::grey(8, 8), 2);
    let graph = graph(&label, 5);
    for x in [x.clone(), x * 1e-3] {
        let single = x.mapv(|x| x as f32);
        let run = |threads| {
            with_threads(threads, || {
                (network().fit(&x.view(), &graph).unwrap(), network().fit(&single.view(), &graph).unwrap())
            })
        };
        let same = |a: &Trained, b: &Trained| a.features == b.features && a.network == b.network;
        let one = run(1);
        for threads in [2, 3, 8] {
            let other = run(threads);
            assert!(same(&one.0, &other.0) && same(&one.1, &other.1), "{threads} threads");
            let applied = with_threads(threads, || other.0.network.apply(&x.view()).unwrap());
            assert_eq!(applied, one.0.features, "{threads} threads");
        }
    }
}

#[test]
fn bits_do_not_depend_on_how_rows_are_split_when_applying() {
    let (x, label) = images(700, InputShape::grey(8, 8), 3);
    let graph = graph(&label, 5);
    let single = x.mapv(|x| x as f32);
    let double = network().fit(&x.view(), &graph).unwrap();
    let trained = network().fit(&single.view(), &graph).unwrap();
    for size in [1, 2, 3, 7, 8, 17, 100, 255, 256, 257, 512, 699] {
        for from in (0..700).step_by(size).take(40) {
            let rows = s![from..(from + size).min(700), ..];
            let part = double.network.apply(&x.slice(rows)).unwrap();
            assert_eq!(part, double.features.slice(rows), "f64: {size} rows from {from}");
            let part = trained.network.apply(&single.slice(rows)).unwrap();
            assert_eq!(part, trained.features.slice(rows), "f32: {size} rows from {from}");
        }
    }
    assert_eq!(double.network.apply(&x.slice(s![..0, ..])).unwrap().dim(), (0, 3));
}

#[test]
fn bits_of_wide_nodes_do_not_depend_on_how_rows_are_split_either() {
    // Many inputs and one feature: where kernels change their ways.
    let dim = 1300;
    let (x, label) = images(300, InputShape::vector(dim), 15);
    let graph = graph(&label, 2);
    for outputs in [1, 2, 20] {
        let layers = vec![LayerSpec { ridge: 1e-2, ..LayerSpec::new(outputs) }];
        let trained = NetworkSpec::new(InputShape::vector(dim), layers).fit(&x.view(), &graph).unwrap();
        let single = x.mapv(|x| x as f32);
        let whole = trained.network.apply(&single.view()).unwrap();
        for size in [1, 2, 3, 5, 16, 31, 64, 100, 299] {
            for from in [0, 1, 250] {
                let rows = s![from..(from + size).min(300), ..];
                assert_eq!(trained.network.apply(&x.slice(rows)).unwrap(), trained.features.slice(rows), "{size} rows");
                assert_eq!(trained.network.apply(&single.slice(rows)).unwrap(), whole.slice(rows), "{size} rows, f32");
            }
        }
    }
}

#[test]
fn memory_layout_of_samples_does_not_matter() {
    let (x, label) = images(300, InputShape::grey(8, 8), 4);
    let graph = graph(&label, 5);
    let plain = network().fit(&x.view(), &graph).unwrap().features;
    let transposed = x.t().as_standard_layout().into_owned();
    assert_eq!(network().fit(&transposed.t(), &graph).unwrap().features, plain);
    let reversed = x.slice(s![.., ..;-1]).as_standard_layout().into_owned();
    assert_eq!(network().fit(&reversed.slice(s![.., ..;-1]), &graph).unwrap().features, plain);
}

#[test]
fn nodes_over_black_corners_are_dead_and_legal() {
    let (mut x, label) = images(400, InputShape::grey(8, 8), 5);
    let graph = graph(&label, 4);
    // The left half is black: both of the left nodes see nothing.
    for (at, x) in x.indexed_iter_mut() {
        if at.1 % 8 < 4 {
            *x = 0.0;
        }
    }
    let layer = |field| LayerSpec { field, expansion: Expansion::EXPO_08, ..LayerSpec::new(4) };
    let first = LayerSpec { pca: Some(PcaSpec::components(6)), ..layer(Some([4, 4])) };
    let spec = NetworkSpec::new(InputShape::grey(8, 8), vec![first, layer(None)]);
    for (kind, trained) in [
        ("f64", spec.fit(&x.view(), &graph).unwrap()),
        ("f32", spec.fit(&x.mapv(|x| x as f32).view(), &graph).unwrap()),
        ("u8", spec.fit(&as_bytes(&x).view(), &graph).unwrap()),
    ] {
        let dead: Vec<bool> = trained.network.layers[0].iter().map(|node| node.slow.is_none()).collect();
        assert_eq!(dead, [true, false, true, false], "{kind}");
        assert_eq!(trained.network.missing_outputs(), 8, "{kind}");
        assert_eq!(trained.network.layers[1][0].slow.as_ref().unwrap().dead_columns, 16, "{kind}");
        assert!(trained.features.iter().all(|x| x.is_finite()));
        // What is in the black part of new images changes nothing.
        let mut other = x.slice(s![..5, ..]).to_owned();
        let plain = trained.network.apply(&other.view()).unwrap();
        other[[0, 0]] = 7.0;
        other[[1, 63 - 4]] = -3.0;
        assert_eq!(trained.network.apply(&other.view()).unwrap(), plain, "{kind}");
    }
    // The same as a network over the right half alone.
    let half = Array2::from_shape_fn((400, 32), |(n, i)| x[[n, i / 4 * 8 + 4 + i % 4]]);
    let right = NetworkSpec { input: InputShape::grey(8, 4), ..spec.clone() }.fit(&half.view(), &graph).unwrap();
    let whole = spec.fit(&x.view(), &graph).unwrap();
    assert!(difference_up_to_signs(&whole.features, &right.features) < 1e-9);
}

#[test]
fn a_network_over_constant_images_outputs_zeros() {
    let (_, label) = images(50, InputShape::grey(4, 4), 6);
    for spec in [
        LayerSpec { field: Some([2, 2]), ..LayerSpec::new(2) },
        LayerSpec {
            field: Some([2, 2]),
            pca: Some(PcaSpec { variance: Some(0.9), ..PcaSpec::default() }),
            ..LayerSpec::new(2)
        },
        LayerSpec {
            standardize: true,
            clip: Some(Clip { sigmas: 3.0 }),
            expansion: Expansion::QUADRATIC,
            ..LayerSpec::new(2)
        },
        LayerSpec { skip: Some(Skip { feature_scale: 1.0, gate: None }), ..LayerSpec::new(2) },
    ] {
        let spec = NetworkSpec::new(InputShape::grey(4, 4), vec![spec, LayerSpec::new(3)]);
        let x = Array2::from_elem((50, 16), 0.1);
        let trained = spec.fit(&x.view(), &graph(&label, 2)).unwrap();
        assert_eq!(trained.features, Array2::<f64>::zeros((50, 3)));
        let nodes = trained.network.layers[0].len();
        assert_eq!(trained.network.missing_outputs(), 2 * nodes + 3);
    }
}

#[test]
fn outputs_beyond_what_a_node_can_give_are_zero_and_counted() {
    let (x, label) = images(200, InputShape::grey(2, 2), 7);
    let graph = graph(&label, 2);
    // Fields of two pixels have two directions; five outputs are declared.
    let spec = NetworkSpec::new(
        InputShape::grey(2, 2),
        vec![LayerSpec { field: Some([1, 2]), ..LayerSpec::new(5) }, LayerSpec::new(7)],
    );
    let trained = spec.fit(&x.view(), &graph).unwrap();
    assert_eq!(trained.features.dim(), (200, 7));
    assert_eq!(trained.network.layers[0][1].missing_outputs(5), 3);
    assert_eq!(trained.network.missing_outputs(), 3 + 3 + 3);
    assert!(trained.features.slice(s![.., 4..]).iter().all(|&x| x == 0.0));
    assert!(trained.features.slice(s![.., ..4]).columns().into_iter().all(|c| c.iter().any(|&x| x != 0.0)));
    // Without surplus outputs only what the graph makes slow is left.
    let mut truncated = spec.clone();
    truncated.layers.iter_mut().for_each(|layer| layer.surplus = Surplus::Truncate);
    let trained = truncated.fit(&x.view(), &graph).unwrap();
    assert!(trained.features.slice(s![.., 2..]).iter().all(|&x| x == 0.0));
    // And where that is to be an error, it is one.
    let mut strict = spec;
    strict.layers[0].surplus = Surplus::Error;
    let expected = Error::TooFewDirections { requested: 5, available: 2, rank: 2, inputs: 2 };
    assert_eq!(strict.fit(&x.view(), &graph).unwrap_err(), expected);
}

#[test]
fn two_samples_and_fewer_samples_than_directions_are_legal() {
    let spec = network();
    for n in [2, 3, 10, 40] {
        let (x, label) = images(n, InputShape::grey(8, 8), 8);
        let graph = graph(&label, 2.min(n - 1));
        let trained = spec.fit(&x.view(), &graph).unwrap();
        assert_eq!(trained.features.dim(), (n, 3));
        assert!(trained.features.iter().all(|x| x.is_finite()), "{n} samples");
        assert_eq!(trained.network.apply(&x.view()).unwrap(), trained.features);
        let (other, _) = images(20, InputShape::grey(8, 8), 9);
        assert!(trained.network.apply(&other.view()).unwrap().iter().all(|x| x.is_finite()), "{n} samples");
    }
}

#[test]
fn reports_are_complete_and_in_order() {
    let (x, label) = images(200, InputShape::grey(8, 8), 10);
    let graph = graph(&label, 3);
    for threads in [1, 4] {
        let events = Mutex::new(Vec::new());
        let record = |event| {
            events.lock().unwrap().push(event);
            ControlFlow::Continue(())
        };
        with_threads(threads, || network().fit_with(&x.view(), &graph, &record).unwrap());
        let mut expected = Vec::new();
        for (layer, nodes) in [(1, 6), (2, 2), (3, 1)] {
            expected.push(ProgressEvent::Layer { layer, layers: 3, nodes });
            expected.extend((1..=nodes).map(|done| ProgressEvent::Node { layer, done, nodes }));
        }
        assert_eq!(events.into_inner().unwrap(), expected, "{threads} threads");
    }
}

#[test]
fn training_stops_between_nodes_when_it_is_told_to() {
    let (x, label) = images(100, InputShape::grey(8, 8), 11);
    let graph = graph(&label, 3);
    for threads in [1, 3] {
        for stop in 1..=12 {
            let calls = Mutex::new(0);
            let progress = |_| {
                let mut calls = calls.lock().unwrap();
                *calls += 1;
                if *calls == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let layer = if stop <= 7 {
                1
            } else if stop <= 10 {
                2
            } else {
                3
            };
            let error = with_threads(threads, || network().fit_with(&x.view(), &graph, &progress).unwrap_err());
            assert_eq!(error, Error::Cancelled { layer }, "stop at {stop}");
            // Nothing is reported after the caller said stop.
            assert_eq!(calls.into_inner().unwrap(), stop);
        }
    }
}

#[test]
fn samples_of_another_shape_are_refused() {
    let (x, label) = images(60, InputShape::grey(8, 8), 12);
    let graph = graph(&label, 3);
    let narrow = x.slice(s![.., ..63]);
    assert_eq!(network().fit(&narrow, &graph).unwrap_err(), Error::InputDim { expected: 64, got: 63 });
    let short = x.slice(s![..59, ..]);
    let message = network().fit(&short, &graph).unwrap_err().to_string();
    assert_eq!(message, "X has 59 rows, the graph has 60");
    let trained = network().fit(&x.view(), &graph).unwrap();
    assert_eq!(trained.network.apply(&narrow).unwrap_err(), Error::InputDim { expected: 64, got: 63 });
}

#[test]
fn values_that_are_not_finite_are_named_by_row_and_column_of_the_samples() {
    let (x, label) = images(600, InputShape::grey(8, 8), 13);
    let graph = graph(&label, 3);
    let clipped = LayerSpec { clip: Some(Clip { sigmas: 2.0 }), ..LayerSpec::new(2) };
    let clipped = NetworkSpec::new(InputShape::grey(8, 8), vec![clipped]);
    let standardized = LayerSpec { standardize: true, ..LayerSpec::new(2) };
    let standardized = NetworkSpec::new(InputShape::grey(8, 8), vec![standardized]);
    let specs = [network(), clipped, standardized];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        // The last field is hit in an earlier row than the first one.
        let mut x = x.clone();
        x[[17, 63]] = bad;
        x[[520, 0]] = bad;
        x[[520, 5]] = bad;
        let expected = Error::NonFiniteSample { row: 17, column: 63, total: 3 };
        for spec in &specs {
            assert_eq!(spec.fit(&x.view(), &graph).unwrap_err(), expected);
            assert_eq!(spec.fit(&x.mapv(|x| x as f32).view(), &graph).unwrap_err(), expected);
        }
        let (good, _) = images(600, InputShape::grey(8, 8), 13);
        let trained = specs[1].fit(&good.view(), &graph).unwrap();
        assert_eq!(trained.network.apply(&x.view()).unwrap_err(), expected);
    }
    assert_eq!(
        Error::NonFiniteSample { row: 17, column: 63, total: 3 }.to_string(),
        "X has 3 non-finite values, first at row 17, column 63"
    );
}

#[test]
fn finite_samples_that_overflow_in_an_expansion_are_named_by_row_and_layer() {
    let (x, label) = images(50, InputShape::vector(3), 14);
    let graph = graph(&label, 2);
    let cubic = LayerSpec { expansion: Expansion::Polynomial { degree: 3, first: None }, ..LayerSpec::new(2) };
    let spec = NetworkSpec::new(InputShape::vector(3), vec![cubic]);
    let mut huge = x.mapv(|x| x as f32);
    huge[[31, 1]] = 1e20;
    let error = spec.fit(&huge.view(), &graph).unwrap_err();
    assert_eq!(error, Error::NodeOverflow { row: 31, layer: 1 });
    assert!(error.to_string().contains("row 31") && error.hint().is_some());
}
