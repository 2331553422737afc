//! The network to start with: it fits every shape and stays within its memory.

use crate::network_support::*;
use gsfa::expansion::Expansion;
use gsfa::network::{Goal, InputShape, NetworkSpec};
use gsfa::samples::Precision;

const SAMPLES: [usize; 9] = [2, 3, 10, 60, 500, 1_000, 5_000, 20_000, 100_000];
const GOALS: [Goal; 5] = [
    Goal { labels: 1, targets: 1 },
    Goal { labels: 1, targets: 40 },
    Goal { labels: 1, targets: 300 },
    Goal { labels: 2, targets: 5 },
    Goal { labels: 5, targets: 20 },
];

/// The bound that the documentation states.
fn within_memory(spec: &NetworkSpec, samples: usize, what: &str) {
    let plan = spec.plan().unwrap_or_else(|error| panic!("{what}: {error}"));
    let allowed = (2 << 30) + 2 * 4 * samples * plan.input_dim;
    // More threads hold the sums of more nodes at the same time.
    let bytes = plan.training_bytes(samples, Precision::Single, 8);
    assert!(bytes <= allowed, "{what}: {bytes} bytes, {allowed} allowed\n{plan}");
}

#[test]
fn every_image_gets_a_network_that_fits_and_stays_within_memory() {
    for height in 1..=80 {
        for width in 1..=80 {
            for channels in [1, 3] {
                let input = InputShape { height, width, channels };
                for samples in SAMPLES {
                    for goal in GOALS {
                        let spec = NetworkSpec::auto(input, samples, goal);
                        let what = format!("{height}x{width}x{channels}, N = {samples}, {goal:?}");
                        within_memory(&spec, samples, &what);
                        let top = spec.layers.last().unwrap();
                        assert_eq!(top.output_dim, goal.targets, "{what}");
                        assert!(spec.layers.iter().all(|layer| layer.ridge > 0.0), "{what}");
                        assert_eq!(spec.plan().unwrap().layers.last().unwrap().nodes, [1, 1], "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn unusual_shapes_get_a_network_that_fits() {
    let shapes =
        [(1, 20_000, 1), (20_000, 1, 1), (2, 5_001, 3), (480, 641, 3), (97, 89, 16), (60, 60, 16), (211, 3, 7)];
    for (height, width, channels) in shapes {
        for goal in GOALS {
            let input = InputShape { height, width, channels };
            within_memory(&NetworkSpec::auto(input, 10_000, goal), 10_000, &format!("{height}x{width}x{channels}"));
        }
    }
    for columns in [1, 2, 13, 64, 1_000, 4_096, 4_097, 8_000] {
        for samples in SAMPLES {
            let spec = NetworkSpec::auto(InputShape::vector(columns), samples, GOALS[4]);
            within_memory(&spec, samples, &format!("{columns} columns"));
            assert_eq!(spec.layers.len(), 1);
        }
    }
    // Faults are the plan's to tell.
    for input in [InputShape::vector(0), InputShape::grey(0, 4), InputShape::grey(usize::MAX, 2)] {
        assert!(NetworkSpec::auto(input, 10, GOALS[0]).plan().is_err());
    }
}

#[test]
fn for_64x64_grey_pixels_it_is_the_paper_s_network() {
    let auto = NetworkSpec::auto(InputShape::grey(64, 64), 10_800, Goal { labels: 1, targets: 6 });
    assert_eq!(auto.plan().unwrap(), NetworkSpec::paper_64().plan().unwrap());
}

#[test]
fn tables_become_quadratic_when_there_are_samples_enough() {
    let goal = Goal { labels: 1, targets: 1 };
    // 10 columns have 65 terms.
    for (samples, expansion) in [(649, Expansion::Identity), (650, Expansion::QUADRATIC)] {
        let spec = NetworkSpec::auto(InputShape::vector(10), samples, goal);
        assert_eq!(spec.layers[0].expansion, expansion);
        assert!(spec.layers[0].standardize);
    }
}

#[test]
fn small_images_get_as_many_components_as_samples_pay_for() {
    let components = |samples| {
        let spec = NetworkSpec::auto(InputShape::grey(20, 20), samples, Goal { labels: 1, targets: 3 });
        spec.layers[0].pca.map(|pca| pca.components.unwrap())
    };
    assert_eq!(components(449), None);
    // 12 · 15 / 2 = 90 terms.
    assert_eq!(components(450), Some(12));
    assert_eq!(components(1_000_000), Some(120));
}

#[test]
fn several_labels_become_a_cascade() {
    let goal = Goal { labels: 5, targets: 20 };
    let auto = |samples| NetworkSpec::auto(InputShape::grey(64, 64), samples, goal);
    // 265 products of features.
    assert_eq!(auto(5 * 265), NetworkSpec::cascade(InputShape::grey(64, 64), 3, 20));
    assert_ne!(auto(5 * 265 - 1).layers.len(), 3);
}

#[test]
fn what_auto_proposes_can_be_trained() {
    let table = InputShape::vector(7);
    for (input, samples) in [
        (table, 2),
        (table, 60),
        (table, 400),
        (InputShape::grey(7, 5), 50),
        (InputShape::grey(7, 5), 600),
        (InputShape { height: 37, width: 31, channels: 1 }, 30),
    ] {
        for goal in [Goal { labels: 1, targets: 2 }, Goal { labels: 2, targets: 3 }] {
            let (x, label) = images(samples, input, 1);
            let graph = graph(&label, goal.targets.min(samples - 1));
            let spec = NetworkSpec::auto(input, samples, goal).with_chosen_ridge(&x.view(), &graph).unwrap();
            let trained = spec.fit(&x.view(), &graph).unwrap();
            assert_eq!(trained.features.dim(), (samples, goal.targets));
            assert!(trained.features.iter().all(|x| x.is_finite()));
        }
    }
}
