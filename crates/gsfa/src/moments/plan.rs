//! Which sums over the samples a graph needs.

use crate::graph::{Coupling, EdgeTerm, TrainingGraph};
use crate::linalg::tolerance;

/// Up to this many groups (or the number of inputs, if that is larger) sums are kept per group.
const FEW_GROUPS: usize = 256;

/// Up to this many columns a thin product is no slower than adding each sample to the sum of its group.
const FEW_COLUMNS: usize = 4;

/// How a term of the edge weights enters the sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// $\sum_n a_n x_n$ for each group.
    Groups,
    /// $\sum_n a_n t_{g(n),j} x_n$ for each column j of a low-rank coupling.
    Columns,
    /// $Z^T L Z$ from differences of connected samples.
    Laplacian,
}

/// The sums that a graph needs besides Q, Σvx and Σvxxᵀ.
///
/// $R\dot C = 2 Z^T L Z$ with $L = \mathrm{Diag}(\Gamma 1) - \Gamma$, which is a sum over the terms of Γ in which
/// self-loops cancel. Terms kept by group or column contribute $Z^T\mathrm{Diag}(w)Z - (Z^TF)S(Z^TF)^T$, where w are
/// their degrees without self-loops. In consistent graphs $w = c\,v$, and the first part is $cQ\,C$; otherwise
/// $w - c\,v$ weighs a second covariance.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub graph: TrainingGraph,
    pub kinds: Vec<Kind>,
    /// c.
    pub proportion: f64,
    /// w − c v, unless it is round-off.
    pub second: Option<Vec<f64>>,
}

impl Plan {
    pub fn new(graph: &TrainingGraph, dim: usize) -> Self {
        let kinds: Vec<Kind> = graph.terms().iter().map(|term| kind(term, dim)).collect();
        let v = graph.vertex_weights();
        let mut weights: Vec<f64> = v.iter().map(|v| graph.uniform() * graph.q() * v).collect();
        let mut magnitude: Vec<f64> = weights.iter().map(|w| w.abs()).collect();
        for (term, _) in graph.terms().iter().zip(&kinds).filter(|(_, kind)| **kind != Kind::Laplacian) {
            for ((w, m), d) in weights.iter_mut().zip(&mut magnitude).zip(degrees_without_loops(term)) {
                *w += d;
                *m += d.abs();
            }
        }
        let proportion = weights.iter().sum::<f64>() / graph.q();
        let rest: Vec<f64> = weights.iter().zip(v).map(|(w, v)| w - proportion * v).collect();
        let allowed = tolerance::consistency(v.len());
        let mean_weight = graph.q() / v.len() as f64;
        let round_off = rest.iter().zip(&magnitude).zip(v).all(|((e, m), v)| {
            // The share of the mean: where nothing is attached to a vertex its own weights give no scale. Labels of light
            // vertices are large, up to the inverse root of their weight, and so is their round-off.
            e.abs() <= allowed * (m + proportion.abs() * v.max((v * mean_weight).sqrt()))
        });
        Self { graph: graph.clone(), kinds, proportion, second: (!round_off).then_some(rest) }
    }

    /// Other weights of some rows, divided by their vertex weights.
    pub fn ratios(&self, weights: &[f64], rows: std::ops::Range<usize>) -> Vec<f64> {
        let v = &self.graph.vertex_weights()[rows.clone()];
        weights[rows].iter().zip(v).map(|(w, v)| w / v).collect()
    }

    pub fn needs_random_access(&self) -> bool {
        self.kinds.contains(&Kind::Laplacian)
    }

    /// The term whose groups are classes.
    pub fn class_term(&self) -> Option<(&EdgeTerm, Kind)> {
        match (self.graph.classes(), self.graph.terms(), &self.kinds[..]) {
            (Some(_), [term], [kind]) => Some((term, *kind)),
            _ => None,
        }
    }

    /// The same, if its sums are not by class: those are kept beside them.
    pub fn extra_classes(&self) -> Option<&EdgeTerm> {
        self.class_term().filter(|(_, kind)| *kind == Kind::Columns).map(|(term, _)| term)
    }

    /// Terms that are kept as sums per group or column, and how many sums each has.
    pub fn factors(&self) -> impl Iterator<Item = (&EdgeTerm, Kind, usize)> {
        self.graph.terms().iter().zip(&self.kinds).filter(|(_, kind)| **kind != Kind::Laplacian).map(|(term, &kind)| {
            let sums = match (kind, &term.coupling) {
                (Kind::Columns, Coupling::LowRank(low)) => low.values.len(),
                _ => term.grouping.count(),
            };
            (term, kind, sums)
        })
    }
}

fn kind(term: &EdgeTerm, dim: usize) -> Kind {
    let groups = term.grouping.count();
    let few = groups <= FEW_GROUPS.max(dim);
    match &term.coupling {
        Coupling::LowRank(low) if !few || low.values.len() <= FEW_COLUMNS.min(groups) => Kind::Columns,
        Coupling::Banded(_) | Coupling::Sparse(_) if !few => Kind::Laplacian,
        _ => Kind::Groups,
    }
}

/// $a_n \sum_h S_{g(n),h} A_h$ with $A_h$ the sum of shares of group h.
fn degrees_without_loops(term: &EdgeTerm) -> impl Iterator<Item = f64> + '_ {
    let sums = term.grouping.sums(&term.shares);
    let mut coupled = vec![0.0; sums.len()];
    term.coupling.multiply_add(&sums, &mut coupled);
    term.grouping.of_vertex().iter().zip(&term.shares).map(move |(&g, a)| a * coupled[g as usize])
}
