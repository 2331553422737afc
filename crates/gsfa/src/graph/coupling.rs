//! How groups of vertices are coupled: a symmetric K×K matrix in one of three structured forms.

use std::collections::TryReserveError;
use std::ops::Range;

use ndarray::Array2;

use crate::linalg::tolerance;
use crate::{Error, Result};

/// A symmetric matrix over groups, never stored in full.
#[derive(Debug, Clone, PartialEq)]
pub enum Coupling {
    /// A few diagonals: neighbours in a line of groups.
    Banded(Banded),
    /// A few columns: $T\,\mathrm{Diag}(\lambda)\,T^T$.
    LowRank(LowRank),
    /// Compressed rows: anything else.
    Sparse(Sparse),
}

/// Diagonals of a symmetric matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Banded {
    size: usize,
    /// Pairs of an offset $o$ and the entries $(k, k+o)$, $k = 0 … K-o-1$; offsets increase.
    diagonals: Vec<(usize, Vec<f64>)>,
}

/// $T\,\mathrm{Diag}(\lambda)\,T^T$ with T of K rows and few columns.
#[derive(Debug, Clone, PartialEq)]
pub struct LowRank {
    /// T: one row per group.
    pub columns: Array2<f64>,
    /// λ: one value per column, of any sign.
    pub values: Vec<f64>,
}

/// Compressed rows of a symmetric matrix, both triangles stored, columns ascending within a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Sparse {
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Coupling {
    /// K, the number of groups.
    pub fn size(&self) -> usize {
        match self {
            Self::Banded(b) => b.size,
            Self::LowRank(l) => l.columns.nrows(),
            Self::Sparse(s) => s.starts.len() - 1,
        }
    }

    /// That it is a coupling of so many groups.
    pub(crate) fn check(&self, groups: usize) -> Result<()> {
        Error::check_shape("the coupling of an edge term", &[self.size()], &[groups])?;
        match self {
            Self::LowRank(l) => Error::check_shape("the values of a coupling", &[l.values.len()], &[l.columns.ncols()]),
            Self::Banded(_) | Self::Sparse(_) => Ok(()),
        }
    }

    /// `out += S·x`.
    pub(crate) fn multiply_add(&self, x: &[f64], out: &mut [f64]) {
        match self {
            Self::Banded(b) => {
                for (offset, values) in &b.diagonals {
                    for (k, &s) in values.iter().enumerate() {
                        out[k] += s * x[k + offset];
                        if *offset > 0 {
                            out[k + offset] += s * x[k];
                        }
                    }
                }
            }
            Self::LowRank(l) => {
                let mut inner = vec![0.0; l.values.len()];
                for (row, &xk) in l.columns.outer_iter().zip(x) {
                    for (sum, &t) in inner.iter_mut().zip(row) {
                        *sum += t * xk;
                    }
                }
                for (sum, &lambda) in inner.iter_mut().zip(&l.values) {
                    *sum *= lambda;
                }
                for (row, o) in l.columns.outer_iter().zip(out) {
                    *o += row.iter().zip(&inner).map(|(t, s)| t * s).sum::<f64>();
                }
            }
            Self::Sparse(s) => {
                for (k, o) in out.iter_mut().enumerate() {
                    *o += s.row(k).map(|(h, w)| w * x[h]).sum::<f64>();
                }
            }
        }
    }

    /// The entry between groups `g` and `h`.
    pub fn entry(&self, g: usize, h: usize) -> f64 {
        match self {
            Self::Banded(b) => {
                let (low, offset) = (g.min(h), g.abs_diff(h));
                b.diagonals.iter().find(|(o, _)| *o == offset).map_or(0.0, |(_, values)| values[low])
            }
            Self::LowRank(l) => l.entry(g, h).0,
            Self::Sparse(s) => {
                let row = &s.indices[s.starts[g]..s.starts[g + 1]];
                row.binary_search(&(h as u32)).map_or(0.0, |at| s.values[s.starts[g] + at])
            }
        }
    }

    /// The same matrix times `factor`.
    pub fn scaled(mut self, factor: f64) -> Self {
        match &mut self {
            Self::Banded(b) => b.diagonals.iter_mut().flat_map(|(_, v)| v).for_each(|x| *x *= factor),
            Self::LowRank(l) => l.values.iter_mut().for_each(|x| *x *= factor),
            Self::Sparse(s) => s.values.iter_mut().for_each(|x| *x *= factor),
        }
        self
    }

    /// Calls `visit(g, h, entry)` for every stored entry with g ≤ h; `None` for the low-rank form, which stores none.
    pub(crate) fn visit_upper(&self, mut visit: impl FnMut(usize, usize, f64)) -> Option<()> {
        match self {
            Self::Banded(b) => {
                for (offset, values) in &b.diagonals {
                    for (k, &s) in values.iter().enumerate() {
                        visit(k, k + offset, s);
                    }
                }
            }
            Self::LowRank(_) => return None,
            Self::Sparse(s) => {
                for k in 0..self.size() {
                    for (h, w) in s.row(k).filter(|&(h, _)| h >= k) {
                        visit(k, h, w);
                    }
                }
            }
        }
        Some(())
    }

    /// Calls `visit(h)` for every stored entry of row `g`, zero or not; all rows for the low-rank form.
    pub(super) fn visit_row(&self, g: usize, mut visit: impl FnMut(usize)) {
        match self {
            Self::Banded(b) => {
                for (offset, _) in &b.diagonals {
                    g.checked_sub(*offset).filter(|_| *offset > 0).into_iter().for_each(&mut visit);
                    Some(g + offset).filter(|h| *h < b.size).into_iter().for_each(&mut visit);
                }
            }
            Self::LowRank(_) => (0..self.size()).for_each(visit),
            Self::Sparse(s) => s.row(g).for_each(|(h, _)| visit(h)),
        }
    }
}

impl Banded {
    /// From diagonals `(offset, entries)`, each offset once; those outside the matrix are left out.
    ///
    /// # Errors
    /// [`Error::Parameter`] if an offset is there twice; [`Error::Shape`] if a diagonal is too long or too short.
    pub fn new(size: usize, diagonals: Vec<(usize, Vec<f64>)>) -> Result<Self> {
        let mut offsets: Vec<usize> = diagonals.iter().map(|(offset, _)| *offset).collect();
        offsets.sort_unstable();
        if let Some(twice) = offsets.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::parameter("offset", twice[0], "two diagonals have it"));
        }
        for (offset, entries) in diagonals.iter().filter(|(offset, _)| *offset < size) {
            Error::check_shape("a diagonal", &[entries.len()], &[size - offset])?;
        }
        Ok(Self::trusted(size, diagonals))
    }

    /// The same of diagonals that were made here.
    pub(crate) fn trusted(size: usize, mut diagonals: Vec<(usize, Vec<f64>)>) -> Self {
        diagonals.retain(|(offset, _)| *offset < size);
        diagonals.sort_by_key(|(offset, _)| *offset);
        debug_assert!(diagonals.iter().all(|(offset, values)| values.len() == size - offset));
        Self { size, diagonals }
    }

    /// The diagonals as `(offset, entries)`, offsets increasing.
    pub fn diagonals(&self) -> &[(usize, Vec<f64>)] {
        &self.diagonals
    }

    /// The entries at `offset`, if that diagonal is stored.
    pub fn diagonal(&self, offset: usize) -> Option<&[f64]> {
        self.diagonals.iter().find(|(o, _)| *o == offset).map(|(_, values)| values.as_slice())
    }
}

impl LowRank {
    /// The entry and the sum of the magnitudes of its terms, which tells a cancelled zero from an edge.
    pub fn entry(&self, g: usize, h: usize) -> (f64, f64) {
        let (a, b) = (self.columns.row(g), self.columns.row(h));
        let mut sum = 0.0;
        let mut magnitude = 0.0;
        for ((&t, &u), &lambda) in a.iter().zip(b).zip(&self.values) {
            let term = lambda * t * u;
            sum += term;
            magnitude += term.abs();
        }
        (sum, magnitude)
    }

    /// Zero where the terms of a sum cancelled to round-off.
    pub fn clean(&self, sum: f64, magnitude: f64) -> f64 {
        if sum.abs() <= tolerance::edge(self.values.len()) * magnitude { 0.0 } else { sum }
    }
}

impl Sparse {
    /// No rows yet.
    pub(super) fn empty() -> Self {
        Self { starts: vec![0], indices: Vec::new(), values: Vec::new() }
    }

    /// Makes room for so many entries more.
    pub(super) fn try_reserve(&mut self, more: usize) -> std::result::Result<(), TryReserveError> {
        self.indices.try_reserve(more)?;
        self.values.try_reserve(more)
    }

    /// Adds a row whose columns ascend.
    pub(super) fn push_row(&mut self, row: &[(u32, f64)]) {
        self.indices.extend(row.iter().map(|(h, _)| *h));
        self.values.extend(row.iter().map(|(_, w)| *w));
        self.starts.push(self.values.len());
    }

    /// Where each row starts, then the columns and the values of all entries.
    pub fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<f64>) {
        (self.starts, self.indices, self.values)
    }

    /// From entries `(row, column, value)`; repeated entries are summed in their order. A coupling has both triangles.
    ///
    /// # Errors
    /// [`Error::EdgeOutOfRange`] if an entry is not in the matrix.
    pub fn from_entries(size: usize, entries: Vec<(u32, u32, f64)>) -> Result<Self> {
        match entries.iter().position(|&(i, j, _)| i.max(j) as usize >= size) {
            None => Ok(Self::trusted(size, entries)),
            Some(edge) => {
                let (from, to) = (entries[edge].0 as usize, entries[edge].1 as usize);
                Err(Error::EdgeOutOfRange { edge, from, to, vertices: size })
            }
        }
    }

    /// The same of entries that were made here.
    pub(crate) fn trusted(size: usize, entries: Vec<(u32, u32, f64)>) -> Self {
        Self::dealt(size, entries.into_iter())
    }

    /// The same from entries that are gone through twice, so that nothing holds them meanwhile.
    pub(crate) fn dealt(size: usize, entries: impl Iterator<Item = (u32, u32, f64)> + Clone) -> Self {
        // Dealt to rows first: a sort of all entries at once takes ten times as long for a full matrix.
        let mut starts = vec![0; size + 1];
        entries.clone().for_each(|(i, ..)| starts[i as usize + 1] += 1);
        (0..size).for_each(|k| starts[k + 1] += starts[k]);
        let mut next = starts.clone();
        let (mut indices, mut values) = (vec![0; starts[size]], vec![0.0; starts[size]]);
        for (i, j, w) in entries {
            let at = &mut next[i as usize];
            (indices[*at], values[*at]) = (j, w);
            *at += 1;
        }
        let mut sparse = Self { starts, indices, values };
        let ordered = |row: &[usize]| sparse.indices[row[0]..row[1]].is_sorted_by(|a, b| a < b);
        if !sparse.starts.windows(2).all(ordered) {
            sparse.order_rows();
        }
        sparse
    }

    /// Sorts every row and sums what is repeated.
    fn order_rows(&mut self) {
        let mut row: Vec<(u32, f64)> = Vec::new();
        let (mut from, mut kept) = (0, 0);
        for k in 0..self.size() {
            row.clear();
            row.extend((from..self.starts[k + 1]).map(|at| (self.indices[at], self.values[at])));
            from = self.starts[k + 1];
            row.sort_by_key(|(j, _)| *j);
            for same in row.chunk_by(|a, b| a.0 == b.0) {
                self.indices[kept] = same[0].0;
                self.values[kept] = same.iter().skip(1).fold(same[0].1, |sum, (_, w)| sum + w);
                kept += 1;
            }
            self.starts[k + 1] = kept;
        }
        self.indices.truncate(kept);
        self.values.truncate(kept);
    }

    /// Whether both triangles are equal.
    fn is_symmetric(&self) -> bool {
        let n = self.size();
        if self.stored() == n * n {
            // Every entry is there, in order: tiles and their mirror images stay in the caches.
            const TILE: usize = 64;
            let tiles = || (0..n).step_by(TILE).map(|from| from..(from + TILE).min(n));
            let equal = |rows: &Range<usize>, columns: &Range<usize>| {
                rows.clone().all(|k| columns.clone().all(|h| self.values[k * n + h] == self.values[h * n + k]))
            };
            return tiles().all(|rows| tiles().take_while(|c| c.start <= rows.start).all(|c| equal(&rows, &c)));
        }
        // Row by row, the entries of every column come in the order of its row.
        let mut next = self.starts[..self.size()].to_vec();
        (0..self.size()).all(|k| {
            self.row(k).all(|(h, w)| {
                let at = next[h];
                next[h] += 1;
                at < self.starts[h + 1] && self.indices[at] as usize == k && self.values[at] == w
            })
        })
    }

    fn transposed(&self) -> Self {
        let mut starts = vec![0; self.starts.len()];
        self.indices.iter().for_each(|&j| starts[j as usize + 1] += 1);
        (0..self.size()).for_each(|k| starts[k + 1] += starts[k]);
        let mut next = starts.clone();
        let (mut indices, mut values) = (vec![0; self.stored()], vec![0.0; self.stored()]);
        // Row by row, so that those of the transpose are in order.
        for k in 0..self.size() {
            for (h, w) in self.row(k) {
                (indices[next[h]], values[next[h]]) = (k as u32, w);
                next[h] += 1;
            }
        }
        Self { starts, indices, values }
    }

    /// $(\Gamma + \Gamma^T)/2$, and how many pairs of vertices had different weights in the two directions.
    pub(crate) fn symmetrized(self) -> (Self, usize) {
        if self.is_symmetric() {
            return (self, 0);
        }
        let reverse = self.transposed();
        let mut mean = Self::empty();
        let mut asymmetric = 0;
        for k in 0..self.size() {
            let (mut there, mut back) = (self.row(k).peekable(), reverse.row(k).peekable());
            while let Some(at) = there.peek().map(|(h, _)| *h).into_iter().chain(back.peek().map(|(h, _)| *h)).min() {
                let take = |row: &mut std::iter::Peekable<_>| row.next_if(|(h, _)| *h == at).map_or(0.0, |(_, w)| w);
                let (there, back): (f64, f64) = (take(&mut there), take(&mut back));
                asymmetric += usize::from(k < at && there != back);
                mean.indices.push(at as u32);
                mean.values.push(0.5 * there + 0.5 * back);
            }
            mean.starts.push(mean.indices.len());
        }
        (mean, asymmetric)
    }

    /// The number of rows.
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// Columns and values of row `k`.
    pub fn row(&self, k: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.starts[k]..self.starts[k + 1];
        self.indices[range.clone()].iter().zip(&self.values[range]).map(|(&h, &w)| (h as usize, w))
    }

    /// The number of stored entries.
    pub fn stored(&self) -> usize {
        self.values.len()
    }
}
