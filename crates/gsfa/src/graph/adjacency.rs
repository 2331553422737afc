//! The listed edges between cells, where there are few enough to list.

use super::quotient::{CellTerm, Quotient};
use super::{Coupling, Sparse};
use crate::linalg::tolerance;

/// Most entries that are listed: beyond it the structured product is cheaper than the list.
const MOST_ENTRIES: usize = 60_000_000;

/// The edges between different cells with a weight other than zero, or `None` if a term is of low rank or they are too
/// many. Where several terms cancel to round-off there is no edge.
pub(crate) fn adjacency(quotient: &Quotient) -> Option<Sparse> {
    listed(&quotient.terms.iter().collect::<Vec<_>>(), quotient.count())
}

/// The same for some terms over so many cells.
pub(crate) fn listed(terms: &[&CellTerm<'_>], cells: usize) -> Option<Sparse> {
    let mut entries: Vec<(u32, u32, f64)> = Vec::new();
    for term in terms {
        if matches!(term.coupling, Coupling::LowRank(_)) {
            return None;
        }
        let (list, starts) = term.grouping.members();
        let members = |g: usize| &list[starts[g]..starts[g + 1]];
        let mut total = entries.len();
        term.coupling.visit_upper(|g, h, s| {
            if s != 0.0 {
                let pairs = members(g).len().saturating_mul(members(h).len());
                total = total.saturating_add(pairs.saturating_mul(if g == h { 1 } else { 2 }));
            }
        })?;
        if total > MOST_ENTRIES {
            return None;
        }
        entries.reserve(total - entries.len());
        term.coupling.visit_upper(|g, h, s| {
            if s == 0.0 {
                return;
            }
            for &i in members(g) {
                for &j in members(h) {
                    let w = s * term.shares[i as usize] * term.shares[j as usize];
                    if i != j {
                        entries.push((i, j, w));
                    }
                    if g != h {
                        entries.push((j, i, w));
                    }
                }
            }
        })?;
    }
    if terms.len() > 1 {
        entries = without_cancelled(terms.len(), cells, entries);
    }
    Some(Sparse::trusted(cells, entries))
}

fn without_cancelled(terms: usize, cells: usize, entries: Vec<(u32, u32, f64)>) -> Vec<(u32, u32, f64)> {
    let magnitudes: Vec<(u32, u32, f64)> = entries.iter().map(|&(i, j, w)| (i, j, w.abs())).collect();
    let sums = Sparse::trusted(cells, entries);
    let magnitudes = Sparse::trusted(cells, magnitudes);
    let mut kept = Vec::with_capacity(sums.stored());
    for i in 0..cells {
        for ((j, w), (_, size)) in sums.row(i).zip(magnitudes.row(i)) {
            if w.abs() > tolerance::edge(terms) * size {
                kept.push((i as u32, j as u32, w));
            }
        }
    }
    kept
}
