//! What specifications say of themselves is what reading them means.

use gsfa::graph::{GraphSpec, TrainingGraph};
use gsfa::moments::Moments;
use gsfa::network::NetworkSpec;
use gsfa::readout::Readout;
use gsfa::recipe::Recipe;
use gsfa::specification::{Field, Need, Sort, fields_of, kinds_of, nearest, sort_of};
use ndarray::Array2;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::support::cases::{Data, specs};

/// Some value of a sort.
fn some(sort: &Sort) -> Value {
    match sort {
        Sort::Flag => json!(true),
        Sort::Count => json!(3),
        Sort::Number => json!(0.5),
        Sort::Text => json!("text"),
        Sort::Word { words } => json!(words[0].name),
        Sort::List { length, of } => (0..length.unwrap_or(0)).map(|_| some(of)).collect(),
        Sort::Row { of } => of.iter().map(some).collect(),
        Sort::Table { fields } => least(fields).into(),
        Sort::Kinds { tag, kinds } => {
            let mut table = least(&kinds[0].fields);
            table.insert(tag.clone(), json!(kinds[0].name));
            table.into()
        }
        Sort::Either { sorts } => some(&sorts[0]),
        Sort::Again { .. } | Sort::Any => panic!("{sort:?} has no example"),
    }
}

/// A table with what it must have.
fn least(fields: &[Field]) -> Map<String, Value> {
    fields.iter().filter(|field| field.required).map(|field| (field.name.clone(), some(&field.sort))).collect()
}

/// Reads every table with each of its settings as it is by default, and without.
fn defaults<T: DeserializeOwned + PartialEq + std::fmt::Debug>(given: Map<String, Value>, fields: &[Field]) -> usize {
    let read = |table: &Map<String, Value>| {
        serde_json::from_value::<T>(table.clone().into()).unwrap_or_else(|error| panic!("{table:?}: {error}"))
    };
    let mut base = given;
    base.extend(least(fields));
    let meant = read(&base);
    for field in fields.iter().filter(|field| !field.required) {
        let mut with = base.clone();
        with.insert(field.name.clone(), field.default.clone().unwrap_or_default());
        assert_eq!(read(&with), meant, "{} of {base:?}", field.name);
        let mut other = base.clone();
        other.insert(field.name.clone(), another(&field.sort, field.default.as_ref()));
        assert_ne!(read(&other), meant, "{} of {base:?} has no effect", field.name);
    }
    for field in fields.iter().filter(|field| field.required) {
        let mut without = base.clone();
        without.remove(&field.name);
        assert!(serde_json::from_value::<T>(without.into()).is_err(), "{} is required", field.name);
    }
    fields.len()
}

/// A value that is not the default.
fn another(sort: &Sort, default: Option<&Value>) -> Value {
    match sort {
        Sort::Flag => json!(default != Some(&json!(true))),
        Sort::List { of, length: None } => json!([some(of)]),
        Sort::Word { words } => {
            let other = words.iter().find(|word| Some(&json!(word.name)) != default);
            json!(other.unwrap().name)
        }
        Sort::Either { sorts } => sorts.iter().map(|sort| another(sort, default)).find(|v| Some(v) != default).unwrap(),
        Sort::Kinds { tag, kinds } => {
            let mut table = least(&kinds.last().unwrap().fields);
            table.insert(tag.clone(), json!(kinds.last().unwrap().name));
            table.into()
        }
        Sort::Table { fields } => {
            let mut table = least(fields);
            if default.is_some() && table.is_empty() {
                table.insert(fields[0].name.clone(), some(&fields[0].sort));
            }
            table.into()
        }
        sort => some(sort),
    }
}

#[test]
fn defaults_in_the_tables_are_what_leaving_out_means() {
    let kind = |tag: &str, name: &str| Map::from_iter([(tag.to_string(), json!(name))]);
    let mut seen = 0;
    for graph in GraphSpec::kinds() {
        // A sum holds graphs, which is all that it has.
        if graph.name != "sum" {
            seen += defaults::<GraphSpec>(kind("kind", &graph.name), &graph.fields);
        }
    }
    for readout in kinds_of::<Readout>() {
        seen += defaults::<Readout>(kind("kind", &readout.name), &readout.fields);
    }
    for expansion in kinds_of::<gsfa::expansion::Expansion>() {
        seen += defaults::<gsfa::expansion::Expansion>(kind("kind", &expansion.name), &expansion.fields);
    }
    seen += defaults::<NetworkSpec>(Map::new(), &fields_of::<NetworkSpec>());
    seen += defaults::<gsfa::network::LayerSpec>(Map::new(), &fields_of::<gsfa::network::LayerSpec>());
    seen += defaults::<gsfa::network::PcaSpec>(Map::new(), &fields_of::<gsfa::network::PcaSpec>());
    seen += defaults::<gsfa::recipe::NetworkChoice>(Map::new(), &fields_of::<gsfa::recipe::NetworkChoice>());
    seen += defaults::<Recipe>(Map::new(), &fields_of::<Recipe>());
    assert!(seen > 80, "{seen}");
}

#[test]
fn every_setting_says_what_it_is() {
    fn walk(name: &str, sort: &Sort) {
        match sort {
            Sort::Table { fields } => {
                for field in fields {
                    assert!(
                        !field.doc.is_empty() && !field.doc.contains("[`"),
                        "{name}.{}: {:?}",
                        field.name,
                        field.doc
                    );
                    walk(&format!("{name}.{}", field.name), &field.sort);
                }
            }
            Sort::Kinds { kinds, .. } => {
                for kind in kinds {
                    assert!(!kind.doc.is_empty(), "{name}.{}", kind.name);
                    walk(&format!("{name}.{}", kind.name), &Sort::Table { fields: kind.fields.clone() });
                }
            }
            Sort::List { of, .. } => walk(name, of),
            Sort::Word { words } => assert!(words.iter().all(|word| !word.doc.is_empty()), "{name}: {words:?}"),
            Sort::Any => panic!("{name} is not described"),
            _ => {}
        }
    }
    walk("Recipe", &sort_of::<Recipe>());
    walk("NetworkSpec", &sort_of::<NetworkSpec>());
}

#[test]
fn graphs_that_need_one_piece_are_those_that_refuse_chunks() {
    // More groups than are kept as sums of their own.
    let data = Data::new(400, false, false, 3);
    let mut seen = Vec::new();
    for spec in specs(400) {
        let graph: TrainingGraph = spec.build(&data.input()).unwrap();
        let chunk = Array2::from_elem((200, 1), 1.0);
        let refuses = Moments::<f64>::new(&graph, 1).add(0, chunk.view()).is_err();
        assert_eq!(spec.needs(Need::OnePiece), refuses, "{spec:?}");
        seen.push(spec.kind().name.clone());
    }
    let unseen: Vec<_> = GraphSpec::kinds().iter().filter(|kind| !seen.contains(&kind.name)).collect();
    assert!(unseen.is_empty(), "{unseen:?}");
}

#[test]
fn graphs_that_need_labels_fail_without_them() {
    let labels = gsfa::labels::Labels::none(12);
    let vectors = Array2::from_shape_fn((12, 2), |(i, j)| ((i * 7 + j * 5) % 11) as f64);
    let input = gsfa::graph::GraphInput::new(&labels).with_vectors(vectors.view()).unwrap();
    let of_labels = [Need::Number, Need::Numbers, Need::Class];
    for spec in specs(12) {
        // Sequences of a chain are told apart by a label.
        let named = matches!(&spec, GraphSpec::Chain(chain) if chain.sequences.is_some());
        let needs = of_labels.iter().any(|&need| spec.needs(need)) || named;
        assert_eq!(needs, spec.build(&input).is_err(), "{spec:?}");
    }
}

#[test]
fn misspelt_names_find_what_was_meant() {
    let known = ["groups", "label", "half_width"];
    for (given, meant) in [
        ("gruops", Some("groups")),
        ("Groups", Some("groups")),
        ("half-width", Some("half_width")),
        ("lable", Some("label")),
        ("ridge", None),
        ("", None),
        (&"g".repeat(1 << 20), None),
    ] {
        assert_eq!(nearest(given, known), meant, "{given:.20}");
    }
}
