//! Ridge of a network of one node, by cross-validation.

use super::faults::explain;
use super::node::Node;
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use super::spec::NetworkSpec;
use super::train::{Network, of_weights, weighing};
use crate::graph::TrainingGraph;
use crate::linalg::Buffers;
use crate::samples::{Precision, Samples, Subset};
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
        match self.layers.as_slice() {
            [_] => self.choose_top_ridge(samples, graph, None, candidates, leave),
            layers => Ok(RidgeChoice { ridge: layers.last().map_or(0.0, |layer| layer.ridge), errors: Vec::new() }),
        }
    }

    /// The ridge of the node on top. Layers below it were trained without the samples that are left out.
    pub(crate) fn choose_top_ridge(
        &self,
        samples: &dyn Samples,
        graph: &TrainingGraph,
        below: Option<Below<'_>>,
        candidates: &[f64],
        leave: Leave<'_>,
    ) -> Result<RidgeChoice> {
        self.check_samples(samples, graph)?;
        let geometry = self.geometry()?;
        match self.layers.last().zip(geometry.last()) {
            Some((layer, geometry)) if geometry.count() == 1 => {
                let inputs = self.inputs(samples);
                let place = Place::new(layer, geometry, 0);
                let top = Top { place, samples, inputs: &*inputs, graph, below };
                match samples.precision() {
                    Precision::Single => top.choose::<f32>(candidates, leave),
                    Precision::Double => top.choose::<f64>(candidates, leave),
                }
            }
            top => Ok(RidgeChoice { ridge: top.map_or(0.0, |(layer, _)| layer.ridge), errors: Vec::new() }),
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

/// The layers below the top, and the samples that they were trained on.
#[derive(Clone, Copy)]
pub(crate) struct Below<'a> {
    pub network: &'a Network,
    pub taught: &'a [usize],
}

/// The node on top, and what it may see.
struct Top<'a> {
    place: Place<'a>,
    samples: &'a dyn Samples,
    /// The samples as first layers see them.
    inputs: &'a dyn Samples,
    graph: &'a TrainingGraph,
    below: Option<Below<'a>>,
}

impl Top<'_> {
    fn choose<T: NodeNumber>(&self, candidates: &[f64], leave: Leave<'_>) -> Result<RidgeChoice> {
        let features = self.below.map(|below| below.network.apply(self.samples)).transpose()?;
        let features = features.as_ref().map(|features| features.view());
        let layer = 1 + self.below.map_or(0, |below| below.network.layers.len());
        let choice = || {
            let feed = Feed {
                below: features.as_ref().map_or(self.inputs, |features| features),
                original: self.inputs,
                buffers: &Buffers::default(),
            };
            let node = match self.below {
                None => Node::prepare::<T>(&self.place, feed, &weighing(self.graph)?)?,
                Some(Below { taught, .. }) => {
                    let weights = taught.iter().map(|&n| self.graph.sample_weights()[n]).collect();
                    let (below, original) = (Subset::new(feed.below, taught)?, Subset::new(feed.original, taught)?);
                    let feed = Feed { below: &below, original: &original, ..feed };
                    Node::prepare::<T>(&self.place, feed, &of_weights(weights)?)?
                }
            };
            let preparation = Preparation::<T>::of(&node, &self.place)?;
            let expanded = Prepared { place: &self.place, feed, preparation: &preparation };
            choose_ridge_in(T::prepared(&expanded), self.graph, candidates, leave)
        };
        choice().map_err(|error| explain::<T>(error, self.samples, 0, Some(layer)))
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, Axis, concatenate};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::graph::{Ell, GraphInput};
    use crate::labels::Labels;
    use crate::linalg::symmetric_eigen;
    use crate::network::{InputShape, LayerSpec, Skip};

    /// Squared error of the left-out labels by ridge regression on the taught samples, as share of what the mean of all gives.
    fn by_hand(x: &Array2<f64>, y: &Array1<f64>, taught: &[usize], left_out: &[usize], ridge: f64) -> f64 {
        let (a, b) = (x.select(Axis(0), taught), y.select(Axis(0), taught));
        let (mean, level) = (a.mean_axis(Axis(0)).unwrap(), b.mean().unwrap());
        let (a, b) = (&a - &mean, &b - level);
        let mut c = a.t().dot(&a) / a.nrows() as f64;
        let noise = ridge * c.diag().mean().unwrap();
        c.diag_mut().mapv_inplace(|c| c + noise);
        let eigen = symmetric_eigen(c.view()).unwrap();
        let products = a.t().dot(&b) / a.nrows() as f64;
        let beta = eigen.vectors.dot(&(eigen.vectors.t().dot(&products) / &eigen.values));
        let estimates = (&x.select(Axis(0), left_out) - &mean).dot(&beta) + level;
        let errors = (&y.select(Axis(0), left_out) - &estimates).mapv(|e| e * e).sum();
        errors / (y - y.mean().unwrap()).mapv(|e| e * e).sum()
    }

    #[test]
    fn errors_of_a_top_from_sums_equal_refits_with_layers_below_that_saw_nothing_of_the_fold() {
        for (n, dim) in [(60, 4), (24, 30)] {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
            let x = Array2::from_shape_simple_fn((n, dim), || rng.random_range(-1.0..1.0));
            let y: Array1<f64> = x.outer_iter().map(|r| r[0] + r[1] * r[2] + rng.random_range(-0.5..0.5)).collect();
            let of_sample: Vec<Option<usize>> = (0..n).map(|k| Some(k % 3)).collect();
            let (left_out, taught): (Vec<usize>, Vec<usize>) = (0..n).partition(|k| k % 3 == 0);
            let below = LayerSpec { ridge: 0.1, ..LayerSpec::new(1) };
            let skip = Some(Skip { feature_scale: 0.5, gate: None });
            let layers = vec![below.clone(), LayerSpec { skip, ..LayerSpec::new(1) }];
            let spec = NetworkSpec::new(InputShape::vector(dim), layers);
            let graph_of =
                |y: &Array1<f64>| Ell::default().build(&GraphInput::new(&Labels::numbers("y", y.to_vec()))).unwrap();
            let own = x.select(Axis(0), &taught);
            let lower = NetworkSpec { layers: vec![below], ..spec.clone() };
            let lower = lower.fit(&own.view(), &graph_of(&y.select(Axis(0), &taught))).unwrap().network;
            let z = lower.apply(&x.view()).unwrap();
            let scale = own.var_axis(Axis(0), 0.0).mean().unwrap().sqrt();
            let inputs = concatenate(Axis(1), &[(&x / scale).view(), (0.5 * &z).view()]).unwrap();
            let candidates = [1e-3, 0.1, 1.0];
            let leave = Leave::Folds { of_sample: &of_sample, judged: 1 };
            let below = Some(Below { network: &lower, taught: &taught });
            let found = spec.choose_top_ridge(&x.view(), &graph_of(&y), below, &candidates, leave).unwrap();
            for (error, ridge) in found.errors.iter().zip(candidates) {
                let expected = by_hand(&inputs, &y, &taught, &left_out, ridge);
                assert!((error - expected).abs() < 1e-10, "{n}x{dim}, {ridge}: {error} {expected}");
            }
        }
    }
}
