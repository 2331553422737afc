//! One node: PCA, clip, expand, and find slow features.

use std::ops::Range;

use ndarray::{Array1, ArrayView1, ArrayViewMut2, Axis};
use rayon::prelude::*;

use super::gate::GateComponents;
use super::node_sums::{FieldSums, add_expanded};
use super::pca::{Pca, Scaling};
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared, ROWS};
use super::statistics::ColumnStatistics;
use super::trainer::Graphs;
use crate::expansion::{Clip, ClipBounds, Expansion, RbfCenters};
use crate::graph::TrainingGraph;
use crate::linalg::affine::Farthest;
use crate::linalg::{AffineMap, tolerance};
use crate::moments::{CenteredMoments, Moments};
use crate::samples::Rows;
use crate::{Error, Gsfa, Result, SlowFeatures, Surplus};

/// Features divide by deviations, and by those of what is left after other inputs: both must be numbers.
const SMALLEST_DEVIATION: f64 = 1e-297;

/// A trained node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its inputs standardised, where there are no principal components.
    pub scaling: Option<Scaling>,
    /// The principal components of its inputs.
    pub pca: Option<Pca>,
    /// Where inputs of the expansion are clipped.
    pub clip: Option<ClipBounds>,
    /// Of its radial basis functions.
    pub centers: Option<RbfCenters>,
    /// Root of the mean variance of the original inputs that are passed on beside the features.
    pub skip_scale: Option<f64>,
    /// Principal components of the original inputs that features are multiplied with.
    pub gate: Option<GateComponents>,
    /// Its slow features; `None` if nothing in its field varied in training, and all of its outputs are 0.
    pub slow: Option<SlowFeatures>,
}

impl Node {
    /// Learns all that comes before GSFA. `everyone` is a graph without structure over all samples.
    pub(super) fn prepare<T: NodeNumber>(
        place: &Place<'_>,
        feed: Feed<'_, T>,
        everyone: &TrainingGraph,
    ) -> Result<Self> {
        let mut sums = FieldSums::new(place, everyone);
        sums.add(place, 0, feed)?;
        sums.learn(place)
    }

    /// That products of the inputs, and weights of the inputs themselves, are numbers.
    ///
    /// Asked of the first layer, which sees columns as they are given. What a node makes of others may well be all but
    /// nothing, and counts for nothing.
    ///
    /// # Errors
    /// [`Error::ColumnRange`] for the first input that varies by too little.
    fn check_products<T: NodeNumber>(&self, place: &Place<'_>, moments: &CenteredMoments) -> Result<()> {
        if self.pca.is_some() || self.scaling.is_some() {
            return Ok(());
        }
        let products = matches!(place.layer.expansion, Expansion::Polynomial { .. });
        let constant = tolerance::constant_column(T::EPSILON);
        let deviations = moments.deviations();
        let columns = deviations.iter().copied().zip(moments.mean()).take(place.input_dim());
        for (column, (deviation, mean)) in columns.enumerate().filter(|(_, (d, m))| *d > constant * m.abs()) {
            // The square of a column varies by about 2·mean·deviation + deviation².
            if products && (mean.abs() + deviation) * deviation < T::SMALLEST_SQUARE {
                return Err(Error::ColumnRange { column, deviation, problem: "is too little for products" });
            }
            if deviation < SMALLEST_DEVIATION {
                return Err(Error::ColumnRange { column, deviation, problem: "is too little to divide by" });
            }
        }
        Ok(())
    }

    /// A node that has learned nothing.
    pub(crate) fn empty() -> Self {
        Self { scaling: None, pca: None, clip: None, centers: None, skip_scale: None, gate: None, slow: None }
    }

    /// Where its inputs are clipped: about their means, or about 0 if they were centred before.
    pub(super) fn clip_bounds(&self, clip: &Clip, columns: Option<&ColumnStatistics>) -> Result<ClipBounds> {
        let deviations = match (&self.pca, &self.scaling, columns) {
            (Some(pca), ..) => pca.variances.mapv(f64::sqrt),
            (_, Some(scaling), _) => scaling.factors.mapv(|factor| if factor > 0.0 { 1.0 } else { 0.0 }),
            (_, _, Some(columns)) => return clip.fit(columns.mean.view(), columns.deviation.view()),
            _ => Array1::default(0),
        };
        clip.fit(Array1::zeros(deviations.len()).view(), deviations.view())
    }

    /// The prepared node with its slow features.
    pub(super) fn with_slow_features<T: NodeNumber>(
        mut self,
        place: &Place<'_>,
        moments: &CenteredMoments,
        first_layer: bool,
    ) -> Result<Self> {
        if first_layer {
            self.check_products::<T>(place, moments)?;
        }
        self.slow = self.slow_features(place, moments)?;
        Ok(self)
    }

    /// How many inputs of GSFA, the first ones, are those that a node may keep: original ones where it sees these once more,
    /// and otherwise those of its expansion.
    fn kept_inputs(&self, place: &Place<'_>) -> usize {
        match (&self.skip_scale, &self.pca) {
            (Some(_), _) => place.original_dim(),
            (None, Some(pca)) => pca.weights.ncols(),
            (None, None) => place.input_dim(),
        }
    }

    /// The slow features of a node; `None` if nothing in its field varies, like a black corner of all images.
    fn slow_features(&self, place: &Place<'_>, moments: &CenteredMoments) -> Result<Option<SlowFeatures>> {
        let layer = place.layer;
        let gsfa = Gsfa {
            output_dim: Some(layer.output_dim),
            ridge: layer.ridge,
            solver: layer.solver,
            surplus: layer.surplus,
        };
        if let Some(keep) = &layer.keep {
            return gsfa.solve_keeping(moments, keep, self.kept_inputs(place)).map(Some);
        }
        let strict = layer.surplus == Surplus::Error;
        match if strict { gsfa.solve(moments) } else { gsfa.solve_at_most(moments) } {
            Ok(slow) => Ok(Some(slow)),
            Err(Error::NoVariance { .. }) => Ok(None),
            Err(Error::TooFewDirections { available: 0, .. }) if !strict => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Trains a node on all samples, as one piece, and writes their features into `out`.
    pub(super) fn train<T: NodeNumber>(
        place: &Place<'_>,
        feed: Feed<'_, T>,
        graphs: &Graphs<'_>,
        first_layer: bool,
        out: ArrayViewMut2<'_, T>,
    ) -> Result<Self> {
        let node = Self::prepare::<T>(place, feed, graphs.everyone)?;
        let preparation = Preparation::<T>::of(&node, place)?;
        let expanded = Prepared { place, feed, preparation: &preparation };
        let mut sums = Moments::for_solver(graphs.labeled, expanded.width(), place.layer.solver);
        let mut kept = add_expanded(&mut sums, 0, &expanded)?;
        let node = node.with_slow_features::<T>(place, &sums.finish()?, first_layer)?;
        let features = ReadyFeatures::new(node.slow.as_ref());
        match &mut kept {
            Some(kept) => features.of_kept(kept.view_mut(), out),
            None => features.of_all(&expanded, out)?,
        }
        Ok(node)
    }

    /// Writes the features of all samples into `out`.
    pub(super) fn apply<T: NodeNumber>(
        &self,
        place: &Place<'_>,
        feed: Feed<'_, T>,
        out: ArrayViewMut2<'_, T>,
    ) -> Result<()> {
        let preparation = Preparation::<T>::of(self, place)?;
        let expanded = Prepared { place, feed, preparation: &preparation };
        ReadyFeatures::new(self.slow.as_ref()).of_all(&expanded, out)
    }

    /// The declared number of outputs that the node cannot fill: they are 0.
    pub fn missing_outputs(&self, output_dim: usize) -> usize {
        output_dim - self.slow.as_ref().map_or(0, SlowFeatures::output_dim).min(output_dim)
    }
}

/// The slow features of a node, ready to be applied to samples of type T; `None` for a dead node.
struct ReadyFeatures<T>(Option<(AffineMap<T>, usize)>);

impl<T: NodeNumber> ReadyFeatures<T> {
    fn new(slow: Option<&SlowFeatures>) -> Self {
        let slow = slow.filter(|slow| slow.output_dim() > 0);
        Self(slow.map(|slow| (AffineMap::new(&slow.mean, &slow.weights), slow.output_dim())))
    }

    /// Writes the features of expanded rows, which nobody needs any more; outputs that the node cannot fill are 0.
    fn apply(&self, expanded: ArrayViewMut2<'_, T>, mut out: ArrayViewMut2<'_, T>) {
        let Some((map, features)) = &self.0 else { return out.fill(T::default()) };
        let (filled, mut rest) = out.view_mut().split_at(Axis(1), *features);
        map.apply_in_place(expanded, filled);
        rest.fill(T::default());
    }

    /// Writes the features of all samples, whose expanded rows were kept.
    fn of_kept(&self, mut kept: ArrayViewMut2<'_, T>, mut out: ArrayViewMut2<'_, T>) {
        let blocks: Vec<_> =
            kept.axis_chunks_iter_mut(Axis(0), ROWS).zip(out.axis_chunks_iter_mut(Axis(0), ROWS)).collect();
        blocks.into_par_iter().for_each(|(expanded, out)| self.apply(expanded, out));
    }

    /// Writes the features of all samples, whose expanded rows are made as they are needed.
    fn of_all(&self, prepared: &Prepared<'_, T>, mut out: ArrayViewMut2<'_, T>) -> Result<()> {
        let blocks: Vec<_> = out.axis_chunks_iter_mut(Axis(0), ROWS).enumerate().collect();
        blocks.into_par_iter().try_for_each(|(k, block)| {
            let first = k * ROWS;
            self.of_rows(prepared, first..first + block.nrows(), block)
        })
    }

    /// Writes the features of some samples.
    fn of_rows(&self, prepared: &Prepared<'_, T>, rows: Range<usize>, mut out: ArrayViewMut2<'_, T>) -> Result<()> {
        if self.0.is_none() {
            out.fill(T::default());
            return Ok(());
        }
        let mut expanded = prepared.feed.buffers.matrix(rows.len(), prepared.width());
        prepared.write(Rows::Range(rows), expanded.view_mut())?;
        self.apply(expanded.view_mut(), out);
        Ok(())
    }
}

/// A trained node, ready to be applied to samples of type T.
pub(super) struct ReadyNode<'a, T> {
    place: Place<'a>,
    preparation: Preparation<T>,
    features: ReadyFeatures<T>,
}

impl<'a, T: NodeNumber> ReadyNode<'a, T> {
    pub fn new(node: &Node, place: Place<'a>) -> Result<Self> {
        let preparation = Preparation::of(node, &place)?;
        Ok(Self { place, preparation, features: ReadyFeatures::new(node.slow.as_ref()) })
    }

    /// The input below that moves the node's outputs most, by how much, and its column.
    pub fn farthest_input(&self, row: ArrayView1<'_, T>) -> Option<(Farthest, usize)> {
        let columns = self.place.columns();
        let column = |input: usize| columns.map_or(input, |columns| columns[input]);
        let inputs: Vec<T> = (0..self.place.input_dim()).map(|input| row[column(input)]).collect();
        let map = match (self.preparation.map(), &self.features.0) {
            (Some(map), _) => map.farthest_input(0, inputs.iter()),
            // The first terms of an expansion are its inputs.
            (None, Some((map, _))) => map.farthest_input(self.preparation.skipped(&self.place), inputs.iter()),
            (None, None) => None,
        };
        map.map(|farthest| (farthest, column(farthest.input)))
    }

    /// Writes the node's features of some samples into `out`.
    pub fn apply_rows(&self, feed: Feed<'_, T>, rows: Range<usize>, out: ArrayViewMut2<'_, T>) -> Result<()> {
        let prepared = Prepared { place: &self.place, feed, preparation: &self.preparation };
        self.features.of_rows(&prepared, rows, out)
    }
}
