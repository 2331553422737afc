//! Laws of spectra: their preparation, networks that have it, and its choice.

use gsfa::expansion::Expansion;
use gsfa::graph::{Chain, Ell, GraphInput, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::network::{InputShape, LayerSpec, Network, NetworkSpec, PcaSpec, Piece, Skip, Trainer};
use gsfa::readout::{LabelClip, LinearRegression, Readout};
use gsfa::recipe::{NetworkChoice, NetworkKind, Recipe, SpectrumChoice, TrainedModel};
use gsfa::samples::{Precision, Samples};
use gsfa::spectrum::Spectrum;
use gsfa::{Error, Keep, Model, Note};
use ndarray::{Array1, Array2, Axis, s};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const FIRST: Spectrum = Spectrum { snv: false, derivative: 1, window: 7, degree: 2 };
const BOTH: Spectrum = Spectrum { snv: true, ..FIRST };

/// Bands seen through scatter, which multiplies them and adds a level of its own; the label is the height of one band.
fn spectra(rows: usize, columns: usize) -> (Array2<f64>, Vec<f64>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut draw = |from: f64, to: f64| random.random_range(from..to);
    let band = |t: f64, at: f64, width: f64| (-((t - at) / width).powi(2)).exp();
    let mut x = Array2::zeros((rows, columns));
    let mut y = Vec::new();
    for mut row in x.outer_iter_mut() {
        let (height, other, level, scatter) = (draw(0.0, 1.0), draw(0.0, 1.0), draw(-3.0, 3.0), draw(0.7, 1.4));
        y.push(height);
        for (k, value) in row.iter_mut().enumerate() {
            let t = k as f64 / columns as f64;
            let bands = 0.3 * (height * band(t, 0.3, 0.06) + other * band(t, 0.45, 0.1)) + 3.0 * band(t, 0.8, 0.2);
            *value = scatter * bands + level + draw(-0.002, 0.002);
        }
    }
    (x, y)
}

fn graph_of(y: &[f64]) -> TrainingGraph {
    Ell::default().build(&GraphInput::new(&Labels::numbers("y", y.to_vec()))).unwrap()
}

fn network(columns: usize, spectrum: Option<Spectrum>, layers: Vec<LayerSpec>) -> NetworkSpec {
    NetworkSpec { spectrum, ..NetworkSpec::new(InputShape::vector(columns), layers) }
}

fn linear() -> LayerSpec {
    LayerSpec { ridge: 1e-3, ..LayerSpec::new(1) }
}

fn most(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    (a - b).iter().fold(0.0, |most, d| most.max(d.abs()))
}

/// The polynomial of least squares by its normal equations, in units of half of a window.
fn fitted(values: &[f64], at: f64, spectrum: &Spectrum) -> f64 {
    let (half, terms) = ((values.len() / 2) as f64, spectrum.degree + 1);
    let place = |k: usize| (k as f64 - half) / half;
    let mut system = Array2::<f64>::zeros((terms, terms + 1));
    for (k, value) in values.iter().enumerate() {
        for i in 0..terms {
            (0..terms).for_each(|j| system[[i, j]] += place(k).powi((i + j) as i32));
            system[[i, terms]] += place(k).powi(i as i32) * value;
        }
    }
    for i in 0..terms {
        for other in (0..terms).filter(|other| *other != i) {
            let factor = system[[other, i]] / system[[i, i]];
            (0..=terms).for_each(|j| system[[other, j]] -= factor * system[[i, j]]);
        }
    }
    let order = spectrum.derivative;
    let term = |i: usize| {
        let falling: f64 = (0..order).map(|k| (i - k) as f64).product();
        falling * system[[i, terms]] / system[[i, i]] * ((at - half) / half).powi((i - order) as i32)
    };
    (order..terms).map(term).sum::<f64>() / half.powi(order as i32)
}

#[test]
fn smoothing_and_derivatives_are_those_of_fitted_polynomials() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for (columns, window, degree) in [(3, 3, 2), (3, 3, 1), (5, 5, 4), (12, 5, 2), (20, 9, 3), (21, 21, 4), (40, 11, 6)]
    {
        let x = Array2::from_shape_simple_fn((4, columns), || random.random_range(-1.0..1.0));
        for derivative in 0..=degree {
            let spectrum = Spectrum { snv: false, derivative, window, degree };
            let expected = Array2::from_shape_fn(x.dim(), |(n, column)| {
                let first = column.saturating_sub(window / 2).min(columns - window);
                let row = x.row(n);
                fitted(&row.as_slice().unwrap()[first..first + window], (column - first) as f64, &spectrum)
            });
            let scale = expected.iter().fold(1.0_f64, |most, e| most.max(e.abs()));
            let far = most(&spectrum.prepare(x.view()).unwrap(), &expected);
            assert!(far < 1e-9 * scale, "{columns} {spectrum:?}: {far:e}");
        }
    }
}

#[test]
fn polynomials_are_derived_exactly_wherever_they_stand() {
    for columns in [3, 4, 9, 50] {
        for window in (3..=columns).step_by(2) {
            let degree = (window - 1).min(3);
            for derivative in 0..=degree {
                let t = Array1::from_shape_fn(columns, |k| k as f64 / 10.0);
                let power = |order: i32| {
                    let falling: f64 = (0..order).map(|k| f64::from(degree as i32 - k)).product();
                    t.mapv(|t| falling * t.powi(degree as i32 - order) / 10_f64.powi(order))
                };
                let level = if derivative == 0 { 0.0 } else { 1e6 };
                let x = (power(0) + level).insert_axis(Axis(0));
                let found = Spectrum { snv: false, derivative, window, degree }.prepare(x.view()).unwrap();
                let far = most(&found, &power(derivative as i32).insert_axis(Axis(0)));
                assert!(far < 1e-8, "{columns} {window} {derivative}: {far:e}");
            }
        }
    }
}

#[test]
fn snv_knows_neither_level_nor_size_of_a_spectrum_and_makes_constants_zero() {
    let snv = Spectrum { snv: true, ..Spectrum::default() };
    let (x, _) = spectra(6, 30);
    let prepared = snv.prepare(x.view()).unwrap();
    for row in prepared.outer_iter() {
        assert!(row.mean().unwrap().abs() < 1e-13 && (row.std(0.0) - 1.0).abs() < 1e-13);
    }
    for (factor, level) in [(3.0, -7.0), (1e300, 0.0), (1e-300, 0.0)] {
        let far = most(&snv.prepare((&x * factor + level).view()).unwrap(), &prepared);
        assert!(far < 1e-12, "{factor:e}: {far:e}");
    }
    for constant in [0.0, 0.1, -3e300, 1e-310] {
        for columns in [1, 2, 3, 100] {
            let flat = Array2::from_elem((2, columns), constant);
            assert_eq!(snv.prepare(flat.view()).unwrap(), Array2::<f64>::zeros((2, columns)), "{constant:e}");
            if columns >= 7 {
                assert!(most(&FIRST.prepare(flat.view()).unwrap(), &Array2::zeros((2, columns))) == 0.0);
            }
        }
    }
    assert_eq!(Spectrum::default().prepare(x.view()).unwrap(), x);
    assert_eq!(snv.prepare(Array2::zeros((0, 3)).view()).unwrap().dim(), (0, 3));
}

/// All sorts of layers over spectra.
fn networks() -> Vec<Vec<LayerSpec>> {
    let pca = Some(PcaSpec { whiten: true, ..PcaSpec::components(4) });
    let skip = Some(Skip { feature_scale: 0.5, gate: None });
    let rbf = Expansion::Rbf { centers: 20, width: 1.0, seed: 0 };
    vec![
        vec![linear()],
        vec![LayerSpec { standardize: true, ..linear() }],
        vec![LayerSpec { pca, expansion: Expansion::QUADRATIC, ..linear() }],
        vec![LayerSpec { pca, expansion: rbf, ..linear() }],
        vec![linear(), LayerSpec { skip, ..linear() }],
    ]
}

#[test]
fn a_network_of_spectra_is_the_network_of_prepared_ones_bit_by_bit() {
    for rows in [40, 15] {
        let (x, y) = spectra(rows, 24);
        let graph = graph_of(&y);
        for (spectrum, layers) in
            [FIRST, BOTH].into_iter().flat_map(|one| networks().into_iter().map(move |l| (one, l)))
        {
            let (with, without) = (network(24, Some(spectrum), layers.clone()), network(24, None, layers));
            let prepared = spectrum.prepare(x.view()).unwrap();
            let (a, b) = (with.fit(&x, &graph).unwrap(), without.fit(&prepared, &graph).unwrap());
            assert_eq!((&a.features, &a.network.layers), (&b.features, &b.network.layers), "{with:?}");
            let one = |n: usize| s![n..n + 1, ..];
            for n in [0, rows - 1] {
                let expected = b.network.apply(&prepared.slice(one(n))).unwrap();
                assert_eq!(a.network.apply(&x.slice(one(n))).unwrap(), expected);
            }
            let ridges = [1e-4, 1e-2, 1.0];
            let (c, d) =
                (with.choose_ridge(&x, &graph, &ridges, 5), without.choose_ridge(&prepared, &graph, &ridges, 5));
            assert_eq!(c.unwrap().errors, d.unwrap().errors);
            let x32 = x.mapv(|v| v as f32);
            let rounded = spectrum.prepare(x32.mapv(f64::from).view()).unwrap().mapv(|v| v as f32);
            let (e, f) = (with.fit(&x32, &graph).unwrap(), without.fit(&rounded, &graph).unwrap());
            assert_eq!(e.features, f.features);
        }
    }
}

/// Trains in passes over pieces.
fn in_passes(spec: &NetworkSpec, x: &Array2<f64>, graph: &TrainingGraph, borders: &[usize]) -> Network {
    let mut trainer = Trainer::new(spec.clone(), Precision::Double).unwrap();
    while !trainer.is_complete() {
        let trainer_there = Trainer::from_bytes(&trainer.to_bytes().unwrap()).unwrap();
        let mut sums = trainer_there.begin(graph).unwrap();
        for rows in borders.windows(2).rev() {
            let original = x.slice(s![rows[0]..rows[1], ..]);
            let outputs = trainer_there.below(&original).unwrap();
            let outputs = outputs.as_ref().map(|outputs| outputs.view());
            let below: &dyn Samples = outputs.as_ref().map_or(&original, |outputs| outputs);
            trainer_there.add(&mut sums, Piece { first_row: rows[0], below, original: &original }).unwrap();
        }
        trainer.advance(sums).unwrap();
    }
    trainer.network().unwrap()
}

#[test]
fn pieces_of_spectra_give_the_network_of_all() {
    let (x, y) = spectra(50, 21);
    let graph = graph_of(&y);
    for layers in networks() {
        let spec = network(21, Some(BOTH), layers);
        let whole = spec.fit(&x, &graph).unwrap().network.apply(&x).unwrap();
        for borders in [&[0, 50][..], &[0, 1, 20, 50]] {
            let far = most(&in_passes(&spec, &x, &graph, borders).apply(&x).unwrap(), &whole);
            assert!(far < 1e-8, "{:?} {borders:?}: {far:e}", spec.layers);
        }
        let other = Trainer::new(NetworkSpec { spectrum: Some(FIRST), ..spec.clone() }, Precision::Double).unwrap();
        let mut sums = other.begin(&graph).unwrap();
        let mine = Trainer::new(spec, Precision::Double).unwrap();
        assert!(mine.add(&mut sums, Piece { first_row: 0, below: &x, original: &x }).is_err());
    }
}

fn regression() -> Readout {
    Readout::LinearRegression(LinearRegression { clip: LabelClip::None, ..LinearRegression::default() })
}

fn fit(choice: SpectrumChoice, kind: NetworkKind, x: &Array2<f64>, y: &[f64]) -> TrainedModel {
    let network = NetworkChoice { kind, spectrum: Some(choice), ..NetworkChoice::default() };
    // Soft GC is no linear function of spectra.
    let recipe = Recipe { network, readout: Some(regression()), ..Recipe::default() };
    recipe.fit(x, &Labels::numbers("y", y.to_vec())).unwrap()
}

#[test]
fn a_model_keeps_the_preparation_and_its_weights_are_those_of_given_spectra() {
    let (x, y) = spectra(60, 30);
    for (snv, derivative) in [(false, 0), (false, 1), (false, 2), (true, 0), (true, 1)] {
        let choice = SpectrumChoice { snv: Some(snv), derivative: Some(derivative), ..SpectrumChoice::default() };
        let trained = fit(choice, NetworkKind::Linear, &x, &y);
        let again = Model::from_bytes(&trained.model.to_bytes().unwrap()).unwrap();
        assert_eq!(again, trained.model);
        let spectrum = again.network().spec.spectrum.unwrap();
        assert_eq!((spectrum.snv, spectrum.derivative), (snv, derivative));
        let estimates = again.estimate(&x).unwrap();
        assert_eq!(estimates, trained.model.estimate(&x).unwrap());
        let affine = again.affine_estimates().unwrap();
        let given = Spectrum { snv, ..Spectrum::default() }.prepare(x.view()).unwrap();
        let by_hand = given.dot(&affine.weights) + &affine.offset;
        let found = Array2::from_shape_vec((60, 1), estimates[0].1.numbers().unwrap().to_vec()).unwrap();
        assert!(most(&by_hand, &found) < 1e-8, "{spectrum}: {:e}", most(&by_hand, &found));
    }
}

#[test]
fn left_out_samples_choose_what_takes_baseline_and_scatter_away() {
    let (x, y) = spectra(60, 40);
    let trained = fit(SpectrumChoice::default(), NetworkKind::Auto, &x, &y);
    let tried = &trained.selection.tried;
    let loss = |name: &str| tried.iter().find(|one| one.name.starts_with(name)).unwrap().loss.unwrap();
    let best = trained.selection.taken().unwrap().loss.unwrap();
    assert!(best < 0.5 * loss("linear on spectra as they are"), "{}", trained.selection);
    assert!(trained.model.network().spec.spectrum.unwrap().snv, "{}", trained.selection);
    for name in ["linear on SNV", "linear on first derivatives, window", "linear on SNV and second derivatives, window"]
    {
        loss(name);
    }
    assert!(tried.iter().any(|one| one.name.starts_with("quadratic on") && one.name.contains("SNV")));
    assert!(trained.notes.iter().all(|note| !matches!(note, Note::UnchosenSpectrum { .. })));
    // A part that is said stays as it is.
    let choice = SpectrumChoice { derivative: Some(2), window: Some(9), ..SpectrumChoice::default() };
    for kind in [NetworkKind::Auto, NetworkKind::Linear, NetworkKind::Cascade] {
        let spectrum = fit(choice, kind, &x, &y).model.network().spec.spectrum.unwrap();
        assert_eq!((spectrum.derivative, spectrum.window, spectrum.degree), (2, 9, 2), "{kind:?}");
    }
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let again = pool.install(|| fit(SpectrumChoice::default(), NetworkKind::Auto, &x, &y));
        assert_eq!(again.model, trained.model, "{threads}");
    }
}

#[test]
fn series_several_labels_weights_and_unlabelled_spectra_have_it_too() {
    let (x, y) = spectra(60, 24);
    let network = NetworkChoice { features: Some(1), spectrum: Some(SpectrumChoice::default()), ..Default::default() };
    let chain = Recipe { graph: Some(Chain::default().into()), network: network.clone(), ..Recipe::default() };
    let series = chain.fit(&x, &Labels::none(60)).unwrap();
    assert!(series.selection.tried.iter().any(|one| one.name == "linear on SNV and first derivatives"));
    assert!(series.model.network().spec.spectrum.is_some());
    let recipe = Recipe { network: NetworkChoice { features: None, ..network }, ..Recipe::default() };
    let both = Labels::numbers("y", y.clone()).and_numbers("square", y.iter().map(|y| y * y).collect()).unwrap();
    assert!(recipe.fit(&x, &both).unwrap().model.network().spec.spectrum.unwrap().snv);
    // A weight of 2 is a copy.
    let weights: Vec<f64> = (0..60).map(|n| if n < 10 { 2.0 } else { 1.0 }).collect();
    let labels = Labels::numbers("y", y.clone());
    let input = GraphInput::new(&labels).with_weights(SampleWeights::new(weights).unwrap()).unwrap();
    let rows: Vec<usize> = (0..60).chain(0..10).collect();
    let copied = Labels::numbers("y", rows.iter().map(|&n| y[n]).collect());
    let (weighted, copied) = (recipe.fit(&x, input).unwrap(), recipe.fit(&x.select(Axis(0), &rows), &copied).unwrap());
    assert_eq!(weighted.model.network().spec.spectrum, copied.model.network().spec.spectrum);
    let semi = Recipe { semi_supervised: true, ..recipe };
    let missing = (0..60).map(|n| if n % 4 == 0 { f64::NAN } else { y[n] }).collect();
    assert!(semi.fit(&x, &Labels::numbers("y", missing)).unwrap().model.network().spec.spectrum.unwrap().snv);
}

#[test]
fn what_a_network_kept_of_spectra_is_what_it_kept_of_prepared_ones() {
    let (x, y) = spectra(40, 14);
    let layer = LayerSpec { keep: Some(Keep::default()), ..LayerSpec::new(5) };
    let prepared = BOTH.prepare(x.view()).unwrap();
    let kept = |spectrum: Option<Spectrum>, x: &Array2<f64>| {
        let network = network(14, spectrum, vec![layer.clone()]).fit(x, &graph_of(&y)).unwrap().network;
        (network.reconstructions(x).unwrap(), network.inverse(network.apply(x).unwrap().view()).unwrap())
    };
    assert_eq!(kept(Some(BOTH), &x), kept(None, &prepared));
}

#[test]
fn spectra_as_they_are_change_nothing_of_a_named_network() {
    let (x, y) = spectra(40, 12);
    let labels = Labels::numbers("y", y.clone());
    let raw = SpectrumChoice { snv: Some(false), derivative: Some(0), ..SpectrumChoice::default() };
    let linear = NetworkChoice { kind: NetworkKind::Linear, ..NetworkChoice::default() };
    let readout = Some(regression());
    let without = Recipe { network: linear, readout, ..Recipe::default() }.fit(&x, &labels).unwrap();
    let with = fit(raw, NetworkKind::Linear, &x, &y);
    assert_eq!((&with.features, with.selection.tried[0].loss), (&without.features, without.selection.tried[0].loss));
    // Nothing is left out: what is open leaves them so, and says it.
    let open =
        NetworkChoice { spectrum: Some(SpectrumChoice::default()), ridge: Some(0.1), ..NetworkChoice::default() };
    let recipe = Recipe { network: open, calibrate: false, ..Recipe::default() };
    let trained = recipe.fit(&x, &labels).unwrap();
    assert!(trained.model.network().spec.spectrum.unwrap().is_raw());
    assert!(trained.notes.iter().any(|note| matches!(note, Note::UnchosenSpectrum { .. })), "{:?}", trained.notes);
}

#[test]
fn short_spectra_have_the_windows_that_fit() {
    for columns in 1..=8 {
        let (x, y) = spectra(30, columns);
        let x = &x + &Array2::from_shape_fn((30, columns), |(n, k)| y[n] * (k * k) as f64);
        let spectrum = fit(SpectrumChoice::default(), NetworkKind::Auto, &x, &y).model.network().spec.spectrum.unwrap();
        assert!(spectrum.check(InputShape::vector(columns)).is_ok(), "{columns}: {spectrum}");
    }
}

#[test]
fn impossible_preparations_are_refused_with_what_helps() {
    let refused = |spectrum: Spectrum, input: InputShape| {
        NetworkSpec { spectrum: Some(spectrum), ..NetworkSpec::new(input, vec![linear()]) }.plan().unwrap_err()
    };
    let of = |derivative, window, degree| Spectrum { snv: false, derivative, window, degree };
    let row = InputShape::vector(10);
    for (spectrum, input, name) in [
        (of(1, 4, 2), row, "window"),
        (of(1, 0, 0), row, "window"),
        (of(1, 11, 2), row, "window"),
        (of(0, 5, 5), row, "degree"),
        (of(0, 9, 7), row, "degree"),
        (of(3, 5, 2), row, "derivative"),
        (Spectrum::default(), InputShape::grey(2, 5), "spectrum"),
    ] {
        match refused(spectrum, input) {
            Error::Parameter { name: found, .. } => assert_eq!(found, name, "{spectrum:?}"),
            other => panic!("{other}"),
        }
    }
    let (x, y) = spectra(20, 10);
    let choice = SpectrumChoice { window: Some(13), ..SpectrumChoice::default() };
    let network = NetworkChoice { spectrum: Some(choice), ..NetworkChoice::default() };
    let error = Recipe { network, ..Recipe::default() }.fit(&x, &Labels::numbers("y", y)).unwrap_err();
    assert!(error.to_string().contains("13") && error.to_string().contains("10 columns"), "{error}");
}

#[test]
fn a_value_that_is_not_finite_is_told_where_it_stands() {
    let (mut x, y) = spectra(20, 16);
    let spec = network(16, Some(BOTH), vec![linear()]);
    let trained = spec.fit(&x, &graph_of(&y)).unwrap().network;
    x[[7, 5]] = f64::NAN;
    for error in [spec.fit(&x, &graph_of(&y)).unwrap_err(), trained.apply(&x).unwrap_err()] {
        assert_eq!(error, Error::NonFiniteSample { row: 7, column: 5, total: 1 });
    }
    let error = trained.apply(&x.slice(s![.., ..9])).unwrap_err();
    assert_eq!(error, Error::InputDim { expected: 16, got: 9 });
    // SNV takes the size of a spectrum away, however large it is.
    let (x, _) = spectra(3, 16);
    assert!(most(&trained.apply(&(&x * 1e300)).unwrap(), &trained.apply(&x).unwrap()) < 1e-8);
    let derived = network(16, Some(FIRST), vec![linear()]).fit(&spectra(20, 16).0, &graph_of(&y)).unwrap().network;
    for size in [1e150, 1e300, 1e307] {
        let features = derived.apply(&(&x * size));
        assert!(features.is_err() || features.unwrap().iter().all(|y| y.is_finite()), "{size:e}");
    }
}
