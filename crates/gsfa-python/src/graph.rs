//! Training graphs.

use std::sync::Arc;

use gsfa::graph::{DEFAULT_GROUPS, Edges, GraphInput, GraphSpec, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use ndarray::ArrayView1;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::doorway::{run, run_here};
use crate::failure::{malformed, raise};
use crate::fit::KEPT_EDGES;
use crate::labels::{Column, Numbers, labels, weights};

/// Groups of serial and mixed graphs, if another number is not given.
#[pyfunction]
pub fn default_groups() -> usize {
    DEFAULT_GROUPS
}

/// Ends and weights of edges.
type EdgeArrays<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, f64>);

/// The same where they are.
#[derive(Clone, Copy)]
struct EdgeViews<'a> {
    from: ArrayView1<'a, i64>,
    to: ArrayView1<'a, i64>,
    weights: ArrayView1<'a, f64>,
}

impl<'a> EdgeViews<'a> {
    fn new((from, to, weights): &'a EdgeArrays<'_>) -> Result<Self, String> {
        let (from, to, weights) = (from.as_array(), to.as_array(), weights.as_array());
        if from.len() != weights.len() || to.len() != weights.len() {
            return Err(format!("{} and {} ends of {} edges", from.len(), to.len(), weights.len()));
        }
        match from.iter().chain(to).find(|v| **v < 0) {
            Some(vertex) => Err(format!("there is no vertex {vertex}")),
            None => Ok(Self { from, to, weights }),
        }
    }

    fn len(&self) -> usize {
        self.weights.len()
    }

    fn iter(self) -> impl Iterator<Item = (usize, usize, f64)> + Clone + 'a {
        self.from.into_iter().zip(self.to).zip(self.weights).map(|((&i, &j), &w)| (i as usize, j as usize, w))
    }
}

/// Gives every list of edges in a specification its arrays, in order: as text, those of 1,500 vertices took half a minute.
fn fill_in<'a>(spec: &mut GraphSpec, arrays: &mut impl Iterator<Item = EdgeViews<'a>>) {
    match spec {
        GraphSpec::Edges(graph) => {
            if let Some(edges) = arrays.next() {
                graph.edges = edges.iter().collect();
            }
        }
        GraphSpec::Sum(sum) => sum.graphs.iter_mut().for_each(|summand| fill_in(&mut summand.graph, arrays)),
        _ => {}
    }
}

type Vector<'py> = Bound<'py, PyArray1<f64>>;
type Matrix<'py> = Bound<'py, PyArray2<f64>>;

/// A graph with the labels it was built from.
#[pyclass(frozen, module = "gsfa._core")]
pub struct Graph {
    pub graph: Arc<TrainingGraph>,
    pub labels: Arc<Labels>,
    pub weights: Arc<SampleWeights>,
    /// `None` for a list of edges that is too long to keep, and for graphs made of other graphs or of responses.
    pub spec: Option<Arc<GraphSpec>>,
}

#[pymethods]
impl Graph {
    #[new]
    fn new(
        py: Python<'_>,
        spec: &str,
        samples: usize,
        columns: Vec<Column<'_>>,
        sample_weights: Option<PyReadonlyArray1<'_, f64>>,
        vectors: Option<Numbers<'_>>,
        edges: Vec<EdgeArrays<'_>>,
    ) -> PyResult<Self> {
        let mut spec: GraphSpec = serde_json::from_str(spec).map_err(|error| malformed(py, "graph", error))?;
        let views = edges.iter().map(EdgeViews::new).collect::<Result<Vec<_>, String>>();
        let views = views.map_err(|error| malformed(py, "edges", error))?;
        let labels = Arc::new(labels(py, samples, columns)?);
        let weights = Arc::new(weights(py, samples, sample_weights)?);
        if let (GraphSpec::Edges(graph), [edges]) = (&spec, &views[..])
            && edges.len() > KEPT_EDGES
        {
            let (edges, rule) = (*edges, &graph.vertex_weights);
            let graph = run_here(py, || {
                Edges::build_from(&GraphInput::new(&labels).with_weights((*weights).clone())?, edges.iter(), rule)
            })?;
            return Ok(Self { graph: Arc::new(graph), labels, weights, spec: None });
        }
        fill_in(&mut spec, &mut views.into_iter());
        let spec = Arc::new(spec);
        let vectors = vectors.map(|vectors| vectors.as_array().to_owned());
        let build = {
            let (spec, labels, weights) = (spec.clone(), labels.clone(), weights.clone());
            move || {
                let mut input = GraphInput::new(&labels).with_weights((*weights).clone())?;
                if let Some(vectors) = &vectors {
                    input = input.with_vectors(vectors.view())?;
                }
                spec.build(&input)
            }
        };
        // Only neighbourhoods take long enough to be interrupted.
        let neighbors = matches!(*spec, GraphSpec::NearestNeighbors(_) | GraphSpec::Sum(_));
        let graph = if neighbors { run(py, 0, move |_| build())? } else { run_here(py, build)? };
        Ok(Self { graph: Arc::new(graph), labels, weights, spec: Some(spec) })
    }

    /// The graph with given responses and their delta values.
    #[staticmethod]
    fn from_responses(
        py: Python<'_>,
        responses: Numbers<'_>,
        delta_values: Vec<f64>,
        vertex_weights: Vec<f64>,
    ) -> PyResult<Self> {
        let responses = responses.as_array();
        let graph = run_here(py, || TrainingGraph::from_responses(responses, &delta_values, vertex_weights.clone()))?;
        let weights = SampleWeights::new(vertex_weights).map_err(|error| raise(py, &error))?;
        let labels = Arc::new(Labels::none(graph.len()));
        Ok(Self { graph: Arc::new(graph), labels, weights: Arc::new(weights), spec: None })
    }

    fn __len__(&self) -> usize {
        self.graph.len()
    }

    /// How many samples it is trained on: the vertices, and those without labels that are none.
    #[getter]
    fn samples(&self) -> usize {
        self.graph.samples()
    }

    /// Which samples the vertices are; `None` if they are all.
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i64>>> {
        Some(self.graph.rows()?.iter().map(|&row| row as i64).collect::<Vec<_>>().into_pyarray(py))
    }

    /// Q.
    #[getter]
    fn q(&self) -> f64 {
        self.graph.q()
    }

    /// R.
    #[getter]
    fn r(&self) -> f64 {
        self.graph.r()
    }

    /// Remarks about how it was built.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.graph.notes().iter().map(ToString::to_string).collect()
    }

    /// v.
    #[getter]
    fn vertex_weights<'py>(&self, py: Python<'py>) -> Vector<'py> {
        self.graph.vertex_weights().to_pyarray(py)
    }

    /// Γ1.
    #[getter]
    fn degrees<'py>(&self, py: Python<'py>) -> Vector<'py> {
        self.graph.degrees().to_pyarray(py)
    }

    /// The diagonal of Γ.
    #[getter]
    fn self_loops<'py>(&self, py: Python<'py>) -> Vector<'py> {
        self.graph.self_loops().into_pyarray(py)
    }

    /// Target labels: names and values at the vertices, eigenvalues and λ₀, and the raw labels in terms of them.
    #[getter]
    fn targets<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (Some(targets), Some(values)) = (self.graph.targets(), self.graph.target_values()) else { return Ok(None) };
        let out = PyDict::new(py);
        out.set_item("names", targets.labels.names().to_vec())?;
        out.set_item("values", values.into_pyarray(py))?;
        out.set_item("eigenvalues", targets.eigenvalues.values.to_pyarray(py))?;
        out.set_item("lambda0", targets.eigenvalues.lambda0)?;
        out.set_item("raw_names", targets.labels.raw_names().to_vec())?;
        out.set_item("means", targets.labels.means().to_pyarray(py))?;
        out.set_item("transform", targets.labels.transform().to_pyarray(py))?;
        Ok(Some(out))
    }

    /// Raw labels from target labels.
    fn recover<'py>(&self, py: Python<'py>, targets: Numbers<'_>) -> PyResult<Option<Matrix<'py>>> {
        let Some(known) = self.graph.targets() else { return Ok(None) };
        let raw = known.labels.recover(targets.as_array()).map_err(|error| raise(py, &error))?;
        Ok(Some(raw.into_pyarray(py)))
    }

    /// Target labels from raw labels.
    fn decorrelated<'py>(&self, py: Python<'py>, raw: Numbers<'_>) -> PyResult<Option<Matrix<'py>>> {
        let Some(known) = self.graph.targets() else { return Ok(None) };
        let targets = known.labels.decorrelated(raw.as_array()).map_err(|error| raise(py, &error))?;
        Ok(Some(targets.into_pyarray(py)))
    }

    /// Whether it holds, the largest violation, the worst vertex, its share of Q and of R.
    fn consistency(&self) -> (bool, f64, usize, f64, f64) {
        let c = self.graph.consistency();
        (c.holds, c.violation(), c.vertex, c.vertex_share, c.edge_share)
    }

    /// The number of components and the one of each vertex.
    fn components<'py>(&self, py: Python<'py>) -> PyResult<(usize, Bound<'py, PyArray1<u32>>)> {
        let graph = self.graph.clone();
        let found = run(py, 0, move |_| Ok(graph.components()))?;
        Ok((found.count, found.of_vertex.into_pyarray(py)))
    }

    /// Weight and ends of the smallest edge.
    fn smallest_edge(&self, py: Python<'_>) -> PyResult<(f64, usize, usize)> {
        let graph = self.graph.clone();
        let edge = run(py, 0, move |_| Ok(graph.smallest_edge()))?;
        Ok((edge.weight, edge.vertices.0, edge.vertices.1))
    }

    /// Responses, one column each, their delta values and their eigenvalues.
    fn free_responses<'py>(&self, py: Python<'py>, count: usize) -> PyResult<(Matrix<'py>, Vector<'py>, Vector<'py>)> {
        let graph = self.graph.clone();
        let free = run(py, 0, move |_| graph.free_responses(count))?;
        let (deltas, eigenvalues) = (free.delta_values.into_pyarray(py), free.eigenvalues.into_pyarray(py));
        Ok((free.responses.into_pyarray(py), deltas, eigenvalues))
    }

    /// Δ of the columns of `features` on this graph.
    fn delta_values<'py>(&self, py: Python<'py>, features: Numbers<'_>) -> PyResult<Vector<'py>> {
        let (graph, features) = (self.graph.clone(), features.as_array().to_owned());
        Ok(run(py, 0, move |_| graph.delta_values(features.view()))?.into_pyarray(py))
    }

    /// The expected Δ of noise, or of noise that was made feasible.
    fn expected_noise_delta(&self, py: Python<'_>, feasible: bool) -> PyResult<f64> {
        let graph = self.graph.clone();
        run(py, 0, move |_| match feasible {
            true => Ok(graph.expected_feasible_noise_delta()),
            false => Ok(graph.expected_noise_delta()),
        })
    }

    /// Γ between some vertices, as a matrix.
    fn edge_matrix<'py>(&self, py: Python<'py>, vertices: Vec<usize>) -> PyResult<Matrix<'py>> {
        let graph = self.graph.clone();
        Ok(run(py, 0, move |_| graph.edge_matrix(&vertices))?.into_pyarray(py))
    }

    /// All of Γ: where rows start, columns, values.
    #[allow(clippy::type_complexity)]
    fn edge_list<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u32>>, Vector<'py>)> {
        let graph = self.graph.clone();
        let (starts, columns, values) = run(py, 0, move |_| graph.edge_list())?.into_parts();
        let starts: Vec<u64> = starts.into_iter().map(|start| start as u64).collect();
        Ok((starts.into_pyarray(py), columns.into_pyarray(py), values.into_pyarray(py)))
    }

    /// The probability of going from a vertex to each one.
    fn transition_probabilities<'py>(&self, py: Python<'py>, vertex: usize) -> PyResult<Vector<'py>> {
        let row = self.graph.transition_probabilities(vertex).map_err(|error| raise(py, &error))?;
        Ok(row.into_pyarray(py))
    }

    /// So many vertices of a random walk.
    fn random_walk<'py>(&self, py: Python<'py>, steps: usize, seed: u64) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let graph = self.graph.clone();
        let walk = run(py, 0, move |stop| {
            let mut vertices = Vec::new();
            let full = |_| {
                let reason = "so many vertices do not fit into memory".into();
                gsfa::Error::Parameter { name: "steps", value: steps.to_string(), reason }
            };
            vertices.try_reserve_exact(steps).map_err(full)?;
            for (step, vertex) in graph.random_walk(seed)?.take(steps).enumerate() {
                if step % 4096 == 0 {
                    stop.check()?;
                }
                vertices.push(vertex as i64);
            }
            Ok(vertices)
        })?;
        Ok(walk.into_pyarray(py))
    }

    /// The same graph without self-loops.
    fn without_self_loops(&self, py: Python<'_>) -> PyResult<Self> {
        self.made(run_here(py, || self.graph.without_self_loops())?)
    }

    /// The same graph without negative edges.
    fn without_negative_edges(&self, py: Python<'_>) -> PyResult<Self> {
        let graph = self.graph.clone();
        self.made(run(py, 0, move |_| graph.without_negative_edges())?)
    }
}

impl Graph {
    /// Another graph of the same samples.
    fn made(&self, graph: TrainingGraph) -> PyResult<Self> {
        let (labels, weights) = (self.labels.clone(), self.weights.clone());
        Ok(Self { graph: Arc::new(graph), labels, weights, spec: None })
    }
}
