//! From rows to sums: fixed blocks, in parallel, merged in order.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, s};
use rayon::prelude::*;

use super::frame::Frame;
use super::plan::Plan;
use super::samples::{Rows, SampleType, Samples};
use super::sums::{Packed, Part, Sums, ThinPart, pack_into, piece, pieces, split_rows};
use crate::Result;
use crate::linalg::lower_product::{WIDE, add_wide_product};

/// Rows of a block. Borders lie at multiples of it, counted from row 0, whatever chunks the caller passes.
pub(crate) fn block_rows(dim: usize) -> usize {
    if dim < WIDE { 512 } else { 1024 }
}

/// Rows of a wide block that one thread reads, packs and sums thinly at a time.
const PIECE: usize = 128;

/// Blocks that wait to be merged, per thread. It bounds memory and does not affect results.
const WAITING: usize = 2;

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
    pub fn with<A>(&self, rows: Range<usize>, f: impl FnOnce(ArrayView2<'_, T>) -> Result<A>) -> Result<A> {
        match self {
            Self::View(view, first) => f(view.slice(s![rows.start - first..rows.end - first, ..])),
            Self::Samples(samples) => {
                let mut block = Array2::from_elem((rows.len(), samples.dim()), T::default());
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
) -> Result<()> {
    if frame.dim() >= WIDE {
        return blocks.iter().try_for_each(|block| add_wide_block(plan, frame, sums, source, block.clone()));
    }
    for wave in blocks.chunks(WAITING * rayon::current_num_threads()) {
        let part = |block: &Range<usize>| {
            let packed = source.with(block.clone(), |rows| Packed::new(plan, frame, rows, block.start))?;
            Ok(Part::new(plan, &packed))
        };
        let parts: Vec<Result<Part<T>>> = wave.par_iter().with_max_len(1).map(part).collect();
        for part in parts {
            part?.add_to(sums);
        }
    }
    Ok(())
}

fn add_wide_block<T: SampleType>(
    plan: &Plan<'_>,
    frame: &Frame<T>,
    sums: &mut Sums,
    source: Source<'_, T>,
    block: Range<usize>,
) -> Result<()> {
    let mut packed = Packed {
        rows: Array2::from_elem((block.len(), frame.dim()), T::default()),
        first_row: block.start,
        roots: Vec::new(),
    };
    let ranges = pieces(block.len(), PIECE);
    let roots: Vec<Result<Vec<f64>>> = ranges
        .clone()
        .into_par_iter()
        .zip(split_rows(&mut packed.rows, PIECE))
        .map(|(range, out)| {
            let numbers = block.start + range.start..block.start + range.end;
            source.with(numbers.clone(), |rows| pack_into(plan, frame, rows, numbers.start, out))
        })
        .collect();
    for part in roots {
        packed.roots.extend(part?);
    }
    let thin = |range: &Range<usize>| {
        let rows = piece(&packed.rows, range.clone());
        ThinPart::new(plan, rows, &packed.roots[range.clone()], block.start + range.start)
    };
    let parts: Vec<ThinPart> = ranges.par_iter().map(thin).collect();
    parts.iter().for_each(|part| part.add_to(sums));
    let rows = packed.rows.view();
    add_wide_product(&mut sums.main.second, rows, rows);
    if let (Some(extra), Some(weights)) = (&mut sums.extra, &plan.second) {
        add_wide_product(&mut extra.second, rows, packed.reweighted(plan, weights).view());
    }
    Ok(())
}
