//! What three graphs for the same label consider slow, before anything is trained.

mod page;

use gsfa::graph::{GraphInput, GraphSpec, TrainingGraph};
use gsfa::labels::Labels;
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::expected::Expected;
use crate::results::{Measured, ResultTable};
use crate::watch::step;
use crate::{Result, Watch};

/// Which graphs are compared, for which label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphsSpec {
    /// The label of each sample, increasing.
    pub label: Vec<f64>,
    /// How many free responses are shown.
    pub responses: usize,
    /// The share of the edges of an almost complete graph that is drawn: the strongest.
    pub drawn_share: f64,
    /// Noisy versions of the label over which their delta value is averaged.
    pub noise_draws: usize,
    /// The graphs.
    pub graphs: Vec<NamedGraph>,
}

/// A graph with a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedGraph {
    /// Its name.
    pub name: String,
    /// What it is.
    pub graph: GraphSpec,
}

/// What was found about the graphs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphsResults {
    /// The label.
    pub label: Vec<f64>,
    /// The graphs.
    pub graphs: Vec<GraphResult>,
    /// How many responses are slow, and the argument of the noisy feature.
    pub table: ResultTable,
}

/// What was found about one graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GraphResult {
    /// Its name.
    pub name: String,
    /// v.
    pub vertex_weights: Vec<f64>,
    /// The edges that are drawn: two vertices and γ.
    pub edges: Vec<(usize, usize, f64)>,
    /// Whether all edges are drawn.
    pub all_edges: bool,
    /// Δ of all free responses.
    pub delta_values: Vec<f64>,
    /// The slowest free responses, each negative for the first sample.
    pub responses: Vec<Vec<f64>>,
    /// How many have Δ < 2.
    pub slow: usize,
    /// The largest difference between the slowest response and the normalised label.
    pub label_distance: f64,
    /// Mean Δ of the label with as much noise.
    pub noisy_delta: f64,
    /// Standard error of that mean.
    pub noisy_error: f64,
}

/// Δ below this is slower than noise; the exact value is 2.
const BELOW_TWO: f64 = 2.0 - 1e-9;

impl GraphsSpec {
    /// Analyses the graphs.
    ///
    /// # Errors
    /// If a graph cannot be built for the label.
    pub fn run(&self, seed: u64, expected: &Expected, watch: &dyn Watch) -> Result<GraphsResults> {
        step(watch, "graphs: free responses")?;
        let labels = Labels::numbers("label", self.label.clone());
        let noisy = self.noisy_labels(seed);
        let mut graphs = Vec::new();
        for NamedGraph { name, graph } in &self.graphs {
            let graph = graph.build(&GraphInput::new(&labels))?;
            graphs.push(self.analyze(name, &graph, &noisy)?);
        }
        let sixth = |graph: &GraphResult| graph.delta_values.get(5).copied().unwrap_or(f64::NAN);
        let rows = graphs.iter().map(|graph| {
            let numbers = [graph.slow as f64, graph.noisy_delta, sixth(graph)];
            (graph.name.clone(), numbers.map(|x| Measured::over(vec![x])).to_vec())
        });
        let measures = ["responses with Δ < 2", "Δ of the half-noise label", "Δ of y₆"];
        let head = ("graphs", "What a graph considers slow", "graph");
        let table = ResultTable::new(head, &measures, rows.collect(), expected).decimals(2).neutral();
        Ok(GraphsResults { label: self.label.clone(), graphs, table })
    }

    fn analyze(&self, name: &str, graph: &TrainingGraph, noisy: &Array2<f64>) -> Result<GraphResult> {
        let n = graph.len();
        let free = graph.free_responses(n - 1)?;
        let responses = free.responses.columns().into_iter().take(self.responses).map(|y| {
            let sign = if y[0] > 0.0 { -1.0 } else { 1.0 };
            y.iter().map(|x| sign * x).collect()
        });
        let responses: Vec<Vec<f64>> = responses.collect();
        let deltas = graph.delta_values(noisy.view())?;
        let noise = Measured::over(deltas.clone());
        let (edges, all_edges) = self.edges(graph);
        let label = standardized(&self.label);
        let distance = |y: &Vec<f64>| y.iter().zip(&label).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        Ok(GraphResult {
            name: name.into(),
            vertex_weights: graph.vertex_weights().to_vec(),
            edges,
            all_edges,
            slow: free.delta_values.iter().filter(|&&delta| delta < BELOW_TWO).count(),
            delta_values: free.delta_values,
            label_distance: responses.first().map_or(f64::NAN, distance),
            responses,
            noisy_delta: noise.mean.unwrap_or(f64::NAN),
            noisy_error: noise.deviation.unwrap_or(0.0) / (deltas.len() as f64).sqrt(),
        })
    }

    /// Edges between different vertices, and self-loops; the strongest only if there are too many to be told apart.
    fn edges(&self, graph: &TrainingGraph) -> (Vec<(usize, usize, f64)>, bool) {
        let n = graph.len();
        let pairs = (0..n).flat_map(|a| (a..n).map(move |b| (a, b)));
        let mut edges: Vec<(usize, usize, f64)> =
            pairs.map(|(a, b)| (a, b, graph.edge_weight(a, b))).filter(|edge| edge.2 != 0.0).collect();
        let most = (self.drawn_share * (n * (n - 1) / 2) as f64) as usize;
        let between = edges.iter().filter(|edge| edge.0 != edge.1).count();
        if between <= most {
            return (edges, true);
        }
        edges.retain(|edge| edge.0 != edge.1);
        edges.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
        edges.truncate(most);
        (edges, false)
    }

    /// $(\ell + e)/\sqrt2$ with unit noise e, one column per draw.
    fn noisy_labels(&self, seed: u64) -> Array2<f64> {
        let label = standardized(&self.label);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut noise = || -> f64 { random.sample(StandardNormal) };
        let shape = (label.len(), self.noise_draws.max(2));
        Array2::from_shape_fn(shape, |(n, _)| (label[n] + noise()) / 2.0_f64.sqrt())
    }
}

fn standardized(label: &[f64]) -> Vec<f64> {
    let count = label.len() as f64;
    let mean = label.iter().sum::<f64>() / count;
    let deviation = (label.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt();
    label.iter().map(|x| (x - mean) / deviation).collect()
}
