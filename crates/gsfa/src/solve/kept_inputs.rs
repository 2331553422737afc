//! The inputs that a node keeps, in terms of the sums of its expanded inputs.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::keeping::Kept;
use super::residual::settled_pairs;
use crate::Result;
use crate::linalg::lower_product::symmetrize;
use crate::linalg::{multiply, symmetric_eigen, thin_svd, tolerance};
use crate::moments::{Centered, Rotation};

/// The first inputs of finished moments, times a common factor in which squares are ordinary numbers.
pub(super) struct KeptInputs<'a> {
    moments: &'a Centered,
    count: usize,
    /// The factor, a power of two.
    unit: f64,
    form: Form<'a>,
    /// Variances of the inputs; 0 for constant ones.
    variances: Vec<f64>,
}

enum Form<'a> {
    /// Moments are of the inputs themselves: factors from scaled inputs, 0 for constant ones.
    Inputs(Vec<f64>),
    /// They are of coordinates: the map from scaled coordinates to all inputs.
    Coordinates(&'a Rotation, Array2<f64>),
}

/// Principal components of what slow features leave.
pub(super) struct Components {
    /// Descending, of inputs in units.
    pub variances: Vec<f64>,
    /// One row per input.
    pub vectors: Array2<f64>,
}

impl<'a> KeptInputs<'a> {
    pub fn new(moments: &'a Centered, count: usize) -> Self {
        match &moments.rotation {
            None => Self::of_inputs(moments, count),
            Some(rotation) => Self::of_coordinates(moments, rotation, count),
        }
    }

    fn of_inputs(moments: &'a Centered, count: usize) -> Self {
        let variance = |i: usize| moments.covariance[[i, i]].max(0.0);
        let varies = |i: usize| {
            let round_off = tolerance::constant_column(moments.epsilon) * (moments.mean[i] * moments.scales[i]).abs();
            variance(i).sqrt() > round_off
        };
        let live: Vec<bool> = (0..count).map(varies).collect();
        let scales = moments.scales.iter().zip(&live).filter(|(_, live)| **live).map(|(scale, _)| *scale);
        let unit = scales.fold(f64::INFINITY, f64::min);
        let unit = if unit.is_finite() { unit } else { 1.0 };
        let factor = |i: usize| if live[i] { unit / moments.scales[i] } else { 0.0 };
        let factors: Vec<f64> = (0..count).map(factor).collect();
        let variances = (0..count).map(|i| variance(i) * factors[i] * factors[i]).collect();
        Self { moments, count, unit, form: Form::Inputs(factors), variances }
    }

    fn of_coordinates(moments: &'a Centered, rotation: &'a Rotation, count: usize) -> Self {
        let mut map = rotation.inputs();
        for (mut column, scale) in map.axis_iter_mut(Axis(1)).zip(&moments.scales) {
            column /= *scale;
        }
        let largest = rotation.deviations[..count].iter().copied().fold(0.0, f64::max);
        let unit = if largest > 0.0 { (-largest.log2().floor()).exp2() } else { 1.0 };
        let mut live = vec![false; count];
        rotation.live.iter().filter(|&&i| i < count).for_each(|&i| live[i] = true);
        let variance = |i: usize| if live[i] { (rotation.deviations[i] * unit).powi(2) } else { 0.0 };
        let variances = (0..count).map(variance).collect();
        Self { moments, count, unit, form: Form::Coordinates(rotation, map), variances }
    }

    /// Inputs times this are what everything here is of.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// x̃ of all inputs.
    pub fn mean(&self) -> Array1<f64> {
        match &self.form {
            Form::Inputs(_) => self.moments.mean.iter().copied().collect(),
            Form::Coordinates(rotation, _) => rotation.mean.iter().copied().collect(),
        }
    }

    /// Weights of inputs as weights of what moments are of, scaled.
    pub fn scaled(&self, weights: ArrayView2<'_, f64>) -> Array2<f64> {
        match &self.form {
            Form::Coordinates(_, map) => multiply(map.t(), weights),
            Form::Inputs(_) => {
                let mut scaled = weights.to_owned();
                scaled.outer_iter_mut().zip(&self.moments.scales).for_each(|(mut row, scale)| row /= *scale);
                scaled
            }
        }
    }

    /// M for features of given weights, which have unit variance and are uncorrelated.
    pub fn explained(&self, weights: ArrayView2<'_, f64>) -> Array2<f64> {
        let scaled = self.scaled(weights);
        match &self.form {
            Form::Inputs(factors) => {
                let c = &self.moments.covariance;
                let first = Array2::from_shape_fn((self.count, c.ncols()), |(i, j)| c[[i.max(j), i.min(j)]]);
                let mut explained = multiply(first.view(), scaled.view());
                explained.outer_iter_mut().zip(factors).for_each(|(mut row, factor)| row *= *factor);
                explained
            }
            Form::Coordinates(_, map) => {
                let image = multiply(self.covariance().view(), scaled.view());
                multiply(map.slice(s![..self.count, ..]), image.view()) * self.unit
            }
        }
    }

    /// Principal components of what M leaves, at most so many.
    pub fn components(&self, explained: ArrayView2<'_, f64>, count: usize) -> Result<Components> {
        let none = Components { variances: Vec::new(), vectors: Array2::zeros((self.count, 0)) };
        let count = count.min(self.count);
        if count == 0 {
            return Ok(none);
        }
        let (values, vectors) = match &self.form {
            Form::Inputs(factors) => {
                let c = &self.moments.covariance;
                let size = (self.count, self.count);
                let all = Array2::from_shape_fn(size, |(i, j)| c[[i.max(j), i.min(j)]] * factors[i] * factors[j]);
                settled_pairs((all - multiply(explained, explained.t())).view(), count)?
            }
            Form::Coordinates(_, map) => self.components_in(map.slice(s![..self.count, ..]), explained, count)?,
        };
        let inputs = self.variances.iter().filter(|variance| **variance > 0.0).count().max(1);
        let mean = self.variances.iter().sum::<f64>() / inputs as f64;
        let largest = self.variances.iter().copied().fold(0.0, f64::max);
        let round_off = tolerance::residual_variance(inputs) * largest;
        let smallest = round_off.max(tolerance::full_rank(self.moments.epsilon, inputs) * mean);
        let kept: Vec<usize> = (0..count.min(values.len())).filter(|&k| values[k] > smallest).collect();
        let mut vectors = vectors.select(Axis(1), &kept);
        for (i, mut row) in vectors.outer_iter_mut().enumerate() {
            if self.variances[i] == 0.0 {
                row.fill(0.0);
            }
        }
        for mut column in vectors.axis_iter_mut(Axis(1)) {
            let largest = column.iter().fold(0.0_f64, |best, &x| if x.abs() > best.abs() { x } else { best });
            column *= largest.signum();
        }
        Ok(Components { variances: kept.iter().map(|&k| values[k]).collect(), vectors })
    }

    /// The same where moments are of fewer coordinates: of $A(C - CWW^TC)A^T$ with A the map from coordinates.
    fn components_in(
        &self,
        map: ArrayView2<'_, f64>,
        explained: ArrayView2<'_, f64>,
        count: usize,
    ) -> Result<(Array1<f64>, Array2<f64>)> {
        let covariance = self.covariance();
        if map.nrows() <= map.ncols() {
            let all = multiply(multiply(map, covariance.view()).view(), map.t()) * (self.unit * self.unit);
            return settled_pairs((all - multiply(explained, explained.t())).view(), count);
        }
        // A thin root of the covariance; M lies in its span, and its part of it is taken away.
        let eigen = symmetric_eigen(covariance.view())?;
        let mut root = eigen.vectors.clone();
        root.axis_iter_mut(Axis(1)).zip(&eigen.values).for_each(|(mut column, value)| column *= value.max(0.0).sqrt());
        let root = multiply(map, root.view()) * self.unit;
        let svd = thin_svd(root.view())?;
        let inside = multiply(svd.left.t(), explained);
        let mut small =
            Array2::from_diag(&svd.values.mapv(|value| value * value)) - multiply(inside.view(), inside.t());
        symmetrize(&mut small);
        let (values, vectors) = settled_pairs(small.view(), count.min(small.nrows()))?;
        Ok((values, multiply(svd.left.view(), vectors.view())))
    }

    /// Weights of all inputs for the components P of $x - Ms$: P for the inputs themselves, less $WM^TP$.
    pub fn residual_weights(&self, slow: ArrayView2<'_, f64>, components: &Array2<f64>) -> Array2<f64> {
        let explained = self.explained(slow) / self.unit;
        let mut weights = -slow.dot(&explained.t().dot(components));
        let mut first = weights.slice_mut(s![..self.count, ..]);
        first += components;
        weights
    }

    /// What outputs with this inverse keep, which explain a variance of the inputs in units.
    pub fn kept(&self, inverse: Array2<f64>, explained: f64) -> Kept {
        let variance: f64 = self.variances.iter().sum();
        let share = if variance > 0.0 { (explained / variance).clamp(0.0, 1.0) } else { 1.0 };
        Kept { inverse, variance: (variance / self.unit / self.unit).min(f64::MAX), explained: share }
    }

    /// C of what moments are of, scaled, both triangles.
    fn covariance(&self) -> Array2<f64> {
        let mut covariance = Array2::clone(&self.moments.covariance);
        symmetrize(&mut covariance);
        covariance
    }
}
