//! A few extreme eigenpairs of a large symmetric matrix.

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::cholesky::{cholesky_in_place_lower, solve_lower, solve_lower_transposed};
use super::convert::{as_faer, to_ndarray};
use super::eigen::{SymmetricEigen, largest_magnitude, power_of_two_scale, symmetric_eigen};
use super::product::multiply;
use super::tolerance;
use super::upper_halves::ClearedUpperHalves;
use crate::{Error, Result};

/// Below this size, or from this share of all pairs on, the full decomposition is faster.
const SMALL: usize = 400;
const SHARE: usize = 8;

/// Vectors beyond the wanted ones in a block: they speed up the convergence of the last wanted ones.
const SPARE: usize = 8;

/// Blocks of the Krylov space before it is compressed, and how often it may be compressed.
const BLOCKS: usize = 8;
const RESTARTS: usize = 40;

/// Bytes that `count` pairs of an n×n matrix take beside the matrix: its scaled copy, and the Krylov space and its image
/// while they grow; or the full decomposition.
pub fn partial_eigen_bytes(n: usize, count: usize) -> usize {
    let columns = if n < SMALL || count.saturating_mul(SHARE) > n { 2 * n } else { n + 4 * BLOCKS * (count + SPARE) };
    size_of::<f64>().saturating_mul(n).saturating_mul(columns)
}

/// The `count` largest eigenvalues, in ascending order as always, and their eigenvectors. Both triangles of `a` are read.
///
/// Block Krylov with full orthogonalisation and Rayleigh–Ritz, started from a fixed seed; every pair's residual is
/// checked, and if some do not converge the full decomposition takes over.
///
/// # Errors
/// [`Error::Factorisation`] if an entry is not finite or the full decomposition fails.
pub fn largest_eigenpairs(a: ArrayView2<'_, f64>, count: usize) -> Result<SymmetricEigen> {
    let n = a.nrows();
    let count = count.min(n);
    let found = scaled_pairs(a, count, |a| {
        let pairs = block_krylov(n, count, |block| multiply(a.view(), block))?;
        has_small_residual(a.view(), &pairs).then_some(pairs)
    })?;
    if let Some(pairs) = found {
        return Ok(pairs);
    }
    let full = symmetric_eigen(a)?;
    let (values, vectors) = (full.values.slice(s![n - count..]), full.vectors.slice(s![.., n - count..]));
    Ok(SymmetricEigen { values: values.to_owned(), vectors: vectors.to_owned() })
}

/// The `count` smallest eigenvalues of a positive semidefinite matrix, ascending, and their eigenvectors. Both triangles
/// of `a` are read.
///
/// They are the largest of the inverse, applied through a Cholesky factor of the slightly shifted matrix.
///
/// # Errors
/// [`Error::Factorisation`] if an entry is not finite or the full decomposition fails.
pub fn smallest_eigenpairs(a: ArrayView2<'_, f64>, count: usize) -> Result<SymmetricEigen> {
    let count = count.min(a.nrows());
    if let Some(pairs) = scaled_pairs(a, count, |a| smallest_by_inverse(a, count))? {
        return Ok(pairs);
    }
    let full = symmetric_eigen(a)?;
    let (values, vectors) = (full.values.slice(s![..count]), full.vectors.slice(s![.., ..count]));
    Ok(SymmetricEigen { values: values.to_owned(), vectors: vectors.to_owned() })
}

/// What `find` makes of the matrix, scaled by a power of two to magnitude 1, if the matrix is large and few pairs are
/// wanted.
fn scaled_pairs(
    a: ArrayView2<'_, f64>,
    count: usize,
    find: impl FnOnce(&Array2<f64>) -> Option<SymmetricEigen>,
) -> Result<Option<SymmetricEigen>> {
    if a.nrows() < SMALL || count * SHARE > a.nrows() {
        return Ok(None);
    }
    let failed = Error::Factorisation { what: "partial eigendecomposition", size: a.nrows() };
    let largest = largest_magnitude(a).ok_or(failed)?;
    if largest == 0.0 {
        return Ok(None);
    }
    let (down, up) = power_of_two_scale(largest);
    let found = find(&a.mapv(|x| x * down.0 * down.1));
    Ok(found.map(|mut pairs| {
        pairs.values.mapv_inplace(|x| x * up.0 * up.1);
        pairs
    }))
}

fn smallest_by_inverse(a: &Array2<f64>, count: usize) -> Option<SymmetricEigen> {
    let n = a.nrows();
    // Keeps the factor of a singular matrix positive definite and moves no eigenvector.
    let shift = tolerance::INVERSE_SHIFT * a.diag().mean()?;
    let mut factor = a.clone();
    factor.diag_mut().mapv_inplace(|x| x + shift);
    if shift <= 0.0 || !cholesky_in_place_lower(&mut factor) {
        return None;
    }
    let inverse = |block: ArrayView2<'_, f64>| {
        let mut solved = super::lower_product::zeros(n, block.ncols());
        solved.assign(&block);
        solve_lower(factor.view(), &mut solved);
        solve_lower_transposed(factor.view(), &mut solved);
        solved
    };
    let (_, vectors) = block_krylov(n, count, inverse)?.descending();
    // Rayleigh quotients of the matrix itself: inverting eigenvalues of the inverse would lose the digits of the shift.
    let image = multiply(a.view(), vectors.view());
    let small = symmetric_eigen(multiply(vectors.t(), image.view()).view()).ok()?;
    let pairs = SymmetricEigen { values: small.values, vectors: multiply(vectors.view(), small.vectors.view()) };
    has_small_residual(a.view(), &pairs).then_some(pairs)
}

/// The `count` largest pairs of the symmetric operator, ascending, or `None` if they do not settle.
fn block_krylov(n: usize, count: usize, apply: impl Fn(ArrayView2<'_, f64>) -> Array2<f64>) -> Option<SymmetricEigen> {
    let width = count + SPARE;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x9e37_79b9);
    let start = Array2::from_shape_simple_fn((n, width), || random.random::<f64>() - 0.5);
    let mut basis = orthonormal(start.view());
    let mut image = apply(basis.view());
    for _ in 0..RESTARTS {
        for _ in 1..BLOCKS {
            let last = image.ncols() - width.min(image.ncols());
            let next = orthonormal_beyond(image.slice(s![.., last..]), basis.view());
            if next.ncols() == 0 {
                break;
            }
            let mapped = apply(next.view());
            basis = concatenate(Axis(1), &[basis.view(), next.view()]).ok()?;
            image = concatenate(Axis(1), &[image.view(), mapped.view()]).ok()?;
        }
        let small = symmetric_eigen(multiply(basis.t(), image.view()).view()).ok()?;
        let kept = width.min(small.values.len());
        let order: Vec<usize> = (0..small.values.len()).rev().take(kept).collect();
        let rotation = small.vectors.select(Axis(1), &order);
        let values: Array1<f64> = small.values.select(Axis(0), &order);
        basis = multiply(basis.view(), rotation.view());
        image = multiply(image.view(), rotation.view());
        let norm = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let residual = (0..count).map(|j| {
            let off = &image.column(j) - &(&basis.column(j) * values[j]);
            off.dot(&off).sqrt()
        });
        if residual.fold(0.0, f64::max) <= tolerance::EIGEN_RESIDUAL * norm {
            let ascending: Vec<usize> = (0..count).rev().collect();
            let vectors = basis.select(Axis(1), &ascending);
            return Some(SymmetricEigen { values: values.select(Axis(0), &ascending), vectors });
        }
    }
    None
}

/// An orthonormal basis of what the columns of `block` add to the orthonormal columns of `basis`.
fn orthonormal_beyond(block: ArrayView2<'_, f64>, basis: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut rest = block.to_owned();
    // Twice: the first pass leaves a share of round-off that the second removes.
    for _ in 0..2 {
        rest = &rest - &multiply(basis, multiply(basis.t(), rest.view()).view());
        rest = orthonormal(rest.view());
    }
    let along = multiply(basis.t(), rest.view());
    let clean: Vec<usize> =
        (0..rest.ncols()).filter(|&j| along.column(j).dot(&along.column(j)) <= tolerance::ORTHOGONAL.powi(2)).collect();
    rest.select(Axis(1), &clean)
}

fn orthonormal(a: ArrayView2<'_, f64>) -> Array2<f64> {
    let _cleared = ClearedUpperHalves;
    to_ndarray(as_faer(a).qr().compute_thin_Q().as_ref())
}

fn has_small_residual(a: ArrayView2<'_, f64>, pairs: &SymmetricEigen) -> bool {
    let off = multiply(a, pairs.vectors.view()) - &pairs.vectors * &pairs.values;
    let norm = a.outer_iter().map(|row| row.dot(&row)).sum::<f64>().sqrt();
    off.axis_iter(Axis(1)).all(|r| r.dot(&r).sqrt() <= tolerance::EIGEN_RESIDUAL * norm)
}
