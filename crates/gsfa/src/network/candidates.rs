//! Samples among which a node draws the centres of its radial basis functions: those of the smallest hash of their content.
//!
//! That is a draw without repetition from all different samples, and the same whatever their order, that of columns, the
//! pieces they come in and the number of threads. The content is that of the original inputs, which round-off of layers below
//! does not touch.
//! Weights do not matter: a sample of weight 2 is two copies, and copies count once.

use std::collections::BTreeMap;

use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;

use super::node::Node;
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use crate::expansion::{RbfCenters, RbfSpec};
use crate::linalg::Buffers;
use crate::samples::{Rows, Samples};
use crate::select::{RowHash, row_hash, row_keys};
use crate::{Error, Result};

/// Candidates of a node, at most.
const MOST: usize = 10_000;

/// Bytes of a node's candidates, unless there are more centres.
const BYTES: usize = 1 << 26;

/// Rows whose hashes one thread computes at a time.
const ROWS: usize = 512;

/// Numbers of a hash.
const HASH: usize = 2;

/// Different samples of the smallest hashes, as a node sees them.
#[derive(Debug, Clone)]
pub(super) struct Candidates {
    most: usize,
    dim: usize,
    rows: BTreeMap<RowHash, Vec<f64>>,
}

/// How many candidates are kept for so many centres and inputs.
pub(super) fn most_candidates(centers: usize, dim: usize) -> usize {
    MOST.min(BYTES / 8 / dim.max(1)).max(centers)
}

impl Candidates {
    /// Of no samples yet.
    pub fn new(rbf: &RbfSpec, dim: usize) -> Self {
        Self { most: most_candidates(rbf.centers, dim), dim, rows: BTreeMap::new() }
    }

    /// Adds samples; `field` is what the node sees of the `original` ones.
    pub fn add<T: NodeNumber>(&mut self, first_row: usize, field: &dyn Samples, original: &dyn Samples) -> Result<()> {
        let starts: Vec<usize> = (0..original.len()).step_by(ROWS).collect();
        let hashes = |&from: &usize| -> Result<Vec<RowHash>> {
            let rows = from..(from + ROWS).min(original.len());
            let mut block = Array2::from_elem((rows.len(), original.dim()), T::default());
            T::read(original, Rows::Range(rows), block.view_mut())?;
            Ok(block.outer_iter().map(row_hash).collect())
        };
        let hashes: Vec<Result<Vec<RowHash>>> = starts.par_iter().map(hashes).collect();
        let hashes = hashes.into_iter().collect::<Result<Vec<_>>>()?.concat();
        for (from, hashes) in starts.into_iter().zip(hashes.chunks(ROWS)) {
            self.add_block::<T>(first_row, field, from, hashes)?;
        }
        Ok(())
    }

    fn add_block<T: NodeNumber>(
        &mut self,
        first_row: usize,
        field: &dyn Samples,
        from: usize,
        hashes: &[RowHash],
    ) -> Result<()> {
        let limit = self.rows.last_key_value().filter(|_| self.rows.len() >= self.most).map(|(hash, _)| *hash);
        let new =
            |(_, hash): &(usize, &RowHash)| limit.is_none_or(|limit| **hash <= limit) && !self.rows.contains_key(*hash);
        let (wanted, hashes): (Vec<usize>, Vec<RowHash>) =
            (from..).zip(hashes).filter(new).map(|(n, &hash)| (n, hash)).unzip();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut block = Array2::from_elem((wanted.len(), self.dim), T::default());
        T::read(field, Rows::List(&wanted), block.view_mut())?;
        for ((row, n), hash) in block.outer_iter().zip(wanted).zip(hashes) {
            let row: Vec<f64> = row.iter().map(|x| x.to_f64()).collect();
            if let Some(column) = row.iter().position(|x| !x.is_finite()) {
                return Err(Error::NonFiniteSample { row: first_row + n, column, total: 1 });
            }
            self.rows.insert(hash, row);
        }
        self.trim();
        Ok(())
    }

    fn trim(&mut self) {
        while self.rows.len() > self.most {
            self.rows.pop_last();
        }
    }

    /// Candidates of both.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        if (self.most, self.dim) != (other.most, other.dim) {
            return Err(Error::DifferentMoments { what: "the number of inputs" });
        }
        self.rows.extend(other.rows);
        self.trim();
        Ok(())
    }

    /// Hashes and rows, one after the other.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.rows.len() * 8 * (HASH + self.dim));
        for ((any_order, own_order), row) in &self.rows {
            bytes.extend(any_order.to_le_bytes());
            bytes.extend(own_order.to_le_bytes());
            row.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        }
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote, for the same node.
    pub fn read(&self, bytes: &[u8]) -> Result<Self> {
        let damaged = |reason| Error::Damaged { at: 0, reason };
        let (rows, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() || rows.len() % (HASH + self.dim) != 0 || rows.len() / (HASH + self.dim) > self.most {
            return Err(damaged("candidates of centres end in the middle of one, or are too many"));
        }
        let row = |values: &[[u8; 8]]| {
            let ([any_order, own_order], row) = values.split_first_chunk::<HASH>()?;
            let hash = (u64::from_le_bytes(*any_order), u64::from_le_bytes(*own_order));
            Some((hash, row.iter().map(|x| f64::from_le_bytes(*x)).collect::<Vec<f64>>()))
        };
        let rows: BTreeMap<RowHash, Vec<f64>> = rows.chunks(HASH + self.dim).filter_map(row).collect();
        match rows.values().flatten().all(|x| x.is_finite()) {
            true => Ok(Self { rows, ..*self }),
            false => Err(damaged("a candidate of centres is not finite")),
        }
    }

    /// The order in which they are drawn from: that of contents, which no order and no unit of columns changes, and where
    /// these are the same that of hashes.
    fn order(&self, rows: ArrayView2<'_, f64>) -> Result<Vec<usize>> {
        let keys = row_keys(&rows)?;
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
        Ok(order)
    }

    /// Centres among them, in terms of what the node makes of its inputs before the expansion.
    pub fn centers<T: NodeNumber>(&self, rbf: &RbfSpec, node: &Node, place: &Place<'_>) -> Result<RbfCenters> {
        let values: Vec<f64> = self.rows.values().flatten().copied().collect();
        let rows = Array2::from_shape_vec((self.rows.len(), self.dim), values);
        let rows = rows.map_err(|_| Error::DifferentMoments { what: "the number of inputs" })?;
        let rows = rows.select(Axis(0), &self.order(rows.view())?);
        let (place, view) = (place.of_field(), rows.view());
        let feed = Feed { below: &view, original: &view, buffers: &Buffers::default() };
        let preparation = Preparation::<T>::of(node, &place)?;
        let prepared = Prepared { place: &place, feed, preparation: &preparation };
        RbfCenters::draw::<T>(rbf, prepared.inputs()?.mapv(|x| x.to_f64()).view())
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, ArrayView2, Axis};

    use super::*;

    fn of(rows: ArrayView2<'_, f64>, most: usize) -> Candidates {
        let mut all = Candidates { most, dim: rows.ncols(), rows: BTreeMap::new() };
        all.add::<f64>(0, &rows, &rows).unwrap();
        all
    }

    #[test]
    fn order_pieces_and_copies_do_not_matter() {
        let x = Array2::from_shape_fn((1500, 3), |(n, i)| ((n % 900 * 3 + i) as f64 * 0.7).sin());
        for most in [1, 20, 899, 5000] {
            let whole = of(x.view(), most);
            assert_eq!(whole.rows.len(), most.min(900));
            let back = x.slice(ndarray::s![..;-1, ..]).to_owned();
            let (first, rest) = back.view().split_at(Axis(0), 700);
            let mut pieces = of(rest, most);
            pieces.merge(of(first, most)).unwrap();
            assert_eq!(pieces.rows, whole.rows);
            let again = whole.read(&whole.to_bytes()).unwrap();
            assert_eq!(again.rows, whole.rows);
            assert!(whole.read(&whole.to_bytes()[1..]).is_err());
            // Neither does the order of columns.
            let turned = of(x.slice(ndarray::s![.., ..;-1]), most);
            let forwards = |row: &Vec<f64>| row.iter().rev().copied().collect::<Vec<f64>>();
            assert!(turned.rows.values().map(forwards).eq(whole.rows.values().cloned()));
        }
    }

    #[test]
    fn rows_with_the_same_numbers_in_other_places_are_in_one_order() {
        let x = Array2::from_shape_fn((64, 6), |(n, i)| f64::from(u8::from(n >> i & 1 == 1 && (n + i) % 5 > 0)));
        let drawn = |x: ArrayView2<'_, f64>| {
            let all = of(x, 100);
            let rows = Array2::from_shape_vec((all.rows.len(), 6), all.rows.values().flatten().copied().collect());
            let rows = rows.unwrap();
            let order = all.order(rows.view()).unwrap();
            rows.select(Axis(0), &order)
        };
        let turned = drawn(x.slice(ndarray::s![.., ..;-1]));
        assert_eq!(turned.slice(ndarray::s![.., ..;-1]), drawn(x.view()));
    }
}
