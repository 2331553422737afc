//! The ridge of every node of a candidate, by left-out samples.

use super::NetworkKind;
use super::graph::{is_of_labels, with_unlabelled};
use super::ladder::Rung;
use super::search::Search;
use crate::graph::GraphSpec;
use crate::network::{Below, NetworkSpec};
use crate::samples::Subset;
use crate::select::Part;
use crate::solve::{DEFAULT_RIDGE, Leave, RIDGES, RidgeChoice};
use crate::{Error, Note, Result};

/// A ridge that was chosen once serves every candidate that begins with the same layers: the linear node on all pixels is also
/// the first node of cascades.
pub(super) struct Known {
    graph: GraphSpec,
    /// The layers up to the one whose ridge it is, which is 0 here.
    network: NetworkSpec,
    ridge: Option<f64>,
}

impl Search<'_, '_> {
    /// Gives nodes the ridge that errs least on left-out samples, if it is open and can be known: from the bottom up while
    /// layers are one node each, and to the top of every network.
    pub(super) fn set_ridges(&mut self, rung: &mut Rung) -> Result<()> {
        if !self.design.recipe.ridge_is_open() || rung.has_ridges {
            return Ok(());
        }
        if self.folds.are_blocks() {
            return self.set_ridge_of_series(rung);
        }
        let plan = rung.network.plan()?;
        let mut alone = true;
        for top in 0..rung.network.layers.len() {
            alone &= plan.layers[top].count() == 1;
            if alone || top + 1 == rung.network.layers.len() {
                self.set_ridge(rung, top)?;
            }
        }
        Ok(())
    }

    fn set_ridge(&mut self, rung: &mut Rung, top: usize) -> Result<()> {
        let mut part = rung.network.first_layers(top + 1);
        part.layers[top].ridge = 0.0;
        let known = self.known.iter().find(|known| known.graph == rung.spec && known.network == part);
        let found = match known {
            Some(known) => known.ridge,
            None => {
                let ridge = match top {
                    0 => self.ridge_of_one(rung, &part)?,
                    _ => self.ridge_of_top(rung, &part)?,
                };
                self.known.push(Known { graph: rung.spec.clone(), network: part, ridge });
                ridge
            }
        };
        match found {
            Some(ridge) => rung.network.layers[top].ridge = ridge,
            None => self.take_default(rung, top),
        }
        Ok(())
    }

    /// Where left-out samples say nothing.
    fn take_default(&mut self, rung: &mut Rung, top: usize) {
        if self.design.recipe.network.kind != NetworkKind::Auto {
            rung.network.layers[top].ridge = DEFAULT_RIDGE;
        }
        let note = Note::DefaultRidge { ridge: rung.network.layers[top].ridge };
        if rung.network.layers.len() == 1 && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Exactly, from sums over the folds.
    fn ridge_of_one(&self, rung: &Rung, network: &NetworkSpec) -> Result<Option<f64>> {
        Ok(self.ridge_errors(rung, network, &RIDGES)?.map(|found| found.ridge))
    }

    /// Left-out errors of a network of one node for some ridges, from sums over the folds; `None` if they say nothing.
    pub(super) fn ridge_errors(
        &self,
        rung: &Rung,
        network: &NetworkSpec,
        ridges: &[f64],
    ) -> Result<Option<RidgeChoice>> {
        let judged = self.judged_folds(network)?;
        let leave = Leave::Folds { of_sample: self.folds.of_sample(), judged };
        let found = network.choose_ridge_in(self.samples, &rung.graph, ridges, leave)?;
        if !found.errors.is_empty() {
            return Ok(Some(found));
        }
        if self.design.labels.columns().next().is_none() {
            return Ok(None);
        }
        // The graph has no labels to predict; those it was made from are as good.
        let labels = self.design.recipe.graph_of(self.design.labels)?;
        let labels = if self.design.recipe.semi_supervised { with_unlabelled(labels, None)? } else { labels };
        let Ok(graph) = labels.build(&self.design.input()?) else { return Ok(None) };
        let found = network.choose_ridge_in(self.samples, &graph, ridges, leave)?;
        Ok((!found.errors.is_empty()).then_some(found))
    }

    /// By every fold that judges: layers below are trained without it.
    fn ridge_of_top(&self, rung: &Rung, network: &NetworkSpec) -> Result<Option<f64>> {
        let Some(below) = network.layers.len().checked_sub(1) else { return Ok(None) };
        if !is_of_labels(&rung.spec) {
            return Ok(None);
        }
        let below = network.first_layers(below);
        let mut errors = vec![0.0; RIDGES.len()];
        for fold in 0..self.judged_folds(network)? {
            let (_, taught) = self.folds.split(fold);
            let graph = Part::of(&rung.spec, &self.design.input()?, &taught)?.graph;
            let progress = |event| self.report(event);
            let trained = below.fit_with(&Subset::new(self.samples, &taught)?, &graph, &progress)?;
            let below = Below { network: &trained.network, taught: &taught };
            // This fold first: it is the one that is left out.
            let first = |other: Option<usize>| other.map(|other| usize::from(other != fold));
            let of_sample: Vec<Option<usize>> = self.folds.of_sample().iter().map(|&other| first(other)).collect();
            let leave = Leave::Folds { of_sample: &of_sample, judged: 1 };
            let found = network.choose_top_ridge(self.samples, &rung.graph, Some(below), &RIDGES, leave)?;
            if found.errors.is_empty() {
                return Ok(None);
            }
            errors.iter_mut().zip(&found.errors).for_each(|(sum, error)| *sum += error);
            if errors.iter().all(|sum| sum.is_infinite()) {
                // Wide nodes look at a few ridges; folds that agree on none leave the choice to the last.
                return Ok(Some(found.ridge));
            }
        }
        // Of equal ones the largest.
        let best = (0..errors.len()).reduce(|best, k| if errors[k] <= errors[best] { k } else { best });
        Ok(best.map(|k| RIDGES[k]))
    }

    /// By trying: sums over the blocks of a series do not tell what a ridge would have given. All nodes have the same.
    fn set_ridge_of_series(&mut self, rung: &mut Rung) -> Result<()> {
        let mut losses = [f64::INFINITY; RIDGES.len()];
        let mut last: Option<Error> = None;
        let mut best = RIDGES.len() / 2;
        for step in [4, 2, 1] {
            loop {
                let beside = [Some(best), best.checked_sub(step), Some(best + step).filter(|k| *k < RIDGES.len())];
                let new: Vec<usize> = beside.into_iter().flatten().filter(|k| losses[*k].is_infinite()).collect();
                for k in new {
                    rung.network.layers.iter_mut().for_each(|layer| layer.ridge = RIDGES[k]);
                    losses[k] = f64::MAX;
                    match self.judged(rung) {
                        Ok(Some(judgement)) => losses[k] = judgement.mean(self.design.weights.as_slice()).0,
                        Ok(None) => return Ok(()),
                        Err(error @ Error::Cancelled { .. }) => return Err(error),
                        Err(error) => last = Some(error),
                    }
                }
                // Of equal ones the largest.
                let found = (0..losses.len()).fold(best, |best, k| {
                    if losses[k] < losses[best] || losses[k] == losses[best] && k > best { k } else { best }
                });
                if found == best {
                    break;
                }
                best = found;
            }
        }
        rung.network.layers.iter_mut().for_each(|layer| layer.ridge = RIDGES[best]);
        match last {
            Some(error) if losses[best] == f64::MAX => Err(error),
            _ => Ok(()),
        }
    }
}
