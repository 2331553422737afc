//! The bound on the error of the nearest centroid, and its gradient.

use std::f64::consts::{PI, SQRT_2};

use ndarray::{Array2, ArrayView2, s};

use super::points::{Points, squared_distances};
use crate::linalg::multiply;

/// Something to be minimised over matrices with orthonormal columns.
pub(super) trait Bound {
    /// The value at P.
    fn value(&self, p: ArrayView2<'_, f64>) -> f64;

    /// The value at P and the derivatives by its entries.
    fn gradient(&self, p: ArrayView2<'_, f64>) -> (f64, Array2<f64>);
}

/// ln J(P) with $J = \sum_{i<j} 2 w_{ij}\Phi(-\|P^T D_{ij}\|/2)$: a union bound for Gaussian classes of a common
/// covariance. In logarithms, since J of classes that are far apart is beneath the smallest number.
pub(super) struct PairwiseBound<'a> {
    pub points: &'a Points,
}

/// The logarithm of a mean of J over all prefixes of P: of $(\frac1d\sum_k J_k^q)^{1/q}$, for q = 0 the mean of ln J.
pub(super) struct NestedBound<'a> {
    pub points: &'a Points,
    /// q.
    pub power: f64,
}

impl NestedBound<'_> {
    /// The value, and the share of each prefix in its gradient: $J_k^q/\sum J^q$.
    fn mean(&self, ln_j: &[f64]) -> (f64, Vec<f64>) {
        let count = ln_j.len() as f64;
        if self.power == 0.0 {
            return (ln_j.iter().sum::<f64>() / count, vec![1.0 / count; ln_j.len()]);
        }
        let most = ln_j.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = ln_j.iter().map(|j| (self.power * (j - most)).exp()).collect();
        let total: f64 = shares.iter().sum();
        (most + (total / count).ln() / self.power, shares.into_iter().map(|share| share / total).collect())
    }
}

/// ln Φ(−t√2) = ln(erfc(t)/2).
fn ln_tail(t: f64) -> f64 {
    // Beyond this erfc is no longer a normal number, and two terms of its asymptotic series are all that matters.
    if t < 26.0 { (libm::erfc(t) / 2.0).ln() } else { -t * t - (2.0 * t * PI.sqrt()).ln() - 0.5 / (t * t) }
}

/// ln J from squared distances.
fn ln_bound(points: &Points, squared: &Array2<f64>) -> f64 {
    let classes = points.classes();
    let mut terms = Vec::with_capacity(classes * (classes - 1) / 2);
    for i in 0..classes {
        for j in 0..i {
            if points.weights[[i, j]] > 0.0 {
                terms.push((2.0 * points.weights[[i, j]]).ln() + ln_tail((squared[[i, j]] / 8.0).sqrt()));
            }
        }
    }
    let most = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most + terms.iter().map(|t| (t - most).exp()).sum::<f64>().ln()
}

/// Weights q of pairs such that the gradient of ln J is $-\sum q_{ij}D_{ij}(D_{ij}^T P)$:
/// $q = w\,\varphi(\delta/2)/(\delta J)$.
fn pair_weights(points: &Points, squared: &Array2<f64>, ln_j: f64) -> Array2<f64> {
    Array2::from_shape_fn(squared.dim(), |(i, j)| {
        let (w, square) = (points.weights[[i, j]], squared[[i, j]]);
        // A pair in one place has no direction in which it would part.
        if w == 0.0 || square == 0.0 {
            return 0.0;
        }
        (w.ln() - square / 8.0 - ln_j).exp() / (SQRT_2 * PI.sqrt() * square.sqrt())
    })
}

impl Bound for PairwiseBound<'_> {
    fn value(&self, p: ArrayView2<'_, f64>) -> f64 {
        ln_bound(self.points, &squared_distances(multiply(self.points.u.view(), p).view()))
    }

    fn gradient(&self, p: ArrayView2<'_, f64>) -> (f64, Array2<f64>) {
        let y = multiply(self.points.u.view(), p);
        let squared = squared_distances(y.view());
        let value = ln_bound(self.points, &squared);
        let q = pair_weights(self.points, &squared, value);
        (value, -self.points.scatter(&q, y.view()))
    }
}

impl Bound for NestedBound<'_> {
    fn value(&self, p: ArrayView2<'_, f64>) -> f64 {
        let y = multiply(self.points.u.view(), p);
        let values: Vec<f64> = prefixes(y.view()).map(|squared| ln_bound(self.points, &squared)).collect();
        self.mean(&values).0
    }

    fn gradient(&self, p: ArrayView2<'_, f64>) -> (f64, Array2<f64>) {
        let y = multiply(self.points.u.view(), p);
        let known: Vec<(f64, Array2<f64>)> =
            prefixes(y.view()).map(|squared| (ln_bound(self.points, &squared), squared)).collect();
        let values: Vec<f64> = known.iter().map(|(value, _)| *value).collect();
        let (mean, shares) = self.mean(&values);
        let mut gradient = Array2::<f64>::zeros(p.dim());
        for (k, ((value, squared), share)) in known.iter().zip(&shares).enumerate() {
            let q = pair_weights(self.points, squared, *value);
            let own = self.points.scatter(&q, y.slice(s![.., ..=k]));
            gradient.slice_mut(s![.., ..=k]).scaled_add(-share, &own);
        }
        (mean, gradient)
    }
}

/// The squared distances in the first feature, the first two, and so on.
fn prefixes(y: ArrayView2<'_, f64>) -> impl Iterator<Item = Array2<f64>> + '_ {
    let mut squared = Array2::zeros((y.nrows(), y.nrows()));
    (1..=y.ncols()).map(move |k| {
        squared += &squared_distances(y.slice(s![.., k - 1..k]));
        squared.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{CodeObjective, LearnedCode};
    use rand::{RngExt, SeedableRng};
    use rand_distr::StandardNormal;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn points(classes: usize, spread: f64, seed: u64) -> Points {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let u = Array2::from_shape_fn((classes, classes - 1), |_| spread * random.sample::<f64, _>(StandardNormal));
        let shares: Vec<f64> = (0..classes).map(|c| 1.0 + c as f64 / 3.0).collect();
        Points::new(u, &shares, &LearnedCode::new(CodeObjective::Pairwise)).unwrap()
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        for (classes, d, spread, seed) in
            [(2, 1, 1.0, 1), (3, 2, 2.0, 2), (5, 2, 1.0, 3), (9, 4, 3.0, 4), (6, 3, 40.0, 5)]
        {
            let points = points(classes, spread, seed);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed + 100);
            let p = Array2::from_shape_fn((classes - 1, d), |_| random.sample::<f64, _>(StandardNormal));
            let nested = [0.0, 0.25, 1.0].map(|power| NestedBound { points: &points, power });
            let bounds: [&dyn Bound; 4] = [&PairwiseBound { points: &points }, &nested[0], &nested[1], &nested[2]];
            for bound in bounds {
                let (value, gradient) = bound.gradient(p.view());
                assert!((value - bound.value(p.view())).abs() <= 1e-12 * value.abs());
                for ((i, k), g) in gradient.indexed_iter() {
                    let h = 1e-5;
                    let moved = |by: f64| {
                        let mut p = p.clone();
                        p[[i, k]] += by;
                        bound.value(p.view())
                    };
                    let difference = (moved(h) - moved(-h)) / (2.0 * h);
                    assert!((g - difference).abs() <= 1e-5 * (1.0 + g.abs() + value.abs()), "{g} {difference}");
                }
            }
        }
    }

    #[test]
    fn the_tail_has_no_seam() {
        for t in [25.999_999, 26.000_001] {
            let series = -t * t - (2.0 * t * PI.sqrt()).ln() - 0.5 / (t * t);
            assert!((ln_tail(t) - series).abs() < 1e-5 * series.abs());
        }
        assert!((ln_tail(0.0) - 0.5_f64.ln()).abs() < 1e-15);
    }
}
