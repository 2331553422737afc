//! From one pass over the samples all graphs over their classes.

use gsfa::graph::{ClassCode, Clustered, Compact, GraphInput, GraphSpec};
use gsfa::labels::{CodeObjective, EigenvalueProfile, LabelValues, Labels, LearnedCode, SampleWeights};
use gsfa::readout::{ClassCovariance, GaussianClassifier, LabelEstimates, LabeledFeatures, Readout};
use gsfa::solve::ClassFeatures;
use gsfa::{Gsfa, Surplus};
use ndarray::{Array2, ArrayView2, Axis};

use super::support::Draws;

/// Samples of unequal classes whose means differ.
fn samples(classes: usize, seed: u64) -> (Array2<f64>, Labels) {
    let of: Vec<usize> = (0..classes).flat_map(|c| vec![c; 8 + 3 * c]).collect();
    let mut draws = Draws::new(seed);
    let means = Array2::from_shape_fn((classes, 12), |_| draws.normal());
    let x = Array2::from_shape_fn((of.len(), 12), |(n, i)| 0.7 * means[[of[n], i]] + draws.normal());
    (x, Labels::classes("class", of.iter().map(|c| format!("{c:02}"))))
}

fn assert_same(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>, bound: f64, what: &str) {
    assert_eq!(a.dim(), b.dim(), "{what}");
    for (a, b) in a.columns().into_iter().zip(b.columns()) {
        let sign = if a.dot(&b) < 0.0 { -1.0 } else { 1.0 };
        let distance = a.iter().zip(&b).fold(0.0_f64, |m, (a, b)| m.max((a - sign * b).abs()));
        assert!(distance < bound, "{what}: {distance}");
    }
}

/// The labels of a graph times the roots of their eigenvalues, one row per class.
fn class_labels(graph: &GraphSpec, labels: &Labels, classes: usize) -> Array2<f64> {
    let graph = graph.build(&GraphInput::new(labels)).unwrap();
    let Some(targets) = graph.targets() else {
        // Orthonormal under the shares, whatever these are: the identity divided by their roots, centred.
        let weights = graph.vertex_weights();
        let LabelValues::Classes(of) = labels.column("class").unwrap() else { panic!("classes") };
        let mut shares = vec![0.0; classes];
        of.of_sample().iter().zip(weights).for_each(|(&c, w)| shares[c as usize] += w);
        let total: f64 = shares.iter().sum();
        return Array2::from_shape_fn((classes, classes), |(c, k)| {
            let p = shares[k] / total;
            (f64::from(u8::from(c == k)) - p) / p.sqrt()
        });
    };
    let mut rows = targets.labels.values().to_owned();
    let lambda = &targets.eigenvalues.values;
    rows.axis_iter_mut(Axis(1)).zip(lambda).for_each(|(mut label, lambda)| label *= lambda.sqrt());
    rows
}

#[test]
fn graphs_through_the_class_space_are_the_graphs_themselves() {
    for (classes, seed) in [(2, 1), (3, 2), (4, 3), (6, 4), (8, 5)] {
        let (x, labels) = samples(classes, seed);
        let most = Gsfa { surplus: Surplus::Truncate, ..Gsfa::new(classes - 1) };
        let fit = |graph: &GraphSpec| {
            let graph = graph.build(&GraphInput::new(&labels)).unwrap();
            most.fit(&x, &graph).unwrap().apply(x.view()).unwrap()
        };
        for balance in [true, false] {
            let clustered = GraphSpec::from(Clustered { balance, ..Clustered::default() });
            let compact = Compact { balance, ..Compact::default() };
            let short = Compact { targets: Some(1), ..compact.clone() };
            let sparse = Compact { code: ClassCode::Sparse, eigenvalues: EigenvalueProfile::Linear, ..compact.clone() };
            // From the samples, and from the features of a node that was trained with the clustered graph.
            let y = fit(&clustered);
            for source in [&x, &y] {
                let canonical = ClassFeatures::fit(source, &GraphInput::new(&labels), balance).unwrap();
                let z = canonical.slow.apply(source.view()).unwrap();
                assert_eq!((canonical.space.classes(), canonical.space.dim()), (classes, classes - 1));
                for graph in [clustered.clone(), compact.clone().into(), short.clone().into(), sparse.clone().into()] {
                    let v =
                        canonical.space.of_labels(class_labels(&graph, &labels, classes).view(), classes - 1).unwrap();
                    assert_same(z.dot(&v).view(), fit(&graph).view(), 1e-8, &format!("{graph:?}, {classes} classes"));
                }
            }
        }
    }
}

#[test]
fn codes_learned_in_the_class_space_are_those_that_nodes_learn() {
    let objectives = [
        (ClassCode::WeightedFisher, CodeObjective::WeightedFisher),
        (ClassCode::Pairwise, CodeObjective::Pairwise),
        (ClassCode::Nested, CodeObjective::Nested),
    ];
    for (classes, d, seed) in [(3, 1, 11), (5, 2, 12), (8, 3, 13)] {
        let (x, labels) = samples(classes, seed);
        let canonical = ClassFeatures::fit(&x, &GraphInput::new(&labels), false).unwrap();
        let z = canonical.slow.apply(x.view()).unwrap();
        for ((code, objective), scale) in objectives.into_iter().flat_map(|pair| [(pair, 1.0), (pair, 0.5)]) {
            let v = canonical.space.learn(&LearnedCode { scale, ..LearnedCode::new(objective) }, d).unwrap();
            let graph =
                Compact { code, scale: Some(scale), ..Compact::default() }.build(&GraphInput::new(&labels)).unwrap();
            let theirs = Gsfa::new(d).fit(&x, &graph).unwrap().apply(x.view()).unwrap();
            assert_same(z.dot(&v).view(), theirs.view(), 1e-5, &format!("{code:?}, scale {scale}"));
        }
    }
}

#[test]
fn nearest_centroids_of_features_white_within_classes_are_gaussians_of_one_covariance() {
    let (classes, d) = (6, 3);
    let (x, labels) = samples(classes, 21);
    let input = GraphInput::new(&labels);
    let canonical = ClassFeatures::fit(&x, &input, true).unwrap();
    let v = canonical.space.learn(&LearnedCode::new(CodeObjective::Pairwise), d).unwrap();
    let white = canonical.space.white_within(v.view()).unwrap();
    let z = canonical.slow.apply(x.view()).unwrap();
    let (y, centroids) = (z.dot(&white), canonical.space.centroids(white.view()).unwrap());
    let nearest = |row: ndarray::ArrayView1<'_, f64>| {
        let distance = |c: usize| (&row - &centroids.row(c)).mapv(|x| x * x).sum();
        (0..classes).min_by(|&a, &b| distance(a).total_cmp(&distance(b))).unwrap() as u32
    };
    let ours: Vec<u32> = y.outer_iter().map(nearest).collect();
    let balanced = Clustered { balance: true, ..Clustered::default() }.build(&input).unwrap();
    let weights = SampleWeights::new(balanced.vertex_weights().to_vec()).unwrap();
    let label: &LabelValues = labels.column("class").unwrap();
    let features = z.dot(&v);
    let training = LabeledFeatures::new(features.view(), "class", label, &weights).unwrap();
    let shared = GaussianClassifier { covariance: ClassCovariance::Shared, ..GaussianClassifier::default() };
    let estimates = Readout::GaussianClassifier(shared).fit(&training).unwrap().estimate(features.view()).unwrap();
    let LabelEstimates::Classes { of_sample, .. } = estimates.label else { panic!("classes") };
    assert_eq!(ours, of_sample);
    // White within classes, and prefixes are prefixes.
    let first = canonical.space.white_within(v.slice(ndarray::s![.., ..2])).unwrap();
    assert_same(first.view(), white.slice(ndarray::s![.., ..2]), 1e-12, "prefix");
}

#[test]
fn what_does_not_fit_a_class_space_is_refused() {
    let (x, labels) = samples(4, 31);
    let space = ClassFeatures::fit(&x, &GraphInput::new(&labels), false).unwrap().space;
    assert!(space.of_labels(Array2::zeros((3, 2)).view(), 2).unwrap_err().to_string().contains("labels"));
    assert!(space.of_labels(Array2::from_elem((4, 1), f64::NAN).view(), 1).is_err());
    assert!(space.centroids(Array2::zeros((4, 2)).view()).is_err());
    assert!(space.white_within(Array2::zeros((3, 2)).view()).is_err());
    assert!(space.learn(&LearnedCode::new(CodeObjective::Nested), 4).is_err());
}
