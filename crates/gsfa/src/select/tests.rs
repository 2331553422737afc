//! What judges must not have taught.

use std::ops::ControlFlow;

use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::pooled::{add_fold, pools};
use super::{Candidate, Folds, Judging};
use crate::expansion::Expansion;
use crate::graph::{Clustered, Ell, GraphInput, GraphSpec};
use crate::labels::Labels;
use crate::network::{InputShape, LayerSpec, NetworkSpec};
use crate::readout::{Estimates, GaussianClassifier, LabelEstimates, LinearRegression, Readout};

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
    Folds::deal(&Labels::numbers("same", vec![0.0; SAMPLES]), &vec![0.0; SAMPLES], Some(&groups), 3).unwrap()
}

/// The first fold judges.
fn with_judging<A>(x: &Array2<f64>, labels: &Labels, folds: &Folds, with: impl Fn(Judging<'_, '_>) -> A) -> A {
    let (input, progress) = (GraphInput::new(labels), |_| ControlFlow::Continue(()));
    with(Judging { samples: &x.view(), input: &input, folds, judged: 1, progress: &progress })
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
