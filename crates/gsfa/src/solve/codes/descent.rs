//! Descent over matrices with orthonormal columns.

use ndarray::Array2;

use super::bound::Bound;
use crate::Result;
use crate::linalg::multiply;
use crate::linalg::qr::orthonormal_basis;

/// Steps at most.
const STEPS: usize = 1000;

/// The search ends when a step of this length gains nothing any more: columns have length 1.
const SHORTEST: f64 = 1e-7;

/// The smallest value that descent from `p` leads to, and where.
///
/// A step goes along the projection of the negative gradient to the tangent of the orthonormal matrices and back to them by
/// a QR factorisation. Its length is doubled after a success and halved until there is one.
pub(super) fn minimise(bound: &dyn Bound, mut p: Array2<f64>) -> Result<(f64, Array2<f64>)> {
    let (mut value, mut direction) = descent(bound, &p);
    let mut length = 0.1;
    for _ in 0..STEPS {
        let norm = direction.iter().map(|g| g * g).sum::<f64>().sqrt();
        if !(norm.is_finite() && norm > 0.0) {
            break;
        }
        let step = loop {
            let next = orthonormal_basis((&p + &(&direction * (length / norm))).view())?.columns;
            if bound.value(next.view()) < value {
                break Some(next);
            }
            length /= 2.0;
            if length < SHORTEST {
                break None;
            }
        };
        let Some(next) = step else { break };
        p = next;
        (value, direction) = descent(bound, &p);
        length = (2.0 * length).min(1.0);
    }
    Ok((value, p))
}

/// The value and $-(G - P\,\mathrm{sym}(P^T G))$.
fn descent(bound: &dyn Bound, p: &Array2<f64>) -> (f64, Array2<f64>) {
    let (value, gradient) = bound.gradient(p.view());
    let inner = multiply(p.t(), gradient.view());
    let symmetric = (&inner + &inner.t()) / 2.0;
    (value, multiply(p.view(), symmetric.view()) - gradient)
}
