//! What a recipe comes to for given labels, before and after training.

use ndarray::Array2;

use super::Recipe;
use crate::Result;
use crate::graph::{GraphInput, GraphSpec, TrainingGraph};
use crate::labels::{Labels, SampleWeights};
use crate::model::{Model, Training};
use crate::moments::Samples;
use crate::network::{InputShape, NetworkSpec, Progress};

/// A recipe for given labels: the graph is built and the network known, nothing is trained.
#[derive(Debug, Clone)]
pub struct Design<'a> {
    recipe: &'a Recipe,
    labels: &'a Labels,
    weights: SampleWeights,
    /// The specification of the graph.
    pub spec: GraphSpec,
    /// The graph.
    pub graph: TrainingGraph,
    /// The network, before a ridge is chosen from the samples.
    pub network: NetworkSpec,
}

/// A model and the features of the samples it was trained on.
#[derive(Debug, Clone)]
pub struct TrainedModel {
    /// The model.
    pub model: Model,
    /// The slow features of the training samples, one row each.
    pub features: Array2<f64>,
    /// Remarks of a network that is a single node; those of many nodes are in the model's summary.
    pub notes: Vec<crate::Note>,
}

impl Recipe {
    /// Decides everything that labels and shape of the samples decide.
    ///
    /// # Errors
    /// If there are no labels, or they do not suit the graph.
    pub fn design<'a>(&'a self, input: &GraphInput<'a>, shape: InputShape) -> Result<Design<'a>> {
        let labels = input.labels();
        let spec = self.graph(labels)?;
        let graph = spec.build(input)?;
        let network = self.network(shape, &graph, labels);
        let weights = SampleWeights::new(input.weights().to_vec())?;
        Ok(Design { recipe: self, labels, weights, spec, graph, network })
    }
}

impl Design<'_> {
    /// Trains network and read-outs.
    ///
    /// # Errors
    /// As [`NetworkSpec::fit_with`] and [`Recipe::readouts`].
    pub fn train(&self, samples: &dyn Samples, progress: &Progress<'_>) -> Result<TrainedModel> {
        let network = self.recipe.with_ridge(&self.network, samples, &self.graph);
        let trained = network.fit_with(samples, &self.graph, progress)?;
        let notes = match trained.network.layers.as_slice() {
            [nodes] if nodes.len() == 1 => nodes[0].slow.as_ref().map(|slow| slow.notes.clone()).unwrap_or_default(),
            _ => Vec::new(),
        };
        let features = trained.features;
        let readouts = self.recipe.readouts_of_labelled(features.view(), self.labels, &self.weights, &self.graph)?;
        let training = Training { labels: self.labels, spec: Some(&self.spec), graph: &self.graph };
        Ok(TrainedModel { model: Model::new(trained.network, readouts, &training)?, features, notes })
    }
}
