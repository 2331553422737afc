//! Receptive fields of several nodes, gathered together.

use ndarray::{ArrayViewMut2, Axis};
use rayon::prelude::*;

use super::geometry::LayerGeometry;
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use super::spec::LayerSpec;
use crate::Result;
use crate::linalg::buffers::Buffer;
use crate::samples::Rows;

/// Samples that are distributed to the fields at a time: what one node leaves in the caches serves its neighbours.
const ROWS: usize = 64;

/// Nodes whose fields are gathered together.
pub(super) const NODES: usize = 16;

/// Bytes of these fields, at most: larger ones are left to each node.
const BYTES: usize = 1 << 26;

/// Calls `work` for every node of a layer with its place, what it sees and what it owns: some nodes at a time, whose fields
/// are gathered together, and in parallel.
pub(super) fn for_each_node<T: NodeNumber, A: Send, R: Send>(
    (layer, geometry): (&LayerSpec, &LayerGeometry),
    feed: Feed<'_, T>,
    owned: Vec<A>,
    work: impl Fn(&Place<'_>, Feed<'_, T>, A) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let mut results = Vec::with_capacity(geometry.count());
    fold_nodes((layer, geometry), feed, owned, work, |result| {
        results.push(result);
        Ok(())
    })?;
    Ok(results)
}

/// As [`for_each_node`], with what becomes of each result, in the order of nodes: those of a group are there at once.
pub(super) fn fold_nodes<T: NodeNumber, A: Send, R: Send>(
    (layer, geometry): (&LayerSpec, &LayerGeometry),
    feed: Feed<'_, T>,
    owned: Vec<A>,
    work: impl Fn(&Place<'_>, Feed<'_, T>, A) -> Result<R> + Sync,
    mut each: impl FnMut(R) -> Result<()>,
) -> Result<()> {
    let places: Vec<Place<'_>> = (0..geometry.count()).map(|k| Place::new(layer, geometry, k)).collect();
    let size = group_size(places.len(), feed.below.len(), geometry.input_dim(), T::BYTES);
    let size = if layer.shared { size.min(NODES) } else { size };
    let mut owned = owned.into_iter();
    for group in places.chunks(size.max(1)) {
        let fields = kept_fields(group, feed)?;
        let own: Vec<A> = owned.by_ref().take(group.len()).collect();
        // One task per node: nodes of a layer take about the same time.
        let tasks = group.par_iter().zip(fields).zip(own).with_max_len(1);
        let done =
            tasks.map(|((place, field), own)| with_field(place, feed, field, |place, feed| work(place, feed, own)));
        done.collect::<Vec<Result<R>>>().into_iter().try_for_each(|result| each(result?))?;
    }
    Ok(())
}

/// Calls `work` with a field in memory, if the node reads it more than once and it is small. `field` is there if it was
/// gathered already.
fn with_field<T: NodeNumber, R>(
    place: &Place<'_>,
    feed: Feed<'_, T>,
    field: Option<Buffer<'_, T>>,
    work: impl FnOnce(&Place<'_>, Feed<'_, T>) -> Result<R>,
) -> Result<R> {
    let gathering = Preparation::<T>::gathering(place);
    let field = match field {
        None if place.reads_field_again() => Prepared { place, feed, preparation: &gathering }.kept()?,
        field => field,
    };
    let done = match field {
        None => work(place, feed),
        Some(field) => work(&place.of_field(), Feed { below: T::rows(&field.view()), ..feed }),
    };
    done.map_err(|error| place.in_columns_below(error))
}

/// How many of a layer's nodes are trained at a time.
pub(super) fn group_size(nodes: usize, samples: usize, inputs: usize, bytes: usize) -> usize {
    if fit(samples, inputs, bytes) { nodes.min(NODES) } else { nodes }
}

/// Whether the fields of a group may be in memory together.
fn fit(samples: usize, inputs: usize, bytes: usize) -> bool {
    [samples, inputs, bytes, NODES].into_iter().fold(1, usize::saturating_mul) <= BYTES
}

/// The fields of a group of nodes that read them more than once, if they are small.
///
/// Neighbouring fields share cache lines and pages: sample by sample, all of them are read in one go, where node by node
/// every sample would be a step to another page.
fn kept_fields<'a, T: NodeNumber>(places: &[Place<'_>], feed: Feed<'a, T>) -> Result<Vec<Option<Buffer<'a, T>>>> {
    let samples = feed.below.len();
    let gathered = |place: &Place<'_>| {
        place.reads_field_again() && place.columns().is_some() && fit(samples, place.input_dim(), T::BYTES)
    };
    if !places.iter().all(gathered) {
        return Ok(places.iter().map(|_| None).collect());
    }
    let mut fields: Vec<Buffer<'a, T>> =
        places.iter().map(|place| feed.buffers.matrix(samples, place.input_dim())).collect();
    let mut blocks: Vec<Vec<ArrayViewMut2<'_, T>>> = (0..samples.div_ceil(ROWS)).map(|_| Vec::new()).collect();
    let mut views: Vec<ArrayViewMut2<'_, T>> = fields.iter_mut().map(|field| field.view_mut()).collect();
    for view in &mut views {
        blocks.iter_mut().zip(view.axis_chunks_iter_mut(Axis(0), ROWS)).for_each(|(block, rows)| block.push(rows));
    }
    blocks.into_par_iter().enumerate().try_for_each(|(k, block)| {
        block.into_iter().zip(places).try_for_each(|(out, place)| {
            let rows = Rows::Range(k * ROWS..k * ROWS + out.nrows());
            T::read_columns(feed.below, rows, place.columns().unwrap_or_default(), out)
        })
    })?;
    Ok(fields.into_iter().map(Some).collect())
}
