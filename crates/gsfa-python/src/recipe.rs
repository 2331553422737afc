//! The one-call path: labelled samples and what is left open into a model with read-outs.

use std::ops::ControlFlow;

use gsfa::graph::GraphInput;
use gsfa::network::{Goal, InputShape, NetworkSpec};
use gsfa::recipe::Recipe;
use gsfa::samples::Stoppable;
use ndarray::Array2;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::doorway::run;
use crate::failure::malformed;
use crate::fit::{completed, means_of};
use crate::held::Held;
use crate::labels::{Column, labels, weights};
use crate::model::Model;

/// A remark with its code.
type CodedNote = (&'static str, String);

/// Height, width and channels of a sample.
type Shape = (usize, usize, usize);

fn input_shape((height, width, channels): Shape) -> InputShape {
    InputShape { height, width, channels }
}

/// The input of a graph, with the samples if those that are near each other are connected.
fn connected<'a>(input: GraphInput<'a>, vectors: Option<&'a Array2<f64>>) -> gsfa::Result<GraphInput<'a>> {
    match vectors {
        Some(vectors) => input.with_vectors(vectors.view()),
        None => Ok(input),
    }
}

/// Trains by a recipe: the model, which remembers what was tried and remarked.
#[pyfunction]
#[pyo3(signature = (samples, recipe, shape, columns, sample_weights, groups, names, threads))]
#[allow(clippy::too_many_arguments)]
pub fn fit_recipe(
    py: Python<'_>,
    samples: &Bound<'_, PyAny>,
    recipe: &str,
    shape: Shape,
    columns: Vec<Column<'_>>,
    sample_weights: Option<PyReadonlyArray1<'_, f64>>,
    groups: Option<Vec<usize>>,
    names: Option<Vec<String>>,
    threads: usize,
) -> PyResult<Model> {
    let recipe: Recipe = serde_json::from_str(recipe).map_err(|error| malformed(py, "recipe", error))?;
    let held = Held::new(samples)?;
    let (labels, weights) = (labels(py, held.len(), columns)?, weights(py, held.len(), sample_weights)?);
    let model = run(py, threads, move |stop| {
        let progress = |_| if stop.requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let (trained, means) = held.with(|samples| {
            let stopped = || stop.requested();
            let samples = Stoppable::new(samples, &stopped);
            let vectors = recipe.vectors(&labels, &samples)?;
            let input = connected(GraphInput::new(&labels).with_weights(weights)?, vectors.as_ref())?;
            let mut design = recipe.design(&input, input_shape(shape))?;
            if let Some(groups) = groups {
                design = design.with_groups(groups)?;
            }
            Ok::<_, gsfa::Error>((design.train(&samples, &progress)?, means_of(&samples, Some(input.weights()))?))
        })?;
        completed(trained.model, names, means)
    })?;
    Ok(Model::new(model))
}

/// What left-out samples choose by a recipe, nothing trained: graph, network and what was tried, as JSON, and remarks.
#[pyfunction]
pub fn choose(
    py: Python<'_>,
    samples: &Bound<'_, PyAny>,
    recipe: &str,
    shape: Shape,
    columns: Vec<Column<'_>>,
    threads: usize,
) -> PyResult<(String, String, String, Vec<CodedNote>)> {
    let recipe: Recipe = serde_json::from_str(recipe).map_err(|error| malformed(py, "recipe", error))?;
    let held = Held::new(samples)?;
    let labels = labels(py, held.len(), columns)?;
    let choice = run(py, threads, move |stop| {
        let progress = |_| if stop.requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let choice = held.with(|samples| {
            let requested = || stop.requested();
            let samples = Stoppable::new(samples, &requested);
            let vectors = recipe.vectors(&labels, &samples)?;
            let input = connected(GraphInput::new(&labels), vectors.as_ref())?;
            recipe.design(&input, input_shape(shape))?.choose(&samples, &progress)
        })?;
        stop.check()?;
        Ok(choice)
    })?;
    let notes = choice.notes.iter().map(|note| (note.code(), note.to_string())).collect();
    let text = |value: Result<String, serde_json::Error>| value.map_err(|error| malformed(py, "recipe", error));
    let (graph, network) = (serde_json::to_string(&choice.spec), serde_json::to_string(&choice.network));
    Ok((text(graph)?, text(network)?, text(serde_json::to_string(&choice.selection))?, notes))
}

/// The specifications of graph and network that a recipe comes to, as JSON, before a ridge is chosen.
#[pyfunction]
pub fn design(
    py: Python<'_>,
    recipe: &str,
    shape: Shape,
    samples: usize,
    columns: Vec<Column<'_>>,
) -> PyResult<(String, String)> {
    let recipe: Recipe = serde_json::from_str(recipe).map_err(|error| malformed(py, "recipe", error))?;
    let labels = labels(py, samples, columns)?;
    let design = recipe.design(&GraphInput::new(&labels), input_shape(shape));
    let design = design.map_err(|error| crate::failure::raise(py, &error))?;
    let text = |value: Result<String, serde_json::Error>| value.map_err(|error| malformed(py, "recipe", error));
    Ok((text(serde_json::to_string(&design.spec))?, text(serde_json::to_string(&design.without_samples().network))?))
}

/// A ready network by name, as JSON: `auto` for samples of a shape, or one of the paper's.
#[pyfunction]
#[pyo3(signature = (name, shape, samples, labels, targets))]
pub fn network(
    py: Python<'_>,
    name: &str,
    shape: Shape,
    samples: usize,
    labels: usize,
    targets: usize,
) -> PyResult<String> {
    let input = input_shape(shape);
    let spec = match name {
        "auto" => NetworkSpec::auto(input, samples, Goal { labels, targets }),
        "paper_64" => NetworkSpec::paper_64(),
        "paper_64_squared" => NetworkSpec::paper_64_squared(),
        "paper_64_cubed" => NetworkSpec::paper_64_cubed(),
        "cascade" => NetworkSpec::cascade(input, 3, targets),
        "higsfa" => NetworkSpec::higsfa(input, samples, targets),
        "shared" => NetworkSpec::shared(input, samples, targets),
        _ => return Err(malformed(py, "network", format!("there is no network '{name}'"))),
    };
    serde_json::to_string(&spec).map_err(|error| malformed(py, "network", error))
}

/// The architecture table of a network: for each layer the nodes, inputs, expanded inputs and outputs.
#[pyfunction]
pub fn plan(py: Python<'_>, network: &str) -> PyResult<Vec<(usize, usize, usize, usize)>> {
    let spec: NetworkSpec = serde_json::from_str(network).map_err(|error| malformed(py, "network", error))?;
    let plan = spec.plan().map_err(|error| crate::failure::raise(py, &error))?;
    let row = |layer: &gsfa::network::LayerPlan| (layer.count(), layer.input_dim, layer.expanded_dim, layer.output_dim);
    Ok(plan.layers.iter().map(row).collect())
}
