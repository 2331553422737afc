//! Descent over matrices with orthonormal columns.

use ndarray::Array2;

use super::bound::Bound;
use crate::Result;
use crate::linalg::multiply;
use crate::linalg::qr::orthonormal_basis;

/// The search ends when a step of this length gains nothing any more: columns have length 1.
const SHORTEST: f64 = 1e-7;

/// A place of a search: P, the value there, and $-(G - P\,\mathrm{sym}(P^TG))$, the way down.
pub(super) struct Place {
    pub p: Array2<f64>,
    pub value: f64,
    down: Array2<f64>,
}

impl Place {
    pub fn new(bound: &dyn Bound, p: Array2<f64>) -> Self {
        let (value, gradient) = bound.gradient(p.view());
        let down = -tangent(&p, &gradient);
        Self { p, value, down }
    }

    /// Where at most so many steps of descent lead.
    ///
    /// Conjugate gradients: a step goes along the projection of the negative gradient to the tangent of the orthonormal
    /// matrices and what is left of the step before, and back to them by a QR factorisation. Its length is that of a parabola
    /// through the values met, doubled after a success and halved until there is one.
    pub fn descend(mut self, bound: &dyn Bound, steps: usize) -> Result<Self> {
        let mut way = self.down.clone();
        let mut length = 0.1;
        for _ in 0..steps {
            if inner(&way, &self.down) <= 0.0 {
                way = self.down.clone();
            }
            let norm = inner(&way, &way).sqrt();
            if !(norm.is_finite() && norm > 0.0) {
                break;
            }
            way /= norm;
            let next = match self.step(bound, &way, &mut length)? {
                Some(next) => next,
                // Straight down, before giving up.
                None => {
                    way = &self.down / inner(&self.down, &self.down).sqrt();
                    length = 1e-3;
                    let Some(next) = self.step(bound, &way, &mut length)? else { break };
                    next
                }
            };
            let next = Self::new(bound, next);
            let before = tangent(&next.p, &self.down);
            let change = inner(&next.down, &next.down) - inner(&next.down, &before);
            let kept = (change / inner(&self.down, &self.down)).max(0.0);
            // `way` has length 1, and `down` its own.
            way = &next.down + &(tangent(&next.p, &way) * (kept * norm));
            self = next;
            length = (2.0 * length).min(1.0);
        }
        Ok(self)
    }

    /// A lower place along the way, if there is one; `length` is how far.
    fn step(&self, bound: &dyn Bound, way: &Array2<f64>, length: &mut f64) -> Result<Option<Array2<f64>>> {
        let at = |length: f64| -> Result<(f64, Array2<f64>)> {
            let p = orthonormal_basis((&self.p + &(way * length)).view())?.columns;
            Ok((bound.value(p.view()), p))
        };
        let slope = -inner(way, &self.down);
        loop {
            let (value, p) = at(*length)?;
            // Where the parabola of value, slope and this value is lowest.
            let bend = value - self.value - slope * *length;
            let lowest = -slope * *length * *length / (2.0 * bend);
            if bend > 0.0 && lowest.is_finite() && (0.01 * *length..10.0 * *length).contains(&lowest) {
                let (other, q) = at(lowest)?;
                if other < value && other < self.value {
                    *length = lowest;
                    return Ok(Some(q));
                }
            }
            if value < self.value {
                return Ok(Some(p));
            }
            *length /= 2.0;
            if *length < SHORTEST {
                return Ok(None);
            }
        }
    }
}

/// What of G is tangent to the orthonormal matrices at P.
fn tangent(p: &Array2<f64>, g: &Array2<f64>) -> Array2<f64> {
    let inner = multiply(p.t(), g.view());
    let symmetric = (&inner + &inner.t()) / 2.0;
    g - &multiply(p.view(), symmetric.view())
}

fn inner(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
