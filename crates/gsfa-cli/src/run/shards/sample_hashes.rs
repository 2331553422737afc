//! Which samples sums were taken of, so that shards are recognised whatever their order.

use std::collections::BTreeMap;

use gsfa::samples::{Rows, Samples};
use ndarray::{Array2, ArrayView1};

use crate::error::Result;
use crate::interrupt;

/// A number for each sample, by its row among all: equal samples have equal numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SampleHashes(BTreeMap<usize, u64>);

impl SampleHashes {
    pub fn put(&mut self, row: usize, sample: ArrayView1<'_, f64>) {
        self.0.insert(row, number_of(sample));
    }

    /// The first of some samples, by their rows, that is another one here.
    pub fn first_other(&self, of: &Self) -> Option<usize> {
        of.iter().find(|(row, number)| self.0.get(row) != Some(number)).map(|(row, _)| row)
    }

    /// Pairs of a row and a number, after their count.
    pub fn to_bytes(&self) -> Vec<u8> {
        let pairs = self.iter().flat_map(|(row, number)| [row as u64, number]);
        std::iter::once(self.0.len() as u64).chain(pairs).flat_map(u64::to_le_bytes).collect()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote; also what follows.
    pub fn of_bytes(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (count, rest) = bytes.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(16)?;
        let (pairs, rest) = rest.split_at_checked(length)?;
        let pair = |pair: &[[u8; 8]; 2]| (u64::from_le_bytes(pair[0]) as usize, u64::from_le_bytes(pair[1]));
        Some((Self::from_pairs(pairs.as_chunks::<8>().0.as_chunks::<2>().0.iter().map(pair)), rest))
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
pub fn sample_hashes(source: &dyn Samples) -> Result<Vec<u64>> {
    let mut all = Vec::with_capacity(source.len());
    for start in (0..source.len()).step_by(CHUNK) {
        interrupt::check()?;
        let rows = start..(start + CHUNK).min(source.len());
        let mut block = Array2::zeros((rows.len(), source.dim()));
        source.read_double(Rows::Range(rows), block.view_mut())?;
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
