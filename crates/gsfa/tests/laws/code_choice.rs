//! Codes, scales and numbers of features that are left open are chosen by left-out samples, and told.

use gsfa::Labels;
use gsfa::graph::{ClassCode, Clustered, Compact, GraphSpec};
use gsfa::network::LayerSpec;
use gsfa::recipe::{Effort, NetworkChoice, NetworkKind, Recipe, TrainedModel};
use ndarray::Array2;

use super::support::Draws;

fn samples(classes: usize, per_class: usize, seed: u64) -> (Array2<f64>, Labels) {
    let mut draws = Draws::new(seed);
    let means = Array2::from_shape_fn((classes, 8), |_| 2.5 * draws.normal());
    let x = Array2::from_shape_fn((classes * per_class, 8), |(n, i)| means[[n % classes, i]] + draws.normal());
    (x, Labels::classes("class", (0..classes * per_class).map(|n| format!("{:02}", n % classes))))
}

fn recipe(features: Option<usize>, graph: Option<GraphSpec>) -> Recipe {
    let network = NetworkChoice { kind: NetworkKind::Linear, features, ..NetworkChoice::default() };
    Recipe { network, graph, ..Recipe::default() }
}

fn names(trained: &TrainedModel) -> Vec<String> {
    trained.selection.tried.iter().map(|tried| tried.name.clone()).collect()
}

#[test]
fn with_few_features_asked_for_codes_and_scales_are_tried_and_the_best_is_taken() {
    let (x, labels) = samples(12, 25, 1);
    let trained = recipe(Some(2), None).fit(&x, &labels).unwrap();
    let tried = names(&trained);
    for code in ["pairwise", "weighted Fisher", "nested", "binary"] {
        assert!(tried.iter().any(|name| name.ends_with(&format!("{code} code of 2 features"))), "{code}: {tried:?}");
    }
    let (taken, first) = (trained.selection.taken().unwrap(), &trained.selection.tried[0]);
    assert!(taken.loss.unwrap() < first.loss.unwrap(), "{}", trained.selection);
    let least = trained.selection.tried.iter().filter_map(|t| t.loss).fold(f64::INFINITY, f64::min);
    assert_eq!(taken.loss, Some(least), "codes of as many features are as simple");
    assert!(taken.name.contains("code of 2 features"));
    assert_eq!(trained.features.ncols(), 2);
    if taken.name.contains("pairwise") || taken.name.contains("nested") {
        assert!(tried.iter().any(|name| name.contains("distances times 0.5")), "{tried:?}");
    }
}

#[test]
fn targets_asked_for_leave_the_code_open_and_a_graph_does_not() {
    let (x, labels) = samples(9, 25, 2);
    let open = Recipe { targets: Some(3), ..recipe(None, None) }.fit(&x, &labels).unwrap();
    assert!(names(&open).iter().any(|name| name.contains("pairwise code of 3 features")));
    assert_eq!(open.features.ncols(), 3);
    for graph in [
        GraphSpec::from(Compact { targets: Some(3), ..Compact::default() }),
        Clustered::default().into(),
        Compact { code: ClassCode::Pairwise, scale: Some(0.5), ..Compact::default() }.into(),
    ] {
        let given = recipe(Some(3), Some(graph)).fit(&x, &labels).unwrap();
        assert_eq!(given.selection.tried.len(), 1, "{:?}", names(&given));
    }
}

#[test]
fn a_code_asked_for_leaves_its_scale_and_the_number_of_features_open() {
    let (x, labels) = samples(9, 25, 3);
    let pairwise = GraphSpec::from(Compact { code: ClassCode::Pairwise, ..Compact::default() });
    let scaled = recipe(Some(2), Some(pairwise.clone())).fit(&x, &labels).unwrap();
    let tried = names(&scaled);
    assert_eq!(tried.iter().filter(|name| name.contains("distances times")).count(), 3, "{tried:?}");
    let fewer = recipe(None, Some(pairwise)).fit(&x, &labels).unwrap();
    assert!(names(&fewer).iter().any(|name| name.contains("pairwise code of 4 features")), "{:?}", names(&fewer));
}

#[test]
fn two_classes_numbers_and_quick_choices_have_no_codes_to_try() {
    let (x, labels) = samples(2, 30, 4);
    assert!(names(&recipe(None, None).fit(&x, &labels).unwrap()).iter().all(|name| !name.contains("code of")));
    let (x, labels) = samples(6, 30, 5);
    let quick = Recipe { effort: Effort::Quick, ..recipe(Some(2), None) }.fit(&x, &labels).unwrap();
    assert!(names(&quick).iter().all(|name| !name.contains("code of")));
    let numbers = Labels::numbers("age", x.column(0).to_vec());
    assert!(names(&recipe(None, None).fit(&x, &numbers).unwrap()).iter().all(|name| !name.contains("code of")));
}

#[test]
fn every_node_of_a_network_learns_a_code_of_its_own() {
    let (x, labels) = samples(8, 40, 6);
    let layers = vec![LayerSpec::new(4), LayerSpec::new(2)];
    let network = NetworkChoice { kind: NetworkKind::Layers, layers, ..NetworkChoice::default() };
    let pairwise = GraphSpec::from(Compact { code: ClassCode::Pairwise, scale: Some(1.0), ..Compact::default() });
    let trained = Recipe { network, graph: Some(pairwise), ..Recipe::default() }.fit(&x, &labels).unwrap();
    assert_eq!(trained.features.ncols(), 2);
}
