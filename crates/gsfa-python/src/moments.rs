//! Additive sums: chunks, merging, bytes.

use std::sync::Arc;

use gsfa::moments::CenteredMoments;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::doorway::{run, run_here};
use crate::failure::raise;
use crate::fit::{FlatOptions, Owned, flat_model};
use crate::graph::Graph;
use crate::held::Held;
use crate::model::Model;

enum Either {
    Single(gsfa::moments::Moments<f32>),
    Double(gsfa::moments::Moments<f64>),
}

impl Either {
    fn added(&self, first_row: usize, held: &Held) -> gsfa::Result<Self> {
        match self {
            Self::Single(sums) => {
                let mut sums = sums.clone();
                add_single(&mut sums, first_row, held).map(|()| Self::Single(sums))
            }
            Self::Double(sums) => {
                let mut sums = sums.clone();
                add_double(&mut sums, first_row, held).map(|()| Self::Double(sums))
            }
        }
    }

    fn merged(&self, other: &Self) -> gsfa::Result<Self> {
        match (self, other) {
            (Self::Single(a), Self::Single(b)) => {
                let mut sum = a.clone();
                sum.merge(b.clone()).map(|()| Self::Single(sum))
            }
            (Self::Double(a), Self::Double(b)) => {
                let mut sum = a.clone();
                sum.merge(b.clone()).map(|()| Self::Double(sum))
            }
            _ => Err(gsfa::Error::DifferentMoments { what: "the type of the samples (float32 and float64)" }),
        }
    }

    fn finished(&self) -> gsfa::Result<CenteredMoments> {
        match self {
            Self::Single(sums) => sums.clone().finish(),
            Self::Double(sums) => sums.clone().finish(),
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
            true => Either::Single(Moments::for_solver(&graph.graph, dim, solver)),
            false => Either::Double(Moments::for_solver(&graph.graph, dim, solver)),
        };
        Ok(Self::with(sums, Owned::of(graph)))
    }

    /// Sums that were written before, for the same graph.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, graph: &Graph, bytes: &[u8], single: bool) -> PyResult<Self> {
        let sums = match single {
            true => gsfa::moments::Moments::from_bytes(&graph.graph, bytes).map(Either::Single),
            false => gsfa::moments::Moments::from_bytes(&graph.graph, bytes).map(Either::Double),
        };
        Ok(Self::with(sums.map_err(|error| raise(py, &error))?, Owned::of(graph)))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = run_here(py, || match &*self.sums {
            Either::Single(sums) => sums.to_bytes(),
            Either::Double(sums) => sums.to_bytes(),
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// How many rows have been added.
    #[getter]
    fn rows(&self) -> usize {
        match &*self.sums {
            Either::Single(sums) => sums.rows(),
            Either::Double(sums) => sums.rows(),
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

fn add_single(sums: &mut gsfa::moments::Moments<f32>, first_row: usize, held: &Held) -> gsfa::Result<()> {
    match held {
        Held::Single(memory) => sums.add(first_row, memory.view()),
        Held::Double(memory) => sums.add(first_row, memory.view().mapv(|x| x as f32).view()),
        Held::Byte(memory) => sums.add(first_row, memory.view().mapv(f32::from).view()),
    }
}

fn add_double(sums: &mut gsfa::moments::Moments<f64>, first_row: usize, held: &Held) -> gsfa::Result<()> {
    match held {
        Held::Single(memory) => sums.add(first_row, memory.view().mapv(f64::from).view()),
        Held::Double(memory) => sums.add(first_row, memory.view()),
        Held::Byte(memory) => sums.add(first_row, memory.view().mapv(f64::from).view()),
    }
}
