use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::serial::{default_groups, grouped_line};
use crate::Result;
use crate::graph::{GraphInput, TrainingGraph, ranks};

/// The mixed graph: the serial graph's edges, and edges within each group.
///
/// Edges within a group (self-loops included) weigh as much as those to one neighbouring group, twice that in the two
/// outer groups, so that all vertices of equal groups have the same weight: $v_n = 3 a_n / A_k$ and
/// $S_{kk} = (3 - \mathrm{deg}_k) / A_k^2$ with prior weights $a_n$ that sum to $A_k$ in group k.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mixed {
    /// The number of groups, K; fewer are formed if the label has fewer distinct values.
    #[serde(default = "default_groups")]
    #[schemars(extend("flag" = "K", "minimum" = 2))]
    pub groups: usize,
    /// The numeric label to order by; may be left out if there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Default for Mixed {
    fn default() -> Self {
        Self { groups: default_groups(), label: None }
    }
}

impl Mixed {
    /// Builds the graph.
    ///
    /// # Errors
    /// If `groups < 2`, or the label is missing, constant or not finite.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let (name, values) = input.number(self.label.as_deref(), "mixed")?;
        let grouping = ranks::rank_groups(name, values, input.weights(), self.groups)?;
        grouped_line(input, grouping, self.groups, |neighbors| Some(3.0 - neighbors as f64))
    }
}
