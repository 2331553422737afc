//! Time series: blocks with a gap are left out, and slowness on them chooses where there is no label.

use std::ops::ControlFlow;

use gsfa::Note;
use gsfa::graph::{Chain, GraphInput};
use gsfa::labels::Labels;
use gsfa::network::{InputShape, NetworkSpec};
use gsfa::recipe::{Choice, NetworkChoice, NetworkKind, Recipe, Selection};
use ndarray::{Array2, Axis, s};

use crate::support::{Draws, assert_near};

/// A slow wave in four columns, as it is or as the difference of two squares of faster ones, and noise.
fn series(n: usize, hidden: bool, seed: u64) -> Array2<f64> {
    let mut draws = Draws::new(seed);
    Array2::from_shape_fn((n, 4), |(t, j)| {
        let (t, noise) = (t as f64, draws.normal());
        let slow = (t / 23.0).sin() + 0.7 * (t / 41.0).cos();
        let fast = (2.3 * t).cos() + 0.5 * (1.7 * t).sin();
        0.02 * noise
            + match (j, hidden) {
                (0, true) => slow + fast * fast,
                (0, false) => slow + fast,
                (1, _) => fast,
                _ => noise,
            }
    })
}

fn recipe(lag: usize, features: usize) -> Recipe {
    let network = NetworkChoice { features: Some(features), ..NetworkChoice::default() };
    Recipe { graph: Some(Chain { lag, ..Chain::default() }.into()), network, ..Recipe::default() }
}

fn choose(recipe: &Recipe, x: &Array2<f64>) -> Choice {
    let labels = Labels::none(x.nrows());
    let input = GraphInput::new(&labels);
    let design = recipe.design(&input, InputShape::vector(x.ncols())).unwrap();
    design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap()
}

fn taken(selection: &Selection) -> &str {
    &selection.taken().unwrap().name
}

#[test]
fn what_is_hidden_in_squares_takes_a_quadratic_node_and_what_is_not_a_linear_one() {
    for (hidden, expected) in [(false, "linear"), (true, "quadratic")] {
        let choice = choose(&recipe(1, 1), &series(600, hidden, 1));
        let selection = &choice.selection;
        assert!(taken(selection).starts_with(expected), "{selection}");
        assert_eq!((selection.folds, selection.tried[0].name.as_str()), (10, "linear, standardized"));
        assert!(selection.tried.iter().all(|tried| tried.loss.is_some() && tried.ridge.is_some()), "{selection}");
        assert!(selection.tried.iter().any(|tried| tried.name.ends_with("lag 2")), "{selection}");
        // Slower than noise on samples that it has not seen.
        assert!(selection.taken().unwrap().loss.unwrap() < 0.1, "{selection}");
        assert!(!choice.notes.iter().any(|note| matches!(note, Note::InSample { .. })), "{:?}", choice.notes);
    }
}

/// Delta values of a block by a network that was trained on the rest but for a gap, with every step by hand.
fn by_hand(x: &Array2<f64>, network: &NetworkSpec, lag: usize, blocks: usize) -> f64 {
    let n = x.nrows();
    let gap = lag.max(n / blocks / 10);
    let (mut sum, mut pairs) = (0.0, 0);
    for block in 0..blocks {
        let (from, to) = (block * n / blocks, (block + 1) * n / blocks);
        let parts = [0..from.saturating_sub(gap), (to + gap).min(n)..n];
        let rows: Vec<usize> = parts.iter().cloned().flatten().collect();
        let run = Labels::numbers("run", rows.iter().map(|&row| f64::from(u8::from(row >= to))).collect());
        let chain = Chain { lag, sequences: Some("run".into()), ..Chain::default() };
        let graph = chain.build(&GraphInput::new(&run)).unwrap();
        let trained = network.fit(&x.select(Axis(0), &rows), &graph).unwrap().network;
        let y = trained.apply(&x.slice(s![from..to, ..]).to_owned()).unwrap();
        let variance = y.var_axis(Axis(0), 0.0);
        for t in 0..to - from - lag {
            let step = &y.row(t + lag) - &y.row(t);
            sum += (&step * &step / &variance).mean().unwrap();
            pairs += 1;
        }
    }
    sum / pairs as f64
}

#[test]
fn left_out_slowness_is_that_of_refits_by_hand() {
    for (lag, features, hidden) in [(1, 1, true), (1, 2, false), (3, 1, false)] {
        let x = series(400, hidden, 7);
        let choice = choose(&recipe(lag, features), &x);
        let selection = &choice.selection;
        // The judgement is that of the candidate that was taken.
        assert_eq!(choice.judgement.as_ref().unwrap().losses.iter().flatten().count(), 400 - 10 * lag);
        if !taken(selection).contains("lag") {
            let expected = by_hand(&x, &choice.network, lag, 10);
            assert_near(selection.taken().unwrap().loss.unwrap(), expected, 1e-10);
        }
    }
}

#[test]
fn time_may_run_backwards_and_threads_do_not_matter() {
    let x = series(400, true, 3);
    let one = choose(&recipe(1, 1), &x).selection;
    let back: Vec<usize> = (0..400).rev().collect();
    let other = choose(&recipe(1, 1), &x.select(Axis(0), &back)).selection;
    assert_eq!(taken(&one), taken(&other), "{one}\n{other}");
    for (a, b) in one.tried.iter().zip(&other.tried) {
        assert_eq!((&a.name, a.ridge), (&b.name, b.ridge), "{one}\n{other}");
        assert_near(a.loss.unwrap(), b.loss.unwrap(), 1e-7);
    }
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one, alone.install(|| choose(&recipe(1, 1), &x)).selection);
}

#[test]
fn whole_sequences_are_left_out_where_there_are_enough_and_labels_judge_where_there_are_some() {
    let x = series(600, false, 5);
    let sequences = (0..600).map(|t| (t / 40) as f64).collect();
    let graph = Chain { sequences: Some("sequence".into()), ..Chain::default() };
    let recipe = Recipe { graph: Some(graph.into()), ..recipe(1, 1) };
    let labels = Labels::numbers("sequence", sequences);
    let input = GraphInput::new(&labels);
    let design = recipe.design(&input, InputShape::vector(4)).unwrap();
    let choice = design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap();
    let judged = choice.judgement.unwrap();
    assert_eq!(judged.losses.iter().flatten().count(), 15 * 39);
    // With a label it is its error that counts.
    let label = Labels::numbers("wave", (0..600).map(|t| (t as f64 / 23.0).sin()).collect());
    let recipe = Recipe { graph: Some(Chain::default().into()), ..self::recipe(1, 1) };
    let input = GraphInput::new(&label);
    let design = recipe.design(&input, InputShape::vector(4)).unwrap();
    let choice = design.choose(&x.view(), &|_| ControlFlow::Continue(())).unwrap();
    assert_eq!(choice.judgement.unwrap().labels.len(), 1);
    assert!(choice.selection.taken().unwrap().loss.unwrap() < 1.0, "{}", choice.selection);
}

#[test]
fn a_part_that_is_given_stays_and_a_series_that_is_too_short_is_told() {
    let x = series(300, true, 2);
    let linear = NetworkChoice { kind: NetworkKind::Linear, features: Some(1), ..NetworkChoice::default() };
    let choice = choose(&Recipe { network: linear, ..recipe(1, 1) }, &x);
    assert_eq!(choice.selection.tried.len(), 1, "{}", choice.selection);
    let ridge = NetworkChoice { ridge: Some(0.125), ..recipe(1, 1).network };
    let choice = choose(&Recipe { network: ridge, ..recipe(1, 1) }, &x);
    assert!(choice.selection.tried.iter().all(|tried| tried.ridge == Some(0.125)), "{}", choice.selection);
    for n in [2, 3, 8, 15] {
        let choice = choose(&recipe(1, 1), &series(n, false, 2));
        assert!(choice.notes.iter().any(|note| matches!(note, Note::InSample { .. })), "{n}: {:?}", choice.notes);
    }
    assert!(choose(&recipe(1, 1), &series(16, false, 2)).judgement.is_some());
}
