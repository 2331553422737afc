//! Mean and deviation of every column, in one pass.

use ndarray::{Array1, Array2, ArrayView2};
use rayon::prelude::*;

use crate::linalg::tolerance;
use crate::moments::CentredMoments;
use crate::samples::{Rows, SampleType, Samples};
use crate::{Error, Result};

/// Rows per partial sum; fixed, so that the result does not depend on the number of threads.
const ROWS: usize = 1024;

/// Weighted mean and standard deviation of each column.
pub(super) struct ColumnStatistics {
    pub mean: Array1<f64>,
    pub deviation: Array1<f64>,
    /// What rounding leaves of the deviation of a constant, as share of what it leaves where all weights are equal.
    rounding: f64,
}

/// The statistics of a block of rows and its weight.
struct Part {
    weight: f64,
    mean: Array1<f64>,
    deviation: Array1<f64>,
}

impl ColumnStatistics {
    /// # Errors
    /// If samples cannot be read, or a column varies by more than the largest number.
    pub fn of<T: SampleType>(samples: &dyn Samples, weights: &[f64]) -> Result<Self> {
        let (n, dim) = (samples.len(), samples.dim());
        let starts: Vec<usize> = (0..n).step_by(ROWS).collect();
        let part = |&start: &usize| -> Result<Part> {
            let rows = start..(start + ROWS).min(n);
            let mut block = Array2::from_elem((rows.len(), dim), T::default());
            T::read(samples, Rows::Range(rows.clone()), block.view_mut())?;
            Ok(Part::of(block.view(), &weights[rows]))
        };
        let parts: Vec<Result<Part>> = starts.par_iter().map(part).collect();
        let none = Part { weight: 0.0, mean: Array1::zeros(dim), deviation: Array1::zeros(dim) };
        let all = parts.into_iter().try_fold(none, |sum, part| part.map(|part| sum.joined(part)))?;
        // A value that is not finite is told by those who name its row.
        if let Some(column) = all.deviation.iter().position(|d| *d == f64::INFINITY) {
            let problem = "is more than the largest number";
            return Err(Error::ColumnRange { column, deviation: f64::INFINITY, problem });
        }
        Ok(Self { mean: all.mean, deviation: all.deviation, rounding: rounding(weights) })
    }

    /// The same from sums over samples with these weights.
    pub fn of_moments(moments: &CentredMoments, weights: &[f64]) -> Self {
        let mean = Array1::from(moments.mean().to_vec());
        Self { mean, deviation: moments.deviations().into(), rounding: rounding(weights) }
    }

    /// 1/σ of each column; 0 for those that do not vary.
    ///
    /// # Errors
    /// [`Error::ColumnRange`] for a column whose 1/σ is no number.
    pub fn inverse_deviations<T: SampleType>(&self) -> Result<Array1<f64>> {
        let constant = tolerance::constant_column(T::EPSILON) * self.rounding;
        let inverse = |(column, (&deviation, mean)): (usize, (&f64, &f64))| {
            // Also where either is not a number, which is told by those who name its row.
            let varies = deviation > constant * mean.abs();
            match if varies { deviation.recip() } else { 0.0 } {
                f64::INFINITY => Err(Error::ColumnRange { column, deviation, problem: "is too little to divide by" }),
                inverse => Ok(inverse),
            }
        };
        self.deviation.iter().zip(&self.mean).enumerate().map(inverse).collect()
    }

    /// The root of the mean variance of the columns that vary; 1 if none does.
    ///
    /// # Errors
    /// [`Error::ColumnRange`] for a column that would vanish beside the others if it were divided by that root, or if
    /// nothing can be divided by it.
    pub fn root_mean_variance<T: SampleType>(&self) -> Result<f64> {
        let varying: Vec<f64> = self.deviation.iter().copied().filter(|d| *d > 0.0).collect();
        if varying.is_empty() {
            return Ok(1.0);
        }
        let largest = varying.iter().copied().fold(0.0, f64::max);
        // In units of the largest where squares would not be numbers.
        let unit = if (1e-140..=1e140).contains(&largest) { 1.0 } else { largest };
        let root = unit * (varying.iter().map(|d| (d / unit).powi(2)).sum::<f64>() / varying.len() as f64).sqrt();
        if !T::from_f64(root.recip()).to_f64().is_finite() {
            let column = self.deviation.iter().position(|d| *d == largest).unwrap_or(0);
            return Err(Error::ColumnRange { column, deviation: largest, problem: "is too little to divide by" });
        }
        let constant = tolerance::constant_column(T::EPSILON) * self.rounding;
        let vanishes = |(d, m): (&f64, &f64)| *d > constant * m.abs() && d / root < T::SMALLEST_SQUARE;
        match self.deviation.iter().zip(&self.mean).position(vanishes) {
            None => Ok(root),
            Some(column) => {
                let (deviation, problem) = (self.deviation[column], "is nothing beside that of others");
                Err(Error::ColumnRange { column, deviation, problem })
            }
        }
    }
}

impl Part {
    /// Squares of distances from the mean, in units of the largest, neither cancel nor leave the range of numbers.
    fn of<T: SampleType>(block: ArrayView2<'_, T>, weights: &[f64]) -> Self {
        let weight: f64 = weights.iter().sum();
        let heaviest = (1..weights.len()).fold(0, |best, n| if weights[n] > weights[best] { n } else { best });
        let centre: Array1<f64> = block.row(heaviest).mapv(|x| x.to_f64());
        let mut mean = Array1::<f64>::zeros(centre.len());
        for (row, w) in block.outer_iter().zip(weights) {
            let share = w / weight;
            for ((m, x), c) in mean.iter_mut().zip(row).zip(&centre) {
                *m += share * (x.to_f64() - c);
            }
        }
        mean += &centre;
        let mut farthest = Array1::<f64>::zeros(centre.len());
        for row in block.outer_iter() {
            for ((f, x), m) in farthest.iter_mut().zip(row).zip(&mean) {
                let distance = (x.to_f64() - m).abs();
                // NaN stays.
                *f = if distance <= *f { *f } else { distance };
            }
        }
        let unit = farthest.mapv(power_of_two_below);
        let inverse = unit.mapv(f64::recip);
        let mut square = Array1::<f64>::zeros(centre.len());
        for (row, w) in block.outer_iter().zip(weights) {
            let share = w / weight;
            for (((s, x), m), inverse) in square.iter_mut().zip(row).zip(&mean).zip(&inverse) {
                let distance = (x.to_f64() - m) * inverse;
                *s += share * distance * distance;
            }
        }
        let deviation = square.iter().zip(&unit).map(|(s, unit)| s.sqrt() * unit).collect();
        Self { weight, mean, deviation }
    }

    /// Both together: $\sigma^2 = p\sigma_a^2 + q\sigma_b^2 + pq(m_b - m_a)^2$ with the shares p and q of their weights.
    fn joined(mut self, other: Self) -> Self {
        let weight = self.weight + other.weight;
        let (own, theirs) = (self.weight / weight, other.weight / weight);
        let columns = self.mean.iter_mut().zip(&mut self.deviation).zip(&other.mean).zip(&other.deviation);
        for (((mean, deviation), other_mean), other_deviation) in columns {
            let distance = other_mean - *mean;
            // From the heavier one, whose mean then keeps its digits.
            *mean = if own > theirs { *mean + theirs * distance } else { other_mean - own * distance };
            let within = (own.sqrt() * *deviation).hypot(theirs.sqrt() * other_deviation);
            *deviation = within.hypot((own * theirs).sqrt() * distance);
        }
        Self { weight, ..self }
    }
}

/// $\sqrt{1 - \sum p^2}$ over shares p, as share of its value for equal ones: independent rounding of constant samples
/// leaves this much deviation. A sample that outweighs all others is its own mean, however it was rounded.
fn rounding(weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let heaviest = (1..weights.len()).fold(0, |best, n| if weights[n] > weights[best] { n } else { best });
    let others: f64 = weights.iter().enumerate().filter(|(n, _)| *n != heaviest).map(|(_, w)| w / total).sum();
    let share = |n: usize, w: f64| if n == heaviest { others } else { 1.0 - w / total };
    let spread: f64 = weights.iter().enumerate().map(|(n, &w)| w / total * share(n, w)).sum();
    let equal = 1.0 - 1.0 / weights.len() as f64;
    if equal > 0.0 { (spread / equal).sqrt().min(1.0) } else { 1.0 }
}

/// A power of two near a size; 1 for 0 and for what is no number.
fn power_of_two_below(size: f64) -> f64 {
    if size > 0.0 && size < f64::INFINITY { 2.0_f64.powi((size.log2().floor() as i32).clamp(-1000, 1000)) } else { 1.0 }
}
