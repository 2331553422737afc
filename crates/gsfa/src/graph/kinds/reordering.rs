use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::graph::{Banded, Coupling, EdgeTerm, GraphInput, TrainingGraph, ranks};

/// The sample reordering graph: samples in the order of a label, each connected with the next.
///
/// All vertex weights are 1. Self-loops of 1 at both ends make it consistent. Samples with equal labels have no order;
/// the graph is the mean over all of their orders: in a tie group of size m, $2/m$ between its members, $1/(m m')$ to
/// the members of a neighbouring group of size m', self-loops of $1/m$ in the first and the last group. Sample weights
/// multiply: $v_n = s_n$, $\gamma_{n,n'} \to s_n s_{n'} \gamma_{n,n'}$.
///
/// **Paper note.** The end loops scale Δ by (N−1)/N, not by N/(N+2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reordering {
    /// The numeric label to order by; may be left out if there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Self-loops at both ends.
    #[serde(default = "yes")]
    pub end_loops: bool,
}

fn yes() -> bool {
    true
}

impl Default for Reordering {
    fn default() -> Self {
        Self { label: None, end_loops: true }
    }
}

impl Reordering {
    /// Builds the graph.
    ///
    /// # Errors
    /// If the label is missing, constant or not finite.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let (name, values) = input.number(self.label.as_deref(), "reordering")?;
        let grouping = ranks::tie_groups(name, values)?;
        let shares = input.weights().to_vec();
        let sizes = grouping.sums(&vec![1.0; shares.len()]);
        let count = sizes.len();
        let within: Vec<f64> = sizes.iter().map(|&m| if m > 1.0 { 2.0 / m } else { 0.0 }).collect();
        let between = sizes.windows(2).map(|m| 1.0 / (m[0] * m[1])).collect();
        let ends =
            |k: usize| f64::from(u8::from(k == 0) + u8::from(k + 1 == count)) * f64::from(u8::from(self.end_loops));
        // The coupling also connects members of a group with themselves; `loops` takes that back.
        let own = |k: usize| ends(k) / sizes[k] - within[k];
        let loops = Some(shares.iter().zip(grouping.of_vertex()).map(|(s, &k)| s * s * own(k as usize)).collect());
        let coupling = Coupling::Banded(Banded::trusted(count, vec![(0, within.clone()), (1, between)]));
        let term = EdgeTerm { grouping, shares: shares.clone(), coupling, loops };
        TrainingGraph::new(shares, vec![term], 0.0)
    }
}
