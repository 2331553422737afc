//! The sums over samples from which slow features are solved: additive, so that they can be taken in chunks, merged over
//! threads, files and machines, stored, and subtracted.
//!
//! Samples are read once, in blocks of rows with fixed borders. The bits of the sums depend on the rows in their order,
//! not on the number of threads nor on the caller's chunks.

mod accumulate;
mod bytes;
mod centred;
mod combine;
mod frame;
mod laplacian;
mod plan;
mod regression;
mod remaining;
mod row_set;
mod samples;
mod subset;
mod sums;

use std::ops::Range;

use ndarray::{ArrayView2, Axis, s};

use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::{Error, Result};
pub(crate) use accumulate::blocks_bytes;
use accumulate::{Source, add_blocks, block_rows};
pub(crate) use centred::FactorCoupling;
pub use centred::{CentredMoments, Target};
use frame::Frame;
use plan::{Kind, Plan};
pub(crate) use regression::{GraphLabels, RegressionSums};
use row_set::RowSet;
pub use samples::{Matrix, Precision, Rows, SampleType, Samples};
pub(crate) use samples::{check_length, copy_run};
pub(crate) use subset::Subset;
use sums::Sums;

/// Sums over the samples of a training graph: $Q$, $\sum v x$, $\sum v x x^T$ and what the edge weights need, all about
/// a fixed shift.
///
/// Rows carry their global number, the position of their vertex in the graph.
///
/// ```
/// use gsfa::graph::{Coupling, EdgeTerm, Grouping, LowRank, TrainingGraph};
/// use gsfa::moments::Moments;
/// use ndarray::array;
/// // One label ±1 with λ₀ = λ₁ = 1: exact label learning of two classes.
/// let label = LowRank { columns: array![[-1.0], [1.0]], values: vec![0.25] };
/// let (grouping, shares) = (Grouping::new(vec![0, 0, 1, 1], 2), vec![1.0; 4]);
/// let term = EdgeTerm { grouping, shares, coupling: Coupling::LowRank(label), loops: None };
/// let graph = TrainingGraph::new(vec![1.0; 4], vec![term], 0.25)?;
/// let mut moments = Moments::new(&graph, 1);
/// moments.add(0, array![[1.0], [2.0]].view())?;
/// moments.add(2, array![[5.0], [4.0]].view())?;
/// assert_eq!(moments.finish()?.mean(), [3.0]);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Moments<'g, T> {
    plan: Plan<'g>,
    dim: usize,
    rows: RowSet,
    frame: Option<Frame<T>>,
    /// Whether the frame is one that other sums share.
    fixed_frame: bool,
    sums: Sums,
    /// Rows that wait until their block is complete, and the number of the first.
    pending: Vec<T>,
    pending_from: usize,
}

impl<'g, T: SampleType> Moments<'g, T> {
    /// Empty sums for samples with `dim` inputs.
    pub fn new(graph: &'g TrainingGraph, dim: usize) -> Self {
        let plan = Plan::new(graph, dim);
        let sums = Sums::zero(&plan, dim);
        let (rows, pending) = (RowSet::default(), Vec::new());
        Self { plan, dim, rows, frame: None, fixed_frame: false, sums, pending, pending_from: 0 }
    }

    /// The sums over all samples.
    ///
    /// # Errors
    /// If lengths differ, reading fails, or a value is not finite or overflows when squared.
    pub fn of(samples: &dyn Samples, graph: &'g TrainingGraph) -> Result<Self> {
        samples::check_length(samples, graph.samples())?;
        match graph.rows() {
            Some(rows) => Self::of_vertices(&Subset { samples, rows }, graph),
            None => Self::of_vertices(samples, graph),
        }
    }

    fn of_vertices(samples: &dyn Samples, graph: &'g TrainingGraph) -> Result<Self> {
        let mut moments = Self::new(graph, samples.dim());
        let source = match T::matrix(samples) {
            Some(matrix) => Source::View(matrix, 0),
            None => Source::Samples(samples),
        };
        moments.rows.insert(0..samples.len())?;
        let blocks = sums::pieces(0..samples.len(), block_rows(moments.dim, T::BYTES));
        moments.add_complete(source, &blocks)?;
        if let (Some(frame), Some(laplacian)) = (&moments.frame, &mut moments.sums.laplacian) {
            let terms = graph.terms().iter().zip(&moments.plan.kinds);
            for (term, _) in terms.filter(|(_, kind)| **kind == Kind::Laplacian) {
                laplacian::add_laplacian(term, frame, samples, laplacian)?;
            }
        }
        Ok(moments)
    }

    /// Adds the samples `first_row`, `first_row` + 1, …; those that are no vertices of the graph are passed over.
    ///
    /// # Errors
    /// If a row was added before or does not exist, the number of columns differs, a value is not finite or overflows
    /// when squared, or the graph connects single samples (use [`of`](Self::of)). After an error the sums are incomplete
    /// and must not be used.
    pub fn add(&mut self, first_row: usize, chunk: ArrayView2<'_, T>) -> Result<()> {
        if self.plan.needs_random_access() {
            return Err(Error::NeedsRandomAccess { operation: "adding chunks" });
        }
        if chunk.ncols() != self.dim {
            return Err(Error::InputDim { expected: self.dim, got: chunk.ncols() });
        }
        let end = first_row + chunk.nrows();
        if end > self.plan.graph.samples() {
            let problem = "do not exist in the graph";
            return Err(Error::RowRange { first: first_row, last: end - 1, problem });
        }
        let Some(rows) = self.plan.graph.rows() else { return self.add_vertices(first_row, chunk) };
        let (from, to) = (rows.partition_point(|&row| row < first_row), rows.partition_point(|&row| row < end));
        let places: Vec<usize> = rows[from..to].iter().map(|row| row - first_row).collect();
        self.add_vertices(from, chunk.select(Axis(0), &places).view())
    }

    fn add_vertices(&mut self, first_row: usize, chunk: ArrayView2<'_, T>) -> Result<()> {
        let end = first_row + chunk.nrows();
        self.rows.insert(first_row..end)?;
        if !self.pending.is_empty() && first_row != self.pending_from + self.pending.len() / self.dim.max(1) {
            self.flush()?;
        }
        let size = block_rows(self.dim, T::BYTES);
        let mut at = first_row;
        while at < end {
            let border = (at / size + 1) * size;
            if self.pending.is_empty() && at.is_multiple_of(size) && border <= end {
                let blocks: Vec<Range<usize>> = (at..=end - size).step_by(size).map(|from| from..from + size).collect();
                at += blocks.len() * size;
                self.add_complete(Source::View(chunk, first_row), &blocks)?;
                continue;
            }
            let to = border.min(end);
            if self.pending.is_empty() {
                self.pending_from = at;
            }
            self.pending.extend(chunk.slice(s![at - first_row..to - first_row, ..]).iter());
            at = to;
            if at == border {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// How many rows have been added.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// With no row waiting.
    pub(crate) fn settled(&mut self) -> Result<&mut Self> {
        self.flush()?;
        Ok(self)
    }

    /// Sums the rows that wait for their block.
    fn flush(&mut self) -> Result<()> {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return Ok(());
        }
        let rows = pending.len() / self.dim;
        let block = self.pending_from..self.pending_from + rows;
        let view = ArrayView2::from_shape((rows, self.dim), &pending)
            .map_err(|_| Error::InputDim { expected: self.dim, got: 0 })?;
        self.add_complete(Source::View(view, block.start), std::slice::from_ref(&block))
    }

    /// Adds whole blocks. Where one outweighs all samples before it, it sets the frame anew: borders of blocks are fixed,
    /// so that chunks of any size move the sums at the same rows.
    fn add_complete(&mut self, source: Source<'_, T>, blocks: &[Range<usize>]) -> Result<()> {
        let buffers = Buffers::default();
        let mut left = blocks;
        while let Some(first) = left.first() {
            let weights = &self.plan.graph.vertex_weights()[first.clone()];
            let frame_of = || source.with(first.clone(), &buffers, |rows| Ok(Frame::from_block(rows, weights)));
            if self.frame.is_none() || self.is_outweighed_by(weights.iter().sum()) {
                self.move_to(frame_of()?);
            }
            let (run, later) = left.split_at(self.in_one_frame(left));
            if let Some(frame) = &self.frame {
                add_blocks(&self.plan, frame, &mut self.sums, source, run, &buffers)?;
            }
            left = later;
        }
        Ok(())
    }

    /// How many of the blocks, at least one, can be summed in the frame of the first.
    fn in_one_frame(&self, blocks: &[Range<usize>]) -> usize {
        if self.fixed_frame {
            return blocks.len();
        }
        let v = self.plan.graph.vertex_weights();
        let mut before = self.sums.main.weight;
        let fits = |(k, block): &(usize, &Range<usize>)| {
            if *k > 0 && combine::outweighs(v[(*block).clone()].iter().sum(), before) {
                return false;
            }
            // As the sums add up, to the last bit: decisions must not depend on where a chunk ends.
            accumulate::summed_pieces(self.dim, block).for_each(|rows| before += v[rows].iter().sum::<f64>());
            true
        };
        blocks.iter().enumerate().take_while(fits).count()
    }
}
