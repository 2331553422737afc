//! Codes that are too short to tell classes apart say so.

use gsfa::Note;
use gsfa::graph::{ClassCode, Clustered, Compact, Ell, GraphInput, TrainingGraph};
use gsfa::labels::{EigenvalueProfile, Labels, compact_code};
use gsfa::note::CodeLength;

fn labels(classes: usize) -> Labels {
    Labels::classes("c", (0..3 * classes).map(|n| (n % classes).to_string()))
}

fn compact(classes: usize, targets: Option<usize>, code: ClassCode) -> TrainingGraph {
    Compact { targets, code, ..Compact::default() }.build(&GraphInput::new(&labels(classes))).unwrap()
}

/// Classes, length, codes, enough.
fn equal_codes(notes: &[Note], of: CodeLength) -> Option<[usize; 4]> {
    notes.iter().find_map(|note| match note {
        Note::EqualCodes { classes, of: what, length, codes, enough } if *what == of => {
            Some([*classes, *length, *codes, *enough])
        }
        _ => None,
    })
}

#[test]
fn a_code_with_fewer_labels_than_bits_says_how_many_classes_share_one() {
    for classes in 2..=40 {
        let bits = (classes as f64).log2().ceil() as usize;
        for targets in 1..classes {
            let graph = compact(classes, Some(targets), ClassCode::Binary);
            // By definition: rows of the code as text.
            let code = compact_code(classes, Some(targets)).unwrap();
            let mut rows: Vec<String> = code.values.outer_iter().map(|row| row.to_string()).collect();
            rows.sort();
            rows.dedup();
            let found = equal_codes(graph.notes(), CodeLength::Targets);
            let expected = (targets < bits).then_some([classes, targets, rows.len(), bits]);
            assert_eq!(found, expected, "{classes} classes, {targets} targets");
            assert_eq!(rows.len() < classes, targets < bits);
        }
    }
}

#[test]
fn a_sparse_code_says_how_many_of_its_labels_are_needed() {
    for classes in 2..=20 {
        for targets in 1..classes {
            let note = equal_codes(compact(classes, Some(targets), ClassCode::Sparse).notes(), CodeLength::Targets);
            if let Some([_, length, codes, enough]) = note {
                assert!(length == targets && codes < classes && targets < enough && enough < classes);
                assert_eq!(
                    equal_codes(compact(classes, Some(enough), ClassCode::Sparse).notes(), CodeLength::Targets),
                    None
                );
            }
        }
        assert!(equal_codes(compact(classes, None, ClassCode::Sparse).notes(), CodeLength::Targets).is_none());
    }
}

#[test]
fn fewer_features_than_bits_are_remarked_on_where_graph_and_network_meet() {
    for classes in [5, 10, 32] {
        let graph = compact(classes, None, ClassCode::Binary);
        let bits = (classes as f64).log2().ceil() as usize;
        for features in 1..classes {
            let note = graph.features_note(features);
            assert_eq!(note.is_some(), features < bits, "{classes} classes, {features} features");
            let noted = graph.clone().with_features(features).with_features(features);
            assert_eq!(noted.notes().iter().filter(|n| Some(*n) == note.as_ref()).count(), usize::from(note.is_some()));
        }
    }
    let text = compact(10, None, ClassCode::Binary).features_note(2).unwrap().to_string();
    assert!(text.contains("2 features for 10 classes") && text.contains("4 different codes"), "{text}");
    assert!(text.ends_with("4 suffice"), "{text}");
    // One remark is enough: that of the graph.
    assert_eq!(compact(10, Some(2), ClassCode::Binary).features_note(1), None);
}

#[test]
fn graphs_that_are_no_code_have_no_remark_on_features() {
    let labels = labels(10);
    let input = GraphInput::new(&labels);
    assert_eq!(Clustered::default().build(&input).unwrap().features_note(2), None);
    // The same graph, edge by edge.
    let whole = Compact { eigenvalues: EigenvalueProfile::Equal, ..Compact::default() }.build(&input).unwrap();
    assert_eq!(whole.features_note(2), None);
    let numbers = Labels::numbers("y", (0..30).map(f64::from).collect());
    let ell = Ell { targets: Some(9), ..Ell::default() }.build(&GraphInput::new(&numbers)).unwrap();
    assert_eq!(ell.features_note(2), None);
}
