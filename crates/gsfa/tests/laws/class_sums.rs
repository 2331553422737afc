//! Graphs over classes keep the weight and the mean of each class, however sums were taken.

use gsfa::graph::{ClassCode, Clustered, Compact, Ell, GraphInput, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::moments::{ClassSums, Moments};
use gsfa::samples::Samples;
use ndarray::{Array2, s};

use super::support::{Draws, assert_all_near};

/// Classes of unequal sizes, one of a single sample, in disorder; every seventh sample may have none.
fn labels(samples: usize, classes: usize, gaps: bool) -> Labels {
    let class = |n: usize| if n == 3 { 0 } else { 1 + n * n % (classes - 1) };
    let name = |n: usize| (!(gaps && n % 7 == 6)).then(|| format!("{}", class(n)));
    Labels::none(samples).and_some_classes("class", (0..samples).map(name)).unwrap()
}

/// By the definition.
fn expected(x: &Array2<f64>, labels: &Labels, weights: &[f64]) -> Vec<(f64, Vec<f64>)> {
    let gsfa::labels::LabelValues::Classes(classes) = labels.column("class").unwrap() else { panic!("classes") };
    let mean = |c: u32| {
        let members: Vec<usize> = (0..x.nrows()).filter(|&n| classes.of_sample()[n] == c).collect();
        let weight: f64 = members.iter().map(|&n| weights[n]).sum();
        let mean = (0..x.ncols()).map(|i| members.iter().map(|&n| weights[n] * x[[n, i]]).sum::<f64>() / weight);
        (weight, mean.collect())
    };
    (0..classes.count() as u32).map(mean).collect()
}

fn in_pieces(x: &Array2<f64>, graph: &TrainingGraph) -> ClassSums {
    let part = |from: usize, to: usize| {
        let mut sums = Moments::<f64>::new(graph, x.ncols());
        let rows = x.slice(s![from..to, ..]);
        sums.add_piece(from, &rows as &dyn Samples).unwrap();
        Moments::<f64>::from_bytes(graph, &sums.to_bytes().unwrap()).unwrap()
    };
    let half = x.nrows() / 2;
    let (mut first, second) = (part(0, half), part(half, x.nrows()));
    first.merge(second).unwrap();
    first.finish().unwrap().class_sums().unwrap()
}

#[test]
fn class_sums_are_those_of_the_definition() {
    let codes = [ClassCode::Binary, ClassCode::Sparse, ClassCode::Pairwise];
    for (samples, dim, classes) in [(60, 3, 2), (60, 4, 5), (90, 7, 12), (30, 50, 6)] {
        let mut draws = Draws::new(samples as u64);
        let x = Array2::from_shape_fn((samples, dim), |(_, i)| 5.0 + i as f64 + draws.normal());
        let weights: Vec<f64> = (0..samples).map(|n| 0.5 + (n % 5) as f64).collect();
        for gaps in [false, true] {
            let labels = labels(samples, classes, gaps);
            let input = GraphInput::new(&labels).with_weights(SampleWeights::new(weights.clone()).unwrap()).unwrap();
            let compact = |code| Compact { code, semi_supervised: gaps, ..Compact::default() };
            let mut graphs: Vec<TrainingGraph> =
                codes.iter().map(|&code| compact(code).build(&input).unwrap()).collect();
            graphs.push(Clustered { semi_supervised: gaps, ..Clustered::default() }.build(&input).unwrap());
            if gaps {
                let unlabelled = Some(0.5);
                graphs.push(Compact { unlabelled, ..compact(ClassCode::Binary) }.build(&input).unwrap());
            }
            let expected = expected(&x, &labels, &weights);
            for graph in &graphs {
                let whole = Moments::<f64>::of(&x.view(), graph).unwrap().finish().unwrap().class_sums().unwrap();
                for found in [whole, in_pieces(&x, graph)] {
                    let shares: Vec<f64> = expected.iter().map(|(weight, _)| *weight).collect();
                    assert_all_near(&found.weights, &shares, 1e-10);
                    for (mean, (_, expected)) in found.means.outer_iter().zip(&expected) {
                        assert_all_near(&mean.to_vec(), expected, 1e-10);
                    }
                }
            }
        }
    }
}

#[test]
fn graphs_that_are_not_of_classes_have_no_class_sums() {
    let labels = Labels::numbers("y", (0..20).map(f64::from).collect());
    let graph = Ell::default().build(&GraphInput::new(&labels)).unwrap();
    let x = Array2::from_shape_fn((20, 2), |(n, i)| (n * (i + 1) % 7) as f64);
    assert!(Moments::<f64>::of(&x.view(), &graph).unwrap().finish().unwrap().class_sums().is_none());
}
