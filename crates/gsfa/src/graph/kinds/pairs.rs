//! Graphs given by pairs of vertices: what chains, edge lists and neighbourhoods share.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Places;
use crate::graph::{Coupling, EdgeTerm, GraphInput, Grouping, TrainingGraph};
use crate::{Error, Result};

/// Where the vertex weights of a graph of pairs come from; sample weights multiply them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VertexWeights {
    /// 1 for every vertex, as in plain SFA.
    #[default]
    Uniform,
    /// The degrees Γ1, which makes the graph consistent `[eq:consistency]`, as in locality preserving projections and
    /// reversible TICA.
    Degrees,
    /// One positive value for each vertex.
    Given(Vec<f64>),
}

/// A graph whose couplings are between single vertices. Sample weights multiply the edges, γ → s s' γ, and v → s v.
pub(super) fn pair_graph(
    input: &GraphInput<'_>,
    coupling: Coupling,
    vertex_weights: &VertexWeights,
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
        VertexWeights::Given(given) => {
            check_given(given, shares.len())?;
            given.iter().zip(&shares).map(|(v, s)| v * s).collect()
        }
    };
    TrainingGraph::new(v, vec![term], 0.0)
}

/// Said of the given values themselves, before sample weights multiply them.
pub(in crate::graph) fn check_given(given: &[f64], vertices: usize) -> Result<()> {
    let what = || "vertex weights".to_string();
    if given.len() != vertices {
        return Err(Error::LengthMismatch {
            left: "the graph".into(),
            left_len: vertices,
            right: what(),
            right_len: given.len(),
        });
    }
    if let Some(places) = Places::find(given, |v| !v.is_finite()) {
        return Err(Error::NonFinite { what: what(), places });
    }
    match Places::find(given, |&v| v <= 0.0) {
        Some(places) => Err(Error::NotPositive { what: what(), places }),
        None => Ok(()),
    }
}
