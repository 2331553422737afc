//! Additive sums: chunks, merging, bytes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gsfa::graph::TrainingGraph;
use gsfa::moments::SampleType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::doorway::run;
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

/// Sums over samples of a graph.
#[pyclass(frozen, module = "gsfa._core")]
pub struct Moments {
    sums: Mutex<Either>,
    training: Owned,
}

#[pymethods]
impl Moments {
    #[new]
    fn new(py: Python<'_>, graph: &Graph, dim: usize, single: bool) -> PyResult<Self> {
        let sums = if single {
            Sums::new(&graph.graph, |g| Ok(gsfa::moments::Moments::new(g, dim))).map(Either::Single)
        } else {
            Sums::new(&graph.graph, |g| Ok(gsfa::moments::Moments::new(g, dim))).map(Either::Double)
        };
        Ok(Self { sums: Mutex::new(sums.map_err(|error| raise(py, &error))?), training: Owned::of(graph) })
    }

    /// Sums that were written before, for the same graph.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, graph: &Graph, bytes: &[u8], single: bool) -> PyResult<Self> {
        let sums = if single {
            Sums::new(&graph.graph, |g| gsfa::moments::Moments::from_bytes(g, bytes)).map(Either::Single)
        } else {
            Sums::new(&graph.graph, |g| gsfa::moments::Moments::from_bytes(g, bytes)).map(Either::Double)
        };
        Ok(Self { sums: Mutex::new(sums.map_err(|error| raise(py, &error))?), training: Owned::of(graph) })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = match &*self.lock() {
            Either::Single(sums) => sums.moments.to_bytes(),
            Either::Double(sums) => sums.moments.to_bytes(),
        };
        Ok(PyBytes::new(py, &bytes.map_err(|error| raise(py, &error))?))
    }

    /// How many rows have been added.
    #[getter]
    fn rows(&self) -> usize {
        match &*self.lock() {
            Either::Single(sums) => sums.moments.rows(),
            Either::Double(sums) => sums.moments.rows(),
        }
    }

    /// Adds rows; after an error nothing has been added.
    fn add(&self, py: Python<'_>, first_row: usize, samples: &Bound<'_, PyAny>, threads: usize) -> PyResult<()> {
        let held = Held::new(samples)?;
        // Work on a copy: an interrupted or failed chunk must leave the sums as they were.
        let added = match &*self.lock() {
            Either::Single(sums) => {
                let mut sums = sums.copy();
                run(py, threads, move |_| add_single(&mut sums, first_row, &held).map(|()| Either::Single(sums)))?
            }
            Either::Double(sums) => {
                let mut sums = sums.copy();
                run(py, threads, move |_| add_double(&mut sums, first_row, &held).map(|()| Either::Double(sums)))?
            }
        };
        *self.lock() = added;
        Ok(())
    }

    /// The sums over the rows of both.
    fn merged(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        let merged = match (&*self.lock(), &*other.lock()) {
            (Either::Single(a), Either::Single(b)) => {
                let (mut sum, b) = (a.copy(), b.copy());
                sum.moments.merge(b.moments).map(|()| Either::Single(sum))
            }
            (Either::Double(a), Either::Double(b)) => {
                let (mut sum, b) = (a.copy(), b.copy());
                sum.moments.merge(b.moments).map(|()| Either::Double(sum))
            }
            _ => return Err(PyTypeError::new_err("one sum is over float32 samples, the other over float64 samples")),
        };
        let merged = merged.map_err(|error| raise(py, &error))?;
        Ok(Self { sums: Mutex::new(merged), training: self.training.clone() })
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
        let training = self.training.clone();
        let copy = match &*self.lock() {
            Either::Single(sums) => Either::Single(sums.copy()),
            Either::Double(sums) => Either::Double(sums.copy()),
        };
        let model = run(py, threads, move |_| {
            let moments = match copy {
                Either::Single(sums) => sums.moments.finish()?,
                Either::Double(sums) => sums.moments.finish()?,
            };
            let mut slow = gsfa.solve(&moments)?;
            slow.notes.splice(0..0, training.graph.notes().iter().cloned());
            flat_model(slow, &gsfa, &training, names)
        })?;
        Ok(Model::new(model))
    }
}

impl Moments {
    fn lock(&self) -> MutexGuard<'_, Either> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
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
