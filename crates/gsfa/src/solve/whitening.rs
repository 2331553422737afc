//! Numerical rank of the covariance, and the map to uncorrelated inputs of unit variance.

use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;

use crate::linalg::cholesky::{cholesky_in_place_lower, smallest_eigenvalue, solve_lower, solve_lower_transposed};
use crate::linalg::lower_product::{symmetrize, zeros};
use crate::linalg::{multiply, symmetric_eigen, tolerance};
use crate::moments::Centered;
use crate::{Error, Result};

/// $C = K K^T$ on the inputs that vary, with K of full column rank.
pub(super) struct Whitening {
    /// I.
    inputs: usize,
    /// Inputs with variance.
    live: Vec<usize>,
    /// Their standard deviations.
    deviations: Vec<f64>,
    root: Root,
    /// Variance added to each live input, in units of its own variance; empty without ridge.
    pub noise: Vec<f64>,
}

/// The numerical rank in terms of the inputs.
pub(super) struct Rank {
    pub inputs: usize,
    pub rank: usize,
    /// Inputs without variance.
    pub dead: usize,
    pub dropped: usize,
}

/// The root of the correlation matrix.
enum Root {
    /// Its Cholesky factor, if the rank is full.
    Triangular(Array2<f64>),
    /// Its eigenvectors times the roots of the eigenvalues, and times their inverses.
    Principal { root: Array2<f64>, inverse: Array2<f64> },
}

impl Whitening {
    /// Cholesky on inputs scaled to unit variance; if that is singular within round-off of the samples, an
    /// eigendecomposition decides the rank, and directions without variance are dropped: they would be 0/0, perfectly slow noise.
    pub fn new(moments: &Centered, ridge: f64) -> Result<Self> {
        let inputs = moments.input_dim();
        let variances = moments.covariance.diag();
        let deviation = |i: usize| variances[i].max(0.0).sqrt();
        let varies = |&i: &usize| {
            let round_off = tolerance::constant_column(moments.epsilon) * (moments.mean[i] * moments.scales[i]).abs();
            deviation(i) > round_off
        };
        let live: Vec<usize> = (0..inputs).filter(varies).collect();
        if live.is_empty() {
            return Err(Error::NoVariance { inputs });
        }
        let deviations: Vec<f64> = live.iter().map(|&i| deviation(i)).collect();
        let noise = if ridge > 0.0 { noise(moments, &live, &deviations, ridge)? } else { Vec::new() };
        let correlation = || correlation(moments, &live, &deviations, &noise);
        // N centred samples span N − 1 directions at most.
        let possible = if ridge > 0.0 { live.len() } else { live.len().min(moments.samples - 1) };
        let root = match (possible == live.len()).then(|| triangular(correlation(), moments.epsilon)).flatten() {
            Some(factor) => Root::Triangular(factor),
            None => principal(correlation(), moments.epsilon, possible)?,
        };
        Ok(Self { inputs, live, deviations, root, noise })
    }

    /// What is told of the rank: directions with variance, constant inputs, and directions dropped among the others.
    pub fn told(&self, moments: &Centered) -> Rank {
        let Some(rotation) = &moments.rotation else {
            return Rank { inputs: self.inputs, rank: self.rank(), dead: self.dead(), dropped: self.dropped() };
        };
        let (inputs, live) = (rotation.mean.len(), rotation.live.len());
        // With noise every input that varies has variance of its own.
        let rank = if self.noise.is_empty() { self.rank() } else { live };
        Rank { inputs, rank, dead: inputs - live, dropped: live - rank }
    }

    /// The number of directions with variance.
    pub fn rank(&self) -> usize {
        match &self.root {
            Root::Triangular(factor) => factor.ncols(),
            Root::Principal { root, .. } => root.ncols(),
        }
    }

    /// Inputs without variance.
    fn dead(&self) -> usize {
        self.inputs - self.live.len()
    }

    /// Directions dropped among the live inputs.
    fn dropped(&self) -> usize {
        self.live.len() - self.rank()
    }

    /// The live inputs.
    pub fn live(&self) -> &[usize] {
        &self.live
    }

    /// $K^{-1}B$ for B with one row per input.
    pub fn whiten(&self, b: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut scaled = zeros::<f64>(self.live.len(), b.ncols());
        for (k, (&i, d)) in self.live.iter().zip(&self.deviations).enumerate() {
            scaled.row_mut(k).zip_mut_with(&b.row(i), |s, x| *s = x / d);
        }
        match &self.root {
            Root::Triangular(factor) => {
                solve_lower(factor.view(), &mut scaled);
                scaled
            }
            Root::Principal { inverse, .. } => multiply(inverse.t(), scaled.view()),
        }
    }

    /// $K^{-T}P$: one row per input, exactly 0 for dead ones.
    pub fn weights(&self, directions: ArrayView2<'_, f64>) -> Array2<f64> {
        let solved = match &self.root {
            Root::Triangular(factor) => {
                let mut solved = zeros(directions.nrows(), directions.ncols());
                solved.assign(&directions);
                solve_lower_transposed(factor.view(), &mut solved);
                solved
            }
            Root::Principal { inverse, .. } => multiply(inverse.view(), directions),
        };
        let mut weights = Array2::zeros((self.inputs, directions.ncols()));
        for ((&i, d), row) in self.live.iter().zip(&self.deviations).zip(solved.outer_iter()) {
            weights.row_mut(i).zip_mut_with(&row, |w, x| *w = x / d);
        }
        weights
    }

    /// Those of some directions along which the samples themselves vary, by the rule that decides the rank without
    /// ridge: all that ridge adds to the others is noise.
    pub fn varying(&self, moments: &Centered, directions: Array2<f64>) -> Array2<f64> {
        let weights = self.weights(directions.view());
        let mut covariance = Array2::clone(&moments.covariance);
        symmetrize(&mut covariance);
        let image = multiply(covariance.view(), weights.view());
        let smallest = tolerance::full_rank(moments.epsilon, self.live.len());
        let varies = |&k: &usize| {
            let variance = image.column(k).dot(&weights.column(k));
            let sizes = self.live.iter().zip(&self.deviations);
            variance > smallest * sizes.map(|(&i, d)| (weights[[i, k]] * d).powi(2)).sum::<f64>()
        };
        let kept: Vec<usize> = (0..directions.ncols()).filter(varies).collect();
        directions.select(Axis(1), &kept)
    }

    /// Diag(units)·K·P, one row per live input.
    pub fn color(&self, units: &[f64], directions: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut colored = multiply(self.root(), directions);
        for ((mut row, d), u) in colored.outer_iter_mut().zip(&self.deviations).zip(units) {
            row *= d * u;
        }
        colored
    }

    /// $K^T\mathrm{Diag}(units)P$ for P with one row per live input.
    pub fn color_transposed(&self, units: &[f64], p: ArrayView2<'_, f64>) -> Array2<f64> {
        let mut scaled = p.to_owned();
        for ((mut row, d), u) in scaled.outer_iter_mut().zip(&self.deviations).zip(units) {
            row *= d * u;
        }
        multiply(self.root().t(), scaled.view())
    }

    /// C in the given units, over live inputs, both triangles.
    pub fn covariance(&self, moments: &Centered, units: &[f64]) -> Array2<f64> {
        let mut matrix = correlation(moments, &self.live, &self.deviations, &self.noise);
        symmetrize(&mut matrix);
        let size: Vec<f64> = self.deviations.iter().zip(units).map(|(d, u)| d * u).collect();
        for (mut column, s) in matrix.axis_iter_mut(Axis(1)).zip(&size) {
            column.iter_mut().zip(&size).for_each(|(c, t)| *c *= s * t);
        }
        matrix
    }

    fn root(&self) -> ArrayView2<'_, f64> {
        match &self.root {
            Root::Triangular(factor) => factor.view(),
            Root::Principal { root, .. } => root.view(),
        }
    }
}

/// The correlation matrix of the live inputs plus noise, lower triangle; zeros above it.
fn correlation(moments: &Centered, live: &[usize], deviations: &[f64], noise: &[f64]) -> Array2<f64> {
    let mut matrix = zeros::<f64>(live.len(), live.len());
    let columns: Vec<_> = matrix.axis_iter_mut(Axis(1)).enumerate().collect();
    columns.into_par_iter().for_each(|(j, mut column)| {
        let from = moments.covariance.column(live[j]);
        for i in j..live.len() {
            column[i] = from[live[i]] / deviations[i] / deviations[j];
        }
        column[j] = 1.0 + noise.get(j).copied().unwrap_or(0.0);
    });
    matrix
}

/// Ridge times the mean variance of the inputs, in units of each input's own variance.
fn noise(moments: &Centered, live: &[usize], deviations: &[f64], ridge: f64) -> Result<Vec<f64>> {
    let sizes: Vec<f64> = live.iter().zip(deviations).map(|(&i, d)| d.log2() - moments.scales[i].log2()).collect();
    let Some(rotation) = &moments.rotation else { return noise_of_sizes(&sizes, live, ridge) };
    let inputs: Vec<f64> = rotation.live.iter().map(|&i| rotation.deviations[i].log2()).collect();
    noise_of_sizes(&inputs, &rotation.live, ridge)?;
    Ok(sizes.iter().map(|size| ridge * rotation.mean_variance * (-2.0 * size).exp2()).collect())
}

/// The same for inputs of deviations 2^size.
pub(super) fn noise_of_sizes(sizes: &[f64], live: &[usize], ridge: f64) -> Result<Vec<f64>> {
    // Relative to the largest, whose square may be beyond the largest number; logarithms hold any size.
    let largest = sizes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let relative: Vec<f64> = sizes.iter().map(|size| (2.0 * (size - largest)).exp2()).collect();
    // The mean over live inputs: constant ones must not change what is learned.
    let mean = relative.iter().sum::<f64>() / live.len() as f64;
    let noise: Vec<f64> = relative.iter().map(|variance| ridge * mean / variance).collect();
    if noise.iter().all(|x| x.is_finite()) {
        return Ok(noise);
    }
    let k = odd_one(sizes);
    let problem = "no ridge suits beside that of others";
    Err(Error::ColumnRange { column: live[k], deviation: sizes[k].exp2(), problem })
}

/// The one farthest from the middle of all; of two, the one farther from 0.
fn odd_one(sizes: &[f64]) -> usize {
    let mut sorted = sizes.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = (sorted[(sizes.len() - 1) / 2] + sorted[sizes.len() / 2]) / 2.0;
    let distance = |k: usize| ((sizes[k] - middle).abs(), sizes[k].abs());
    (1..sizes.len()).fold(0, |best, k| if distance(k) > distance(best) { k } else { best })
}

/// The Cholesky factor, unless the rank is in doubt.
fn triangular(mut correlation: Array2<f64>, epsilon: f64) -> Option<Array2<f64>> {
    let smallest = tolerance::full_rank(epsilon, correlation.nrows());
    let full = cholesky_in_place_lower(&mut correlation) && smallest_eigenvalue(correlation.view()) > smallest;
    full.then_some(correlation)
}

fn principal(mut matrix: Array2<f64>, epsilon: f64, possible: usize) -> Result<Root> {
    let n = matrix.nrows();
    symmetrize(&mut matrix);
    let eigen = symmetric_eigen(matrix.view())?;
    let largest = eigen.values[n - 1];
    let smallest = tolerance::no_variance(epsilon, n, largest);
    // Largest first, so that truncation keeps what matters most.
    let kept: Vec<usize> = (0..n).rev().take(possible).take_while(|&k| eigen.values[k] > smallest).collect();
    let vectors = eigen.vectors.select(Axis(1), &kept);
    let scaled = |power: fn(f64) -> f64| {
        let mut out = vectors.clone();
        out.axis_iter_mut(Axis(1)).zip(&kept).for_each(|(mut column, &k)| column *= power(eigen.values[k].sqrt()));
        out
    };
    Ok(Root::Principal { root: scaled(|x| x), inverse: scaled(f64::recip) })
}
