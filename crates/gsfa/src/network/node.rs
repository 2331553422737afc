//! One node: PCA, clip, expand, and find slow features.

use std::ops::Range;

use ndarray::{Array1, ArrayView1, ArrayViewMut2, Axis};
use rayon::prelude::*;

use super::gate::{Gate, GateComponents};
use super::pca::Pca;
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared, ROWS};
use super::spec::{LayerSpec, PcaSpec};
use super::statistics::ColumnStatistics;
use crate::expansion::{Clip, ClipBounds, Expansion};
use crate::graph::TrainingGraph;
use crate::linalg::affine::Farthest;
use crate::linalg::buffers::Buffer;
use crate::linalg::{AffineMap, tolerance};
use crate::moments::{CentredMoments, Moments};
use crate::samples::Rows;
use crate::{Error, Gsfa, Result, SlowFeatures, Surplus};

/// Features divide by deviations, and by those of what is left after other inputs: both must be numbers.
const SMALLEST_DEVIATION: f64 = 1e-297;

/// A trained node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The principal components of its inputs, or these inputs standardised.
    pub pca: Option<Pca>,
    /// Where inputs of the expansion are clipped.
    pub clip: Option<ClipBounds>,
    /// Root of the mean variance of the original inputs that are passed on beside the features.
    pub skip_scale: Option<f64>,
    /// Principal components of the original inputs that features are multiplied with.
    pub gate: Option<GateComponents>,
    /// Its slow features; `None` if nothing in its field varied in training, and all of its outputs are 0.
    pub slow: Option<SlowFeatures>,
}

impl Node {
    /// Learns all that comes before GSFA. `weighing` is a graph without structure that holds the vertex weights.
    pub(super) fn prepare<T: NodeNumber>(
        place: &Place<'_>,
        feed: Feed<'_, T>,
        weighing: &TrainingGraph,
    ) -> Result<Self> {
        let mut node = Self::empty();
        let gathering = Preparation::<T>::gathering(place);
        let field = Prepared { place, feed, preparation: &gathering };
        let view = T::matrix(feed.below).filter(|_| field.is_matrix());
        let samples = view.as_ref().map_or(T::prepared(&field), T::rows);
        let statistics = || ColumnStatistics::of::<T>(samples, weighing.vertex_weights());
        if place.layer.standardize {
            let columns = statistics()?;
            let scales = columns.inverse_deviations::<T>()?;
            node.pca = Some(match &place.layer.pca {
                Some(pca) => pca.fit::<T>(samples, Some(&scales), weighing)?,
                None => Pca::scaling(columns.mean, &scales),
            });
        } else if let Some(pca) = &place.layer.pca {
            node.pca = Some(pca.fit::<T>(samples, None, weighing)?);
        }
        if let Some(clip) = &place.layer.clip {
            node.clip = Some(node.clip_bounds(clip, statistics)?);
        }
        if place.layer.skip.is_some() {
            let place = &place.originals();
            let feed = Feed { below: feed.original, ..feed };
            let originals = Prepared { place, feed, preparation: &Preparation::<T>::gathering(place) };
            let columns = ColumnStatistics::of::<T>(T::prepared(&originals), weighing.vertex_weights())?;
            node.skip_scale = Some(columns.root_mean_variance::<T>()?);
            node.gate = place.gate().map(|gate| Self::gate::<T>(gate, place, feed, weighing)).transpose()?;
        }
        Ok(node)
    }

    /// The components of a gate; `place` and `feed` are those of the original inputs.
    fn gate<T: NodeNumber>(
        gate: &Gate,
        place: &Place<'_>,
        feed: Feed<'_, T>,
        weighing: &TrainingGraph,
    ) -> Result<GateComponents> {
        let one = |columns: &Vec<usize>| {
            let place = place.of_columns(columns);
            let patch = Prepared { place: &place, feed, preparation: &Preparation::<T>::gathering(&place) };
            let fitted = PcaSpec::components(columns.len()).fit::<T>(T::prepared(&patch), None, weighing);
            fitted.map_err(|error| place.in_columns_below(error))
        };
        // One patch at a time: each is summed by all threads.
        let patches: Vec<Pca> = place.patches().iter().map(one).collect::<Result<_>>()?;
        Ok(gate.leading(&patches, place.input_dim()))
    }

    /// That products of the inputs, and weights of the inputs themselves, are numbers.
    ///
    /// Asked of the first layer, which sees columns as they are given. What a node makes of others may well be all but
    /// nothing, and counts for nothing.
    ///
    /// # Errors
    /// [`Error::ColumnRange`] for the first input that varies by too little.
    pub(super) fn check_products<T: NodeNumber>(&self, place: &Place<'_>, moments: &CentredMoments) -> Result<()> {
        if self.pca.is_some() {
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
    pub(super) fn empty() -> Self {
        Self { pca: None, clip: None, skip_scale: None, gate: None, slow: None }
    }

    /// Where its inputs are clipped: about their means, or about 0 after PCA.
    pub(super) fn clip_bounds(
        &self,
        clip: &Clip,
        statistics: impl FnOnce() -> Result<ColumnStatistics>,
    ) -> Result<ClipBounds> {
        match &self.pca {
            Some(pca) => clip.fit(Array1::zeros(pca.variances.len()).view(), pca.variances.mapv(f64::sqrt).view()),
            None => {
                let columns = statistics()?;
                clip.fit(columns.mean.view(), columns.deviation.view())
            }
        }
    }

    /// The slow features of a node; `None` if nothing in its field varies, like a black corner of all images.
    pub(super) fn slow_features(layer: &LayerSpec, moments: &CentredMoments) -> Result<Option<SlowFeatures>> {
        let gsfa = Gsfa {
            output_dim: Some(layer.output_dim),
            ridge: layer.ridge,
            solver: layer.solver,
            surplus: layer.surplus,
        };
        let strict = layer.surplus == Surplus::Error;
        match if strict { gsfa.solve(moments) } else { gsfa.solve_at_most(moments) } {
            Ok(slow) => Ok(Some(slow)),
            Err(Error::NoVariance { .. }) => Ok(None),
            Err(Error::TooFewDirections { available: 0, .. }) if !strict => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Trains a node and writes its features of the training samples into `out`. `field` holds what the node sees, if
    /// that was gathered already; `weighing` is a graph without structure that holds the vertex weights.
    pub(super) fn train<T: NodeNumber>(
        place: &Place<'_>,
        feed: Feed<'_, T>,
        field: Option<Buffer<'_, T>>,
        graph: &TrainingGraph,
        weighing: &TrainingGraph,
        out: ArrayViewMut2<'_, T>,
    ) -> Result<Self> {
        let gathering = Preparation::<T>::gathering(place);
        let first_layer = std::ptr::addr_eq(feed.below, feed.original);
        let gathered = match field {
            None if place.reads_field_again() => Prepared { place, feed, preparation: &gathering }.kept()?,
            field => field,
        };
        let Some(kept) = gathered else {
            return Self::train_on(place, feed, graph, weighing, first_layer, out)
                .map_err(|error| place.in_columns_below(error));
        };
        let view = kept.view();
        let feed = Feed { below: T::rows(&view), ..feed };
        Self::train_on(&place.of_field(), feed, graph, weighing, first_layer, out)
            .map_err(|error| place.in_columns_below(error))
    }

    fn train_on<T: NodeNumber>(
        place: &Place<'_>,
        feed: Feed<'_, T>,
        graph: &TrainingGraph,
        weighing: &TrainingGraph,
        first_layer: bool,
        out: ArrayViewMut2<'_, T>,
    ) -> Result<Self> {
        let mut node = Self::prepare::<T>(place, feed, weighing)?;
        let preparation = Preparation::<T>::of(&node, place)?;
        let expanded = Prepared { place, feed, preparation: &preparation };
        let mut kept = expanded.kept()?;
        let moments = {
            let view = kept.as_ref().map(|kept| kept.view());
            let samples = view.as_ref().map_or(T::prepared(&expanded), T::rows);
            let moments = Moments::<T>::of_for(samples, graph, place.layer.solver);
            moments.and_then(Moments::finish).map_err(|error| graph.in_samples(error))?
        };
        if first_layer {
            node.check_products::<T>(place, &moments)?;
        }
        node.slow = Self::slow_features(place.layer, &moments)?;
        let features = ReadyFeatures::new(node.slow.as_ref());
        match &mut kept {
            Some(kept) => features.of_kept(kept.view_mut(), out),
            None => in_blocks(out, |rows, out| features.of_rows(&expanded, rows, out))?,
        }
        Ok(node)
    }

    /// The declared number of outputs that the node cannot fill: they are 0.
    pub fn missing_outputs(&self, output_dim: usize) -> usize {
        output_dim - self.slow.as_ref().map_or(0, SlowFeatures::output_dim).min(output_dim)
    }
}

/// Calls `write(rows, out)` in parallel for blocks of rows.
fn in_blocks<T: NodeNumber>(
    mut out: ArrayViewMut2<'_, T>,
    write: impl Fn(Range<usize>, ArrayViewMut2<'_, T>) -> Result<()> + Sync,
) -> Result<()> {
    let blocks: Vec<_> = out.axis_chunks_iter_mut(Axis(0), ROWS).enumerate().collect();
    blocks.into_par_iter().try_for_each(|(k, block)| {
        let first = k * ROWS;
        write(first..first + block.nrows(), block)
    })
}

/// The slow features of a node, ready to be applied to samples of type T; `None` for a dead node.
struct ReadyFeatures<T>(Option<(AffineMap<T>, usize)>);

impl<T: NodeNumber> ReadyFeatures<T> {
    fn new(slow: Option<&SlowFeatures>) -> Self {
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
        let map = match (self.preparation.pca(), &self.features.0) {
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
