//! What a recipe comes to for given labels, before and after training.

use std::ops::ControlFlow;

use ndarray::{Array2, ArrayView2};

use super::{Choice, Recipe, Selection};
use crate::graph::{GraphInput, GraphSpec, TrainingGraph};
use crate::labels::{Labels, SampleWeights};
use crate::model::{Model, Remark, Remembered, Training};
use crate::network::{InputShape, Network, NetworkSpec, Node, Progress};
use crate::samples::Samples;
use crate::{Error, Note, Result};

/// A recipe for given labels: the graph is built and the network known, nothing is trained.
#[derive(Debug, Clone)]
pub struct Design<'a> {
    pub(super) recipe: &'a Recipe,
    pub(super) labels: &'a Labels,
    pub(super) weights: SampleWeights,
    pub(super) groups: Option<Vec<usize>>,
    vectors: Option<ArrayView2<'a, f64>>,
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
    /// Remarks about what was chosen, and of the nodes.
    pub notes: Vec<Note>,
    /// What was tried to choose what was left open.
    pub selection: Selection,
}

impl Recipe {
    /// Learns the labels of samples, which may come with weights ([`GraphInput`]): what is left open is chosen, then network
    /// and read-outs are trained. Neighbours are those of the samples, unless there are vectors for that.
    ///
    /// # Errors
    /// As [`vectors`](Self::vectors), [`design`](Self::design) and [`Design::train`].
    pub fn fit<'a>(&'a self, samples: &dyn Samples, labels: impl Into<GraphInput<'a>>) -> Result<TrainedModel> {
        let input: GraphInput<'a> = labels.into();
        let vectors = match input.vectors() {
            Some(_) => None,
            None => self.vectors(input.labels(), samples)?,
        };
        let go_on = |_| ControlFlow::Continue(());
        let Some(vectors) = &vectors else {
            return self.design(&input, samples.input_shape())?.train(samples, &go_on);
        };
        let weights = SampleWeights::new(input.weights().to_vec())?;
        let near = GraphInput::new(input.labels()).with_weights(weights)?.with_vectors(vectors.view())?;
        self.design(&near, samples.input_shape())?.train(samples, &go_on)
    }

    /// Decides everything that labels and shape of the samples decide.
    ///
    /// # Errors
    /// If there are no labels, or they do not suit the graph.
    pub fn design<'a>(&'a self, input: &GraphInput<'a>, shape: InputShape) -> Result<Design<'a>> {
        self.clip.check()?;
        let labels = input.labels();
        let spec = self.graph(labels)?;
        let graph = spec.build(input)?;
        let network = self.network(shape, &graph, labels);
        network.spectrum.map_or(Ok(()), |spectrum| spectrum.check(shape))?;
        let narrow = network.narrow_note(&graph);
        let returned = network.layers.last().map_or(0, |top| top.output_dim);
        let fewer = self.network.features.filter(|&requested| requested > returned);
        let fewer = fewer.map(|requested| Note::FewerFeatures { requested, returned });
        let graph = graph.with_features(returned).with_notes(narrow).with_notes(fewer);
        let weights = SampleWeights::new(input.weights().to_vec())?;
        let vectors = input.vectors();
        Ok(Design { recipe: self, labels, weights, groups: None, vectors, spec, graph, network })
    }
}

impl<'a> Design<'a> {
    /// With the group of each sample: samples that belong together, like pictures of one person, are left out together.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there is not one for each sample.
    pub fn with_groups(mut self, groups: Vec<usize>) -> Result<Self> {
        if groups.len() != self.labels.len() {
            let (left, right) = ("the label table".to_string(), "the list of groups".to_string());
            return Err(Error::LengthMismatch { left, left_len: self.labels.len(), right, right_len: groups.len() });
        }
        self.groups = Some(groups);
        Ok(self)
    }

    /// Labels, weights and vectors as graphs take them.
    pub(super) fn input(&self) -> Result<GraphInput<'a>> {
        let input = GraphInput::new(self.labels).with_weights(self.weights.clone())?;
        match self.vectors {
            Some(vectors) => input.with_vectors(vectors),
            None => Ok(input),
        }
    }

    /// Chooses what is open, and trains network and read-outs.
    ///
    /// # Errors
    /// As [`choose`](Self::choose), [`NetworkSpec::fit_with`] and [`Recipe::readouts`].
    pub fn train(&self, samples: &dyn Samples, progress: &Progress<'_>) -> Result<TrainedModel> {
        self.train_chosen(self.choose(samples, progress)?, samples, progress)
    }

    /// Trains network and read-outs as a choice says.
    ///
    /// # Errors
    /// As [`NetworkSpec::fit_with`] and [`Recipe::readouts`].
    pub fn train_chosen(&self, choice: Choice, samples: &dyn Samples, progress: &Progress<'_>) -> Result<TrainedModel> {
        let trained = choice.network.fit_with(samples, &choice.graph, progress)?;
        let nothing = |node: &Node| node.slow.is_none();
        if trained.network.layers.last().is_some_and(|top| top.iter().all(nothing)) {
            return Err(Error::NoVariance { inputs: samples.dim() });
        }
        let mut notes = choice.notes.clone();
        let of_layers = layer_notes(&trained.network);
        notes.extend(of_layers.iter().cloned().chain(node_notes(&trained.network)));
        let features = trained.features;
        let model = self.model(&choice, trained.network, Some(features.view()))?;
        let mut remembered = model.remembered().clone();
        remembered.notes.extend(Remark::all(&of_layers));
        let model = model.with_remembered(remembered)?;
        Ok(TrainedModel { model, features, notes, selection: choice.selection })
    }

    /// The model of a network that was trained as a choice says; without features it has no read-outs.
    ///
    /// # Errors
    /// As [`Recipe::readouts`].
    pub fn model(&self, choice: &Choice, network: Network, features: Option<ArrayView2<'_, f64>>) -> Result<Model> {
        let readouts = match features {
            Some(features) => {
                let (weights, judgement) = (&self.weights, choice.judgement.as_ref());
                self.recipe.readouts(features, self.labels, weights, &choice.graph, judgement)?
            }
            None => Vec::new(),
        };
        let training = Training { labels: self.labels, spec: Some(&choice.spec), graph: &choice.graph };
        let remembered = Remembered::of(self.recipe, choice, self.labels, &self.weights)?;
        Model::new(network, readouts, &training)?.with_remembered(remembered)
    }
}

/// The only node of a network that is one.
fn only_node(network: &Network) -> Option<&Node> {
    match network.layers.as_slice() {
        [nodes] if nodes.len() == 1 => nodes.first(),
        _ => None,
    }
}

/// Remarks of a network that is a single node; others are in the model's summary.
fn node_notes(network: &Network) -> Vec<Note> {
    only_node(network).and_then(|node| node.slow.as_ref()).map(|slow| slow.notes.clone()).unwrap_or_default()
}

/// Which layers of several nodes overfit.
fn layer_notes(network: &Network) -> Vec<Note> {
    let mut notes = Vec::new();
    if only_node(network).is_some() {
        return notes;
    }
    for (layer, nodes) in (1..).zip(&network.layers) {
        let fits = |note: &Note| match note {
            Note::Overfit { samples, rank } => Some((*samples, *rank)),
            _ => None,
        };
        let found: Vec<(usize, usize)> =
            nodes.iter().filter_map(|node| node.slow.as_ref()?.notes.iter().find_map(fits)).collect();
        if let Some(&(samples, rank)) = found.iter().max_by_key(|(_, rank)| *rank) {
            notes.push(Note::NodesOverfit { layer, nodes: found.len(), of: nodes.len(), samples, rank });
        }
    }
    notes
}
