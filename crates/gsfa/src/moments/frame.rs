//! The fixed shift and scale in which samples are summed.

use ndarray::ArrayView2;

use super::packing::pack_rows;
use crate::linalg::panels::Panels;
use crate::linalg::{Buffers, Real, vectorized};
use crate::{Error, Result};

/// $y = (x - s)\cdot 2^k$ for each column.
///
/// A shift near the weighted mean keeps digits that raw sums would cancel, a power of two near the deviation keeps
/// squares in range and changes no digit. Both come from the first block of rows and stay, unless a later block
/// outweighs all before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frame<T> {
    pub shift: Vec<T>,
    pub exponent: Vec<i32>,
}

impl<T: Real> Frame<T> {
    /// The frame of rows with the given weights.
    pub fn from_block(block: ArrayView2<'_, T>, weights: &[f64]) -> Self {
        let limit = T::LARGEST_EXPONENT;
        if block.is_empty() {
            return Self { shift: vec![T::default(); block.ncols()], exponent: vec![0; block.ncols()] };
        }
        // A column whose mean is not finite is refused later; until then any frame will do.
        let finite = |mean: &f64| T::from_f64(*mean).to_f64().is_finite();
        let equal = weights.iter().all(|w| *w == weights[0]);
        let means = if equal { means(block) } else { weighted_means(block, weights) };
        let shift: Vec<T> = means.iter().map(|m| if finite(m) { T::from_f64(*m) } else { T::default() }).collect();
        let spread = spread(block, &shift);
        let exponents = means.iter().zip(&spread).zip(&shift);
        let exponent = exponents
            .map(|((mean, spread), shift)| if finite(mean) { exponent(*spread, shift.to_f64(), limit) } else { 0 })
            .collect();
        Self { shift, exponent }
    }

    /// The shift of this frame, and scales in which both its rows and those of `before` stay in range; `constant` tells
    /// the columns that did not vary before.
    pub fn in_range_of(mut self, before: &Self, constant: impl Fn(usize) -> bool) -> Self {
        let limit = T::LARGEST_EXPONENT;
        for (i, exponent) in self.exponent.iter_mut().enumerate() {
            if !constant(i) {
                *exponent = (*exponent).min(before.exponent[i]);
            }
            let distance = (self.shift[i].to_f64() - before.shift[i].to_f64()).abs();
            if distance > 0.0 {
                *exponent = (*exponent).min(power(distance)).clamp(-limit, limit);
            }
        }
        self
    }

    pub fn dim(&self) -> usize {
        self.shift.len()
    }

    /// 2^k of each column.
    pub fn scales(&self) -> Vec<f64> {
        self.exponent.iter().map(|&k| power_of_two(k)).collect()
    }

    fn scales_as(&self) -> Vec<T> {
        self.exponent.iter().map(|&k| T::from_f64(power_of_two(k))).collect()
    }

    /// Rows root·(x − s)·2^k; `row_number` tells the global number of a row.
    ///
    /// # Errors
    /// The first value that is not finite, or whose square could overflow.
    pub fn pack<'b>(
        &self,
        x: ArrayView2<'_, T>,
        roots: &[f64],
        buffers: &'b Buffers<T>,
        row_number: impl Fn(usize) -> usize,
    ) -> Result<Panels<'b, T>> {
        let Some(rows) = contiguous(&x) else {
            let mut copy = buffers.matrix(x.nrows(), x.ncols());
            copy.view_mut().assign(&x);
            return self.pack(copy.view(), roots, buffers, row_number);
        };
        let mut out = Panels::unfilled(x.nrows(), x.ncols(), buffers);
        match pack_rows(&rows, &vec![&self.shift[..]; rows.len()], &self.scales_as(), &rounded(roots), &mut out) {
            None => Ok(out),
            Some(n) => Err(self.describe(x, n, row_number)),
        }
    }

    /// Rows root·(x − x′)·2^k of the differences between each row and the one `step` rows after it, which have no shift.
    /// Values were looked at before, and differences of those that are small enough are, too.
    pub fn pack_differences<'b>(
        &self,
        x: ArrayView2<'_, T>,
        step: usize,
        roots: &[f64],
        buffers: &'b Buffers<T>,
    ) -> Panels<'b, T> {
        let Some(rows) = contiguous(&x) else {
            let mut copy = buffers.matrix(x.nrows(), x.ncols());
            copy.view_mut().assign(&x);
            return self.pack_differences(copy.view(), step, roots, buffers);
        };
        let mut out = Panels::unfilled(roots.len(), x.ncols(), buffers);
        let later = rows.get(step..).unwrap_or_default();
        pack_rows(&rows[..roots.len()], later, &self.scales_as(), &rounded(roots), &mut out);
        out
    }

    fn describe(&self, x: ArrayView2<'_, T>, from: usize, row_number: impl Fn(usize) -> usize) -> Error {
        let values = || x.indexed_iter().filter(|((n, _), _)| *n >= from).map(|(at, x)| (at, x.to_f64()));
        let total = values().filter(|(_, x)| !x.is_finite()).count();
        if let Some(((n, column), _)) = values().find(|(_, x)| !x.is_finite()) {
            return Error::NonFiniteSample { row: row_number(n), column, total };
        }
        let limit = T::from_f64(T::LARGEST);
        let too_large = |((_, j), x): &((usize, usize), f64)| {
            !T::from_f64(*x).shifted(self.shift[*j], T::from_f64(power_of_two(self.exponent[*j]))).within(limit)
        };
        let ((n, column), value) = values().find(too_large).unwrap_or(((from, 0), f64::NAN));
        Error::Overflow { row: row_number(n), column, value }
    }
}

/// The rows, if the numbers of each lie side by side.
fn contiguous<'a, T>(x: &'a ArrayView2<'_, T>) -> Option<Vec<&'a [T]>> {
    x.outer_iter().map(|row| row.to_slice()).collect()
}

fn rounded<T: Real>(roots: &[f64]) -> Vec<T> {
    roots.iter().map(|root| T::from_f64(*root)).collect()
}

vectorized! {
    /// The mean of each column: its first value and the mean distance from it, so that constant columns lose no digit.
    fn means<T: Real>(block: ArrayView2<'_, T>) -> Vec<f64> {
        let first: Vec<f64> = block.row(0).iter().map(|x| x.to_f64()).collect();
        let mut mean = vec![0.0; first.len()];
        for row in block.outer_iter() {
            let add = |((m, x), f): ((&mut f64, &T), &f64)| *m += x.to_f64() - f;
            match row.as_slice() {
                Some(row) => mean.iter_mut().zip(row).zip(&first).for_each(add),
                None => mean.iter_mut().zip(row).zip(&first).for_each(add),
            }
        }
        mean.iter_mut().zip(&first).for_each(|(m, f)| *m = f + *m / block.nrows() as f64);
        mean
    }
}

vectorized! {
    /// As [`means`], of rows that weigh differently: the heaviest row and the mean distance from it, so that a row that
    /// outweighs all others is its own mean to the last digit.
    fn weighted_means<T: Real>(block: ArrayView2<'_, T>, weights: &[f64]) -> Vec<f64> {
        let heaviest = (1..weights.len()).fold(0, |best, n| if weights[n] > weights[best] { n } else { best });
        let total: f64 = weights.iter().sum();
        let center: Vec<f64> = block.row(heaviest).iter().map(|x| x.to_f64()).collect();
        let mut mean = vec![0.0; center.len()];
        for (row, weight) in block.outer_iter().zip(weights) {
            let share = weight / total;
            for ((m, x), c) in mean.iter_mut().zip(row).zip(&center) {
                *m += share * (x.to_f64() - c);
            }
        }
        mean.iter_mut().zip(&center).for_each(|(m, c)| *m += c);
        mean
    }
}

vectorized! {
    /// The largest finite distance of each column from its shift.
    fn spread<T: Real>(block: ArrayView2<'_, T>, shift: &[T]) -> Vec<f64> {
        let mut spread = vec![0.0_f64; shift.len()];
        for row in block.outer_iter() {
            let widen = |((largest, x), s): ((&mut f64, &T), &T)| {
                let distance = (x.to_f64() - s.to_f64()).abs();
                *largest = if distance > *largest && distance < f64::INFINITY { distance } else { *largest };
            };
            match row.as_slice() {
                Some(row) => spread.iter_mut().zip(row).zip(shift).for_each(widen),
                None => spread.iter_mut().zip(row).zip(shift).for_each(widen),
            }
        }
        spread
    }
}

/// 2^k, exactly, for exponents within [`Real::LARGEST_EXPONENT`].
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((1023 + k) as u64) << 52)
}

/// 2^k that brings a column of this spread about its shift near 1; the shift is the value of a constant column.
///
/// How much a column will vary that is constant in the first block is not known: as much as its value, or as much as
/// others. The power in the middle keeps the squares of both in range. Features that are all but 0 for most samples, and
/// large for a few, are common in the lower nodes of a network.
fn exponent(spread: f64, shift: f64, limit: i32) -> i32 {
    let exponent = match (spread > 0.0, shift != 0.0) {
        (true, _) => power(spread),
        (false, true) => power(shift.abs()) / 2,
        (false, false) => 0,
    };
    exponent.clamp(-limit, limit)
}

/// The k for which a size times 2^k is near 1.
fn power(size: f64) -> i32 {
    -(size.log2().floor() as i32)
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn a_column_that_is_constant_at_first_may_vary_later_as_others_do_or_as_its_value_does() {
        // Round-off about 0, a value like others, tiny and huge values; then an outlier of unit variance over 3,600 rows.
        let cases = [
            (-5.55e-17_f32, 60.0),
            (1.0, 60.0),
            (1e-24, 60.0),
            (1e-28, 2e-28),
            (1e28, 2e28),
            (0.0, 60.0),
            (0.0, 1e-15),
        ];
        for (value, outlier) in cases {
            let frame = Frame::from_block(Array2::from_elem((512, 1), value).view(), &[1.0; 512]);
            let buffers = Buffers::default();
            let out = frame.pack(Array2::from_elem((1, 1), outlier).view(), &[1.0], &buffers, |n| n).unwrap();
            let square = out.iter().map(|(_, panel)| panel[0] * panel[0]).sum::<f32>();
            assert!(square.is_normal(), "{value:e}, {outlier:e}: {square:e}");
        }
    }
}
