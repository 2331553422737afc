//! Some of the samples, with a graph of their own.

use ndarray::Axis;

use crate::Result;
use crate::graph::{Chain, GraphInput, GraphSpec, TrainingGraph};
use crate::labels::{Labels, SampleWeights};

/// A label of our own: which samples of a part were neighbours in time before the others were left out.
const RUNS: &str = "runs of samples";

/// Some of the samples, and the graph of them.
pub(crate) struct Part {
    pub labels: Labels,
    pub weights: SampleWeights,
    pub graph: TrainingGraph,
}

impl Part {
    /// # Errors
    /// If there is no such graph of these samples.
    pub fn of(spec: &GraphSpec, input: &GraphInput<'_>, rows: &[usize]) -> Result<Self> {
        let labels = input.labels().select(rows);
        let weights = SampleWeights::new(rows.iter().map(|&n| input.weights()[n]).collect())?;
        let vectors = input.vectors().map(|vectors| vectors.select(Axis(0), rows));
        let mut own = GraphInput::new(&labels).with_weights(weights.clone())?;
        if let Some(vectors) = &vectors {
            own = own.with_vectors(vectors.view())?;
        }
        let graph = match spec {
            GraphSpec::Chain(chain) => Self::chain(chain, input, rows, &weights),
            _ => spec.build(&own),
        };
        Ok(Self { graph: graph.map_err(|error| error.with_rows(|row| rows[row]))?, labels, weights })
    }

    /// The chain of some samples: those on either side of a block that is left out do not become neighbours.
    fn chain(chain: &Chain, input: &GraphInput<'_>, rows: &[usize], weights: &SampleWeights) -> Result<TrainingGraph> {
        let sequence = chain.sequence_of_sample(input)?;
        let mut run = 0.0;
        let of_row = |k: usize| {
            let follows = k > 0 && rows[k] == rows[k - 1] + 1 && sequence[rows[k]] == sequence[rows[k - 1]];
            run += if follows { 0.0 } else { 1.0 };
            run
        };
        let runs = Labels::numbers(RUNS, (0..rows.len()).map(of_row).collect());
        let chain = Chain { sequences: Some(RUNS.into()), ..chain.clone() };
        chain.build(&GraphInput::new(&runs).with_weights(weights.clone())?)
    }
}
