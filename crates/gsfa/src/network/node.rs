//! One node: PCA, clip, expand, and find slow features.

use ndarray::{Array1, Array2, ArrayViewMut2, Axis};
use rayon::prelude::*;

use super::pca::Pca;
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use super::statistics::ColumnStatistics;
use crate::expansion::ClipBounds;
use crate::graph::TrainingGraph;
use crate::linalg::AffineMap;
use crate::moments::{Moments, Rows};
use crate::{Error, Gsfa, Result, SlowFeatures, Surplus};

/// Rows that one thread sends through a node at a time.
const ROWS: usize = 512;

/// A trained node.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The principal components of its inputs, or these inputs standardised.
    pub pca: Option<Pca>,
    /// Where inputs of the expansion are clipped.
    pub clip: Option<ClipBounds>,
    /// Root of the mean variance of the original inputs that are passed on beside the features.
    pub skip_scale: Option<f64>,
    /// Its slow features; `None` if nothing in its field varied in training, and all of its outputs are 0.
    pub slow: Option<SlowFeatures>,
}

impl Node {
    /// Learns all that comes before GSFA. `weighing` is a graph without structure that holds the vertex weights.
    pub(super) fn prepare<T: NodeNumber>(place: &Place<'_>, feed: Feed<'_>, weighing: &TrainingGraph) -> Result<Self> {
        let mut node = Self { pca: None, clip: None, skip_scale: None, slow: None };
        let gathering = Preparation::<T>::gathering(place);
        let field = Prepared { place, feed, preparation: &gathering };
        let statistics = || ColumnStatistics::of::<T>(T::prepared(&field), weighing.vertex_weights());
        if place.layer.standardize {
            let columns = statistics()?;
            let scales = columns.inverse_deviations::<T>();
            node.pca = Some(match &place.layer.pca {
                Some(pca) => pca.fit::<T>(T::prepared(&field), Some(&scales), weighing)?,
                None => Pca::scaling(columns.mean, &scales),
            });
        } else if let Some(pca) = &place.layer.pca {
            node.pca = Some(pca.fit::<T>(T::prepared(&field), None, weighing)?);
        }
        if let Some(clip) = &place.layer.clip {
            node.clip = Some(match &node.pca {
                Some(pca) => {
                    clip.fit(Array1::zeros(pca.variances.len()).view(), pca.variances.mapv(f64::sqrt).view())?
                }
                None => {
                    let columns = statistics()?;
                    clip.fit(columns.mean.view(), columns.deviation.view())?
                }
            });
        }
        if place.layer.skip.is_some() {
            let place = &place.originals();
            let feed = Feed { below: feed.original, ..feed };
            let originals = Prepared { place, feed, preparation: &Preparation::<T>::gathering(place) };
            let columns = ColumnStatistics::of::<T>(T::prepared(&originals), weighing.vertex_weights())?;
            node.skip_scale = Some(columns.root_mean_variance());
        }
        Ok(node)
    }

    /// Trains a node.
    pub(super) fn fit<T: NodeNumber>(
        place: &Place<'_>,
        feed: Feed<'_>,
        graph: &TrainingGraph,
        weighing: &TrainingGraph,
    ) -> Result<Self> {
        let mut node = Self::prepare::<T>(place, feed, weighing)?;
        let preparation = Preparation::<T>::of(&node, place)?;
        let expanded = Prepared { place, feed, preparation: &preparation };
        let gsfa = Gsfa {
            output_dim: Some(place.layer.output_dim),
            ridge: place.layer.ridge,
            surplus: place.layer.surplus,
            allow_fewer: place.layer.surplus != Surplus::Error,
            ..Gsfa::default()
        };
        let moments = Moments::<T>::of(T::prepared(&expanded), graph)?.finish()?;
        node.slow = match gsfa.solve(&moments) {
            Ok(slow) => Some(slow),
            // A field without variance is legal: a black corner of all images.
            Err(Error::NoVariance { .. }) => None,
            Err(Error::TooFewDirections { available: 0, .. }) if gsfa.allow_fewer => None,
            Err(error) => return Err(error),
        };
        Ok(node)
    }

    /// The declared number of outputs that the node cannot fill: they are 0.
    pub fn missing_outputs(&self, output_dim: usize) -> usize {
        output_dim - self.slow.as_ref().map_or(0, SlowFeatures::output_dim).min(output_dim)
    }
}

/// A trained node, ready to be applied to samples of type T.
pub(super) struct ReadyNode<'a, T> {
    place: Place<'a>,
    preparation: Preparation<T>,
    slow: Option<(AffineMap<T>, usize)>,
}

impl<'a, T: NodeNumber> ReadyNode<'a, T> {
    pub fn new(node: &Node, place: Place<'a>) -> Result<Self> {
        let preparation = Preparation::of(node, &place)?;
        let slow = node.slow.as_ref().map(|slow| (AffineMap::new(&slow.mean, &slow.weights), slow.output_dim()));
        Ok(Self { place, preparation, slow })
    }

    /// Writes the node's features of all samples into `out`, in parallel over blocks of rows.
    pub fn apply(&self, feed: Feed<'_>, mut out: ArrayViewMut2<'_, T>) -> Result<()> {
        let blocks: Vec<_> = out.axis_chunks_iter_mut(Axis(0), ROWS).enumerate().collect();
        blocks.into_par_iter().try_for_each(|(k, block)| {
            let first = k * ROWS;
            self.apply_rows(feed, Rows::Range(first..first + block.nrows()), block)
        })
    }

    /// Writes the node's features of some samples into `out`.
    pub fn apply_rows(&self, feed: Feed<'_>, rows: Rows<'_>, mut out: ArrayViewMut2<'_, T>) -> Result<()> {
        let Some((map, features)) = &self.slow else {
            out.fill(T::default());
            return Ok(());
        };
        let prepared = Prepared { place: &self.place, feed, preparation: &self.preparation };
        let mut expanded = Array2::from_elem((rows.len(), prepared.width()), T::default());
        prepared.write(rows, expanded.view_mut())?;
        let (filled, mut rest) = out.view_mut().split_at(Axis(1), *features);
        map.apply_into(expanded.view(), filled);
        rest.fill(T::default());
        Ok(())
    }
}
