//! Self-loops: what they weigh, what noise looks like because of them, and graphs without them.

use super::{Banded, Coupling, EdgeTerm, Grouping, TrainingGraph};
use crate::Result;

impl TrainingGraph {
    /// $\gamma_{n,n}$ for every vertex.
    pub fn self_loops(&self) -> Vec<f64> {
        (0..self.len()).map(|n| self.edge_weight(n, n)).collect()
    }

    /// The expected Δ of a feature of independent noise with zero mean and unit variance:
    /// $2(R - \mathrm{trace}\,\Gamma)/R$.
    pub fn expected_noise_delta(&self) -> f64 {
        2.0 * (self.r() - self.self_loops().iter().sum::<f64>()) / self.r()
    }

    /// The expected Δ of a random *feasible* feature: noise that was then given weighted zero mean and unit variance.
    ///
    /// Such features are uniform on the sphere of the N−1 feasible directions, so this is the mean Δ of all free
    /// responses, $\frac{2Q}{R}\sum_n ((\Gamma 1)_n - \gamma_{n,n})/v_n \,/\, (N-1)$; for consistent graphs
    /// $2 - \frac{2Q}{R}(\mathrm{trace}\,M - R/Q)/(N-1)$.
    pub fn expected_feasible_noise_delta(&self) -> f64 {
        let loops = self.self_loops();
        let trace: f64 =
            self.degrees().iter().zip(&loops).zip(self.vertex_weights()).map(|((d, l), v)| (d - l) / v).sum();
        2.0 * self.q() / self.r() * trace / (self.len() - 1) as f64
    }

    /// The same graph without self-loops: features and free responses stay, Δ grows by R/R'; consistency may be lost.
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
        let graph = Self::new(self.vertex_weights().to_vec(), terms, self.uniform())?;
        Ok(graph.with_notes(self.notes().iter().cloned()))
    }
}

fn no_edges(vertices: usize) -> EdgeTerm {
    EdgeTerm {
        grouping: Grouping::one(vertices),
        shares: vec![1.0; vertices],
        coupling: Coupling::Banded(Banded::new(1, Vec::new())),
        loops: None,
    }
}
