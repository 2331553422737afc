//! Every tolerance of the crate. They are relative; callers multiply by the scale of what they compare.

/// Unit round-off distance of f64.
pub const EPSILON: f64 = f64::EPSILON;

/// A label whose remainder after removing earlier ones is below this share of its own deviation is dependent.
///
/// Decorrelating amplifies errors by its inverse; at 1e-8 half of the digits are left.
pub const DEPENDENT_LABEL: f64 = 1e-8;

/// A label whose deviation is below this share of its magnitude is constant.
pub const CONSTANT_LABEL: f64 = 1e-12;

/// What the rounding of raw values explains of a normalised label, with a margin of a hundred.
///
/// An offset of 1e8 deviations leaves eight digits: two labels that agree in six of them are dependent. The margin makes
/// sure that the remainder of a label that is kept comes from the label, to two digits at least.
pub fn label_rounding(magnitude: f64, deviation: f64) -> f64 {
    64.0 * EPSILON * (magnitude / deviation)
}

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

/// Eigenvalues found along different routes (closed forms, small problems) that agree to this share are the same one.
pub const SAME_VALUE: f64 = 1e-12;

/// Shares, weights or edges that agree to this share of their size were meant to be equal or proportional.
pub const PROPORTIONAL: f64 = 64.0 * EPSILON;

/// A response below this share of its largest magnitude is too small to carry a sign.
pub const NEGLIGIBLE_RESPONSE: f64 = 1e-6;

/// A vertex at which a set of responses is below this share of its largest magnitude does not fix its basis.
pub const BASIS_PIVOT: f64 = 1e-3;

/// A Lanczos vector that leaves less than this share of the operator's norm has closed an invariant subspace.
pub const INVARIANT: f64 = 64.0 * EPSILON;

/// Residual, relative to the operator's norm, that suffices to see that an eigenvalue is clearly not among the wanted.
pub const GLANCE_RESIDUAL: f64 = 1e-6;

/// Residual of a factorisation of a matrix with `n` rows, relative to its norm, above which it counts as failed.
pub fn factorisation(n: usize) -> f64 {
    256.0 * EPSILON * (n as f64).sqrt().max(1.0)
}

/// A smallest eigenvalue of a correlation matrix below this is round-off, of samples with the given `epsilon` or of the
/// factorisation: the rank is in doubt.
pub fn full_rank(epsilon: f64, n: usize) -> f64 {
    epsilon.max(8.0 * EPSILON) * (n as f64).max(1.0)
}

/// An eigenvalue of an n×n correlation matrix (mean eigenvalue 1) below this belongs to a direction without variance.
///
/// Either it is what rounding samples of the given `epsilon` leaves, or round-off of the decomposition itself.
pub fn no_variance(epsilon: f64, n: usize, largest: f64) -> f64 {
    full_rank(epsilon, n).max(rank(n) * largest)
}

/// A column whose deviation is below this share of its mean is constant: the deviation is rounding of the samples.
pub fn constant_column(epsilon: f64) -> f64 {
    4.0 * epsilon
}

/// What is left of a unit vector after projection, below which it counts as dependent.
pub const DEPENDENT_DIRECTION: f64 = 1e-6;

/// What is left of a column after projection, as share of the most that is left of any, below which it counts as
/// dependent on those before it.
pub const DEPENDENT_COLUMN: f64 = 1e-10;

/// Principal components of a residual below this share of the largest variance are round-off.
pub fn residual_variance(n: usize) -> f64 {
    64.0 * rank(n)
}

/// Variances closer than this share of the largest are taken as equal.
pub const EQUAL_VARIANCE: f64 = 1e-9;

/// A correlation with a label smaller than this carries no sign.
pub const NO_CORRELATION: f64 = 1e-9;

/// Unit vectors whose product is below this are orthogonal.
pub const ORTHOGONAL: f64 = 1e-10;

/// Share of the mean eigenvalue added before a semidefinite matrix is inverted to find its smallest eigenpairs.
pub const INVERSE_SHIFT: f64 = 1e-3;

/// Smallest variance of a class in any direction, as share of the overall variance of the features: below it, a
/// deviation of 1e-4, a class counts as a point.
pub const CLASS_VARIANCE: f64 = 1e-8;

/// The least variance within classes of a canonical feature of unit variance: below it, training samples are told apart
/// exactly, and the distance between classes says nothing about others.
pub const WITHIN_CLASS: f64 = 1e-9;

/// The logarithm of a share of a sum that is beneath its round-off.
pub const NEGLIGIBLE_LOG: f64 = -45.0;
