//! Rows in coordinates of the space that they span: N samples of I inputs have N − 1 directions at most, and what is
//! solved in these takes O(N²I).

use ndarray::{Array2, Axis, s};

use super::{Centered, CenteredRows, Covariance};
use crate::linalg::qr::orthonormal_basis;
use crate::linalg::{multiply, thin_svd, tolerance};
use crate::{Error, Result, Solver};

/// In which units directions are orthogonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Units {
    /// Those of the inputs: ridge, independent noise of the same size in every input, is the same in every coordinate.
    Inputs,
    /// The deviation of each input: what has variance does not depend on the units of the inputs.
    Deviations,
}

/// From coordinates to inputs.
#[derive(Debug, Clone)]
pub(crate) struct Rotation {
    /// Weights of the inputs for each coordinate of weight 1; exactly 0 for constant inputs.
    pub basis: Array2<f64>,
    /// Of the live inputs: directions are orthogonal in inputs times these.
    pub factors: Vec<f64>,
    /// Of the inputs.
    pub mean: Vec<f64>,
    pub deviations: Vec<f64>,
    /// Inputs that vary.
    pub live: Vec<usize>,
    /// The mean variance of these, in the units of the coordinates if those are units of the inputs.
    pub mean_variance: f64,
    /// Of these, the largest variance, and $B^TB$ with B the map from coordinates to inputs, both in one unit of the
    /// inputs; `None` if coordinates are in it and orthogonal.
    pub stretched: Option<(f64, Array2<f64>)>,
}

impl Rotation {
    /// The map from coordinates to what samples differ by from their mean: one row per input, 0 for constant ones.
    pub fn inputs(&self) -> Array2<f64> {
        let mut map = self.basis.clone();
        for (&i, factor) in self.live.iter().zip(&self.factors) {
            // A factor near the inverse of a deviation: its square may be no number.
            map.row_mut(i).mapv_inplace(|x| x / factor / factor);
        }
        map
    }
}

impl CenteredRows {
    /// The moments of the same samples in coordinates.
    ///
    /// # Errors
    /// [`Error::NoVariance`] if nothing varies.
    pub fn rotated(&self, units: Units) -> Result<Centered> {
        let live = self.live();
        let inputs = self.mean().len();
        if live.is_empty() {
            return Err(Error::NoVariance { inputs });
        }
        let deviation = |i: usize| self.deviations()[i];
        let common = self.common_factor();
        let factor = |&i: &usize| match units {
            Units::Inputs => common,
            Units::Deviations => deviation(i).recip(),
        };
        let factors: Vec<f64> = live.iter().map(factor).collect();
        let rows = self.in_units(&live, &factors);
        let directions = self.directions(&rows, units)?;
        let coordinates = multiply(rows.view(), directions.view());
        let mut centered = Covariance::<f64>::of(&coordinates.view(), &self.graph)?.finish()?;
        let mut basis = Array2::zeros((inputs, directions.ncols()));
        for ((&i, &factor), direction) in live.iter().zip(&factors).zip(directions.outer_iter()) {
            basis.row_mut(i).zip_mut_with(&direction, |b, d| *b = factor * d);
        }
        let squares = live.iter().map(|&i| (deviation(i) * common).powi(2));
        let mean_variance = squares.clone().sum::<f64>() / live.len() as f64;
        let stretched = (units == Units::Deviations).then(|| {
            let mut weighted = directions.clone();
            weighted.outer_iter_mut().zip(squares.clone()).for_each(|(mut row, square)| row *= square);
            (squares.fold(0.0, f64::max), multiply(directions.t(), weighted.view()))
        });
        let (mean, deviations) = (self.mean().to_vec(), self.deviations().to_vec());
        centered.epsilon = self.epsilon;
        centered.rotation =
            Some(Box::new(Rotation { basis, factors, mean, deviations, live, mean_variance, stretched }));
        Ok(centered)
    }

    /// The live inputs, (x − x̃)·factor.
    pub fn in_units(&self, live: &[usize], factors: &[f64]) -> Array2<f64> {
        let factors: Vec<f64> = live.iter().zip(factors).map(|(&i, factor)| factor / self.scales[i]).collect();
        let mut out = Array2::zeros((self.rows.nrows(), live.len()));
        for (mut out, row) in out.outer_iter_mut().zip(self.rows.outer_iter()) {
            for ((o, &i), factor) in out.iter_mut().zip(live).zip(&factors) {
                *o = row[i] * factor;
            }
        }
        out
    }

    /// Orthonormal directions that span the rows, as columns.
    fn directions(&self, rows: &Array2<f64>, units: Units) -> Result<Array2<f64>> {
        let mut columns = rows.t().as_standard_layout().into_owned();
        for (mut column, share) in columns.axis_iter_mut(Axis(1)).zip(self.shares()) {
            column *= share.sqrt();
        }
        let (inputs, samples) = columns.dim();
        if units == Units::Inputs && samples < inputs {
            // The mean is 0: a reflection of the samples that makes it one of them leaves one less.
            reflect_mean_away(&mut columns, &self.shares());
            let basis = orthonormal_basis(columns.slice(s![.., 1..]))?;
            if !basis.dependent {
                return Ok(basis.columns);
            }
        }
        let svd = thin_svd(columns.view())?;
        let largest = svd.values.first().copied().unwrap_or(0.0);
        let varies = |s: f64| match (units, self.solver) {
            // Beneath any noise.
            (Units::Inputs, _) => s > tolerance::rank(inputs.max(samples)) * largest,
            // The rule for eigenvalues of a correlation matrix, which are squares of these.
            (Units::Deviations, Solver::Covariance) => {
                s * s > tolerance::no_variance(self.epsilon, inputs, largest * largest)
            }
            (Units::Deviations, Solver::Svd) => s > tolerance::full_rank(self.epsilon, inputs.max(samples)) * largest,
        };
        let kept = svd.values.iter().take(samples - 1).take_while(|s| varies(**s)).count();
        match kept {
            0 => Err(Error::NoVariance { inputs: self.mean().len() }),
            kept => Ok(svd.left.slice(s![.., ..kept]).to_owned()),
        }
    }
}

/// Turns samples A, given as columns times the roots of their shares, so that the sum over them times these roots becomes
/// the first and all others are orthogonal to it: $A(1 - 2ww^T)$ with $w \propto \sqrt{p} + e_1$. $AA^T$ stays.
fn reflect_mean_away(columns: &mut Array2<f64>, shares: &[f64]) {
    let mut w: Vec<f64> = shares.iter().map(|share| share.sqrt()).collect();
    w[0] += 1.0;
    let square: f64 = w.iter().map(|w| w * w).sum();
    for mut row in columns.outer_iter_mut() {
        let along = 2.0 * row.iter().zip(&w).map(|(x, w)| x * w).sum::<f64>() / square;
        row.iter_mut().zip(&w).for_each(|(x, w)| *x -= along * w);
    }
}
