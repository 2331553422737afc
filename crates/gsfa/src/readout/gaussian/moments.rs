//! Means and shrunk covariances of the classes, in standardised coordinates.

use ndarray::{Array1, Array2, Array3, ArrayView1, ArrayView2, Axis};
use rayon::prelude::*;

use crate::Result;
use crate::graph::Grouping;
use crate::linalg::{symmetric_eigen, tolerance};

/// What is needed to evaluate all Gaussians.
pub struct Gaussians {
    /// C×d.
    pub means: Array2<f64>,
    /// C×d×d: matrices $U_c$ with $U_c^T U_c = \Sigma_c^{-1}$, zero for constant features.
    pub whitening: Array3<f64>,
    /// $\ln\pi_c - \tfrac12\ln\det\Sigma_c$.
    pub log_weights: Array1<f64>,
}

struct ClassMoments {
    weight: f64,
    effective_size: f64,
    mean: Array1<f64>,
    covariance: Array2<f64>,
}

impl Gaussians {
    /// `pull` is the strength κ of the pooled covariance, in samples; `None` leaves nothing else.
    pub fn fit(z: ArrayView2<'_, f64>, grouping: &Grouping, weights: &[f64], pull: Option<f64>) -> Result<Self> {
        let d = z.ncols();
        let live: Vec<usize> = (0..d).filter(|&i| z.column(i).iter().any(|&x| x != 0.0)).collect();
        let (members, starts) = grouping.members();
        // Classes in parallel, each sequentially in the order of its samples: the same bits for any number of threads.
        let classes: Vec<ClassMoments> =
            starts.par_windows(2).map(|range| class_moments(z, &members[range[0]..range[1]], weights)).collect();
        let total: f64 = classes.iter().map(|class| class.weight).sum();
        let pooled = pooled_covariance(&classes, total, d);

        let spreads: Vec<Result<(Array2<f64>, f64)>> = match pull {
            Some(pull) => classes.par_iter().map(|class| whiten(&shrunk(class, &pooled, pull), &live)).collect(),
            None => {
                let one = whiten(&pooled, &live)?;
                classes.iter().map(|_| Ok(one.clone())).collect()
            }
        };
        let mut whitening = Array3::zeros((classes.len(), d, d));
        let mut log_weights = Array1::zeros(classes.len());
        let mut means = Array2::zeros((classes.len(), d));
        for (c, (class, spread)) in classes.iter().zip(spreads).enumerate() {
            let (factor, log_determinant) = spread?;
            whitening.index_axis_mut(Axis(0), c).assign(&factor);
            log_weights[c] = (class.weight / total).ln() - 0.5 * log_determinant;
            means.row_mut(c).assign(&class.mean);
        }
        Ok(Self { means, whitening, log_weights })
    }
}

fn class_moments(z: ArrayView2<'_, f64>, members: &[u32], weights: &[f64]) -> ClassMoments {
    let d = z.ncols();
    let weight: f64 = members.iter().map(|&n| weights[n as usize]).sum();
    let mut mean = Array1::zeros(d);
    for &n in members {
        mean.scaled_add(weights[n as usize] / weight, &z.row(n as usize));
    }
    let mut covariance = Array2::<f64>::zeros((d, d));
    let mut centered = vec![0.0; d];
    for &n in members {
        let share = weights[n as usize] / weight;
        for (out, (&x, &m)) in centered.iter_mut().zip(z.row(n as usize).iter().zip(&mean)) {
            *out = x - m;
        }
        for (i, &x) in centered.iter().enumerate() {
            for (out, &y) in covariance.row_mut(i).iter_mut().zip(&centered) {
                *out += share * x * y;
            }
        }
    }
    ClassMoments { weight, effective_size: effective_size(z, members, weights), mean, covariance }
}

/// Kish's effective number of samples, (Σa)²/Σa², after the weights of equal feature vectors are added up.
pub fn effective_size(z: ArrayView2<'_, f64>, members: &[u32], weights: &[f64]) -> f64 {
    let order = |a: ArrayView1<'_, f64>, b: ArrayView1<'_, f64>| {
        a.iter().zip(b).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    };
    let row = |n: u32| z.row(n as usize);
    let mut sorted = members.to_vec();
    sorted.sort_by(|&a, &b| order(row(a), row(b)).then(a.cmp(&b)));
    let (mut sum, mut squares) = (0.0, 0.0);
    for equal in sorted.chunk_by(|&a, &b| order(row(a), row(b)).is_eq()) {
        let weight: f64 = equal.iter().map(|&n| weights[n as usize]).sum();
        sum += weight;
        squares += weight * weight;
    }
    sum * sum / squares
}

/// Σ π_c S_c without the bias of having fitted C means: divided by 1 − Σ π_c/n_c (1 − C/N for equal weights). Zero if
/// no class has two different samples; the floor of the variances then makes the nearest mean win.
fn pooled_covariance(classes: &[ClassMoments], total: f64, d: usize) -> Array2<f64> {
    let mut pooled = Array2::zeros((d, d));
    let mut freedom = 1.0;
    for class in classes {
        let share = class.weight / total;
        pooled.scaled_add(share, &class.covariance);
        freedom -= share / class.effective_size;
    }
    if freedom > tolerance::sum(classes.len()) {
        pooled /= freedom;
    }
    pooled
}

fn shrunk(class: &ClassMoments, pooled: &Array2<f64>, pull: f64) -> Array2<f64> {
    let n = class.effective_size;
    // Without any pull a single sample still has no covariance of its own.
    let denominator = n - 1.0 + pull;
    if denominator <= tolerance::sum(1) {
        return pooled.clone();
    }
    (&class.covariance * n + pooled * pull) / denominator
}

/// $U$ with $U^T U = \Sigma^{-1}$ over the live features, and ln det Σ.
fn whiten(covariance: &Array2<f64>, live: &[usize]) -> Result<(Array2<f64>, f64)> {
    let d = covariance.nrows();
    let inner = Array2::from_shape_fn((live.len(), live.len()), |(i, j)| covariance[[live[i], live[j]]]);
    let eigen = symmetric_eigen(inner.view())?;
    let mut factor = Array2::zeros((d, d));
    let mut log_determinant = 0.0;
    for (k, (&value, vector)) in eigen.values.iter().zip(eigen.vectors.columns()).enumerate() {
        let variance = value.max(tolerance::CLASS_VARIANCE);
        log_determinant += variance.ln();
        for (&i, &entry) in live.iter().zip(vector) {
            factor[[k, i]] = entry / variance.sqrt();
        }
    }
    Ok((factor, log_determinant))
}
