//! `x` and `|x|^p`: the expansion 0.8Expo of the paper for p = 0.8.

use ndarray::{ArrayView1, ArrayViewMut1, ArrayViewMut2, Axis, s};

use super::Expandable;
use super::power::{BLOCK, LANES};
use crate::{Error, Result};

/// Largest exponent: with the tests' accuracy and far from useful, since powers above 2 belong to polynomials.
const LARGEST: f64 = 8.0;

pub fn check(exponent: f64) -> Result<()> {
    if exponent > 0.0 && exponent <= LARGEST {
        return Ok(());
    }
    Err(Error::parameter("exponent", exponent, format!("it must be positive and at most {LARGEST}")))
}

/// Several rows are raised to the power together, so that narrow inputs fill whole vectors, too; every value meets the
/// same operations wherever it stands.
pub fn expand<T: Expandable>(exponent: f64, rows: ArrayViewMut2<'_, T>) {
    let columns = rows.ncols() / 2;
    let (input, mut powers) = rows.split_at(Axis(1), columns);
    if exponent == 1.0 {
        powers.zip_mut_with(&input, |out, &x| *out = x.magnitude());
        return;
    }
    let mut block = [T::default(); BLOCK];
    for from in (0..columns).step_by(BLOCK) {
        let width = BLOCK.min(columns - from);
        let input = input.slice(s![.., from..from + width]);
        let mut powers = powers.slice_mut(s![.., from..from + width]);
        let rows = BLOCK / width;
        for (input, mut powers) in input.axis_chunks_iter(Axis(0), rows).zip(powers.axis_chunks_iter_mut(Axis(0), rows))
        {
            for (to, from) in block.chunks_exact_mut(width).zip(input.outer_iter()) {
                ArrayViewMut1::from(to).assign(&from);
            }
            T::power(&mut block[..(input.nrows() * width).next_multiple_of(LANES)], exponent);
            for (from, mut to) in block.chunks_exact(width).zip(powers.outer_iter_mut()) {
                to.assign(&ArrayView1::from(from));
            }
        }
    }
}

pub fn names(exponent: f64, inputs: &[String]) -> Vec<String> {
    inputs.iter().cloned().chain(inputs.iter().map(|x| format!("|{x}|^{exponent}"))).collect()
}
