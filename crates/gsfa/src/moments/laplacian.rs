//! Terms that connect single samples: $Z^T L Z$ from differences of connected samples.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, s};
use rayon::prelude::*;

use super::accumulate::{block_rows, waiting};
use super::frame::Frame;
use super::sums::pieces;
use crate::Result;
use crate::graph::{Banded, Coupling, EdgeTerm};
use crate::linalg::buffers::Buffer;
use crate::linalg::lower_product::{WIDE, add_lower, lower_product};
use crate::linalg::panels::Panels;
use crate::linalg::wide_product::{PIECE, add_wide_product};
use crate::linalg::{Buffers, Real, vectorized};
use crate::samples::{Rows, SampleType, Samples};

/// Neighbouring rows in memory at a time, per piece.
const NEIGHBORS: usize = 1024;

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
    let single = starts.windows(2).all(|group| group[1] - group[0] == 1);
    let weights = term.grouping.sums(&term.shares);
    let neighbors = Neighborhood {
        term,
        frame,
        samples,
        single,
        line: if single { Line::of(term, &weights) } else { None },
        members: members.into_iter().map(|n| n as usize).collect(),
        starts,
        weights,
    };
    let buffers = Buffers::default();
    let dim = frame.dim();
    let wave = block_rows(dim, T::BYTES) * waiting(dim) * rayon::current_num_threads();
    for block in pieces(0..neighbors.members.len(), wave) {
        // Blocks within a wave have fixed borders; the wave itself only bounds memory.
        let ranges = pieces(block, block_rows(dim, T::BYTES));
        if dim < WIDE {
            let part = |range: &Range<usize>| {
                let (x, lx) = neighbors.pieces(range.clone(), &buffers)?;
                Ok(lower_product(&x, lx.as_ref().unwrap_or(&x), &buffers))
            };
            let parts: Vec<Result<Buffer<'_, f64>>> = ranges.par_iter().with_max_len(1).map(part).collect();
            let parts = parts.into_iter().collect::<Result<Vec<_>>>()?;
            add_lower(sum, &parts.iter().collect::<Vec<_>>());
        } else {
            for range in ranges {
                let (x, lx) = neighbors.pieces(range, &buffers)?;
                add_wide_product(sum.view_mut(), 1.0, &x, lx.as_ref().unwrap_or(&x));
            }
        }
    }
    Ok(())
}

struct Neighborhood<'a, T> {
    term: &'a EdgeTerm,
    frame: &'a Frame<T>,
    samples: &'a dyn Samples,
    /// Samples in the order of their groups.
    members: Vec<usize>,
    /// Where each group begins in `members`.
    starts: Vec<usize>,
    weights: Vec<f64>,
    /// Whether every group is one sample.
    single: bool,
    /// The connections, if they are those of a line.
    line: Option<Line>,
}

/// Every sample is connected with the one so many places after it and no other, by no negative weight: plain SFA.
struct Line {
    step: usize,
    /// Roots of the weights, one for each connection.
    roots: Vec<f64>,
}

impl Line {
    /// The connections of single samples with the given weights, if they are a line.
    fn of(term: &EdgeTerm, weights: &[f64]) -> Option<Self> {
        let Coupling::Banded(band) = &term.coupling else { return None };
        // Self-loops change nothing.
        let mut diagonals = band.diagonals().iter().filter(|(offset, _)| *offset > 0);
        let (Some((step, values)), None) = (diagonals.next(), diagonals.next()) else { return None };
        let weight = |(g, s): (usize, &f64)| weights[g] * s * weights[g + step];
        let weights: Vec<f64> = values.iter().enumerate().map(weight).collect();
        let roots = weights.iter().map(|w| w.sqrt()).collect();
        weights.iter().all(|w| *w >= 0.0).then_some(Self { step: *step, roots })
    }
}

/// Packed rows in pieces.
type Pieces<'b, T> = Vec<Panels<'b, T>>;

impl<T: SampleType> Neighborhood<'_, T> {
    /// Rows x in the frame and rows of Lx, for positions in the order of groups. On a line, rows d alone with
    /// $D^T D = Z^T L Z$: differences times the roots of their weights, half of the packing and no cancellation.
    fn pieces<'b>(
        &self,
        positions: Range<usize>,
        buffers: &'b Buffers<T>,
    ) -> Result<(Pieces<'b, T>, Option<Pieces<'b, T>>)> {
        if let Some(line) = &self.line {
            let piece = |positions| self.differences(line, positions, buffers);
            let rows: Vec<Result<Panels<'b, T>>> = pieces(positions, PIECE).into_par_iter().map(piece).collect();
            return Ok((rows.into_iter().collect::<Result<_>>()?, None));
        }
        let piece = |positions: Range<usize>| match &self.term.coupling {
            Coupling::Banded(band) if self.single => self.along_a_line(band, positions, buffers),
            _ => self.anywhere(&self.members[positions], buffers),
        };
        let pairs: Vec<Result<(Panels<'b, T>, Panels<'b, T>)>> =
            pieces(positions, PIECE).into_par_iter().map(piece).collect();
        let (x, lx) = pairs.into_iter().collect::<Result<Vec<_>>>()?.into_iter().unzip();
        Ok((x, Some(lx)))
    }

    /// Differences along a line, for one piece.
    fn differences<'b>(&self, line: &Line, positions: Range<usize>, buffers: &'b Buffers<T>) -> Result<Panels<'b, T>> {
        let roots = &line.roots[positions.start.min(line.roots.len())..positions.end.min(line.roots.len())];
        let to = (positions.end + line.step).min(self.members.len());
        self.with_rows(&self.members[positions.start..to], buffers, |near| {
            Ok(self.frame.pack_differences(near, line.step, roots, buffers))
        })
    }

    /// The same for one piece, if every sample is a group of its own and all connections are between near ones: a stretch
    /// of neighbours is read once and serves all of them.
    fn along_a_line<'b>(
        &self,
        band: &Banded,
        positions: Range<usize>,
        buffers: &'b Buffers<T>,
    ) -> Result<(Panels<'b, T>, Panels<'b, T>)> {
        let reach = band.diagonals().last().map_or(0, |(offset, _)| *offset);
        let first = positions.start.saturating_sub(reach);
        let stretch = &self.members[first..(positions.end + reach).min(self.members.len())];
        let near = self.read(stretch, buffers)?;
        let own = &stretch[positions.start - first..positions.end - first];
        let x =
            self.in_frame(near.view().slice(s![positions.start - first..positions.end - first, ..]), own, buffers)?;
        let mut lx = buffers.sums(own.len(), self.frame.dim());
        lx.values_mut().fill(0.0);
        let near = near.view();
        for (g, mut out) in positions.zip(lx.view_mut().outer_iter_mut()) {
            let share = self.term.shares[self.members[g]];
            self.visit(g, |h, s| {
                let rows = (out.as_slice_mut(), near.row(g - first), near.row(h - first));
                if let (Some(out), Some(row), Some(other)) = (rows.0, rows.1.to_slice(), rows.2.to_slice()) {
                    add_difference(out, row, other, share * s * self.weights[h]);
                }
            });
        }
        Ok((x, self.scaled(lx.view(), buffers)))
    }

    /// The same for one piece of any graph.
    fn anywhere<'b>(&self, vertices: &[usize], buffers: &'b Buffers<T>) -> Result<(Panels<'b, T>, Panels<'b, T>)> {
        let raw = self.read(vertices, buffers)?;
        let x = self.in_frame(raw.view(), vertices, buffers)?;
        let group = |n: usize| self.term.grouping.group(n);
        let mut near: Vec<usize> = Vec::new();
        for &n in vertices {
            self.visit(group(n), |h, _| near.push(h));
        }
        near.sort_unstable();
        near.dedup();
        let mut lx = buffers.sums(vertices.len(), self.frame.dim());
        lx.values_mut().fill(0.0);
        let raw = raw.view();
        let mut from = 0;
        while from < near.len() {
            let (to, means) = self.means(&near, from, buffers)?;
            for ((&n, row), mut out) in vertices.iter().zip(raw.outer_iter()).zip(lx.view_mut().outer_iter_mut()) {
                self.visit(group(n), |h, s| {
                    if let Ok(at) = near[from..to].binary_search(&h) {
                        let factor = self.term.shares[n] * s * self.weights[h];
                        for ((o, x), m) in out.iter_mut().zip(row).zip(means.row(at)) {
                            *o += factor * (x.to_f64() - m);
                        }
                    }
                });
            }
            from = to;
        }
        Ok((x, self.scaled(lx.view(), buffers)))
    }

    /// Calls `f` with rows: where they lie, if that is in memory and one after the other, or copied.
    fn with_rows<A>(
        &self,
        vertices: &[usize],
        buffers: &Buffers<T>,
        f: impl FnOnce(ArrayView2<'_, T>) -> Result<A>,
    ) -> Result<A> {
        let in_order = vertices.is_sorted_by(|a, b| a + 1 == *b);
        match (T::matrix(self.samples), vertices) {
            (Some(matrix), [first, .., last]) if in_order => f(matrix.slice(s![*first..=*last, ..])),
            _ => f(self.read(vertices, buffers)?.view()),
        }
    }

    fn read<'b>(&self, vertices: &[usize], buffers: &'b Buffers<T>) -> Result<Buffer<'b, T>> {
        let mut rows = buffers.matrix(vertices.len(), self.frame.dim());
        T::read(self.samples, Rows::List(vertices), rows.view_mut())?;
        Ok(rows)
    }

    fn in_frame<'b>(
        &self,
        rows: ArrayView2<'_, T>,
        vertices: &[usize],
        buffers: &'b Buffers<T>,
    ) -> Result<Panels<'b, T>> {
        self.frame.pack(rows, &vec![1.0; vertices.len()], buffers, |k| vertices[k])
    }

    /// Differences in the scale of the frame, whose shift they do not have.
    fn scaled<'b>(&self, lx: ArrayView2<'_, f64>, buffers: &'b Buffers<T>) -> Panels<'b, T> {
        let scales = self.frame.scales();
        let mut out = Panels::unfilled(lx.nrows(), lx.ncols(), buffers);
        for (k, row) in lx.outer_iter().enumerate() {
            for p in 0..out.count() {
                let (at, out) = out.part_mut(k, p);
                let values = row.slice(s![at.clone()]);
                out.iter_mut().zip(values).zip(&scales[at]).for_each(|((o, l), c)| *o = T::from_f64(l * c));
            }
        }
        out
    }

    /// Means of the groups `near[from..to]`, as many as fit.
    fn means(&self, near: &[usize], from: usize, buffers: &Buffers<T>) -> Result<(usize, Array2<f64>)> {
        let mut to = from;
        let mut rows: Vec<usize> = Vec::new();
        while to < near.len() && (to == from || rows.len() < NEIGHBORS) {
            rows.extend(&self.members[self.starts[near[to]]..self.starts[near[to] + 1]]);
            to += 1;
        }
        let values = self.read(&rows, buffers)?;
        let values = values.view();
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

vectorized! {
    /// `out += factor·(x − y)`.
    fn add_difference<T: Real>(out: &mut [f64], x: &[T], y: &[T], factor: f64) {
        for ((o, x), y) in out.iter_mut().zip(x).zip(y) {
            *o += factor * (x.to_f64() - y.to_f64());
        }
    }
}
