//! Sums of squares and products over the samples: the form of moments where there are more samples than inputs.
//!
//! Samples are read once, in blocks of rows with fixed borders. The bits of the sums depend on the rows in their order,
//! not on the number of threads nor on the caller's chunks.

use std::ops::Range;

use ndarray::ArrayView2;

use super::accumulate::{Source, Summing, add_blocks, block_rows, summed_pieces};
use super::frame::Frame;
use super::plan::{Kind, Plan};
use super::row_set::RowSet;
use super::sums::{self, Sums};
use super::{combine, laplacian};
use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::samples::{SampleType, Samples};
use crate::{Error, Result};

/// Numbers that are summed between two looks at whether to stop: a few hundredths of a second.
const STRETCH: usize = 1 << 24;

/// $Q$, $\sum v x$, $\sum v x x^T$ and what the edge weights need, all about a fixed shift.
#[derive(Debug, Clone)]
pub(crate) struct Covariance<T> {
    pub(super) plan: Plan,
    pub(super) dim: usize,
    pub(super) rows: RowSet,
    pub(super) frame: Option<Frame<T>>,
    /// Whether the frame is one that other sums share.
    pub(super) fixed_frame: bool,
    pub(super) sums: Sums,
    /// Rows that wait until their block is complete, and the number of the first.
    pub(super) pending: Vec<T>,
    pub(super) pending_from: usize,
}

impl<T: SampleType> Covariance<T> {
    /// Empty sums for samples with `dim` inputs.
    pub fn new(graph: &TrainingGraph, dim: usize) -> Self {
        let plan = Plan::new(graph, dim);
        let sums = Sums::zero(&plan, dim);
        let (rows, pending) = (RowSet::default(), Vec::new());
        Self { plan, dim, rows, frame: None, fixed_frame: false, sums, pending, pending_from: 0 }
    }

    /// The sums over all vertices.
    pub fn of(samples: &dyn Samples, graph: &TrainingGraph) -> Result<Self> {
        let mut moments = Self::new(graph, samples.dim());
        moments.add_piece(0, samples)?;
        Ok(moments)
    }

    /// Adds the vertices `first_row`, `first_row` + 1, … Graphs that connect single samples take all of them at once.
    pub fn add_piece(&mut self, first_row: usize, samples: &dyn Samples) -> Result<()> {
        let rows = first_row..first_row + samples.len();
        if !self.plan.needs_random_access() {
            return self.add_stretches(rows, samples);
        }
        if rows != (0..self.plan.graph.len()) {
            return Err(Error::NeedsRandomAccess { operation: "adding chunks" });
        }
        self.add_stretches(rows, samples)?;
        if let (Some(frame), Some(laplacian)) = (&self.frame, &mut self.sums.laplacian) {
            let terms = self.plan.graph.terms().iter().zip(&self.plan.kinds);
            for (term, _) in terms.filter(|(_, kind)| **kind == Kind::Laplacian) {
                laplacian::add_laplacian(term, frame, samples, laplacian)?;
            }
        }
        Ok(())
    }

    /// Adds the rows of samples a stretch at a time. Where they are is asked for each anew: once somebody wants to stop, samples
    /// have no matrix, and reading them fails.
    fn add_stretches(&mut self, rows: Range<usize>, samples: &dyn Samples) -> Result<()> {
        let size = block_rows(self.dim, T::BYTES);
        let stretch = (STRETCH / self.dim.max(1) / size).max(1) * size;
        let (mut at, buffers) = (rows.start, Buffers::default());
        while at < rows.end {
            // Up to a border of blocks, so that no row has to wait.
            let to = ((at / stretch + 1) * stretch).min(rows.end);
            let source = match T::matrix(samples) {
                Some(matrix) => Source::View(matrix, rows.start),
                None => Source::Samples(samples, rows.start),
            };
            self.add_rows(at..to, source, &buffers)?;
            at = to;
        }
        Ok(())
    }

    /// Adds the vertices `first_row`, `first_row` + 1, …
    pub fn add(&mut self, first_row: usize, chunk: ArrayView2<'_, T>) -> Result<()> {
        match self.plan.needs_random_access() {
            true => Err(Error::NeedsRandomAccess { operation: "adding chunks" }),
            false => {
                let rows = first_row..first_row + chunk.nrows();
                self.add_rows(rows, Source::View(chunk, first_row), &Buffers::default())
            }
        }
    }

    /// Adds rows: complete blocks where they are, and the others as soon as their block is complete, or was the last.
    fn add_rows(&mut self, rows: Range<usize>, source: Source<'_, T>, buffers: &Buffers<T>) -> Result<()> {
        self.rows.insert(rows.clone())?;
        if !self.pending.is_empty() && rows.start != self.pending_from + self.pending.len() / self.dim.max(1) {
            self.flush()?;
        }
        let (size, total) = (block_rows(self.dim, T::BYTES), self.plan.graph.len());
        let mut at = rows.start;
        while at < rows.end {
            let border = ((at / size + 1) * size).min(total);
            if self.pending.is_empty() && at.is_multiple_of(size) && border <= rows.end {
                let to = if rows.end == total { total } else { rows.end / size * size };
                self.add_complete(source, &sums::pieces(at..to, size), buffers)?;
                at = to;
                continue;
            }
            let to = border.min(rows.end);
            self.keep_waiting(source, at..to, buffers)?;
            at = to;
            if at == border {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Copies rows that wait until their block is complete. What is wrong with them is told to those who bring them.
    fn keep_waiting(&mut self, source: Source<'_, T>, rows: Range<usize>, buffers: &Buffers<T>) -> Result<()> {
        if self.pending.is_empty() {
            self.pending_from = rows.start;
        }
        source.with(rows.clone(), buffers, |values| {
            let bad = |x: &T| !x.to_f64().is_finite();
            if let Some(((n, column), _)) = values.indexed_iter().find(|(_, x)| bad(x)) {
                let total = values.iter().filter(|x| bad(x)).count();
                return Err(Error::NonFiniteSample { row: rows.start + n, column, total });
            }
            self.pending.extend(values.iter());
            Ok(())
        })
    }

    /// With no row waiting.
    pub fn settled(&mut self) -> Result<&mut Self> {
        self.flush()?;
        Ok(self)
    }

    /// Sums the rows that wait for their block.
    pub(super) fn flush(&mut self) -> Result<()> {
        let pending = std::mem::take(&mut self.pending);
        if pending.is_empty() {
            return Ok(());
        }
        let rows = pending.len() / self.dim;
        let block = self.pending_from..self.pending_from + rows;
        let view = ArrayView2::from_shape((rows, self.dim), &pending)
            .map_err(|_| Error::InputDim { expected: self.dim, got: 0 })?;
        self.add_complete(Source::View(view, block.start), std::slice::from_ref(&block), &Buffers::default())
    }

    /// Adds whole blocks. Where one outweighs all samples before it, it sets the frame anew: borders of blocks are fixed,
    /// so that chunks of any size move the sums at the same rows.
    fn add_complete(&mut self, source: Source<'_, T>, blocks: &[Range<usize>], buffers: &Buffers<T>) -> Result<()> {
        let graph = self.plan.graph.clone();
        let mut left = blocks;
        while let Some(first) = left.first() {
            let weights = &graph.vertex_weights()[first.clone()];
            let frame_of = || source.with(first.clone(), buffers, |rows| Ok(Frame::from_block(rows, weights)));
            if self.frame.is_none() || self.is_outweighed_by(weights.iter().sum()) {
                self.move_to(frame_of()?);
            }
            let (run, later) = left.split_at(self.in_one_frame(left));
            if let Some(frame) = &self.frame {
                let summing = Summing { plan: &self.plan, frame, source, buffers };
                add_blocks(&summing, run, &mut self.sums)?;
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
            summed_pieces(self.dim, block).for_each(|rows| before += v[rows].iter().sum::<f64>());
            true
        };
        blocks.iter().enumerate().take_while(fits).count()
    }
}
