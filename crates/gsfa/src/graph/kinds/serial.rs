use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::{Banded, Coupling, EdgeTerm, GraphInput, Grouping, TrainingGraph, ranks};
use crate::{Note, Result};

/// The serial graph: samples sorted by label, cut into groups, edges between all samples of neighbouring groups.
///
/// With groups of equal size and weights of 1 it is, up to scale, the paper's: $v_n = 1$ in the two outer groups and 2
/// elsewhere, $\gamma = 1$ per edge. Two vertices of a group share all neighbours, so free responses are constant
/// within groups.
///
/// In general, with prior weights $a_n$ that sum to $A_k$ over group k: $\gamma = a_n a_{n'} / (A_k A_{k+1})$ between
/// neighbouring groups and $v_n = \mathrm{deg}_k\, a_n / A_k$ with deg 1 at the ends and 2 elsewhere, which keeps the
/// graph consistent for groups of any size.
///
/// **Paper note.** $\lfloor (K-2)/2 \rfloor$ of its free responses have Δ < 2; the paper's $\lfloor (K-1)/2 \rfloor$
/// agrees for even K.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Serial {
    /// The number of groups, K; fewer are formed if the label has fewer distinct values.
    #[serde(default = "default_groups")]
    #[schemars(extend("flag" = "K", "minimum" = 2))]
    pub groups: usize,
    /// The numeric label to order by; may be left out if there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// The groups of serial and mixed graphs unless another number is asked for, in Rust, on the command line and in Python:
/// the 60 values of gender in the paper's experiments.
pub const DEFAULT_GROUPS: usize = 60;

pub(super) fn default_groups() -> usize {
    DEFAULT_GROUPS
}

impl Default for Serial {
    fn default() -> Self {
        Self { groups: default_groups(), label: None }
    }
}

impl Serial {
    /// Builds the graph.
    ///
    /// # Errors
    /// If `groups < 2`, or the label is missing, constant or not finite.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let (name, values) = input.number(self.label.as_deref(), "serial")?;
        let grouping = ranks::rank_groups(name, values, input.weights(), self.groups)?;
        grouped_line(input, grouping, self.groups, |_| None)
    }
}

/// Neighbouring groups connected with a total weight of 1 each way; `within` may add edges inside group k with a total
/// weight that depends on its number of neighbours. Vertex weights are the degrees.
pub(super) fn grouped_line(
    input: &GraphInput<'_>,
    grouping: Grouping,
    requested: usize,
    within: impl Fn(usize) -> Option<f64>,
) -> Result<TrainingGraph> {
    let shares = input.weights().to_vec();
    let totals = grouping.sums(&shares);
    let count = totals.len();
    let neighbors = |k: usize| if k == 0 || k + 1 == count { 1 } else { 2 };
    let between = totals.windows(2).map(|a| 1.0 / (a[0] * a[1])).collect();
    let mut diagonals = vec![(1, between)];
    let inner: Option<Vec<f64>> =
        (0..count).map(|k| within(neighbors(k)).map(|weight| weight / (totals[k] * totals[k]))).collect();
    diagonals.extend(inner.map(|values| (0, values)));
    let vertex_weights = shares.iter().zip(grouping.of_vertex());
    let vertex_weights = vertex_weights
        .map(|(a, &k)| {
            let k = k as usize;
            (neighbors(k) as f64 + within(neighbors(k)).unwrap_or(0.0)) * a / totals[k]
        })
        .collect();
    let fewer = (count < requested).then_some(Note::FewerGroups { requested, formed: count });
    let coupling = Coupling::Banded(Banded::trusted(count, diagonals));
    let term = EdgeTerm { grouping, shares, coupling, loops: None };
    Ok(TrainingGraph::new(vertex_weights, vec![term], 0.0)?.with_notes(fewer))
}
