//! The smallest edge weight, and elimination of negative ones `[eq:non_negative_weights]`.

use ndarray::{Array2, s};
use rayon::prelude::*;

use super::{Coupling, EdgeTerm, LowRank, TrainingGraph};
use crate::Result;
use crate::linalg::{multiply_into, tolerance};

/// Rows of a block of label rows compared at a time: 512² products of 2 MB, whatever the number of rows.
const BLOCK: usize = 512;

/// The smallest edge weight of a graph and where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmallestEdge {
    /// γ.
    pub weight: f64,
    /// The two vertices; the same one for a self-loop.
    pub vertices: (usize, usize),
}

impl TrainingGraph {
    /// The smallest weight of all edges there are (pairs with γ ≠ 0), self-loops included.
    ///
    /// Sums that cancelled to round-off are no edges. Exact; the cost is that of the stored couplings, $O(U^2 r)$ for a
    /// low-rank coupling of U distinct label rows, $O(N^2)$ for sums of different graphs, with little memory always.
    pub fn smallest_edge(&self) -> SmallestEdge {
        let edge = self.extremes().edge;
        SmallestEdge { weight: edge.0, vertices: edge.1 }
    }

    /// $c = \max(0, \max_{n,n'} -\gamma_{n,n'} / (v_n v_{n'}))$: the uniform weight that makes all edges non-negative.
    pub fn negative_excess(&self) -> f64 {
        (-self.extremes().ratio).max(0.0)
    }

    /// The same graph without negative edges, $\Gamma' = (\Gamma + c\,v v^T) / (1 + cQ^2/R)$.
    ///
    /// Features, free responses and their order stay; $\Delta' = (\Delta + 2cQ^2/R) / (1 + cQ^2/R)$, so noise stays
    /// at Δ = 2. Training never needs this step; it is for analysis, drawing and random walks. Target labels keep their
    /// order: $\lambda_j' = \lambda_j / (1 + cQ^2/R)$, $\lambda_0' = \lambda_0$.
    ///
    /// # Errors
    /// None for graphs that were built; the result is checked like any graph.
    pub fn without_negative_edges(&self) -> Result<Self> {
        let c = self.negative_excess();
        let scale = 1.0 / (1.0 + c * self.q() * self.q() / self.r());
        let terms = self.terms().iter().map(|term| term.clone().scaled(scale)).collect();
        let graph = Self::new(self.vertex_weights().to_vec(), terms, (self.uniform() + c) * scale)?.like(self);
        Ok(match self.targets().cloned() {
            Some(mut targets) => {
                targets.eigenvalues.values.iter_mut().for_each(|lambda| *lambda *= scale);
                graph.with_targets(targets)
            }
            None => graph,
        })
    }

    fn extremes(&self) -> Extremes {
        match self.terms() {
            [term] => match GroupedRatios::new(self, term) {
                Some(groups) if self.uniform() == 0.0 || matches!(term.coupling, Coupling::LowRank(_)) => {
                    groups.extremes(self, term)
                }
                _ => self.extremes_of_rows(),
            },
            _ => self.extremes_of_rows(),
        }
    }

    /// All pairs, row by row.
    fn extremes_of_rows(&self) -> Extremes {
        let v = self.vertex_weights();
        let row = |n: usize| {
            let mut found = Extremes::NONE;
            for m in n..self.len() {
                let weight = self.clean_edge_weight(n, m);
                found.see(weight / (v[n] * v[m]), weight, (n, m));
            }
            found
        };
        (0..self.len()).into_par_iter().map(row).reduce(|| Extremes::NONE, Extremes::merge)
    }
}

/// The smallest γ/(v v') over all pairs (0 where there is no edge) and the smallest γ over all edges.
#[derive(Debug, Clone, Copy)]
struct Extremes {
    ratio: f64,
    edge: (f64, (usize, usize)),
}

impl Extremes {
    const NONE: Self = Self { ratio: f64::INFINITY, edge: (f64::INFINITY, (0, 0)) };

    fn see(&mut self, ratio: f64, weight: f64, vertices: (usize, usize)) {
        self.ratio = self.ratio.min(ratio);
        if weight != 0.0 {
            let vertices = (vertices.0.min(vertices.1), vertices.0.max(vertices.1));
            if (weight, vertices) < self.edge {
                self.edge = (weight, vertices);
            }
        }
    }

    /// A ratio from which on no pair can change what was found, given the lightest and the heaviest vertex.
    fn threshold(&self, light: f64, heavy: f64) -> f64 {
        let v = if self.edge.0 < 0.0 { heavy } else { light };
        self.ratio.max(self.edge.0 / (v * v))
    }

    fn merge(self, other: Self) -> Self {
        let edge = if other.edge < self.edge { other.edge } else { self.edge };
        Self { ratio: self.ratio.min(other.ratio), edge }
    }
}

/// For graphs of one term whose shares are proportional to v within each group: $a_n = \rho_g v_n$. Then
/// $\gamma_{n,n'} = v_n v_{n'} (\rho_g \rho_h S_{gh} + u)$ and the extremes over a pair of groups are at their
/// lightest or heaviest members.
struct GroupedRatios {
    /// ρ per group.
    rho: Vec<f64>,
    /// The two lightest members of each group and the two heaviest; the second of each is `None` in singletons.
    lightest: Vec<(u32, Option<u32>)>,
    heaviest: Vec<(u32, Option<u32>)>,
}

impl GroupedRatios {
    fn new(graph: &TrainingGraph, term: &EdgeTerm) -> Option<Self> {
        let v = graph.vertex_weights();
        let count = term.grouping.count();
        let mut rho = vec![f64::NAN; count];
        let mut lightest: Vec<(u32, Option<u32>)> = vec![(u32::MAX, None); count];
        let mut heaviest = lightest.clone();
        for (n, &g) in term.grouping.of_vertex().iter().enumerate() {
            let g = g as usize;
            let here = term.shares[n] / v[n];
            if rho[g].is_nan() {
                rho[g] = here;
            } else if (rho[g] - here).abs() > tolerance::edge(1) * here {
                return None;
            }
            insert(&mut lightest[g], n as u32, |a, b| v[a as usize] < v[b as usize]);
            insert(&mut heaviest[g], n as u32, |a, b| v[a as usize] > v[b as usize]);
        }
        Some(Self { rho, lightest, heaviest })
    }

    fn extremes(&self, graph: &TrainingGraph, term: &EdgeTerm) -> Extremes {
        let v = graph.vertex_weights();
        let mut found = match &term.coupling {
            Coupling::LowRank(low_rank) => self.low_rank(low_rank, graph.uniform(), v),
            stored => {
                let mut found = Extremes::NONE;

                stored.visit_upper(|g, h, s| {
                    self.see_pair(&mut found, g, h, self.rho[g] * self.rho[h] * s, v);
                });
                // Some pair of vertices is without an edge, or the diagonal below says what the smallest ratio is.
                found.ratio = found.ratio.min(0.0);
                found
            }
        };
        for (n, &vn) in v.iter().enumerate() {
            let weight = graph.clean_edge_weight(n, n);
            found.see(weight / (vn * vn), weight, (n, n));
        }
        found
    }

    /// Looks at the pairs of *different* vertices of groups g and h, whose common γ/(v v') is `ratio`.
    fn see_pair(&self, found: &mut Extremes, g: usize, h: usize, ratio: f64, v: &[f64]) {
        let side = if ratio < 0.0 { &self.heaviest } else { &self.lightest };
        let other = if g == h { side[g].1 } else { Some(side[h].0) };
        if let Some(other) = other {
            let (n, m) = (side[g].0 as usize, other as usize);
            found.see(ratio, ratio * v[n] * v[m], (n, m));
        }
    }

    /// All pairs of label rows, in blocks.
    fn low_rank(&self, low_rank: &LowRank, uniform: f64, v: &[f64]) -> Extremes {
        let rows = low_rank.columns.nrows();
        let scaled = Array2::from_shape_fn(low_rank.columns.dim(), |(g, j)| self.rho[g] * low_rank.columns[[g, j]]);
        let weighted = Array2::from_shape_fn(scaled.dim(), |(g, j)| scaled[[g, j]] * low_rank.values[j]);
        // Σ|λ t t'| ≤ ‖√|λ| t‖ ‖√|λ| t'‖ bounds the size of what cancelled.
        let norm = |g: usize| {
            let squares = scaled.row(g).iter().zip(&low_rank.values).map(|(t, l)| l.abs() * t * t).sum::<f64>();
            squares.sqrt()
        };
        let norms: Vec<f64> = (0..rows).map(norm).collect();
        let tolerance = tolerance::edge(low_rank.values.len() + 1);
        let (light, heavy) = v.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), &v| (l.min(v), h.max(v)));
        let starts: Vec<usize> = (0..rows).step_by(BLOCK).collect();
        let block_row = |&top: &usize| {
            let mut found = Extremes::NONE;
            let bottom = (top + BLOCK).min(rows);
            let mut product = Array2::zeros((bottom - top, BLOCK));
            for left in (top..rows).step_by(BLOCK) {
                let right = (left + BLOCK).min(rows);
                let mut product = product.slice_mut(s![.., ..right - left]);
                multiply_into(
                    product.view_mut(),
                    weighted.slice(s![top..bottom, ..]),
                    scaled.slice(s![left..right, ..]).t(),
                );
                for (i, row) in product.outer_iter().enumerate() {
                    let g = top + i;
                    let first = g.saturating_sub(left);
                    // Most rows hold nothing new: their minimum, a vectorised loop, says so.
                    let lowest = row.iter().skip(first).fold(f64::INFINITY, |low, &x| low.min(x));
                    if lowest + uniform >= found.threshold(light, heavy) {
                        continue;
                    }
                    for (j, &entry) in row.iter().enumerate().skip(first) {
                        let h = left + j;
                        let ratio = entry + uniform;
                        let round_off = tolerance * (norms[g] * norms[h] + uniform.abs());
                        self.see_pair(&mut found, g, h, if ratio.abs() <= round_off { 0.0 } else { ratio }, v);
                    }
                }
            }
            found
        };
        starts.par_iter().map(block_row).reduce(|| Extremes::NONE, Extremes::merge)
    }
}

/// Keeps the two members that come first in the order `before`; the earlier one of equals.
fn insert(best: &mut (u32, Option<u32>), n: u32, before: impl Fn(u32, u32) -> bool) {
    if best.0 == u32::MAX {
        best.0 = n;
    } else if before(n, best.0) {
        *best = (n, Some(best.0));
    } else if best.1.is_none_or(|second| before(n, second)) {
        best.1 = Some(n);
    }
}
