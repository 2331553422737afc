//! Where no structure helps: a full eigendecomposition of small problems, Lanczos iteration for large ones.

use ndarray::Array2;

use super::by_components::Pairs;
use super::modes::{Mode, Reduced, Shape};
use super::{FreeResponseMethod, FreeResponseOptions, basis};
use crate::Result;
use crate::graph::Sparse;
use crate::graph::quotient::Quotient;
use crate::linalg::dot::dot;
use crate::linalg::lanczos::Lanczos;
use crate::linalg::{symmetric_eigen, tolerance};

/// A graph over cells whose edges are not listed.
pub(super) fn solve_structured(quotient: &Quotient, count: usize, options: &FreeResponseOptions) -> Result<Reduced> {
    let size = quotient.count();
    let (pairs, method) = if size <= options.dense_limit {
        let edges = Array2::from_shape_fn((size, size), |(i, j)| quotient.edge(i.max(j), i.min(j)).0);
        (dense(edges, &quotient.weights, count)?, FreeResponseMethod::Dense)
    } else {
        let degrees: Vec<f64> = quotient.rates.iter().zip(&quotient.weights).map(|(r, v)| r * v).collect();
        let mut multiply = |y: &[f64], out: &mut [f64]| quotient.multiply(y, out);
        (krylov(&mut multiply, &degrees, &quotient.weights, count, options)?, FreeResponseMethod::Krylov)
    };
    let modes = pairs.into_iter().map(|(mu, y)| Mode::new(mu, Shape::Cells(y))).collect();
    Ok(Reduced { modes, parts: Vec::new(), method })
}

/// The full eigendecomposition of a listed graph.
pub(super) fn dense_listed(edges: &Sparse, weights: &[f64], count: usize) -> Result<Pairs> {
    let mut matrix = Array2::zeros((weights.len(), weights.len()));
    for i in 0..weights.len() {
        edges.row(i).for_each(|(j, w)| matrix[[i, j]] = w);
    }
    dense(matrix, weights, count)
}

/// Lanczos iteration with a listed graph.
pub(super) fn krylov_listed(
    edges: &Sparse,
    weights: &[f64],
    count: usize,
    options: &FreeResponseOptions,
) -> Result<Pairs> {
    let degrees: Vec<f64> = (0..weights.len()).map(|i| edges.row(i).map(|(_, w)| w).sum()).collect();
    let mut multiply = |y: &[f64], out: &mut [f64]| {
        for (i, o) in out.iter_mut().enumerate() {
            *o = edges.row(i).map(|(j, w)| w * y[j]).sum();
        }
    };
    krylov(&mut multiply, &degrees, weights, count, options)
}

/// From the matrix of edge weights, whose diagonal is not looked at.
fn dense(mut edges: Array2<f64>, weights: &[f64], count: usize) -> Result<Pairs> {
    let root: Vec<f64> = weights.iter().map(|v| v.sqrt()).collect();
    let q: f64 = dot(&root, &root);
    let mut bound = 0.0_f64;
    for (i, mut row) in edges.outer_iter_mut().enumerate() {
        row[i] = 0.0;
        let degree: f64 = row.sum();
        let mut size = degree.abs() / weights[i];
        for (j, w) in row.iter_mut().enumerate() {
            *w = -*w / (root[i] * root[j]);
            size += w.abs();
        }
        row[i] = degree / weights[i];
        bound = bound.max(size);
    }
    // The constant is lifted above every other value, so that it comes last and cannot mix with those near 0.
    for ((i, j), a) in edges.indexed_iter_mut() {
        *a += 2.0 * bound * root[i] * root[j] / q;
    }
    let eigen = symmetric_eigen(edges.view())?;
    let same = |a: f64, b: f64| (a - b).abs() <= tolerance::EQUAL_DELTA * bound;
    // Whole sets of equal values are settled before the list is cut.
    let others = weights.len() - 1;
    let mut end = count;
    while end < others && same(eigen.values[end], eigen.values[count - 1]) {
        end += 1;
    }
    let mus: Vec<f64> = eigen.values.iter().take(end).copied().collect();
    let mut vectors: Vec<Vec<f64>> = (0..end).map(|j| eigen.vectors.column(j).to_vec()).collect();
    basis::settle(&mus, &mut vectors, same);
    let unscale = |z: Vec<f64>| z.iter().zip(&root).map(|(z, r)| z / r).collect();
    Ok(mus.into_iter().zip(vectors.into_iter().map(unscale)).take(count).collect())
}

/// The largest eigenvalues −μ of $V^{-1/2}(\Gamma - \mathrm{Diag}(\Gamma 1))V^{-1/2}$ off the constant.
fn krylov(
    multiply: &mut dyn FnMut(&[f64], &mut [f64]),
    degrees: &[f64],
    weights: &[f64],
    count: usize,
    options: &FreeResponseOptions,
) -> Result<Pairs> {
    let size = weights.len();
    let root: Vec<f64> = weights.iter().map(|v| v.sqrt()).collect();
    let length = dot(&root, &root).sqrt();
    let mut y = vec![0.0; size];
    let mut apply = |z: &[f64], out: &mut [f64]| {
        for ((y, z), r) in y.iter_mut().zip(z).zip(&root) {
            *y = z / r;
        }
        multiply(&y, out);
        for (((o, y), d), r) in out.iter_mut().zip(&y).zip(degrees).zip(&root) {
            *o = (*o - d * y) / r;
        }
    };
    let settings = Lanczos {
        count,
        max_iterations: options.max_iterations,
        residual: tolerance::EIGEN_RESIDUAL,
        relative: false,
        seed: 1,
        what: "Lanczos iteration for free responses",
    };
    let constant = root.iter().map(|r| r / length).collect();
    let found = settings.largest(&mut apply, vec![constant], size)?;
    let mus: Vec<f64> = found.values.iter().map(|theta| -theta).collect();
    let scale = degrees.iter().zip(weights).fold(0.0_f64, |m, (d, v)| m.max((d / v).abs()));
    let mut vectors = found.vectors;
    basis::settle(&mus, &mut vectors, |a, b| (a - b).abs() <= tolerance::EQUAL_DELTA * scale.max(a.abs()));
    let unscale = |z: Vec<f64>| z.iter().zip(&root).map(|(z, r)| z / r).collect();
    Ok(mus.into_iter().zip(vectors.into_iter().map(unscale)).collect())
}
