//! The training graph: vertex weights, edge weights in structured form, and their sums.

use std::sync::{Arc, OnceLock};

use super::{CodeToLearn, Coupling, EdgeTerm, GraphPrint};
use crate::error::Places;
use crate::labels::{Eigenvalues, TargetLabels};
use crate::linalg::tolerance;
use crate::{Error, Note, Result};

/// Vertices (samples) with weights v and symmetric edge weights Γ, never stored as an N×N matrix.
///
/// $\Gamma = \sum_t \Gamma_t + u\,v v^T$: a short list of structured terms and a uniform part, which connects every
/// vertex with every other one in proportion to their weights. The uniform part moves delta values towards 2 and
/// changes no feature; it is $\lambda_0/Q$ in an ELL graph, and what removes negative edges.
///
/// `degrees` (Γ1) and `vertex_weights` (v) are two things: they are proportional only in consistent graphs.
///
/// Copies share what the graph is made of: sums keep the graph that they belong to.
#[derive(Debug, Clone)]
pub struct TrainingGraph(Arc<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    vertex_weights: Vec<f64>,
    terms: Vec<EdgeTerm>,
    uniform: f64,
    degrees: Vec<f64>,
    q: f64,
    r: f64,
    targets: Option<GraphTargets>,
    code: Option<CodeToLearn>,
    classes: Option<usize>,
    population: Option<Population>,
    notes: Vec<Note>,
    print: OnceLock<GraphPrint>,
}

/// Samples that come with the vertices: some may be no vertices, and some vertices may have no labels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Population {
    /// The samples that are vertices, ascending; all of them if `None`.
    pub rows: Option<Vec<usize>>,
    /// The weight of every sample, for what is learned without labels.
    pub weights: Vec<f64>,
    /// Vertices without labels.
    pub unlabelled: Vec<usize>,
}

/// What an ELL graph was built to learn.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphTargets {
    /// The target labels over distinct label rows or classes, and the way back to the raw labels.
    pub labels: TargetLabels,
    /// Their eigenvalues.
    pub eigenvalues: Eigenvalues,
}

impl TrainingGraph {
    /// From vertex weights, edge terms and the coefficient u of the uniform part.
    ///
    /// # Errors
    /// If there are fewer than two vertices, a vertex weight is not positive and finite, a term is not one of so many
    /// vertices, the edge weights do not sum to a positive number, or all edges are self-loops.
    pub fn new(vertex_weights: Vec<f64>, terms: Vec<EdgeTerm>, uniform: f64) -> Result<Self> {
        let n = vertex_weights.len();
        if n < 2 {
            return Err(Error::TooFewSamples { needed: 2, got: n });
        }
        let what = || "vertex weights".to_string();
        if let Some(places) = Places::find(&vertex_weights, |v| !v.is_finite()) {
            return Err(Error::NonFinite { what: what(), places });
        }
        if let Some(places) = Places::find(&vertex_weights, |&v| v <= 0.0) {
            return Err(Error::NotPositive { what: what(), places });
        }
        terms.iter().try_for_each(|term| term.check(n))?;
        let q: f64 = vertex_weights.iter().sum();
        let mut degrees: Vec<f64> = vertex_weights.iter().map(|v| uniform * q * v).collect();
        let ones = vec![1.0; n];
        for term in &terms {
            term.multiply_add(&ones, &mut degrees);
        }
        let r: f64 = degrees.iter().sum();
        if !(r.is_finite() && r > 0.0) {
            return Err(Error::NoEdges { sum: r });
        }
        if uniform == 0.0 && terms.iter().all(has_loops_only) {
            return Err(Error::SelfLoopsOnly);
        }
        let (targets, code, classes, population) = (None, None, None, None);
        let (notes, print) = (Vec::new(), OnceLock::new());
        let parts =
            Parts { vertex_weights, terms, uniform, degrees, q, r, targets, code, classes, population, notes, print };
        Ok(Self(Arc::new(parts)))
    }

    /// With remarks about how it was built.
    pub(crate) fn with_notes(mut self, notes: impl IntoIterator<Item = Note>) -> Self {
        Arc::make_mut(&mut self.0).notes.extend(notes);
        self
    }

    /// With what it was built to learn.
    pub(crate) fn with_targets(mut self, targets: GraphTargets) -> Self {
        Arc::make_mut(&mut self.0).targets = Some(targets);
        self
    }

    /// With a code that nodes learn.
    pub(crate) fn with_code(mut self, code: Option<CodeToLearn>) -> Self {
        Arc::make_mut(&mut self.0).code = code;
        self
    }

    /// With so many classes: the first groups of its only term.
    pub(crate) fn with_classes(mut self, classes: Option<usize>) -> Self {
        Arc::make_mut(&mut self.0).classes = classes;
        self
    }

    /// With the samples that its vertices are part of.
    pub(crate) fn with_population(mut self, population: Population) -> Self {
        let parts = Arc::make_mut(&mut self.0);
        parts.population = Some(population);
        parts.print = OnceLock::new();
        self
    }

    /// With what a graph of the same vertices and free responses knows: samples, remarks, target labels.
    pub(crate) fn like(mut self, other: &Self) -> Self {
        let parts = Arc::make_mut(&mut self.0);
        parts.targets.clone_from(&other.0.targets);
        parts.population.clone_from(&other.0.population);
        self.with_notes(other.notes().iter().cloned())
    }

    pub(crate) fn population(&self) -> Option<&Population> {
        self.0.population.as_ref()
    }

    /// How many samples it is trained on: the vertices, and samples without labels that are none.
    pub fn samples(&self) -> usize {
        self.0.population.as_ref().map_or(self.len(), |population| population.weights.len())
    }

    /// Which samples the vertices are, ascending; `None` if they are all samples.
    pub fn rows(&self) -> Option<&[usize]> {
        self.0.population.as_ref().and_then(|population| population.rows.as_deref())
    }

    /// An error about a vertex, in terms of the samples.
    pub(crate) fn in_samples(&self, error: Error) -> Error {
        match self.rows() {
            Some(rows) => error.with_rows(|vertex| rows[vertex]),
            None => error,
        }
    }

    /// The weight of every sample for what is learned without labels, like principal components: the vertex weights,
    /// unless some samples have no labels.
    pub fn sample_weights(&self) -> &[f64] {
        self.0.population.as_ref().map_or(&self.0.vertex_weights, |population| &population.weights)
    }

    /// The vertices without labels.
    pub fn unlabelled(&self) -> &[usize] {
        self.0.population.as_ref().map_or(&[], |population| &population.unlabelled)
    }

    /// N, the number of vertices.
    pub fn len(&self) -> usize {
        self.0.vertex_weights.len()
    }

    /// Never true: a graph has at least two vertices.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// v.
    pub fn vertex_weights(&self) -> &[f64] {
        &self.0.vertex_weights
    }

    /// Γ1, the sum of the edge weights at each vertex.
    pub fn degrees(&self) -> &[f64] {
        &self.0.degrees
    }

    /// Q, the sum of the vertex weights `[eq:Q]`.
    pub fn q(&self) -> f64 {
        self.0.q
    }

    /// R, the sum of the edge weights over ordered pairs `[eq:R]`.
    pub fn r(&self) -> f64 {
        self.0.r
    }

    /// The structured terms of Γ.
    pub fn terms(&self) -> &[EdgeTerm] {
        &self.0.terms
    }

    /// u, the coefficient of $v v^T$ in Γ.
    pub fn uniform(&self) -> f64 {
        self.0.uniform
    }

    /// The target labels and eigenvalues of an ELL or compact graph.
    pub fn targets(&self) -> Option<&GraphTargets> {
        self.0.targets.as_ref()
    }

    /// The code of classes that every node learns, if it is not fixed by the graph.
    pub fn code(&self) -> Option<&CodeToLearn> {
        self.0.code.as_ref()
    }

    /// How many classes it was built of; they are the first groups of its only term.
    pub(crate) fn classes(&self) -> Option<usize> {
        self.0.classes
    }

    /// Remarks about how the graph was built.
    pub fn notes(&self) -> &[Note] {
        &self.0.notes
    }

    /// Whether both are copies of one graph.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// What tells it from other graphs.
    pub fn print(&self) -> &GraphPrint {
        self.0.print.get_or_init(|| GraphPrint::of(self))
    }

    /// Γy.
    pub fn multiply(&self, y: &[f64]) -> Vec<f64> {
        let weighted: f64 = self.0.vertex_weights.iter().zip(y).map(|(v, x)| v * x).sum();
        let mut out: Vec<f64> = self.0.vertex_weights.iter().map(|v| self.0.uniform * weighted * v).collect();
        for term in &self.0.terms {
            term.multiply_add(y, &mut out);
        }
        out
    }

    /// $\gamma_{n,m}$.
    pub fn edge_weight(&self, n: usize, m: usize) -> f64 {
        let uniform = self.0.uniform * self.0.vertex_weights[n] * self.0.vertex_weights[m];
        uniform + self.0.terms.iter().map(|t| t.entry(n, m)).sum::<f64>()
    }

    /// $\gamma_{n,m}$, and 0 where the terms of the sum cancelled to round-off.
    pub(crate) fn clean_edge_weight(&self, n: usize, m: usize) -> f64 {
        let mut sum = self.0.uniform * self.0.vertex_weights[n] * self.0.vertex_weights[m];
        let mut magnitude = sum.abs();
        let mut parts = 1;
        for term in &self.0.terms {
            let shares = term.shares[n] * term.shares[m];
            let (g, h) = (term.grouping.group(n), term.grouping.group(m));
            let (weight, size) = match &term.coupling {
                Coupling::LowRank(low_rank) => {
                    parts += low_rank.values.len();
                    low_rank.entry(g, h)
                }
                stored => (stored.entry(g, h), stored.entry(g, h).abs()),
            };
            let own = if n == m { term.loops.as_ref().map_or(0.0, |d| d[n]) } else { 0.0 };
            sum += shares * weight + own;
            magnitude += shares * size + own.abs();
            parts += 2;
        }
        if sum.abs() <= tolerance::edge(parts) * magnitude { 0.0 } else { sum }
    }
}

/// Whether no two different vertices are connected. Low-rank couplings never are loops only: they come with a uniform
/// part or connect different groups.
fn has_loops_only(term: &EdgeTerm) -> bool {
    let mut sizes = vec![0_usize; term.grouping.count()];
    for &g in term.grouping.of_vertex() {
        sizes[g as usize] += 1;
    }
    let mut loops_only = true;
    let visited = term.coupling.visit_upper(|g, h, s| {
        if s != 0.0 && (g != h || sizes[g] > 1) {
            loops_only = false;
        }
    });
    visited.is_some() && loops_only
}
