//! Training in passes over pieces, on any number of machines.

use std::sync::Arc;

use gsfa::model::Remembered;
use gsfa::network::{NetworkSpec, Piece, Trainer};
use gsfa::recipe::Recipe;
use gsfa::samples::Precision;
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::doorway::run;
use crate::failure::{malformed, raise};
use crate::fit::{Owned, completed, node_means};
use crate::graph::Graph;
use crate::held::Held;
use crate::labels::Numbers;
use crate::model::Model;

/// A network under training. It never changes: a pass further is another value, so that threads may share it.
#[pyclass(frozen, module = "gsfa._core")]
pub struct Passes {
    trainer: Arc<Trainer>,
}

#[pymethods]
impl Passes {
    #[new]
    fn new(py: Python<'_>, network: &str, single: bool) -> PyResult<Self> {
        let spec: NetworkSpec = serde_json::from_str(network).map_err(|error| malformed(py, "network", error))?;
        let precision = if single { Precision::Single } else { Precision::Double };
        let trainer = Trainer::new(spec, precision).map_err(|error| raise(py, &error))?;
        Ok(Self { trainer: Arc::new(trainer) })
    }

    /// For other processes.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let bytes = self.trainer.to_bytes().map_err(|error| raise(py, &error))?;
        let resume = py.get_type::<Self>().getattr("resume")?;
        (resume, (PyBytes::new(py, &bytes),)).into_pyobject(py)
    }

    #[staticmethod]
    fn resume(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let trainer = Trainer::from_bytes(bytes).map_err(|error| raise(py, &error))?;
        Ok(Self { trainer: Arc::new(trainer) })
    }

    #[getter]
    fn is_complete(&self) -> bool {
        self.trainer.is_complete()
    }

    /// How many layers are trained.
    #[getter]
    fn finished_layers(&self) -> usize {
        self.trainer.layers().len()
    }

    /// The sums of the current pass over a piece.
    fn sums<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        first_row: usize,
        below: &Bound<'_, PyAny>,
        original: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (below, original, graph) = (Held::new(below)?, Held::new(original)?, graph.graph.clone());
        let trainer = self.trainer.clone();
        let bytes = run(py, threads, move |_| {
            let mut sums = trainer.begin(&graph)?;
            below
                .with(|below| original.with(|original| trainer.add(&mut sums, Piece { first_row, below, original })))?;
            sums.to_bytes()
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The sums over the pieces of both.
    fn merge<'py>(&self, py: Python<'py>, graph: &Graph, a: &[u8], b: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let (trainer, graph) = (self.trainer.clone(), graph.graph.clone());
        let (a, b) = (a.to_vec(), b.to_vec());
        let bytes = run(py, 0, move |_| {
            let mut sums = trainer.begin(&graph)?.read(&a)?;
            sums.merge(trainer.begin(&graph)?.read(&b)?)?;
            sums.to_bytes()
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The network one pass further, from the sums over all samples.
    fn advanced(&self, py: Python<'_>, graph: &Graph, sums: &[u8]) -> PyResult<Self> {
        let (mut trainer, graph, sums) = ((*self.trainer).clone(), graph.graph.clone(), sums.to_vec());
        let trainer = run(py, 0, move |_| {
            let sums = trainer.begin(&graph)?.read(&sums)?;
            trainer.advance(sums)?;
            Ok(trainer)
        })?;
        Ok(Self { trainer: Arc::new(trainer) })
    }

    /// What the last finished layer makes of a piece.
    fn outputs<'py>(
        &self,
        py: Python<'py>,
        below: &Bound<'_, PyAny>,
        original: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (below, original, trainer) = (Held::new(below)?, Held::new(original)?, self.trainer.clone());
        let outputs = run(py, threads, move |_| {
            below.with(|below| original.with(|original| trainer.outputs(Piece { first_row: 0, below, original })))
        })?;
        Ok(outputs.into_pyarray(py))
    }

    /// The model of the trained network, with the read-outs of a recipe if features of all samples are given.
    fn model(
        &self,
        py: Python<'_>,
        graph: &Graph,
        names: Option<Vec<String>>,
        readouts: Option<(String, Numbers<'_>)>,
    ) -> PyResult<Model> {
        let Some(network) = (*self.trainer).clone().network() else {
            return Err(malformed(py, "pass", "not all layers are trained"));
        };
        let readouts = match readouts {
            None => None,
            Some((recipe, features)) => {
                let recipe: Recipe = serde_json::from_str(&recipe).map_err(|error| malformed(py, "recipe", error))?;
                Some((recipe, features.as_array().to_owned()))
            }
        };
        let features = network.spec.layers.last().map_or(0, |top| top.output_dim);
        let (training, weights) = (Owned::of(graph).with_features(features), graph.weights.clone());
        let model = run(py, 0, move |_| {
            let (fitted, asked) = match readouts {
                None => (Vec::new(), None),
                Some((recipe, features)) => {
                    let fitted = recipe.readouts(features.view(), &training.labels, &weights, &training.graph, None)?;
                    (fitted, Some(recipe))
                }
            };
            let means = node_means(&network);
            let remembered = Remembered { asked, ..Remembered::default() };
            let model = gsfa::Model::new(network, fitted, &training.training())?.with_remembered(remembered)?;
            completed(model, names, means)
        })?;
        Ok(Model::new(model))
    }
}
