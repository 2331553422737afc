//! `x` and `|x|^p`: the expansion 0.8Expo of the paper for p = 0.8.

use ndarray::{ArrayView2, ArrayViewMut2, s};

use super::Expandable;
use super::power::BLOCK;
use crate::{Error, Result};

/// Largest exponent: with the tests' accuracy and far from useful, since powers above 2 belong to polynomials.
const LARGEST: f64 = 8.0;

pub fn check(exponent: f64) -> Result<()> {
    if exponent > 0.0 && exponent <= LARGEST {
        return Ok(());
    }
    Err(Error::parameter("exponent", exponent, format!("it must be positive and at most {LARGEST}")))
}

/// Values are taken from rows and put back in blocks that run on from row to row, so that narrow inputs fill whole
/// vectors, too; every value meets the same operations wherever it stands.
pub fn expand<T: Expandable>(exponent: f64, input: ArrayView2<'_, T>, mut output: ArrayViewMut2<'_, T>) {
    let (rows, columns) = input.dim();
    output.slice_mut(s![.., ..columns]).assign(&input);
    let mut powers = output.slice_mut(s![.., columns..]);
    if exponent == 1.0 {
        powers.zip_mut_with(&input, |out, &x| *out = x.magnitude());
        return;
    }
    let mut block = [T::default(); BLOCK];
    let total = rows * columns;
    for start in (0..total).step_by(BLOCK) {
        let len = BLOCK.min(total - start);
        for (row, from, at, run) in runs(start, len, columns) {
            let source = input.slice(s![row, from..from + run]);
            match source.as_slice() {
                Some(slice) => block[at..at + run].copy_from_slice(slice),
                None => block[at..at + run].iter_mut().zip(source).for_each(|(b, &x)| *b = x),
            }
        }
        T::power(&mut block, exponent);
        for (row, from, at, run) in runs(start, len, columns) {
            let mut target = powers.slice_mut(s![row, from..from + run]);
            match target.as_slice_mut() {
                Some(slice) => slice.copy_from_slice(&block[at..at + run]),
                None => target.iter_mut().zip(&block[at..at + run]).for_each(|(out, &b)| *out = b),
            }
        }
    }
}

/// The parts of rows that make up `len` values from number `start` on: row, first column, place in the block, length.
fn runs(start: usize, len: usize, columns: usize) -> impl Iterator<Item = (usize, usize, usize, usize)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done == len {
            return None;
        }
        let (row, from) = ((start + done) / columns, (start + done) % columns);
        let run = (columns - from).min(len - done);
        let part = (row, from, done, run);
        done += run;
        Some(part)
    })
}

pub fn names(exponent: f64, inputs: &[String]) -> Vec<String> {
    inputs.iter().cloned().chain(inputs.iter().map(|x| format!("|{x}|^{exponent}"))).collect()
}
