//! The sums over samples from which slow features are solved: additive, so that they can be taken in chunks, merged over
//! threads, files and machines, stored, and subtracted.
//!
//! They have two forms. Where there are more samples than inputs they are squares and products of the inputs; where there
//! are fewer, the rows themselves are less to keep, and solving takes O(N²I). Which form it is follows from the numbers of
//! vertices and inputs, and the caller need not know.

mod accumulate;
mod bytes;
mod centered;
mod classes;
mod columns;
mod combine;
mod covariance;
mod finished;
mod frame;
mod laplacian;
mod packing;
mod plan;
mod pooled;
mod regraphed;
mod regression;
mod remaining;
mod rotation;
mod row_set;
mod rows;
mod sums;

use std::ops::Range;

use ndarray::{ArrayView2, Axis};

use crate::graph::TrainingGraph;
use crate::samples::{SampleType, Samples, Subset, check_length};
use crate::{Error, Result, Solver};
pub(crate) use accumulate::blocks_bytes;
pub(crate) use centered::{Centered, FactorCoupling};
pub use classes::ClassSums;
pub(crate) use columns::ColumnSums;
pub(crate) use covariance::Covariance;
pub use finished::CenteredMoments;
pub(crate) use finished::Finished;
pub(crate) use pooled::Pool;
pub(crate) use regression::{GraphLabels, RegressionSums};
pub(crate) use rotation::{Rotation, Units};
pub(crate) use rows::{CenteredRows, KeptRows};

/// Sums over the samples of a training graph: $Q$, $\sum v x$, $\sum v x x^T$ and what the edge weights need.
///
/// Rows carry their global number, the position of their vertex in the graph.
///
/// ```
/// use gsfa::graph::{Coupling, EdgeTerm, Grouping, LowRank, TrainingGraph};
/// use gsfa::moments::Moments;
/// use ndarray::array;
/// // One label ±1 with λ₀ = λ₁ = 1: exact label learning of two classes.
/// let label = LowRank { columns: array![[-1.0], [1.0]], values: vec![0.25] };
/// let (grouping, shares) = (Grouping::new(vec![0, 0, 1, 1], 2)?, vec![1.0; 4]);
/// let term = EdgeTerm { grouping, shares, coupling: Coupling::LowRank(label), loops: None };
/// let graph = TrainingGraph::new(vec![1.0; 4], vec![term], 0.25)?;
/// let mut moments = Moments::new(&graph, 1);
/// moments.add(0, array![[1.0], [2.0]].view())?;
/// moments.add(2, array![[5.0], [4.0]].view())?;
/// assert_eq!(moments.finish()?.mean(), [3.0]);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Moments<T> {
    graph: TrainingGraph,
    form: Form<T>,
}

#[derive(Debug, Clone)]
enum Form<T> {
    Covariance(Box<Covariance<T>>),
    Rows(KeptRows<T>),
}

impl<T: SampleType> Form<T> {
    fn add(&mut self, first_row: usize, chunk: ArrayView2<'_, T>) -> Result<()> {
        match self {
            Self::Covariance(sums) => sums.add(first_row, chunk),
            Self::Rows(kept) => kept.add(first_row, chunk),
        }
    }

    fn add_piece(&mut self, first_row: usize, samples: &dyn Samples) -> Result<()> {
        match self {
            Self::Covariance(sums) => sums.add_piece(first_row, samples),
            Self::Rows(kept) => kept.add_piece(first_row, samples),
        }
    }
}

/// The vertices among samples `some`, which stand at `rows`: the first of them, and where the samples are.
fn among(rows: &[usize], some: Range<usize>) -> (usize, Vec<usize>) {
    let (from, to) = (rows.partition_point(|&row| row < some.start), rows.partition_point(|&row| row < some.end));
    (from, rows[from..to].iter().map(|row| row - some.start).collect())
}

/// Whether the rows are kept as they are.
pub(crate) fn keeps_rows(vertices: usize, dim: usize) -> bool {
    vertices < dim
}

/// Bytes of moments and of what solving them takes.
pub(crate) fn moments_bytes(vertices: usize, dim: usize, solver: Solver) -> usize {
    let product = |factors: &[usize]| factors.iter().copied().fold(size_of::<f64>(), usize::saturating_mul);
    match solver == Solver::Svd || keeps_rows(vertices, dim) {
        // The rows, centred, in units, and two factors; and sums of coordinates.
        true => product(&[5, vertices, dim]).saturating_add(product(&[2, vertices.min(dim), vertices.min(dim)])),
        // The sums and their factor.
        false => product(&[2, dim, dim]),
    }
}

impl<T: SampleType> Moments<T> {
    /// Empty sums for samples with `dim` inputs.
    pub fn new(graph: &TrainingGraph, dim: usize) -> Self {
        Self::for_solver(graph, dim, Solver::Covariance)
    }

    /// Empty sums that a solver can do with.
    pub fn for_solver(graph: &TrainingGraph, dim: usize, solver: Solver) -> Self {
        let form = match solver == Solver::Svd || keeps_rows(graph.len(), dim) {
            true => Form::Rows(KeptRows::new(graph, dim, solver)),
            false => Form::Covariance(Box::new(Covariance::new(graph, dim))),
        };
        Self { graph: graph.clone(), form }
    }

    /// The sums over all samples.
    ///
    /// # Errors
    /// If lengths differ, reading fails, or a value is not finite or overflows when squared.
    pub fn of(samples: &dyn Samples, graph: &TrainingGraph) -> Result<Self> {
        Self::of_for(samples, graph, Solver::Covariance)
    }

    /// The sums over all samples that a solver can do with.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_for(samples: &dyn Samples, graph: &TrainingGraph, solver: Solver) -> Result<Self> {
        check_length(samples, graph.samples())?;
        let mut moments = Self::for_solver(graph, samples.dim(), solver);
        moments.add_piece(0, samples)?;
        Ok(moments)
    }

    /// Adds the samples `first_row`, `first_row` + 1, … as they are read, with the bits that one piece would have; those
    /// that are no vertices of the graph are passed over.
    ///
    /// # Errors
    /// As [`add`](Self::add), and whatever prevents reading. Graphs that connect single samples take all of them as one
    /// piece.
    pub fn add_piece(&mut self, first_row: usize, samples: &dyn Samples) -> Result<()> {
        self.check_rows(first_row, samples.len(), samples.dim())?;
        let added = match self.graph.rows() {
            None => self.form.add_piece(first_row, samples),
            Some(rows) => {
                let (first, places) = among(rows, first_row..first_row + samples.len());
                Subset::new(samples, places).and_then(|some| self.form.add_piece(first, &some))
            }
        };
        added.map_err(|error| self.graph.in_samples(error))
    }

    /// Adds the samples `first_row`, `first_row` + 1, …; those that are no vertices of the graph are passed over.
    ///
    /// # Errors
    /// If a row was added before or does not exist, the number of columns differs, a value is not finite or overflows
    /// when squared, or the graph connects single samples (use [`of`](Self::of)). After an error the sums are incomplete
    /// and must not be used.
    pub fn add(&mut self, first_row: usize, chunk: ArrayView2<'_, T>) -> Result<()> {
        self.check_rows(first_row, chunk.nrows(), chunk.ncols())?;
        let added = match self.graph.rows() {
            None => self.form.add(first_row, chunk),
            Some(rows) => {
                let (first, places) = among(rows, first_row..first_row + chunk.nrows());
                self.form.add(first, chunk.select(Axis(0), &places).view())
            }
        };
        added.map_err(|error| self.graph.in_samples(error))
    }

    fn check_rows(&self, first_row: usize, rows: usize, columns: usize) -> Result<()> {
        if columns != self.dim() {
            return Err(Error::InputDim { expected: self.dim(), got: columns });
        }
        let end = first_row.saturating_add(rows);
        if end > self.graph.samples() {
            let problem = "do not exist in the graph";
            return Err(Error::RowRange { first: first_row, last: end - 1, problem });
        }
        Ok(())
    }

    /// The graph that the samples are vertices of.
    pub fn graph(&self) -> &TrainingGraph {
        &self.graph
    }

    /// How many inputs a sample has.
    pub fn dim(&self) -> usize {
        match &self.form {
            Form::Covariance(sums) => sums.dim,
            Form::Rows(kept) => kept.dim(),
        }
    }

    /// How many rows have been added.
    pub fn rows(&self) -> usize {
        match &self.form {
            Form::Covariance(sums) => sums.rows.len(),
            Form::Rows(kept) => kept.len(),
        }
    }

    /// The sums as bytes, exactly: reading them back and going on gives the same bits as never having stopped.
    ///
    /// # Errors
    /// [`Error::NeedsRandomAccess`] for graphs that connect single samples: their sums have no parts.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        match &self.form {
            Form::Covariance(sums) => sums.to_bytes(),
            Form::Rows(kept) => Ok(kept.to_bytes()),
        }
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, for the same graph.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bytes are not those that were written, [`Error::DifferentMoments`] if they belong to
    /// another graph or sample type.
    pub fn from_bytes(graph: &TrainingGraph, bytes: &[u8]) -> Result<Self> {
        let form = match KeptRows::<T>::wrote(bytes) {
            true => Form::Rows(KeptRows::from_bytes(graph, bytes)?),
            false => Form::Covariance(Box::new(Covariance::from_bytes(graph, bytes)?)),
        };
        Ok(Self { graph: graph.clone(), form })
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, for the graph of these sums and as many inputs.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes).
    pub fn read(&self, bytes: &[u8]) -> Result<Self> {
        let read = Self::from_bytes(&self.graph, bytes)?;
        match read.dim() == self.dim() {
            true => Ok(read),
            false => Err(Error::DifferentMoments { what: "the number of inputs" }),
        }
    }

    /// Adds the sums over other rows of the same graph.
    ///
    /// # Errors
    /// If a row is in both, or the graphs or widths differ.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        self.check_same(&other)?;
        match (&mut self.form, other.form) {
            (Form::Covariance(ours), Form::Covariance(theirs)) => ours.merge(*theirs),
            (Form::Rows(ours), Form::Rows(theirs)) => ours.merge(theirs),
            _ => Err(Error::DifferentMoments { what: "the kind of sums" }),
        }
    }

    /// Takes away the sums over some of the rows, e.g. a fold of a cross-validation.
    ///
    /// # Errors
    /// If not all of these rows are part of the sums, or the graphs or widths differ.
    pub fn subtract(&mut self, other: Self) -> Result<()> {
        self.check_same(&other)?;
        match (&mut self.form, other.form) {
            (Form::Covariance(ours), Form::Covariance(theirs)) => ours.subtract(*theirs),
            (Form::Rows(ours), Form::Rows(theirs)) => ours.subtract(&theirs),
            _ => Err(Error::DifferentMoments { what: "the kind of sums" }),
        }
    }

    fn check_same(&self, other: &Self) -> Result<()> {
        let differs = |what| Err(Error::DifferentMoments { what });
        if self.dim() != other.dim() {
            return differs("the number of inputs");
        }
        if self.graph.is(&other.graph) {
            return Ok(());
        }
        self.graph.print().difference(other.graph.print()).map_or(Ok(()), differs)
    }

    /// That every vertex of the graph was added.
    ///
    /// # Errors
    /// [`Error::MissingRows`].
    pub fn check_complete(&self) -> Result<()> {
        let rows = match &self.form {
            Form::Covariance(sums) => &sums.rows,
            Form::Rows(kept) => kept.rows(),
        };
        rows.check_complete(self.graph.len())
    }

    /// Centres the sums.
    ///
    /// # Errors
    /// [`Error::MissingRows`] unless every vertex of the graph was added.
    pub fn finish(self) -> Result<CenteredMoments> {
        let finished = match self.form {
            Form::Covariance(sums) => sums.finish().map(|centered| Finished::Covariance(Box::new(centered))),
            Form::Rows(kept) => kept.finish().map(|rows| Finished::Rows(Box::new(rows))),
        };
        finished.map(CenteredMoments).map_err(|error| self.graph.in_samples(error))
    }

    /// Centres the sums as if the graph had been built from the rows added so far, and not subtracted, alone.
    ///
    /// Exact for graphs whose shares are the vertex weights and that consist of target labels (ELL, compact) or of
    /// clusters with self-loops: labels are centred, normalised and decorrelated anew on the remaining samples, in their
    /// order, and weights within a cluster follow its new total. This makes exact cross-validation of a flat node:
    /// all sums, minus those of a fold.
    ///
    /// # Errors
    /// [`Error::NotSeparable`] for other graphs, and if a label depends on earlier ones in the remaining samples.
    pub fn finish_remaining(self) -> Result<CenteredMoments> {
        let sums = match self.form {
            Form::Covariance(sums) => *sums,
            Form::Rows(kept) => kept.summed()?,
        };
        sums.finish_remaining().map(|centered| CenteredMoments(Finished::Covariance(Box::new(centered))))
    }
}

#[cfg(test)]
mod tests;
