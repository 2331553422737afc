//! The fitted map from samples to slow features.

use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2};

use super::keeping::Kept;
use crate::linalg::AffineMap;
use crate::samples::SampleType;
use crate::{Error, Note, Result};

/// Slow features: $y = W^T(x - \tilde x)$, slowest first.
///
/// On the training samples each has weighted mean 0 and variance 1, and they are uncorrelated, with ridge and without. A node
/// that [keeps](Self::kept) information has principal components of its inputs after them, and slow features of their size.
#[derive(Debug, Clone, PartialEq)]
pub struct SlowFeatures {
    /// W: one row per input, one column per feature. Rows of constant inputs are exactly 0.
    pub weights: Array2<f64>,
    /// The weighted mean x̃ of the training samples.
    pub mean: Array1<f64>,
    /// Δ of each feature on the training samples, ascending up to surplus outputs.
    pub delta_values: Vec<f64>,
    /// ρ²: squared weighted correlation of each feature with its target label, on the training samples; `None` where the
    /// graph has no target labels.
    pub correlations: Vec<Option<f64>>,
    /// Directions of the inputs that carry variance.
    pub rank: usize,
    /// Constant inputs.
    pub dead_columns: usize,
    /// Directions without variance among the other inputs: duplicated or linearly dependent ones.
    pub dropped_directions: usize,
    /// How many features are off the level of noise; the outputs after them are surplus.
    pub informative: usize,
    /// The code of the classes that was learned: the labels of the graph that these are the features of, one row per class.
    pub code: Option<Array2<f64>>,
    /// What the outputs say of the inputs, if they keep information. Delta values are then those of the slow features before
    /// they were scaled or mixed.
    pub kept: Option<Kept>,
    /// Remarks about the fit.
    pub notes: Vec<Note>,
}

impl SlowFeatures {
    /// I, the number of inputs.
    pub fn input_dim(&self) -> usize {
        self.weights.nrows()
    }

    /// J, the number of features.
    pub fn output_dim(&self) -> usize {
        self.weights.ncols()
    }

    /// The features of samples, one row each.
    ///
    /// # Errors
    /// [`Error::InputDim`] if the number of columns is not that of the training samples; [`Error::NonFiniteSample`] or
    /// [`Error::Overflow`] if a value is not finite, or so large that a feature would not be.
    pub fn apply<T: SampleType>(&self, samples: ArrayView2<'_, T>) -> Result<Array2<T>> {
        let mut out = Array2::from_elem((samples.nrows(), self.output_dim()), T::default());
        self.apply_into(samples, out.view_mut())?;
        Ok(out)
    }

    /// As [`apply`](Self::apply), into an existing array with one row per sample and one column per feature.
    ///
    /// # Errors
    /// If shapes differ, or as [`apply`](Self::apply).
    pub fn apply_into<T: SampleType>(&self, samples: ArrayView2<'_, T>, mut out: ArrayViewMut2<'_, T>) -> Result<()> {
        if samples.ncols() != self.input_dim() {
            return Err(Error::InputDim { expected: self.input_dim(), got: samples.ncols() });
        }
        if out.dim() != (samples.nrows(), self.output_dim()) {
            let shape = format!("{}x{}", out.nrows(), out.ncols());
            let reason = format!("the features are {}x{}", samples.nrows(), self.output_dim());
            return Err(Error::parameter("out", shape, reason));
        }
        let map = AffineMap::new(&self.mean, &self.weights);
        map.apply_into(samples, out.view_mut());
        let Some(row) = out.outer_iter().position(|y| y.iter().any(|y| !y.to_f64().is_finite())) else { return Ok(()) };
        let sample = samples.row(row);
        Err(match sample.iter().position(|x| !x.to_f64().is_finite()) {
            Some(column) => Error::NonFiniteSample { row, column, total: 1 },
            None => {
                let farthest = map.farthest_input(0, sample.iter());
                let (column, value) = farthest.map_or((0, f64::NAN), |far| (far.input, far.value));
                Error::Overflow { row, column, value }
            }
        })
    }
}
