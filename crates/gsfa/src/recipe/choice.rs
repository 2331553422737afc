//! What is left open, chosen by samples that are left out.

use super::graph::is_of_labels;
use super::ladder::Rung;
use super::search::{Search, quick_ones};
use super::selection::{Selection, Tried};
use super::{Design, Effort};
use crate::graph::{Chain, GraphSpec, TrainingGraph};
use crate::labels::LabelValues;
use crate::network::{NetworkSpec, Progress};
use crate::samples::Samples;
use crate::select::{Folds, Judgement, Units, row_keys};
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

/// Folds that nobody misses.
const FEWEST_FOLDS: usize = 5;

/// Blocks of a time series, at most, and how many pairs of neighbours each has at least.
const BLOCKS: usize = 10;
const FEWEST_PAIRS: usize = 4;

/// A gap beside a block of a time series is this part of the block, at least as long as the lag.
const GAP: usize = 10;

impl Design<'_> {
    /// Chooses what is open. Everything that depends on labels is learned without the samples that judge it.
    ///
    /// If `progress` says `Break` after a candidate was judged, the best so far is taken.
    ///
    /// # Errors
    /// If samples cannot be read, or do not fit.
    pub fn choose(&self, samples: &dyn Samples, progress: &Progress<'_>) -> Result<Choice> {
        let mut choice = self.searched(samples, progress)?;
        choice.notes.extend(self.unchosen(&choice));
        Ok(choice)
    }

    fn searched(&self, samples: &dyn Samples, progress: &Progress<'_>) -> Result<Choice> {
        let mut choice = self.as_designed();
        let series = self.series();
        let to_judge = self.has_labels_to_learn() && !self.labels.labeled().is_empty();
        let judged = self.recipe.calibrate && (series.is_some() || to_judge);
        if !(judged || self.recipe.ridge_is_open()) {
            return Ok(choice);
        }
        let keys = row_keys(samples)?;
        let copies = Units::of_labels(self.labels, &keys, None);
        let distinct = if series.is_some() { samples.len() } else { copies.len() };
        let mut rungs = self.ladder(Some(samples), distinct)?;
        if !judged {
            // Nobody says which is better.
            rungs.truncate(1);
        }
        let wanted = self.fold_count(&rungs, distinct)?;
        let folds = match series {
            Some(chain) => self.blocks(chain, wanted)?,
            None => {
                let groups = self.groups.as_deref().map(|groups| Units::of_labels(self.labels, &keys, Some(groups)));
                Folds::deal(self.labels.len(), &groups.unwrap_or(copies), wanted)
            }
        };
        let Some(folds) = folds else {
            let reason = match &self.groups {
                Some(_) => "there are too few groups to leave one out",
                None => "there are too few samples to leave some out",
            };
            choice.notes.push(Note::InSample { reason: reason.into() });
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
        choice.notes.extend(self.unchosen(&choice));
        choice
    }

    /// What would be tried to choose what is open, with the predicted work of each; nothing if nothing is left out.
    ///
    /// # Errors
    /// If a network is impossible.
    pub fn candidates(&self) -> Result<Vec<Tried>> {
        let Some((rungs, folds)) = self.planned()? else { return Ok(Vec::new()) };
        let one = |rung: &Rung| Ok(Tried::new(&rung.name, None, self.work_of(rung, folds)?, None));
        rungs.iter().map(one).collect()
    }

    /// How often candidates will be trained, each time without a part of the samples, if all of them are tried.
    ///
    /// # Errors
    /// As [`candidates`](Self::candidates).
    pub fn left_out_trainings(&self) -> Result<usize> {
        let Some((rungs, folds)) = self.planned()? else { return Ok(0) };
        rungs.iter().map(|rung| self.judged_folds(&rung.network, folds)).sum()
    }

    /// The candidates as far as they are known without samples, and the folds that judge them.
    fn planned(&self) -> Result<Option<(Vec<Rung>, usize)>> {
        if !self.recipe.calibrate {
            return Ok(None);
        }
        if self.series().is_some() {
            let rungs = self.ladder(None, self.labels.len())?;
            let folds = self.fold_count(&rungs, self.labels.len())?;
            return Ok((folds >= 2).then_some((self.bounded(rungs, folds)?, folds)));
        }
        let labeled = self.labels.labeled().len();
        if !is_of_labels(&self.spec) || labeled < 4 {
            return Ok(None);
        }
        let rungs = self.ladder(None, labeled)?;
        let folds = self.fold_count(&rungs, labeled)?.min(labeled / 2);
        Ok(Some((self.bounded(rungs, folds)?, folds)))
    }

    /// Those that the effort allows, as far as that does not depend on how others err.
    fn bounded(&self, rungs: Vec<Rung>, folds: usize) -> Result<Vec<Rung>> {
        if self.recipe.effort != Effort::Quick {
            return Ok(rungs);
        }
        let works = rungs.iter().map(|rung| self.work_of(rung, folds)).collect::<Result<Vec<f64>>>()?;
        let allowed = rungs.into_iter().zip(quick_ones(&works)).filter(|(_, quick)| *quick);
        Ok(allowed.map(|(rung, _)| rung).collect())
    }

    /// The chain of a time series, whose blocks can be left out.
    pub(super) fn series(&self) -> Option<&Chain> {
        match &self.spec {
            GraphSpec::Chain(chain) => Some(chain),
            _ => None,
        }
    }

    /// Whether there is a label beside the one that tells sequences of a time series apart.
    pub(super) fn has_labels_to_learn(&self) -> bool {
        let sequences = self.series().and_then(|chain| chain.sequences.as_deref());
        self.labels.columns().any(|(name, _)| Some(name) != sequences)
    }

    /// Blocks of a time series, and what lies beside each.
    fn blocks(&self, chain: &Chain, wanted: usize) -> Result<Option<Folds>> {
        let sequences = chain.sequence_of_sample(&self.input()?)?;
        let gap = chain.lag.max(self.labels.len() / wanted.max(1) / GAP);
        Ok(Folds::blocks(&sequences, wanted, gap))
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
    /// Of a time series as many as have some pairs of neighbours each.
    fn fold_count(&self, rungs: &[Rung], distinct: usize) -> Result<usize> {
        if let Some(chain) = self.series() {
            return Ok(BLOCKS.min(self.labels.len() / (FEWEST_PAIRS * chain.lag.saturating_add(1)).max(1)));
        }
        let mut widest = 0;
        let radial = |rung: &&Rung| rung.network.layers.iter().any(|layer| layer.expansion.rbf().is_some());
        // Radial basis functions have as many terms as samples can pay for.
        for rung in rungs.iter().filter(|rung| rung.alternatives.is_empty() || !radial(rung)) {
            widest = rung.network.plan()?.layers.iter().map(|layer| layer.expanded_dim).fold(widest, usize::max);
        }
        let single = rungs.iter().all(|rung| rung.network.layers.len() == 1);
        Ok(match widest {
            _ if !single || distinct >= 50 * widest => 5,
            0..=128 => 20,
            129..=1500 => 10,
            _ => 5,
        })
    }

    /// What is remarkable about folds: that they are few, and classes that nobody can judge.
    fn notes_of_folds(&self, folds: &Folds, wanted: usize) -> Vec<Note> {
        let mut notes = Vec::new();
        let groups = self.groups.is_some();
        if folds.count() < if groups { wanted } else { wanted.min(FEWEST_FOLDS) } {
            notes.push(Note::FewerFolds { folds: folds.count(), groups });
        }
        let mut names = Vec::new();
        for (_, values) in self.labels.columns() {
            let LabelValues::Classes(classes) = values else { continue };
            let mut fold_of_class: Vec<Option<usize>> = vec![None; classes.count()];
            let mut together = vec![true; classes.count()];
            for (&class, &fold) in classes.of_sample().iter().zip(folds.of_sample()) {
                if let (Some(known), Some(fold)) = (fold_of_class.get_mut(class as usize), fold) {
                    together[class as usize] &= *known.get_or_insert(fold) == fold;
                }
            }
            let alone = (0..classes.count()).filter(|&c| together[c] && fold_of_class[c].is_some());
            names.extend(alone.map(|c| classes.names()[c].clone()));
        }
        if !names.is_empty() && self.has_labels_to_learn() {
            notes.push(Note::UnjudgedClasses { names });
        }
        notes
    }
}
