//! From features back to inputs: what a network kept.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::geometry::LayerGeometry;
use super::node::Node;
use super::pca::{Pca, Scaling};
use super::spec::{LayerSpec, NetworkSpec};
use super::train::Network;
use crate::linalg::{multiply, thin_svd};
use crate::samples::{Precision, Rows, Samples};
use crate::{Error, Result};

/// Rows that are reconstructed at a time.
const ROWS: usize = 1024;

/// How well inputs are told from the outputs of a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reconstruction {
    /// The mean squared error of an input.
    pub error: f64,
    /// The share of the variance of the inputs, about their means over these samples, that the reconstruction explains.
    pub explained: f64,
}

impl Network {
    /// The first layers alone, all of them if there are no more.
    pub fn first_layers(&self, count: usize) -> Self {
        let count = count.min(self.layers.len());
        Self { spec: self.spec.first_layers(count), layers: self.layers[..count].to_vec() }
    }

    /// How many of the first layers have outputs from which their inputs can be told: all, unless the top is there for the
    /// labels alone.
    pub fn keeping_layers(&self) -> usize {
        let kept = |&count: &usize| self.first_layers(count).check_keeps().is_ok();
        (1..=self.layers.len()).rev().find(kept).unwrap_or(0)
    }

    /// The best linear estimates, node by node from the top, of the inputs that have given features; where fields overlap,
    /// the mean of what their nodes say. Of spectra, these are [prepared](NetworkSpec::spectrum) ones.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a layer [keeps](LayerSpec::keep) no information, [`Error::InputDim`] if there are not as many
    /// features as the network has.
    pub fn inverse(&self, features: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        if features.ncols() != self.output_dim() {
            return Err(Error::InputDim { expected: self.output_dim(), got: features.ncols() });
        }
        self.check_keeps()?;
        let geometry = self.spec.geometry()?;
        let mut values = features.to_owned();
        for ((layer, geometry), nodes) in self.spec.layers.iter().zip(&geometry).zip(&self.layers).rev() {
            values = inverse_layer(layer, geometry, nodes, values.view())?;
            if layer.skip.is_some() {
                // These were the inputs themselves.
                break;
            }
        }
        Ok(values)
    }

    /// That all layers which are needed keep information.
    fn check_keeps(&self) -> Result<()> {
        let needed = self.spec.layers.iter().rposition(|layer| layer.skip.is_some()).unwrap_or(0);
        match self.spec.layers.iter().skip(needed).position(|layer| layer.keep.is_none()) {
            None => Ok(()),
            Some(at) => {
                let value = format!("none in layer {}", needed + at + 1);
                Err(Error::parameter("keep", value, "only layers that keep information have an inverse"))
            }
        }
    }

    /// How well the inputs of samples are told from the outputs of each layer, from the first to the top.
    ///
    /// # Errors
    /// As [`apply`](Self::apply) and [`inverse`](Self::inverse).
    pub fn reconstructions(&self, samples: &dyn Samples) -> Result<Vec<Reconstruction>> {
        let samples = &*self.spec.inputs(samples);
        // Rows below are prepared already.
        let prepared = Self { spec: NetworkSpec { spectrum: None, ..self.spec.clone() }, layers: self.layers.clone() };
        let parts: Vec<Self> = (1..=self.layers.len()).map(|count| prepared.first_layers(count)).collect();
        let (count, dim) = (samples.len(), samples.dim());
        let mut errors = vec![0.0; parts.len()];
        let (mut sums, mut squares) = (Array1::<f64>::zeros(dim), Array1::<f64>::zeros(dim));
        let mut shift: Option<Array1<f64>> = None;
        for from in (0..count).step_by(ROWS) {
            let rows = from..(from + ROWS).min(count);
            let mut block = Array2::zeros((rows.len(), dim));
            samples.read_double(Rows::Range(rows), block.view_mut())?;
            for (error, part) in errors.iter_mut().zip(&parts) {
                let features = part.ready(samples.precision())?.apply(&as_read(&block, samples.precision()).view())?;
                let difference = part.inverse(features.view())? - &block;
                *error += difference.iter().map(|d| d * d).sum::<f64>();
            }
            let shift = shift.get_or_insert_with(|| block.row(0).to_owned());
            let about = &block - &*shift;
            sums += &about.sum_axis(Axis(0));
            squares += &about.mapv(|x| x * x).sum_axis(Axis(0));
        }
        let values = (count * dim) as f64;
        let variance = (squares.sum() - sums.dot(&sums) / count.max(1) as f64) / values;
        let share = |error: f64| if variance > 0.0 { 1.0 - error / variance } else { 1.0 };
        let one = |error: &f64| Reconstruction { error: error / values, explained: share(error / values) };
        Ok(errors.iter().map(one).collect())
    }
}

/// A block of rows rounded as samples of a precision are.
fn as_read(block: &Array2<f64>, precision: Precision) -> Array2<f64> {
    match precision {
        Precision::Double => block.clone(),
        Precision::Single => block.mapv(|x| f64::from(x as f32)),
    }
}

/// The inputs of a layer, or the original ones where it sees these once more.
fn inverse_layer(
    layer: &LayerSpec,
    geometry: &LayerGeometry,
    nodes: &[Node],
    outputs: ArrayView2<'_, f64>,
) -> Result<Array2<f64>> {
    let columns = |k: usize| match layer.skip {
        Some(_) => geometry.original_columns(k),
        None => geometry.columns(k),
    };
    let width = (0..nodes.len()).flat_map(columns).max().map_or(0, |last| last + 1);
    let mut inputs = Array2::zeros((outputs.nrows(), width));
    let mut times = Array1::<f64>::zeros(width);
    for (k, node) in nodes.iter().enumerate() {
        let own = outputs.slice(s![.., k * layer.output_dim..(k + 1) * layer.output_dim]);
        let field = node.inverse(own)?;
        for (&column, values) in columns(k).iter().zip(field.axis_iter(Axis(1))) {
            let mut sum = inputs.column_mut(column);
            sum += &values;
            times[column] += 1.0;
        }
    }
    Ok(inputs / &times)
}

impl Node {
    /// The best linear estimate of what the node saw, from its outputs.
    fn inverse(&self, outputs: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        let kept = self.slow.as_ref().and_then(|slow| Some((slow, slow.kept.as_ref()?)));
        let Some((slow, kept)) = kept else {
            return Err(Error::parameter("node", "without inverse", "it was trained to keep no information"));
        };
        let (inputs, count) = kept.inverse.dim();
        let mut field = multiply(outputs.slice(s![.., ..count]), kept.inverse.t());
        field += &slow.mean.slice(s![..inputs]);
        if let Some(scale) = self.skip_scale {
            return Ok(field * scale);
        }
        match (&self.pca, &self.scaling) {
            (Some(pca), _) => pca.inverse(field.view()),
            (None, Some(scaling)) => Ok(scaling.inverse(field)),
            (None, None) => Ok(field),
        }
    }
}

impl Scaling {
    /// The inputs of given standardised ones.
    fn inverse(&self, mut inputs: Array2<f64>) -> Array2<f64> {
        for ((mut column, factor), mean) in inputs.axis_iter_mut(Axis(1)).zip(&self.factors).zip(&self.mean) {
            column.mapv_inplace(|x| if *factor > 0.0 { mean + x / factor } else { *mean });
        }
        inputs
    }
}

impl Pca {
    /// The inputs of given components: the nearest to the mean that have them.
    fn inverse(&self, components: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        let svd = thin_svd(self.weights.view())?;
        let rank = svd.rank();
        let mut back = svd.left.slice(s![.., ..rank]).to_owned();
        back.axis_iter_mut(Axis(1)).zip(&svd.values).for_each(|(mut column, value)| column /= *value);
        let inside = multiply(components, svd.right.slice(s![.., ..rank]));
        Ok(multiply(inside.view(), back.t()) + &self.mean)
    }
}
