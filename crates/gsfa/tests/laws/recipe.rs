//! From labelled samples to a model: what is left open is chosen by samples that are left out.

use std::ops::ControlFlow;

use gsfa::expansion::Expansion;
use gsfa::graph::{Clustered, Compact, Ell, GraphInput, GraphSpec, Serial};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::network::{InputShape, LayerSpec};
use gsfa::readout::{LabelClip, LinearRegression, LinearScaling, Readout};
use gsfa::recipe::{NetworkChoice, NetworkKind, Recipe, Selection, TrainedModel};
use gsfa::samples::Samples;
use gsfa::{Error, Gsfa, Note};
use ndarray::{Array2, Axis, array, s};

use crate::support::Draws;

fn normal(rows: usize, columns: usize, seed: u64) -> Array2<f64> {
    let mut draws = Draws::new(seed);
    Array2::from_shape_simple_fn((rows, columns), || draws.normal())
}

fn train(recipe: &Recipe, x: &Array2<f64>, labels: &Labels) -> TrainedModel {
    train_weighted(recipe, x, labels, SampleWeights::uniform(labels.len()))
}

fn train_weighted(recipe: &Recipe, x: &Array2<f64>, labels: &Labels, weights: SampleWeights) -> TrainedModel {
    let input = GraphInput::new(labels).with_weights(weights).unwrap();
    let design = recipe.design(&input, InputShape::vector(x.ncols())).unwrap();
    design.train(&x.view(), &|_| ControlFlow::Continue(())).unwrap()
}

fn linear() -> Recipe {
    Recipe { network: NetworkChoice { kind: NetworkKind::Linear, ..NetworkChoice::default() }, ..Recipe::default() }
}

fn numbers(trained: &TrainedModel, label: usize, x: &Array2<f64>) -> Vec<f64> {
    trained.model.estimate(&x.view()).unwrap()[label].1.numbers().unwrap().to_vec()
}

fn share_of_chance(estimates: &[f64], truth: &[f64]) -> f64 {
    let mean = truth.iter().sum::<f64>() / truth.len() as f64;
    let square = |it: &mut dyn Iterator<Item = f64>| it.map(|x| x * x).sum::<f64>();
    let error = square(&mut estimates.iter().zip(truth).map(|(e, t)| e - t));
    (error / square(&mut truth.iter().map(|t| t - mean))).sqrt()
}

/// Two labels, the second of which is far more predictable, so that its feature comes first.
fn two_labels(n: usize, seed: u64) -> (Array2<f64>, [Vec<f64>; 2]) {
    let (x, noise) = (normal(n, 6, seed), normal(n, 2, seed + 1));
    let label = |j: usize, size: f64| (0..n).map(|k| x[[k, j]] + size * noise[[k, j]]).collect::<Vec<f64>>();
    let labels = [label(0, 1.5), label(1, 0.1)];
    (x, labels)
}

#[test]
fn linear_scaling_finds_the_feature_of_each_label_whatever_their_order() {
    let ((x, y), (new, truth)) = (two_labels(1000, 1), two_labels(1000, 11));
    let labels = Labels::numbers("a", y[0].clone()).and_numbers("b", y[1].clone()).unwrap();
    let scaling = Some(Readout::LinearScaling(LinearScaling::default()));
    let importance = Ell { eigenvalues: gsfa::labels::EigenvalueProfile::Importance(vec![0.3, 0.7]), ..Ell::default() };
    for graph in [None, Some(GraphSpec::from(importance))] {
        for calibrate in [false, true] {
            let recipe = Recipe { graph: graph.clone(), readout: scaling, calibrate, ..linear() };
            let trained = train(&recipe, &x, &labels);
            let errors = [0, 1].map(|k| share_of_chance(&numbers(&trained, k, &new), &truth[k]));
            // A tenth is noise; what the first label's noise leaves in the second target label cannot be seen.
            assert!(errors[0] < 0.87 && errors[1] < 0.15, "{errors:?}");
        }
    }
}

#[test]
fn linear_scaling_of_one_label_takes_its_own_feature_though_an_auxiliary_one_is_more_predictable() {
    let n = 800;
    let mut draws = Draws::new(5);
    let y: Vec<f64> = (0..n).map(|k| (k % 40) as f64 / 39.0).collect();
    let x = Array2::from_shape_fn((n, 3), |(k, j)| match j {
        0 => y[k] + 0.5 * draws.normal(),
        1 => (2.0 * std::f64::consts::PI * y[k]).cos() + 0.01 * draws.normal(),
        _ => draws.normal(),
    });
    let labels = Labels::numbers("y", y.clone());
    let graph =
        Some(Ell { targets: Some(2), eigenvalues: gsfa::labels::EigenvalueProfile::Equal, ..Ell::default() }.into());
    let readout = Some(Readout::LinearScaling(LinearScaling::default()));
    let trained = train(&Recipe { graph, readout, ..linear() }, &x, &labels);
    let error = share_of_chance(&numbers(&trained, 0, &x), &y);
    assert!(error < 0.95, "{error}");
}

#[test]
fn deviations_cover_new_samples_also_where_there_are_few() {
    for (n, dim) in [(120, 40), (100, 60)] {
        let mut inside = Vec::new();
        for draw in 0..12 {
            let (x, new, noise) =
                (normal(n, dim, 3 * draw), normal(500, dim, 3 * draw + 1), normal(600, 1, 3 * draw + 2));
            let b = normal(dim, 1, 900 + draw);
            let label = |x: &Array2<f64>, from: usize| -> Vec<f64> {
                x.dot(&b)
                    .column(0)
                    .iter()
                    .enumerate()
                    .map(|(k, y)| y / (dim as f64).sqrt() + noise[[from + k, 0]])
                    .collect()
            };
            let (y, truth) = (label(&x, 0), label(&new, 100));
            let trained = train(&Recipe::default(), &x, &Labels::numbers("y", y));
            let (_, given) = trained.model.estimate(&new.view()).unwrap().remove(0);
            let deviation = given.standard_deviation.clone().unwrap();
            let estimates = given.numbers().unwrap();
            let covered = estimates.iter().zip(&deviation).zip(&truth);
            inside.push(covered.filter(|((e, d), t)| (*e - *t).abs() < 1.96 * *d).count() as f64 / 500.0);
        }
        let coverage = inside.iter().sum::<f64>() / inside.len() as f64;
        assert!((coverage - 0.95).abs() < 0.03, "{n}x{dim}: {coverage}");
    }
}

#[test]
fn a_noise_free_linear_label_is_found_exactly_unless_it_is_clipped() {
    let (x, new) = (normal(30, 4, 7), normal(400, 4, 8));
    let label = |x: &Array2<f64>| x.dot(&array![1.0, -2.0, 0.5, 3.0]).to_vec();
    let labels = Labels::numbers("y", label(&x));
    let error = |clip: LabelClip| {
        share_of_chance(&numbers(&train(&Recipe { clip, ..Recipe::default() }, &x, &labels), 0, &new), &label(&new))
    };
    assert!(error(LabelClip::None) < 1e-4);
    assert!(error(LabelClip::Training) > 0.02);
    assert!(error(LabelClip::Range(-100.0, 100.0)) < 1e-4);
    let given = Readout::LinearRegression(LinearRegression { features: None, clip: LabelClip::Range(-1.0, 1.0) });
    let held = train(&Recipe { readout: Some(given), calibrate: false, ..Recipe::default() }, &x, &labels);
    assert!(numbers(&held, 0, &new).iter().all(|x| x.abs() <= 1.0));
    let wrong = Readout::LinearRegression(LinearRegression { features: None, clip: LabelClip::Range(1.0, 1.0) });
    let input = GraphInput::new(&labels);
    let recipe = Recipe { readout: Some(wrong), ..Recipe::default() };
    let design = recipe.design(&input, InputShape::vector(4)).unwrap();
    assert!(design.train(&x.view(), &|_| ControlFlow::Continue(())).is_err());
}

#[test]
fn folds_decide_between_linear_and_quadratic() {
    let x = normal(400, 5, 9);
    let noise = normal(400, 1, 10);
    let label = |f: &dyn Fn(usize) -> f64| Labels::numbers("y", (0..400).map(|k| f(k) + 0.3 * noise[[k, 0]]).collect());
    let straight = train(&Recipe::default(), &x, &label(&|k| x[[k, 0]] - x[[k, 1]]));
    assert_eq!(straight.model.network().spec.layers[0].expansion, gsfa::expansion::Expansion::Identity);
    assert_eq!(
        straight.selection.tried.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(),
        [
            "linear, standardized",
            "quadratic, standardized",
            "100 radial basis functions of width 4",
            "200 radial basis functions of width 2",
            "linear, standardized, 3 target labels",
            "linear, standardized, 5 target labels",
            "linear, standardized, 10 target labels"
        ]
    );
    let bent = train(&Recipe::default(), &x, &label(&|k| x[[k, 0]] * x[[k, 1]]));
    assert_eq!(bent.model.network().spec.layers[0].expansion, gsfa::expansion::Expansion::QUADRATIC);
    assert!(
        bent.selection.tried[1].loss.unwrap() < 0.5 * bent.selection.tried[0].loss.unwrap(),
        "{:?}",
        bent.selection
    );
}

#[test]
fn a_ridge_left_open_is_chosen_and_one_that_is_given_is_kept_zero_included() {
    let (n, dim) = (60, 48);
    let (x, new, noise) = (normal(n, dim, 21), normal(1000, dim, 22), normal(n + 1000, 1, 23));
    let b = normal(dim, 1, 24);
    let label = |x: &Array2<f64>, from: usize| -> Vec<f64> {
        x.dot(&b).column(0).iter().enumerate().map(|(k, y)| y / (dim as f64).sqrt() + noise[[from + k, 0]]).collect()
    };
    let (labels, truth) = (Labels::numbers("y", label(&x, 0)), label(&new, n));
    let with = |kind, ridge| NetworkChoice { kind, ridge, ..NetworkChoice::default() };
    let error = |network: NetworkChoice| {
        let trained = train(&Recipe { network, ..Recipe::default() }, &x, &labels);
        (trained.model.network().spec.layers[0].ridge, share_of_chance(&numbers(&trained, 0, &new), &truth))
    };
    let (ridge, open) = error(with(NetworkKind::Linear, None));
    assert!(ridge > 0.0 && open < 0.95, "{ridge} {open}");
    assert_eq!(error(with(NetworkKind::Linear, Some(0.0))).0, 0.0);
    assert_eq!(error(with(NetworkKind::Linear, Some(0.25))).0, 0.25);
    // 1,224 terms for 60 samples of a linear label: nothing to be had, and nothing lost against the mean.
    let (_, quadratic) = error(with(NetworkKind::Quadratic, None));
    assert!(quadratic < 1.03, "{quadratic}");
}

#[test]
fn graphs_without_target_labels_choose_their_ridge_by_the_labels_they_were_made_from() {
    let x = normal(60, 30, 31);
    let noise = normal(60, 1, 32);
    let labels = Labels::numbers("y", (0..60).map(|k| x[[k, 0]] + 2.0 * noise[[k, 0]]).collect());
    let serial = Some(Serial { groups: 6, label: None }.into());
    let trained = train(&Recipe { graph: serial, ..linear() }, &x, &labels);
    assert!(trained.model.network().spec.layers[0].ridge > 0.0);
    assert!(!trained.notes.iter().any(|note| matches!(note, Note::DefaultRidge { .. })));
    let none = Labels::none(60);
    let choose = |graph: GraphSpec| {
        let (recipe, input) = (Recipe { graph: Some(graph), ..linear() }, GraphInput::new(&none));
        let design = recipe.design(&input, InputShape::vector(30)).unwrap();
        let choice = design.choose(&x.view(), &|_| ControlFlow::Continue(()));
        choice.unwrap()
    };
    // Without labels, blocks of a time series say it; edges between given samples say nothing.
    let chain = choose(gsfa::graph::Chain::default().into());
    assert!(!chain.notes.iter().any(|note| matches!(note, Note::DefaultRidge { .. })), "{:?}", chain.notes);
    let edges = (0..59).map(|k| (k, k + 1, 1.0)).collect();
    let choice = choose(gsfa::graph::Edges { edges, ..gsfa::graph::Edges::default() }.into());
    assert_eq!(choice.network.layers[0].ridge, 1e-3);
    assert!(choice.notes.contains(&Note::DefaultRidge { ridge: 1e-3 }), "{:?}", choice.notes);
}

#[test]
fn neither_the_order_of_samples_nor_copies_instead_of_weights_change_a_model() {
    let n = 60;
    let x = normal(n, 4, 41);
    let y: Vec<f64> = (0..n).map(|k| x[[k, 0]] + 0.2 * x[[k, 1]] * x[[k, 2]]).collect();
    let new = normal(20, 4, 42);
    let plain = train(&Recipe::default(), &x, &Labels::numbers("y", y.clone()));
    let order: Vec<usize> = (0..n).map(|k| (k * 7 + 3) % n).collect();
    let other = train(
        &Recipe::default(),
        &x.select(Axis(0), &order),
        &Labels::numbers("y", order.iter().map(|&k| y[k]).collect()),
    );
    for (a, b) in numbers(&plain, 0, &new).iter().zip(numbers(&other, 0, &new)) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
    let weights: Vec<f64> = (0..n).map(|k| 1.0 + (k % 3) as f64).collect();
    let copies: Vec<usize> = (0..n).flat_map(|k| std::iter::repeat_n(k, 1 + k % 3)).collect();
    let weighted =
        train_weighted(&linear(), &x, &Labels::numbers("y", y.clone()), SampleWeights::new(weights).unwrap());
    let repeated =
        train(&linear(), &x.select(Axis(0), &copies), &Labels::numbers("y", copies.iter().map(|&k| y[k]).collect()));
    for (a, b) in numbers(&weighted, 0, &new).iter().zip(numbers(&repeated, 0, &new)) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
}

#[test]
fn losses_of_several_labels_are_in_units_of_their_weighted_variance() {
    // A few samples of little weight vary by far more in one label: as copies they hardly count.
    let n = 90;
    let (x, noise) = (normal(n, 3, 43), normal(n, 2, 44));
    let label = |k: usize, j: usize| match j {
        0 if k < 9 => 30.0 * noise[[k, 0]],
        0 => x[[k, 0]] * x[[k, 0]] + 0.3 * noise[[k, 0]],
        _ => x[[k, 1]] + 0.5 * noise[[k, 1]],
    };
    let labels = |rows: &[usize]| {
        let column = |j: usize| rows.iter().map(|&k| label(k, j)).collect::<Vec<f64>>();
        Labels::numbers("a", column(0)).and_numbers("b", column(1)).unwrap()
    };
    let often = |k: usize| if k < 9 { 1 } else { 20 };
    let every: Vec<usize> = (0..n).collect();
    let copies: Vec<usize> = (0..n).flat_map(|k| std::iter::repeat_n(k, often(k))).collect();
    let weights = SampleWeights::new(every.iter().map(|&k| often(k) as f64).collect()).unwrap();
    let chosen = |rows: &[usize], weights: SampleWeights| {
        let (recipe, labels) = (Recipe::default(), labels(rows));
        let input = GraphInput::new(&labels).with_weights(weights).unwrap();
        let design = recipe.design(&input, InputShape::vector(3)).unwrap();
        design.choose(&x.select(Axis(0), rows).view(), &|_| ControlFlow::Continue(())).unwrap().selection
    };
    let (one, other) = (chosen(&every, weights), chosen(&copies, SampleWeights::uniform(copies.len())));
    let losses = |selection: &Selection| selection.tried.iter().map(|tried| tried.loss).collect::<Vec<_>>();
    assert_eq!(one.taken, other.taken, "{one}{other}");
    for (a, b) in losses(&one).iter().zip(losses(&other)) {
        assert!((a.unwrap() - b.unwrap()).abs() < 1e-6 * b.unwrap(), "{one}{other}");
    }
}

#[test]
fn what_classes_are_called_and_constant_columns_change_no_choice() {
    let n = 90;
    let x = normal(n, 4, 45);
    let class = |k: usize| usize::from(x[[k, 0]] > -0.5) + usize::from(x[[k, 0]] + x[[k, 1]] > 0.6);
    let chosen = |x: &Array2<f64>, names: [&str; 3]| {
        let labels = Labels::classes("c", (0..n).map(|k| names[class(k)]).collect::<Vec<_>>());
        let (recipe, input) = (Recipe::default(), GraphInput::new(&labels));
        let design = recipe.design(&input, InputShape::vector(x.ncols())).unwrap();
        design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap().selection
    };
    let own = chosen(&x, ["a", "b", "c"]);
    let renamed = chosen(&x, ["c", "a", "b"]);
    assert_eq!((own.taken, own.tried.len()), (renamed.taken, renamed.tried.len()), "{own}{renamed}");
    for (a, b) in own.tried.iter().zip(&renamed.tried) {
        let (a, b) = (a.loss.unwrap(), b.loss.unwrap());
        assert!((a - b).abs() < 1e-6, "{own}{renamed}");
    }
    let mut wider = Array2::from_elem((n, 5), 7.25);
    wider.slice_mut(s![.., 1..]).assign(&x);
    let wider = chosen(&wider, ["a", "b", "c"]);
    // The same folds; a ridge is a share of the mean variance, to which a constant column adds none.
    assert!((own.tried[0].loss.unwrap() - wider.tried[0].loss.unwrap()).abs() < 0.02, "{own}{wider}");
}

#[test]
fn layers_that_are_written_out_are_trained_as_they_are() {
    let x = normal(80, 4, 46);
    let y: Vec<f64> = (0..80).map(|k| x[[k, 0]] + 0.1 * x[[k, 1]]).collect();
    let layers = vec![LayerSpec { ridge: 0.01, expansion: Expansion::QUADRATIC, ..LayerSpec::new(2) }];
    let network = NetworkChoice { kind: NetworkKind::Layers, layers: layers.clone(), ..NetworkChoice::default() };
    let model = train(&Recipe { network, ..Recipe::default() }, &x, &Labels::numbers("y", y));
    assert_eq!(model.model.network().spec.layers, layers);
}

#[test]
fn inputs_that_do_not_vary_are_an_error() {
    let labels = Labels::numbers("y", (0..50).map(f64::from).collect());
    let failed = Recipe::default().fit(&Array2::<f64>::ones((50, 3)), &labels);
    assert_eq!(failed.unwrap_err(), Error::NoVariance { inputs: 3 });
}

#[test]
fn labels_of_left_out_samples_touch_their_own_judgement_only() {
    // Groups are left out together: what a group says about its labels must not reach the model that estimates it.
    let n = 50;
    let x = normal(n, 3, 51);
    let groups: Vec<usize> = (0..n).map(|k| k % 10).collect();
    let labels = Labels::numbers("y", (0..n).map(|k| x[[k, 0]]).collect());
    let input = GraphInput::new(&labels);
    let recipe = linear();
    let design = recipe.design(&input, InputShape::vector(3)).unwrap().with_groups(groups.clone()).unwrap();
    let choice = design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap();
    assert!(choice.judgement.is_some());
    assert!(recipe.design(&input, InputShape::vector(3)).unwrap().with_groups(vec![0; 3]).is_err());
    // One group only: nothing can be left out, and that is said.
    let one = recipe.design(&input, InputShape::vector(3)).unwrap().with_groups(vec![0; n]).unwrap();
    let choice = one.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap();
    assert!(choice.judgement.is_none());
    assert!(choice.notes.iter().any(|note| matches!(note, Note::InSample { .. })));
}

#[test]
fn probabilities_are_as_honest_as_those_of_the_true_model() {
    // Three Gaussian classes of one covariance: the log loss of the true posterior cannot be beaten.
    let (n, dim) = (1000, 10);
    let mut draws = Draws::new(61);
    let centers = Array2::from_shape_simple_fn((3, dim), || 0.6 * draws.normal());
    let mut sample = |n: usize| {
        let class: Vec<usize> = (0..n).map(|k| k % 3).collect();
        let x = Array2::from_shape_fn((n, dim), |(k, j)| centers[[class[k], j]] + draws.normal());
        (x, class)
    };
    let ((x, class), (new, truth)) = (sample(n), sample(3000));
    let names = |class: &[usize]| Labels::classes("c", class.iter().map(|c| format!("c{c}")));
    let trained = train(&Recipe::default(), &x, &names(&class));
    let (_, given) = trained.model.estimate(&new.view()).unwrap().remove(0);
    let p = given.probabilities.unwrap();
    let ours = truth.iter().enumerate().map(|(k, &c)| -p[[k, c]].ln()).sum::<f64>() / 3000.0;
    let best = truth.iter().enumerate().map(|(k, &c)| {
        let score = |c: usize| -0.5 * (&new.row(k) - &centers.row(c)).mapv(|d| d * d).sum();
        let top = (0..3).map(score).fold(f64::NEG_INFINITY, f64::max);
        (0..3).map(|c| (score(c) - top).exp()).sum::<f64>().ln() + top - score(c)
    });
    let best = best.sum::<f64>() / 3000.0;
    assert!(ours < best + 0.03, "{ours} {best}");
}

#[test]
fn unlabelled_samples_do_no_harm_and_all_graphs_of_labels_take_them() {
    let (n, labeled) = (300, 60);
    let draw = |seed: u64| {
        let noise = normal(500, 1, seed + 2);
        let value = move |x: &Array2<f64>, k: usize| {
            x[[k, 0]] + 0.5 * x[[k, 1]] + 0.3 * x[[k, 5]] * x[[k, 2]] + 0.3 * noise[[k, 0]]
        };
        (normal(n, 6, seed), normal(500, 6, seed + 1), value)
    };
    // Several draws: of 60 samples one more or less may decide between two candidates.
    let mut errors = [0.0; 2];
    for seed in [71, 171, 271, 371, 471] {
        let (x, new, value) = draw(seed);
        let y: Vec<f64> = (0..n).map(|k| if k < labeled { value(&x, k) } else { f64::NAN }).collect();
        let truth: Vec<f64> = (0..500).map(|k| value(&new, k)).collect();
        let keep = train(&Recipe { semi_supervised: true, ..Recipe::default() }, &x, &Labels::numbers("y", y.clone()));
        let few = x.slice(s![..labeled, ..]).to_owned();
        let drop = train(&Recipe::default(), &few, &Labels::numbers("y", y[..labeled].to_vec()));
        for (error, trained) in errors.iter_mut().zip([&keep, &drop]) {
            *error += share_of_chance(&numbers(trained, 0, &new), &truth) / 5.0;
        }
    }
    assert!(errors[0] < 1.05 * errors[1], "{errors:?}");

    let (x, new, value) = draw(71);
    let truth: Vec<f64> = (0..500).map(|k| value(&new, k)).collect();
    let class = |k: usize| (k < labeled).then(|| if value(&x, k) > 0.0 { "high" } else { "low" });
    let classes = Labels::none(n).and_some_classes("c", (0..n).map(class)).unwrap();
    for graph in [
        None,
        Some(GraphSpec::from(Compact { unlabelled: Some(0.5), ..Compact::default() })),
        Some(Clustered { unlabelled: Some(1.0), ..Clustered::default() }.into()),
        Some(Clustered { unlabelled: Some(0.0), ..Clustered::default() }.into()),
    ] {
        let trained = train(&Recipe { graph, semi_supervised: true, ..linear() }, &x, &classes);
        let (_, given) = trained.model.estimate(&new.view()).unwrap().remove(0);
        let right = given.classes().unwrap().iter().zip(&truth).filter(|(c, t)| (**c == 0) == (**t > 0.0)).count();
        assert!(right > 380, "{right}");
    }
    // Other graphs, and labels that are missing without a word, are refused.
    let input = GraphInput::new(&classes);
    assert!(Clustered::default().build(&input).is_err());
    let serial = Recipe { graph: Some(Serial { groups: 5, label: None }.into()), semi_supervised: true, ..linear() };
    assert!(serial.graph(&classes).is_err());
}

#[test]
fn a_clustered_graph_with_unlabelled_vertices_is_the_code_of_all_its_classes_with_labels_of_zero() {
    let names: Vec<Option<&str>> = (0..30).map(|k| [Some("a"), Some("b"), Some("c"), None][k % 4]).collect();
    let labels = Labels::none(30).and_some_classes("c", names).unwrap();
    let weights = SampleWeights::new((0..30).map(|k| 1.0 + (k % 5) as f64).collect()).unwrap();
    let input = GraphInput::new(&labels).with_weights(weights).unwrap();
    let x = normal(30, 5, 81);
    let clustered = Clustered { semi_supervised: true, unlabelled: Some(0.7), ..Clustered::default() };
    let equal = gsfa::labels::EigenvalueProfile::Equal;
    let code = Compact { semi_supervised: true, unlabelled: Some(0.7), eigenvalues: equal, ..Compact::default() };
    let graphs = [clustered.build(&input).unwrap(), code.build(&input).unwrap()];
    let [a, b] = graphs.map(|graph| {
        assert!(graph.consistency().holds);
        Gsfa::new(2).fit(&x.view(), &graph).unwrap().delta_values
    });
    assert!((a[0] - b[0]).abs() < 1e-12 && (a[1] - b[1]).abs() < 1e-12);
    // Without weight the labelled samples alone are the vertices.
    let alone = Clustered { semi_supervised: true, ..Clustered::default() }.build(&input).unwrap();
    let rows: Vec<usize> = (0..30).filter(|k| k % 4 != 3).collect();
    assert_eq!((alone.rows(), alone.samples(), alone.len()), (Some(rows.as_slice()), 30, rows.len()));
    let dropped = labels.select(&rows);
    let dropped = GraphInput::new(&dropped)
        .with_weights(SampleWeights::new(rows.iter().map(|k| 1.0 + (k % 5) as f64).collect()).unwrap())
        .unwrap();
    let few = x.select(Axis(0), &rows);
    let expected = Gsfa::new(2).fit(&few.view(), &Clustered::default().build(&dropped).unwrap()).unwrap();
    let found = Gsfa::new(2).fit(&x.view(), &alone).unwrap();
    assert_eq!(found.delta_values, expected.delta_values);
    assert_eq!(found.weights, expected.weights);
    // Chunks pass over samples that are no vertices.
    let mut moments = gsfa::moments::Moments::new(&alone, 5);
    for from in (0..30).step_by(7) {
        moments.add(from, x.slice(s![from..(from + 7).min(30), ..])).unwrap();
    }
    let chunked = Gsfa::new(2).solve(&moments.finish().unwrap()).unwrap();
    assert_eq!(chunked.delta_values, expected.delta_values);
    assert_eq!(Samples::len(&x.view()), 30);
}

#[test]
fn columns_of_other_units_are_not_drowned_by_a_ridge_that_was_left_open() {
    let n = 300;
    let (z, noise) = (normal(n, 2, 91), normal(n, 1, 92));
    let x = Array2::from_shape_fn((n, 2), |(k, j)| if j == 0 { z[[k, 0]] } else { 40_000.0 + 15_000.0 * z[[k, 1]] });
    let y: Vec<f64> = (0..n).map(|k| 3.0 * z[[k, 0]] + 0.3 * noise[[k, 0]]).collect();
    for kind in [NetworkKind::Linear, NetworkKind::Quadratic, NetworkKind::Auto] {
        let network = NetworkChoice { kind, ..NetworkChoice::default() };
        let trained = train(&Recipe { network, ..Recipe::default() }, &x, &Labels::numbers("y", y.clone()));
        let error = share_of_chance(&numbers(&trained, 0, &x), &y);
        assert!(error < 0.12, "{kind:?}: {error}");
    }
}

#[test]
fn a_sample_of_weight_2_is_a_sample_twice_also_where_counts_decide_what_is_tried() {
    let (x, noise, new) = (normal(30, 8, 95), normal(30, 1, 96), normal(10, 8, 97));
    let y: Vec<f64> = (0..30).map(|k| x[[k, 0]] + x[[k, 1]] * x[[k, 1]] + 0.5 * noise[[k, 0]]).collect();
    let twice: Vec<usize> = (0..30).chain(0..30).collect();
    let weights = SampleWeights::new(vec![2.0; 30]).unwrap();
    let weighted = train_weighted(&Recipe::default(), &x, &Labels::numbers("y", y.clone()), weights);
    let labels = Labels::numbers("y", twice.iter().map(|&k| y[k]).collect());
    let repeated = train(&Recipe::default(), &x.select(Axis(0), &twice), &labels);
    assert_eq!(weighted.model.network().spec, repeated.model.network().spec);
    let given = |trained: &TrainedModel| trained.model.estimate(&new.view()).unwrap().remove(0).1;
    let (a, b) = (given(&weighted), given(&repeated));
    for n in 0..10 {
        assert!((a.numbers().unwrap()[n] - b.numbers().unwrap()[n]).abs() < 1e-8);
        let deviations = [&a, &b].map(|given| given.standard_deviation.as_ref().unwrap()[n]);
        assert!((deviations[0] - deviations[1]).abs() < 1e-8, "{deviations:?}");
    }
}

#[test]
fn a_linear_model_is_its_affine_function() {
    let (x, y) = two_labels(60, 3);
    let labels = Labels::numbers("a", y[0].clone()).and_numbers("b", y[1].clone()).unwrap();
    let regression = |clip| Some(Readout::LinearRegression(LinearRegression { features: None, clip }));
    for calibrate in [false, true] {
        let recipe = Recipe { readout: regression(LabelClip::None), calibrate, ..linear() };
        let model = train(&recipe, &x, &labels).model;
        let (features, estimates) = (model.affine_features().unwrap(), model.affine_estimates().unwrap());
        let of = |map: &gsfa::model::Affine| x.dot(&map.weights) + &map.offset;
        assert!((of(&features) - model.features(&x.view()).unwrap()).iter().all(|d| d.abs() < 1e-10));
        for (j, (_, given)) in model.estimate(&x.view()).unwrap().iter().enumerate() {
            let difference = &of(&estimates).column(j) - &given.numbers().unwrap();
            assert!(difference.iter().all(|d| d.abs() < 1e-9), "label {j}");
        }
    }
    // What clips or bends is none.
    let clipped = train(&Recipe { readout: regression(LabelClip::Training), ..linear() }, &x, &labels).model;
    assert!(clipped.affine_features().is_some() && clipped.affine_estimates().is_none());
    let quadratic = NetworkChoice { kind: NetworkKind::Quadratic, ..NetworkChoice::default() };
    let bent =
        train(&Recipe { network: quadratic, readout: regression(LabelClip::None), ..Recipe::default() }, &x, &labels);
    assert!(bent.model.affine_features().is_none() && bent.model.affine_estimates().is_none());
}
