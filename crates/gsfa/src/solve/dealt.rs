//! Samples dealt to the folds of a cross-validation.

use std::ops::Range;

use crate::graph::{EdgeTerm, Grouping, TrainingGraph};
use crate::samples::Samples;
use crate::select::{Folds, row_keys};
use crate::{Error, Result};

/// Vertices in a new order: fold after fold, then those that are never left out, because they have no labels.
pub(super) struct Dealt {
    pub order: Vec<usize>,
    sizes: Vec<usize>,
    /// How many folds, the first ones, are left out in turn.
    pub judged: usize,
}

impl Dealt {
    /// Vertices dealt by groups and content.
    pub fn new(samples: &dyn Samples, graph: &TrainingGraph, folds: usize) -> Result<Self> {
        let dealt = Folds::of_graph(graph, &row_keys(samples)?, folds);
        Ok(match dealt {
            Some(dealt) => Self::given(dealt.of_sample(), dealt.count(), dealt.count()),
            None => Self::of_piles(&[(0..graph.len()).collect()], &[], 0),
        })
    }

    /// The vertices of given folds, of which the first `judged` are left out in turn; those of no fold have no labels.
    pub fn given(of_vertex: &[Option<usize>], folds: usize, judged: usize) -> Self {
        let pile = |fold: Option<usize>| (0..of_vertex.len()).filter(|&n| of_vertex[n] == fold).collect::<Vec<usize>>();
        let piles: Vec<Vec<usize>> = (0..folds).map(|fold| pile(Some(fold))).collect();
        Self::of_piles(&piles, &pile(None), judged)
    }

    fn of_piles(piles: &[Vec<usize>], others: &[usize], judged: usize) -> Self {
        let mut order = piles.concat();
        order.extend(others);
        Self { sizes: piles.iter().map(Vec::len).collect(), order, judged }
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
