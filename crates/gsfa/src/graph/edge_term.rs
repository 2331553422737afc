//! One term of the edge weights: groups of vertices, coupled.

use super::{Coupling, Grouping};
use crate::{Error, Result};

/// $\gamma_{n,n'} = a_n a_{n'} S_{g(n),g(n')} + \delta_{n,n'} d_n$: vertices act through their group g with a share a,
/// plus self-loops d.
///
/// In matrices, $\mathrm{Diag}(a)\,E\,S\,E^T\,\mathrm{Diag}(a) + \mathrm{Diag}(d)$ with E the membership of vertices in
/// groups. With singleton groups and a = 1 it is S itself.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeTerm {
    /// The group g of each vertex.
    pub grouping: Grouping,
    /// The share a of each vertex; positive.
    pub shares: Vec<f64>,
    /// S, over groups.
    pub coupling: Coupling,
    /// d, added to the self-loops that S already gives; `None` is zero.
    pub loops: Option<Vec<f64>>,
}

impl EdgeTerm {
    /// That it is a term of so many vertices.
    pub(crate) fn check(&self, vertices: usize) -> Result<()> {
        Error::check_shape("the grouping of an edge term", &[self.grouping.of_vertex().len()], &[vertices])?;
        Error::check_shape("the shares of an edge term", &[self.shares.len()], &[vertices])?;
        if let Some(loops) = &self.loops {
            Error::check_shape("the self-loops of an edge term", &[loops.len()], &[vertices])?;
        }
        self.coupling.check(self.grouping.count())
    }

    /// `out += Γ·y`.
    pub(crate) fn multiply_add(&self, y: &[f64], out: &mut [f64]) {
        let mut sums = vec![0.0; self.grouping.count()];
        for ((&g, &a), &x) in self.grouping.of_vertex().iter().zip(&self.shares).zip(y) {
            sums[g as usize] += a * x;
        }
        let mut coupled = vec![0.0; sums.len()];
        self.coupling.multiply_add(&sums, &mut coupled);
        for ((o, &g), &a) in out.iter_mut().zip(self.grouping.of_vertex()).zip(&self.shares) {
            *o += a * coupled[g as usize];
        }
        if let Some(loops) = &self.loops {
            for ((o, &d), &x) in out.iter_mut().zip(loops).zip(y) {
                *o += d * x;
            }
        }
    }

    /// $\gamma_{n,m}$.
    pub fn entry(&self, n: usize, m: usize) -> f64 {
        let coupled =
            self.shares[n] * self.shares[m] * self.coupling.entry(self.grouping.group(n), self.grouping.group(m));
        if n == m { coupled + self.loops.as_ref().map_or(0.0, |d| d[n]) } else { coupled }
    }

    /// Γ times `factor`.
    pub fn scaled(mut self, factor: f64) -> Self {
        self.coupling = self.coupling.scaled(factor);
        if let Some(loops) = &mut self.loops {
            loops.iter_mut().for_each(|d| *d *= factor);
        }
        self
    }
}
