use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::GraphSpec;
use crate::error::{Error, Result};
use crate::graph::{Banded, Coupling, EdgeTerm, GraphInput, Grouping, TrainingGraph};

/// A weighted sum of graphs over the same samples.
///
/// $\Gamma = \sum_g \alpha_g \Gamma_g / R_g$ and $v = \sum_g \alpha_g v_g / Q_g$ with $\sum_g \alpha_g = 1$: a sum of
/// consistent graphs is consistent, and $\dot C = \sum_g \alpha_g \dot C_g$. (Adding raw Γ and v would break both.)
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The graphs and their shares.
    pub graphs: Vec<Summand>,
}

/// One graph of a sum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Summand {
    /// α, positive; shares are scaled to sum to 1.
    pub share: f64,
    /// The graph.
    pub graph: GraphSpec,
}

impl Sum {
    /// Builds the graph.
    ///
    /// # Errors
    /// If there are no graphs, a share is not positive, or one of the graphs cannot be built.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        if self.graphs.is_empty() {
            return Err(Error::parameter("graphs", "[]", "a sum needs at least one graph"));
        }
        if let Some(bad) = self.graphs.iter().find(|s| !(s.share.is_finite() && s.share > 0.0)) {
            return Err(Error::parameter("share", bad.share, "shares must be positive"));
        }
        let total: f64 = self.graphs.iter().map(|s| s.share).sum();
        let graphs: Vec<TrainingGraph> =
            self.graphs.iter().map(|summand| summand.graph.build(input)).collect::<Result<_>>()?;
        if graphs.iter().any(|graph| graph.code().is_some()) {
            let reason = "a learned code is a graph of its own; sums take codes that are given (binary, sparse)";
            return Err(Error::parameter("code", "learned", reason));
        }
        let rows = graphs[0].rows();
        if graphs.iter().any(|graph| graph.rows() != rows) {
            let reason = "its graphs have different samples as vertices: labels are missing in different samples";
            return Err(Error::parameter("graphs", format!("{} of them", graphs.len()), reason));
        }
        let mut vertex_weights = vec![0.0; graphs[0].len()];
        let mut terms = Vec::new();
        let mut notes = Vec::new();
        for (summand, graph) in self.graphs.iter().zip(&graphs) {
            let share = summand.share / total;
            for (sum, v) in vertex_weights.iter_mut().zip(graph.vertex_weights()) {
                *sum += share * v / graph.q();
            }
            notes.extend(graph.notes().iter().cloned());
            terms.extend(uniform_term(graph).map(|term| term.scaled(share / graph.r())));
            terms.extend(graph.terms().iter().map(|term| term.clone().scaled(share / graph.r())));
        }
        let sum = TrainingGraph::new(vertex_weights, terms, 0.0)?.with_notes(notes);
        Ok(match graphs.iter().find_map(TrainingGraph::population) {
            Some(population) => sum.with_population(population.clone()),
            None => sum,
        })
    }
}

/// The uniform part as a term of its own, since it belongs to the summand's vertex weights, not to those of the sum.
fn uniform_term(graph: &TrainingGraph) -> Option<EdgeTerm> {
    (graph.uniform() != 0.0).then(|| EdgeTerm {
        grouping: Grouping::one(graph.len()),
        shares: graph.vertex_weights().to_vec(),
        coupling: Coupling::Banded(Banded::trusted(1, vec![(0, vec![graph.uniform()])])),
        loops: None,
    })
}
