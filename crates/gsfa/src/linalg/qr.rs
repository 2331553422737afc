//! Orthonormal bases of long columns.

use ndarray::{Array2, ArrayView2};

use super::convert::{as_faer, to_ndarray};
use super::eigen::largest_magnitude;
use super::tolerance;
use super::upper_halves::ClearedUpperHalves;
use crate::{Error, Result};

/// Orthonormal columns that span others.
pub struct Basis {
    /// As many as there are others.
    pub columns: Array2<f64>,
    /// Whether the others have fewer directions than that.
    pub dependent: bool,
}

/// A basis of the columns of `a`, which has no fewer rows: the Q of its QR factorisation.
///
/// # Errors
/// [`Error::Factorisation`] if an entry is not finite.
pub fn orthonormal_basis(a: ArrayView2<'_, f64>) -> Result<Basis> {
    let failed = Error::Factorisation { what: "QR factorisation", size: a.nrows() };
    if largest_magnitude(a).is_none() {
        return Err(failed);
    }
    let _cleared = ClearedUpperHalves;
    let qr = as_faer(a).qr();
    // A column that depends on those before it has nothing left.
    let left = |k: usize| qr.thin_R()[(k, k)].abs();
    let most = (0..a.ncols()).map(left).fold(0.0, f64::max);
    let dependent = (0..a.ncols()).any(|k| left(k) <= tolerance::DEPENDENT_COLUMN * most);
    let columns = to_ndarray(qr.compute_thin_Q().as_ref());
    if columns.iter().all(|x| x.is_finite()) { Ok(Basis { columns, dependent }) } else { Err(failed) }
}
