use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pairs::{VertexWeights, pair_graph};
use crate::graph::{Coupling, GraphInput, Sparse, TrainingGraph};
use crate::{Error, Note, Result};

/// A graph given by its edges `[from, to, weight]`, vertices numbered from 0.
///
/// Repeated edges are summed. Each entry sets one direction; an asymmetric Γ is replaced by $(\Gamma + \Gamma^T)/2$,
/// which changes no feature, so listing every edge once is enough (the scale of Γ does not matter). Sample weights
/// multiply: $v_n \to s_n v_n$, $\gamma_{n,n'} \to s_n s_{n'} \gamma_{n,n'}$.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Edges {
    /// The edges.
    pub edges: Vec<(usize, usize, f64)>,
    /// Where the vertex weights come from.
    #[serde(default)]
    pub vertex_weights: VertexWeights,
}

impl Edges {
    /// Builds the graph.
    ///
    /// # Errors
    /// If an edge names a vertex that does not exist or has a weight that is not finite, if the weights do not sum to
    /// a positive number, or if all edges are self-loops.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        Self::build_from(input, self.edges.iter().copied(), &self.vertex_weights)
    }

    /// The same from edges that are gone through several times and stored nowhere.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_from(
        input: &GraphInput<'_>,
        edges: impl Iterator<Item = (usize, usize, f64)> + Clone,
        vertex_weights: &VertexWeights,
    ) -> Result<TrainingGraph> {
        let n = input.len();
        for (edge, (from, to, weight)) in edges.clone().enumerate() {
            if from >= n || to >= n {
                return Err(Error::EdgeOutOfRange { edge, from, to, vertices: n });
            }
            if !weight.is_finite() {
                return Err(Error::parameter("edges", weight, format!("the weight of edge {edge} is not finite")));
            }
        }
        let directed = edges.map(|(from, to, weight)| (from as u32, to as u32, weight));
        let (symmetric, asymmetric) = Sparse::dealt(n, directed).symmetrized();
        let graph = pair_graph(input, Coupling::Sparse(symmetric), vertex_weights)?;
        Ok(graph.with_notes((asymmetric > 0).then_some(Note::Symmetrized { pairs: asymmetric })))
    }
}
