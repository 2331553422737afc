//! Self-loops: what they weigh, and graphs without them.

use super::{Banded, Coupling, EdgeTerm, Grouping, TrainingGraph};
use crate::Result;

impl TrainingGraph {
    /// $\gamma_{n,n}$ for every vertex.
    pub fn self_loops(&self) -> Vec<f64> {
        (0..self.len()).map(|n| self.edge_weight(n, n)).collect()
    }

    /// The same graph without self-loops: features and free responses stay, Δ grows by R/R'; consistency may be lost.
    ///
    /// Target labels stay what they were, with the eigenvalues that they were given.
    ///
    /// # Errors
    /// If nothing is left.
    pub fn without_self_loops(&self) -> Result<Self> {
        let own = self.self_loops();
        let mut terms = self.terms().to_vec();
        if terms.is_empty() {
            terms.push(no_edges(self.len()));
        }
        let loops = terms[0].loops.get_or_insert_with(|| vec![0.0; own.len()]);
        for (d, l) in loops.iter_mut().zip(&own) {
            *d -= l;
        }
        Ok(Self::new(self.vertex_weights().to_vec(), terms, self.uniform())?.like(self))
    }
}

fn no_edges(vertices: usize) -> EdgeTerm {
    EdgeTerm {
        grouping: Grouping::one(vertices),
        shares: vec![1.0; vertices],
        coupling: Coupling::Banded(Banded::trusted(1, Vec::new())),
        loops: None,
    }
}
