//! The read-out of one label in a model.

use ndarray::ArrayView2;

use super::{Calibration, Estimates, FittedReadout, Readout};
use crate::Result;

/// A label, how it is read, and how far that is to be trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelReadout {
    /// The label that it estimates.
    pub label: String,
    /// What was asked for, or chosen; `None` in models of earlier versions.
    pub settings: Option<Readout>,
    /// What was learned.
    pub fitted: FittedReadout,
    /// What samples that took no part in training say about it; `None` where none were left out.
    pub calibration: Option<Calibration>,
}

impl LabelReadout {
    /// Estimates for samples given by their slow features, one per row, corrected by the calibration.
    ///
    /// # Errors
    /// As [`FittedReadout::estimate`].
    pub fn estimate(&self, features: ArrayView2<'_, f64>) -> Result<Estimates> {
        let estimates = self.fitted.estimate(features)?;
        Ok(match &self.calibration {
            Some(calibration) => calibration.apply(estimates),
            None => estimates,
        })
    }

    /// The names of the classes, if the label has classes.
    pub fn class_names(&self) -> Option<&[String]> {
        self.fitted.class_names()
    }
}
