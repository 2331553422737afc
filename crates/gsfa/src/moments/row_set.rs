//! Which rows the sums contain.

use std::ops::Range;

use crate::{Error, Result};

/// Disjoint ranges of rows in ascending order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RowSet(Vec<Range<usize>>);

impl RowSet {
    /// From ranges that are already disjoint, ascending and not empty; `None` otherwise.
    pub fn from_ranges(ranges: Vec<Range<usize>>) -> Option<Self> {
        let ordered = ranges.windows(2).all(|w| w[0].end <= w[1].start);
        (ordered && ranges.iter().all(|r| r.start < r.end)).then_some(Self(ranges))
    }

    pub fn ranges(&self) -> &[Range<usize>] {
        &self.0
    }

    /// The number of ranges, then their borders.
    pub fn write(&self, mut number: impl FnMut(u64)) {
        number(self.0.len() as u64);
        self.0.iter().flat_map(|r| [r.start, r.end]).for_each(|row| number(row as u64));
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(Range::len).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().flat_map(Clone::clone)
    }

    /// The first row of 0 … `total`−1 that is not in the set.
    pub fn first_missing(&self, total: usize) -> Option<usize> {
        let first = match self.0.first() {
            Some(r) if r.start == 0 => r.end,
            _ => 0,
        };
        (first < total).then_some(first)
    }

    /// That no row of 0 … `total`−1 is missing.
    pub fn check_complete(&self, total: usize) -> Result<()> {
        match self.first_missing(total) {
            Some(first_missing) => Err(Error::MissingRows { expected: total, got: self.len(), first_missing }),
            None => Ok(()),
        }
    }

    /// Adds rows that must be new.
    pub fn insert(&mut self, rows: Range<usize>) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let at = self.0.partition_point(|r| r.start < rows.start);
        let before = at.checked_sub(1).map(|i| self.0[i].clone());
        let after = self.0.get(at).cloned();
        if before.as_ref().is_some_and(|r| r.end > rows.start) || after.as_ref().is_some_and(|r| r.start < rows.end) {
            return Err(problem(&rows, "were added before"));
        }
        let joins_before = before.is_some_and(|r| r.end == rows.start);
        let joins_after = after.is_some_and(|r| r.start == rows.end);
        match (joins_before, joins_after) {
            (true, true) => {
                self.0[at - 1].end = self.0[at].end;
                self.0.remove(at);
            }
            (true, false) => self.0[at - 1].end = rows.end,
            (false, true) => self.0[at].start = rows.start,
            (false, false) => self.0.insert(at, rows),
        }
        Ok(())
    }

    /// Takes rows away that must be there.
    pub fn remove(&mut self, rows: Range<usize>) -> Result<()> {
        let at = self.0.partition_point(|r| r.end <= rows.start);
        let Some(r) = self.0.get(at).cloned().filter(|r| r.start <= rows.start && rows.end <= r.end) else {
            return Err(problem(&rows, "are not all part of these sums"));
        };
        let parts = [r.start..rows.start, rows.end..r.end];
        self.0.splice(at..=at, parts.into_iter().filter(|p| !p.is_empty()));
        Ok(())
    }
}

fn problem(rows: &Range<usize>, problem: &'static str) -> Error {
    Error::RowRange { first: rows.start, last: rows.end - 1, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_removed_can_be_inserted_again() {
        let mut set = RowSet::default();
        for rows in [4..6, 0..2, 2..4, 8..9] {
            set.insert(rows).unwrap();
        }
        assert_eq!(set.ranges(), [0..6, 8..9]);
        assert!(set.insert(5..7).is_err() && set.insert(0..1).is_err());
        set.remove(1..3).unwrap();
        assert_eq!(set.ranges(), [0..1, 3..6, 8..9]);
        assert!(set.remove(2..4).is_err());
        assert_eq!(set.first_missing(9), Some(1));
        set.insert(1..3).unwrap();
        set.insert(6..8).unwrap();
        assert_eq!(set.ranges(), std::slice::from_ref(&(0..9)));
        assert_eq!(set.first_missing(9), None);
    }
}
