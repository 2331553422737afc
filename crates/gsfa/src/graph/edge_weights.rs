//! Γ itself: listed row by row, or between some vertices as a matrix. For analysis and other programs; training never
//! looks at single edges.

use ndarray::Array2;
use rayon::prelude::*;

use super::{Coupling, EdgeTerm, Sparse, TrainingGraph};
use crate::{Error, Result, memory};

/// Rows listed at a time, and pairs looked at: what is held twice.
const ROWS: usize = 256;
const PAIRS: usize = 1 << 22;

/// A column and a weight.
const ENTRY: usize = size_of::<u32>() + size_of::<f64>();

impl TrainingGraph {
    /// All edges as compressed rows, both directions of each; sums that cancelled to round-off are no edges.
    ///
    /// Costs what is listed, where groups are coupled; low-rank couplings and the uniform part connect all pairs, so that
    /// all are looked at.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the edges do not fit into memory.
    pub fn edge_list(&self) -> Result<Sparse> {
        let neighbors = Neighbors::of(self);
        let step = if neighbors.is_none() { (PAIRS / self.len()).clamp(1, ROWS) } else { ROWS };
        let mut list = Sparse::empty();
        for first in (0..self.len()).step_by(step) {
            let rows: Vec<Vec<(u32, f64)>> = (first..(first + step).min(self.len()))
                .into_par_iter()
                .map(|n| self.listed_row(n, neighbors.as_deref()))
                .collect();
            if first == 0 {
                // All rows are about as long as the first ones.
                let entries: usize = rows.iter().map(Vec::len).sum();
                fits(entries.saturating_mul(ENTRY) / rows.len(), self.len())?;
            }
            list.try_reserve(rows.iter().map(Vec::len).sum()).map_err(|_| too_many(self.len()))?;
            rows.iter().for_each(|row| list.push_row(row));
        }
        Ok(list)
    }

    fn listed_row(&self, n: usize, neighbors: Option<&[Neighbors<'_>]>) -> Vec<(u32, f64)> {
        let weighted = |m: u32| Some((m, self.listed_weight(n, m as usize))).filter(|(_, w)| *w != 0.0);
        let Some(neighbors) = neighbors else {
            return (0..self.len() as u32).filter_map(weighted).collect();
        };
        let mut near: Vec<u32> = neighbors.iter().flat_map(|term| term.at(n)).collect();
        near.sort_unstable();
        near.dedup();
        near.into_iter().filter_map(weighted).collect()
    }

    /// $\gamma_{n,m}$ with the same last digit as $\gamma_{m,n}$.
    fn listed_weight(&self, n: usize, m: usize) -> f64 {
        self.clean_edge_weight(n.min(m), n.max(m))
    }

    /// Γ between some vertices, in their order; 0 where the terms of a sum cancelled to round-off.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there is no such vertex, or the matrix does not fit into memory.
    pub fn edge_matrix(&self, vertices: &[usize]) -> Result<Array2<f64>> {
        if let Some(bad) = vertices.iter().find(|v| **v >= self.len()) {
            let reason = format!("there are {} vertices, numbered from 0", self.len());
            return Err(Error::parameter("vertices", bad, reason));
        }
        let size = vertices.len();
        let mut values: Vec<f64> = Vec::new();
        fits(size.saturating_mul(size_of::<f64>()), size)?;
        let count = size.checked_mul(size).ok_or_else(|| too_many(size))?;
        values.try_reserve_exact(count).map_err(|_| too_many(size))?;
        values.resize(count, 0.0);
        values.par_chunks_mut(size.max(1)).zip(vertices).for_each(|(row, &n)| {
            row.iter_mut().zip(vertices).for_each(|(weight, &m)| *weight = self.listed_weight(n, m));
        });
        Array2::from_shape_vec((size, size), values).map_err(|_| too_many(size))
    }
}

/// Whether so many rows of so many bytes fit into memory.
fn fits(row: usize, rows: usize) -> Result<()> {
    memory::require(row.saturating_mul(rows)).map_err(|_| too_many(rows))
}

fn too_many(vertices: usize) -> Error {
    let reason = format!("the edges of {vertices} vertices do not fit into memory");
    Error::parameter("vertices", vertices, reason)
}

/// Where one term of Γ may have edges.
struct Neighbors<'a> {
    term: &'a EdgeTerm,
    members: Vec<u32>,
    starts: Vec<usize>,
}

impl<'a> Neighbors<'a> {
    /// Those of all terms; `None` if every pair may be connected.
    fn of(graph: &'a TrainingGraph) -> Option<Vec<Self>> {
        let everywhere = |term: &EdgeTerm| matches!(term.coupling, Coupling::LowRank(_));
        if graph.uniform() != 0.0 || graph.terms().iter().any(everywhere) {
            return None;
        }
        let of = |term: &'a EdgeTerm| {
            let (members, starts) = term.grouping.members();
            Self { term, members, starts }
        };
        Some(graph.terms().iter().map(of).collect())
    }

    fn at(&self, n: usize) -> Vec<u32> {
        let mut near = if self.term.loops.is_some() { vec![n as u32] } else { Vec::new() };
        let g = self.term.grouping.group(n);
        self.term.coupling.visit_row(g, |h| near.extend(&self.members[self.starts[h]..self.starts[h + 1]]));
        near
    }
}
