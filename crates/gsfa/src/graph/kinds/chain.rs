use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pairs::{VertexWeights, pair_graph};
use crate::graph::{Banded, Coupling, GraphInput, TrainingGraph};
use crate::labels::LabelValues;
use crate::{Error, Result};

/// The time chain: each sample is connected with the one `lag` steps later in the same sequence. GSFA on it is SFA.
///
/// Vertex weights are 1, as in SFA, which makes the chain slightly inconsistent at its ends. With
/// [`VertexWeights::Degrees`] it is reversible TICA at that lag. Sample weights multiply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// Steps between connected samples.
    #[serde(default = "one")]
    #[schemars(extend("minimum" = 1))]
    pub lag: usize,
    /// A label whose runs of equal values are the sequences; all samples are one sequence without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequences: Option<String>,
    /// Where the vertex weights come from.
    #[serde(default)]
    pub vertex_weights: VertexWeights,
}

fn one() -> usize {
    1
}

impl Default for Chain {
    fn default() -> Self {
        Self { lag: 1, sequences: None, vertex_weights: VertexWeights::Uniform }
    }
}

impl Chain {
    /// Builds the graph.
    ///
    /// # Errors
    /// If the lag is 0 or no sequence is longer than it, or there is no label called `sequences`.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let n = input.len();
        if n < 2 {
            return Err(Error::TooFewSamples { needed: 2, got: n });
        }
        if self.lag == 0 {
            return Err(Error::parameter("lag", 0, "a sample is not connected with itself; the smallest lag is 1"));
        }
        let sequence = self.sequence_of_sample(input)?;
        let linked = |k: usize| sequence[k] == sequence[k + self.lag];
        let diagonal: Vec<f64> = (0..n.saturating_sub(self.lag)).map(|k| if linked(k) { 1.0 } else { 0.0 }).collect();
        if diagonal.iter().all(|&w| w == 0.0) {
            return Err(Error::parameter("lag", self.lag, "no sequence is longer than the lag"));
        }
        let coupling = Coupling::Banded(Banded::trusted(n, vec![(self.lag, diagonal)]));
        pair_graph(input, coupling, &self.vertex_weights)
    }

    /// The number of the sequence each sample belongs to: runs of equal values, so an identifier that comes back
    /// later starts a new sequence.
    pub(crate) fn sequence_of_sample(&self, input: &GraphInput<'_>) -> Result<Vec<usize>> {
        let n = input.len();
        let Some(name) = &self.sequences else { return Ok(vec![0; n]) };
        let column = input.labels().column(name)?;
        let same = |k: usize| match column {
            LabelValues::Numbers(x) => x[k - 1] == x[k],
            LabelValues::Classes(c) => c.of_sample()[k - 1] == c.of_sample()[k],
        };
        let mut current = 0;
        Ok((0..n)
            .map(|k| {
                current += usize::from(k > 0 && !same(k));
                current
            })
            .collect())
    }
}
