//! Additive sums: chunks, merging, bytes.

use std::sync::Arc;

use gsfa::graph::TrainingGraph;
use gsfa::moments::CentredMoments;
use gsfa::samples::SampleType;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::doorway::{run, run_here};
use crate::failure::raise;
use crate::fit::{FlatOptions, Owned, flat_model};
use crate::graph::Graph;
use crate::held::Held;
use crate::model::Model;

/// Sums with the graph they refer to.
struct Sums<T> {
    /// Dropped before the graph, and never handed out with its lifetime.
    moments: gsfa::moments::Moments<'static, T>,
    graph: Arc<TrainingGraph>,
}

impl<T: SampleType> Sums<T> {
    fn new(
        graph: &Arc<TrainingGraph>,
        make: impl FnOnce(&'static TrainingGraph) -> gsfa::Result<gsfa::moments::Moments<'static, T>>,
    ) -> gsfa::Result<Self> {
        // The graph does not move and is not changed; `Sums` keeps it alive for as long as the moments live.
        let borrowed: &'static TrainingGraph = unsafe { &*Arc::as_ptr(graph) };
        Ok(Self { moments: make(borrowed)?, graph: graph.clone() })
    }

    fn copy(&self) -> Self {
        Self { moments: self.moments.clone(), graph: self.graph.clone() }
    }
}

enum Either {
    Single(Sums<f32>),
    Double(Sums<f64>),
}

impl Either {
    fn added(&self, first_row: usize, held: &Held) -> gsfa::Result<Self> {
        match self {
            Self::Single(sums) => {
                let mut sums = sums.copy();
                add_single(&mut sums, first_row, held).map(|()| Self::Single(sums))
            }
            Self::Double(sums) => {
                let mut sums = sums.copy();
                add_double(&mut sums, first_row, held).map(|()| Self::Double(sums))
            }
        }
    }

    fn merged(&self, other: &Self) -> gsfa::Result<Self> {
        match (self, other) {
            (Self::Single(a), Self::Single(b)) => {
                let mut sum = a.copy();
                sum.moments.merge(b.moments.clone()).map(|()| Self::Single(sum))
            }
            (Self::Double(a), Self::Double(b)) => {
                let mut sum = a.copy();
                sum.moments.merge(b.moments.clone()).map(|()| Self::Double(sum))
            }
            _ => Err(gsfa::Error::DifferentMoments { what: "the type of the samples (float32 and float64)" }),
        }
    }

    fn finished(&self) -> gsfa::Result<CentredMoments> {
        match self {
            Self::Single(sums) => sums.moments.clone().finish(),
            Self::Double(sums) => sums.moments.clone().finish(),
        }
    }
}

/// Sums over samples of a graph. They never change: adding rows makes others, so that threads may share them.
#[pyclass(frozen, module = "gsfa._core")]
pub struct Moments {
    sums: Arc<Either>,
    training: Owned,
}

#[pymethods]
impl Moments {
    #[new]
    fn new(py: Python<'_>, graph: &Graph, dim: usize, single: bool, solver: &str) -> PyResult<Self> {
        use gsfa::moments::Moments;
        let solver = crate::fit::solver(py, solver)?;
        let sums = match single {
            true => Sums::new(&graph.graph, |g| Ok(Moments::for_solver(g, dim, solver))).map(Either::Single),
            false => Sums::new(&graph.graph, |g| Ok(Moments::for_solver(g, dim, solver))).map(Either::Double),
        };
        Ok(Self::with(sums.map_err(|error| raise(py, &error))?, Owned::of(graph)))
    }

    /// Sums that were written before, for the same graph.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, graph: &Graph, bytes: &[u8], single: bool) -> PyResult<Self> {
        let sums = match single {
            true => Sums::new(&graph.graph, |g| gsfa::moments::Moments::from_bytes(g, bytes)).map(Either::Single),
            false => Sums::new(&graph.graph, |g| gsfa::moments::Moments::from_bytes(g, bytes)).map(Either::Double),
        };
        Ok(Self::with(sums.map_err(|error| raise(py, &error))?, Owned::of(graph)))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = run_here(py, || match &*self.sums {
            Either::Single(sums) => sums.moments.to_bytes(),
            Either::Double(sums) => sums.moments.to_bytes(),
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// How many rows have been added.
    #[getter]
    fn rows(&self) -> usize {
        match &*self.sums {
            Either::Single(sums) => sums.moments.rows(),
            Either::Double(sums) => sums.moments.rows(),
        }
    }

    /// The sums with further rows.
    fn added(&self, py: Python<'_>, first_row: usize, samples: &Bound<'_, PyAny>, threads: usize) -> PyResult<Self> {
        let (held, sums) = (Held::new(samples)?, self.sums.clone());
        let sums = run(py, threads, move |_| sums.added(first_row, &held))?;
        Ok(Self::with(sums, self.training.clone()))
    }

    /// The sums over the rows of both.
    fn merged(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let (a, b) = (self.sums.clone(), other.sums.clone());
        let sums = run(py, 0, move |_| a.merged(&b))?;
        Ok(Self::with(sums, self.training.clone()))
    }

    /// The model of one linear node.
    fn solve(
        &self,
        py: Python<'_>,
        options: FlatOptions,
        names: Option<Vec<String>>,
        threads: usize,
    ) -> PyResult<Model> {
        let gsfa = options.gsfa(py)?;
        let (sums, training) = (self.sums.clone(), self.training.clone());
        let model = run(py, threads, move |_| {
            let mut slow = gsfa.solve(&sums.finished()?)?;
            slow.notes.splice(0..0, training.graph.notes().iter().cloned());
            flat_model(slow, &gsfa, &training, names)
        })?;
        Ok(Model::new(model))
    }
}

impl Moments {
    fn with(sums: Either, training: Owned) -> Self {
        Self { sums: Arc::new(sums), training }
    }
}

fn add_single(sums: &mut Sums<f32>, first_row: usize, held: &Held) -> gsfa::Result<()> {
    match held {
        Held::Single(memory) => sums.moments.add(first_row, memory.view()),
        Held::Double(memory) => sums.moments.add(first_row, memory.view().mapv(|x| x as f32).view()),
        Held::Byte(memory) => sums.moments.add(first_row, memory.view().mapv(f32::from).view()),
    }
}

fn add_double(sums: &mut Sums<f64>, first_row: usize, held: &Held) -> gsfa::Result<()> {
    match held {
        Held::Single(memory) => sums.moments.add(first_row, memory.view().mapv(f64::from).view()),
        Held::Double(memory) => sums.moments.add(first_row, memory.view()),
        Held::Byte(memory) => sums.moments.add(first_row, memory.view().mapv(f64::from).view()),
    }
}
