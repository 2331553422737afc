//! Which samples sums were taken of, so that shards are recognised whatever their order.

use std::collections::BTreeMap;

use gsfa_data::source::{Rows, Source};
use ndarray::{Array2, ArrayView1};

use crate::failure::Outcome;
use crate::interrupt;

/// A number for each sample, by its row among all: equal samples have equal numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places(BTreeMap<usize, u64>);

impl Places {
    pub fn put(&mut self, row: usize, sample: ArrayView1<'_, f64>) {
        self.0.insert(row, number_of(sample));
    }

    pub fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub fn iter(&self) -> impl Iterator<Item = (usize, u64)> {
        self.0.iter().map(|(&row, &number)| (row, number))
    }

    pub fn from_pairs(pairs: impl Iterator<Item = (usize, u64)>) -> Self {
        Self(pairs.collect())
    }

    /// The row of the shard's first sample: `expected` if the samples there are these, else the first place where they are.
    pub fn find(&self, shard: &[u64], expected: usize) -> Option<usize> {
        let fits = |first: usize| (first..).zip(shard).all(|(row, number)| self.0.get(&row) == Some(number));
        if fits(expected) {
            return Some(expected);
        }
        let first = *shard.first()?;
        self.iter().filter(|&(_, number)| number == first).map(|(row, _)| row).find(|&row| fits(row))
    }
}

/// Rows read at a time.
pub const CHUNK: usize = 2048;

/// The numbers of a shard's samples, in its order.
pub fn sample_numbers(source: &dyn Source) -> Outcome<Vec<u64>> {
    let mut all = Vec::with_capacity(source.len());
    for start in (0..source.len()).step_by(CHUNK) {
        interrupt::check()?;
        let rows = start..(start + CHUNK).min(source.len());
        let mut block = Array2::zeros((rows.len(), source.dim()));
        source.read_f64(&Rows::Range(rows), block.view_mut())?;
        all.extend(block.outer_iter().map(number_of));
    }
    Ok(all)
}

/// FNV-1a over whole numbers instead of bytes: tells samples apart, no more.
fn number_of(sample: ArrayView1<'_, f64>) -> u64 {
    // 0 and -0 are the same value.
    let bits = sample.iter().map(|x| (x + 0.0).to_bits());
    bits.fold(0xcbf2_9ce4_8422_2325, |hash: u64, bits| (hash ^ bits).wrapping_mul(0x0100_0000_01b3).rotate_left(29))
}
