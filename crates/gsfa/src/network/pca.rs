//! Principal components of a node's inputs.

use ndarray::{Array1, Array2, s};

use super::spec::PcaSpec;
use crate::linalg::partial_eigen::largest_eigenpairs;
use crate::linalg::qr::orthonormal_basis;
use crate::linalg::{multiply, symmetric_eigen, tolerance};
use crate::moments::{CenteredMoments, CenteredRows, Finished};
use crate::samples::SampleType;
use crate::{Error, Result};

/// The fitted map from inputs to principal components, weighted like the samples of the graph.
///
/// In a layer with `standardize`, the components of standardised inputs: the scaling is part of the weights.
///
/// Components are in order of decreasing variance, each with its entry of largest magnitude positive. Those beyond the
/// numerical rank are 0 for every sample, so that the shape is always the declared one.
#[derive(Debug, Clone, PartialEq)]
pub struct Pca {
    /// One row per input, one column per component.
    pub weights: Array2<f64>,
    /// The weighted mean of the training samples.
    pub mean: Array1<f64>,
    /// The variance of each component on the training samples, after whitening if asked for.
    pub variances: Array1<f64>,
}

/// Standardised inputs, in a layer with `standardize` and without PCA: $(x - \tilde x)\,s$, each by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Scaling {
    /// The weighted mean of the training samples.
    pub mean: Array1<f64>,
    /// One over the deviation of each input; 0 for those that do not vary.
    pub factors: Array1<f64>,
}

impl PcaSpec {
    /// The number of components for `inputs` inputs, at most.
    pub(super) fn most(&self, inputs: usize) -> Result<usize> {
        match (self.components, self.variance) {
            (Some(0), None) => Err(Error::parameter("components", 0, "at least one component is needed")),
            (Some(count), None) => Ok(count.min(inputs)),
            (None, Some(share)) if share > 0.0 && share <= 1.0 => Ok(inputs),
            (None, Some(share)) => Err(Error::parameter("variance", share, "the share must lie in (0, 1]")),
            (Some(_), Some(_)) => Err(Error::parameter("pca", "components and variance", "give one of them")),
            (None, None) => Err(Error::parameter("pca", "{}", "give either `components` or `variance`")),
        }
    }

    /// The components of samples, times `scales` if given, from sums over them whose memory serves again.
    pub(super) fn of_moments<T: SampleType>(
        &self,
        moments: CenteredMoments,
        scales: Option<&Array1<f64>>,
    ) -> Result<Pca> {
        let inputs = moments.input_dim();
        let most = self.most(inputs)?;
        let center = moments.mean().iter().copied().collect();
        // All in one unit, in which squares are ordinary numbers; 1 for standardised inputs.
        let unit = if scales.is_some() { 1.0 } else { common_unit::<T>(&moments)? };
        let factors = scales.map_or(vec![1.0 / unit; inputs], |scales| scales.to_vec());
        let axes = match moments.0 {
            Finished::Covariance(centered) => self.axes(&centered.into_covariance(&factors), most)?,
            Finished::Rows(rows) => self.axes_of_rows(&rows, &factors, most)?,
        };
        let Axes { values, vectors, variance } = axes;
        let count = match self.variance {
            Some(share) => holding(&values, share),
            None => most,
        };
        // In units of the mean variance, as for a correlation matrix.
        let mean = variance / inputs as f64;
        let largest = values.first().copied().unwrap_or(0.0);
        let negligible =
            if mean > 0.0 { mean * tolerance::no_variance(T::EPSILON, inputs, largest / mean) } else { 0.0 };
        let mut weights = Array2::zeros((inputs, count));
        let mut variances = Array1::zeros(count);
        for k in (0..count.min(values.len())).filter(|&k| values[k] > negligible) {
            let column = vectors.column(k);
            let largest = column.iter().fold(0.0_f64, |m, &x| if x.abs() > m.abs() { x } else { m });
            let scale = if self.whiten { 1.0 / values[k].sqrt() / unit } else { 1.0 };
            weights.slice_mut(s![.., k]).assign(&(&column * (scale * largest.signum())));
            variances[k] = if self.whiten { 1.0 } else { values[k] * unit * unit };
        }
        if let Some(scales) = scales {
            weights.outer_iter_mut().zip(scales).for_each(|(mut row, scale)| row *= *scale);
        }
        Ok(Pca { weights, mean: center, variances })
    }
}

/// Eigenpairs of a covariance from the largest to the smallest, and its trace.
struct Axes {
    values: Array1<f64>,
    vectors: Array2<f64>,
    variance: f64,
}

impl PcaSpec {
    fn axes(&self, covariance: &Array2<f64>, most: usize) -> Result<Axes> {
        let (values, vectors) = match self.variance {
            Some(_) => symmetric_eigen(covariance.view())?,
            None => largest_eigenpairs(covariance.view(), most)?,
        }
        .descending();
        Ok(Axes { values, vectors, variance: covariance.diag().sum() })
    }

    /// Those of fewer samples than inputs, which lie in the space of the samples.
    fn axes_of_rows(&self, rows: &CenteredRows, factors: &[f64], most: usize) -> Result<Axes> {
        let all: Vec<usize> = (0..factors.len()).collect();
        let mut scaled = rows.in_units(&all, factors);
        scaled.outer_iter_mut().zip(rows.shares()).for_each(|(mut row, share)| row *= share.sqrt());
        if scaled.nrows() >= scaled.ncols() {
            return self.axes(&multiply(scaled.t(), scaled.view()), most);
        }
        let basis = orthonormal_basis(scaled.t())?.columns;
        let coordinates = multiply(scaled.view(), basis.view());
        let small = self.axes(&multiply(coordinates.t(), coordinates.view()), most.min(scaled.nrows()))?;
        let vectors = multiply(basis.view(), small.vectors.view());
        Ok(Axes { vectors, ..small })
    }
}

/// A column that varies by less than this share of the largest was given in other units: rounding leaves nothing so small.
const VANISHING: f64 = 1e-100;

/// A power of two near the largest deviation, 1 for ordinary ones.
///
/// # Errors
/// If the square of the largest deviation is no number, or a column vanishes beside it.
fn common_unit<T: SampleType>(moments: &CenteredMoments) -> Result<f64> {
    let deviations = moments.deviations();
    let column = (0..deviations.len()).fold(0, |best, i| if deviations[i] > deviations[best] { i } else { best });
    let deviation = deviations.get(column).copied().unwrap_or(0.0);
    // Components beside the largest may be smaller by the whole precision of numbers.
    let unit = match deviation {
        d if d > 1e145 => Err("has a square too large for principal components"),
        d if d > 0.0 && d < 1e-130 => Err("has a square too small for principal components"),
        d if d > 1e30 || d > 0.0 && d < 1e-30 => Ok(2.0_f64.powi(d.log2().floor() as i32)),
        _ => Ok(1.0),
    };
    let unit = unit.map_err(|problem| Error::ColumnRange { column, deviation, problem })?;
    // The same of numbers beyond the ordinary ones of their type, which have lost digits, too.
    let denormal = T::SMALLEST_SQUARE * T::EPSILON;
    let vanishes =
        |d: f64| d > 0.0 && (d < VANISHING * deviation || d < denormal && d < T::EPSILON.powi(3) * deviation);
    match deviations.iter().position(|&d| vanishes(d)) {
        None => Ok(unit),
        Some(column) => {
            let problem = "is nothing beside the others in principal components";
            Err(Error::ColumnRange { column, deviation: deviations[column], problem })
        }
    }
}

/// How many of the largest values hold a share of their sum.
fn holding(values: &Array1<f64>, share: f64) -> usize {
    let total: f64 = values.iter().map(|x| x.max(0.0)).sum();
    let mut sum = 0.0;
    let enough = values.iter().position(|x| {
        sum += x.max(0.0);
        // The last digits of the sum must not cost a component.
        sum >= share * total * (1.0 - tolerance::sum(values.len()))
    });
    enough.map_or(values.len(), |at| at + 1).max(1)
}
