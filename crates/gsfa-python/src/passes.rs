//! Training in passes over pieces, on any number of machines.

use std::sync::Arc;

use gsfa::SlowFeatures;
use gsfa::expansion::ClipBounds;
use gsfa::moments::Precision;
use gsfa::network::{NetworkSpec, Node, Pca, Piece};
use gsfa::recipe::Recipe;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray1, PyReadonlyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::doorway::run;
use crate::failure::{malformed, raise};
use crate::fit::{Owned, named};
use crate::graph::Graph;
use crate::held::Held;
use crate::labels::Numbers;
use crate::model::Model;

/// A network under training. It never changes: a pass further is another value, so that threads may share it.
#[pyclass(frozen, module = "gsfa._core")]
pub struct Passes {
    passes: Arc<gsfa::network::Passes>,
}

/// What a worker needs of a node.
type NodeDict<'py> = Bound<'py, PyDict>;

#[pymethods]
impl Passes {
    #[new]
    fn new(py: Python<'_>, network: &str, single: bool) -> PyResult<Self> {
        let spec: NetworkSpec = serde_json::from_str(network).map_err(|error| malformed(py, "network", error))?;
        let precision = if single { Precision::Single } else { Precision::Double };
        let passes = gsfa::network::Passes::new(spec, precision).map_err(|error| raise(py, &error))?;
        Ok(Self { passes: Arc::new(passes) })
    }

    /// For other processes: they need the maps of nodes, not how training went.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let passes = &self.passes;
        let text = serde_json::to_string(passes.spec()).map_err(|error| malformed(py, "network", error))?;
        let nodes = |nodes: &[Node]| nodes.iter().map(|node| to_dict(py, node)).collect::<PyResult<Vec<_>>>();
        let layers = passes.layers().iter().map(|layer| nodes(layer)).collect::<PyResult<Vec<_>>>()?;
        let prepared = passes.prepared().map(nodes).transpose()?;
        let single = passes.precision() == Precision::Single;
        let resume = py.get_type::<Self>().getattr("resume")?;
        (resume, (text, single, layers, prepared)).into_pyobject(py)
    }

    #[staticmethod]
    fn resume(
        py: Python<'_>,
        network: &str,
        single: bool,
        layers: Vec<Vec<NodeDict<'_>>>,
        prepared: Option<Vec<NodeDict<'_>>>,
    ) -> PyResult<Self> {
        let spec: NetworkSpec = serde_json::from_str(network).map_err(|error| malformed(py, "network", error))?;
        let precision = if single { Precision::Single } else { Precision::Double };
        let nodes = |nodes: Vec<NodeDict<'_>>| nodes.iter().map(|n| from_dict(py, n)).collect::<PyResult<Vec<_>>>();
        let layers = layers.into_iter().map(nodes).collect::<PyResult<Vec<_>>>()?;
        let prepared = prepared.map(nodes).transpose()?;
        let passes = gsfa::network::Passes::resume(spec, precision, layers, prepared);
        Ok(Self { passes: Arc::new(passes.map_err(|error| raise(py, &error))?) })
    }

    #[getter]
    fn is_complete(&self) -> bool {
        self.passes.is_complete()
    }

    /// How many layers are trained.
    #[getter]
    fn finished_layers(&self) -> usize {
        self.passes.layers().len()
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
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (below, original, graph) = (Held::new(below)?, Held::new(original)?, graph.graph.clone());
        let passes = self.passes.clone();
        let sums = run(py, threads, move |_| {
            below.with(|below| original.with(|original| passes.sums(Piece { first_row, below, original }, &graph)))
        })?;
        Ok(sums.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
    }

    /// The sums over the pieces of both.
    fn merge<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        a: Vec<Vec<u8>>,
        b: Vec<Vec<u8>>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let (passes, graph) = (self.passes.clone(), graph.graph.clone());
        let sums = run(py, 0, move |_| passes.merge(&a, &b, &graph))?;
        Ok(sums.iter().map(|bytes| PyBytes::new(py, bytes)).collect())
    }

    /// The network one pass further, from the sums over all samples.
    fn advanced(&self, py: Python<'_>, graph: &Graph, sums: Vec<Vec<u8>>) -> PyResult<Self> {
        let (mut passes, graph) = ((*self.passes).clone(), graph.graph.clone());
        let passes = run(py, 0, move |_| passes.advance(&sums, &graph).map(|()| passes))?;
        Ok(Self { passes: Arc::new(passes) })
    }

    /// What the last finished layer makes of a piece.
    fn outputs<'py>(
        &self,
        py: Python<'py>,
        below: &Bound<'_, PyAny>,
        original: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (below, original, passes) = (Held::new(below)?, Held::new(original)?, self.passes.clone());
        let outputs = run(py, threads, move |_| {
            below.with(|below| original.with(|original| passes.outputs(Piece { first_row: 0, below, original })))
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
        let Some(network) = (*self.passes).clone().network() else {
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
            let fitted = match readouts {
                None => Vec::new(),
                Some((recipe, features)) => {
                    recipe.readouts(features.view(), &training.labels, &weights, &training.graph, None)?
                }
            };
            named(gsfa::Model::new(network, fitted, &training.training())?, names)
        })?;
        Ok(Model::new(model))
    }
}

fn to_dict<'py>(py: Python<'py>, node: &Node) -> PyResult<NodeDict<'py>> {
    let out = PyDict::new(py);
    if let Some(pca) = &node.pca {
        out.set_item("pca_weights", pca.weights.to_pyarray(py))?;
        out.set_item("pca_mean", pca.mean.to_pyarray(py))?;
        out.set_item("pca_variances", pca.variances.to_pyarray(py))?;
    }
    if let Some(clip) = &node.clip {
        out.set_item("clip_lower", clip.lower().to_pyarray(py))?;
        out.set_item("clip_upper", clip.upper().to_pyarray(py))?;
    }
    if let Some(scale) = node.skip_scale {
        out.set_item("skip_scale", scale)?;
    }
    if let Some(slow) = &node.slow {
        out.set_item("weights", slow.weights.to_pyarray(py))?;
        out.set_item("mean", slow.mean.to_pyarray(py))?;
    }
    Ok(out)
}

fn from_dict(py: Python<'_>, dict: &NodeDict<'_>) -> PyResult<Node> {
    let vector = |name: &str| -> PyResult<Option<ndarray::Array1<f64>>> {
        let found = dict.get_item(name)?;
        found.map(|x| Ok(x.extract::<PyReadonlyArray1<'_, f64>>()?.as_array().to_owned())).transpose()
    };
    let matrix = |name: &str| -> PyResult<Option<ndarray::Array2<f64>>> {
        let found = dict.get_item(name)?;
        found.map(|x| Ok(x.extract::<PyReadonlyArray2<'_, f64>>()?.as_array().to_owned())).transpose()
    };
    let pca = match (matrix("pca_weights")?, vector("pca_mean")?, vector("pca_variances")?) {
        (Some(weights), Some(mean), Some(variances)) => Some(Pca { weights, mean, variances }),
        _ => None,
    };
    let clip = match (vector("clip_lower")?, vector("clip_upper")?) {
        (Some(lower), Some(upper)) => Some(ClipBounds::new(lower, upper).map_err(|error| raise(py, &error))?),
        _ => None,
    };
    let slow = matrix("weights")?.zip(vector("mean")?).map(|(weights, mean)| SlowFeatures {
        delta_values: vec![0.0; weights.ncols()],
        correlations: vec![None; weights.ncols()],
        rank: weights.ncols(),
        dead_columns: 0,
        dropped_directions: 0,
        informative: weights.ncols(),
        notes: Vec::new(),
        weights,
        mean,
    });
    let skip_scale = dict.get_item("skip_scale")?.map(|scale| scale.extract()).transpose()?;
    Ok(Node { pca, clip, skip_scale, slow })
}
