//! Graphs given by pairs of vertices: what chains, edge lists and neighbourhoods share.

use serde::{Deserialize, Serialize};

use crate::Result;
use crate::graph::{Coupling, EdgeTerm, GraphInput, Grouping, TrainingGraph};

/// Where the vertex weights of a graph of pairs come from; sample weights multiply them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VertexWeights {
    /// 1 for every vertex, as in plain SFA.
    #[default]
    Uniform,
    /// The degrees Γ1, which makes the graph consistent `[eq:consistency]`, as in locality preserving projections and
    /// reversible TICA.
    Degrees,
}

/// A graph whose couplings are between single vertices. Sample weights multiply the edges: γ → s s' γ.
pub(super) fn pair_graph(
    input: &GraphInput<'_>,
    coupling: Coupling,
    vertex_weights: VertexWeights,
) -> Result<TrainingGraph> {
    let shares = input.weights().to_vec();
    let term = EdgeTerm { grouping: Grouping::singletons(shares.len()), shares: shares.clone(), coupling, loops: None };
    let v = match vertex_weights {
        VertexWeights::Uniform => shares,
        VertexWeights::Degrees => {
            let mut degrees = vec![0.0; shares.len()];
            term.multiply_add(&vec![1.0; shares.len()], &mut degrees);
            degrees
        }
    };
    TrainingGraph::new(v, vec![term], 0.0)
}
