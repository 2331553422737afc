//! Samples dealt to the folds of a cross-validation.

use std::ops::Range;

use ndarray::{Array2, ArrayView1};
use rayon::prelude::*;

use crate::graph::{EdgeTerm, Grouping, TrainingGraph};
use crate::linalg::Real;
use crate::samples::{Rows, SampleType, Samples};
use crate::{Error, Result};

/// Rows that are read at a time.
const ROWS: usize = 512;

/// A number that is the same for copies of a row and different for others: a combination of its values with fixed factors,
/// the fractional parts of multiples of the golden ratio less a half. Other than a hash it hardly changes when values
/// change by round-off.
pub(crate) fn row_key<T: Real>(row: ArrayView1<'_, T>) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    (1_u32..).zip(row).map(|(j, x)| x.to_f64() * ((f64::from(j) * GOLDEN).fract() - 0.5)).sum()
}

/// Deals `sorted` items to `folds` piles in turn; neighbours that are `same` go to the same pile.
pub(crate) fn deal(sorted: &[usize], folds: usize, same: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut piles = vec![Vec::new(); folds];
    let mut turn = 0;
    for (k, &item) in sorted.iter().enumerate() {
        if k > 0 && !same(sorted[k - 1], item) {
            turn = (turn + 1) % folds;
        }
        piles[turn].push(item);
    }
    piles
}

/// Vertices in a new order: fold after fold, then those that are never left out, because they have no labels.
pub(super) struct Dealt {
    pub order: Vec<usize>,
    sizes: Vec<usize>,
}

impl Dealt {
    /// Vertices in the order of their groups, dealt in turn.
    pub fn new<T: SampleType>(samples: &dyn Samples, graph: &TrainingGraph, folds: usize) -> Result<Self> {
        let keys = row_keys::<T>(samples)?;
        let group = |n: usize| graph.terms().first().map_or(0, |term| term.grouping.group(n));
        // Groups may be numbered as they first occur; their smallest keys do not depend on the order of the samples.
        let mut first = vec![f64::INFINITY; 1 + (0..graph.len()).map(group).max().unwrap_or(0)];
        (0..graph.len()).for_each(|n| first[group(n)] = first[group(n)].min(keys[n]));
        let rank = |n: usize| (first[group(n)], group(n), keys[n]);
        let mut labelled = vec![true; graph.len()];
        graph.unlabelled().iter().for_each(|&n| labelled[n] = false);
        let mut sorted: Vec<usize> = (0..graph.len()).filter(|&n| labelled[n]).collect();
        sorted.sort_by(|&a, &b| {
            let (a, b) = (rank(a), rank(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2))
        });
        let piles = deal(&sorted, folds, |a, b| group(a) == group(b) && keys[a] == keys[b]);
        Ok(Self::of_piles(&piles, graph.unlabelled()))
    }

    /// The vertices of given folds; those of no fold are never left out.
    pub fn given(of_vertex: &[Option<usize>], folds: usize) -> Self {
        let pile = |fold: Option<usize>| (0..of_vertex.len()).filter(|&n| of_vertex[n] == fold).collect::<Vec<usize>>();
        let piles: Vec<Vec<usize>> = (0..folds).map(|fold| pile(Some(fold))).collect();
        Self::of_piles(&piles, &pile(None))
    }

    fn of_piles(piles: &[Vec<usize>], others: &[usize]) -> Self {
        let mut order = piles.concat();
        order.extend(others);
        Self { sizes: piles.iter().map(Vec::len).collect(), order }
    }

    /// The places of the folds in the order.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        let mut from = 0;
        let range = |size: &usize| {
            from += size;
            from - size..from
        };
        self.sizes.iter().map(range).collect()
    }

    /// The places of vertices that are never left out.
    pub fn others(&self) -> Range<usize> {
        self.sizes.iter().sum()..self.order.len()
    }

    /// The graph of the vertices in the new order.
    pub fn graph(&self, graph: &TrainingGraph) -> Result<TrainingGraph> {
        let pick = |values: &[f64]| self.order.iter().map(|&n| values[n]).collect::<Vec<f64>>();
        let term = |term: &EdgeTerm| {
            let groups = self.order.iter().map(|&n| term.grouping.of_vertex()[n]).collect();
            EdgeTerm {
                grouping: Grouping::trusted(groups, term.grouping.count()),
                shares: pick(&term.shares),
                coupling: term.coupling.clone(),
                loops: None,
            }
        };
        let terms = graph.terms().iter().map(term).collect();
        TrainingGraph::new(pick(graph.vertex_weights()), terms, graph.uniform())
    }

    /// An error about a row, in the order of the caller.
    pub fn original_row(&self, error: Error) -> Error {
        error.with_rows(|row| self.order[row])
    }
}

/// The key of every sample.
pub(crate) fn row_keys<T: SampleType>(samples: &dyn Samples) -> Result<Vec<f64>> {
    let starts: Vec<usize> = (0..samples.len()).step_by(ROWS).collect();
    let block = |&from: &usize| {
        let rows = from..(from + ROWS).min(samples.len());
        let mut block = Array2::from_elem((rows.len(), samples.dim()), T::default());
        T::read(samples, Rows::Range(rows), block.view_mut())?;
        Ok(block.outer_iter().map(row_key).collect())
    };
    let blocks: Vec<Result<Vec<f64>>> = starts.par_iter().map(block).collect();
    Ok(blocks.into_iter().collect::<Result<Vec<_>>>()?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn copies_go_to_one_pile_and_others_in_turn() {
        let x = array![[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [0.0, 0.0]];
        let keys: Vec<f64> = x.outer_iter().map(row_key).collect();
        assert_eq!(keys[0], keys[2]);
        assert!(keys[0] != keys[1] && keys[1] != keys[3]);
        assert_eq!(deal(&[0, 2, 1, 3], 2, |a, b| keys[a] == keys[b]), [vec![0, 2, 3], vec![1]]);
        assert_eq!(deal(&[], 2, |_, _| true), [vec![], vec![]] as [Vec<usize>; 2]);
    }
}
