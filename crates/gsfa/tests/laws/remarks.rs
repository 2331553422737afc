//! What works, but deserves a remark: too many targets, parts that cannot be left out, too few samples.

use std::ops::ControlFlow;

use gsfa::graph::{Clustered, Ell, GraphInput, Serial, TrainingGraph};
use gsfa::labels::{EigenvalueProfile, Labels};
use gsfa::network::{InputShape, LayerSpec, NetworkSpec, Skip};
use gsfa::recipe::{NetworkChoice, NetworkKind, Recipe, TrainedModel};
use gsfa::{Gsfa, Note};
use ndarray::Array2;

use crate::solve_support::noise;

fn labels(n: usize) -> Labels {
    Labels::numbers("y", (0..n).map(|k| ((k * 37 + 11) % n) as f64).collect())
}

fn ell(n: usize, targets: usize) -> TrainingGraph {
    Ell { targets: Some(targets), ..Ell::default() }.build(&GraphInput::new(&labels(n))).unwrap()
}

fn layers(outputs: &[usize]) -> Vec<LayerSpec> {
    outputs.iter().map(|&count| LayerSpec { ridge: 1e-3, ..LayerSpec::new(count) }).collect()
}

fn network(layers: Vec<LayerSpec>) -> NetworkSpec {
    NetworkSpec::new(InputShape::vector(6), layers)
}

#[test]
fn fewer_outputs_of_inner_nodes_than_target_labels_are_remarked_on() {
    let graph = ell(40, 4);
    let note = |outputs: &[usize]| network(layers(outputs)).narrow_note(&graph);
    assert_eq!(note(&[4, 5, 1]), None);
    // What the top gives is what was asked for.
    assert_eq!(note(&[1]), None);
    assert_eq!(note(&[5, 3, 4, 3, 1]), Some(Note::NarrowLayer { targets: 4, layer: 2, outputs: 3 }));
    let text = note(&[1, 1]).unwrap().to_string();
    assert!(text.starts_with("4 target labels, but nodes of layer 1 pass on only 1 feature: "), "{text}");
    // A layer that looks at the inputs again does not depend on the one below.
    let mut again = layers(&[1, 1]);
    again[1].skip = Some(Skip { feature_scale: 1.0, gate: None });
    assert_eq!(network(again).narrow_note(&graph), None);
    // Labels without influence need no room, and graphs without target labels do not count them.
    let values = EigenvalueProfile::Values(vec![1.0, 0.5, 0.0, 0.0]);
    let two = Ell { targets: Some(4), eigenvalues: values, ..Ell::default() };
    assert_eq!(network(layers(&[2, 1])).narrow_note(&two.build(&GraphInput::new(&labels(40))).unwrap()), None);
    let serial = Serial { groups: 8, label: None }.build(&GraphInput::new(&labels(40))).unwrap();
    assert_eq!(network(layers(&[1, 1])).narrow_note(&serial), None);
    let classes = Labels::classes("c", (0..40).map(|k| (k % 9).to_string()));
    let clustered = Clustered::default().build(&GraphInput::new(&classes)).unwrap();
    assert_eq!(network(layers(&[1, 1])).narrow_note(&clustered), None);
}

fn trained(recipe: &Recipe, labels: &Labels) -> TrainedModel {
    let x = noise(labels.len(), 6, 1);
    let design = recipe.design(&GraphInput::new(labels), InputShape::vector(6)).unwrap();
    design.train(&x.view(), &|_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn a_recipe_and_its_model_remember_that_inner_nodes_are_narrow() {
    let layers = layers(&[2, 3]);
    let network = NetworkChoice { kind: NetworkKind::Layers, layers, ..NetworkChoice::default() };
    let recipe = Recipe { targets: Some(3), network, ..Recipe::default() };
    let labels = labels(60);
    let design = recipe.design(&GraphInput::new(&labels), InputShape::vector(6)).unwrap();
    let note = Note::NarrowLayer { targets: 3, layer: 1, outputs: 2 };
    assert!(design.graph.notes().contains(&note), "{:?}", design.graph.notes());
    let kept = trained(&recipe, &labels).model.summary().notes.clone();
    assert_eq!(kept.iter().filter(|kept| kept.text == note.to_string()).count(), 1, "{kept:?}");
    // Also where graph and network meet in the model only.
    let graph = ell(60, 3);
    let spec = self::network(self::layers(&[2, 1]));
    let network = spec.fit(&noise(60, 6, 1).view(), &graph).unwrap().network;
    let training = gsfa::model::Training { labels: &labels, spec: None, graph: &graph };
    let model = gsfa::Model::new(network, Vec::new(), &training).unwrap();
    let [kept] = &model.summary().notes[..] else { panic!("{:?}", model.summary().notes) };
    assert_eq!((kept.code.as_str(), &kept.text), (note.code(), &note.to_string()));
}

#[test]
fn a_part_without_which_a_label_is_constant_is_left_out_of_judging_and_told() {
    let linear = NetworkChoice { kind: NetworkKind::Linear, ..NetworkChoice::default() };
    let recipe = Recipe { network: linear, ..Recipe::default() };
    // Nobody else has the value of sample 7: without its part the others say nothing about the label.
    let values = (0..60).map(|k| if k == 7 { 1.5 } else { 0.5 }).collect();
    let found = trained(&recipe, &Labels::numbers("y", values));
    let told: Vec<&Note> = found.notes.iter().filter(|note| matches!(note, Note::PartsNotLeftOut { .. })).collect();
    let [Note::PartsNotLeftOut { parts: 1, of, reason }] = told[..] else { panic!("{:?}", found.notes) };
    assert!(*of > 1 && reason.starts_with("label 'y' is constant (value 0.5"), "{of}: {reason}");
    let text = told[0].to_string();
    assert!(text.starts_with(&format!("1 of {of} parts of the samples could not be left out: ")), "{text}");
    // Where every part can be left out, there is nothing to tell.
    let found = trained(&recipe, &labels(60));
    assert!(!found.notes.iter().any(|note| matches!(note, Note::PartsNotLeftOut { .. })), "{:?}", found.notes);
}

#[test]
fn too_few_samples_are_told_with_what_helps() {
    let (n, x) = (12, noise(12, 30, 2));
    let slow = Gsfa::new(1).fit(&x.view(), &ell(n, 1)).unwrap();
    let text =
        slow.notes.iter().map(Note::to_string).find(|text| text.contains("12 samples for 11 directions")).unwrap();
    assert!(text.contains("more ridge, principal components or fewer inputs help"), "{text}");
    let ridged = Gsfa { ridge: 0.1, ..Gsfa::new(1) }.fit(&x.view(), &ell(n, 1)).unwrap();
    assert!(ridged.delta_values[0] > 1e-3, "{:?}", ridged.delta_values);
    let all: Array2<f64> = slow.apply(x.view()).unwrap();
    assert!(all.iter().all(|y| y.is_finite()));
}

#[test]
fn a_model_remembers_what_was_asked_for_what_was_tried_and_what_chance_is() {
    let labels = labels(60);
    let recipe = Recipe { targets: Some(2), ..Recipe::default() };
    let model = trained(&recipe, &labels).model;
    let again = gsfa::Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
    let remembered = again.remembered();
    assert_eq!(remembered, model.remembered());
    assert_eq!(remembered.asked.as_ref(), Some(&recipe));
    let selection = remembered.selection.as_ref().unwrap();
    assert!(selection.tried.iter().any(|tried| tried.loss.is_some()), "{remembered:?}");
    assert_eq!(remembered.baselines.len(), labels.columns().count());
    assert!(matches!(remembered.baselines.values().next(), Some(gsfa::model::Baseline::Number(_))));
}
