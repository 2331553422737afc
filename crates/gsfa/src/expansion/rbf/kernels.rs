//! Gaussian kernels between rows and centres, several centres at a time.

use ndarray::{ArrayView2, ArrayViewMut2};

use super::super::Expandable;
use crate::linalg::vectorized;

vectorized! {
    /// Fills `out`, which has contiguous rows, with $e^{-\|s(x - c)\|^2}$; `centers` has one row for each input.
    ///
    /// Differences are squared as they are, never as $x^2 - 2xc + c^2$: a sample that is a centre is at distance 0.
    pub fn fill<T: Expandable>(
        centers: ArrayView2<'_, T>,
        scale: T,
        rows: ArrayView2<'_, T>,
        out: ArrayViewMut2<'_, T>,
    ) {
        let mut out = out;
        for (row, mut out) in rows.outer_iter().zip(out.outer_iter_mut()) {
            let (Some(out), true) = (out.as_slice_mut(), centers.is_standard_layout()) else { continue };
            out.fill(T::default());
            for (&x, centers) in row.iter().zip(centers.outer_iter()) {
                let Some(centers) = centers.to_slice() else { continue };
                add_squares(x, centers, scale, out);
            }
            out.iter_mut().for_each(|t| *t = t.decay());
        }
    }
}

#[inline(always)]
fn add_squares<T: Expandable>(x: T, centers: &[T], scale: T, out: &mut [T]) {
    for (sum, &c) in out.iter_mut().zip(centers) {
        let distance = x.shifted(c, scale);
        *sum = sum.plus(distance.times(distance));
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, Axis};

    use super::*;

    #[test]
    fn they_are_what_the_formula_says_for_any_number_of_centers_and_inputs() {
        for (inputs, centers) in [(1, 1), (3, 7), (5, 64), (2, 33)] {
            let c = Array2::from_shape_fn((inputs, centers), |(i, j)| ((i * 7 + j * 3) as f64 * 0.61).sin());
            let x = Array2::from_shape_fn((4, inputs), |(n, i)| ((n * 5 + i) as f64 * 0.37).cos() * 2.0);
            let mut out = Array2::zeros((4, centers));
            fill(c.view(), 0.8, x.view(), out.view_mut());
            for (x, out) in x.outer_iter().zip(out.outer_iter()) {
                for (c, &found) in c.axis_iter(Axis(1)).zip(out) {
                    let square: f64 = x.iter().zip(c).map(|(x, c)| (0.8 * (x - c)).powi(2)).sum();
                    assert!((found - (-square).exp()).abs() < 1e-14);
                }
            }
        }
    }
}
