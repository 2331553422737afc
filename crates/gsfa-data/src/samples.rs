//! Sources as the samples that graphs are trained with.

use gsfa::samples::{Precision, Rows, Samples};
use ndarray::ArrayViewMut2;

use crate::source::Source;

/// A source, seen by the method: f32 if its values fit, f64 otherwise.
///
/// ```
/// use gsfa::Gsfa;
/// use gsfa::graph::{Ell, GraphInput};
/// use gsfa::labels::Labels;
/// use gsfa_data::samples::AsSamples;
/// let table = ndarray::array![[1.0, 0.2], [2.0, 0.1], [3.0, 0.3], [4.5, 0.1]];
/// let labels = Labels::numbers("age", vec![10.0, 20.0, 30.0, 40.0]);
/// let graph = Ell::default().build(&GraphInput::new(&labels))?;
/// let slow = Gsfa::default().fit(&AsSamples(&table), &graph)?;
/// assert_eq!(slow.output_dim(), 1);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct AsSamples<'a>(pub &'a dyn Source);

impl Samples for AsSamples<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn dim(&self) -> usize {
        self.0.dim()
    }

    fn precision(&self) -> Precision {
        if self.0.element().fits_single() { Precision::Single } else { Precision::Double }
    }

    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> gsfa::Result<()> {
        self.0.read_f32(&rows, out).map_err(|error| reading(&error))
    }

    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> gsfa::Result<()> {
        self.0.read_f64(&rows, out).map_err(|error| reading(&error))
    }
}

fn reading(error: &crate::Error) -> gsfa::Error {
    gsfa::Error::Reading { reason: error.to_string() }
}
