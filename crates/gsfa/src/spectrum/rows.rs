//! Spectra that are prepared as they are read.

use std::sync::Arc;

use ndarray::{Array2, ArrayViewMut2};

use super::Spectrum;
use super::filter::Filter;
use crate::Result;
use crate::linalg::{Real, tolerance};
use crate::samples::forward::forward;
use crate::samples::{Element, InputShape, Precision, Rows, Samples};

/// A preparation with its weights.
#[derive(Debug, Clone)]
pub struct ReadySpectrum {
    snv: bool,
    filter: Option<Filter>,
}

impl ReadySpectrum {
    pub(super) fn new(spectrum: &Spectrum) -> Self {
        Self { snv: spectrum.snv, filter: (spectrum.window > 1).then(|| Filter::new(spectrum)) }
    }

    /// Replaces each row by the prepared one, which is computed in double precision.
    pub(super) fn prepare<T: Real>(&self, mut rows: ArrayViewMut2<'_, T>) {
        let columns = rows.ncols();
        if columns == 0 {
            return;
        }
        let (mut row, mut copy) = (vec![0.0; columns], vec![0.0; columns]);
        for mut values in rows.outer_iter_mut() {
            row.iter_mut().zip(&values).for_each(|(r, x)| *r = x.to_f64());
            if self.snv {
                standardize(&mut row);
            }
            if let Some(filter) = &self.filter {
                filter.apply(&mut row, &mut copy);
            }
            values.iter_mut().zip(&row).for_each(|(x, r)| *x = T::from_f64(*r));
        }
    }

    /// Weights of given spectra, or of these after SNV, from weights of prepared ones: one row for each column of a spectrum.
    pub(crate) fn of_given(&self, weights: Array2<f64>) -> Array2<f64> {
        match &self.filter {
            Some(filter) => filter.transposed(&weights),
            None => weights,
        }
    }
}

/// Subtracts the mean of a row and divides by its standard deviation.
fn standardize(row: &mut [f64]) {
    // In units of the largest value no square overflows.
    let largest = row.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let count = row.len() as f64;
    row.iter_mut().for_each(|x| *x = if largest > 0.0 { *x / largest } else { *x });
    let mean = row.iter().sum::<f64>() / count;
    row.iter_mut().for_each(|x| *x -= mean);
    let deviation = (row.iter().map(|x| x * x).sum::<f64>() / count).sqrt();
    // What is not finite stays so, for the reader to find.
    let varies = deviation.is_nan() || deviation > tolerance::sum(row.len());
    row.iter_mut().for_each(|x| *x = if varies { *x / deviation } else { 0.0 });
}

/// Samples that are prepared as they are read.
#[derive(Clone)]
pub struct Spectra<S> {
    samples: S,
    ready: Arc<ReadySpectrum>,
}

impl<S: Samples> Spectra<S> {
    /// The samples, each row prepared.
    pub fn new(samples: S, ready: Arc<ReadySpectrum>) -> Self {
        Self { samples, ready }
    }
}

/// Some columns are those of whole rows, as the trait has it: a prepared column depends on others.
impl<S: Samples> Samples for Spectra<S> {
    forward!(self => self.samples; len, dim, element, precision, image_shape, original_row);

    fn read_single(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, f32>) -> Result<()> {
        self.samples.read_single(rows, out.view_mut())?;
        self.ready.prepare(out);
        Ok(())
    }

    fn read_double(&self, rows: Rows<'_>, mut out: ArrayViewMut2<'_, f64>) -> Result<()> {
        self.samples.read_double(rows, out.view_mut())?;
        self.ready.prepare(out);
        Ok(())
    }
}
