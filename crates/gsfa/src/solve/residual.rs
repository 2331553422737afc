//! Surplus outputs: principal components of what the features leave, or arbitrary directions.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::whitening::Whitening;
use crate::Result;
use crate::linalg::lower_product::symmetrize;
use crate::linalg::{largest_eigenpairs, multiply, symmetric_eigen, tolerance};
use crate::moments::Centered;

/// Up to `count` orthonormal directions in whitened inputs, orthogonal to `features`, by decreasing variance of the
/// residual principal component they belong to.
///
/// The residual covariance is $C_r = C - C W W^T C = K(1 - VV^T)K^T$ with $W = K^{-T}V$ all features off the level; its
/// eigenvectors p give $w = p - W W^T C p \propto K^{-T}u$ with $u = (1 - VV^T)K^T p$. It is taken in the units of the
/// inputs, and therefore invariant under rotations only.
pub(super) fn residual_directions(
    moments: &Centered,
    whitening: &Whitening,
    features: ArrayView2<'_, f64>,
    count: usize,
) -> Result<Array2<f64>> {
    let rank = whitening.rank();
    let largest = moments.scales.iter().copied().fold(f64::INFINITY, f64::min);
    let units: Vec<f64> = whitening.live().iter().map(|&i| largest / moments.scales[i]).collect();
    let count = count.min(rank - features.ncols());
    let mut found = Found { vectors: Array2::zeros((rank, features.ncols() + count)), known: features.ncols() };
    found.vectors.slice_mut(s![.., ..features.ncols()]).assign(&features);
    if count > 0 {
        let images = match moments.rotation.as_ref().and_then(|rotation| rotation.stretched.as_ref()) {
            Some((variance, gram)) => {
                let units: Vec<f64> = whitening.live().iter().map(|&i| moments.scales[i].recip()).collect();
                images_of_inputs(whitening, &units, (*variance, gram), features, count)?
            }
            None => images_of_components(moments, whitening, &units, features, count)?,
        };
        for image in images.axis_iter(Axis(1)) {
            found.push(image.to_owned());
        }
        found.complete();
    }
    Ok(found.vectors.slice(s![.., features.ncols()..]).to_owned())
}

/// Up to `count` orthonormal directions in whitened inputs, orthogonal to `features`: always the same draws.
pub(super) fn arbitrary_directions(rank: usize, features: ArrayView2<'_, f64>, count: usize) -> Array2<f64> {
    let count = count.min(rank - features.ncols());
    let mut found = Found { vectors: Array2::zeros((rank, features.ncols() + count)), known: features.ncols() };
    found.vectors.slice_mut(s![.., ..features.ncols()]).assign(&features);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    for _ in 0..count {
        found.push((0..rank).map(|_| random.random::<f64>() - 0.5).collect());
    }
    found.complete();
    found.vectors.slice(s![.., features.ncols()..]).to_owned()
}

/// $K^Tp$ of the principal components p of the residual.
fn images_of_components(
    moments: &Centered,
    whitening: &Whitening,
    units: &[f64],
    features: ArrayView2<'_, f64>,
    count: usize,
) -> Result<Array2<f64>> {
    let covariance = whitening.covariance(moments, units);
    let explained = whitening.color(units, features);
    let largest = covariance.diag().iter().copied().fold(0.0, f64::max);
    let residual = covariance - multiply(explained.view(), explained.t());
    let (values, vectors) = settled_pairs(residual.view(), count)?;
    let smallest = tolerance::residual_variance(whitening.rank()) * largest;
    let kept: Vec<usize> = (0..count).filter(|&k| values[k] > smallest).collect();
    Ok(whitening.color_transposed(units, vectors.select(Axis(1), &kept).view()))
}

/// The same where whitened inputs stand for more inputs than there are directions: with BK in place of K, u are the
/// eigenvectors of $(1 - VV^T)K^TB^TBK(1 - VV^T)$, which is no larger than there are directions. `variance` is the
/// largest of an input.
fn images_of_inputs(
    whitening: &Whitening,
    units: &[f64],
    (variance, gram): (f64, &Array2<f64>),
    features: ArrayView2<'_, f64>,
    count: usize,
) -> Result<Array2<f64>> {
    let rank = whitening.rank();
    let left = Array2::eye(rank) - multiply(features, features.t());
    let colored = whitening.color(units, left.view());
    let mut square = multiply(colored.t(), multiply(gram.view(), colored.view()).view());
    symmetrize(&mut square);
    let (values, vectors) = settled_pairs(square.view(), count)?;
    let smallest = tolerance::residual_variance(rank) * variance;
    let kept: Vec<usize> = (0..count).filter(|&k| values[k] > smallest).collect();
    Ok(vectors.select(Axis(1), &kept))
}

/// Inputs up to which components of equal variance are told apart by a rule.
const SETTLED: usize = 1024;

/// The largest eigenpairs, from the largest on, where components of equal variance are those that put most weight on the first inputs.
///
/// Features of the layer below are uncorrelated and of unit variance, so that all components of what they leave have the same:
/// without a rule, round-off would choose among them, otherwise for every order of summation.
pub(super) fn settled_pairs(residual: ArrayView2<'_, f64>, count: usize) -> Result<(Array1<f64>, Array2<f64>)> {
    let size = residual.nrows();
    let mut wanted = (count + 1).min(size);
    let (mut values, mut vectors) = largest_eigenpairs(residual, wanted)?.descending();
    let same = |values: &Array1<f64>, a: usize, b: usize| {
        (values[a] - values[b]).abs() <= tolerance::EQUAL_VARIANCE * values[0].abs()
    };
    // Whole sets of equal components are settled before the list is cut.
    while wanted < size && size <= SETTLED && same(&values, count - 1, wanted - 1) {
        wanted = (2 * wanted).min(size);
        (values, vectors) = largest_eigenpairs(residual, wanted)?.descending();
    }
    let mut from = 0;
    while from < wanted {
        let to = (from + 1..wanted).find(|&k| !same(&values, from, k)).unwrap_or(wanted);
        if to - from > 1 && (to < wanted || wanted == size) {
            let set = vectors.slice(s![.., from..to]).to_owned();
            let mut graded = set.clone();
            graded.outer_iter_mut().enumerate().for_each(|(i, mut row)| row *= i as f64 / size as f64);
            let order = symmetric_eigen(multiply(set.t(), graded.view()).view())?;
            vectors.slice_mut(s![.., from..to]).assign(&multiply(set.view(), order.vectors.view()));
        }
        from = to;
    }
    Ok((values, vectors))
}

struct Found {
    vectors: Array2<f64>,
    known: usize,
}

impl Found {
    /// Adds what is new in `u`, if that is more than round-off.
    fn push(&mut self, mut u: Array1<f64>) {
        let size = u.dot(&u).sqrt();
        if size == 0.0 || self.known == self.vectors.ncols() {
            return;
        }
        u /= size;
        let known = self.vectors.slice(s![.., ..self.known]);
        // Twice: the first pass leaves round-off that the second removes.
        for _ in 0..2 {
            u = &u - &known.dot(&known.t().dot(&u));
        }
        let left = u.dot(&u).sqrt();
        if left > tolerance::DEPENDENT_DIRECTION {
            self.vectors.column_mut(self.known).assign(&(u / left));
            self.known += 1;
        }
    }

    /// Directions whose variance is beneath the round-off of the largest: the whitened inputs that are farthest from all
    /// known directions, one after the other.
    fn complete(&mut self) {
        while self.known < self.vectors.ncols() {
            let explained = |i: usize| self.vectors.slice(s![i, ..self.known]).mapv(|x| x * x).sum();
            let farthest = (0..self.vectors.nrows()).min_by(|&i, &j| f64::total_cmp(&explained(i), &explained(j)));
            let before = self.known;
            let mut unit = Array1::zeros(self.vectors.nrows());
            if let Some(i) = farthest {
                unit[i] = 1.0;
            }
            self.push(unit);
            if self.known == before {
                break;
            }
        }
        let known = self.known;
        self.vectors = self.vectors.slice(s![.., ..known]).to_owned();
    }
}
