//! The delta value of given features, by the definition `[eq:wobj_long]`.

use ndarray::ArrayView2;
use rayon::prelude::*;

use super::{Coupling, EdgeTerm, TrainingGraph};
use crate::linalg::eigen::power_of_two_scale;
use crate::linalg::tolerance;
use crate::{Error, Result};

impl TrainingGraph {
    /// Δ of each column of `features` (N rows) on this graph, after giving it weighted zero mean and unit variance.
    ///
    /// Use the graph of the test labels for test data; dividing by the variance on that data makes it a fair Δ there.
    /// Squared differences are summed group by group, so small values keep their digits.
    ///
    /// # Errors
    /// If the number of rows is not that of the vertices, or a feature is constant or not finite.
    pub fn delta_values(&self, features: ArrayView2<'_, f64>) -> Result<Vec<f64>> {
        self.check_rows(features)?;
        let columns: Vec<Vec<f64>> = features.columns().into_iter().map(|c| c.to_vec()).collect();
        columns.into_par_iter().enumerate().map(|(j, y)| self.delta_value(j, y)).collect()
    }

    /// Features must have a row for each vertex.
    pub(super) fn check_rows(&self, features: ArrayView2<'_, f64>) -> Result<()> {
        if features.nrows() == self.len() {
            return Ok(());
        }
        Err(Error::LengthMismatch {
            left: "the graph".into(),
            left_len: self.len(),
            right: "features".into(),
            right_len: features.nrows(),
        })
    }

    fn delta_value(&self, column: usize, mut y: Vec<f64>) -> Result<f64> {
        if let Some(row) = y.iter().position(|x| !x.is_finite()) {
            return Err(Error::NonFiniteSample { row, column, total: 1 });
        }
        let v = self.vertex_weights();
        let found = y.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        // Δ knows no scale; squares do, and overflow or vanish. Powers of two round nothing.
        let ((down, again), (up, more)) = power_of_two_scale(found.max(f64::MIN_POSITIVE));
        y.iter_mut().for_each(|x| *x = *x * down * again);
        let largest = found * down * again;
        let mean = y.iter().zip(v).map(|(x, v)| x * (v / self.q())).sum::<f64>();
        y.iter_mut().for_each(|x| *x -= mean);
        let variance = y.iter().zip(v).map(|(x, v)| x * x * (v / self.q())).sum::<f64>();
        if variance.sqrt() <= tolerance::CONSTANT_LABEL * largest {
            return Err(Error::ConstantFeature { column, value: mean * up * more });
        }
        let squares: f64 = self.terms().iter().map(|term| squared_differences(term, &y)).sum();
        // u Σ v v' (y − y')² = 2uQ·Q·variance for centred y.
        Ok(squares / (self.r() * variance) + 2.0 * self.uniform() * self.q() * self.q() / self.r())
    }
}

/// $\sum_{n,n'} \gamma_{n,n'} (y(n) - y(n'))^2$ of one term.
fn squared_differences(term: &EdgeTerm, y: &[f64]) -> f64 {
    let groups = &term.grouping;
    let totals = groups.sums(&term.shares);
    let weighted: Vec<f64> = term.shares.iter().zip(y).map(|(a, x)| a * x).collect();
    let means: Vec<f64> = groups.sums(&weighted).iter().zip(&totals).map(|(s, a)| s / a).collect();
    let scatter: Vec<f64> = term
        .shares
        .iter()
        .zip(y)
        .zip(groups.of_vertex())
        .map(|((a, x), &g)| a * (x - means[g as usize]).powi(2))
        .collect();
    let scatter = groups.sums(&scatter);
    // Σ_{n∈g, n'∈h} a a' (y − y')² = A_g A_h (ȳ_g − ȳ_h)² + A_h W_g + A_g W_h with W the scatter about the group mean.
    let between = |g: usize, h: usize| {
        totals[g] * totals[h] * (means[g] - means[h]).powi(2) + totals[h] * scatter[g] + totals[g] * scatter[h]
    };
    let mut sum = 0.0;
    let visited = term.coupling.visit_upper(|g, h, s| sum += if g == h { 1.0 } else { 2.0 } * s * between(g, h));
    if visited.is_none() {
        sum = low_rank_differences(&term.coupling, &totals, &means, &scatter);
    }
    sum
}

/// The same through products with S, for couplings without stored entries: cancellation costs the digits below Δ ≈ ε.
fn low_rank_differences(coupling: &Coupling, totals: &[f64], means: &[f64], scatter: &[f64]) -> f64 {
    let mut row_sums = vec![0.0; totals.len()];
    coupling.multiply_add(totals, &mut row_sums);
    let weighted: Vec<f64> = totals.iter().zip(means).map(|(a, m)| a * m).collect();
    let mut coupled = vec![0.0; totals.len()];
    coupling.multiply_add(&weighted, &mut coupled);
    let squares: f64 = (0..totals.len()).map(|g| row_sums[g] * (scatter[g] + totals[g] * means[g] * means[g])).sum();
    let products: f64 = weighted.iter().zip(&coupled).map(|(a, b)| a * b).sum();
    2.0 * (squares - products)
}
