//! Samples without labels: bystanders, or vertices that pull no output anywhere.

use ndarray::{Array2, s};

use super::ell::label_graph;
use crate::graph::training_graph::Population;
use crate::graph::{CodeToLearn, Coupling, GraphInput, GraphTargets, Grouping, TrainingGraph};
use crate::labels::SampleWeights;
use crate::{Error, Note, Result};

/// The graph of all samples from that of the labelled ones, which `build` makes.
///
/// With `weight` 0 the vertices are the labelled samples; the others are seen only by what learns without labels: scales,
/// principal components, clipping. With a positive weight they are vertices of so many times their sample weight whose
/// labels are all 0, the mean: they enter the covariance and no other sum.
pub(super) fn with_unlabelled(
    input: &GraphInput<'_>,
    unlabelled: &[usize],
    weight: f64,
    build: impl FnOnce(&GraphInput<'_>) -> Result<TrainingGraph>,
) -> Result<TrainingGraph> {
    if !(weight.is_finite() && weight >= 0.0) {
        return Err(Error::parameter(
            "unlabelled",
            weight,
            "the weight of unlabelled samples must be finite and not negative",
        ));
    }
    let mut is_labeled = vec![true; input.len()];
    unlabelled.iter().for_each(|&n| is_labeled[n] = false);
    let rows: Vec<usize> = (0..input.len()).filter(|&n| is_labeled[n]).collect();
    if rows.len() < 2 {
        return Err(Error::TooFewSamples { needed: 2, got: rows.len() });
    }
    let labels = input.labels().select(&rows);
    let weights = SampleWeights::new(rows.iter().map(|&n| input.weights()[n]).collect())?;
    let graph = build(&GraphInput::new(&labels).with_weights(weights)?)?;
    let note = Note::Unlabelled { count: unlabelled.len(), weight };
    let weights = input.weights().to_vec();
    if weight == 0.0 {
        let population = Population { rows: Some(rows), weights, unlabelled: Vec::new() };
        return Ok(graph.with_population(population).with_notes([note]));
    }
    let extended = extended(&graph, &rows, &weights, weight)?;
    let population = Population { rows: None, weights, unlabelled: unlabelled.to_vec() };
    Ok(extended.with_population(population).with_notes([note]))
}

/// A label graph with further vertices whose labels are 0. Labels grow such that their variance stays 1.
fn extended(graph: &TrainingGraph, rows: &[usize], sample_weights: &[f64], weight: f64) -> Result<TrainingGraph> {
    let (Some(targets), [term]) = (graph.targets(), graph.terms()) else {
        return Err(Error::parameter(
            "unlabelled",
            weight,
            "only graphs of target labels can weigh unlabelled samples",
        ));
    };
    let Coupling::LowRank(low) = &term.coupling else {
        return Err(Error::parameter(
            "unlabelled",
            weight,
            "only graphs of target labels can weigh unlabelled samples",
        ));
    };
    // Vertex weights may be balanced over classes; their sum then says what a sample weight of 1 is worth.
    let given: f64 = rows.iter().map(|&n| sample_weights[n]).sum();
    let factor = weight * graph.q() / given;
    let mut v: Vec<f64> = sample_weights.iter().map(|a| factor * a).collect();
    let own = term.grouping.count();
    let mut of_vertex = vec![own as u32; v.len()];
    for (k, &n) in rows.iter().enumerate() {
        v[n] = graph.vertex_weights()[k];
        of_vertex[n] = term.grouping.of_vertex()[k];
    }
    let growth = (v.iter().sum::<f64>() / graph.q()).sqrt();
    let mut columns = Array2::zeros((own + 1, low.values.len()));
    columns.slice_mut(s![..own, ..]).assign(&(&low.columns * growth));
    let labels = targets.labels.clone().rescaled(growth)?;
    let targets = GraphTargets { labels, eigenvalues: targets.eigenvalues.clone() };
    let notes = graph.notes().to_vec();
    let known = targets.labels.notes().len() + targets.eigenvalues.notes.len();
    let extended = label_graph(v, Grouping::trusted(of_vertex, own + 1), columns, targets)?;
    let code = graph.code().map(|code| CodeToLearn { labels: &code.labels * growth, ..code.clone() });
    Ok(extended.with_code(code).with_classes(graph.classes()).with_notes(notes.into_iter().skip(known)))
}
