//! Bounds that keep outliers of new data from exploding through powers.

use ndarray::{Array1, ArrayView1, ArrayViewMut2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Expandable;
use crate::error::Places;
use crate::error::brief::number;
use crate::{Error, Result};

/// Clipping of every input at its training mean ± `sigmas` training deviations, before it is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// Half-width of the interval in standard deviations.
    pub sigmas: f64,
}

impl Clip {
    /// The bounds for columns of the given training means and standard deviations.
    ///
    /// A column without variance is held at its mean: it carried nothing in training and shall carry nothing later.
    ///
    /// ```
    /// use gsfa::expansion::Clip;
    /// use ndarray::array;
    /// let bounds = Clip { sigmas: 2.0 }.fit(array![1.0, 0.0].view(), array![0.5, 3.0].view())?;
    /// let mut samples = array![[5.0, -4.0], [-5.0, 100.0]];
    /// bounds.apply(samples.view_mut())?;
    /// assert_eq!(samples, array![[2.0, -4.0], [0.0, 6.0]]);
    /// # Ok::<(), gsfa::Error>(())
    /// ```
    ///
    /// # Errors
    /// If `sigmas` is not positive, the lengths differ, or a mean or deviation is not finite or a deviation negative.
    pub fn fit(&self, mean: ArrayView1<'_, f64>, deviation: ArrayView1<'_, f64>) -> Result<ClipBounds> {
        if !(self.sigmas > 0.0 && self.sigmas.is_finite()) {
            return Err(Error::parameter("sigmas", self.sigmas, "it must be positive and finite"));
        }
        Error::check_shape("deviations", deviation.shape(), mean.shape())?;
        if let Some(places) = Places::find(&deviation.to_vec(), |&d| d < 0.0) {
            return Err(Error::NotPositive { what: "standard deviations".into(), places });
        }
        ClipBounds::new(&mean - &(&deviation * self.sigmas), &mean + &(&deviation * self.sigmas))
    }
}

/// A lower and an upper bound per column.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipBounds {
    lower: Array1<f64>,
    upper: Array1<f64>,
}

impl ClipBounds {
    /// Checked bounds, e.g. from a model file.
    ///
    /// # Errors
    /// If the lengths differ, a bound is not finite, or a lower one exceeds its upper one.
    pub fn new(lower: Array1<f64>, upper: Array1<f64>) -> Result<Self> {
        Error::check_shape("upper bounds", upper.shape(), lower.shape())?;
        let wrong: Vec<bool> =
            lower.iter().zip(&upper).map(|(l, u)| !(l.is_finite() && u.is_finite() && l <= u)).collect();
        if let Some(places) = Places::find(&wrong, |&w| w) {
            let column = places.first[0];
            let value = format!("[{}, {}]", number(lower[column]), number(upper[column]));
            return Err(Error::parameter("clip bounds", value, format!("no finite interval, in column {column}")));
        }
        Ok(Self { lower, upper })
    }

    /// The lower bounds.
    pub fn lower(&self) -> ArrayView1<'_, f64> {
        self.lower.view()
    }

    /// The upper bounds.
    pub fn upper(&self) -> ArrayView1<'_, f64> {
        self.upper.view()
    }

    /// Moves every value outside its column's interval to the nearest bound; NaN stays.
    ///
    /// # Errors
    /// If the number of columns is not that of the bounds.
    pub fn apply<T: Expandable>(&self, mut samples: ArrayViewMut2<'_, T>) -> Result<()> {
        Error::check_shape("samples", samples.shape(), &[samples.nrows(), self.lower.len()])?;
        for mut row in samples.rows_mut() {
            for ((x, &lower), &upper) in row.iter_mut().zip(&self.lower).zip(&self.upper) {
                let (lower, upper) = (T::from_f64(lower), T::from_f64(upper));
                if *x < lower {
                    *x = lower;
                } else if *x > upper {
                    *x = upper;
                }
            }
        }
        Ok(())
    }
}
