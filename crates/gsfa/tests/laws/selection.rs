//! What is left open is chosen by left-out samples: the ladder, its bounds, and what is told about it.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use gsfa::Note;
use gsfa::graph::{GraphInput, GraphSpec};
use gsfa::labels::Labels;
use gsfa::network::{InputShape, ProgressEvent};
use gsfa::recipe::{Choice, Effort, NetworkChoice, NetworkKind, Recipe, Selection};
use ndarray::{Array2, Axis};

use crate::support::Draws;

const SIDE: usize = 6;

/// Pictures whose cue for the label depends on the label itself: a node on pixels and products of its feature with pixels
/// see more than the pixels alone.
fn pictures(n: usize, seed: u64) -> (Array2<f64>, Vec<f64>) {
    let mut draws = Draws::new(seed);
    let label: Vec<f64> = (0..n).map(|k| (k % 30) as f64 / 10.0 - 1.45).collect();
    let x = Array2::from_shape_fn((n, SIDE * SIDE), |(k, i)| {
        let cue = match i % 3 {
            0 => 0.25 * label[k],
            1 if i > 12 => 0.5 * label[k] * label[k] * if i % 2 == 0 { 1.0 } else { -1.0 },
            _ => 0.0,
        };
        cue + 0.7 * draws.normal()
    });
    (x, label)
}

fn choose(recipe: &Recipe, x: &Array2<f64>, labels: &Labels, shape: InputShape) -> Choice {
    let input = GraphInput::new(labels);
    recipe.design(&input, shape).unwrap().choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap()
}

fn names(selection: &Selection) -> Vec<&str> {
    selection.tried.iter().map(|tried| tried.name.as_str()).collect()
}

#[test]
fn images_are_offered_one_linear_node_products_a_gated_cascade_and_a_hierarchy() {
    let (x, label) = pictures(400, 1);
    let labels = Labels::numbers("y", label);
    let image = InputShape::grey(SIDE, SIDE);
    let selection = choose(&Recipe::default(), &x, &labels, image).selection;
    let expected = [
        "linear",
        "quadratic on 9 principal components",
        "quadratic on 18 principal components",
        "gated cascade",
        "hierarchy of 2 layers",
    ];
    assert_eq!(names(&selection)[..5], expected);
    assert!(selection.tried.iter().all(|tried| tried.loss.is_some() && tried.error.unwrap() > 0.0), "{selection}");
    assert!(selection.tried.iter().all(|tried| tried.samples == 400 && tried.work > 0.0), "{selection}");
    assert!(selection.why.starts_with(names(&selection)[selection.taken]), "{selection}");
    // The plan knows them beforehand, and what they will take.
    let input = GraphInput::new(&labels);
    let recipe = Recipe::default();
    let planned = recipe.design(&input, image).unwrap().candidates().unwrap();
    for (planned, tried) in planned.iter().zip(&selection.tried) {
        assert_eq!((&planned.name, planned.work), (&tried.name, tried.work));
    }
    let quick = choose(&Recipe { effort: Effort::Quick, ..Recipe::default() }, &x, &labels, image).selection;
    assert_eq!(quick.tried.iter().filter(|tried| tried.loss.is_some()).count(), 2, "{quick}");
    assert!(quick.tried.iter().filter(|tried| tried.loss.is_none()).all(|tried| tried.reason.is_some()));
}

#[test]
fn a_part_that_is_fixed_stays_and_the_rest_is_chosen() {
    let (x, label) = pictures(200, 2);
    let labels = Labels::numbers("y", label);
    let image = InputShape::grey(SIDE, SIDE);
    let network = NetworkChoice { kind: NetworkKind::Linear, ..NetworkChoice::default() };
    let choice = choose(&Recipe { network, ..Recipe::default() }, &x, &labels, image);
    assert_eq!(choice.network.layers.len(), 1);
    assert!(names(&choice.selection).iter().all(|name| name.starts_with("linear")), "{}", choice.selection);
    let network = NetworkChoice { ridge: Some(0.125), ..NetworkChoice::default() };
    let choice = choose(&Recipe { network, ..Recipe::default() }, &x, &labels, image);
    assert!(choice.network.layers.iter().all(|layer| layer.ridge == 0.125));
    assert!(choice.selection.tried.iter().all(|tried| tried.ridge == Some(0.125)), "{}", choice.selection);
    let choice = choose(&Recipe { targets: Some(2), ..Recipe::default() }, &x, &labels, image);
    assert!(matches!(choice.spec, GraphSpec::Ell(ell) if ell.targets == Some(2)));
}

#[test]
fn neither_the_order_of_samples_nor_threads_change_what_is_tried_or_taken() {
    let (x, label) = pictures(150, 3);
    let image = InputShape::grey(SIDE, SIDE);
    let order: Vec<usize> = (0..150).map(|k| (k * 67 + 11) % 150).collect();
    let moved = (x.select(Axis(0), &order), order.iter().map(|&k| label[k]).collect::<Vec<f64>>());
    let one = choose(&Recipe::default(), &x, &Labels::numbers("y", label.clone()), image).selection;
    let other = choose(&Recipe::default(), &moved.0, &Labels::numbers("y", moved.1), image).selection;
    assert_eq!((names(&one), one.taken), (names(&other), other.taken));
    for (a, b) in one.tried.iter().zip(&other.tried) {
        assert_eq!(a.ridge, b.ridge, "{one}\n{other}");
        assert!((a.loss.unwrap() - b.loss.unwrap()).abs() < 1e-8, "{one}\n{other}");
    }
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let alone = alone.install(|| choose(&Recipe::default(), &x, &Labels::numbers("y", label), image)).selection;
    assert_eq!(one, alone);
}

#[test]
fn several_labels_may_take_their_products() {
    let mut draws = Draws::new(4);
    let n = 500;
    let x = Array2::from_shape_simple_fn((n, 16), || draws.normal());
    let label = |f: &dyn Fn(usize) -> f64| (0..n).map(f).collect::<Vec<f64>>();
    let labels = Labels::numbers("a", label(&|k| x[[k, 0]] + x[[k, 5]]))
        .and_numbers("b", label(&|k| x[[k, 1]] * x[[k, 2]] + x[[k, 3]]))
        .unwrap();
    let choice = choose(&Recipe::default(), &x, &labels, InputShape::grey(4, 4));
    let tried = names(&choice.selection);
    assert!(tried.contains(&"cascade of 3 nodes, products of labels"), "{}", choice.selection);
    assert!(tried.contains(&"gated cascade, products of labels"), "{}", choice.selection);
}

#[test]
fn groups_that_are_few_make_fewer_folds_and_that_is_said() {
    let (x, label) = pictures(90, 5);
    let labels = Labels::numbers("y", label);
    let input = GraphInput::new(&labels);
    let recipe = Recipe::default();
    let design = recipe.design(&input, InputShape::vector(SIDE * SIDE)).unwrap();
    let design = design.with_groups((0..90).map(|k| k % 3).collect()).unwrap();
    let choice = design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap();
    assert_eq!(choice.selection.folds, 3);
    assert!(choice.notes.contains(&Note::FewerFolds { folds: 3, groups: true }), "{:?}", choice.notes);
}

#[test]
fn a_search_that_is_stopped_keeps_the_best_so_far() {
    let (x, label) = pictures(200, 6);
    let labels = Labels::numbers("y", label);
    let input = GraphInput::new(&labels);
    let recipe = Recipe::default();
    let design = recipe.design(&input, InputShape::grey(SIDE, SIDE)).unwrap();
    let last = AtomicUsize::new(0);
    let choice = design.choose(&x.view(), &|event| match event {
        ProgressEvent::Trying { candidate, .. } => {
            last.store(candidate, Ordering::Relaxed);
            if candidate > 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        _ => ControlFlow::Continue(()),
    });
    let choice = choice.unwrap();
    assert_eq!(last.into_inner(), 3);
    assert!(choice.selection.interrupted && choice.judgement.is_some());
    assert_eq!(choice.selection.tried.iter().filter(|tried| tried.loss.is_some()).count(), 2);
    assert!(choice.notes.contains(&Note::SearchInterrupted { tried: 2 }), "{:?}", choice.notes);
    // Nothing was judged: there is no best.
    let stopped = design.choose(&x.view(), &|_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(gsfa::Error::Cancelled { .. })));
}

#[test]
fn classes_that_cannot_be_left_out_in_part_are_named() {
    let (x, _) = pictures(60, 7);
    let class = |k: usize| match k {
        0 => "alone",
        k if k % 2 == 0 => "even",
        _ => "odd",
    };
    let labels = Labels::classes("c", (0..60).map(class));
    let choice = choose(&Recipe::default(), &x, &labels, InputShape::vector(SIDE * SIDE));
    let named = Note::UnjudgedClasses { names: vec!["alone".into()] };
    assert!(choice.notes.contains(&named), "{:?}", choice.notes);
    // The sample of that class judges nothing; all others do.
    assert_eq!(choice.selection.tried[0].samples, 59);
}

#[test]
fn a_single_group_leaves_nothing_out_and_that_is_said() {
    let (x, label) = pictures(40, 8);
    let labels = Labels::numbers("y", label);
    let (input, recipe) = (GraphInput::new(&labels), Recipe::default());
    let design = recipe.design(&input, InputShape::vector(SIDE * SIDE)).unwrap().with_groups(vec![5; 40]).unwrap();
    let choice = design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap();
    assert!(choice.judgement.is_none());
    let said = |note: &Note| matches!(note, Note::InSample { reason } if reason.contains("groups"));
    assert!(choice.notes.iter().any(said), "{:?}", choice.notes);
}

#[test]
fn every_node_of_a_cascade_gets_a_ridge_of_its_own_and_the_first_that_of_a_linear_node() {
    // What the lower half means depends on the mean of the upper half.
    let mut draws = Draws::new(9);
    let x = Array2::from_shape_simple_fn((400, SIDE * SIDE), || draws.normal());
    let mean =
        |row: ndarray::ArrayView1<'_, f64>, from: usize, to: usize| row.slice(ndarray::s![from..to]).mean().unwrap();
    let label = |row: ndarray::ArrayView1<'_, f64>| {
        let z = 4.0 * mean(row, 0, 18);
        z + 6.0 * z * mean(row, 18, 36)
    };
    let labels = Labels::numbers("y", x.outer_iter().map(label).collect());
    let image = InputShape::grey(SIDE, SIDE);
    let of = |kind| {
        let network = NetworkChoice { kind, ..NetworkChoice::default() };
        choose(&Recipe { network, targets: Some(1), ..Recipe::default() }, &x, &labels, image)
    };
    let (auto, linear) = (of(NetworkKind::Auto), of(NetworkKind::Linear).network);
    let gated = &auto.network.layers;
    assert!(gated.len() == 2 && gated[1].skip.is_some_and(|skip| skip.gate.is_some()), "{}", auto.selection);
    assert_eq!(gated[0].ridge, linear.layers[0].ridge);
    assert_eq!(Some(gated[1].ridge), auto.selection.taken().unwrap().ridge);
}

/// Left-out squared error of linear regression on features of networks that were trained without each fold, with every step
/// by hand: estimates are pooled, drawn towards the mean label by the slope with which labels follow them, at most 1.
fn by_hand(x: &Array2<f64>, y: &[f64], network: &gsfa::network::NetworkSpec, folds: usize) -> f64 {
    let n = y.len();
    let (mut truth, mut given) = (Vec::new(), Vec::new());
    for fold in 0..folds {
        let (out, others): (Vec<usize>, Vec<usize>) = (0..n).partition(|k| k % folds == fold);
        let labels = Labels::numbers("y", others.iter().map(|&k| y[k]).collect());
        let graph = gsfa::graph::Ell::default().build(&GraphInput::new(&labels)).unwrap();
        let trained = network.fit(&x.select(Axis(0), &others), &graph).unwrap();
        let z = trained.features.column(0).to_owned();
        let level = others.iter().map(|&k| y[k]).sum::<f64>() / others.len() as f64;
        let products = z.iter().zip(&others).map(|(z, &k)| z * (y[k] - level)).sum::<f64>();
        let factor = products / z.mapv(|z| z * z).sum();
        let new = trained.network.apply(&x.select(Axis(0), &out)).unwrap();
        given.extend(new.column(0).iter().map(|z| level + factor * z));
        truth.extend(out.iter().map(|&k| y[k]));
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let center = mean(&truth);
    let products = given.iter().zip(&truth).map(|(g, t)| (g - center) * (t - center)).sum::<f64>();
    let slope = (products / given.iter().map(|g| (g - center).powi(2)).sum::<f64>()).clamp(0.0, 1.0);
    let errors = given.iter().zip(&truth).map(|(g, t)| (t - center - slope * (g - center)).powi(2)).sum::<f64>();
    errors / truth.iter().map(|t| (t - center).powi(2)).sum::<f64>()
}

#[test]
fn left_out_errors_are_those_of_refits_by_hand() {
    let (x, label) = pictures(120, 10);
    let labels = Labels::numbers("y", label.clone());
    let (input, readout) = (
        GraphInput::new(&labels),
        gsfa::readout::LinearRegression { features: None, clip: gsfa::readout::LabelClip::None },
    );
    let readout = Some(gsfa::readout::Readout::LinearRegression(readout));
    let recipe = Recipe { readout, targets: Some(1), ..Recipe::default() };
    let design = recipe.design(&input, InputShape::vector(SIDE * SIDE)).unwrap();
    // Groups say which samples are left out together: four of them, whatever the labels are.
    let design = design.with_groups((0..120).map(|k| k % 4).collect()).unwrap();
    let choice = design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap();
    let taken = choice.selection.taken().unwrap();
    assert_eq!((choice.selection.folds, taken.name.as_str()), (4, "linear, standardized"), "{}", choice.selection);
    let expected = by_hand(&x, &label, &choice.network, 4);
    assert!((taken.loss.unwrap() - expected).abs() < 1e-10, "{} {expected}", taken.loss.unwrap());
}

#[test]
fn round_off_does_not_choose() {
    // Without noise every candidate that can be right is, but for round-off: the simplest stands.
    let mut draws = Draws::new(12);
    let x = Array2::from_shape_simple_fn((60, 3), || draws.normal());
    let labels = Labels::numbers("y", x.outer_iter().map(|row| row[0] + row[1]).collect());
    let choice = choose(&Recipe::default(), &x, &labels, InputShape::vector(3));
    assert_eq!(choice.selection.taken().unwrap().name, "linear, standardized", "{}", choice.selection);
    assert!(choice.selection.tried.len() > 3, "{}", choice.selection);
}

#[test]
fn where_every_candidate_fails_the_error_has_the_reason_of_each() {
    let (mut x, label) = pictures(60, 11);
    x.column_mut(0).mapv_inplace(|value| value * 1e200);
    let labels = Labels::numbers("y", label);
    let (input, recipe) = (GraphInput::new(&labels), Recipe::default());
    let design = recipe.design(&input, InputShape::grey(SIDE, SIDE)).unwrap();
    let error = design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap_err();
    let gsfa::Error::NoCandidate { reasons } = &error else { panic!("{error}") };
    let names: Vec<&str> = reasons.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(&"linear") && names.contains(&"gated cascade") && names.len() >= 4, "{names:?}");
    assert!(reasons.iter().all(|(name, reason)| error.to_string().contains(&format!("{name}: {reason}"))), "{error}");
}
