//! Gram–Schmidt orthogonalisation in the weighted inner product $\langle a,b\rangle = \frac1Q\sum_n v_n a(n)b(n)$.

use super::normalization::Spread;
use crate::linalg::tolerance;

/// Orthonormal labels, all orthogonal to the constant, that grow one column at a time.
pub(crate) struct GramSchmidt {
    shares: Vec<f64>,
    basis: Vec<Vec<f64>>,
    /// What each basis label was made from.
    made_from: Vec<Kept>,
}

/// A kept column, in units of its deviation.
struct Kept {
    /// Its correlations with the basis up to and including its own remainder: a column of a triangular matrix.
    correlations: Vec<f64>,
    /// The rounding of its values.
    rounding: f64,
}

/// What became of a column.
pub(crate) enum Outcome {
    /// It is part of the basis now.
    Kept,
    /// Nothing is left of it beyond the earlier ones; what counts as nothing is the share `tolerance` of its deviation.
    Dependent { tolerance: f64 },
    /// It does not vary.
    Constant,
}

/// A column in terms of the constant and the basis, which includes its own remainder if it was kept.
pub(crate) struct Expansion {
    pub spread: Spread,
    pub mean: f64,
    pub coefficients: Vec<f64>,
    pub outcome: Outcome,
}

impl GramSchmidt {
    /// An empty basis; `shares` are positive and sum to 1.
    pub fn new(shares: Vec<f64>) -> Self {
        Self { shares, basis: Vec::new(), made_from: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.basis.len()
    }

    pub fn into_basis(self) -> Vec<Vec<f64>> {
        self.basis
    }

    /// Expands the finite `column` in the basis, and adds its remainder to it unless that is round-off.
    pub fn push(&mut self, column: &[f64]) -> Expansion {
        let spread = Spread::of(column, &self.shares);
        if spread.is_constant() {
            let mean = spread.mean;
            return Expansion { spread, mean, coefficients: Vec::new(), outcome: Outcome::Constant };
        }
        let mut remainder: Vec<f64> = column.iter().map(|x| (x - spread.mean) / spread.deviation).collect();
        let mut mean = 0.0;
        let mut correlations = vec![0.0; self.len()];
        // One pass leaves errors of ε relative to the column; the second makes them ε relative to its remainder.
        for _ in 0..2 {
            mean += self.remove_mean(&mut remainder);
            for (label, correlation) in self.basis.iter().zip(&mut correlations) {
                let share = inner(&self.shares, label, &remainder);
                remainder.iter_mut().zip(label).for_each(|(r, l)| *r -= share * l);
                *correlation += share;
            }
        }
        mean = spread.mean + spread.deviation * mean;

        let size = inner(&self.shares, &remainder, &remainder).sqrt();
        let rounding = tolerance::label_rounding(spread.magnitude, spread.deviation);
        let threshold = self.noise(&correlations, rounding).max(tolerance::DEPENDENT_LABEL);
        // Functions on n rows without the constant have n − 1 dimensions.
        let complete = self.len() + 1 >= self.shares.len();
        let mut coefficients: Vec<f64> = correlations.iter().map(|c| spread.deviation * c).collect();
        let outcome = if complete || size <= threshold {
            Outcome::Dependent { tolerance: threshold }
        } else {
            remainder.iter_mut().for_each(|r| *r /= size);
            self.basis.push(remainder);
            coefficients.push(spread.deviation * size);
            correlations.push(size);
            self.made_from.push(Kept { correlations, rounding });
            Outcome::Kept
        };
        Expansion { spread, mean, coefficients, outcome }
    }

    fn remove_mean(&self, column: &mut [f64]) -> f64 {
        let mean: f64 = column.iter().zip(&self.shares).map(|(x, share)| share * x).sum();
        column.iter_mut().for_each(|x| *x -= mean);
        mean
    }

    /// The part of a remainder that rounding explains: that of the column itself, and that of the kept columns in the
    /// combination taken out of it. Nearly dependent columns make that combination large, and their labels inexact.
    fn noise(&self, correlations: &[f64], own: f64) -> f64 {
        let mut left = correlations.to_vec();
        let mut squares = own * own;
        for (k, kept) in self.made_from.iter().enumerate().rev() {
            let factor = left[k] / kept.correlations[k];
            left.iter_mut().zip(&kept.correlations).for_each(|(l, c)| *l -= factor * c);
            squares += (factor * kept.rounding).powi(2);
        }
        squares.sqrt()
    }
}

/// The weighted inner product, in eight interleaved sums: the order is fixed and the processor can do them at once.
fn inner(shares: &[f64], a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let blocks = shares.chunks_exact(LANES).zip(a.chunks_exact(LANES)).zip(b.chunks_exact(LANES));
    for ((share, a), b) in blocks {
        for lane in 0..LANES {
            sums[lane] += share[lane] * a[lane] * b[lane];
        }
    }
    let rest = shares.len() - shares.len() % LANES;
    let tail: f64 = (rest..shares.len()).map(|n| shares[n] * a[n] * b[n]).sum();
    sums.iter().sum::<f64>() + tail
}
