//! The largest eigenvalues of a symmetric operator: Lanczos iteration with thick restarts and full orthogonalisation.

use ndarray::{Array2, ArrayView2, s};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::dot::{add_scaled, dot, norm};
use super::{symmetric_eigen, tolerance};
use crate::{Error, Result};

/// Steps between looks at the residuals.
const LOOK_EVERY: usize = 8;

/// What to look for, and when to stop.
#[derive(Debug, Clone, Copy)]
pub struct Lanczos {
    /// How many eigenpairs.
    pub count: usize,
    /// Largest number of applications of the operator.
    pub max_iterations: usize,
    /// Residual at which a pair counts as found.
    pub residual: f64,
    /// Whether the residual is relative to each eigenvalue instead of to the operator's norm.
    pub relative: bool,
    /// Seed of the start vector.
    pub seed: u64,
    /// Named in the error.
    pub what: &'static str,
}

/// Eigenvalues in descending order with orthonormal eigenvectors.
#[derive(Debug, Clone)]
pub struct LargestPairs {
    /// Descending.
    pub values: Vec<f64>,
    /// One per value.
    pub vectors: Vec<Vec<f64>>,
    /// Residual norms of the pairs, as the iteration estimates them.
    pub residuals: Vec<f64>,
    /// Applications of the operator.
    pub iterations: usize,
}

impl Lanczos {
    /// The `count` largest eigenpairs of the operator `apply(x, out)` in the space orthogonal to `deflate`.
    ///
    /// One start vector sees each multiple eigenvalue once, but for round-off. So the pairs found are deflated and the
    /// iteration starts afresh from another vector, until nothing above the smallest of them turns up.
    ///
    /// # Errors
    /// [`Error::NotConverged`] with the residual reached.
    pub fn largest(
        &self,
        apply: &mut dyn FnMut(&[f64], &mut [f64]),
        deflate: Vec<Vec<f64>>,
        size: usize,
    ) -> Result<LargestPairs> {
        let mut found = self.run(apply, &deflate, size, None)?;
        let fixed = deflate.len();
        let mut blocked = deflate;
        loop {
            let wanted = found.values.len();
            if wanted == 0 || fixed + wanted >= size {
                return Ok(found);
            }
            blocked.truncate(fixed);
            blocked.extend(found.vectors.iter().cloned());
            let last = found.values[wanted - 1];
            let norm = found.values[0].abs().max(last.abs());
            let left = Self {
                count: 1,
                max_iterations: self.max_iterations.saturating_sub(found.iterations),
                residual: tolerance::GLANCE_RESIDUAL,
                relative: false,
                seed: self.seed.wrapping_add(found.iterations as u64 + 1),
                what: self.what,
            };
            let mut next = left.run(apply, &blocked, size, None)?;
            let doubtful = |next: &LargestPairs| next.values[0] + next.residuals[0] > last;
            if doubtful(&next) {
                let seen = next.iterations;
                let spent = found.iterations + seen;
                let exact = Self {
                    residual: self.residual,
                    relative: self.relative,
                    max_iterations: self.max_iterations.saturating_sub(spent),
                    ..left
                };
                next = exact.run(apply, &blocked, size, None)?;
                next.iterations += seen;
            }
            found.iterations += next.iterations;
            let unit = if self.relative { last.abs() } else { norm };
            if next.values[0] <= last + tolerance::EQUAL_DELTA * unit {
                return Ok(found);
            }
            let at = found.values.partition_point(|&x| x >= next.values[0]);
            found.values.insert(at, next.values[0]);
            found.vectors.insert(at, next.vectors.swap_remove(0));
            found.residuals.insert(at, next.residuals[0]);
            found.values.pop();
            found.vectors.pop();
            found.residuals.pop();
        }
    }

    /// Some eigenpairs above `floor`, at least one and at most `count`, in the space orthogonal to `deflate`: those that one
    /// start vector sees. For callers who know how many there are, and whose next ones lie too close to be found.
    ///
    /// # Errors
    /// [`Error::NotConverged`] with the residual reached.
    pub fn above(
        &self,
        floor: f64,
        apply: &mut dyn FnMut(&[f64], &mut [f64]),
        deflate: &[Vec<f64>],
        size: usize,
    ) -> Result<LargestPairs> {
        self.run(apply, deflate, size, Some(floor))
    }

    /// One sequence of restarts from one start vector. Its state is that of one loop: steps of their own would pass nearly all
    /// of it around.
    fn run(
        &self,
        apply: &mut dyn FnMut(&[f64], &mut [f64]),
        deflate: &[Vec<f64>],
        size: usize,
        floor: Option<f64>,
    ) -> Result<LargestPairs> {
        let space = size.saturating_sub(deflate.len());
        let count = self.count.min(space);
        if count == 0 {
            return Ok(LargestPairs { values: vec![], vectors: vec![], residuals: vec![], iterations: 0 });
        }
        // Twice the wanted pairs and some: memory is this many vectors.
        let width = (2 * count + 20).max(40).min(space);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut basis = vec![fresh(&mut random, size, deflate, &[])];
        let mut projected = Array2::<f64>::zeros((width, width));
        let mut filled = 0;
        let mut iterations = 0;
        let mut scale = 0.0_f64;
        let mut rest = vec![0.0; size];
        loop {
            rest.fill(0.0);
            apply(&basis[filled], &mut rest);
            iterations += 1;
            scale = scale.max(norm(&rest));
            let coefficients = orthogonalize(&mut rest, deflate, &basis);
            for (i, &c) in coefficients.iter().enumerate() {
                projected[[i, filled]] = c;
                projected[[filled, i]] = c;
            }
            filled += 1;
            let mut beta = norm(&rest);
            let full = filled == width;
            if full || (filled > count && filled.is_multiple_of(LOOK_EVERY)) {
                if filled == space {
                    beta = 0.0;
                }
                let ritz = self.ritz(projected.slice(s![..filled, ..filled]), count, beta)?;
                let (wanted, excess) = self.judged(&ritz, floor, scale);
                let done = wanted > 0 && excess <= self.residual;
                if !done && iterations >= self.max_iterations {
                    let (what, tolerance) = (self.what, self.residual);
                    return Err(Error::NotConverged { what, residual: excess, tolerance, iterations });
                }
                let keep = if done { wanted } else { count + (width - count) / 2 };
                if done || full {
                    basis = combine(&basis, keep, &ritz.vectors);
                }
                if done {
                    let (values, residuals) = (ritz.values[..wanted].to_vec(), ritz.residuals[..wanted].to_vec());
                    return Ok(LargestPairs { values, vectors: basis, residuals, iterations });
                }
                if full {
                    projected.fill(0.0);
                    for i in 0..keep {
                        projected[[i, i]] = ritz.values[i];
                    }
                    filled = keep;
                }
            }
            if beta <= tolerance::INVARIANT * scale {
                // The subspace is invariant: what else there is needs another start.
                let start = fresh(&mut random, size, deflate, &basis);
                basis.push(start);
            } else {
                basis.push(rest.iter().map(|x| x / beta).collect());
            }
        }
    }

    /// Eigenpairs within the basis, with what the `beta` outside of it leaves of the first `count`.
    fn ritz(&self, projected: ArrayView2<'_, f64>, count: usize, beta: f64) -> Result<Ritz> {
        let eigen = symmetric_eigen(projected)?;
        let vectors = eigen.vectors.slice_move(s![.., ..;-1]);
        let residuals = vectors.row(vectors.nrows() - 1).iter().take(count).map(|x| beta * x.abs()).collect();
        Ok(Ritz { values: eigen.values.iter().rev().copied().collect(), vectors, residuals })
    }

    /// How many pairs are looked for, and the largest of their residuals in units of what it is compared with.
    fn judged(&self, ritz: &Ritz, floor: Option<f64>, scale: f64) -> (usize, f64) {
        let count = ritz.residuals.len();
        let wanted = floor.map_or(count, |floor| ritz.values[..count].iter().take_while(|x| **x > floor).count());
        let unit = |i: usize| if self.relative { ritz.values[i].abs() } else { scale };
        let excess = (0..wanted).map(|i| ritz.residuals[i] / unit(i).max(f64::MIN_POSITIVE)).fold(0.0, f64::max);
        (wanted, excess)
    }
}

/// Eigenpairs of the operator within a basis, the largest first.
struct Ritz {
    values: Vec<f64>,
    /// As columns, in terms of the basis.
    vectors: Array2<f64>,
    /// Of the wanted ones.
    residuals: Vec<f64>,
}

/// A random unit vector orthogonal to everything known.
fn fresh(random: &mut Xoshiro256PlusPlus, size: usize, deflate: &[Vec<f64>], basis: &[Vec<f64>]) -> Vec<f64> {
    loop {
        let mut x: Vec<f64> = (0..size).map(|_| random.random::<f64>() - 0.5).collect();
        let before = norm(&x);
        orthogonalize(&mut x, deflate, basis);
        let after = norm(&x);
        if after > tolerance::DEPENDENT_LABEL * before || after.is_nan() {
            x.iter_mut().for_each(|x| *x /= after);
            // Once more: what little was left of the others has been magnified by the division.
            orthogonalize(&mut x, deflate, basis);
            let length = norm(&x);
            x.iter_mut().for_each(|x| *x /= length);
            return x;
        }
    }
}

/// Removes the components along both sets, twice, and returns those along `basis`.
fn orthogonalize(x: &mut [f64], deflate: &[Vec<f64>], basis: &[Vec<f64>]) -> Vec<f64> {
    let mut coefficients = vec![0.0; basis.len()];
    for _ in 0..2 {
        for d in deflate {
            let along = dot(d, x);
            add_scaled(x, -along, d);
        }
        for (c, b) in coefficients.iter_mut().zip(basis) {
            let along = dot(b, x);
            add_scaled(x, -along, b);
            *c += along;
        }
    }
    coefficients
}

/// The first `keep` combinations $\sum_k s_{ki} b_k$.
fn combine(basis: &[Vec<f64>], keep: usize, s: &Array2<f64>) -> Vec<Vec<f64>> {
    (0..keep)
        .map(|i| {
            let mut sum = vec![0.0; basis[0].len()];
            for (k, b) in basis.iter().enumerate() {
                add_scaled(&mut sum, s[[k, i]], b);
            }
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagonal(values: &[f64], count: usize) -> LargestPairs {
        let settings =
            Lanczos { count, max_iterations: 5000, residual: 1e-11, relative: false, seed: 3, what: "diagonal" };
        let mut apply = |x: &[f64], out: &mut [f64]| {
            for ((o, x), v) in out.iter_mut().zip(x).zip(values) {
                *o = x * v;
            }
        };
        settings.largest(&mut apply, vec![], values.len()).unwrap()
    }

    #[test]
    fn largest_values_are_found_with_their_multiplicity() {
        for n in [1, 2, 5, 39, 40, 41, 300] {
            let mut values: Vec<f64> = (0..n).map(|k| ((k * 37) % n) as f64 / n as f64).collect();
            // The largest value three times, and a negative half.
            values.iter_mut().take(3).for_each(|v| *v = 2.0);
            for v in values.iter_mut().skip(n / 2 + 3) {
                *v = -*v;
            }
            let count = n.min(6);
            let found = diagonal(&values, count);
            values.sort_by(|a, b| b.total_cmp(a));
            for (a, b) in found.values.iter().zip(&values) {
                assert!((a - b).abs() < 1e-10, "{n}: {:?} {:?}", found.values, &values[..count]);
            }
        }
    }

    #[test]
    fn constant_operator_gives_as_many_vectors_as_asked_for() {
        let found = diagonal(&[1.5; 60], 50);
        assert_eq!(found.values.len(), 50);
        assert!(found.values.iter().all(|v| (v - 1.5).abs() < 1e-13));
        for i in 0..50 {
            for j in 0..i {
                assert!(dot(&found.vectors[i], &found.vectors[j]).abs() < 1e-13);
            }
        }
    }
}
