//! Finished sums, in either form.

use ndarray::Array2;

use super::{Centered, CenteredRows};

/// Centred moments of samples on a graph: all that the solver needs.
#[derive(Debug, Clone)]
pub struct CenteredMoments(pub(crate) Finished);

#[derive(Debug, Clone)]
pub(crate) enum Finished {
    Covariance(Box<Centered>),
    Rows(Box<CenteredRows>),
}

impl CenteredMoments {
    /// The weighted mean x̃ of the samples.
    pub fn mean(&self) -> &[f64] {
        match &self.0 {
            Finished::Covariance(centered) => &centered.mean,
            Finished::Rows(rows) => rows.mean(),
        }
    }

    /// Q, the sum of the vertex weights.
    pub fn q(&self) -> f64 {
        match &self.0 {
            Finished::Covariance(centered) => centered.q,
            Finished::Rows(rows) => rows.q(),
        }
    }

    /// I, the number of inputs.
    pub fn input_dim(&self) -> usize {
        self.mean().len()
    }

    /// C `[eq:cov_tg]`, in the units of the inputs: infinite or 0 where these are beyond $10^{\pm 154}$.
    pub fn covariance(&self) -> Array2<f64> {
        match &self.0 {
            Finished::Covariance(centered) => centered.covariance(),
            Finished::Rows(rows) => rows.covariance(),
        }
    }

    /// Ċ `[eq:dcov_tg]`, in the units of the inputs.
    pub fn derivative_covariance(&self) -> Array2<f64> {
        match &self.0 {
            Finished::Covariance(centered) => centered.derivative_covariance(),
            Finished::Rows(rows) => rows.derivative_covariance(),
        }
    }

    /// The standard deviation of each input, whose square may be no number.
    pub(crate) fn deviations(&self) -> Vec<f64> {
        match &self.0 {
            Finished::Covariance(centered) => centered.deviations().collect(),
            Finished::Rows(rows) => rows.deviations().to_vec(),
        }
    }
}
