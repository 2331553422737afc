//! One wild value among new samples: an error that names it, or finite features and estimates.

use gsfa::expansion::{Clip, Expansion};
use gsfa::graph::{Ell, GraphInput, TrainingGraph};
use gsfa::labels::Labels;
use gsfa::network::{Goal, InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
use gsfa::readout::Estimates;
use gsfa::samples::{InPrecision, Precision};
use gsfa::{Error, Gsfa};
use ndarray::{Array2, Axis};

use crate::network_support::{graph, images};

const COLUMNS: usize = 5;
const ROW: usize = 7;
const COLUMN: usize = 3;
const WILD: [f64; 8] = [1e16, 1e40, 1e100, 1e200, -1e200, 1e300, f64::MAX, f64::MIN];

fn table() -> (Array2<f64>, TrainingGraph) {
    let (x, label) = images(300, InputShape::vector(COLUMNS), 2);
    let graph = graph(&label, 2);
    (x, graph)
}

fn with(x: &Array2<f64>, value: f64) -> Array2<f64> {
    let mut x = x.clone();
    x[[ROW, COLUMN]] = value;
    x
}

/// Networks with every expansion and all that may stand before it.
fn networks() -> Vec<(&'static str, NetworkSpec)> {
    let several = |layers| NetworkSpec::new(InputShape::vector(COLUMNS), layers);
    let one = |layer| several(vec![layer]);
    let plain = LayerSpec::new(2);
    let quadratic = LayerSpec { expansion: Expansion::QUADRATIC, ..plain.clone() };
    let whitened = PcaSpec { whiten: true, ..PcaSpec::components(3) };
    let cubic = Expansion::Polynomial { degree: 3, first: None };
    vec![
        ("auto", NetworkSpec::auto(InputShape::vector(COLUMNS), 300, Goal { labels: 1, targets: 2 })),
        ("linear", one(plain.clone())),
        ("quadratic", one(quadratic.clone())),
        ("cubic", one(LayerSpec { expansion: cubic, ..plain.clone() })),
        ("|x|^0.8", one(LayerSpec { expansion: Expansion::EXPO_08, ..plain.clone() })),
        ("|x|^8", one(LayerSpec { expansion: Expansion::Expo { exponent: 8.0 }, ..plain.clone() })),
        ("PCA", one(LayerSpec { pca: Some(PcaSpec::components(3)), ..plain.clone() })),
        ("whitened, quadratic", one(LayerSpec { pca: Some(whitened), ..quadratic.clone() })),
        ("standardized, quadratic", one(LayerSpec { standardize: true, ..quadratic.clone() })),
        ("clipped", one(LayerSpec { clip: Some(Clip { sigmas: 2.0 }), ..quadratic.clone() })),
        (
            "skipping",
            several(vec![
                plain.clone(),
                LayerSpec { skip: Some(Skip { feature_scale: 1.0, gate: None }), ..quadratic.clone() },
            ]),
        ),
        ("two layers", several(vec![quadratic.clone(), LayerSpec { clip: Some(Clip { sigmas: 3.0 }), ..quadratic }])),
    ]
}

/// Returns whether the features are finite; otherwise the error must name the value.
fn is_finite_or_named(name: &str, value: f64, features: gsfa::Result<Array2<f64>>) -> bool {
    match features {
        Ok(features) => {
            assert!(features.iter().all(|y| y.is_finite()), "{name}, {value:e}");
            true
        }
        Err(error) => {
            let Error::Overflow { row: ROW, column: COLUMN, value: found } = error else {
                panic!("{name}, {value:e}: {error}")
            };
            assert!((found / value - 1.0).abs() < 1e-6, "{name}: {found:e} instead of {value:e}");
            assert!(error.hint().is_some());
            false
        }
    }
}

#[test]
fn one_wild_value_gives_finite_features_or_an_error_that_names_it() {
    let (x, graph) = table();
    let (mut finite, mut named) = (0, 0);
    for (name, spec) in networks() {
        let network = spec.fit(&x.view(), &graph).unwrap().network;
        let single = spec.fit(&InPrecision::new(&x, Precision::Single), &graph).unwrap().network;
        for value in WILD {
            let wild = with(&x, value);
            let told = is_finite_or_named(name, value, network.apply(&wild.view()));
            let told_single =
                is_finite_or_named(name, value, single.apply(&InPrecision::new(&wild, Precision::Single)));
            assert!(!told_single || value.abs() < f64::from(f32::MAX), "{name}, {value:e}");
            // A sample alone gets the same answer.
            let alone = network.apply(&wild.select(Axis(0), &[ROW]).view());
            assert_eq!(alone.is_ok(), told, "{name}, {value:e}");
            finite += usize::from(told) + usize::from(told_single);
            named += usize::from(!told) + usize::from(!told_single);
        }
    }
    assert!(finite > 50 && named > 50, "{finite} finite, {named} named");
}

/// In single precision in memory it is no number at all.
#[test]
fn infinity_in_single_precision_is_told_as_such() {
    let (x, graph) = table();
    let (_, spec) = networks().swap_remove(2);
    let network = spec.fit(&x.mapv(|x| x as f32).view(), &graph).unwrap().network;
    let error = network.apply(&with(&x, 1e200).mapv(|x| x as f32).view()).unwrap_err();
    assert_eq!(error, Error::NonFiniteSample { row: ROW, column: COLUMN, total: 1 });
    let error = network.apply(&with(&x, 1e16).mapv(|x| x as f32).view());
    assert!(is_finite_or_named("quadratic", 1e16, error));
}

/// What counts is the distance from the values of training, not the size.
#[test]
fn the_value_to_blame_is_the_one_that_was_never_seen() {
    let (mut x, graph) = table();
    x.column_mut(1).mapv_inplace(|x| x * 1e210);
    let layer = LayerSpec { standardize: true, expansion: Expansion::QUADRATIC, ..LayerSpec::new(2) };
    let spec = NetworkSpec::new(InputShape::vector(COLUMNS), vec![layer]);
    let network = spec.fit(&x.view(), &graph).unwrap().network;
    assert!(!is_finite_or_named("standardized", 1e200, network.apply(&with(&x, 1e200).view())));
    let slow = Gsfa::default().fit(&x.view(), &graph).unwrap();
    assert!(!is_finite_or_named("GSFA", f64::MAX, slow.apply(with(&x, f64::MAX).view())));
}

#[test]
fn columns_of_images_are_those_of_the_image() {
    let shape = InputShape::grey(4, 4);
    let (mut x, label) = images(300, shape, 1);
    let graph = graph(&label, 1);
    let layer = LayerSpec { field: Some([2, 2]), expansion: Expansion::QUADRATIC, ..LayerSpec::new(2) };
    let spec = NetworkSpec::new(shape, vec![layer, LayerSpec::new(1)]);
    let network = spec.fit(&x.view(), &graph).unwrap().network;
    x[[9, 14]] = -1e200;
    assert_eq!(network.apply(&x.view()).unwrap_err(), Error::Overflow { row: 9, column: 14, value: -1e200 });
}

#[test]
fn slow_features_alone_name_it_too() {
    let (x, graph) = table();
    let slow = Gsfa::default().fit(&x.view(), &graph).unwrap();
    let finite = WILD.map(|value| is_finite_or_named("GSFA", value, slow.apply(with(&x, value).view())));
    assert_eq!(finite, [true, true, true, true, true, true, false, false]);
    let error = slow.apply(with(&x, f64::NAN).view()).unwrap_err();
    assert_eq!(error, Error::NonFiniteSample { row: ROW, column: COLUMN, total: 1 });
    let single = slow.apply(with(&x, 1e38).mapv(|x| x as f32).view());
    assert!(matches!(single, Ok(y) if y.iter().all(|y| y.is_finite())));
}

fn check_estimates(name: &str, value: f64, estimates: &Estimates) {
    let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
    assert!(estimates.numbers().is_none_or(|x| finite(&x.to_vec())), "{name}, {value:e}");
    assert!(estimates.standard_deviation.as_ref().is_none_or(|x| finite(&x.to_vec())), "{name}, {value:e}");
    assert!(estimates.outlier_score.as_ref().is_none_or(|x| finite(&x.to_vec())), "{name}, {value:e}");
    if let Some(probabilities) = &estimates.probabilities {
        for row in probabilities.outer_iter() {
            assert!((row.sum() - 1.0).abs() < 1e-9, "{name}, {value:e}: {row}");
        }
    }
}

#[test]
fn models_estimate_finite_values_or_name_the_wild_one() {
    for model in [crate::model_support::hierarchy(), crate::model_support::classifier(), crate::model_support::tiny()] {
        let dim = model.input_shape().dim().unwrap();
        let (mut x, _) = crate::model_support::images(20, 5);
        x = x.slice(ndarray::s![.., ..dim]).to_owned();
        for value in WILD {
            for column in [0, 1] {
                let mut wild = x.clone();
                wild[[4, column]] = value;
                match model.estimate(&wild.view()) {
                    Ok(all) => all.iter().for_each(|(name, estimates)| check_estimates(name, value, estimates)),
                    Err(error) => {
                        let expected = Error::Overflow { row: 4, column, value };
                        assert_eq!(error, expected, "{value:e}");
                        assert_eq!(model.features(&wild.view()).unwrap_err(), expected);
                    }
                }
            }
        }
    }
}

/// Samples without labels are no vertices, but they are rows.
#[test]
fn rows_are_those_of_the_samples_where_some_have_no_labels() {
    // Scales come from the first rows: what is too large for them stands behind.
    let (n, row) = (9000, 8001);
    let (x, mut label) = images(n, InputShape::vector(COLUMNS), 2);
    label.iter_mut().step_by(5).for_each(|y| *y = f64::NAN);
    let labels = Labels::numbers("y", label);
    let graph = Ell { semi_supervised: true, ..Ell::default() }.build(&GraphInput::new(&labels)).unwrap();
    assert_eq!((graph.len(), graph.samples()), (n - n / 5, n));
    let of = |error: Error| match error {
        Error::NonFiniteSample { row, .. } | Error::Overflow { row, .. } | Error::NodeOverflow { row, .. } => row,
        other => panic!("{other}"),
    };
    let spec = NetworkSpec::new(InputShape::vector(COLUMNS), vec![LayerSpec::new(2)]);
    for value in [f64::NAN, 1e200] {
        let mut wild = x.clone();
        wild[[row, COLUMN]] = value;
        assert_eq!(of(Gsfa::default().fit(&wild.view(), &graph).unwrap_err()), row, "{value:e}");
        assert_eq!(of(spec.fit(&wild.view(), &graph).map(|_| ()).unwrap_err()), row, "{value:e}");
        assert_eq!(
            of(spec.fit(&InPrecision::new(&wild, Precision::Single), &graph).map(|_| ()).unwrap_err()),
            row,
            "{value:e}"
        );
        if value.is_nan() {
            let ridge = gsfa::solve::choose_ridge(&wild.view(), &graph, &[1e-3], 3);
            assert_eq!(of(ridge.map(|_| ()).unwrap_err()), row);
        }
    }
}
