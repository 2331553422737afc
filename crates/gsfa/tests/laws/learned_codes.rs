//! Codes of classes that nodes learn.

use gsfa::graph::{ClassCode, Clustered, Compact, Ell, GraphInput, TrainingGraph};
use gsfa::labels::{Classes, EigenvalueProfile, LabelValues, Labels, SampleWeights};
use gsfa::readout::{ClassCovariance, GaussianClassifier, LabelEstimates, LabeledFeatures, Readout};
use gsfa::{Gsfa, SlowFeatures};
use ndarray::{Array2, ArrayView2, Axis, concatenate};

use super::support::Draws;

const LEARNED: [ClassCode; 3] = [ClassCode::WeightedFisher, ClassCode::Pairwise, ClassCode::Nested];

/// Samples of unequal classes whose means differ, mostly in a few directions.
struct Data {
    x: Array2<f64>,
    classes: Vec<usize>,
}

impl Data {
    fn new(classes: usize, dim: usize, per_class: usize, seed: u64) -> Self {
        let mut draws = Draws::new(seed);
        let of: Vec<usize> = (0..classes).flat_map(|c| vec![c; per_class + c % 4]).collect();
        let means = Array2::from_shape_fn((classes, dim), |(_, i)| 4.0 * draws.normal() / (1.0 + i as f64));
        let x = Array2::from_shape_fn((of.len(), dim), |(n, i)| means[[of[n], i]] + draws.normal());
        Self { x, classes: of }
    }

    fn labels(&self) -> Labels {
        Labels::classes("class", self.classes.iter().map(|c| format!("{c:02}")))
    }

    fn fit(&self, graph: &Compact, d: usize, ridge: f64) -> SlowFeatures {
        let graph = graph.build(&GraphInput::new(&self.labels())).unwrap();
        Gsfa { ridge, ..Gsfa::new(d) }.fit(&self.x.view(), &graph).unwrap()
    }

    /// Errors on these samples of Gaussians with a shared covariance, which is what the bound is about.
    fn errors(&self, slow: &SlowFeatures) -> usize {
        let y = slow.apply(self.x.view()).unwrap();
        let truth = Classes::new(self.classes.iter().map(|c| format!("{c:02}")));
        let (label, weights) = (LabelValues::Classes(truth.clone()), SampleWeights::uniform(self.classes.len()));
        let shared = GaussianClassifier { covariance: ClassCovariance::Shared, ..GaussianClassifier::default() };
        let training = LabeledFeatures::new(y.view(), "class", &label, &weights).unwrap();
        let estimates = Readout::GaussianClassifier(shared).fit(&training).unwrap().estimate(y.view()).unwrap();
        let LabelEstimates::Classes { of_sample, .. } = estimates.label else { panic!("classes") };
        of_sample.iter().zip(truth.of_sample()).filter(|(a, b)| a != b).count()
    }
}

fn compact(code: ClassCode) -> Compact {
    Compact { code, ..Compact::default() }
}

/// The largest difference of features, up to their signs.
fn difference(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> f64 {
    assert_eq!(a.dim(), b.dim());
    let columns = a.axis_iter(Axis(1)).zip(b.axis_iter(Axis(1)));
    let one = columns.map(|(a, b)| {
        let sign = if a.dot(&b) < 0.0 { -1.0 } else { 1.0 };
        a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - sign * b).abs()))
    });
    one.fold(0.0, f64::max)
}

/// How far features are from lying in the span of others, both uncorrelated and of unit variance.
fn outside(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> f64 {
    let inner = a.t().dot(&b) / a.nrows() as f64;
    let left = &a - &b.dot(&inner.t());
    left.iter().fold(0.0_f64, |most, x| most.max(x.abs()))
}

#[test]
fn a_learned_code_is_the_ell_graph_of_its_labels() {
    for (classes, d, seed) in [(3, 1, 1), (4, 2, 2), (6, 3, 3), (9, 2, 4), (12, 5, 5)] {
        let data = Data::new(classes, 14, 20, seed);
        for code in LEARNED {
            let slow = data.fit(&compact(code), d, 0.0);
            let learned = slow.code.as_ref().unwrap();
            assert_eq!(learned.dim(), (classes, d));
            let mut labels = Labels::none(data.classes.len());
            for k in 0..d {
                let values = data.classes.iter().map(|&c| learned[[c, k]]).collect();
                labels = labels.and_numbers(format!("code{k}"), values).unwrap();
            }
            let graph = Ell { eigenvalues: EigenvalueProfile::Equal, ..Ell::default() };
            let graph = graph.build(&GraphInput::new(&labels)).unwrap();
            let explicit = Gsfa::new(d).fit(&data.x.view(), &graph).unwrap();
            let (ours, theirs) = (slow.apply(data.x.view()).unwrap(), explicit.apply(data.x.view()).unwrap());
            assert!(outside(ours.view(), theirs.view()) < 1e-8, "{code:?}");
            if code == ClassCode::Pairwise {
                assert!(difference(ours.view(), theirs.view()) < 1e-7);
                for (a, b) in slow.delta_values.iter().zip(&explicit.delta_values) {
                    assert!((a - b).abs() < 1e-9);
                }
            }
            // What Δ says by its definition.
            let measured = graph.delta_values(ours.view()).unwrap();
            for (a, b) in slow.delta_values.iter().zip(&measured) {
                assert!((a - b).abs() < 1e-9, "{code:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn all_features_of_the_class_space_are_those_of_the_clustered_graph() {
    for classes in [2, 3, 5, 8] {
        let data = Data::new(classes, 9, 12, classes as u64);
        let clustered = Clustered::default().build(&GraphInput::new(&data.labels())).unwrap();
        let theirs = Gsfa::new(classes - 1).fit(&data.x.view(), &clustered).unwrap();
        for code in LEARNED {
            let ours = data.fit(&compact(code), classes - 1, 0.0);
            assert_eq!(ours.code, None);
            let (ours, theirs) = (ours.apply(data.x.view()).unwrap(), theirs.apply(data.x.view()).unwrap());
            assert!(outside(ours.view(), theirs.view()) < 1e-8);
        }
    }
}

#[test]
fn neither_names_of_classes_nor_rotation_nor_scale_of_inputs_matter() {
    let data = Data::new(7, 8, 25, 11);
    for (code, ridge) in LEARNED.into_iter().flat_map(|code| [(code, 0.0), (code, 0.1)]) {
        let ours = data.fit(&compact(code), 3, ridge).apply(data.x.view()).unwrap();
        // Other names sort the classes in another order.
        let order = [4, 2, 6, 0, 5, 1, 3];
        let renamed = Data { x: data.x.clone(), classes: data.classes.iter().map(|&c| order[c]).collect() };
        let theirs = renamed.fit(&compact(code), 3, ridge).apply(data.x.view()).unwrap();
        assert!(difference(ours.view(), theirs.view()) < 1e-5, "{code:?}: names");
        let mut draws = Draws::new(3);
        let mut turned = Array2::from_shape_fn((8, 8), |_| draws.normal());
        for i in 0..8 {
            for j in 0..i {
                let along = turned.column(i).dot(&turned.column(j));
                let other = turned.column(j).to_owned();
                turned.column_mut(i).scaled_add(-along, &other);
            }
            let norm = turned.column(i).dot(&turned.column(i)).sqrt();
            turned.column_mut(i).mapv_inplace(|x| x / norm);
        }
        turned *= 50.0;
        let moved = Data { x: data.x.dot(&turned) + 7.0, classes: data.classes.clone() };
        let theirs = moved.fit(&compact(code), 3, ridge).apply(moved.x.view()).unwrap();
        assert!(difference(ours.view(), theirs.view()) < 1e-5, "{code:?}: rotation");
    }
}

#[test]
fn few_learned_features_err_less_than_binary_codes_and_no_more_than_discriminants() {
    for (classes, d, seed) in [(8, 2, 21), (16, 3, 22), (20, 2, 23)] {
        let data = Data::new(classes, 20, 60, seed);
        let learned = data.errors(&data.fit(&compact(ClassCode::Pairwise), d, 0.0));
        let binary = Compact { targets: Some(d), ..Compact::default() };
        let binary = data.errors(&data.fit(&binary, d, 0.0));
        let clustered = Clustered::default().build(&GraphInput::new(&data.labels())).unwrap();
        let clustered = data.errors(&Gsfa::new(d).fit(&data.x.view(), &clustered).unwrap());
        // Means that differ mostly in a few directions are what discriminants are best at: beyond chance, no more than these.
        let counts = format!("{classes} classes: {learned}, {binary}, {clustered}");
        assert!(learned < binary && (learned as f64) < clustered as f64 + 2.0 * (clustered as f64).sqrt(), "{counts}");
    }
}

#[test]
fn prefixes_of_a_nested_code_tell_classes_apart() {
    let data = Data::new(12, 14, 80, 31);
    let nested = data.fit(&compact(ClassCode::Nested), 4, 0.0);
    let first =
        |d: usize| SlowFeatures { weights: nested.weights.slice(ndarray::s![.., ..d]).to_owned(), ..nested.clone() };
    let clustered = Clustered::default().build(&GraphInput::new(&data.labels())).unwrap();
    for d in 2..4 {
        let discriminant = Gsfa::new(d).fit(&data.x.view(), &clustered).unwrap();
        assert!(data.errors(&first(d)) < data.errors(&discriminant), "{d} features");
    }
}

#[test]
fn weight_two_is_the_sample_twice() {
    let data = Data::new(5, 6, 15, 41);
    let twice: Vec<usize> = (0..data.classes.len()).filter(|n| n % 3 == 0).collect();
    let x = concatenate(Axis(0), &[data.x.view(), data.x.select(Axis(0), &twice).view()]).unwrap();
    let classes = data.classes.iter().copied().chain(twice.iter().map(|&n| data.classes[n])).collect();
    let copied = Data { x, classes };
    for code in LEARNED {
        let weights = (0..data.classes.len()).map(|n| if n % 3 == 0 { 2.0 } else { 1.0 }).collect();
        let labels = data.labels();
        let input = GraphInput::new(&labels).with_weights(SampleWeights::new(weights).unwrap()).unwrap();
        let graph = compact(code).build(&input).unwrap();
        let ours = Gsfa::new(2).fit(&data.x.view(), &graph).unwrap().apply(data.x.view()).unwrap();
        let theirs = copied.fit(&compact(code), 2, 0.0).apply(data.x.view()).unwrap();
        assert!(difference(ours.view(), theirs.view()) < 1e-5, "{code:?}");
    }
}

#[test]
fn classes_in_one_place_and_classes_far_away_are_no_obstacle() {
    for code in LEARNED {
        // Two classes of one distribution.
        let mut data = Data::new(6, 7, 20, 51);
        data.classes.iter_mut().enumerate().for_each(|(n, c)| *c = if *c < 2 { n % 2 } else { *c });
        let slow = data.fit(&compact(code), 2, 0.0);
        assert!(slow.weights.iter().all(|w| w.is_finite()));
        // One class that no other comes near.
        let mut data = Data::new(6, 7, 40, 52);
        for n in 0..data.classes.len() {
            if data.classes[n] == 3 {
                data.x.row_mut(n).mapv_inplace(|x| x + 1e4);
            }
        }
        let errors = data.errors(&data.fit(&compact(code), 2, 0.0));
        assert!(errors < data.classes.len() / 3, "{code:?}: {errors} of {}", data.classes.len());
    }
}

#[test]
fn costs_decide_which_classes_are_told_apart() {
    let data = Data::new(6, 7, 60, 61);
    let mut costs = vec![vec![1e-9; 6]; 6];
    (costs[0][1], costs[1][0]) = (1.0, 1.0);
    let costly = Compact { costs, ..compact(ClassCode::Pairwise) };
    let pair: Vec<usize> = (0..data.classes.len()).filter(|&n| data.classes[n] < 2).collect();
    let two = Data { x: data.x.select(Axis(0), &pair), classes: pair.iter().map(|&n| data.classes[n]).collect() };
    let (with, without) = (data.fit(&costly, 1, 0.0), data.fit(&compact(ClassCode::Pairwise), 1, 0.0));
    assert!(two.errors(&with) <= two.errors(&without));
    assert!(two.errors(&with) <= 1 + two.errors(&two.fit(&compact(ClassCode::Pairwise), 1, 0.0)));
}

#[test]
fn what_a_code_cannot_be_learned_with_is_refused() {
    let data = Data::new(3, 4, 5, 71);
    let labels = data.labels();
    let refused =
        |graph: &Compact| graph.build(&GraphInput::new(&labels)).map(|_: TrainingGraph| ()).unwrap_err().to_string();
    let with = |costs: [[f64; 3]; 3]| Compact {
        costs: costs.iter().map(|row| row.to_vec()).collect(),
        ..compact(ClassCode::Pairwise)
    };
    assert!(refused(&with([[0.0, -1.0, 1.0], [-1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])).contains("not negative"));
    assert!(refused(&with([[0.0, f64::NAN, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])).contains("finite"));
    assert!(refused(&with([[0.0, 2.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])).contains("symmetric"));
    assert!(refused(&with([[0.0; 3]; 3])).contains("at least one pair"));
    assert!(refused(&Compact { costs: vec![vec![0.0; 2]; 2], ..compact(ClassCode::Nested) }).contains("3 lists"));
    assert!(refused(&Compact { scale: Some(0.0), ..compact(ClassCode::Nested) }).contains("scale"));
    assert!(refused(&Compact { scale: Some(0.5), ..Compact::default() }).contains("only learned codes"));
    assert!(refused(&Compact { targets: Some(0), ..compact(ClassCode::Nested) }).contains("at least one"));
}
