//! Sums of which a part was subtracted: the graph of the remaining samples follows from them.

use ndarray::Array2;

use super::Covariance;
use super::centered::{Centered, Coupled, GraphScale};
use super::plan::Kind;
use crate::graph::{Coupling, EdgeTerm, LowRank};
use crate::linalg::cholesky::{cholesky_in_place_lower, solve_lower};
use crate::linalg::tolerance;
use crate::samples::SampleType;
use crate::{Error, Result};

impl<T: SampleType> Covariance<T> {
    /// Centres the sums as if the graph had been built from the rows added so far, and not subtracted, alone.
    ///
    /// Exact for graphs whose shares are the vertex weights and that consist of target labels (ELL, compact) or of
    /// clusters with self-loops: labels are centred, normalised and decorrelated anew on the remaining samples, in their
    /// order, and weights within a cluster follow its new total. This makes exact cross-validation of a flat node:
    /// all sums, minus those of a fold.
    ///
    /// # Errors
    /// [`Error::NotSeparable`] for other graphs, and if a label depends on earlier ones in the remaining samples.
    pub fn finish_remaining(self) -> Result<Centered> {
        let refused = |reason| Err(Error::NotSeparable { reason });
        let graph = self.plan.graph.clone();
        if self.plan.second.is_some() || self.plan.needs_random_access() {
            return refused("it is not a consistent graph over groups or labels");
        }
        if graph.terms().iter().any(|term| term.loops.is_some() || !shares_are_weights(term, graph.vertex_weights())) {
            return refused("its vertices do not act with their vertex weights alone");
        }
        if self.rows.len() < 2 {
            return Err(Error::TooFewSamples { needed: 2, got: self.rows.len() });
        }
        let v = graph.vertex_weights();
        let q: f64 = self.rows.iter().map(|n| v[n]).sum();
        let mut coupled = Vec::new();
        for (term, kind, _) in self.plan.factors() {
            // Shares are proportional to v; their factor is part of the coupling.
            let mut weights = vec![0.0; term.grouping.count()];
            self.rows.iter().for_each(|n| weights[term.grouping.group(n)] += term.shares[n]);
            coupled.push(match &term.coupling {
                Coupling::LowRank(low) => labels(low, kind, &weights, graph.q() / q)?,
                Coupling::Banded(band) if band.diagonals().iter().all(|(offset, _)| *offset == 0) => {
                    let all = term.grouping.sums(&term.shares);
                    let diagonal = band.diagonal(0).unwrap_or_default();
                    let entry = |(g, s): (usize, &f64)| (weights[g] > 0.0).then(|| (g, g, s * all[g] / weights[g]));
                    Coupled::Groups(diagonal.iter().enumerate().filter_map(entry).collect())
                }
                _ => return refused("edges between groups depend on the sizes of both"),
            });
        }
        let r = self.plan.proportion * q;
        self.center(GraphScale { q, r, coupled })
    }
}

pub(super) fn shares_are_weights(term: &EdgeTerm, v: &[f64]) -> bool {
    let ratio = term.shares[0] / v[0];
    let allowed = tolerance::consistency(v.len());
    term.shares.iter().zip(v).all(|(a, v)| (a - ratio * v).abs() <= allowed * a)
}

/// Labels centred and decorrelated on groups of the given weights.
fn labels(low: &LowRank, kind: Kind, weights: &[f64], growth: f64) -> Result<Coupled> {
    let (t, count) = (&low.columns, low.values.len());
    let total: f64 = weights.iter().sum();
    let mean: Vec<f64> =
        (0..count).map(|j| t.column(j).iter().zip(weights).map(|(t, w)| t * w).sum::<f64>() / total).collect();
    let mut gram = Array2::<f64>::zeros((count, count));
    for (row, &weight) in t.outer_iter().zip(weights).filter(|(_, w)| **w > 0.0) {
        for i in 0..count {
            for j in 0..=i {
                gram[[i, j]] += weight / total * (row[i] - mean[i]) * (row[j] - mean[j]);
            }
        }
    }
    let variances = gram.diag().to_owned();
    let independent = cholesky_in_place_lower(&mut gram)
        && (gram.diag().iter().zip(&variances)).all(|(l, c)| *l > tolerance::DEPENDENT_LABEL * c.sqrt());
    if !independent {
        return Err(Error::NotSeparable {
            reason: "a target label depends on earlier ones without the samples left out",
        });
    }
    // ℓ' = (ℓ − mean) L⁻ᵀ; the mean falls out of sums over centred samples.
    let mut inverse = Array2::eye(count);
    solve_lower(gram.view(), &mut inverse);
    let inverse = inverse.reversed_axes();
    let transform = if kind == Kind::Groups { t.dot(&inverse) } else { inverse };
    let values = low.values.iter().map(|v| v * growth).collect();
    Ok(Coupled::Labels { transform: Some(transform), values, deviations: vec![1.0; count] })
}
