//! Terms that connect single samples: $Z^T L Z$ from differences of connected samples.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, ArrayViewMut1, Axis, concatenate, s};
use rayon::prelude::*;

use super::accumulate::block_rows;
use super::frame::Frame;
use super::samples::{Rows, SampleType, Samples};
use super::sums::pieces;
use crate::graph::{Coupling, EdgeTerm};
use crate::linalg::lower_product::{WIDE, add_lower, lower_product};
use crate::linalg::wide_product::{PIECE, add_wide_product, fill_piece};
use crate::{Error, Result};

/// Neighbouring rows in memory at a time, per piece.
const NEIGHBOURS: usize = 1024;

/// Adds $Z^T L Z$ of one term, lower triangle.
///
/// $(LZ)_n = a_n \sum_h S_{g(n),h} A_h (x_n - m_h)$ with $A_h$ the sum of shares of group h and $m_h$ its mean: with one
/// sample per group these are the differences of connected samples, so that slow data lose no digits. Blocks follow the
/// order of the groups, in which the neighbours of banded couplings are near.
pub(crate) fn add_laplacian<T: SampleType>(
    term: &EdgeTerm,
    frame: &Frame<T>,
    samples: &dyn Samples,
    sum: &mut Array2<f64>,
) -> Result<()> {
    let (members, starts) = term.grouping.members();
    let neighbours = Neighbourhood {
        term,
        frame,
        samples,
        members: members.into_iter().map(|n| n as usize).collect(),
        starts,
        weights: term.grouping.sums(&term.shares),
    };
    let dim = frame.dim();
    for block in pieces(neighbours.members.len(), block_rows(dim) * rayon::current_num_threads().max(1)) {
        // Blocks within a wave have fixed borders; the wave itself only bounds memory.
        let inner = pieces(block.len(), block_rows(dim));
        let ranges: Vec<Range<usize>> = inner.into_iter().map(|r| block.start + r.start..block.start + r.end).collect();
        if dim < WIDE {
            let part = |range: &Range<usize>| {
                let (x, lx) = neighbours.pairs(range.clone())?;
                Ok(lower_product(x.view(), lx.view()))
            };
            let parts: Vec<Result<Array2<T>>> = ranges.par_iter().with_max_len(1).map(part).collect();
            for part in parts {
                add_lower(sum, part?.view());
            }
        } else {
            for range in ranges {
                let (x, lx): (Vec<_>, Vec<_>) = neighbours.pieces(range)?.into_iter().unzip();
                add_wide_product(sum, &in_columns(&x), &in_columns(&lx));
            }
        }
    }
    Ok(())
}

struct Neighbourhood<'a, T> {
    term: &'a EdgeTerm,
    frame: &'a Frame<T>,
    samples: &'a dyn Samples,
    members: Vec<usize>,
    starts: Vec<usize>,
    weights: Vec<f64>,
}

impl<T: SampleType> Neighbourhood<'_, T> {
    /// Rows x in the frame and rows of Lx, for positions in the order of groups.
    fn pairs(&self, positions: Range<usize>) -> Result<(Array2<T>, Array2<T>)> {
        let pairs = self.pieces(positions)?;
        let join = |side: Vec<ArrayView2<'_, T>>| {
            concatenate(Axis(0), &side).map_err(|_| Error::InputDim { expected: self.frame.dim(), got: 0 })
        };
        Ok((join(pairs.iter().map(|p| p.0.view()).collect())?, join(pairs.iter().map(|p| p.1.view()).collect())?))
    }

    /// The same in pieces.
    fn pieces(&self, positions: Range<usize>) -> Result<Vec<(Array2<T>, Array2<T>)>> {
        let inner = pieces(positions.len(), PIECE);
        let pairs: Vec<Result<(Array2<T>, Array2<T>)>> = inner
            .into_par_iter()
            .map(|r| self.piece(&self.members[positions.start + r.start..positions.start + r.end]))
            .collect();
        pairs.into_iter().collect()
    }

    fn piece(&self, vertices: &[usize]) -> Result<(Array2<T>, Array2<T>)> {
        let raw = self.read(vertices)?;
        let mut x = Array2::from_elem(raw.dim(), T::default());
        self.frame.pack(raw.view(), &vec![1.0; vertices.len()], x.view_mut(), |k| vertices[k])?;
        let group = |n: usize| self.term.grouping.group(n);
        let mut near: Vec<usize> = Vec::new();
        for &n in vertices {
            self.visit(group(n), |h, _| near.push(h));
        }
        near.sort_unstable();
        near.dedup();
        let mut lx = Array2::<f64>::zeros(raw.dim());
        let mut from = 0;
        while from < near.len() {
            let (to, means) = self.means(&near, from)?;
            for ((&n, row), mut out) in vertices.iter().zip(raw.outer_iter()).zip(lx.outer_iter_mut()) {
                self.visit(group(n), |h, s| {
                    if let Ok(at) = near[from..to].binary_search(&h) {
                        let factor = self.term.shares[n] * s * self.weights[h];
                        add_difference(&mut out, row, means.row(at), factor);
                    }
                });
            }
            from = to;
        }
        let scales = self.frame.scales();
        let mut image = Array2::from_elem(raw.dim(), T::default());
        for (mut out, row) in image.outer_iter_mut().zip(lx.outer_iter()) {
            out.iter_mut().zip(row).zip(&scales).for_each(|((o, l), c)| *o = T::from_f64(l * c));
        }
        Ok((x, image))
    }

    fn read(&self, vertices: &[usize]) -> Result<Array2<T>> {
        let mut rows = Array2::from_elem((vertices.len(), self.frame.dim()), T::default());
        T::read(self.samples, Rows::List(vertices), rows.view_mut())?;
        Ok(rows)
    }

    /// Means of the groups `near[from..to]`, as many as fit.
    fn means(&self, near: &[usize], from: usize) -> Result<(usize, Array2<f64>)> {
        let mut to = from;
        let mut rows: Vec<usize> = Vec::new();
        while to < near.len() && (to == from || rows.len() < NEIGHBOURS) {
            rows.extend(&self.members[self.starts[near[to]]..self.starts[near[to] + 1]]);
            to += 1;
        }
        let values = self.read(&rows)?;
        let mut means = Array2::zeros((to - from, self.frame.dim()));
        let mut at = 0;
        for (mut mean, &h) in means.outer_iter_mut().zip(&near[from..to]) {
            let first = values.row(at);
            mean.zip_mut_with(&first, |m, x| *m = x.to_f64());
            let next = at + self.starts[h + 1] - self.starts[h];
            for (row, &n) in values.slice(s![at + 1..next, ..]).outer_iter().zip(&rows[at + 1..next]) {
                let share = self.term.shares[n] / self.weights[h];
                for ((m, x), f) in mean.iter_mut().zip(row).zip(first) {
                    *m += share * (x.to_f64() - f.to_f64());
                }
            }
            at = next;
        }
        Ok((to, means))
    }

    /// Calls `visit(h, S_gh)` for the stored entries of row g.
    fn visit(&self, g: usize, mut visit: impl FnMut(usize, f64)) {
        match &self.term.coupling {
            Coupling::Banded(band) => {
                for (offset, values) in band.diagonals() {
                    if let Some(&s) = values.get(g) {
                        visit(g + offset, s);
                    }
                    if *offset > 0 && g >= *offset {
                        visit(g - offset, values[g - offset]);
                    }
                }
            }
            Coupling::Sparse(sparse) => sparse.row(g).for_each(|(h, s)| visit(h, s)),
            // Kept as column sums: its rows are full.
            Coupling::LowRank(_) => {}
        }
    }
}

fn in_columns<T: SampleType>(pieces: &[Array2<T>]) -> Vec<Array2<T>> {
    let column_major = |rows: &Array2<T>| {
        let mut piece = Array2::default((0, 0));
        fill_piece(&mut piece, rows.view());
        piece
    };
    pieces.par_iter().map(column_major).collect()
}

/// `out += factor·(x − m)`.
fn add_difference<T: SampleType>(
    out: &mut ArrayViewMut1<'_, f64>,
    x: ndarray::ArrayView1<'_, T>,
    mean: ndarray::ArrayView1<'_, f64>,
    factor: f64,
) {
    for ((o, x), m) in out.iter_mut().zip(x).zip(mean) {
        *o += factor * (x.to_f64() - m);
    }
}
