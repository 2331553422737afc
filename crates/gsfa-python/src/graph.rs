//! Training graphs.

use std::sync::Arc;

use gsfa::graph::{DEFAULT_GROUPS, Edges, GraphInput, GraphSpec, TrainingGraph};
use gsfa::labels::{Labels, SampleWeights};
use ndarray::{Array2, ArrayView1};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::doorway::{run, run_here};
use crate::failure::malformed;
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

/// A graph with the labels it was built from.
#[pyclass(frozen, module = "gsfa._core")]
pub struct Graph {
    pub graph: Arc<TrainingGraph>,
    pub labels: Arc<Labels>,
    pub weights: Arc<SampleWeights>,
    /// `None` for a list of edges that is too long to keep.
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
            let (edges, rule) = (*edges, graph.vertex_weights);
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
        let neighbours = matches!(*spec, GraphSpec::NearestNeighbors(_) | GraphSpec::Sum(_));
        let graph = if neighbours { run(py, 0, move |_| build())? } else { run_here(py, build)? };
        Ok(Self { graph: Arc::new(graph), labels, weights, spec: Some(spec) })
    }

    fn __len__(&self) -> usize {
        self.graph.len()
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
    fn vertex_weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.graph.vertex_weights().to_pyarray(py)
    }

    /// Γ1.
    #[getter]
    fn degrees<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.graph.degrees().to_pyarray(py)
    }

    /// Names and eigenvalues of target labels, λ₀ and the values per label row.
    #[getter]
    fn targets<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(targets) = self.graph.targets() else { return Ok(None) };
        let out = PyDict::new(py);
        out.set_item("names", targets.labels.names().to_vec())?;
        out.set_item("eigenvalues", targets.eigenvalues.values.to_pyarray(py))?;
        out.set_item("lambda0", targets.eigenvalues.lambda0)?;
        Ok(Some(out))
    }

    /// Whether it holds, the worst vertex, its share of Q and of R.
    fn consistency(&self) -> (bool, usize, f64, f64) {
        let c = self.graph.consistency();
        (c.holds, c.vertex, c.vertex_share, c.edge_share)
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

    /// Delta values and the responses, one column each.
    #[allow(clippy::type_complexity)]
    fn free_responses<'py>(
        &self,
        py: Python<'py>,
        count: usize,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>)> {
        let graph = self.graph.clone();
        let free = run(py, 0, move |_| graph.free_responses(count))?;
        Ok((free.delta_values.into_pyarray(py), free.responses.into_pyarray(py)))
    }

    /// Δ of the columns of `features` on this graph.
    fn delta_values<'py>(&self, py: Python<'py>, features: Numbers<'_>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (graph, features) = (self.graph.clone(), features.as_array().to_owned());
        Ok(run(py, 0, move |_| graph.delta_values(features.view()))?.into_pyarray(py))
    }

    /// Edge weights between some vertices, as a matrix.
    fn edge_weights<'py>(&self, py: Python<'py>, vertices: Vec<usize>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let n = self.graph.len();
        if let Some(&bad) = vertices.iter().find(|v| **v >= n) {
            return Err(malformed(py, "vertices", format!("there is no vertex {bad}")));
        }
        let weight = |(i, j)| self.graph.edge_weight(vertices[i], vertices[j]);
        Ok(Array2::from_shape_fn((vertices.len(), vertices.len()), weight).into_pyarray(py))
    }
}
