//! From rows to sums: fixed blocks, in parallel, merged in order.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, Axis, s};
use rayon::prelude::*;

use super::frame::Frame;
use super::plan::Plan;
use super::samples::{Rows, SampleType, Samples};
use super::sums::{Packed, Part, Sums, ThinPart, pieces};
use crate::Result;
use crate::linalg::Buffers;
use crate::linalg::lower_product::WIDE;
use crate::linalg::wide_product::{PIECE, add_wide_product, fill_piece};

/// Rows of a block. Borders lie at multiples of it, counted from row 0, whatever chunks the caller passes.
pub(crate) fn block_rows(dim: usize) -> usize {
    if dim < WIDE { 512 } else { 2048 }
}

/// Blocks that wait to be merged, per thread. It bounds memory and does not affect results.
const WAITING: usize = 2;

/// Bytes of the blocks of rows that are in work at a time.
pub(crate) fn blocks_bytes(dim: usize, bytes: usize, threads: usize) -> usize {
    if dim >= WIDE {
        return bytes * dim * (block_rows(dim) + threads * PIECE);
    }
    // Rows of each thread, packed, and the sums that wait.
    bytes * threads * dim * (2 * block_rows(dim) + WAITING * dim)
}

/// Where the rows of a block are.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a, T> {
    /// In memory; row 0 of the view has this global number.
    View(ArrayView2<'a, T>, usize),
    /// To be read.
    Samples(&'a dyn Samples),
}

impl<T: SampleType> Source<'_, T> {
    /// Calls `f` with the rows.
    pub fn with<A>(
        &self,
        rows: Range<usize>,
        buffers: &Buffers<T>,
        f: impl FnOnce(ArrayView2<'_, T>) -> Result<A>,
    ) -> Result<A> {
        match self {
            Self::View(view, first) => f(view.slice(s![rows.start - first..rows.end - first, ..])),
            Self::Samples(samples) => {
                let mut block = buffers.matrix(rows.len(), samples.dim());
                T::read(*samples, Rows::Range(rows), block.view_mut())?;
                f(block.view())
            }
        }
    }
}

/// Adds blocks of rows to the sums.
pub(crate) fn add_blocks<T: SampleType>(
    plan: &Plan<'_>,
    frame: &Frame<T>,
    sums: &mut Sums,
    source: Source<'_, T>,
    blocks: &[Range<usize>],
    buffers: &Buffers<T>,
) -> Result<()> {
    if frame.dim() >= WIDE {
        let mut wide = WideBlock::default();
        return blocks.iter().try_for_each(|block| wide.add(plan, frame, sums, source, block.clone(), buffers));
    }
    for wave in blocks.chunks(WAITING * rayon::current_num_threads()) {
        let part = |block: &Range<usize>| {
            let pack = |rows: ArrayView2<'_, T>| Packed::new(plan, frame, rows, block.start, buffers);
            let packed = source.with(block.clone(), buffers, pack)?;
            Ok(Part::new(plan, &packed, buffers))
        };
        let parts: Vec<Result<Part<'_, T>>> = wave.par_iter().with_max_len(1).map(part).collect();
        for part in parts {
            part?.add_to(sums);
        }
    }
    Ok(())
}

/// The rows of one wide block; its memory serves block after block.
#[derive(Default)]
struct WideBlock<T> {
    /// Packed rows.
    pieces: Vec<Array2<T>>,
    /// The same with their other weight, for inconsistent graphs.
    reweighted: Vec<Array2<T>>,
}

impl<T: SampleType> WideBlock<T> {
    fn add(
        &mut self,
        plan: &Plan<'_>,
        frame: &Frame<T>,
        sums: &mut Sums,
        source: Source<'_, T>,
        block: Range<usize>,
        buffers: &Buffers<T>,
    ) -> Result<()> {
        let ranges = pieces(block.len(), PIECE);
        self.pieces.resize_with(ranges.len(), || Array2::default((0, 0)));
        let fill = |(range, piece): (Range<usize>, &mut Array2<T>)| {
            let rows = block.start + range.start..block.start + range.end;
            let pack = |raw: ArrayView2<'_, T>| Packed::new(plan, frame, raw, rows.start, buffers);
            let packed = source.with(rows.clone(), buffers, pack)?;
            fill_piece(piece, packed.rows.view());
            Ok(ThinPart::new(plan, packed.rows.view(), &packed.roots, rows.start))
        };
        let parts: Vec<Result<ThinPart>> = ranges.par_iter().cloned().zip(&mut self.pieces).map(fill).collect();
        for part in parts {
            part?.add_to(sums);
        }
        add_wide_product(&mut sums.main.second, &self.pieces, &self.pieces);
        if let (Some(extra), Some(weights)) = (&mut sums.extra, &plan.second) {
            self.reweighted.clone_from(&self.pieces);
            self.reweighted.par_iter_mut().zip(ranges).for_each(|(piece, range)| {
                let rows = block.start + range.start..block.start + range.end;
                let ratios = plan.ratios(weights, rows);
                for mut column in piece.axis_iter_mut(Axis(1)) {
                    column.iter_mut().zip(&ratios).for_each(|(x, r)| *x = x.times(T::from_f64(*r)));
                }
            });
            add_wide_product(&mut extra.second, &self.pieces, &self.reweighted);
        }
        Ok(())
    }
}
