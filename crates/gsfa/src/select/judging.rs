//! The folds that judge, one after the other: everything is trained without each of them.

use ndarray::Array2;

use super::part::Part;
use super::{Candidate, Folds, SharedSums};
use crate::graph::GraphInput;
use crate::network::{Progress, ProgressEvent, Trained};
use crate::samples::{Samples, Subset};
use crate::{Error, Note, Result};

/// Samples, what is known about them, and the folds that judge candidates.
#[derive(Clone, Copy)]
pub struct Judging<'a, 'i> {
    /// All samples.
    pub samples: &'a dyn Samples,
    /// Their labels and weights.
    pub input: &'a GraphInput<'i>,
    /// Which of them are left out together.
    pub folds: &'a Folds,
    /// How many of the folds judge: the first ones.
    pub judged: usize,
    /// Told before every training; candidates are given up if it says so.
    pub progress: &'a Progress<'a>,
    /// What candidates share.
    pub(crate) shared: &'a SharedSums,
}

/// A network that was trained without a fold, by what it says about all samples.
pub(super) struct FoldFeatures {
    /// The samples of the fold.
    pub left_out: Vec<usize>,
    /// Those that were learned from, with their graph.
    pub part: Part,
    /// Features of those that were learned from.
    pub learned: Array2<f64>,
    /// Features of the fold.
    pub new: Array2<f64>,
}

/// Folds that could not be judged.
pub(super) struct Failures {
    pub last: Option<Error>,
    count: usize,
    of: usize,
}

impl Failures {
    pub fn note(&self) -> Option<Note> {
        let reason = self.last.as_ref()?.to_string();
        Some(Note::PartsNotLeftOut { parts: self.count, of: self.of, reason })
    }
}

impl Judging<'_, '_> {
    /// Trains a candidate without each of the folds that judge, and shows what came of it. A fold that fails is counted, and
    /// the others go on.
    ///
    /// # Errors
    /// [`Error::Cancelled`] if `progress` says so.
    pub(super) fn each_fold(
        &self,
        candidate: &Candidate<'_>,
        mut show: impl FnMut(&FoldFeatures) -> Result<()>,
    ) -> Result<Failures> {
        let mut failures = Failures { last: None, count: 0, of: self.judged.min(self.folds.count()) };
        for fold in 0..failures.of {
            match self.without(candidate, fold).and_then(|features| show(&features)) {
                Ok(()) => {}
                Err(Error::Cancelled { layer }) => return Err(Error::Cancelled { layer }),
                Err(error) => (failures.last, failures.count) = (Some(error), failures.count + 1),
            }
        }
        Ok(failures)
    }

    /// The network without a fold.
    pub(super) fn without(&self, candidate: &Candidate<'_>, fold: usize) -> Result<FoldFeatures> {
        let (left_out, others) = self.folds.split(fold);
        let parts = self.judged.min(self.folds.count());
        let progress = |_| (self.progress)(ProgressEvent::LeavingOut { part: fold + 1, parts });
        let part = Part::of(candidate.graph, self.input, &others)?;
        let taught = Subset::new(self.samples, &others)?;
        let trained = || match self.shared.network(candidate, fold, &taught, &part.graph)? {
            Some(network) => {
                if progress(ProgressEvent::LeavingOut { part: fold + 1, parts }).is_break() {
                    return Err(Error::Cancelled { layer: 1 });
                }
                Ok(Trained { features: network.apply(&taught)?, network })
            }
            None => candidate.network.fit_with(&taught, &part.graph, &progress),
        };
        let trained = trained().map_err(|error| error.with_rows(|row| others[row]))?;
        let new = trained.network.apply(&Subset::new(self.samples, &left_out)?);
        let new = new.map_err(|error| error.with_rows(|row| left_out[row]))?;
        Ok(FoldFeatures { left_out, part, learned: trained.features, new })
    }
}
