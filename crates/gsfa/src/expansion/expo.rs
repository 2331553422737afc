//! `x` and `|x|^p`: the expansion 0.8Expo of the paper for p = 0.8.

use ndarray::{ArrayViewMut2, Axis};

use super::Expandable;
use crate::{Error, Result};

/// Largest exponent: with the tests' accuracy and far from useful, since powers above 2 belong to polynomials.
const LARGEST: f64 = 8.0;

pub fn check(exponent: f64) -> Result<()> {
    if exponent > 0.0 && exponent <= LARGEST {
        return Ok(());
    }
    Err(Error::parameter("exponent", exponent, format!("it must be positive and at most {LARGEST}")))
}

/// Fills the second half of every row with the powers of the first.
pub fn expand<T: Expandable>(exponent: f64, rows: ArrayViewMut2<'_, T>) {
    if exponent == 1.0 {
        let columns = rows.ncols() / 2;
        let (inputs, mut powers) = rows.split_at(Axis(1), columns);
        powers.zip_mut_with(&inputs, |out, &x| *out = x.magnitude());
    } else {
        T::power(rows, exponent);
    }
}

pub fn names(exponent: f64, inputs: &[String]) -> Vec<String> {
    inputs.iter().cloned().chain(inputs.iter().map(|x| format!("|{x}|^{exponent}"))).collect()
}
