//! Bad labels, weights, classes, eigenvalues and edges: what each is told.

use crate::support::Draws;
use gsfa::graph::*;
use gsfa::labels::{EigenvalueProfile, Labels, SampleWeights};
use gsfa::{Error, Note};

fn error(spec: impl Into<GraphSpec>, labels: &Labels) -> Error {
    spec.into().build(&GraphInput::new(labels)).unwrap_err()
}

fn notes(spec: impl Into<GraphSpec>, labels: &Labels) -> Vec<String> {
    spec.into().build(&GraphInput::new(labels)).unwrap().notes().iter().map(Note::to_string).collect()
}

#[track_caller]
fn says(error: &Error, message: &str, hint: &str) {
    assert_eq!(error.to_string(), message);
    assert!(error.hint().unwrap_or("").contains(hint), "{:?}", error.hint());
}

fn numbers(values: &[f64]) -> Labels {
    Labels::numbers("y", values.to_vec())
}

#[test]
fn labels_that_are_not_finite_are_named_with_their_rows() {
    let labels = numbers(&[1.0, f64::NAN, 2.0, f64::INFINITY, 3.0]);
    let rank: Vec<GraphSpec> = vec![
        Serial::default().into(),
        Mixed::default().into(),
        Reordering::default().into(),
        SlidingWindow { half_width: 1, shape: WindowShape::Box, label: None }.into(),
        Ell::default().into(),
    ];
    for spec in rank {
        says(&error(spec, &labels), "label 'y' has 2 non-finite values at positions 1, 3", "unlabelled");
    }
    let semi = Ell { semi_supervised: true, ..Ell::default() };
    says(&error(semi, &labels), "label 'y' has 1 non-finite value at position 3", "");
    let many = numbers(&[f64::NAN; 9]);
    assert_eq!(
        error(Serial::default(), &many).to_string(),
        "label 'y' has 9 non-finite values at positions 0, 1, 2, 3, 4 and 4 more"
    );
}

#[test]
fn a_sample_is_labelled_wholly_or_not_at_all() {
    let labels = numbers(&[1.0, f64::NAN, 2.0, 4.0]).and_numbers("z", vec![1.0, f64::NAN, f64::NAN, 0.0]).unwrap();
    let semi = Ell { semi_supervised: true, ..Ell::default() };
    let message = "1 sample is labelled in part: some of the labels are missing at row 2";
    says(&error(semi.clone(), &labels), message, "all labels of a sample or none");
    let one = numbers(&[1.0, f64::NAN, f64::NAN]);
    assert_eq!(error(semi, &one), Error::TooFewSamples { needed: 2, got: 1 });
}

#[test]
fn a_constant_label_is_named_and_never_divided_by() {
    for value in [0.0, 1.0, -3e200] {
        let labels = numbers(&[value; 4]);
        for spec in [
            GraphSpec::from(Serial::default()),
            Reordering::default().into(),
            Mixed::default().into(),
            Ell::default().into(),
        ] {
            let error = error(spec, &labels);
            assert!(matches!(&error, Error::ConstantLabel { name, .. } if name == "y"), "{error}");
            assert!(error.to_string().starts_with("label 'y' is constant (value "), "{error}");
        }
    }
    // Round-off is no variation: σ/|mean| of 1e-16.
    let labels = numbers(&[1e8, 1e8 + 1.5e-8, 1e8, 1e8]);
    assert!(matches!(error(Ell::default(), &labels), Error::ConstantLabel { .. }));
}

#[test]
fn too_few_samples_are_refused() {
    for n in [0, 1] {
        let labels = Labels::numbers("y", vec![1.0; n]);
        for spec in [GraphSpec::from(Ell::default()), Chain::default().into()] {
            assert_eq!(error(spec, &labels).to_string(), format!("need at least 2 samples, got {n}"));
        }
        assert!(Serial::default().build(&GraphInput::new(&labels)).is_err());
        assert!(Edges { edges: vec![], ..Edges::default() }.build(&GraphInput::new(&labels)).is_err());
    }
}

#[test]
fn weights_are_checked_with_their_positions() {
    let weights = |w: &[f64]| SampleWeights::new(w.to_vec()).unwrap_err();
    says(&weights(&[1.0, 0.0, -2.0]), "sample weights must be positive; 2 values are not at positions 1, 2", "drop");
    says(&weights(&[1.0, f64::NAN]), "sample weights has 1 non-finite value at position 1", "");
    says(&weights(&[0.0, 0.0]), "all 2 sample weights are zero", "leave the weights out");
    let labels = numbers(&[1.0, 2.0, 3.0]);
    let two = SampleWeights::new(vec![1.0, 1.0]).unwrap();
    let error = GraphInput::new(&labels).with_weights(two).unwrap_err();
    assert_eq!(error.to_string(), "the label table has 3 rows, sample weights has 2");
}

#[test]
fn numbers_that_are_not_finite_are_told_what_they_are_and_what_helps() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let weights = SampleWeights::new(vec![1.0, value, 2.0]).unwrap_err();
        says(&weights, "sample weights has 1 non-finite value at position 1", "finite numbers");
        let ell = Ell { eigenvalues: EigenvalueProfile::Values(vec![value]), ..Ell::default() };
        let eigenvalues = error(ell, &numbers(&[1.0, 2.0, 3.0]));
        says(&eigenvalues, "the list of eigenvalues has 1 non-finite value at position 0", "finite numbers");
        // Only labels can be missing.
        assert!(![weights, eigenvalues].iter().any(|error| error.hint().unwrap().contains("label")));
        says(
            &error(Ell::default(), &numbers(&[1.0, value, 3.0])),
            "label 'y' has 1 non-finite value at position 1",
            "label",
        );
    }
}

#[test]
fn labels_are_chosen_by_name_and_kind() {
    let labels = numbers(&[1.0, 2.0, 3.0]).and_numbers("z", vec![3.0, 1.0, 2.0]).unwrap();
    says(
        &error(Serial::default(), &labels),
        "the serial graph is built from one numeric label, 2 were given",
        "`label`",
    );
    let named = Serial { label: Some("age".into()), ..Serial::default() };
    says(&error(named, &labels), "there is no label 'age'; the labels are 'y', 'z'", "case-sensitive");
    says(&error(Clustered::default(), &labels), "the clustered graph is built from one class label, 0 were given", "");
    let classes = Labels::classes("c", ["a", "b", "a"]);
    says(&error(Serial::default(), &classes), "label 'c' holds classes, numbers are needed", "clustered");
    says(&error(Ell::default(), &classes), "label 'c' holds classes, numbers are needed", "compact");
    let numeric = Clustered { label: Some("y".into()), ..Clustered::default() };
    says(&error(numeric, &labels), "label 'y' holds numbers, classes are needed", "");
    assert!(matches!(numbers(&[1.0]).and_numbers("y", vec![2.0]), Err(Error::Parameter { .. })));
    let short = numbers(&[1.0]).and_numbers("z", vec![2.0, 3.0]).unwrap_err();
    assert_eq!(short.to_string(), "label 'y' has 1 rows, label 'z' has 2");
}

#[test]
fn classes_must_be_more_than_one_and_fewer_than_samples() {
    for spec in [GraphSpec::from(Clustered::default()), Compact::default().into()] {
        let one = Labels::classes("c", ["a", "a", "a"]);
        says(&error(spec.clone(), &one), "1 class found ('a'); at least 2 are needed", "right column");
        let all = Labels::classes("c", ["a", "b", "c"]);
        let message = "the number of samples must exceed the number of classes (3 classes, 3 samples)";
        says(&error(spec, &all), message, "serial or ell");
    }
}

#[test]
fn singleton_classes_get_a_loop_with_the_papers_weights_and_are_named() {
    let labels = Labels::classes("c", ["a", "a", "b", "c", "c"]);
    assert!(notes(Clustered::default(), &labels).is_empty());
    let paper = Clustered { paper_weights: true, ..Clustered::default() };
    assert_eq!(notes(paper.clone(), &labels), ["class b has a single sample and got a self-loop of 1"]);
    let graph = paper.build(&GraphInput::new(&labels)).unwrap();
    assert_eq!((graph.edge_weight(2, 2), graph.edge_weight(0, 0), graph.edge_weight(0, 1)), (1.0, 0.0, 1.0));
}

#[test]
fn eigenvalues_are_checked() {
    let labels = numbers(&[1.0, 2.0, 4.0, 7.0, 11.0]);
    let ell = |values: &[f64]| Ell {
        targets: Some(3),
        eigenvalues: EigenvalueProfile::Values(values.to_vec()),
        ..Ell::default()
    };
    says(&error(ell(&[1.0, 0.5]), &labels), "2 eigenvalues were given for 3 target labels", "one per target label");
    let negative = error(ell(&[1.0, 0.5, -0.1]), &labels);
    says(
        &negative,
        "eigenvalue 3 is negative (-0.1): its label would be made dissimilar, not learned",
        "allow_negative",
    );
    assert!(Ell { allow_negative: true, ..ell(&[1.0, 0.5, -0.1]) }.build(&GraphInput::new(&labels)).is_ok());
    assert!(matches!(error(ell(&[1.0, f64::NAN, 0.1]), &labels), Error::NonFinite { .. }));
    assert_eq!(notes(ell(&[1.0, 0.0, 0.0]), &labels), ["target labels with eigenvalue 0 have no influence: 2, 3"]);
    let increasing = ell(&[0.2, 0.5, 0.1]);
    assert_eq!(
        notes(increasing.clone(), &labels),
        ["label 2 has a larger eigenvalue than label 1: feature order will follow it"]
    );
    let strict = error(Ell { strict: true, ..increasing }, &labels);
    says(&strict, "label 2 has a larger eigenvalue (0.5) than label 1 (0.2)", "`strict`");
}

#[test]
fn dependent_and_surplus_labels_are_dropped_and_named() {
    let y = [1.0, 2.0, 4.0, 7.0, 11.0];
    let labels = numbers(&y).and_numbers("z", y.iter().map(|x| 3.0 * x + 1.0).collect()).unwrap();
    let found = notes(Ell::default(), &labels);
    assert_eq!(found, ["label z is dependent on earlier labels and was dropped (tolerance 1e-8); 1 is left"]);
    let graph = Ell { targets: Some(50), ..Ell::default() }.build(&GraphInput::new(&numbers(&y))).unwrap();
    assert_eq!(graph.targets().unwrap().labels.names().len(), 4);
    assert!(
        graph.notes().iter().any(|n| matches!(n, Note::FewerTargets { requested: 50, formed: 4, .. })),
        "{:?}",
        graph.notes()
    );
}

#[test]
fn edges_are_checked_and_symmetrised() {
    let none = Labels::none(4);
    let edges = |edges: &[(usize, usize, f64)]| Edges { edges: edges.to_vec(), ..Edges::default() };
    let out_of_range = error(edges(&[(0, 1, 1.0), (2, 4, 1.0)]), &none);
    says(&out_of_range, "edge 1 connects vertices 2 and 4, but there are 4 vertices (0 to 3)", "numbered from 0");
    says(&error(edges(&[]), &none), "the sum of edge weights is 0; it must be positive", "connect");
    says(&error(edges(&[(0, 1, -1.0)]), &none), "the sum of edge weights is -1; it must be positive", "");
    assert_eq!(error(edges(&[(0, 0, 1.0), (2, 2, 5.0)]), &none), Error::SelfLoopsOnly);
    assert!(matches!(error(edges(&[(0, 1, f64::NAN)]), &none), Error::Parameter { .. }));
    assert!(notes(edges(&[(0, 1, 1.0), (1, 0, 1.0), (2, 3, 0.5), (3, 2, 0.5)]), &none).is_empty());
    let asymmetric = edges(&[(0, 1, 1.0), (1, 0, 2.0), (2, 3, 0.5)]);
    assert_eq!(
        notes(asymmetric.clone(), &none),
        ["edge weights were asymmetric for 2 pairs and were replaced by their mean"]
    );
    let graph = asymmetric.build(&GraphInput::new(&none)).unwrap();
    assert_eq!((graph.edge_weight(0, 1), graph.edge_weight(3, 2)), (1.5, 0.25));
    assert!(graph.smallest_edge().weight > 0.0);
    let isolated = Edges { edges: vec![(0, 1, 1.0)], vertex_weights: VertexWeights::Degrees };
    says(&error(isolated, &none), "vertex weights must be positive; 2 values are not at positions 2, 3", "");
}

#[test]
fn an_inconsistent_graph_says_where_and_how_much() {
    let labels = Labels::none(4);
    let graph = Chain::default().build(&GraphInput::new(&labels)).unwrap();
    let note = graph.consistency().note().unwrap().to_string();
    assert_eq!(note, "vertex and edge weights disagree most at vertex 0: 0.250000 of Q, 0.166667 of R");
}

#[test]
fn parameters_out_of_range_say_why() {
    let labels = numbers(&[1.0, 2.0, 3.0, 4.0]);
    let cases: Vec<(GraphSpec, &str)> = vec![
        (Serial { groups: 1, label: None }.into(), "groups = 1: at least 2 groups"),
        (Mixed { groups: 0, label: None }.into(), "groups = 0: at least 2 groups"),
        (SlidingWindow { half_width: 0, shape: WindowShape::Box, label: None }.into(), "half_width = 0: "),
        (SlidingWindow { half_width: 4, shape: WindowShape::Box, label: None }.into(), "half_width = 4: "),
        (
            SlidingWindow { half_width: 2, shape: WindowShape::Weights(vec![1.0]), label: None }.into(),
            "shape.weights = 1 values: ",
        ),
        (Chain { lag: 0, ..Chain::default() }.into(), "lag = 0: "),
        (Chain { lag: 4, ..Chain::default() }.into(), "lag = 4: no sequence is longer than the lag"),
        (NearestNeighbors::new(0).into(), "neighbors = 0: "),
        (NearestNeighbors::new(4).into(), "neighbors = 4: "),
        (NearestNeighbors { heat: Some(-1.0), ..NearestNeighbors::new(1) }.into(), "heat = -1: it must be positive"),
        (Ell { targets: Some(0), ..Ell::default() }.into(), "targets = 0: "),
        (Sum { graphs: vec![] }.into(), "graphs = []: a sum needs at least one graph"),
        (
            Sum { graphs: vec![Summand { share: 0.0, graph: Chain::default().into() }] }.into(),
            "share = 0: shares must be positive",
        ),
    ];
    for (spec, message) in cases {
        let error = error(spec, &labels);
        assert!(error.to_string().starts_with(message), "{error}");
    }
    assert_eq!(
        notes(Serial { groups: 9, label: None }, &labels),
        ["4 groups instead of 9: the label has only 4 distinct values, and ties stay together"]
    );
}

#[test]
fn features_are_checked_before_they_get_a_delta() {
    let labels = numbers(&[1.0, 2.0, 3.0]);
    let graph = Reordering::default().build(&GraphInput::new(&labels)).unwrap();
    let delta = |rows: usize, values: Vec<f64>| {
        let columns = values.len() / rows;
        graph.delta_values(ndarray::Array2::from_shape_vec((rows, columns), values).unwrap().view()).unwrap_err()
    };
    assert_eq!(delta(2, vec![1.0, 2.0]).to_string(), "the graph has 3 rows, features has 2");
    assert_eq!(delta(3, vec![5.0; 3]).to_string(), "feature 0 is constant (value 5): it has no delta value");
    assert!(matches!(delta(3, vec![1.0, f64::NAN, 2.0]), Error::NonFiniteSample { row: 1, column: 0, .. }));
}

#[test]
fn a_delta_has_no_scale() {
    let labels = numbers(&[1.0, 2.0, 4.0, 7.0, 7.0]);
    let values = ndarray::array![[0.5], [0.25], [2.0], [-1.5], [1.0]];
    for graph in [Serial { groups: 3, label: None }.into(), GraphSpec::from(Ell::default())] {
        let graph = graph.build(&GraphInput::new(&labels)).unwrap();
        let delta = |scale: f64| graph.delta_values((&values * scale).view()).unwrap()[0];
        for power in [-1020, -900, -300, 300, 900, 1021] {
            assert_eq!(delta(2.0_f64.powi(power)), delta(1.0), "times 2^{power}");
        }
        let zeros = graph.delta_values((&values * 0.0).view()).unwrap_err();
        assert!(matches!(zeros, Error::ConstantFeature { column: 0, value: 0.0 }), "{zeros}");
    }
}

#[test]
fn weights_and_labels_over_thirty_orders_of_magnitude_do_not_break_a_graph() {
    let n = 12;
    let mut draws = Draws::new(3);
    let weights: Vec<f64> = (0..n).map(|_| 10_f64.powf(draws.uniform(-15.0, 15.0))).collect();
    let values: Vec<f64> = (0..n).map(|_| draws.normal() * 10_f64.powf(draws.uniform(-150.0, 150.0))).collect();
    let labels = numbers(&values).and_classes("c", (0..n).map(|i| (i % 3).to_string())).unwrap();
    let specs: Vec<GraphSpec> = vec![
        Serial { groups: 4, label: None }.into(),
        Reordering::default().into(),
        Clustered::default().into(),
        Ell { targets: Some(2), ..Ell::default() }.into(),
        Compact::default().into(),
    ];
    for spec in specs {
        let weights = SampleWeights::new(weights.clone()).unwrap();
        match spec.build(&GraphInput::new(&labels).with_weights(weights).unwrap()) {
            Ok(graph) => {
                let found = graph.free_responses(3).unwrap();
                assert!(found.delta_values.iter().all(|d| d.is_finite()), "{spec:?}: {:?}", found.delta_values);
            }
            // One sample may outweigh all others by so much that a label is constant in effect.
            Err(error) => assert!(matches!(error, Error::ConstantLabel { .. }), "{spec:?}: {error}"),
        }
    }
}

#[test]
fn responses_that_make_no_graph_are_told() {
    use ndarray::array;
    let refused = |responses: ndarray::Array2<f64>, deltas: &[f64], weights: &[f64]| {
        TrainingGraph::from_responses(responses.view(), deltas, weights.to_vec()).unwrap_err().to_string()
    };
    let (one, ones) = (array![[1.0], [2.0], [4.0]], [1.0; 3]);
    assert!(refused(one.clone(), &[0.0, 1.0], &ones).contains("delta values"));
    assert_eq!(
        refused(one.clone(), &[f64::NAN], &ones),
        "the list of delta values has 1 non-finite value at position 0"
    );
    assert!(refused(one.clone(), &[0.0], &[1.0; 2]).contains("vertex weights"));
    assert!(refused(one.clone(), &[0.0], &[1.0, 0.0, 1.0]).contains("must be positive"));
    assert!(refused(one.clone(), &[0.0], &[1.0, f64::INFINITY, 1.0]).contains("non-finite"));
    let gap = array![[1.0, 2.0], [2.0, 5.0], [4.0, f64::NAN]];
    assert_eq!(refused(gap, &[0.0, 1.0], &ones), "response 'y2' has 1 non-finite value at position 2");
    assert!(refused(array![[3.0], [3.0], [3.0]], &[0.0], &ones).contains("constant"));
    assert!(refused(array![[1.0, 3.0], [2.0, 5.0], [4.0, 9.0]], &[0.0, 1.0], &ones).contains("column 1"));
    assert!(refused(array![[1.0]], &[0.0], &[1.0]).contains("samples"));
    assert!(refused(array![[1.0, 0.0], [2.0, 1.0]], &[0.0, 1.0], &[1.0; 2]).contains("column 1"));
    assert!(refused(ndarray::Array2::zeros((3, 0)), &[], &ones).contains("at least one"));
}

#[test]
fn given_vertex_weights_are_checked_before_samples_weigh_them() {
    let labels = Labels::none(3);
    let given = |v: Vec<f64>| Edges { edges: vec![(0, 1, 1.0), (1, 2, 1.0)], vertex_weights: VertexWeights::Given(v) };
    assert!(error(given(vec![1.0; 2]), &labels).to_string().contains("vertex weights"));
    assert!(error(given(vec![1.0, -1.0, 1.0]), &labels).to_string().contains("must be positive"));
    assert!(error(given(vec![1.0, f64::NAN, 1.0]), &labels).to_string().contains("non-finite"));
    let weights = SampleWeights::new(vec![1.0, 2.0, 4.0]).unwrap();
    let input = GraphInput::new(&labels).with_weights(weights).unwrap();
    let graph = given(vec![3.0, 5.0, 7.0]).build(&input).unwrap();
    assert_eq!(graph.vertex_weights(), [3.0, 10.0, 28.0]);
}

#[test]
fn parts_of_a_graph_that_do_not_fit_together_are_refused() {
    use gsfa::graph::{Banded, Coupling, EdgeTerm, Grouping, LowRank, Sparse, TrainingGraph};
    assert!(matches!(Grouping::new(vec![0, 2, 1], 2), Err(Error::Parameter { name: "group", .. })));
    assert!(matches!(Banded::new(4, vec![(1, vec![1.0; 4])]), Err(Error::Shape { .. })));
    assert!(matches!(Banded::new(4, vec![(1, vec![1.0; 3]); 2]), Err(Error::Parameter { name: "offset", .. })));
    let outside = Sparse::from_entries(3, vec![(0, 1, 1.0), (1, 3, 1.0)]);
    assert!(matches!(outside, Err(Error::EdgeOutOfRange { edge: 1, from: 1, to: 3, vertices: 3 })));
    let term = |vertices: usize, groups: usize, shares: usize, loops: Option<usize>, values: usize| {
        let coupling = LowRank { columns: ndarray::Array2::ones((groups, 1)), values: vec![1.0; values] };
        let grouping = Grouping::one(vertices);
        let loops = loops.map(|count| vec![1.0; count]);
        let term = EdgeTerm { grouping, shares: vec![1.0; shares], coupling: Coupling::LowRank(coupling), loops };
        TrainingGraph::new(vec![1.0; 4], vec![term], 0.0)
    };
    assert!(term(4, 1, 4, Some(4), 1).is_ok());
    for (vertices, groups, shares, loops, values) in
        [(3, 1, 4, None, 1), (4, 2, 4, None, 1), (4, 1, 5, None, 1), (4, 1, 4, Some(3), 1), (4, 1, 4, None, 2)]
    {
        assert!(matches!(term(vertices, groups, shares, loops, values), Err(Error::Shape { .. })));
    }
}
