//! Columns of any magnitude: the network learns what it would from columns near 1, or says which column is at fault.

use crate::network_support::*;
use gsfa::Error;
use gsfa::expansion::{Clip, Expansion};
use gsfa::graph::TrainingGraph;
use gsfa::network::{Goal, InputShape, LayerSpec, NetworkSpec, PcaSpec, Piece, Skip, Trainer};
use gsfa::samples::{Precision, Samples};
use ndarray::{Array2, ArrayView2, s};

const COLUMNS: usize = 5;

/// One column times `large`, one times `small`.
fn scaled(x: &Array2<f64>, large: f64, small: f64) -> Array2<f64> {
    let mut x = x.clone();
    x.column_mut(1).mapv_inplace(|x| x * large);
    x.column_mut(3).mapv_inplace(|x| x * small);
    x
}

fn table(samples: usize) -> (Array2<f64>, TrainingGraph) {
    let (x, label) = images(samples, InputShape::vector(COLUMNS), 2);
    let graph = graph(&label, 2);
    (x, graph)
}

fn one(layer: LayerSpec) -> NetworkSpec {
    NetworkSpec::new(InputShape::vector(COLUMNS), vec![layer])
}

/// Networks that standardise, or look at columns one by one.
fn networks() -> Vec<(&'static str, NetworkSpec)> {
    let auto = NetworkSpec::auto(InputShape::vector(COLUMNS), 400, Goal { labels: 1, targets: 2 });
    let standardized = LayerSpec { standardize: true, ..LayerSpec::new(2) };
    vec![
        ("auto", auto),
        ("standardize", one(standardized.clone())),
        ("standardize, PCA", one(LayerSpec { pca: Some(PcaSpec::components(4)), ..standardized.clone() })),
        (
            "standardize, whitened PCA, quadratic",
            one(LayerSpec {
                pca: Some(PcaSpec { whiten: true, ..PcaSpec::components(4) }),
                expansion: Expansion::QUADRATIC,
                ..standardized.clone()
            }),
        ),
        ("standardize, clip", one(LayerSpec { clip: Some(Clip { sigmas: 2.0 }), ..standardized })),
        ("clip", one(LayerSpec { clip: Some(Clip { sigmas: 2.0 }), ..LayerSpec::new(2) })),
    ]
}

fn in_passes(spec: &NetworkSpec, x: ArrayView2<'_, f64>, graph: &TrainingGraph) -> Array2<f64> {
    let mut trainer = Trainer::new(spec.clone(), Precision::Double).unwrap();
    while !trainer.is_complete() {
        let piece = |from: usize, to: usize| {
            let rows = x.slice(s![from..to, ..]);
            let mut sums = trainer.begin(graph).unwrap();
            trainer.add(&mut sums, Piece { first_row: from, below: &rows, original: &rows }).unwrap();
            sums
        };
        let mut sums = piece(0, 150);
        sums.merge(piece(150, x.nrows())).unwrap();
        trainer.advance(sums).unwrap();
    }
    trainer.network().unwrap().apply(&x).unwrap()
}

fn farthest(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).iter().fold(0.0_f64, |m, d| m.max(d.abs()))
}

#[test]
fn columns_of_any_magnitude_give_the_features_of_columns_near_one() {
    let (x, graph) = table(400);
    for (name, spec) in networks() {
        let plain = spec.fit(&x.view(), &graph).unwrap();
        for (large, small) in [(2.0_f64.powi(664), 2.0_f64.powi(-664)), (1e200, 1e-200), (1e290, 1e-290)] {
            let x = scaled(&x, large, small);
            let trained = spec.fit(&x.view(), &graph).unwrap_or_else(|error| panic!("{name}: {error}"));
            let error = farthest(&trained.features, &plain.features);
            assert!(error < 1e-7, "{name}, {large:e}: {error}");
            let again = trained.network.apply(&x.view()).unwrap();
            assert!(farthest(&again, &plain.features) < 1e-7, "{name}, {large:e}, applied");
            let error = farthest(&in_passes(&spec, x.view(), &graph), &plain.features);
            assert!(error < 1e-7, "{name}, {large:e}, in passes: {error}");
        }
    }
}

#[test]
fn single_precision_has_a_range_of_its_own() {
    let (x, graph) = table(400);
    for (name, spec) in networks() {
        let plain = spec.fit(&x.mapv(|x| x as f32).view(), &graph).unwrap();
        // The smallest are denormal: they have few digits left.
        for (large, small, tolerance) in [(1e30, 1e-30, 1e-3), (1e36, 1e-36, 1e-3), (1e30, 1e-40, 0.05)] {
            let x = scaled(&x, large, small).mapv(|x| x as f32);
            let trained = spec.fit(&x.view(), &graph).unwrap_or_else(|error| panic!("{name}: {error}"));
            let error = farthest(&trained.features, &plain.features);
            assert!(error < tolerance, "{name}, {large:e}, {small:e}: {error}");
            let again = trained.network.apply(&x.view()).unwrap();
            assert!(farthest(&again, &plain.features) < tolerance, "{name}, {large:e}, {small:e}, applied");
        }
    }
}

fn error_of(spec: &NetworkSpec, x: &dyn Samples, graph: &TrainingGraph) -> Error {
    spec.fit(x, graph).map(|_| ()).expect_err("it must be refused")
}

#[test]
fn principal_components_of_columns_whose_squares_overflow_name_the_column() {
    let (x, graph) = table(400);
    for whiten in [false, true] {
        let spec = one(LayerSpec { pca: Some(PcaSpec { whiten, ..PcaSpec::components(3) }), ..LayerSpec::new(2) });
        let error = error_of(&spec, &scaled(&x, 1e200, 1.0).view(), &graph);
        assert!(matches!(error, Error::ColumnRange { column: 1, .. }), "{error}");
        assert!(error.hint().unwrap().contains("standardize"), "{:?}", error.hint());
        // Nothing but tiny columns: their variances are no numbers either.
        let error = error_of(&spec, &x.mapv(|x| x * 1e-200).view(), &graph);
        assert!(matches!(error, Error::ColumnRange { .. }), "{error}");
        // One tiny column among others would be nothing beside them.
        let error = error_of(&spec, &scaled(&x, 1.0, 1e-200).view(), &graph);
        assert!(matches!(error, Error::ColumnRange { .. }), "{error}");
        // Large, but with squares in range.
        let plain = spec.fit(&x.view(), &graph).unwrap();
        let large = spec.fit(&x.mapv(|x| x * 2.0_f64.powi(400)).view(), &graph).unwrap();
        assert!(farthest(&plain.features, &large.features) < 1e-9);
    }
    // In a field of an image the column is that of the image.
    let shape = InputShape::grey(4, 4);
    let (mut x, label) = images(300, shape, 1);
    x.column_mut(14).mapv_inplace(|x| x * 1e200);
    let layer = LayerSpec { field: Some([2, 2]), pca: Some(PcaSpec::components(2)), ..LayerSpec::new(2) };
    let spec = NetworkSpec::new(shape, vec![layer]);
    let error = error_of(&spec, &x.view(), &crate::network_support::graph(&label, 1));
    assert!(matches!(error, Error::ColumnRange { column: 14, .. }), "{error}");
}

#[test]
fn columns_beyond_all_scales_are_refused_by_name() {
    let (x, graph) = table(400);
    for (name, spec) in networks() {
        // 1/σ is no number.
        let error = spec.fit(&scaled(&x, 1.0, 1e-310).view(), &graph);
        match error {
            Err(Error::ColumnRange { column: 3, .. }) => {}
            // Clipping needs no inverse of a deviation; the solver does.
            other => panic!("{name}: {:?}", other.map(|t| t.features.row(0).to_owned())),
        }
        // Differences overflow.
        let mut huge = x.clone();
        huge.column_mut(1).iter_mut().for_each(|x| *x = x.signum() * 1.7e308);
        let error = spec.fit(&huge.view(), &graph).map(|_| ()).expect_err(name);
        assert!(
            matches!(error, Error::ColumnRange { column: 1, .. } | Error::NodeOverflow { .. } | Error::Overflow { .. }),
            "{name}: {error}"
        );
    }
}

#[test]
fn inputs_that_are_passed_on_beside_features_keep_their_ratios_or_are_named() {
    let (x, graph) = table(400);
    let skip = Some(Skip { feature_scale: 1.0, gate: None });
    let spec =
        NetworkSpec::new(InputShape::vector(COLUMNS), vec![LayerSpec::new(2), LayerSpec { skip, ..LayerSpec::new(2) }]);
    let plain = spec.fit(&x.view(), &graph).unwrap();
    for (large, small) in [(1e200, 1.0), (1.0, 1e-200), (1e140, 1e-140)] {
        let trained = spec.fit(&scaled(&x, large, small).view(), &graph).unwrap();
        assert!(farthest(&trained.features, &plain.features) < 1e-7, "{large:e} {small:e}");
    }
    let error = error_of(&spec, &scaled(&x, 1e200, 1e-200).view(), &graph);
    assert!(matches!(error, Error::ColumnRange { column: 3, .. }), "{error}");
}

#[test]
fn products_that_vanish_name_the_column() {
    let (x, graph) = table(400);
    let spec = one(LayerSpec { expansion: Expansion::QUADRATIC, ..LayerSpec::new(2) });
    let error = error_of(&spec, &scaled(&x, 1.0, 1e-200).view(), &graph);
    assert!(matches!(error, Error::ColumnRange { column: 3, .. }), "{error}");
}

#[test]
fn products_that_overflow_name_the_column_unless_one_row_is_at_fault() {
    let (x, graph) = table(400);
    for degree in [2, 3] {
        let expansion = Expansion::Polynomial { degree, first: None };
        let spec = one(LayerSpec { expansion, ..LayerSpec::new(2) });
        let error = error_of(&spec, &scaled(&x, 1e200, 1.0).view(), &graph);
        assert!(matches!(error, Error::ColumnRange { column: 1, .. }), "{error}");
        let error = error_of(&spec, &scaled(&x, 1e30, 1.0).mapv(|x| x as f32).view(), &graph);
        assert!(matches!(error, Error::ColumnRange { column: 1, .. }), "{error}");
        let mut outlier = x.clone();
        outlier[[321, 1]] = 1e200;
        assert_eq!(error_of(&spec, &outlier.view(), &graph), Error::NodeOverflow { row: 321, layer: 1 });
    }
    // The same where a ridge is looked for first.
    let spec = one(LayerSpec { expansion: Expansion::QUADRATIC, ..LayerSpec::new(2) });
    let error = spec.with_chosen_ridge(&scaled(&x, 1e200, 1.0).view(), &graph).unwrap_err();
    assert!(matches!(error, Error::ColumnRange { column: 1, .. }), "{error}");
}

#[test]
fn a_column_that_no_ridge_suits_is_named_and_not_the_others() {
    let (x, graph) = table(400);
    for (large, small, column) in [(1e200, 1.0, 1), (1.0, 1e-200, 3)] {
        let x = scaled(&x, large, small);
        let error = error_of(&one(LayerSpec { ridge: 1e-3, ..LayerSpec::new(2) }), &x.view(), &graph);
        assert!(matches!(error, Error::ColumnRange { column: found, .. } if found == column), "{error}");
        assert!(error.to_string().ends_with("which no ridge suits beside that of others"), "{error}");
        assert!(error.hint().unwrap().contains("standardize"));
        let gsfa = gsfa::Gsfa { ridge: 1e-3, ..gsfa::Gsfa::new(1) };
        assert_eq!(gsfa.fit(&x.view(), &graph).unwrap_err(), error);
        let error = one(LayerSpec::new(2)).with_chosen_ridge(&x.view(), &graph).unwrap_err();
        assert!(matches!(error, Error::ColumnRange { column: found, .. } if found == column), "{error}");
        // Alone beside one other, it is the one farther from 1.
        let pair = x.select(ndarray::Axis(1), &[0, column]);
        let error = gsfa.fit(&pair.view(), &graph).unwrap_err();
        assert!(matches!(error, Error::ColumnRange { column: 1, .. }), "{error}");
    }
}

#[test]
fn a_column_that_vanishes_in_principal_components_is_named() {
    let mut draws = crate::support::Draws::new(5);
    let mut x = ndarray::Array2::from_shape_simple_fn((60, 4), || draws.normal());
    let label: Vec<f64> = (0..60).map(|k| x[[k, 2]] + 0.1 * draws.normal()).collect();
    x.column_mut(2).mapv_inplace(|v| v * 1e-200);
    let labels = gsfa::labels::Labels::numbers("y", label);
    let graph = gsfa::graph::Ell::default().build(&gsfa::graph::GraphInput::new(&labels)).unwrap();
    let spec = gsfa::network::NetworkSpec::quadratic(gsfa::network::InputShape::vector(4), 4, 1);
    let error = spec.fit(&x.view(), &graph).unwrap_err();
    assert!(matches!(error, gsfa::Error::ColumnRange { column: 2, .. }), "{error}");
}
