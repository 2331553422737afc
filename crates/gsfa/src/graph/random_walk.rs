//! The graph as a Markov chain: transition probabilities and seeded random walks.

use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Coupling, EdgeTerm, LowRank, TrainingGraph};
use crate::linalg::tolerance;
use crate::{Error, Result};

impl TrainingGraph {
    /// The probability of going from `vertex` to each vertex, $\gamma_{n,n'} / (\Gamma 1)_n$.
    ///
    /// **Paper note.** γ/R is the joint probability of a pair of consecutive vertices, not a transition probability.
    ///
    /// # Errors
    /// [`Error::NegativeEdge`] if an edge of the vertex is negative, [`Error::Parameter`] if there is no such vertex or
    /// it has no edges.
    pub fn transition_probabilities(&self, vertex: usize) -> Result<Vec<f64>> {
        if vertex >= self.len() {
            let reason = format!("there are {} vertices, numbered from 0", self.len());
            return Err(Error::parameter("vertex", vertex, reason));
        }
        let row: Vec<f64> = (0..self.len()).map(|m| self.clean_edge_weight(vertex, m)).collect();
        if row.iter().any(|&w| w < 0.0) {
            return Err(self.negative_edge());
        }
        let degree: f64 = row.iter().sum();
        if degree == 0.0 {
            return Err(Error::parameter("vertex", vertex, "it has no edges"));
        }
        Ok(row.iter().map(|w| w / degree).collect())
    }

    /// A random walk over the vertices that starts in the stationary distribution Γ1/R and never ends.
    ///
    /// On a consistent, connected graph plain SFA on a long walk finds the features that GSFA finds on the graph. The
    /// same seed gives the same walk. A step costs O(log N) where few groups are coupled, O(groups) for label rows, and
    /// O(N) for sums with negative terms.
    ///
    /// # Errors
    /// [`Error::NegativeEdge`] or [`Error::Disconnected`]: neither has such a walk.
    pub fn random_walk(&self, seed: u64) -> Result<RandomWalk<'_>> {
        if self.smallest_edge().weight < 0.0 {
            return Err(self.negative_edge());
        }
        let components = self.components().count;
        if components > 1 {
            return Err(Error::Disconnected { components, operation: "a random walk" });
        }
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let start = Cumulative::new(self.degrees().iter().copied()).draw(&mut rng);
        Ok(RandomWalk { graph: self, steps: Steps::new(self), at: start, first: true, rng })
    }

    /// Why there is no walk: the most negative edge of all, whichever vertex was asked for.
    fn negative_edge(&self) -> Error {
        let smallest = self.smallest_edge();
        let (from, to) = smallest.vertices;
        Error::NegativeEdge { smallest: smallest.weight, from, to, operation: "a random walk" }
    }
}

/// An endless walk over the vertices of a graph; see [`TrainingGraph::random_walk`].
#[derive(Debug, Clone)]
pub struct RandomWalk<'a> {
    graph: &'a TrainingGraph,
    steps: Steps,
    at: usize,
    first: bool,
    rng: Xoshiro256PlusPlus,
}

impl Iterator for RandomWalk<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if !std::mem::take(&mut self.first) {
            self.at = self.steps.next(self.graph, self.at, &mut self.rng);
        }
        Some(self.at)
    }
}

/// How the next vertex is drawn.
#[derive(Debug, Clone)]
enum Steps {
    /// All parts of Γ are non-negative: draw a part, then a vertex within it.
    Parts { uniform: Cumulative, terms: Vec<TermWalk> },
    /// Parts cancel each other: draw from the row of Γ.
    Rows,
}

impl Steps {
    fn new(graph: &TrainingGraph) -> Self {
        let nothing = Cumulative::new(std::iter::empty());
        if let [term] = graph.terms()
            && let Coupling::LowRank(low_rank) = &term.coupling
        {
            return match with_uniform(graph, term, low_rank) {
                Some(whole) => Self::Parts { uniform: nothing, terms: vec![TermWalk::new(whole)] },
                None => Self::Rows,
            };
        }
        let mut negative = graph.uniform() < 0.0;
        for term in graph.terms() {
            negative |= term.coupling.visit_upper(|_, _, s| negative |= s < 0.0).is_none();
        }
        if negative {
            return Self::Rows;
        }
        let uniform =
            if graph.uniform() == 0.0 { nothing } else { Cumulative::new(graph.vertex_weights().iter().copied()) };
        Self::Parts { uniform, terms: graph.terms().iter().cloned().map(TermWalk::new).collect() }
    }

    fn next(&self, graph: &TrainingGraph, at: usize, rng: &mut Xoshiro256PlusPlus) -> usize {
        let Self::Parts { uniform, terms } = self else {
            return Cumulative::new((0..graph.len()).map(|m| graph.clean_edge_weight(at, m).max(0.0))).draw(rng);
        };
        let mut left = rng.random::<f64>() * graph.degrees()[at];
        if !uniform.0.is_empty() {
            let share = graph.uniform() * graph.q() * graph.vertex_weights()[at];
            if left < share || terms.is_empty() {
                return uniform.draw(rng);
            }
            left -= share;
        }
        for term in &terms[..terms.len() - 1] {
            let degree = term.degree(at);
            if left < degree {
                return term.step(at, left, rng);
            }
            left -= degree;
        }
        terms[terms.len() - 1].step(at, left, rng)
    }
}

/// A low-rank term with the uniform part as one more column, so that all of its entries are those of Γ. Needs shares
/// that are proportional to v within each group.
fn with_uniform(graph: &TrainingGraph, term: &EdgeTerm, low_rank: &LowRank) -> Option<EdgeTerm> {
    let mut inverse_ratio = vec![f64::NAN; term.grouping.count()];
    for (n, &g) in term.grouping.of_vertex().iter().enumerate() {
        let here = graph.vertex_weights()[n] / term.shares[n];
        let seen = &mut inverse_ratio[g as usize];
        if !seen.is_nan() && (*seen - here).abs() > tolerance::edge(1) * here {
            return None;
        }
        *seen = here;
    }
    let (rows, columns) = low_rank.columns.dim();
    let widened = Array2::from_shape_fn((rows, columns + 1), |(g, j)| {
        if j < columns { low_rank.columns[[g, j]] } else { inverse_ratio[g] }
    });
    let mut values = low_rank.values.clone();
    values.push(graph.uniform());
    Some(EdgeTerm { coupling: Coupling::LowRank(LowRank { columns: widened, values }), ..term.clone() })
}

/// What is needed to step within one term.
#[derive(Debug, Clone)]
struct TermWalk {
    term: EdgeTerm,
    /// Σ of shares per group.
    totals: Vec<f64>,
    /// Vertices by group, and the running sums of their shares.
    members: Vec<u32>,
    starts: Vec<usize>,
    running: Vec<f64>,
    /// Σ_h S_gh A_h per group.
    coupled: Vec<f64>,
}

impl TermWalk {
    fn new(term: EdgeTerm) -> Self {
        let totals = term.grouping.sums(&term.shares);
        let (members, starts) = term.grouping.members();
        let mut running = Vec::with_capacity(members.len());
        for g in 0..totals.len() {
            let mut sum = 0.0;
            for &n in &members[starts[g]..starts[g + 1]] {
                sum += term.shares[n as usize];
                running.push(sum);
            }
        }
        let mut coupled = vec![0.0; totals.len()];
        term.coupling.multiply_add(&totals, &mut coupled);
        Self { term, totals, members, starts, running, coupled }
    }

    /// The sum of this term's edges at a vertex.
    fn degree(&self, n: usize) -> f64 {
        let own = self.term.loops.as_ref().map_or(0.0, |d| d[n]);
        self.term.shares[n] * self.coupled[self.term.grouping.group(n)] + own
    }

    /// The next vertex. Negative `loops` take back self-loops of the coupling, so a step to itself is accepted only
    /// with the probability that is left of it.
    fn step(&self, n: usize, draw: f64, rng: &mut Xoshiro256PlusPlus) -> usize {
        let own = self.term.loops.as_ref().map_or(0.0, |d| d[n]);
        if own > 0.0 && draw < own {
            return n;
        }
        let g = self.term.grouping.group(n);
        let self_weight = self.term.shares[n] * self.term.shares[n] * self.term.coupling.entry(g, g);
        loop {
            let h = self.neighbor_group(g, rng.random::<f64>() * self.coupled[g]);
            let range = self.starts[h]..self.starts[h + 1];
            let target = rng.random::<f64>() * self.totals[h];
            let at = self.running[range.clone()].partition_point(|&sum| sum <= target).min(range.len() - 1);
            let next = self.members[range.start + at] as usize;
            let kept = if next == n && own < 0.0 { 1.0 + own / self_weight } else { 1.0 };
            if kept >= 1.0 || rng.random::<f64>() < kept {
                return next;
            }
        }
    }

    /// The group at which the running sum of S_gh A_h passes `target`.
    fn neighbor_group(&self, g: usize, target: f64) -> usize {
        let mut left = target;
        let mut last = g;
        let mut pass = |h: usize, s: f64| {
            let weight = s * self.totals[h];
            if weight > 0.0 {
                last = h;
                left -= weight;
            }
            left < 0.0
        };
        let size = self.totals.len();
        match &self.term.coupling {
            Coupling::Banded(b) => {
                for (offset, values) in b.diagonals() {
                    if *offset > 0 && g >= *offset && pass(g - offset, values[g - offset]) {
                        break;
                    }
                    if g + offset < size && pass(g + offset, values[g]) {
                        break;
                    }
                }
            }
            Coupling::Sparse(s) => {
                for (h, w) in s.row(g) {
                    if pass(h, w) {
                        break;
                    }
                }
            }
            Coupling::LowRank(l) => {
                for h in 0..size {
                    if pass(h, l.entry(g, h).0) {
                        break;
                    }
                }
            }
        }
        last
    }
}

/// Draws positions with given weights.
#[derive(Debug, Clone)]
struct Cumulative(Vec<f64>);

impl Cumulative {
    fn new(weights: impl Iterator<Item = f64>) -> Self {
        let mut sum = 0.0;
        Self(
            weights
                .map(|w| {
                    sum += w;
                    sum
                })
                .collect(),
        )
    }

    fn draw(&self, rng: &mut Xoshiro256PlusPlus) -> usize {
        let total = self.0.last().copied().unwrap_or(0.0);
        let target = rng.random::<f64>() * total;
        self.0.partition_point(|&sum| sum <= target).min(self.0.len().saturating_sub(1))
    }
}
