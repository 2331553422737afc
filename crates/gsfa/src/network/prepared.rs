//! The inputs of a node's GSFA: gathered, reduced and expanded as they are read.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};
use rayon::prelude::*;

use super::gate::{Gate, ReadyGate};
use super::geometry::LayerGeometry;
use super::node::Node;
use super::node_sums::learns_from_field;
use super::spec::LayerSpec;
use super::stacked::Stacked;
use crate::expansion::{ClipBounds, Expandable, Expansion, ReadyCenters};
use crate::linalg::buffers::Buffer;
use crate::linalg::{AffineMap, Buffers};
use crate::samples::{Element, Matrix, Rows, SampleType, Samples};
use crate::{Error, Result};

/// Rows that one thread sends through a node at a time.
pub(super) const ROWS: usize = 512;

/// Inputs of a node that take no more bytes than this are kept in memory while it is trained.
const KEPT_BYTES: usize = 1 << 25;

/// Whether a node's inputs are kept in memory while it is trained.
pub(super) fn is_small(rows: usize, columns: usize, bytes: usize) -> bool {
    rows.saturating_mul(columns).saturating_mul(bytes) <= KEPT_BYTES
}

/// What feeds the nodes of a layer: the layer below, and the original inputs for nodes that look at them again.
#[derive(Clone, Copy)]
pub(super) struct Feed<'a, T> {
    pub below: &'a dyn Samples,
    pub original: &'a dyn Samples,
    /// Memory for blocks of rows.
    pub buffers: &'a Buffers<T>,
}

/// A node's place: how its layer is specified and what it sees.
pub(super) struct Place<'a> {
    pub layer: &'a LayerSpec,
    columns: Option<Vec<usize>>,
    /// Original inputs; `None` for all, in order.
    original_columns: Option<Vec<usize>>,
    input_dim: usize,
    original_dim: usize,
    /// Original inputs of the patches of a gate.
    patches: Vec<Vec<usize>>,
}

impl<'a> Place<'a> {
    pub fn new(layer: &'a LayerSpec, geometry: &LayerGeometry, node: usize) -> Self {
        let whole = geometry.is_whole();
        Self {
            layer,
            columns: (!whole).then(|| geometry.columns(node)),
            original_columns: (!whole).then(|| geometry.original_columns(node)),
            input_dim: geometry.input_dim(),
            original_dim: if layer.skip.is_some() { geometry.original_dim() } else { 0 },
            patches: layer.skip.and_then(|skip| skip.gate).map_or_else(Vec::new, |gate| geometry.patches(&gate)),
        }
    }

    /// The original inputs of the node's field in place of those from the layer below.
    pub fn originals(&self) -> Self {
        Self {
            layer: self.layer,
            columns: self.original_columns.clone(),
            original_columns: self.original_columns.clone(),
            input_dim: self.original_dim,
            original_dim: self.original_dim,
            patches: self.patches.clone(),
        }
    }

    /// Some of the inputs alone.
    pub fn of_columns(&self, inputs: &[usize]) -> Self {
        let column = |&input: &usize| self.columns.as_ref().map_or(input, |columns| columns[input]);
        Self { columns: Some(inputs.iter().map(column).collect()), input_dim: inputs.len(), ..self.originals() }
    }

    /// The gate of the layer.
    pub fn gate(&self) -> Option<&'a Gate> {
        self.layer.skip.as_ref()?.gate.as_ref()
    }

    /// Original inputs of the patches of a gate.
    pub fn patches(&self) -> &[Vec<usize>] {
        &self.patches
    }

    /// Whether the node learns from its field before the expansion, and so reads the field more than once.
    pub fn reads_field_again(&self) -> bool {
        learns_from_field(self.layer)
    }

    /// Inputs from the layer below; `None` for all, in order.
    pub fn columns(&self) -> Option<&[usize]> {
        self.columns.as_deref()
    }

    /// The number of original inputs, if the layer looks at them again.
    pub fn original_dim(&self) -> usize {
        self.original_dim
    }

    /// The number of inputs from the layer below.
    pub fn input_dim(&self) -> usize {
        self.input_dim
    }

    /// An error about an input of the node, in terms of the columns below it.
    pub fn in_columns_below(&self, error: Error) -> Error {
        match (error, &self.columns) {
            (Error::ColumnRange { column, deviation, problem }, Some(columns)) if column < columns.len() => {
                Error::ColumnRange { column: columns[column], deviation, problem }
            }
            (error, _) => error,
        }
    }

    /// The same place, for a feed that consists of nothing but the field.
    pub fn of_field(&self) -> Self {
        let (original_columns, patches) = (self.original_columns.clone(), self.patches.clone());
        Self { columns: None, original_columns, patches, ..*self }
    }
}

/// What is done to inputs before GSFA, ready for samples of type T.
pub(super) struct Preparation<T> {
    /// To principal components or standardised inputs.
    map: Option<AffineMap<T>>,
    clip: Option<ClipBounds>,
    expansion: Expansion,
    /// Of radial basis functions, in place of the expansion.
    centers: Option<ReadyCenters<T>>,
    /// Inputs of the expansion, and its outputs.
    dims: (usize, usize),
    /// Factors of original inputs and of features.
    skip: Option<(T, T)>,
    gate: Option<ReadyGate<T>>,
}

impl<T: NodeNumber> Preparation<T> {
    /// Nothing but gathering what the place sees.
    pub fn gathering(place: &Place<'_>) -> Self {
        let dims = (place.input_dim, place.input_dim);
        Self { map: None, clip: None, expansion: Expansion::Identity, centers: None, dims, skip: None, gate: None }
    }

    /// The map to principal components, or to standardised inputs.
    pub fn map(&self) -> Option<&AffineMap<T>> {
        self.map.as_ref()
    }

    /// How many original inputs stand before the expanded ones.
    pub fn skipped(&self, place: &Place<'_>) -> usize {
        if self.skip.is_some() { place.original_dim } else { 0 }
    }

    /// How many values a sample has for GSFA.
    pub fn width(&self, place: &Place<'_>) -> usize {
        self.skipped(place) + self.dims.1 + self.gate.as_ref().map_or(0, ReadyGate::width)
    }

    /// Whether inputs stay as they are.
    fn is_plain(&self) -> bool {
        self.map.is_none() && self.clip.is_none() && self.centers.is_none() && self.expansion == Expansion::Identity
    }

    pub fn of(node: &Node, place: &Place<'_>) -> Result<Self> {
        let inputs = node.pca.as_ref().map_or(place.input_dim, |pca| pca.weights.ncols());
        // Before its centres are drawn, a node with radial basis functions has its inputs only.
        let centers: Option<ReadyCenters<T>> = node.centers.as_ref().map(ReadyCenters::new);
        let expansion = if place.layer.expansion.rbf().is_some() { Expansion::Identity } else { place.layer.expansion };
        let terms = expansion.output_dim(inputs)? + centers.as_ref().map_or(0, ReadyCenters::count);
        let skip = place.layer.skip.zip(node.skip_scale);
        Ok(Self {
            map: match (&node.pca, &node.scaling) {
                (Some(pca), _) => Some(AffineMap::new(&pca.mean, &pca.weights)),
                (None, Some(scaling)) => Some(AffineMap::diagonal(&scaling.mean, &scaling.factors)),
                (None, None) => None,
            },
            clip: node.clip.clone(),
            expansion,
            centers,
            dims: (inputs, terms),
            skip: skip.map(|(skip, scale)| (T::from_f64(1.0 / scale), T::from_f64(skip.feature_scale))),
            gate: place
                .gate()
                .zip(node.gate.as_ref())
                .zip(node.skip_scale)
                .map(|((gate, fitted), scale)| ReadyGate::new(gate, fitted, &place.patches, inputs, scale)),
        })
    }
}

/// Samples of a node's GSFA. The expanded matrix is never stored: every block of rows is made as it is read.
pub(super) struct Prepared<'a, T> {
    pub place: &'a Place<'a>,
    pub feed: Feed<'a, T>,
    pub preparation: &'a Preparation<T>,
}

impl<'a, T: NodeNumber> Prepared<'a, T> {
    /// The number of inputs.
    pub fn width(&self) -> usize {
        self.preparation.width(self.place)
    }

    /// All rows as a matrix, if it is small: a node reads its inputs two or three times, and making them again costs
    /// more than the rest of its training.
    pub fn kept(&self) -> Result<Option<Buffer<'a, T>>> {
        let rows = self.feed.below.len();
        if !is_small(rows, self.width(), T::BYTES) {
            return Ok(None);
        }
        let mut all = self.feed.buffers.matrix(rows, self.width());
        self.write_parallel(0..rows, all.view_mut())?;
        Ok(Some(all))
    }

    /// Fills `out` with consecutive rows, several threads some of them each.
    pub fn write_parallel(&self, rows: Range<usize>, mut out: ArrayViewMut2<'_, T>) -> Result<()> {
        let blocks: Vec<_> = out.axis_chunks_iter_mut(Axis(0), ROWS).enumerate().collect();
        blocks.into_par_iter().try_for_each(|(k, block)| {
            let first = rows.start + k * ROWS;
            self.write(Rows::Range(first..first + block.nrows()), block)
        })
    }

    /// Whether the rows are those of the layer below as they are.
    pub fn is_matrix(&self) -> bool {
        self.place.columns.is_none() && self.preparation.is_plain() && self.preparation.skip.is_none()
    }

    fn skipped(&self) -> usize {
        self.preparation.skipped(self.place)
    }

    /// Fills `out`: original inputs first, if there are any, then expanded features, then their products with inputs.
    pub fn write(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, T>) -> Result<()> {
        let (mut skipped, features) = out.split_at(Axis(1), self.skipped());
        let (mut features, products) = features.split_at(Axis(1), self.preparation.dims.1);
        if let Some((factor, _)) = self.preparation.skip {
            read_some(self.feed.original, rows.clone(), self.place.original_columns.as_deref(), skipped.view_mut())?;
            skipped.mapv_inplace(|x| x * factor);
        }
        self.write_inputs(rows, features.slice_mut(s![.., ..self.preparation.dims.0]))?;
        if let Some(gate) = &self.preparation.gate {
            let inputs = features.slice(s![.., ..self.preparation.dims.0]);
            gate.write(skipped.view(), inputs, products, self.feed.buffers);
        }
        match &self.preparation.centers {
            Some(centers) => centers.expand_in_place(features.view_mut(), self.feed.buffers),
            None => self.preparation.expansion.expand_in_place(self.preparation.dims.0, features.view_mut())?,
        }
        if let Some((_, factor)) = self.preparation.skip {
            features.mapv_inplace(|x| x * factor);
        }
        Ok(())
    }

    /// The inputs of the expansion, of all rows.
    pub fn inputs(&self) -> Result<Array2<T>> {
        let rows = self.feed.below.len();
        let mut all = Array2::from_elem((rows, self.preparation.dims.0), T::default());
        self.write_inputs(Rows::Range(0..rows), all.view_mut())?;
        Ok(all)
    }

    /// Fills `out` with the inputs of the expansion: gathered, reduced and clipped.
    fn write_inputs(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, T>) -> Result<()> {
        let columns = self.place.columns.as_deref();
        match &self.preparation.map {
            None => read_some(self.feed.below, rows, columns, out.view_mut())?,
            Some(map) => {
                let mut field = self.feed.buffers.matrix(rows.len(), self.place.input_dim);
                read_some(self.feed.below, rows, columns, field.view_mut())?;
                map.apply_in_place(field.view_mut(), out.view_mut());
            }
        }
        match &self.preparation.clip {
            Some(clip) => clip.apply(out),
            None => Ok(()),
        }
    }
}

fn read_some<T: SampleType>(
    samples: &dyn Samples,
    rows: Rows<'_>,
    columns: Option<&[usize]>,
    mut out: ArrayViewMut2<'_, T>,
) -> Result<()> {
    match columns {
        Some(columns) => T::read_columns(samples, rows, columns, out),
        None => match (T::matrix(samples), &rows) {
            (Some(matrix), Rows::Range(range)) => {
                out.assign(&matrix.slice(s![range.clone(), ..]));
                Ok(())
            }
            _ => T::read(samples, rows, out),
        },
    }
}

/// `f32` or `f64`, as what a network computes in.
pub(super) trait NodeNumber: SampleType + Expandable {
    /// Prepared inputs as samples.
    fn prepared<'a>(prepared: &'a Prepared<'a, Self>) -> &'a dyn Samples;

    /// The features of a layer as samples.
    fn stacked<'a>(stacked: &'a Stacked<'a, Self>) -> &'a dyn Samples;

    /// The rows of a matrix as samples.
    fn rows<'a>(matrix: &'a ArrayView2<'a, Self>) -> &'a dyn Samples;
}

macro_rules! node_number {
    ($type:ty, $precision:ident, $element:ident, $read:ident, $read_columns:ident,
     $other:ident, $other_columns:ident: $other_type:ty) => {
        impl Samples for Prepared<'_, $type> {
            fn len(&self) -> usize {
                self.feed.below.len()
            }
            fn dim(&self) -> usize {
                self.width()
            }
            fn element(&self) -> Element {
                Element::$element
            }
            fn $read(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, $type>) -> Result<()> {
                self.write(rows, out)
            }
            fn $other(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, $other_type>) -> Result<()> {
                let mut own = Array2::zeros(out.dim());
                self.write(rows, own.view_mut())?;
                out.zip_mut_with(&own, |o, &x| *o = x as $other_type);
                Ok(())
            }
        }

        impl Samples for Stacked<'_, $type> {
            fn len(&self) -> usize {
                self.len()
            }
            fn dim(&self) -> usize {
                self.dim()
            }
            fn element(&self) -> Element {
                Element::$element
            }
            fn $read(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, $type>) -> Result<()> {
                self.copy(&rows, None, out, |x| x);
                Ok(())
            }
            fn $other(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, $other_type>) -> Result<()> {
                self.copy(&rows, None, out, |x| x as $other_type);
                Ok(())
            }
            fn $read_columns(&self, rows: Rows<'_>, columns: &[usize], out: ArrayViewMut2<'_, $type>) -> Result<()> {
                self.copy(&rows, Some(columns), out, |x| x);
                Ok(())
            }
            fn $other_columns(
                &self,
                rows: Rows<'_>,
                columns: &[usize],
                out: ArrayViewMut2<'_, $other_type>,
            ) -> Result<()> {
                self.copy(&rows, Some(columns), out, |x| x as $other_type);
                Ok(())
            }
            fn matrix(&self) -> Option<Matrix<'_>> {
                self.matrix().map(Matrix::$precision)
            }
        }

        impl NodeNumber for $type {
            fn stacked<'a>(stacked: &'a Stacked<'a, Self>) -> &'a dyn Samples {
                stacked
            }
            fn prepared<'a>(prepared: &'a Prepared<'a, Self>) -> &'a dyn Samples {
                prepared
            }
            fn rows<'a>(matrix: &'a ArrayView2<'a, Self>) -> &'a dyn Samples {
                matrix
            }
        }
    };
}

node_number!(f32, Single, F32, read_single, read_single_columns, read_double, read_double_columns: f64);
node_number!(f64, Double, F64, read_double, read_double_columns, read_single, read_single_columns: f32);
