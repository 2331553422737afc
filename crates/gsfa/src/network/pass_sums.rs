//! The sums of one pass: one or two of each node of a layer.

use std::ops::Range;

use ndarray::Array2;
use rayon::prelude::*;

use super::faults::{check_finite, first_non_finite};
use super::geometry::LayerGeometry;
use super::node::Node;
use super::prepared::{Feed, NodeNumber, Place, Preparation, Prepared};
use super::spec::LayerSpec;
use super::trainer::{PassGraphs, Piece};
use crate::linalg::Buffers;
use crate::moments::Moments;
use crate::samples::Precision;
use crate::{Error, Result, Solver};

/// Bytes of expanded rows that one node sums at a time.
const CHUNK: usize = 1 << 25;

/// Rows of a chunk, at least: what is summed in one block.
const FEWEST_ROWS: usize = 512;

/// Whether a node learns from its inputs before they are expanded.
pub(super) fn columns_of(layer: &LayerSpec) -> bool {
    layer.pca.is_some() || layer.clip.is_some() || layer.standardize
}

/// Whether a layer needs a pass before that of GSFA.
pub(super) fn prepares(layer: &LayerSpec) -> bool {
    columns_of(layer) || layer.skip.is_some()
}

/// Sums of the nodes of one layer over some of the samples.
#[derive(Debug, Clone)]
pub struct PassSums<'g> {
    pub(super) of: SumsOf<'g>,
}

#[derive(Debug, Clone)]
pub(super) enum SumsOf<'g> {
    Single(Vec<Moments<'g, f32>>),
    Double(Vec<Moments<'g, f64>>),
}

/// What one of the sums is over: inputs that a place sees, prepared so far.
struct Inputs<'a, T> {
    place: Place<'a>,
    preparation: Preparation<T>,
    /// Whether they are original inputs, not outputs of the layer below.
    original: bool,
}

impl<'g> PassSums<'g> {
    pub(super) fn new(
        layer: &LayerSpec,
        geometry: &LayerGeometry,
        prepared: Option<&[Node]>,
        precision: Precision,
        graphs: &'g PassGraphs,
    ) -> Result<Self> {
        let of = match precision {
            Precision::Single => SumsOf::Single(empty(&inputs(layer, geometry, prepared)?, layer, prepared, graphs)),
            Precision::Double => SumsOf::Double(empty(&inputs(layer, geometry, prepared)?, layer, prepared, graphs)),
        };
        Ok(Self { of })
    }

    pub(super) fn add(
        &mut self,
        (layer, geometry): (&LayerSpec, &LayerGeometry),
        prepared: Option<&[Node]>,
        piece: Piece<'_>,
    ) -> Result<()> {
        match &mut self.of {
            SumsOf::Single(sums) => add(sums, &inputs(layer, geometry, prepared)?, piece),
            SumsOf::Double(sums) => add(sums, &inputs(layer, geometry, prepared)?, piece),
        }
    }

    /// How many samples have been added.
    pub fn rows(&self) -> usize {
        match &self.of {
            SumsOf::Single(sums) => sums.first().map_or(0, Moments::rows),
            SumsOf::Double(sums) => sums.first().map_or(0, Moments::rows),
        }
    }

    /// That all samples have been added.
    ///
    /// # Errors
    /// [`Error::MissingRows`].
    pub fn check_complete(&self) -> Result<()> {
        match &self.of {
            SumsOf::Single(sums) => sums.iter().try_for_each(Moments::check_complete),
            SumsOf::Double(sums) => sums.iter().try_for_each(Moments::check_complete),
        }
    }

    /// Adds the sums over other samples.
    ///
    /// # Errors
    /// If a sample is in both, or these are sums of another pass.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        let other_pass = || Error::DifferentMoments { what: "the pass" };
        match (&mut self.of, other.of) {
            (SumsOf::Single(ours), SumsOf::Single(theirs)) if ours.len() == theirs.len() => merge(ours, theirs),
            (SumsOf::Double(ours), SumsOf::Double(theirs)) if ours.len() == theirs.len() => merge(ours, theirs),
            _ => Err(other_pass()),
        }
    }

    /// The sums as bytes: those of each node after their length.
    ///
    /// # Errors
    /// As [`Moments::to_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let parts: Vec<Vec<u8>> = match &self.of {
            SumsOf::Single(sums) => sums.iter().map(Moments::to_bytes).collect::<Result<_>>()?,
            SumsOf::Double(sums) => sums.iter().map(Moments::to_bytes).collect::<Result<_>>()?,
        };
        let mut out = Vec::with_capacity(parts.iter().map(|part| part.len() + 8).sum());
        for part in parts {
            out.extend((part.len() as u64).to_le_bytes());
            out.extend(part);
        }
        Ok(out)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote into sums of the same pass, which have no samples yet.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bytes are not those that were written, [`Error::DifferentMoments`] if they belong to
    /// another pass, graph or sample type.
    pub fn read(self, bytes: &[u8], graphs: &'g PassGraphs) -> Result<Self> {
        let parts = split(bytes).ok_or(Error::Damaged { at: 0, reason: "they end too early" })?;
        let of = match self.of {
            SumsOf::Single(empty) => SumsOf::Single(read(&empty, &parts, graphs)?),
            SumsOf::Double(empty) => SumsOf::Double(read(&empty, &parts, graphs)?),
        };
        Ok(Self { of })
    }
}

fn split(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut parts = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let (part, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        parts.push(part);
        bytes = rest;
    }
    Some(parts)
}

fn read<'g, T: NodeNumber>(
    empty: &[Moments<'g, T>],
    parts: &[&[u8]],
    graphs: &'g PassGraphs,
) -> Result<Vec<Moments<'g, T>>> {
    if empty.len() != parts.len() {
        return Err(Error::DifferentMoments { what: "the pass" });
    }
    let one = |(empty, bytes): (&Moments<'g, T>, &&[u8])| {
        let labelled = std::ptr::eq(empty.graph(), &graphs.graph);
        let read = Moments::from_bytes(if labelled { &graphs.graph } else { &graphs.weighing }, bytes)?;
        match read.dim() == empty.dim() {
            true => Ok(read),
            false => Err(Error::DifferentMoments { what: "the number of inputs" }),
        }
    };
    empty.iter().zip(parts).map(one).collect()
}

fn merge<'g, T: NodeNumber>(ours: &mut [Moments<'g, T>], theirs: Vec<Moments<'g, T>>) -> Result<()> {
    ours.iter_mut().zip(theirs).try_for_each(|(a, b)| a.merge(b))
}

fn inputs<'a, T: NodeNumber>(
    layer: &'a LayerSpec,
    geometry: &LayerGeometry,
    prepared: Option<&[Node]>,
) -> Result<Vec<Inputs<'a, T>>> {
    let mut all = Vec::new();
    for k in 0..geometry.count() {
        let place = Place::new(layer, geometry, k);
        if let Some(prepared) = prepared {
            let preparation = Preparation::of(&prepared[k], &place)?;
            all.push(Inputs { place, preparation, original: false });
            continue;
        }
        let originals = layer.skip.map(|_| place.originals());
        if columns_of(layer) {
            all.push(Inputs { preparation: Preparation::gathering(&place), place, original: false });
        }
        let gathered = |place: Place<'a>| Inputs { preparation: Preparation::gathering(&place), place, original: true };
        all.extend(originals.map(gathered));
    }
    Ok(all)
}

impl<T: NodeNumber> Inputs<'_, T> {
    fn of<'b>(&'b self, piece: Piece<'b>, buffers: &'b Buffers<T>) -> Prepared<'b, T> {
        let below = if self.original { piece.original } else { piece.below };
        let feed = Feed { below, original: piece.original, buffers };
        Prepared { place: &self.place, feed, preparation: &self.preparation }
    }

    fn width(&self) -> usize {
        self.preparation.width(&self.place)
    }
}

fn empty<'g, T: NodeNumber>(
    inputs: &[Inputs<'_, T>],
    layer: &LayerSpec,
    prepared: Option<&[Node]>,
    graphs: &'g PassGraphs,
) -> Vec<Moments<'g, T>> {
    let (graph, solver) = match prepared {
        Some(_) => (&graphs.graph, layer.solver),
        None => (&graphs.weighing, Solver::Covariance),
    };
    inputs.iter().map(|inputs| Moments::for_solver(graph, inputs.width(), solver)).collect()
}

/// Adds the rows of a piece to the sums of all nodes, a few rows at a time.
fn add<T: NodeNumber>(sums: &mut [Moments<'_, T>], inputs: &[Inputs<'_, T>], piece: Piece<'_>) -> Result<()> {
    let buffers = Buffers::default();
    let widest = inputs.iter().map(Inputs::width).max().unwrap_or(1).max(1);
    let chunk = (CHUNK / widest / T::BYTES).max(FEWEST_ROWS);
    let rows = piece.below.len();
    let add_chunk = |range: Range<usize>, inputs: &Inputs<'_, T>, sums: &mut Moments<'_, T>| {
        let prepared = inputs.of(piece, &buffers);
        let mut block = Array2::from_elem((range.len(), prepared.width()), T::default());
        prepared.write_parallel(range.clone(), block.view_mut())?;
        // Rows may wait in the sums: what is wrong with them is told to those who brought them.
        check_finite(block.view(), piece.first_row + range.start)?;
        sums.add(piece.first_row + range.start, block.view()).map_err(|error| inputs.place.in_columns_below(error))
    };
    let done = (0..rows).step_by(chunk).try_for_each(|from| {
        let range = from..(from + chunk).min(rows);
        let nodes = sums.par_iter_mut().zip(inputs).with_max_len(1);
        nodes.try_for_each(|(sums, inputs)| add_chunk(range.clone(), inputs, sums))
    });
    done.map_err(|error| match first_non_finite::<T>(piece.original) {
        // A value that is not finite shows in whatever is computed first.
        Ok(Some(found)) | Err(found) => found.with_rows(|row| row + piece.first_row),
        Ok(None) => error,
    })
}
