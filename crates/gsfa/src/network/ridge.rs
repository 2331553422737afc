//! Ridge of a network of one node, by cross-validation.

use super::faults::explain;
use super::node::Node;
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use super::spec::NetworkSpec;
use super::train::weighing;
use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::samples::{Precision, Samples};
use crate::solve::{Leave, RIDGES, RidgeChoice, choose_ridge_in};
use crate::{Error, Result};

/// Parts of the samples, each left out once.
const FOLDS: usize = 5;

impl NetworkSpec {
    /// Chooses the ridge of a network of one node by cross-validation, as [`choose_ridge`](crate::solve::choose_ridge) does for its expanded inputs.
    /// Scales, principal components and clipping come from all samples.
    ///
    /// In a network of several nodes outputs of one are inputs of the next, and sums do not tell what another ridge
    /// below would have given: the ridge of the top layer is returned as it is, without errors.
    ///
    /// # Errors
    /// If the specification does not fit the samples, or as [`choose_ridge`](crate::solve::choose_ridge).
    pub fn choose_ridge(
        &self,
        samples: &dyn Samples,
        graph: &TrainingGraph,
        candidates: &[f64],
        folds: usize,
    ) -> Result<RidgeChoice> {
        if folds < 2 {
            return Err(Error::parameter("folds", folds, "at least two are needed to leave one out"));
        }
        self.choose_ridge_in(samples, graph, candidates, Leave::Parts(folds))
    }

    /// As [`choose_ridge`](Self::choose_ridge), with given folds.
    pub(crate) fn choose_ridge_in(
        &self,
        samples: &dyn Samples,
        graph: &TrainingGraph,
        candidates: &[f64],
        leave: Leave<'_>,
    ) -> Result<RidgeChoice> {
        self.check_samples(samples, graph)?;
        match (self.layers.as_slice(), self.geometry()?.as_slice()) {
            ([layer], [geometry]) if geometry.count() == 1 => {
                let place = Place::new(layer, geometry, 0);
                match samples.precision() {
                    Precision::Single => choose::<f32>(&place, samples, graph, candidates, leave),
                    Precision::Double => choose::<f64>(&place, samples, graph, candidates, leave),
                }
            }
            (layers, _) => {
                Ok(RidgeChoice { ridge: layers.last().map_or(0.0, |layer| layer.ridge), errors: Vec::new() })
            }
        }
    }

    /// The same network with the ridge that five-fold cross-validation chooses among [`RIDGES`], where it can: for one
    /// node, and graphs made of target labels or clusters.
    ///
    /// # Errors
    /// As [`choose_ridge`](Self::choose_ridge).
    pub fn with_chosen_ridge(mut self, samples: &dyn Samples, graph: &TrainingGraph) -> Result<Self> {
        let choice = self.choose_ridge(samples, graph, &RIDGES, FOLDS)?;
        if let (Some(layer), false) = (self.layers.last_mut(), choice.errors.is_empty()) {
            layer.ridge = choice.ridge;
        }
        Ok(self)
    }
}

fn choose<T: NodeNumber>(
    place: &Place<'_>,
    samples: &dyn Samples,
    graph: &TrainingGraph,
    candidates: &[f64],
    leave: Leave<'_>,
) -> Result<RidgeChoice> {
    let feed = Feed { below: samples, original: samples, buffers: &Buffers::default() };
    let choice = || {
        let node = Node::prepare::<T>(place, feed, &weighing(graph)?)?;
        let preparation = Preparation::<T>::of(&node, place)?;
        let expanded = Prepared { place, feed, preparation: &preparation };
        choose_ridge_in(T::prepared(&expanded), graph, candidates, leave)
    };
    choice().map_err(|error| explain::<T>(error, samples, Some(1)))
}
