//! What is left open, chosen by samples that are left out.

use super::graph::{is_of_labels, weight_is_open, with_unlabelled};
use super::ladder::Rung;
use super::search::Search;
use super::selection::{Selection, Tried};
use super::{Design, NetworkKind};
use crate::graph::{Ell, GraphSpec, TrainingGraph};
use crate::network::{NetworkSpec, Progress};
use crate::samples::Samples;
use crate::select::{Folds, Judgement, row_keys};
use crate::solve::DEFAULT_RIDGE;
use crate::{Note, Result};

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
    /// What was tried.
    pub selection: Selection,
    /// Remarks.
    pub notes: Vec<Note>,
}

/// Weights of unlabelled samples that are tried beside 0.
const UNLABELLED: [f64; 2] = [0.1, 1.0];

/// Target labels of a single label that are tried beside one.
const TARGETS: usize = 3;

/// Folds that nobody misses.
const FEWEST_FOLDS: usize = 5;

impl Design<'_> {
    /// Chooses what is open. Everything that depends on labels is learned without the samples that judge it.
    ///
    /// If `progress` says `Break` after a candidate was judged, the best so far is taken.
    ///
    /// # Errors
    /// If samples cannot be read, or do not fit.
    pub fn choose(&self, samples: &dyn Samples, progress: &Progress<'_>) -> Result<Choice> {
        let mut choice = self.as_designed();
        let judged = self.recipe.calibrate && !self.labels.labelled().is_empty();
        if !(judged || self.recipe.ridge_is_open()) {
            return Ok(choice);
        }
        let keys = row_keys(samples)?;
        let distinct = Folds::distinct(self.labels, &keys);
        let rungs = self.ladder(Some(samples), distinct)?;
        let wanted = self.fold_count(&rungs, distinct)?;
        let Some(folds) = Folds::deal(self.labels, &keys, self.groups.as_deref(), wanted) else {
            choice.notes.push(Note::InSample { reason: "there are too few samples to leave some out".into() });
            return Ok(choice);
        };
        choice.notes.extend(self.notes_of_folds(&folds, wanted));
        let mut search = Search::new(self, samples, &folds, judged, progress);
        search.climb(rungs)?;
        if let Some(error) = search.fault() {
            return Err(error);
        }
        self.vary(&mut search)?;
        search.finish();
        if let Some(best) = search.best().cloned() {
            (choice.spec, choice.graph, choice.network) = (best.spec, best.graph, best.network);
        }
        choice.judgement = search.judgement().cloned();
        if judged && choice.judgement.is_none() {
            let reason = match search.reasons() {
                reasons if reasons.is_empty() => "a graph of some of the samples would be another one".into(),
                reasons => reasons.join("; "),
            };
            choice.notes.push(Note::InSample { reason });
        }
        choice.notes.append(&mut search.notes);
        choice.notes.extend(choice.judgement.as_ref().and_then(|judgement| judgement.note.clone()));
        choice.selection = search.selection;
        if choice.selection.interrupted {
            choice.notes.push(Note::SearchInterrupted {
                tried: choice.selection.tried.iter().filter(|t| t.loss.is_some()).count(),
            });
        }
        Ok(choice)
    }

    /// What there is to say without looking at samples: a ridge that was left open has its default.
    pub fn without_samples(&self) -> Choice {
        let mut choice = self.as_designed();
        if let (true, [layer]) = (self.recipe.ridge_is_open(), choice.network.layers.as_mut_slice()) {
            layer.ridge = DEFAULT_RIDGE;
            choice.notes.push(Note::DefaultRidge { ridge: DEFAULT_RIDGE });
        }
        choice
    }

    /// What would be tried to choose what is open, with the predicted work of each; nothing if nothing is left out.
    ///
    /// # Errors
    /// If a network is impossible.
    pub fn candidates(&self) -> Result<Vec<Tried>> {
        let labelled = self.labels.labelled().len();
        if !self.recipe.calibrate || !is_of_labels(&self.spec) || labelled < 4 {
            return Ok(Vec::new());
        }
        let rungs = self.ladder(None, labelled)?;
        let folds = self.fold_count(&rungs, labelled)?.min(labelled / 2);
        let one = |rung: &Rung| Ok(Tried::new(&rung.name, None, self.work_of(&rung.network, folds)?, None));
        rungs.iter().map(one).collect()
    }

    /// How often candidates will be trained, each time without a part of the samples, if all of them are tried.
    ///
    /// # Errors
    /// As [`candidates`](Self::candidates).
    pub fn left_out_trainings(&self) -> Result<usize> {
        if self.candidates()?.is_empty() {
            return Ok(0);
        }
        let labelled = self.labels.labelled().len();
        let rungs = self.ladder(None, labelled)?;
        let folds = self.fold_count(&rungs, labelled)?.min(labelled / 2);
        rungs.iter().map(|rung| self.judged_folds(&rung.network, folds)).sum()
    }

    fn as_designed(&self) -> Choice {
        Choice {
            spec: self.spec.clone(),
            graph: self.graph.clone(),
            network: self.network.clone(),
            judgement: None,
            selection: Selection { effort: self.recipe.effort, ..Selection::default() },
            notes: Vec::new(),
        }
    }

    /// More folds where samples are few for what is learned, so that models without a fold are about as good as that of all.
    fn fold_count(&self, rungs: &[Rung], distinct: usize) -> Result<usize> {
        let mut widest = 0;
        for rung in rungs {
            widest = rung.network.plan()?.layers.iter().map(|layer| layer.expanded_dim).fold(widest, usize::max);
        }
        let single = rungs.iter().all(|rung| rung.network.layers.len() == 1);
        Ok(match widest {
            _ if !single || distinct >= 50 * widest => 5,
            0..=512 => 20,
            513..=1500 => 10,
            _ => 5,
        })
    }

    /// What is remarkable about folds: that they are few, and classes that nobody can judge.
    fn notes_of_folds(&self, folds: &Folds, wanted: usize) -> Vec<Note> {
        let mut notes = Vec::new();
        if folds.count() < wanted.min(FEWEST_FOLDS) {
            notes.push(Note::FewerFolds { folds: folds.count(), groups: self.groups.is_some() });
        }
        notes
    }

    /// Variations of the best: more target labels, and unlabelled samples that weigh something.
    fn vary(&self, search: &mut Search<'_, '_>) -> Result<()> {
        if search.judgement().is_none() {
            return Ok(());
        }
        if let Some(rung) = search.best().map(|best| self.with_more_targets(best)).transpose()?.flatten() {
            search.vary(rung)?;
        }
        self.vary_codes(search)?;
        let unlabelled = self.labels.len() - self.labels.labelled().len();
        let open = unlabelled > 0 && weight_is_open(&self.spec);
        let Some(best) = search.best().cloned().filter(|best| open && best.network.layers.len() == 1) else {
            return Ok(());
        };
        for weight in UNLABELLED {
            let spec = with_unlabelled(best.spec.clone(), Some(weight))?;
            let graph = spec.build(&self.input()?)?;
            let name = format!("{}, unlabelled samples weigh {weight}", best.name);
            search.vary(Rung { name, spec, graph, ..best.clone() })?;
        }
        Ok(())
    }

    /// The same with auxiliary labels, if labels are numbers, and their number and the network are left open: who names a
    /// network may have sums for its graph already.
    fn with_more_targets(&self, best: &Rung) -> Result<Option<Rung>> {
        let open = self.recipe.network.kind == NetworkKind::Auto && self.targets_are_open();
        let (GraphSpec::Ell(ell), true, [_]) = (&best.spec, open, best.network.layers.as_slice()) else {
            return Ok(None);
        };
        let spec = match self.products() {
            Some(products) => products,
            None => Ell { targets: Some(TARGETS), ..ell.clone() }.into(),
        };
        let Ok(graph) = spec.build(&self.input()?) else { return Ok(None) };
        let targets = graph.targets().map_or(1, |targets| targets.eigenvalues.values.len());
        let mut network = best.network.clone();
        network.layers.iter_mut().for_each(|layer| layer.output_dim = targets);
        let name = format!("{}, {targets} target labels", best.name);
        Ok(Some(Rung { name, spec, graph, network: self.recipe.adjusted(network), as_simple: false }))
    }
}
