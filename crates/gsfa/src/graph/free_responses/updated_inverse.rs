//! The inverse of a narrow matrix less a few columns.

use ndarray::{Array1, Array2};

use super::low_rank_update::Split;
use crate::Result;
use crate::linalg::dot::{add_scaled, dot, norm};
use crate::linalg::laplacian::BandedLaplacian;
use crate::linalg::{symmetric_eigen, tolerance};

/// The inverse of $L - \kappa V + sV$ on responses of weighted mean zero, for L in the form of a [`Split`].
///
/// With $P = [U\;v]$, $D = \mathrm{Diag}(\pm 1, 0)$ and G the inverse of $K + sV$, the y of mean zero with
/// $(K + sV - U\,\mathrm{Diag}(\pm 1)\,U^T)y = b$ up to a multiple of v is $Gb + GPq$, where
/// $(P^TGP - D)\,q = -(GP)^Tb$. If K has the constant as a vector without image, and s is 0, the multiple of v is known
/// beforehand: b, like all columns of U, must sum to zero. Then $P = U$, and G is the inverse with one vertex grounded.
pub(super) struct UpdatedInverse<'s> {
    split: &'s Split,
    root: Vec<f64>,
    narrow: BandedLaplacian,
    /// GP.
    columns: Vec<Vec<f64>>,
    /// Whether right-hand sides must sum to zero.
    loose: bool,
    /// The inverse of the small system.
    system: Array2<f64>,
    values_below: usize,
    /// $V^{1/2}y$ of the responses y at the level itself, where there is no inverse: it is taken beside them.
    at_level: Vec<Vec<f64>>,
}

impl<'s> UpdatedInverse<'s> {
    /// The largest share of a column in V: no μ lies farther below κ.
    pub fn largest_shift(split: &Split) -> Result<f64> {
        let positive: Vec<&Vec<f64>> =
            split.columns.iter().zip(&split.signs).filter(|(_, sign)| **sign > 0.0).map(|(u, _)| u).collect();
        let scaled: Vec<Vec<f64>> =
            positive.iter().map(|u| u.iter().zip(&split.weights).map(|(u, v)| u / v.sqrt()).collect()).collect();
        if scaled.is_empty() {
            return Ok(0.0);
        }
        let gram = symmetric(scaled.len(), |i, j| dot(&scaled[i], &scaled[j]));
        Ok(symmetric_eigen(gram.view())?.values.iter().copied().fold(0.0, f64::max))
    }

    /// The inverse at a level s.
    pub fn at(split: &'s Split, level: f64) -> Result<Self> {
        let size = split.weights.len();
        let mut place = vec![0_usize; size];
        split.order.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k);
        let mut banded = vec![0.0; size * split.band];
        for (i, &at) in place.iter().enumerate() {
            for (j, w) in split.edges.row(i).filter(|&(j, _)| place[j] > at) {
                banded[at * split.band + place[j] - at - 1] = w;
            }
        }
        let ground = split.excess.iter().zip(&split.weights).map(|(excess, v)| excess + level * v).collect();
        let narrow = BandedLaplacian::factor_grounded(banded, ground, split.band);
        let loose = level == 0.0 && split.loose > 0;
        let constraint = (!loose).then_some(&split.weights);
        let given: Vec<&Vec<f64>> = split.columns.iter().chain(constraint).collect();
        let columns: Vec<Vec<f64>> = given
            .iter()
            .map(|column| {
                let mut solved = column.to_vec();
                narrow.solve(&mut solved);
                solved
            })
            .collect();
        let sign = |i: usize| split.signs.get(i).copied().unwrap_or(0.0);
        let entry = |i: usize, j: usize| dot(given[i], &columns[j]) - if i == j { sign(i) } else { 0.0 };
        let eigen = symmetric_eigen(symmetric(columns.len(), entry).view())?;
        let largest = eigen.values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let negligible = tolerance::rank(columns.len()) * largest;
        // By Sylvester's law, for a bordered matrix eliminated in two orders.
        let positive = eigen.values.iter().filter(|x| **x > negligible).count();
        let negative_columns = split.signs.iter().filter(|sign| **sign < 0.0).count();
        let values_below = positive.saturating_sub(negative_columns + usize::from(!loose));
        let inverse = Array2::from_diag(&eigen.values.mapv(|x| if x.abs() > negligible { x.recip() } else { 0.0 }));
        let system = eigen.vectors.dot(&inverse).dot(&eigen.vectors.t());
        let root: Vec<f64> = split.weights.iter().map(|v| v.sqrt()).collect();
        let mut at_level: Vec<Vec<f64>> = Vec::new();
        for k in (0..columns.len()).filter(|&k| eigen.values[k].abs() <= negligible) {
            let mut z = vec![0.0; size];
            for (column, &coefficient) in columns.iter().zip(eigen.vectors.column(k)) {
                add_scaled(&mut z, coefficient, column);
            }
            z.iter_mut().zip(&root).for_each(|(z, r)| *z *= r);
            at_level.extend(remainder(z, std::iter::once(&root).chain(&at_level)));
        }
        Ok(Self { split, root, narrow, columns, loose, system, values_below, at_level })
    }

    /// Unit vectors $V^{1/2}y$ of the responses with μ = κ − s within round-off, which [`apply`](Self::apply) leaves out.
    pub fn at_level(&self) -> &[Vec<f64>] {
        &self.at_level
    }

    /// How many μ lie below κ − s.
    pub fn values_below(&self) -> usize {
        self.values_below
    }

    /// $V^{1/2}(L - \kappa V + sV)^{-1}V^{1/2}z$.
    pub fn apply(&self, z: &[f64], out: &mut [f64]) {
        for ((o, z), r) in out.iter_mut().zip(z).zip(&self.root) {
            *o = z * r;
        }
        let q: f64 = self.split.weights.iter().sum();
        if self.loose {
            let surplus = out.iter().sum::<f64>() / q;
            out.iter_mut().zip(&self.split.weights).for_each(|(o, v)| *o -= surplus * v);
        }
        let right: Array1<f64> = self.columns.iter().map(|column| -dot(column, out)).collect();
        let coefficients = self.system.dot(&right);
        self.narrow.solve(out);
        for (column, &coefficient) in self.columns.iter().zip(&coefficients) {
            add_scaled(out, coefficient, column);
        }
        let mean = dot(out, &self.split.weights) / q;
        out.iter_mut().zip(&self.root).for_each(|(o, r)| *o = (*o - mean) * r);
    }
}

/// What others leave of a vector, as a unit vector; nothing if it is a combination of them.
fn remainder<'a>(mut z: Vec<f64>, others: impl Iterator<Item = &'a Vec<f64>> + Clone) -> Option<Vec<f64>> {
    let before = norm(&z);
    for _ in 0..2 {
        for other in others.clone() {
            let along = dot(other, &z) / dot(other, other);
            add_scaled(&mut z, -along, other);
        }
    }
    let length = norm(&z);
    z.iter_mut().for_each(|z| *z /= length);
    (length > tolerance::DEPENDENT_DIRECTION * before).then_some(z)
}

/// A symmetric matrix from the entries of its lower triangle.
fn symmetric(size: usize, entry: impl Fn(usize, usize) -> f64) -> Array2<f64> {
    let mut matrix = Array2::zeros((size, size));
    for i in 0..size {
        for j in 0..=i {
            matrix[[i, j]] = entry(i, j);
            matrix[[j, i]] = matrix[[i, j]];
        }
    }
    matrix
}
