//! Optimal free responses: what slow features would be if the function space were unlimited.
//!
//! The way to them, from cheap to dear, each step exact where it applies:
//! 1. [`quotient`](super::quotient): vertices that act alike become one cell; what varies within a cell is known.
//! 2. `low_rank`: couplings $T\Lambda T^T$ leave a problem as large as T has columns.
//! 3. `low_rank_update`: in large sums of graphs, such couplings are added to the inverse iteration of the others.
//! 4. `by_components`: a listed graph falls into connected components, each solved
//!    by a cosine law (`cosine`), by inverse iteration without subtractions (`shift_invert`), or
//! 5. `numeric`: densely if small, else by Lanczos iteration.
//!
//! `contrast`, `basis` and `order` hold the rules for signs, bases of equal delta values, and order.

mod basis;
mod by_components;
mod contrast;
mod cosine;
mod low_rank;
mod low_rank_update;
mod modes;
mod numeric;
mod order;
mod reordering;
mod shift_invert;
mod updated_inverse;

use ndarray::{Array2, ArrayViewMut1};

use super::TrainingGraph;
use super::quotient::Quotient;
use crate::linalg::dot::weighted_square;
use crate::linalg::tolerance;
use crate::{Error, Result};
use modes::{Mode, Reduced, Shape};

/// The slowest responses a training graph admits, with their delta values.
///
/// Responses solve $(\mathrm{Diag}(\Gamma 1) - \Gamma)\,y = \mu\,\mathrm{Diag}(v)\,y$ with weighted mean 0, weighted
/// variance 1 and no correlation between them `[eq:wzm]`, `[eq:wuv]`, `[eq:wdec]`; $\Delta = 2(Q/R)\mu$. The constant
/// pseudo-response is left out.
///
/// **Order**: Δ ascending. **Basis** where Δ repeats: first responses constant on groups, then contrasts within groups,
/// groups in order. Components of a disconnected graph are contrasted each with all earlier ones, as are the members of
/// a group with all earlier members, in vertex order. Other repeated values found numerically are rotated so that at
/// the first vertex where any of them is not negligible all but the first vanish, and so on; if `count` cuts through
/// such a set, which part of it is returned is open. Low-rank couplings keep to their columns.
/// **Sign**: the first vertex (by groups if the graph has one term) whose response is not negligible is negative;
/// responses of low-rank couplings correlate positively with their own column, the one with the largest share
/// $|\lambda_i|\,(t_i^T \mathrm{Diag}(v)\,y)^2$.
#[derive(Debug, Clone)]
pub struct FreeResponses {
    /// Δ, ascending.
    pub delta_values: Vec<f64>,
    /// $\lambda = (R/2Q)(2 - \Delta)$ `[eq:delta_in_lambda]`, descending.
    pub eigenvalues: Vec<f64>,
    /// One column per response, one row per vertex.
    pub responses: Array2<f64>,
    /// How they were found; the least exact one if several methods shared the work.
    pub method: FreeResponseMethod,
    /// Largest $\|V^{-1/2}(Ly - \mu V y)\| / \sqrt{Q}$ of a response, relative to the largest degree per vertex weight.
    pub residual: f64,
}

/// How free responses were found, from exact to iterative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FreeResponseMethod {
    /// Formulas: cosines, contrasts.
    ClosedForm,
    /// An eigenproblem of the size of the number of label columns.
    LowRank,
    /// A full eigendecomposition over cells: error relative to the largest delta value.
    Dense,
    /// Inverse iteration on a banded Laplacian: error relative to each delta value; in a sum with graphs of few columns,
    /// relative to how far it is from the delta value that these give to all that they do not single out.
    ShiftInvert,
    /// Lanczos iteration with the edge weights as they are: error relative to the largest delta value.
    Krylov,
}

/// Limits of the numerical methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeResponseOptions {
    /// Products with the edge weights an iteration may take; looked at every few steps.
    pub max_iterations: usize,
    /// Largest number of cells solved densely.
    pub dense_limit: usize,
}

impl Default for FreeResponseOptions {
    fn default() -> Self {
        Self { max_iterations: 3000, dense_limit: 1000 }
    }
}

impl TrainingGraph {
    /// The `count` slowest free responses.
    ///
    /// ```
    /// use gsfa::graph::{Banded, Coupling, EdgeTerm, Grouping, TrainingGraph};
    /// // A chain of four samples: Δ₁ is that of half a cosine.
    /// let coupling = Coupling::Banded(Banded::new(4, vec![(1, vec![1.0; 3])])?);
    /// let term = EdgeTerm { grouping: Grouping::singletons(4), shares: vec![1.0; 4], coupling, loops: None };
    /// let chain = TrainingGraph::new(vec![1.0; 4], vec![term], 0.0)?;
    /// let free = chain.free_responses(1)?;
    /// let half_cosine = (4.0 / 3.0) * (2.0 - 2.0 * (std::f64::consts::PI / 4.0).cos());
    /// assert!((free.delta_values[0] - half_cosine).abs() < 1e-15);
    /// # Ok::<(), gsfa::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parameter`] for a count of 0, [`Error::TooMany`] for more than N − 1, [`Error::NotConverged`] if the
    /// graph needs an iteration and the iteration needs longer than allowed.
    pub fn free_responses(&self, count: usize) -> Result<FreeResponses> {
        self.free_responses_with(count, &FreeResponseOptions::default())
    }

    /// The `count` slowest free responses, with other limits than the default ones.
    ///
    /// # Errors
    /// As [`free_responses`](Self::free_responses).
    pub fn free_responses_with(&self, count: usize, options: &FreeResponseOptions) -> Result<FreeResponses> {
        let available = self.len() - 1;
        if count == 0 {
            return Err(Error::parameter("count", count, "at least one free response must be asked for"));
        }
        if count > available {
            return Err(Error::TooMany { what: "free responses", requested: count, available });
        }
        let quotient = Quotient::of(self);
        let mut reduced = solve_quotient(&quotient, count, options)?;
        let mut modes = std::mem::take(&mut reduced.modes);
        modes.extend(contrast::within_cells(&quotient, count));
        // Centred responses gain exactly uQ from the uniform part u v vᵀ.
        let shift = self.uniform() * self.q();
        modes.iter_mut().for_each(|m| m.mu += shift);
        order::sort(&mut modes);
        modes.truncate(count);
        Ok(self.assemble(&quotient, &reduced, &modes))
    }

    fn assemble(&self, quotient: &Quotient, reduced: &Reduced, modes: &[Mode]) -> FreeResponses {
        let (list, starts) = quotient.cells.members();
        let by_groups = self.terms().len() == 1;
        let mut responses = Array2::zeros((self.len(), modes.len()));
        for (mode, mut column) in modes.iter().zip(responses.columns_mut()) {
            if let Shape::WithinCell { cell, member } = mode.shape {
                contrast::write_within(
                    &list[starts[cell]..starts[cell + 1]],
                    member,
                    self.vertex_weights(),
                    &mut column,
                );
            } else {
                let over_cells = reduced.shape_over_cells(mode, quotient);
                for (y, &cell) in column.iter_mut().zip(quotient.cells.of_vertex()) {
                    *y = over_cells[cell as usize];
                }
            }
            self.normalize(&mut column);
            if !mode.sign_fixed {
                basis::make_first_negative(&mut column, by_groups.then_some(&list));
            }
        }
        let ratio = self.q() / self.r();
        let delta_values: Vec<f64> = modes.iter().map(|m| exact_noise(2.0 * ratio * m.mu)).collect();
        let eigenvalues = delta_values.iter().map(|delta| (2.0 - delta) / (2.0 * ratio)).collect();
        let residual = self.residual(&responses, modes);
        FreeResponses { delta_values, eigenvalues, responses, method: reduced.method, residual }
    }

    /// Scales a response to unit weighted variance `[eq:wuv]`.
    fn normalize(&self, y: &mut ArrayViewMut1<'_, f64>) {
        let values = y.to_vec();
        let factor = (self.q() / weighted_square(self.vertex_weights(), &values)).sqrt();
        y.iter_mut().for_each(|x| *x *= factor);
    }

    fn residual(&self, responses: &Array2<f64>, modes: &[Mode]) -> f64 {
        let (v, degrees) = (self.vertex_weights(), self.degrees());
        let mut scale = degrees.iter().zip(v).fold(0.0_f64, |m, (d, v)| m.max((d / v).abs()));
        scale = modes.iter().fold(scale, |m, mode| m.max(mode.mu.abs())).max(f64::MIN_POSITIVE);
        let mut largest = 0.0_f64;
        for (mode, y) in modes.iter().zip(responses.columns()) {
            let y = y.to_vec();
            let gamma_y = self.multiply(&y);
            let square: f64 =
                (0..y.len()).map(|n| (degrees[n] * y[n] - gamma_y[n] - mode.mu * v[n] * y[n]).powi(2) / v[n]).sum();
            largest = largest.max((square / self.q()).sqrt() / scale);
        }
        largest
    }
}

/// Δ of all that an ELL or serial graph does not code is 2; only the division by R blurs its last digit.
fn exact_noise(delta: f64) -> f64 {
    if (delta - 2.0).abs() <= tolerance::sum(1) { 2.0 } else { delta }
}

/// The slowest responses that are constant on cells.
fn solve_quotient(quotient: &Quotient, count: usize, options: &FreeResponseOptions) -> Result<Reduced> {
    let count = count.min(quotient.count() - 1);
    if count == 0 {
        return Ok(Reduced { modes: Vec::new(), parts: Vec::new(), method: FreeResponseMethod::ClosedForm });
    }
    let large = quotient.count() > options.dense_limit;
    if let Some(reduced) = low_rank::solve(quotient, count, large)? {
        return Ok(reduced);
    }
    if large && let Some(reduced) = low_rank_update::solve(quotient, count, options)? {
        return Ok(reduced);
    }
    if let Some(edges) = super::adjacency::adjacency(quotient) {
        let closeness = tolerance::consistency(quotient.cells.of_vertex().len().div_ceil(quotient.count()));
        return by_components::solve(&edges, &quotient.weights, count, closeness, options);
    }
    numeric::solve_structured(quotient, count, options)
}
