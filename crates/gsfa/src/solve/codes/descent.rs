//! Descent over matrices with orthonormal columns.

use std::collections::VecDeque;

use ndarray::{Array2, Axis};

use super::bound::Bound;
use crate::Result;
use crate::linalg::multiply;
use crate::linalg::qr::orthonormal_basis;

/// Values that differ by less than this share are equal but for round-off: then gradients tell which place is better.
const ROUND_OFF: f64 = 1e-14;

/// The search ends when the slope promises less than this.
const LEAST: f64 = 1e-24;

/// Halves of a step that are tried.
const HALVES: usize = 40;

/// The longest step; columns have length 1.
const LONGEST: f64 = 1.0;

/// Steps that are remembered for the curvature.
const REMEMBERED: usize = 12;

/// Of what the slope promises, a step must gain this share.
const ENOUGH: f64 = 1e-4;

/// A place of a search: P, the value there, and the gradient's part along the orthonormal matrices.
pub(super) struct Place {
    pub p: Array2<f64>,
    pub value: f64,
    gradient: Array2<f64>,
    steps: VecDeque<Step>,
}

/// A step s, by how much the gradient changed along it, and $1/s^Ty$.
struct Step {
    s: Array2<f64>,
    y: Array2<f64>,
    inverse: f64,
}

impl Place {
    pub fn new(bound: &dyn Bound, p: Array2<f64>) -> Self {
        let (value, gradient) = bound.at(p.view());
        Self { gradient: tangent(&p, &gradient), p, value, steps: VecDeque::new() }
    }

    /// Where at most so many steps of descent lead.
    ///
    /// The quasi-Newton method with limited memory: the curvature is that of the last steps, a step goes along the tangent
    /// and back to the orthonormal matrices by a QR factorisation, and past steps come along as they are.
    pub fn descend(mut self, bound: &dyn Bound, steps: usize) -> Result<Self> {
        for _ in 0..steps {
            let mut way = tangent(&self.p, &self.newton());
            if inner(&way, &self.gradient) >= 0.0 {
                self.steps.clear();
                way = -&self.gradient;
            }
            let slope = inner(&way, &self.gradient);
            if slope.is_nan() || -slope <= LEAST {
                break;
            }
            let norm = inner(&way, &way).sqrt();
            let first = if self.steps.is_empty() { 0.1 / norm } else { (LONGEST / norm).min(1.0) };
            let Some((length, mut next)) = self.lower(bound, &way, first, slope)? else {
                // Straight down, before giving up.
                if self.steps.is_empty() {
                    break;
                }
                self.steps.clear();
                continue;
            };
            let s = tangent(&next.p, &way) * length;
            let y = &next.gradient - &tangent(&next.p, &self.gradient);
            let curvature = inner(&s, &y);
            next.steps = self.steps;
            // A way along which the slope falls says nothing about where it ends.
            if curvature > 1e-12 * (inner(&s, &s) * inner(&y, &y)).sqrt() {
                if next.steps.len() == REMEMBERED {
                    next.steps.pop_front();
                }
                next.steps.push_back(Step { s, y, inverse: 1.0 / curvature });
            }
            self = next;
        }
        Ok(self)
    }

    /// $-Hg$ with the inverse curvature H of the remembered steps.
    fn newton(&self) -> Array2<f64> {
        let mut way = -&self.gradient;
        let Some(last) = self.steps.back() else { return way };
        let mut shares = Vec::with_capacity(self.steps.len());
        for step in self.steps.iter().rev() {
            let share = step.inverse * inner(&step.s, &way);
            way.scaled_add(-share, &step.y);
            shares.push(share);
        }
        way *= 1.0 / (last.inverse * inner(&last.y, &last.y));
        for (step, share) in self.steps.iter().zip(shares.iter().rev()) {
            let other = step.inverse * inner(&step.y, &way);
            way.scaled_add(share - other, &step.s);
        }
        way
    }

    /// A place along the way that gains enough, if there is one, and how far it is.
    fn lower(&self, bound: &dyn Bound, way: &Array2<f64>, first: f64, slope: f64) -> Result<Option<(f64, Self)>> {
        let mut length = first;
        let round_off = ROUND_OFF * (1.0 + self.value.abs());
        for _ in 0..HALVES {
            let next = Self::new(bound, retracted(&self.p, &(&self.p + &(way * length)))?);
            if next.value <= self.value + ENOUGH * slope * length && -slope * length > round_off {
                return Ok(Some((length, next)));
            }
            let flatter = inner(&next.gradient, &next.gradient) < inner(&self.gradient, &self.gradient);
            if flatter && (next.value - self.value).abs() <= round_off {
                return Ok(Some((length, next)));
            }
            if -slope * length <= round_off {
                break;
            }
            // Where the parabola of value, slope and this value is lowest.
            let bend = next.value - self.value - slope * length;
            let lowest = -slope * length * length / (2.0 * bend);
            length = if lowest.is_finite() { lowest.clamp(0.1 * length, 0.5 * length) } else { 0.5 * length };
        }
        Ok(None)
    }
}

/// The orthonormal matrix near P that spans the columns of another, each column pointing the way it does in P.
fn retracted(p: &Array2<f64>, other: &Array2<f64>) -> Result<Array2<f64>> {
    let mut columns = orthonormal_basis(other.view())?.columns;
    for (mut column, before) in columns.axis_iter_mut(Axis(1)).zip(p.axis_iter(Axis(1))) {
        if column.dot(&before) < 0.0 {
            column.mapv_inplace(|x| -x);
        }
    }
    Ok(columns)
}

/// What of G is tangent to the orthonormal matrices at P: $G - P\,\mathrm{sym}(P^TG)$.
fn tangent(p: &Array2<f64>, g: &Array2<f64>) -> Array2<f64> {
    let inner = multiply(p.t(), g.view());
    let symmetric = (&inner + &inner.t()) / 2.0;
    g - &multiply(p.view(), symmetric.view())
}

fn inner(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
