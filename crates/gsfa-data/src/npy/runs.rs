//! Which rows are read with one call to the system.

use std::ops::Range;

use gsfa::samples::Rows;

/// Bytes that are rather read than skipped: about as long as a call takes.
const GAP: usize = 4 << 10;

/// A row that is wanted, and where it belongs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct One {
    pub row: usize,
    pub place: usize,
}

/// Rows in the order of the file.
pub(super) struct Wanted(Vec<One>);

/// The rows of a share of what is asked for; places count from the beginning of the share.
pub(super) fn wanted(rows: &Rows<'_>, share: Range<usize>) -> Wanted {
    let mut all: Vec<One> = share.enumerate().map(|(place, k)| One { row: rows.row(k), place }).collect();
    if !all.is_sorted() {
        all.sort_unstable();
    }
    Wanted(all)
}

/// Rows that follow each other in the file, but for small gaps.
pub(super) struct Run<'a> {
    pub first: usize,
    /// With the rows in gaps.
    pub len: usize,
    pub wanted: &'a [One],
}

impl Wanted {
    /// Runs of rows of `width` bytes, each at most `most` bytes long unless it is a single row.
    pub fn runs(&self, width: usize, most: usize) -> impl Iterator<Item = Run<'_>> {
        let mut left = &self.0[..];
        std::iter::from_fn(move || {
            let first = left.first()?.row;
            let mut last = first;
            let joins = |one: &&One| {
                let near = one.row - last <= 1 + GAP / width && (one.row - first + 1) * width <= most;
                last = if near { one.row } else { last };
                near
            };
            let count = left.iter().take_while(joins).count().max(1);
            let (wanted, rest) = left.split_at(count);
            left = rest;
            Some(Run { first, len: wanted[count - 1].row - first + 1, wanted })
        })
    }
}
