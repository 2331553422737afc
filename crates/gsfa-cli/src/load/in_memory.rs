//! Samples in memory if they fit, so that images are decoded once and not by every node. Large arrays are not copied: they
//! are in a file that is read as memory is.

use gsfa::samples::{InPrecision, Precision, Rows, Samples};
use ndarray::{Array2, s};

use crate::error::Result;
use crate::interrupt;
use crate::present::Printer;

/// Samples larger than this are read again whenever they are needed.
const LARGEST: usize = 4 << 30;

/// The same for samples that only need to be copied: up to this size it is worth it.
const LARGEST_COPY: usize = 256 << 20;

/// Rows read between two looks at whether to stop.
const CHUNK: usize = 1024;

/// The samples in the given precision, and in memory unless they are too large.
pub fn in_memory(samples: Box<dyn Samples>, precision: Precision, printer: &Printer) -> Result<Box<dyn Samples>> {
    let number = if precision == Precision::Single { 4 } else { 8 };
    let size = samples.len().saturating_mul(samples.dim()).saturating_mul(number);
    if size > if samples.reads_cheaply() { LARGEST_COPY } else { LARGEST } {
        return Ok(Box::new(InPrecision::new(samples, precision)));
    }
    let progress = printer.reading(samples.len());
    let shape = (samples.len(), samples.dim());
    let chunks = (0..shape.0).step_by(CHUNK).map(|start| start..(start + CHUNK).min(shape.0));
    let chunks = chunks.inspect(|rows| progress.set_position(rows.start as u64));
    let copied: Box<dyn Samples> = match precision {
        Precision::Single => {
            let mut all = Array2::<f32>::zeros(shape);
            for rows in chunks {
                interrupt::check()?;
                samples.read_single(Rows::Range(rows.clone()), all.slice_mut(s![rows, ..]))?;
            }
            Box::new(all)
        }
        Precision::Double => {
            let mut all = Array2::<f64>::zeros(shape);
            for rows in chunks {
                interrupt::check()?;
                samples.read_double(Rows::Range(rows.clone()), all.slice_mut(s![rows, ..]))?;
            }
            Box::new(all)
        }
    };
    progress.finish_and_clear();
    Ok(copied)
}
