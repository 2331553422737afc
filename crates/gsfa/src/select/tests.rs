//! What judges must not have taught.

use std::ops::ControlFlow;

use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Part;
use super::pooled::{add_fold, pools};
use super::{Candidate, Folds, Judging, SharedSums, Units};
use crate::expansion::Expansion;
use crate::graph::{ClassCode, Compact};
use crate::graph::{Clustered, Ell, GraphInput, GraphSpec};
use crate::labels::{Labels, SampleWeights};
use crate::network::{InputShape, LayerSpec, NetworkSpec};
use crate::readout::{Estimates, GaussianClassifier, LabelEstimates, LinearRegression, Readout};
use crate::samples::Subset;

const SAMPLES: usize = 90;

fn samples() -> (Array2<f64>, Vec<f64>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let x = Array2::from_shape_simple_fn((SAMPLES, 9), || rng.random_range(-1.0..1.0));
    let y = x.outer_iter().map(|row| row[0] + row[1] * row[2] + 0.3 * rng.random_range(-1.0..1.0)).collect();
    (x, y)
}

fn networks() -> Vec<NetworkSpec> {
    let input = InputShape::grey(3, 3);
    let linear = LayerSpec { ridge: 1e-2, ..LayerSpec::new(1) };
    let quadratic = LayerSpec { expansion: Expansion::QUADRATIC, standardize: true, ..linear.clone() };
    vec![NetworkSpec::new(input, vec![linear]), NetworkSpec::new(input, vec![quadratic]), NetworkSpec::gated(input, 1)]
}

/// Folds that do not depend on labels.
fn folds(labels: &Labels) -> Folds {
    let groups: Vec<usize> = (0..SAMPLES).collect();
    let none = Labels::none(SAMPLES);
    assert_eq!(labels.len(), none.len());
    let same = Labels::numbers("same", vec![0.0; SAMPLES]);
    Folds::deal(SAMPLES, &Units::of_labels(&same, &vec![0.0; SAMPLES], Some(&groups)), 3).unwrap()
}

/// The first fold judges.
fn with_judging<A>(x: &Array2<f64>, labels: &Labels, folds: &Folds, with: impl Fn(Judging<'_, '_>) -> A) -> A {
    let (input, progress) = (GraphInput::new(labels), |_| ControlFlow::Continue(()));
    let shared = &SharedSums::default();
    with(Judging { samples: &x.view(), input: &input, folds, judged: 1, progress: &progress, shared })
}

/// What models of the other folds say about the first.
fn estimates_of_first(candidate: &Candidate<'_>, x: &Array2<f64>, labels: &Labels, folds: &Folds) -> Vec<Vec<f64>> {
    let mut all = pools(&candidate.readouts);
    let fold = with_judging(x, labels, folds, |judging| judging.without(candidate, 0).unwrap());
    add_fold(&mut all, &fold, labels).unwrap();
    let numbers = |part: &Estimates| match (&part.label, &part.probabilities) {
        (LabelEstimates::Numbers(numbers), _) => numbers.to_vec(),
        (_, Some(probabilities)) => probabilities.iter().copied().collect(),
        _ => Vec::new(),
    };
    all.iter().flatten().flat_map(|pool| pool.parts.iter().map(numbers)).collect()
}

#[test]
fn labels_permuted_within_the_fold_that_judges_change_its_score_alone() {
    let (x, y) = samples();
    let regression = Readout::LinearRegression(LinearRegression::default());
    let gauss = Readout::GaussianClassifier(GaussianClassifier::default());
    let names = |y: &[f64]| y.iter().map(|y| if *y > 0.0 { "high" } else { "low" }).collect::<Vec<_>>();
    let cases: [(GraphSpec, Readout, bool); 2] =
        [(Ell::default().into(), regression, false), (Clustered::default().into(), gauss, true)];
    for (spec, readout, classes) in cases {
        let labels_of = |y: &[f64]| match classes {
            true => Labels::classes("y", names(y)),
            false => Labels::numbers("y", y.to_vec()),
        };
        let folds = folds(&labels_of(&y));
        let (left_out, _) = folds.split(0);
        let mut permuted = y.clone();
        left_out.iter().zip(left_out.iter().rev()).for_each(|(&to, &from)| permuted[to] = y[from]);
        for network in networks() {
            let estimates = |y: &[f64]| {
                let labels = labels_of(y);
                let candidate = Candidate { graph: &spec, network: &network, readouts: vec![vec![readout]] };
                estimates_of_first(&candidate, &x, &labels, &folds)
            };
            assert_eq!(estimates(&y), estimates(&permuted), "{spec:?}");
            let losses = |y: &[f64]| {
                let labels = labels_of(y);
                let candidate = Candidate { graph: &spec, network: &network, readouts: vec![vec![readout]] };
                with_judging(&x, &labels, &folds, |judging| judging.judge(&candidate).unwrap().losses)
            };
            let (one, other) = (losses(&y), losses(&permuted));
            assert!(one != other);
            assert!((0..SAMPLES).all(|n| one[n].is_some() == left_out.contains(&n)));
        }
    }
}

#[test]
fn candidates_that_share_sums_are_those_that_are_trained() {
    let (x, y) = samples();
    let names: Vec<String> = y.iter().map(|y| format!("{}", (y * 2.0).round().clamp(-2.0, 2.0))).collect();
    let labels = Labels::classes("y", names);
    let weights = SampleWeights::new((0..SAMPLES).map(|n| 1.0 + (n % 3) as f64).collect()).unwrap();
    let folds = folds(&labels);
    let progress = |_| ControlFlow::Continue(());
    for (balance, expansion) in [(false, Expansion::Identity), (true, Expansion::QUADRATIC)] {
        let shared = SharedSums::default();
        let clustered = GraphSpec::from(Clustered { balance, ..Clustered::default() });
        let compact = |code, targets| GraphSpec::from(Compact { code, targets, balance, ..Compact::default() });
        let graphs = [
            (clustered, 4),
            (compact(ClassCode::Binary, Some(3)), 3),
            (compact(ClassCode::Sparse, None), 4),
            (compact(ClassCode::Pairwise, None), 2),
            (compact(ClassCode::Nested, None), 3),
            (compact(ClassCode::WeightedFisher, None), 1),
        ];
        for ((graph, features), ridge) in graphs.iter().zip([1e-2, 1e-3, 0.1, 1e-2, 1e-2, 1.0]) {
            let layer = LayerSpec { expansion, ridge, standardize: true, ..LayerSpec::new(*features) };
            let network = NetworkSpec::new(InputShape::vector(9), vec![layer]);
            let candidate = Candidate { graph, network: &network, readouts: Vec::new() };
            let input = GraphInput::new(&labels).with_weights(weights.clone()).unwrap();
            let judged = folds.count();
            let (samples, input, progress, shared) = (&x.view(), &input, &progress, &shared);
            let judging = Judging { samples, input, folds: &folds, judged, progress, shared };
            for fold in 0..judged {
                let own = judging.without(&candidate, fold).unwrap();
                let (left_out, others) = folds.split(fold);
                let part = Part::of(graph, input, &others).unwrap();
                let trained = network.fit(&Subset::new(samples, &others).unwrap(), &part.graph).unwrap();
                let new = trained.network.apply(&Subset::new(samples, &left_out).unwrap()).unwrap();
                let close = |a: &Array2<f64>, b: &Array2<f64>| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8);
                assert!(close(&own.learned, &trained.features) && close(&own.new, &new), "{graph:?}, {fold}");
            }
        }
        assert_eq!(shared.count(), folds.count());
    }
}
