//! Mean and deviation of every column, and what nodes divide by.

use ndarray::Array1;

use super::train::of_weights;
use crate::linalg::tolerance;
use crate::moments::ColumnSums;
use crate::samples::{SampleType, Samples};
use crate::{Error, Result};

/// Weighted mean and standard deviation of each column.
pub(super) struct ColumnStatistics {
    pub mean: Array1<f64>,
    pub deviation: Array1<f64>,
    /// What rounding leaves of the deviation of a constant, as share of what it leaves where all weights are equal.
    rounding: f64,
}

impl ColumnStatistics {
    /// Of all samples, which weigh the same.
    ///
    /// # Errors
    /// If samples cannot be read, or a column varies by more than the largest number.
    pub fn of<T: SampleType>(samples: &dyn Samples) -> Result<Self> {
        let mut sums = ColumnSums::new(&of_weights(vec![1.0; samples.len()])?, samples.dim());
        sums.add_piece::<T>(0, samples)?;
        Self::of_sums(sums)
    }

    /// # Errors
    /// If samples are missing, or a column varies by more than the largest number.
    pub fn of_sums(sums: ColumnSums) -> Result<Self> {
        let rounding = rounding(sums.weights());
        let (mean, deviation) = sums.finish()?;
        Ok(Self { mean, deviation, rounding })
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
