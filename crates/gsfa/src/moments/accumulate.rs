//! From rows to sums: fixed blocks, in parallel, merged in order.

use std::ops::Range;

use ndarray::{ArrayView2, s};
use rayon::prelude::*;

use super::frame::Frame;
use super::plan::Plan;
use super::sums::{Packed, Part, Sums, ThinPart, pieces};
use crate::Result;
use crate::linalg::Buffers;
use crate::linalg::lower_product::WIDE;
use crate::linalg::panels::Panels;
use crate::linalg::wide_product::{PIECE, add_wide_product};
use crate::samples::{Rows, SampleType, Samples};

/// Rows of a block of numbers of so many bytes. Borders lie at multiples of it, counted from row 0, whatever chunks the
/// caller passes. After every wide block the whole sum is read and written once: smaller numbers come in longer blocks.
pub(crate) fn block_rows(dim: usize, bytes: usize) -> usize {
    if dim < WIDE { 512 } else { 16_384 / bytes }
}

/// Blocks that wait to be merged, per thread: as many as fit into two megabytes, so that threads seldom wait for each
/// other. It bounds memory and does not affect results.
pub(crate) fn waiting(dim: usize) -> usize {
    const BYTES: usize = 2 << 20;
    (BYTES / (size_of::<f64>() * dim * dim).max(1)).clamp(2, 16)
}

/// Bytes of the blocks of rows that are in work at a time.
pub(crate) fn blocks_bytes(dim: usize, bytes: usize, threads: usize) -> usize {
    if dim >= WIDE {
        return bytes * dim * (block_rows(dim, bytes) + threads * PIECE);
    }
    // Rows of each thread, packed, and the sums that wait.
    threads * dim * (2 * bytes * block_rows(dim, bytes) + size_of::<f64>() * waiting(dim) * dim)
}

/// Where the rows of a block are.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a, T> {
    /// In memory; row 0 of the view has this global number.
    View(ArrayView2<'a, T>, usize),
    /// To be read; the first of the samples has this global number.
    Samples(&'a dyn Samples, usize),
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
            Self::Samples(samples, first) => {
                let mut block = buffers.matrix(rows.len(), samples.dim());
                T::read(*samples, Rows::Range(rows.start - first..rows.end - first), block.view_mut())?;
                f(block.view())
            }
        }
    }
}

/// How blocks of rows are summed.
pub(crate) struct Summing<'a, 's, T> {
    pub plan: &'a Plan,
    pub frame: &'a Frame<T>,
    pub source: Source<'s, T>,
    pub buffers: &'a Buffers<T>,
}

/// Adds blocks of rows to the sums.
pub(crate) fn add_blocks<T: SampleType>(
    summing: &Summing<'_, '_, T>,
    blocks: &[Range<usize>],
    sums: &mut Sums,
) -> Result<()> {
    let Summing { plan, frame, source, buffers } = *summing;
    if frame.dim() >= WIDE {
        return blocks.iter().try_for_each(|block| add_wide_block(summing, block.clone(), sums));
    }
    for wave in blocks.chunks(waiting(frame.dim()) * rayon::current_num_threads()) {
        let part = |block: &Range<usize>| {
            let pack = |rows: ArrayView2<'_, T>| Packed::new(plan, frame, rows, block.start, buffers);
            let packed = source.with(block.clone(), buffers, pack)?;
            Ok(Part::new(plan, &packed, buffers))
        };
        let parts: Vec<Result<Part<'_>>> = wave.par_iter().with_max_len(1).map(part).collect();
        Part::add_all(&parts.into_iter().collect::<Result<Vec<_>>>()?, sums);
    }
    Ok(())
}

/// The pieces of a block that are summed at a time.
pub(crate) fn summed_pieces(dim: usize, block: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let size = if dim < WIDE { block.len().max(1) } else { PIECE };
    pieces(block.clone(), size).into_iter()
}

fn add_wide_block<T: SampleType>(summing: &Summing<'_, '_, T>, block: Range<usize>, sums: &mut Sums) -> Result<()> {
    let Summing { plan, frame, source, buffers } = *summing;
    let ranges = pieces(block, PIECE);
    let pack = |rows: &Range<usize>| {
        let packed = source.with(rows.clone(), buffers, |raw| Packed::new(plan, frame, raw, rows.start, buffers))?;
        Ok((ThinPart::new(plan, &packed), packed.rows))
    };
    let parts: Vec<Result<(ThinPart, Panels<'_, T>)>> = ranges.par_iter().map(pack).collect();
    let mut panels = Vec::with_capacity(parts.len());
    for part in parts {
        let (thin, piece) = part?;
        thin.add_to(sums);
        panels.push(piece);
    }
    add_wide_product(sums.main.second.view_mut(), 1.0, &panels, &panels);
    if let (Some(extra), Some(weights)) = (&mut sums.extra, &plan.second) {
        let reweighted =
            |(piece, rows): (&Panels<'_, T>, &Range<usize>)| piece.scaled(&plan.ratios(weights, rows.clone()), buffers);
        let reweighted: Vec<_> = panels.par_iter().zip(&ranges).map(reweighted).collect();
        add_wide_product(extra.second.view_mut(), 1.0, &panels, &reweighted);
    }
    Ok(())
}
