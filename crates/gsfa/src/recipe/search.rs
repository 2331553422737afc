//! Candidates tried one after the other: the ridge of each, its judgement, and the best so far.

use std::ops::ControlFlow;

use super::Design;
use super::graph::is_of_labels;
use super::ladder::Rung;
use super::radial::FEW_RIDGES;
use super::ridges::Known;
use super::selection::{Effort, Selection, Tried};
use crate::network::{NetworkSpec, Progress, ProgressEvent};
use crate::samples::Samples;
use crate::select::{Candidate, Folds, Judgement, Judging, SharedSums};
use crate::solve::ridges_tried;
use crate::{Error, Note, Result};

/// Left-out samples that are enough to judge by.
const ENOUGH: usize = 10_000;

/// Operations of a training up to which it is repeated for every fold, about a second of two cores.
const CHEAP: f64 = 4e10;

/// Operations of a candidate that is always tried, whatever others take.
const ALWAYS: f64 = 1e11;

/// How much more work than the cheapest good candidate another one may take.
const TIMES: f64 = 10.0;

/// A loss that is less by so little is no better: labels without noise leave round-off to compare.
const ROUND_OFF: f64 = 1e-10;

/// How candidates are tried.
pub(super) struct Search<'s, 'a> {
    pub(super) design: &'s Design<'a>,
    pub(super) samples: &'s dyn Samples,
    pub(super) folds: &'s Folds,
    progress: &'s Progress<'s>,
    /// Whether left-out samples can judge at all.
    judges: bool,
    /// Predicted work, done and all of it.
    work: (f64, f64),
    pub selection: Selection,
    pub notes: Vec<Note>,
    judgements: Vec<Option<Judgement>>,
    best: Option<(usize, Rung)>,
    /// The best of a single node.
    single: Option<(usize, Rung)>,
    /// Why candidates cannot be learned from these samples.
    faults: Vec<(String, Error)>,
    /// Ridges that were chosen.
    pub(super) known: Vec<Known>,
    shared: SharedSums,
}

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(
        design: &'s Design<'a>,
        samples: &'s dyn Samples,
        folds: &'s Folds,
        judges: bool,
        progress: &'s Progress<'s>,
    ) -> Self {
        let effort = design.recipe.effort;
        let selection = Selection { effort, folds: folds.count(), ..Selection::default() };
        Self {
            design,
            samples,
            folds,
            progress,
            judges,
            work: (0.0, 0.0),
            selection,
            notes: Vec::new(),
            judgements: Vec::new(),
            best: None,
            single: None,
            faults: Vec::new(),
            known: Vec::new(),
            shared: SharedSums::default(),
        }
    }

    /// Tries rungs as far as the effort allows.
    pub fn climb(&mut self, rungs: Vec<Rung>) -> Result<()> {
        let works = rungs.iter().map(|rung| self.work_of(rung)).collect::<Result<Vec<f64>>>()?;
        self.work.1 = works.iter().sum::<f64>() * 1.25;
        let quick = quick_ones(&works);
        for (place, (rung, work)) in rungs.into_iter().zip(works).enumerate() {
            let allowed = match self.selection.effort {
                Effort::Quick => quick[place],
                Effort::Normal => {
                    work <= ALWAYS || self.cheapest_good().is_none_or(|cheapest| work <= TIMES * cheapest)
                }
                Effort::Thorough => true,
            };
            if self.selection.interrupted || !allowed {
                let reason = match self.selection.interrupted {
                    true => "the search was interrupted".to_string(),
                    false => format!("{work:.1e} operations are more than the effort allows"),
                };
                self.pass_over(&rung, work, reason);
            } else {
                self.consider(rung, work)?;
            }
        }
        Ok(())
    }

    /// Tries a variation of the best, unless the search is over.
    pub fn vary(&mut self, rung: Rung) -> Result<()> {
        let work = self.work_of(&rung)?;
        let allowed = match self.selection.effort {
            Effort::Quick => false,
            Effort::Normal => work <= ALWAYS,
            Effort::Thorough => true,
        };
        if self.selection.interrupted || !allowed { Ok(()) } else { self.consider(rung, work) }
    }

    /// The best so far, with its ridge.
    pub fn best(&self) -> Option<&Rung> {
        self.best.as_ref().map(|(_, rung)| rung)
    }

    /// The best so far, and the best of a single node if that is another one: what helps the one need not help the other.
    pub fn leaders(&self) -> Vec<Rung> {
        let single =
            self.single.as_ref().filter(|(place, _)| self.best.as_ref().is_some_and(|(best, _)| best != place));
        self.best.iter().chain(single).map(|(_, rung)| rung.clone()).collect()
    }

    /// The judgement of the best so far.
    pub fn judgement(&self) -> Option<&Judgement> {
        self.judgements.get(self.best.as_ref()?.0)?.as_ref()
    }

    /// Why no candidate can be learned from these samples, if none can: what is wrong with all of them, or the reason of each.
    pub fn fault(&mut self) -> Option<Error> {
        let faults = std::mem::take(&mut self.faults);
        let (_, first) = faults.first().filter(|_| self.best.is_none())?;
        if faults.iter().all(|(_, error)| error == first) {
            return Some(first.clone());
        }
        let reasons = faults.iter().map(|(name, error)| (name.clone(), error.to_string())).collect();
        Some(Error::NoCandidate { reasons })
    }

    /// Why candidates could not be judged.
    pub fn reasons(&self) -> Vec<String> {
        let failed = self.selection.tried.iter().filter_map(|tried| Some((&tried.name, tried.reason.as_ref()?)));
        failed.map(|(name, reason)| format!("{name}: {reason}")).collect()
    }

    /// Ends the search: what was taken, and why.
    pub fn finish(&mut self) {
        let Some((taken, _)) = self.best else { return };
        self.selection.taken = taken;
        let judged = self.judgements.iter().flatten().count();
        let name = &self.selection.tried[taken].name;
        let least = (0..self.judgements.len())
            .filter_map(|k| Some((k, self.selection.tried[k].loss?)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        self.selection.why = match least {
            None if !self.judges => format!("{name}: the simplest, since calibration is off and nothing is judged"),
            None => format!("{name}: nothing could be judged by left-out samples"),
            Some(_) if judged == 1 => format!("{name}: the only candidate"),
            Some((k, _)) if k == taken => format!("{name}: errs least on left-out samples"),
            Some((k, _)) => {
                format!(
                    "{name}: simpler, and {} is not better by more than a standard error",
                    self.selection.tried[k].name
                )
            }
        };
    }

    fn cheapest_good(&self) -> Option<f64> {
        let best = self.judgement()?;
        let good = |k: &usize| {
            self.judgements[*k].as_ref().is_some_and(|other| {
                let (difference, error) = other.difference(best, self.design.weights.as_slice());
                difference <= error
            })
        };
        (0..self.judgements.len()).filter(good).map(|k| self.selection.tried[k].work).reduce(f64::min)
    }

    fn pass_over(&mut self, rung: &Rung, work: f64, reason: String) {
        self.selection.tried.push(Tried::new(&rung.name, None, work, Some(reason)));
        self.judgements.push(None);
    }

    /// Chooses the ridge of a candidate, judges it, and keeps it if it is better.
    fn consider(&mut self, mut rung: Rung, work: f64) -> Result<()> {
        self.prepare_as_best(&mut rung);
        let tried = match self.take_alternative(&mut rung).and_then(|()| self.set_ridges(&mut rung)) {
            Ok(()) => self.judged(&rung),
            Err(error @ Error::Cancelled { .. }) => Err(error),
            Err(error) => {
                self.pass_over(&rung, work, error.to_string());
                self.faults.push((rung.name, error));
                return Ok(());
            }
        };
        self.work.0 += work;
        let (judgement, reason) = match tried {
            Ok(judgement) => (judgement, None),
            Err(Error::Cancelled { layer }) if self.best.is_none() => return Err(Error::Cancelled { layer }),
            Err(Error::Cancelled { .. }) => {
                self.selection.interrupted = true;
                self.pass_over(&rung, work, "the search was interrupted".into());
                return Ok(());
            }
            Err(error) => (None, Some(error.to_string())),
        };
        let place = self.judgements.len();
        let failed = reason.is_some();
        let mut tried = Tried::new(&rung.name, rung.network.layers.last().map(|layer| layer.ridge), work, reason);
        if let Some(judgement) = &judgement {
            let (loss, error, samples) = judgement.mean(self.design.weights.as_slice());
            (tried.loss, tried.error, tried.samples) = (Some(loss), Some(error), samples);
        }
        self.selection.tried.push(tried);
        self.judgements.push(judgement);
        if rung.network.layers.len() == 1 && self.replaces(&self.single, place, &rung, failed) {
            self.single = Some((place, rung.clone()));
        }
        if self.replaces(&self.best, place, &rung, failed) {
            self.best = Some((place, rung));
        }
        Ok(())
    }

    /// Whether a candidate is better than what was best so far: by more than a standard error, unless it is as simple.
    fn replaces(&self, best: &Option<(usize, Rung)>, place: usize, rung: &Rung, failed: bool) -> bool {
        match (best, &self.judgements[place]) {
            (None, _) => true,
            (Some((old, _)), Some(new)) => match &self.judgements[*old] {
                Some(old) => {
                    let (difference, error) = new.difference(old, self.design.weights.as_slice());
                    difference < -ROUND_OFF.max(if rung.as_simple { 0.0 } else { error })
                }
                None => true,
            },
            // Nothing can be judged: the first that can be trained.
            (Some((old, _)), None) => !failed && self.selection.tried[*old].reason.is_some(),
        }
    }

    /// What left-out samples say about a candidate, if they can.
    pub(super) fn judged(&self, rung: &Rung) -> Result<Option<Judgement>> {
        let series = self.design.series().filter(|_| self.folds.are_blocks());
        if !self.judges || series.is_none() && !is_of_labels(&rung.spec) {
            return Ok(None);
        }
        let readouts = self.design.recipe.candidates(self.design.labels);
        let candidate = Candidate { graph: &rung.spec, network: &rung.network, readouts };
        let (judged, input) = (self.judged_folds(&rung.network)?, self.design.input()?);
        let progress = |event| self.report(event);
        let (samples, folds, shared) = (self.samples, self.folds, &self.shared);
        let judging = Judging { samples, input: &input, folds, judged, progress: &progress, shared };
        match series.filter(|_| !self.design.has_labels_to_learn()) {
            Some(chain) => judging.slowness(&candidate, chain),
            None => judging.judge(&candidate),
        }
        .map(Some)
    }

    /// Tells the share of the predicted work that is done.
    pub(super) fn report(&self, event: ProgressEvent) -> ControlFlow<()> {
        let done = (10_000.0 * self.work.0 / self.work.1.max(1.0)).min(10_000.0) as u32;
        if (self.progress)(ProgressEvent::Trying { candidate: self.judgements.len() + 1, done }).is_break() {
            return ControlFlow::Break(());
        }
        // Layers and nodes of candidates are no steps of the training to come.
        match event {
            ProgressEvent::LeavingOut { .. } => (self.progress)(event),
            _ => ControlFlow::Continue(()),
        }
    }

    pub(super) fn judged_folds(&self, network: &NetworkSpec) -> Result<usize> {
        self.design.judged_folds(network, self.folds.count())
    }

    fn work_of(&self, rung: &Rung) -> Result<f64> {
        self.design.work_of(rung, self.folds.count())
    }
}

impl Design<'_> {
    /// How many of the folds judge a network.
    pub(super) fn judged_folds(&self, network: &NetworkSpec, folds: usize) -> Result<usize> {
        let labeled = self.labels.labeled().len().max(1);
        let dear = network.plan()?.operations(self.labels.len()) > CHEAP;
        Ok(if dear { 1 } else { (ENOUGH * folds).div_ceil(labeled).clamp(1, folds) })
    }

    /// Operations of trying a candidate: a training for each fold that judges, and for the ridge of its top one more and a
    /// factor of the covariance for each fold and ridge; for a time series, a training for each of these. Alternatives take
    /// sums and a few ridges each.
    pub(super) fn work_of(&self, rung: &Rung, folds: usize) -> Result<f64> {
        let network = &rung.network;
        let (plan, judged) = (network.plan()?, self.judged_folds(network, folds)? as f64);
        let training = plan.operations(self.labels.len());
        let terms = plan.layers.last().map_or(0, |top| top.expanded_dim);
        let factor = (terms.min(self.labels.len()) as f64).powi(3) / 3.0;
        let few = if self.recipe.ridge_is_open() { FEW_RIDGES.len() } else { 1 } as f64;
        let alternatives = match rung.alternatives.len() {
            0 => 0.0,
            others => (1.0 + others as f64) * (training + judged * few * factor),
        };
        if !self.recipe.ridge_is_open() || rung.has_ridges {
            return Ok(alternatives + training * (1.0 + judged));
        }
        let ridges = ridges_tried(terms) as f64;
        if self.series().is_some() {
            return Ok(training * judged * (1.0 + ridges));
        }
        // Layers below a top are trained once more for each fold.
        let times = if network.layers.len() == 1 { 1.0 + judged } else { 2.0 * judged };
        Ok(alternatives + training * times + judged * ridges * factor)
    }
}

impl Tried {
    pub(super) fn new(name: &str, ridge: Option<f64>, work: f64, reason: Option<String>) -> Self {
        Self { name: name.to_string(), ridge, loss: None, error: None, samples: 0, work, reason }
    }
}

/// Which candidates are tried with [`Effort::Quick`], by their works: the two cheapest. Ridge regression and discriminant
/// analysis, which the simplest one is, are always among them.
pub(super) fn quick_ones(works: &[f64]) -> Vec<bool> {
    let mut sorted = works.to_vec();
    sorted.sort_by(f64::total_cmp);
    let second = sorted.get(1).copied().unwrap_or(f64::INFINITY);
    works.iter().enumerate().map(|(place, &work)| place == 0 || work <= second).collect()
}
