//! Samples that are spectra: what is done to each before a network sees it.
//!
//! Columns of a table have no order. Those of a spectrum have one, and equal distances: then each row can be smoothed or
//! derived by the polynomials of Savitzky and Golay, which takes offsets and slopes of a baseline away, and freed of its own
//! mean and deviation (standard normal variate, SNV), which takes away what scatters light. Both are functions of one row,
//! so that nothing is learned from other samples and pieces of the samples need not know each other. The mean spectrum is
//! taken away by every node, whatever its samples are.

mod filter;
mod rows;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::samples::InputShape;
use crate::{Error, Result};
pub use rows::{ReadySpectrum, Spectra};

/// Polynomials of more than this degree follow the noise.
const HIGHEST_DEGREE: usize = 6;

/// What is done to a spectrum: SNV first, then smoothing or a derivative. The default leaves it as it is.
///
/// ```
/// use gsfa::spectrum::Spectrum;
/// use ndarray::array;
/// let first = Spectrum { derivative: 1, window: 3, degree: 2, ..Spectrum::default() };
/// let squares = array![[0.0, 1.0, 4.0, 9.0, 16.0]];
/// let slopes = first.prepare(squares.view())?;
/// assert!((&slopes - &array![[0.0, 2.0, 4.0, 6.0, 8.0]]).iter().all(|d| d.abs() < 1e-12));
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Spectrum {
    /// Subtract its mean from each spectrum and divide by its standard deviation (standard normal variate); one without
    /// variation becomes 0.
    pub snv: bool,
    /// Which derivative, in units of a column: 0 smooths.
    pub derivative: usize,
    /// Columns that a polynomial is fitted to, an odd number. The first and last columns have the polynomials of the first and
    /// last window. 1 leaves spectra as they are.
    pub window: usize,
    /// The degree of the polynomials, less than the window and at most 6.
    pub degree: usize,
}

impl Default for Spectrum {
    fn default() -> Self {
        Self { snv: false, derivative: 0, window: 1, degree: 0 }
    }
}

impl Spectrum {
    /// That spectra of the given shape can be prepared so.
    ///
    /// # Errors
    /// [`Error::Parameter`] if samples are images, the window is even or larger than the spectrum, or the polynomials are of
    /// no suitable degree.
    pub fn check(&self, input: InputShape) -> Result<()> {
        let Self { derivative, window, degree, .. } = *self;
        if input.height * input.width != 1 {
            let reason =
                "spectra are rows of a table, not images; leave out the preparation of spectra, or the shape of images";
            return Err(Error::parameter("spectrum", input.to_string(), reason));
        }
        if derivative > HIGHEST_DEGREE {
            let reason = format!("it must be at most {HIGHEST_DEGREE}; 1 and 2 are usual");
            return Err(Error::parameter("derivative", derivative, reason));
        }
        if window.is_multiple_of(2) {
            return Err(Error::parameter("window", window, "a window has a middle: use an odd number of columns"));
        }
        if window > input.channels {
            let reason = format!("the spectra have {} columns; a window has no more", input.channels);
            return Err(Error::parameter("window", window, reason));
        }
        if degree >= window {
            let reason = format!("it must be less than the window, which is {window}; use a larger window");
            return Err(Error::parameter("degree", degree, reason));
        }
        if degree > HIGHEST_DEGREE {
            return Err(Error::parameter("degree", degree, format!("it must be at most {HIGHEST_DEGREE}; 2 is usual")));
        }
        if derivative > degree {
            let reason =
                format!("polynomials of degree {degree} have none but 0; use a higher degree, and a window above it");
            return Err(Error::parameter("derivative", derivative, reason));
        }
        Ok(())
    }

    /// Whether spectra stay as they are.
    pub fn is_raw(&self) -> bool {
        *self == Self { degree: self.degree, ..Self::default() }
    }

    /// The preparation with its weights, for a specification that was [checked](Self::check); `None` if spectra stay as they
    /// are.
    pub fn ready(&self) -> Option<ReadySpectrum> {
        (!self.is_raw()).then(|| ReadySpectrum::new(self))
    }

    /// Prepared spectra, one row each.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn prepare(&self, spectra: ndarray::ArrayView2<'_, f64>) -> Result<ndarray::Array2<f64>> {
        self.check(InputShape::vector(spectra.ncols()))?;
        let mut rows = spectra.as_standard_layout().into_owned();
        if let Some(ready) = self.ready() {
            ready.prepare(rows.view_mut());
        }
        Ok(rows)
    }

    /// What spectra become, without the window.
    pub fn words(&self) -> String {
        let nth = ["first", "second", "third"];
        let filtered = match (self.derivative, self.window) {
            (0, 1) => None,
            (0, _) => Some("smoothed spectra".to_string()),
            (order, _) => {
                Some(nth.get(order - 1).map_or(format!("{order}th derivatives"), |n| format!("{n} derivatives")))
            }
        };
        match (self.snv, filtered) {
            (false, None) => "spectra as they are".into(),
            (true, None) => "SNV".into(),
            (false, Some(filtered)) => filtered,
            (true, Some(filtered)) => format!("SNV and {filtered}"),
        }
    }
}

impl fmt::Display for Spectrum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.window {
            1 => write!(f, "{}", self.words()),
            window => write!(f, "{} (window {window}, degree {})", self.words(), self.degree),
        }
    }
}
