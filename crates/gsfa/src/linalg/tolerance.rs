//! Every tolerance of the crate. They are relative; callers multiply by the scale of what they compare.

/// Unit round-off distance of f64.
pub const EPSILON: f64 = f64::EPSILON;

/// A label whose remainder after removing earlier ones is below this share of its own deviation is dependent.
///
/// Decorrelating amplifies errors by its inverse; at 1e-8 half of the digits are left.
pub const DEPENDENT_LABEL: f64 = 1e-8;

/// A label whose deviation is below this share of its magnitude is constant.
pub const CONSTANT_LABEL: f64 = 1e-12;

/// Delta values closer than this, relative to the scale 2 of noise, are taken as equal.
pub const EQUAL_DELTA: f64 = 1e-9;

/// Round-off of a sum of `n` terms of magnitude up to 1: errors of a fixed order of summation grow like √n.
pub fn sum(n: usize) -> f64 {
    8.0 * EPSILON * (n as f64).sqrt().max(1.0)
}

/// Below this share of the largest eigenvalue an eigenvalue of an n×n matrix is round-off.
pub fn rank(n: usize) -> f64 {
    8.0 * EPSILON * (n as f64).max(1.0)
}

/// An edge weight below this share of the sum of its terms' magnitudes is a cancelled zero: no edge.
pub fn edge(terms: usize) -> f64 {
    64.0 * EPSILON * (terms as f64).max(1.0)
}

/// Relative violation of consistency `[eq:consistency]` that summation over `n` vertices explains.
pub fn consistency(n: usize) -> f64 {
    64.0 * EPSILON * (n as f64).sqrt().max(1.0)
}

/// Residual ‖Ay − μy‖ relative to ‖A‖ at which an iterative eigensolver may stop.
pub const EIGEN_RESIDUAL: f64 = 1e-11;

/// Smallest variance of a class in any direction, as share of the overall variance of the features: below it, a
/// deviation of 1e-4, a class counts as a point.
pub const CLASS_VARIANCE: f64 = 1e-8;
