//! Class means among features that are white within classes, and how much it matters to tell each pair apart.

use ndarray::{Array2, ArrayView2};

use crate::Result;
use crate::labels::LearnedCode;
use crate::linalg::multiply;

/// The classes as points $u_c$, and the weights $\pi_i\pi_j\,\mathrm{cost}_{ij}$ of their pairs.
pub(in crate::solve) struct Points {
    /// One row per class, times the scale of distances.
    pub u: Array2<f64>,
    /// C×C, symmetric, 0 on the diagonal.
    pub weights: Array2<f64>,
    /// Their logarithms; −∞ for pairs that need not be told apart.
    pub ln_weights: Array2<f64>,
}

impl Points {
    pub fn new(mut u: Array2<f64>, shares: &[f64], code: &LearnedCode) -> Result<Self> {
        let classes = shares.len();
        code.check(classes)?;
        u *= code.scale;
        let cost = |i: usize, j: usize| code.costs.as_ref().map_or(1.0, |costs| costs[[i, j]]);
        let weight = |(i, j): (usize, usize)| if i == j { 0.0 } else { shares[i] * shares[j] * cost(i, j) };
        let weights = Array2::from_shape_fn((classes, classes), weight);
        // Only their ratios count.
        let total: f64 = weights.sum();
        let weights = weights / total;
        Ok(Self { u, ln_weights: weights.mapv(f64::ln), weights })
    }

    pub fn dim(&self) -> usize {
        self.u.ncols()
    }

    pub fn classes(&self) -> usize {
        self.u.nrows()
    }

    /// $U^T(\mathrm{Diag}(q1) - q)Y$ for weights q of pairs: $\sum_{i<j} q_{ij}(u_i - u_j)(y_i - y_j)^T$.
    pub fn scatter(&self, q: &Array2<f64>, y: ArrayView2<'_, f64>) -> Array2<f64> {
        let degrees = q.sum_axis(ndarray::Axis(1));
        let mut image = -multiply(q.view(), y);
        for ((mut row, y), degree) in image.outer_iter_mut().zip(y.outer_iter()).zip(&degrees) {
            row.scaled_add(*degree, &y);
        }
        multiply(self.u.t(), image.view())
    }
}

/// Squared distances between the rows of y.
pub(super) fn squared_distances(y: ArrayView2<'_, f64>) -> Array2<f64> {
    let classes = y.nrows();
    let mut out = Array2::zeros((classes, classes));
    for i in 0..classes {
        for j in 0..i {
            let distance: f64 = y.row(i).iter().zip(y.row(j)).map(|(a, b)| (a - b) * (a - b)).sum();
            out[[i, j]] = distance;
            out[[j, i]] = distance;
        }
    }
    out
}
