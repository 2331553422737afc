//! Inverse iteration for connected graphs of positive weights and small bandwidth.

use super::by_components::Pairs;
use super::reordering::{bandwidth, reverse_cuthill_mckee};
use super::{FreeResponseOptions, basis};
use crate::Result;
use crate::graph::Sparse;
use crate::linalg::dot::dot;
use crate::linalg::lanczos::Lanczos;
use crate::linalg::laplacian::BandedLaplacian;
use crate::linalg::tolerance;

/// Most products of the factorisation, $N b^2$: about half a minute.
const MOST_WORK: f64 = 5e10;
/// Most numbers in the factor, $N b$.
const MOST_MEMORY: f64 = 2e8;

/// The slowest responses through the largest eigenvalues 1/μ of $V^{1/2} L^+ V^{1/2}$; `None` if no numbering of the
/// vertices makes the band narrow enough.
///
/// Neighbouring values lie far apart there, and the factor of L has no cancellation, so μ is accurate relative to itself.
pub(super) fn solve(
    edges: &Sparse,
    weights: &[f64],
    count: usize,
    options: &FreeResponseOptions,
) -> Result<Option<Pairs>> {
    let size = weights.len();
    let Some((order, band)) = narrow_order(edges) else { return Ok(None) };
    let mut place = vec![0_usize; size];
    order.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k);
    let mut banded = vec![0.0; size * band];
    for (i, &at) in place.iter().enumerate() {
        for (j, w) in edges.row(i) {
            if place[j] > at {
                banded[at * band + place[j] - at - 1] = w;
            }
        }
    }
    let laplacian = BandedLaplacian::factor(banded, size, band);
    let v: Vec<f64> = order.iter().map(|&i| weights[i as usize]).collect();
    let root: Vec<f64> = v.iter().map(|v| v.sqrt()).collect();
    let q: f64 = dot(&root, &root);
    let ones = vec![1.0; size];
    let mut apply = |z: &[f64], out: &mut [f64]| {
        for ((o, z), r) in out.iter_mut().zip(z).zip(&root) {
            *o = z * r;
        }
        let surplus = dot(out, &ones) / q;
        out.iter_mut().zip(&v).for_each(|(o, v)| *o -= surplus * v);
        laplacian.solve(out);
        let mean = dot(out, &v) / q;
        out.iter_mut().zip(&root).for_each(|(o, r)| *o = (*o - mean) * r);
    };
    let constant = root.iter().map(|r| r / q.sqrt()).collect();
    let settings = Lanczos {
        count,
        max_iterations: options.max_iterations,
        residual: tolerance::EIGEN_RESIDUAL,
        relative: true,
        seed: 1,
        what: "inverse iteration for free responses",
    };
    let found = settings.largest(&mut apply, vec![constant], size)?;
    let mus: Vec<f64> = found.values.iter().map(|theta| 1.0 / theta).collect();
    let mut vectors: Vec<Vec<f64>> = found.vectors.iter().map(|z| place.iter().map(|&k| z[k]).collect()).collect();
    basis::settle(&mus, &mut vectors, |a, b| (a - b).abs() <= tolerance::EQUAL_DELTA * a.abs());
    for y in &mut vectors {
        y.iter_mut().zip(weights).for_each(|(y, v)| *y /= v.sqrt());
    }
    Ok(Some(mus.into_iter().zip(vectors).collect()))
}

/// The given order or the reverse Cuthill–McKee order, whichever is narrower, if it is affordable.
pub(super) fn narrow_order(edges: &Sparse) -> Option<(Vec<u32>, usize)> {
    let size = edges.size();
    let given = bandwidth(edges, |i| i);
    let mut best = ((0..size as u32).collect::<Vec<u32>>(), given);
    if given > 1 {
        let order = reverse_cuthill_mckee(edges);
        let mut place = vec![0_usize; size];
        order.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k);
        let band = bandwidth(edges, |i| place[i]);
        if band < given {
            best = (order, band);
        }
    }
    let (n, b) = (size as f64, best.1 as f64);
    (n * b * b <= MOST_WORK && n * b <= MOST_MEMORY).then_some(best)
}
