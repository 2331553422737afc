//! The bound on the error of the nearest centroid, and its gradient.

use std::f64::consts::{PI, SQRT_2};

use ndarray::{Array2, ArrayView2, s};

use super::points::{Points, squared_distances};
use crate::linalg::{multiply, tolerance};

/// Something to be minimised over matrices with orthonormal columns.
pub(super) trait Bound {
    /// The value at P and the derivatives by its entries.
    fn at(&self, p: ArrayView2<'_, f64>) -> (f64, Array2<f64>);
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

/// $e^{t^2}\mathrm{erfc}(t)$ for t ≥ 0.
fn scaled_tail(t: f64) -> f64 {
    if t < 6.0 {
        return libm::erfc(t) * (t * t).exp();
    }
    // The continued fraction of Laplace, from the tail: twelve terms are exact to the last digit from here on.
    let fraction = (1..=12).rev().fold(t, |rest, k| t + f64::from(k) / (2.0 * rest));
    1.0 / (PI.sqrt() * fraction)
}

/// ln J from squared distances, and the weights q of pairs such that its gradient is $-\sum q_{ij}D_{ij}(D_{ij}^T P)$:
/// $q = w\,\varphi(\delta/2)/(\delta J)$.
///
/// With $t = \delta/2\sqrt2$ both are made of $e_{ij} = w_{ij}e^{-t^2}$: $J = \sum e\,e^{t^2}\mathrm{erfc}(t)$ and
/// $q = e/(\sqrt{2\pi}\,\delta J)$. Only ratios of e occur.
fn ln_bound(points: &Points, squared: &Array2<f64>) -> (f64, Array2<f64>) {
    let classes = points.classes();
    let ln_e = |i: usize, j: usize| points.ln_weights[[i, j]] - squared[[i, j]] / 8.0;
    let pairs = || (1..classes).flat_map(|i| (0..i).map(move |j| (i, j)));
    let most = pairs().map(|(i, j)| ln_e(i, j)).fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    let mut q = Array2::zeros(squared.dim());
    for (i, j) in pairs() {
        let ratio = ln_e(i, j) - most;
        // Beside the likeliest pair.
        if ratio < tolerance::NEGLIGIBLE_LOG {
            continue;
        }
        let e = ratio.exp();
        sum += e * scaled_tail((squared[[i, j]] / 8.0).sqrt());
        // A pair in one place has no direction in which it would part.
        if squared[[i, j]] > 0.0 {
            q[[i, j]] = e / (SQRT_2 * PI.sqrt() * squared[[i, j]].sqrt());
        }
    }
    for (i, j) in pairs() {
        q[[i, j]] /= sum;
        q[[j, i]] = q[[i, j]];
    }
    (most + sum.ln(), q)
}

impl Bound for PairwiseBound<'_> {
    fn at(&self, p: ArrayView2<'_, f64>) -> (f64, Array2<f64>) {
        let y = multiply(self.points.u.view(), p);
        let (value, q) = ln_bound(self.points, &squared_distances(y.view()));
        (value, -self.points.scatter(&q, y.view()))
    }
}

impl Bound for NestedBound<'_> {
    fn at(&self, p: ArrayView2<'_, f64>) -> (f64, Array2<f64>) {
        let y = multiply(self.points.u.view(), p);
        let (values, weights): (Vec<f64>, Vec<Array2<f64>>) =
            prefixes(y.view()).map(|squared| ln_bound(self.points, &squared)).unzip();
        let (mean, shares) = self.mean(&values);
        // Feature k is in every prefix from the k-th on: one sum of weights for each, from the last one back.
        let mut gradient = Array2::<f64>::zeros(p.dim());
        let mut q = Array2::<f64>::zeros((y.nrows(), y.nrows()));
        for (k, (own, share)) in weights.iter().zip(&shares).enumerate().rev() {
            q.scaled_add(*share, own);
            gradient.slice_mut(s![.., k..=k]).assign(&-self.points.scatter(&q, y.slice(s![.., k..=k])));
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
                let (value, gradient) = bound.at(p.view());
                for ((i, k), g) in gradient.indexed_iter() {
                    let h = 1e-5;
                    let moved = |by: f64| {
                        let mut p = p.clone();
                        p[[i, k]] += by;
                        bound.at(p.view()).0
                    };
                    let difference = (moved(h) - moved(-h)) / (2.0 * h);
                    assert!((g - difference).abs() <= 1e-5 * (1.0 + g.abs() + value.abs()), "{g} {difference}");
                }
            }
        }
    }

    #[test]
    fn the_tail_has_no_seam() {
        for t in [5.999_999_999, 6.000_000_001_f64] {
            let direct = libm::erfc(t) * (t * t).exp();
            assert!((scaled_tail(t) / direct - 1.0).abs() < 1e-13, "{t}");
        }
        assert_eq!(scaled_tail(0.0), 1.0);
        // Two terms of the asymptotic series.
        let t = 1e4_f64;
        assert!((scaled_tail(t) * t * PI.sqrt() - (1.0 - 0.5 / (t * t))).abs() < 1e-15);
    }

    #[test]
    fn the_bound_is_its_definition() {
        let points = points(7, 1.5, 8);
        let p = Array2::from_shape_fn((6, 3), |(i, k)| ((i + 2 * k) as f64).sin());
        let squared = squared_distances(multiply(points.u.view(), p.view()).view());
        let mut expected = 0.0;
        for i in 0..7 {
            for j in 0..i {
                // Φ(−δ/2)
                expected += 2.0 * points.weights[[i, j]] * libm::erfc((squared[[i, j]] / 8.0).sqrt()) / 2.0;
            }
        }
        let (value, _) = PairwiseBound { points: &points }.at(p.view());
        assert!((value - expected.ln()).abs() < 1e-14, "{value} {}", expected.ln());
    }
}
