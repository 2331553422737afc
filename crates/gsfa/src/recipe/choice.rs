//! What is left open, chosen by samples that are left out.

use super::graph::{is_of_labels, weight_is_open, with_unlabelled};
use super::{Design, NetworkKind};
use crate::graph::{GraphSpec, TrainingGraph};
use crate::network::{NetworkSpec, Progress};
use crate::samples::{Precision, Samples};
use crate::select::{Candidate, Folds, Judgement, judge};
use crate::solve::{DEFAULT_RIDGE, Leave, RIDGES, row_keys};
use crate::{Error, Note, Result};

/// All that was open, chosen.
#[derive(Debug, Clone)]
pub struct Choice {
    /// The specification of the graph, with the weight of unlabelled samples.
    pub spec: GraphSpec,
    /// The graph.
    pub graph: TrainingGraph,
    /// The network, with its ridge.
    pub network: NetworkSpec,
    /// What left-out samples say; `None` if none were left out.
    pub judgement: Option<Judgement>,
    /// What was tried, in order.
    pub tried: Vec<Tried>,
    /// Remarks.
    pub notes: Vec<Note>,
}

/// A candidate and how it did.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// In a few words.
    pub name: String,
    /// The ridge of its top node.
    pub ridge: f64,
    /// Mean left-out loss, summed over labels; `None` if it could not be judged.
    pub loss: Option<f64>,
}

/// Weights of unlabelled samples that are tried beside 0.
const UNLABELLED: [f64; 2] = [0.1, 1.0];

/// Left-out samples that are enough to judge by.
const ENOUGH: usize = 10_000;

/// Operations of a training up to which it is repeated for every fold, about a second of two cores.
const CHEAP: f64 = 4e10;

impl Design<'_> {
    /// Chooses what is open. Everything that depends on labels is learned without the samples that judge it.
    ///
    /// # Errors
    /// If samples cannot be read, or do not fit.
    pub fn choose(&self, samples: &dyn Samples, progress: &Progress<'_>) -> Result<Choice> {
        let mut choice = Choice {
            spec: self.spec.clone(),
            graph: self.graph.clone(),
            network: self.network.clone(),
            judgement: None,
            tried: Vec::new(),
            notes: Vec::new(),
        };
        let judged = self.recipe.calibrate && !self.labels.labelled().is_empty();
        if !(judged || self.recipe.ridge_is_open()) {
            return Ok(choice);
        }
        let keys = match samples.precision() {
            Precision::Single => row_keys::<f32>(samples)?,
            Precision::Double => row_keys::<f64>(samples)?,
        };
        let distinct = Folds::distinct(self.labels, &keys);
        let networks = self.recipe.networks(&self.network, samples, &self.graph, distinct)?;
        let count = self.fold_count(&networks, distinct)?;
        let Some(folds) = Folds::deal(self.labels, &keys, self.groups.as_deref(), count) else {
            choice.notes.push(Note::InSample { reason: "there are too few samples to leave some out".into() });
            return Ok(choice);
        };
        let mut best: Option<(NetworkSpec, Option<Judgement>)> = None;
        let mut failed = None;
        for (k, network) in networks.iter().enumerate() {
            let ridged = self.with_ridge(network, samples, &self.graph, &folds, &mut choice.notes)?;
            let judgement = match judged && is_of_labels(&self.spec) {
                true => match self.judge(&self.spec, &ridged, samples, &folds, progress) {
                    Ok(judgement) => Some(judgement),
                    Err(error @ Error::Cancelled { .. }) => return Err(error),
                    Err(error) => {
                        failed = Some(error);
                        None
                    }
                },
                false => None,
            };
            choice.tried.push(Tried::new(&ridged, judgement.as_ref()));
            let better = match (&best, &judgement) {
                (None, _) => true,
                (Some((_, Some(old))), Some(new)) => {
                    let (difference, error) = new.difference(old, self.weights.as_slice());
                    // Components are no more to learn than columns: neither is the simpler one.
                    let needed = if networks[k].layers[0].pca.is_some() { 0.0 } else { error };
                    difference < -needed
                }
                (Some((_, None)), Some(_)) => true,
                _ => false,
            };
            if better {
                best = Some((ridged, judgement));
            }
        }
        if let Some((network, judgement)) = best {
            (choice.network, choice.judgement) = (network, judgement);
        }
        if judged && choice.judgement.is_none() {
            let reason = match failed {
                Some(error) => error.to_string(),
                None => "a graph of some of the samples would be another one".into(),
            };
            choice.notes.push(Note::InSample { reason });
        }
        self.weigh_unlabelled(&mut choice, samples, &folds, progress)?;
        choice.notes.extend(choice.judgement.as_ref().and_then(|judgement| judgement.note.clone()));
        Ok(choice)
    }

    /// How often the network will be trained again to judge it, each time without a part of the samples.
    ///
    /// # Errors
    /// If the network is impossible.
    pub fn left_out_trainings(&self) -> Result<usize> {
        let labelled = self.labels.labelled().len();
        if !self.recipe.calibrate || !is_of_labels(&self.spec) || labelled < 4 {
            return Ok(0);
        }
        let folds = self.fold_count(std::slice::from_ref(&self.network), labelled)?.min(labelled / 2);
        self.judged_folds(&self.network, labelled, folds)
    }

    /// How many of the folds judge a network.
    fn judged_folds(&self, network: &NetworkSpec, labelled: usize, folds: usize) -> Result<usize> {
        let dear = network.layers.len() > 1 || network.plan()?.operations(self.labels.len()) > CHEAP;
        Ok(if dear { 1 } else { (ENOUGH * folds).div_ceil(labelled).clamp(1, folds) })
    }

    /// What there is to say without looking at samples: a ridge that was left open has its default.
    pub fn without_samples(&self) -> Choice {
        let (mut network, mut notes) = (self.network.clone(), Vec::new());
        if let (true, [layer]) = (self.recipe.ridge_is_open(), network.layers.as_mut_slice()) {
            layer.ridge = DEFAULT_RIDGE;
            notes.push(Note::DefaultRidge { ridge: DEFAULT_RIDGE });
        }
        let (spec, graph) = (self.spec.clone(), self.graph.clone());
        Choice { spec, graph, network, judgement: None, tried: Vec::new(), notes }
    }

    /// More folds where samples are few for what is learned, so that models without a fold are about as good as that of all.
    fn fold_count(&self, networks: &[NetworkSpec], distinct: usize) -> Result<usize> {
        let mut widest = 0;
        for network in networks {
            widest = network.plan()?.layers.iter().map(|layer| layer.expanded_dim).fold(widest, usize::max);
        }
        let single = networks.iter().all(|network| network.layers.len() == 1);
        Ok(match widest {
            _ if !single || distinct >= 50 * widest => 5,
            0..=512 => 20,
            513..=1500 => 10,
            _ => 5,
        })
    }

    /// The network with the ridge that errs least on left-out samples, if it is open and can be known.
    fn with_ridge(
        &self,
        network: &NetworkSpec,
        samples: &dyn Samples,
        graph: &TrainingGraph,
        folds: &Folds,
        notes: &mut Vec<Note>,
    ) -> Result<NetworkSpec> {
        let mut network = network.clone();
        if !self.recipe.ridge_is_open() || network.layers.len() != 1 {
            return Ok(network);
        }
        let leave = Leave::Folds(folds.of_sample(), folds.count());
        let mut found = network.choose_ridge_in(samples, graph, &RIDGES, leave)?;
        if found.errors.is_empty() && self.labels.columns().next().is_some() {
            // The graph has no labels to predict; those it was made from are as good.
            let labels = self.recipe.graph_of(self.labels)?;
            let labels = if self.recipe.semi_supervised { with_unlabelled(labels, None)? } else { labels };
            if let Ok(graph) = labels.build(&self.input()?) {
                found = network.choose_ridge_in(samples, &graph, &RIDGES, leave)?;
            }
        }
        let open = self.recipe.network.kind != NetworkKind::Auto;
        if let (Some(layer), true) = (network.layers.last_mut(), open || !found.errors.is_empty()) {
            layer.ridge = found.ridge;
        }
        if found.errors.is_empty() {
            notes.push(Note::DefaultRidge { ridge: network.layers.last().map_or(DEFAULT_RIDGE, |layer| layer.ridge) });
        }
        Ok(network)
    }

    fn judge(
        &self,
        spec: &GraphSpec,
        network: &NetworkSpec,
        samples: &dyn Samples,
        folds: &Folds,
        progress: &Progress<'_>,
    ) -> Result<Judgement> {
        let candidate = Candidate { graph: spec, network, readouts: self.recipe.candidates(self.labels) };
        let labelled = self.labels.labelled().len();
        let judged = self.judged_folds(network, labelled, folds.count())?;
        judge(&candidate, samples, &self.input()?, folds, judged, progress)
    }

    /// How much unlabelled samples weigh: nothing, unless left-out samples are clearly better for more.
    fn weigh_unlabelled(
        &self,
        choice: &mut Choice,
        samples: &dyn Samples,
        folds: &Folds,
        progress: &Progress<'_>,
    ) -> Result<()> {
        let unlabelled = self.labels.len() - self.labels.labelled().len();
        if unlabelled == 0 || !weight_is_open(&self.spec) || choice.network.layers.len() > 1 {
            return Ok(());
        }
        let Some(mut best) = choice.judgement.clone() else { return Ok(()) };
        for weight in UNLABELLED {
            let spec = with_unlabelled(self.spec.clone(), Some(weight))?;
            let graph = spec.build(&self.input()?)?;
            let mut notes = Vec::new();
            let network = self.with_ridge(&choice.network, samples, &graph, folds, &mut notes)?;
            let judgement = match self.judge(&spec, &network, samples, folds, progress) {
                Ok(judgement) => judgement,
                Err(error @ Error::Cancelled { .. }) => return Err(error),
                Err(_) => continue,
            };
            let mut tried = Tried::new(&network, Some(&judgement));
            tried.name += &format!(", unlabelled samples weigh {weight}");
            choice.tried.push(tried);
            let (difference, error) = judgement.difference(&best, self.weights.as_slice());
            if difference < -error {
                best = judgement.clone();
                (choice.spec, choice.graph, choice.network) = (spec, graph, network);
                choice.judgement = Some(judgement);
            }
        }
        Ok(())
    }
}

impl Tried {
    fn new(network: &NetworkSpec, judgement: Option<&Judgement>) -> Self {
        let layer = network.layers.last();
        let mut name = match network.layers.as_slice() {
            [layer] if layer.expansion == crate::expansion::Expansion::Identity => "linear".to_string(),
            [layer] if layer.expansion == crate::expansion::Expansion::QUADRATIC => "quadratic".to_string(),
            [_] => "one node".to_string(),
            layers => format!("{} layers", layers.len()),
        };
        if let Some(count) = layer.and_then(|layer| layer.pca).and_then(|pca| pca.components) {
            name += &format!(" on {count} principal components");
        }
        let loss = judgement.map(|judgement| judgement.labels.iter().map(|label| label.loss).sum());
        Self { name, ridge: layer.map_or(0.0, |layer| layer.ridge), loss }
    }
}
