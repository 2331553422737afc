//! Smoothing and derivatives by polynomials that are fitted to windows of a row (Savitzky and Golay).

use std::ops::Range;

use ndarray::{Array1, Array2};

use super::Spectrum;

/// For every place of a window, the weights of its columns in the value there of the polynomial's derivative.
#[derive(Debug, Clone)]
pub(super) struct Filter {
    /// One row for each place.
    weights: Array2<f64>,
    /// Whether a constant has no part in it.
    derives: bool,
}

impl Filter {
    /// The filter of a specification.
    ///
    /// The polynomials $q_k$ that are orthonormal over the window's places $t$ follow from $t q_k = b_{k+1} q_{k+1} + b_k
    /// q_{k-1}$, and their derivatives from the derivative of that; the fitted polynomial is $\sum_k q_k(s) \sum_t q_k(t) x_t$.
    pub fn new(spectrum: &Spectrum) -> Self {
        let (window, half) = (spectrum.window, (spectrum.window / 2) as f64);
        let places = Array1::from_shape_fn(window, |t| t as f64 - half);
        let constant = (window as f64).sqrt().recip();
        // Derivatives of two successive polynomials, of every order up to the one asked for, at all places.
        let mut older = Array2::<f64>::zeros((spectrum.derivative + 1, window));
        let mut newer = older.clone();
        newer.row_mut(0).fill(constant);
        let (mut weights, mut factor) = (Array2::zeros((window, window)), 0.0);
        for degree in 0..=spectrum.degree {
            let last = newer.row(spectrum.derivative).to_owned();
            for (mut row, &at) in weights.outer_iter_mut().zip(&last) {
                row.scaled_add(at, &newer.row(0));
            }
            if degree == spectrum.degree {
                break;
            }
            let mut next = Array2::zeros(newer.dim());
            for order in 0..=spectrum.derivative {
                let mut row = &places * &newer.row(order) - &older.row(order) * factor;
                if order > 0 {
                    row.scaled_add(order as f64, &newer.row(order - 1));
                }
                next.row_mut(order).assign(&row);
            }
            factor = next.row(0).iter().map(|q| q * q).sum::<f64>().sqrt();
            next /= factor;
            (older, newer) = (newer, next);
        }
        Self { weights, derives: spectrum.derivative > 0 }
    }

    fn half(&self) -> usize {
        self.weights.nrows() / 2
    }

    /// Columns that have a window of their own among so many.
    fn inner(&self, columns: usize) -> Range<usize> {
        self.half()..columns - self.half()
    }

    /// The other columns, with the first column of their window and their place in it.
    fn outer(&self, columns: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let (window, half) = (self.weights.nrows(), self.half());
        let first = (0..half).map(|column| (column, 0, column));
        let last = (columns - half..columns).map(move |column| (column, columns - window, column + window - columns));
        first.chain(last)
    }

    /// Replaces a row; `copy` has as many values.
    pub fn apply(&self, row: &mut [f64], copy: &mut [f64]) {
        // A constant has no derivative, but round-off of a large one has.
        let shift = if self.derives { row[0] } else { 0.0 };
        copy.iter_mut().zip(row.iter()).for_each(|(c, x)| *c = x - shift);
        let (columns, inner) = (row.len(), self.inner(row.len()));
        row.fill(0.0);
        // Column after column of the window over all of the row: long vectors, and the same order of sums everywhere.
        for (t, &weight) in self.weights.row(self.half()).iter().enumerate() {
            let shifted = &copy[t..t + inner.len()];
            row[inner.clone()].iter_mut().zip(shifted).for_each(|(y, x)| *y += weight * x);
        }
        for (column, first, place) in self.outer(columns) {
            let window = &copy[first..first + self.weights.nrows()];
            row[column] = self.weights.row(place).iter().zip(window).map(|(w, x)| w * x).sum();
        }
    }

    /// Weights of rows before the filter from those after it: one column of weights each.
    pub fn transposed(&self, weights: &Array2<f64>) -> Array2<f64> {
        let (columns, mut given) = (weights.nrows(), Array2::zeros(weights.dim()));
        let inner = self.inner(columns).map(|column| (column, column - self.half(), self.half()));
        for (column, first, place) in inner.chain(self.outer(columns)) {
            for (t, &weight) in self.weights.row(place).iter().enumerate() {
                given.row_mut(first + t).scaled_add(weight, &weights.row(column));
            }
        }
        given
    }
}
