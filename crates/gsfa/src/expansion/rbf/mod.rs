//! Radial basis functions: inputs beside Gaussian kernels about some of the samples.
//!
//! With centres c and the kernel $k(x, c) = e^{-\|x - c\|^2 / 2w^2}$, the terms after the inputs are
//! $z(x) = L^{-1} (k(x, c_1), …)^T$, where $LL^T$ is the matrix of kernels between centres: Nyström's features. Their
//! products are the kernels, $z(c_i) \cdot z(c_j) = k(c_i, c_j)$, so that the ridge of a node penalises functions as kernel
//! ridge regression does, and no combination of terms is all but nothing, however wide the kernels are.

mod centers;
mod kernels;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use super::Expandable;
use crate::linalg::{AffineMap, Buffers};
use crate::{Error, Result};

/// The most centres: the matrix of kernels between them would take 3 GB.
const MOST_CENTERS: usize = 20_000;

/// How many centres, how wide, and how they are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RbfSpec {
    /// Centres, at most.
    pub centers: usize,
    /// The width w of kernels, as a share of the root of the total variance of the inputs.
    pub width: f64,
    /// Of the draw.
    pub seed: u64,
}

impl RbfSpec {
    pub(super) fn check(&self) -> Result<()> {
        if self.centers == 0 || self.centers > MOST_CENTERS {
            return Err(Error::parameter("centers", self.centers, format!("there must be 1 to {MOST_CENTERS}")));
        }
        if !(self.width > 0.0 && self.width.is_finite()) {
            return Err(Error::parameter("width", self.width, "it must be positive and finite"));
        }
        Ok(())
    }

    pub(super) fn names(&self, inputs: &[String]) -> Vec<String> {
        inputs.iter().cloned().chain((1..=self.centers).map(|k| format!("rbf{k}"))).collect()
    }
}

/// Centres that were drawn from samples, and what makes kernels of them.
#[derive(Debug, Clone, PartialEq)]
pub struct RbfCenters {
    /// One row for each centre.
    pub centers: Array2<f64>,
    /// $1/\sqrt{2}w$.
    pub scale: f64,
    /// $L^{-T}$: kernels, a row, times this are the terms.
    pub map: Array2<f64>,
}

impl RbfCenters {
    /// Draws centres among rows, which are the candidates, for samples of type T. Rows that others say already, and those
    /// beyond the number that is asked for, are left out; there are none if nothing varies.
    ///
    /// ```
    /// use gsfa::expansion::{RbfCenters, RbfSpec};
    /// use ndarray::{Array2, array};
    /// let spec = RbfSpec { centers: 2, width: 1.0, seed: 0 };
    /// let rows = array![[0.0], [2.0], [2.0]];
    /// let centers = RbfCenters::draw::<f64>(&spec, rows.view())?;
    /// let mut terms = Array2::zeros((3, 3));
    /// centers.expand_into(rows.view(), terms.view_mut())?;
    /// // Products of the new terms are kernels: 1 between a sample and itself.
    /// assert!((terms[[0, 1]].powi(2) + terms[[0, 2]].powi(2) - 1.0).abs() < 1e-12);
    /// # Ok::<(), gsfa::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the specification is impossible, a value is not finite, or the inputs vary by too little to be divided by.
    pub fn draw<T: Expandable>(spec: &RbfSpec, rows: ArrayView2<'_, f64>) -> Result<Self> {
        spec.check()?;
        centers::draw::<T>(spec, rows)
    }

    /// Kernels, and terms after the inputs.
    pub fn count(&self) -> usize {
        self.centers.nrows()
    }

    /// Terms of rows: their inputs, then those of the centres.
    ///
    /// # Errors
    /// [`Error::Shape`] if `output` is not rows × (inputs + [`count`](Self::count)).
    pub fn expand_into<T: Expandable>(&self, input: ArrayView2<'_, T>, mut output: ArrayViewMut2<'_, T>) -> Result<()> {
        let (rows, columns) = input.dim();
        Error::check_shape("samples", input.shape(), &[rows, self.centers.ncols()])?;
        Error::check_shape("expanded samples", output.shape(), &[rows, columns + self.count()])?;
        output.slice_mut(s![.., ..columns]).assign(&input);
        ReadyCenters::new(self).expand_in_place(output, &Buffers::default());
        Ok(())
    }
}

/// Centres, ready for samples of type T.
#[derive(Debug, Clone)]
pub(crate) struct ReadyCenters<T> {
    /// One row for each input, so that a vector holds several centres.
    inputs: Array2<T>,
    scale: T,
    map: AffineMap<T>,
}

impl<T: Expandable> ReadyCenters<T> {
    pub fn new(of: &RbfCenters) -> Self {
        Self {
            inputs: of.centers.t().mapv(T::from_f64).as_standard_layout().into_owned(),
            scale: T::from_f64(of.scale),
            map: AffineMap::new(&ndarray::Array1::zeros(of.count()), &of.map),
        }
    }

    pub fn count(&self) -> usize {
        self.inputs.ncols()
    }

    /// Fills up rows of which the inputs are there.
    pub fn expand_in_place(&self, rows: ArrayViewMut2<'_, T>, buffers: &Buffers<T>) {
        if self.count() == 0 {
            return;
        }
        let (inputs, terms) = rows.split_at(Axis(1), self.inputs.nrows());
        let mut kernels = buffers.matrix(inputs.nrows(), self.count());
        kernels::fill(self.inputs.view(), self.scale, inputs.view(), kernels.view_mut());
        self.map.apply_in_place(kernels.view_mut(), terms);
    }
}
