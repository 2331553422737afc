//! What one node sums in a pass over the samples, and what it learns from it.
//!
//! Whoever trains goes through these: a pass over pieces keeps the sums of all nodes until the last piece is added; a fit,
//! whose only piece is all samples, takes one node after the other through both of its passes while its inputs are in
//! memory.

use super::candidates::Candidates;
use super::node::Node;
use super::pca::{Pca, Scaling};
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use super::spec::{LayerSpec, PcaSpec};
use super::statistics::ColumnStatistics;
use crate::graph::TrainingGraph;
use crate::linalg::buffers::Buffer;
use crate::moments::{CenteredMoments, ColumnSums, Moments, Pool};
use crate::{Error, Result};

/// Whether a node learns from its inputs before they are expanded.
pub(super) fn learns_from_field(layer: &LayerSpec) -> bool {
    layer.pca.is_some() || layer.clip.is_some() || layer.standardize || layer.expansion.rbf().is_some()
}

/// Whether a layer needs a pass before that of GSFA.
pub(super) fn prepares(layer: &LayerSpec) -> bool {
    learns_from_field(layer) || layer.skip.is_some()
}

/// The sums of a node in one of its passes.
#[derive(Debug, Clone)]
pub(super) enum NodeSums<T> {
    /// For all that comes before GSFA.
    Field(Box<FieldSums<T>>),
    /// For slow features.
    Expanded(Moments<T>),
}

impl<T: NodeNumber> NodeSums<T> {
    /// Of no samples yet: for slow features if the node is prepared. `everyone` is a graph without structure over all
    /// samples.
    pub fn new(
        place: &Place<'_>,
        prepared: Option<&Node>,
        graph: &TrainingGraph,
        everyone: &TrainingGraph,
    ) -> Result<Self> {
        let Some(node) = prepared else { return Ok(Self::Field(Box::new(FieldSums::new(place, everyone)))) };
        let width = Preparation::<T>::of(node, place)?.width(place);
        let moments = Moments::for_solver(graph, width, place.layer.solver);
        if place.layer.shared {
            Pool::check(&moments)?;
        }
        Ok(Self::Expanded(moments))
    }

    /// Adds what the node sees of a piece.
    pub fn add(
        &mut self,
        place: &Place<'_>,
        prepared: Option<&Node>,
        first_row: usize,
        feed: Feed<'_, T>,
    ) -> Result<()> {
        match (self, prepared) {
            (Self::Field(sums), _) => sums.add(place, first_row, feed),
            (Self::Expanded(sums), Some(node)) => {
                let preparation = Preparation::<T>::of(node, place)?;
                add_expanded(sums, first_row, &Prepared { place, feed, preparation: &preparation }).map(|_| ())
            }
            (Self::Expanded(_), None) => Err(other_pass()),
        }
    }

    /// The node one pass further.
    pub fn learn(self, place: &Place<'_>, prepared: Option<&Node>, first_layer: bool) -> Result<Node> {
        match (self, prepared) {
            (Self::Field(sums), None) => sums.learn(place),
            (Self::Expanded(sums), Some(node)) => {
                node.clone().with_slow_features::<T>(place, &sums.finish()?, first_layer)
            }
            _ => Err(other_pass()),
        }
    }

    pub fn merge(&mut self, other: Self) -> Result<()> {
        match (self, other) {
            (Self::Field(ours), Self::Field(theirs)) => ours.merge(*theirs),
            (Self::Expanded(ours), Self::Expanded(theirs)) => ours.merge(theirs),
            _ => Err(other_pass()),
        }
    }

    /// How many samples were added.
    pub fn rows(&self) -> usize {
        match self {
            Self::Field(sums) => sums.rows(),
            Self::Expanded(sums) => sums.rows(),
        }
    }

    pub fn check_complete(&self) -> Result<()> {
        match self {
            Self::Field(sums) => sums.check_complete(),
            Self::Expanded(sums) => sums.check_complete(),
        }
    }

    /// The bytes of each sum.
    pub fn to_bytes(&self) -> Result<Vec<Vec<u8>>> {
        match self {
            Self::Field(sums) => sums.to_bytes(),
            Self::Expanded(sums) => Ok(vec![sums.to_bytes()?]),
        }
    }

    /// Sums of the same kind from the next of these bytes.
    pub fn read<'b>(&self, parts: &mut impl Iterator<Item = &'b [u8]>) -> Result<Self> {
        match self {
            Self::Field(sums) => Ok(Self::Field(Box::new(sums.read(parts)?))),
            Self::Expanded(sums) => Ok(Self::Expanded(sums.read(next(parts)?)?)),
        }
    }
}

fn other_pass() -> Error {
    Error::DifferentMoments { what: "the pass" }
}

fn next<'b>(parts: &mut impl Iterator<Item = &'b [u8]>) -> Result<&'b [u8]> {
    parts.next().ok_or_else(other_pass)
}

/// Adds what GSFA sees of a piece, and returns these rows if they are small enough to be kept.
pub(super) fn add_expanded<'a, T: NodeNumber>(
    sums: &mut Moments<T>,
    first_row: usize,
    expanded: &Prepared<'a, T>,
) -> Result<Option<Buffer<'a, T>>> {
    let kept = expanded.kept()?;
    let view = kept.as_ref().map(|kept| kept.view());
    sums.add_piece(first_row, view.as_ref().map_or(T::prepared(expanded), T::rows))?;
    Ok(kept)
}

/// Sums of a node's inputs as they come, over all samples, those without labels included.
#[derive(Debug, Clone)]
pub(super) struct FieldSums<T> {
    /// For scales, and for clipping without principal components.
    columns: Option<ColumnSums>,
    /// For principal components.
    inputs: Option<Moments<T>>,
    /// For the centres of radial basis functions.
    candidates: Option<Candidates>,
    /// Of original inputs that stand beside the features.
    originals: Option<ColumnSums>,
    /// Of the same, patch by patch, for a gate.
    patches: Vec<Moments<T>>,
}

impl<T: NodeNumber> FieldSums<T> {
    /// Of no samples yet; `everyone` is a graph without structure over all samples.
    pub fn new(place: &Place<'_>, everyone: &TrainingGraph) -> Self {
        let layer = place.layer;
        // Candidates do not know whether all samples are there.
        let alone = layer.clip.is_some() || layer.expansion.rbf().is_some();
        let columns = layer.standardize || alone && layer.pca.is_none();
        Self {
            columns: columns.then(|| ColumnSums::new(everyone, place.input_dim())),
            inputs: layer.pca.map(|_| Moments::new(everyone, place.input_dim())),
            candidates: layer.expansion.rbf().map(|rbf| Candidates::new(&rbf, place.input_dim())),
            originals: layer.skip.map(|_| ColumnSums::new(everyone, place.original_dim())),
            patches: place.patches().iter().map(|patch| Moments::new(everyone, patch.len())).collect(),
        }
    }

    /// Adds what the node sees of a piece.
    pub fn add(&mut self, place: &Place<'_>, first_row: usize, feed: Feed<'_, T>) -> Result<()> {
        let gathering = Preparation::<T>::gathering(place);
        let field = Prepared { place, feed, preparation: &gathering };
        let view = T::matrix(feed.below).filter(|_| field.is_matrix());
        let samples = view.as_ref().map_or(T::prepared(&field), T::rows);
        if let Some(columns) = &mut self.columns {
            columns.add_piece::<T>(first_row, samples)?;
        }
        if let Some(inputs) = &mut self.inputs {
            inputs.add_piece(first_row, samples)?;
        }
        if let Some(candidates) = &mut self.candidates {
            candidates.add::<T>(first_row, samples, feed.original)?;
        }
        let Some(originals) = &mut self.originals else { return Ok(()) };
        let place = &place.originals();
        let feed = Feed { below: feed.original, ..feed };
        let field = Prepared { place, feed, preparation: &Preparation::<T>::gathering(place) };
        originals.add_piece::<T>(first_row, T::prepared(&field))?;
        // One patch at a time: each is summed by all threads.
        for (columns, sums) in place.patches().iter().zip(&mut self.patches) {
            let place = place.of_columns(columns);
            let patch = Prepared { place: &place, feed, preparation: &Preparation::<T>::gathering(&place) };
            sums.add_piece(first_row, T::prepared(&patch)).map_err(|error| place.in_columns_below(error))?;
        }
        Ok(())
    }

    /// A node that knows all that comes before GSFA.
    pub fn learn(self, place: &Place<'_>) -> Result<Node> {
        let layer = place.layer;
        let mut node = reduced::<T>(place, self.columns, self.inputs.map(Moments::finish).transpose()?)?;
        if let (Some(rbf), Some(candidates)) = (layer.expansion.rbf(), &self.candidates) {
            node.centers = Some(candidates.centers::<T>(&rbf, &node, place)?);
        }
        if let Some(originals) = self.originals {
            let place = place.originals();
            node.skip_scale = Some(ColumnStatistics::of_sums(originals)?.root_mean_variance::<T>()?);
            let patches = components(&place, self.patches)?;
            node.gate = place.gate().map(|gate| gate.leading(&patches, place.input_dim()));
        }
        Ok(node)
    }

    fn merge(&mut self, other: Self) -> Result<()> {
        merge_each(self.candidates.iter_mut(), other.candidates.into_iter(), Candidates::merge)?;
        let columns = self.columns.iter_mut().chain(&mut self.originals);
        merge_each(columns, other.columns.into_iter().chain(other.originals), ColumnSums::merge)?;
        let moments = self.inputs.iter_mut().chain(&mut self.patches);
        merge_each(moments, other.inputs.into_iter().chain(other.patches), Moments::merge)
    }

    fn of_columns(&self) -> impl Iterator<Item = &ColumnSums> {
        self.columns.iter().chain(&self.originals)
    }

    fn of_products(&self) -> impl Iterator<Item = &Moments<T>> {
        self.inputs.iter().chain(&self.patches)
    }

    fn rows(&self) -> usize {
        self.of_columns().map(ColumnSums::rows).chain(self.of_products().map(Moments::rows)).next().unwrap_or(0)
    }

    fn check_complete(&self) -> Result<()> {
        self.of_columns().try_for_each(ColumnSums::check_complete)?;
        self.of_products().try_for_each(Moments::check_complete)
    }

    fn to_bytes(&self) -> Result<Vec<Vec<u8>>> {
        let columns = self.of_columns().map(|sums| Ok(sums.to_bytes()));
        let candidates = self.candidates.iter().map(|candidates| Ok(candidates.to_bytes()));
        columns.chain(self.of_products().map(Moments::to_bytes)).chain(candidates).collect()
    }

    fn read<'b>(&self, parts: &mut impl Iterator<Item = &'b [u8]>) -> Result<Self> {
        let mut columns = |empty: &Option<ColumnSums>| empty.as_ref().map(|sums| sums.read(next(parts)?)).transpose();
        let (columns, originals) = (columns(&self.columns)?, columns(&self.originals)?);
        let mut moments = |empty: &Moments<T>| empty.read(next(parts)?);
        let inputs = self.inputs.as_ref().map(&mut moments).transpose()?;
        let patches = self.patches.iter().map(moments).collect::<Result<_>>()?;
        let candidates = self.candidates.as_ref().map(|candidates| candidates.read(next(parts)?)).transpose()?;
        Ok(Self { columns, inputs, candidates, originals, patches })
    }
}

/// A node that knows how its inputs are scaled, reduced and clipped.
fn reduced<T: NodeNumber>(
    place: &Place<'_>,
    columns: Option<ColumnSums>,
    inputs: Option<CenteredMoments>,
) -> Result<Node> {
    let (mut node, layer) = (Node::empty(), place.layer);
    let columns = columns.map(ColumnStatistics::of_sums).transpose()?;
    let scales = columns.as_ref().filter(|_| layer.standardize).map(|columns| columns.inverse_deviations::<T>());
    let scales = scales.transpose()?;
    match (&layer.pca, inputs, &columns, scales) {
        (Some(pca), Some(inputs), _, scales) => node.pca = Some(pca.of_moments::<T>(inputs, scales.as_ref())?),
        (_, _, Some(columns), Some(factors)) => {
            node.scaling = Some(Scaling { mean: columns.mean.clone(), factors });
        }
        _ => {}
    }
    if let Some(clip) = &layer.clip {
        node.clip = Some(node.clip_bounds(clip, columns.as_ref())?);
    }
    Ok(node)
}

/// The sums of a node that all fields of its layer share, in one of its passes: those of the fields, added up.
#[derive(Debug, Default)]
pub(super) struct SharedSums {
    columns: Option<ColumnSums>,
    inputs: Pool,
    expanded: Pool,
}

impl SharedSums {
    /// Adds the sums of a field over all samples.
    pub fn add<T: NodeNumber>(&mut self, field: NodeSums<T>) -> Result<()> {
        match field {
            NodeSums::Expanded(moments) => self.expanded.add(moments),
            NodeSums::Field(field) => {
                match (&mut self.columns, field.columns) {
                    (Some(ours), Some(columns)) => ours.pool(columns)?,
                    (ours, columns) => *ours = columns,
                }
                field.inputs.map_or(Ok(()), |inputs| self.inputs.add(inputs))
            }
        }
    }

    /// The node one pass further; `place` is that of any of its fields.
    pub fn learn<T: NodeNumber>(self, place: &Place<'_>, prepared: Option<&Node>, first_layer: bool) -> Result<Node> {
        let Some(node) = prepared else {
            let inputs = place.layer.pca.map(|_| self.inputs.finish()).transpose()?;
            return reduced::<T>(place, self.columns, inputs);
        };
        node.clone().with_slow_features::<T>(place, &self.expanded.finish()?, first_layer)
    }
}

/// Merges sums one by one; there must be as many of each.
fn merge_each<'a, A: 'a>(
    ours: impl Iterator<Item = &'a mut A>,
    mut theirs: impl Iterator<Item = A>,
    merge: impl Fn(&mut A, A) -> Result<()>,
) -> Result<()> {
    for ours in ours {
        merge(ours, theirs.next().ok_or_else(other_pass)?)?;
    }
    theirs.next().map_or(Ok(()), |_| Err(other_pass()))
}

/// The principal components of the patches of a gate; `place` is that of the original inputs.
fn components<T: NodeNumber>(place: &Place<'_>, patches: Vec<Moments<T>>) -> Result<Vec<Pca>> {
    let one = |(columns, sums): (&Vec<usize>, Moments<T>)| {
        let all = PcaSpec::components(columns.len());
        let fitted = sums.finish().and_then(|moments| all.of_moments::<T>(moments, None));
        fitted.map_err(|error| place.of_columns(columns).in_columns_below(error))
    };
    place.patches().iter().zip(patches).map(one).collect()
}
