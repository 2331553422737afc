//! Mean and deviation of every column, in one pass.

use ndarray::{Array1, Array2};
use rayon::prelude::*;

use crate::Result;
use crate::linalg::tolerance;
use crate::moments::{Rows, SampleType, Samples};

/// Rows per partial sum; fixed, so that the result does not depend on the number of threads.
const ROWS: usize = 1024;

/// Weighted mean and standard deviation of each column.
pub(super) struct ColumnStatistics {
    pub mean: Array1<f64>,
    pub deviation: Array1<f64>,
}

impl ColumnStatistics {
    pub fn of<T: SampleType>(samples: &dyn Samples, weights: &[f64]) -> Result<Self> {
        let (n, dim) = (samples.len(), samples.dim());
        let mut shift = Array2::from_elem((1, dim), T::default());
        T::read(samples, Rows::Range(0..1), shift.view_mut())?;
        let shift: Array1<f64> = shift.row(0).mapv(|x| x.to_f64());
        let starts: Vec<usize> = (0..n).step_by(ROWS).collect();
        let partial = |&start: &usize| -> Result<(Array1<f64>, Array1<f64>)> {
            let rows = start..(start + ROWS).min(n);
            let mut block = Array2::from_elem((rows.len(), dim), T::default());
            T::read(samples, Rows::Range(rows.clone()), block.view_mut())?;
            let (mut first, mut second) = (Array1::zeros(dim), Array1::zeros(dim));
            for (row, &weight) in block.outer_iter().zip(&weights[rows]) {
                for (((a, b), x), s) in first.iter_mut().zip(&mut second).zip(row).zip(&shift) {
                    let x = x.to_f64() - s;
                    *a += weight * x;
                    *b += weight * x * x;
                }
            }
            Ok((first, second))
        };
        let parts: Vec<Result<_>> = starts.par_iter().map(partial).collect();
        let (mut first, mut second) = (Array1::<f64>::zeros(dim), Array1::<f64>::zeros(dim));
        for part in parts {
            let (a, b) = part?;
            first += &a;
            second += &b;
        }
        let q: f64 = weights.iter().sum();
        let offset = first / q;
        let variance = second / q - offset.mapv(|x| x * x);
        Ok(Self { mean: shift + offset, deviation: variance.mapv(|x| x.max(0.0).sqrt()) })
    }

    /// 1/σ of each column; 0 for those that do not vary.
    pub fn inverse_deviations<T: SampleType>(&self) -> Array1<f64> {
        let constant = tolerance::constant_column(T::EPSILON);
        let inverse = |(&d, m): (&f64, &f64)| if d > constant * m.abs() { d.recip() } else { 0.0 };
        self.deviation.iter().zip(&self.mean).map(inverse).collect()
    }

    /// The root of the mean variance of the columns that vary; 1 if none does.
    pub fn root_mean_variance(&self) -> f64 {
        let varying: Vec<f64> = self.deviation.iter().filter(|d| **d > 0.0).map(|d| d * d).collect();
        if varying.is_empty() { 1.0 } else { (varying.iter().sum::<f64>() / varying.len() as f64).sqrt() }
    }
}
