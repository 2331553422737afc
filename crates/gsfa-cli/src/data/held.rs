//! Samples in memory if they fit, so that images are decoded once and not by every node.

use gsfa::moments::Samples;
use gsfa_data::samples::AsSamples;
use gsfa_data::source::{Rows, Source};
use ndarray::{Array2, ArrayView2, s};

use crate::failure::Outcome;
use crate::interrupt;

/// Samples larger than this are read again whenever they are needed.
const LARGEST: usize = 4 << 30;

/// Rows read between two looks at whether to stop.
const CHUNK: usize = 1024;

/// Samples in memory, or where they are.
pub enum Held {
    Single(Array2<f32>),
    Double(Array2<f64>),
    Streamed(Box<dyn Source>),
}

impl Held {
    pub fn of(source: Box<dyn Source>) -> Outcome<Self> {
        let single = source.element().fits_single();
        let size = source.len().saturating_mul(source.dim()).saturating_mul(if single { 4 } else { 8 });
        if size > LARGEST {
            return Ok(Self::Streamed(source));
        }
        let shape = (source.len(), source.dim());
        let chunks = (0..shape.0).step_by(CHUNK).map(|start| start..(start + CHUNK).min(shape.0));
        if single {
            let mut all = Array2::zeros(shape);
            for rows in chunks {
                interrupt::check()?;
                source.read_f32(&Rows::Range(rows.clone()), all.slice_mut(s![rows, ..]))?;
            }
            return Ok(Self::Single(all));
        }
        let mut all = Array2::zeros(shape);
        for rows in chunks {
            interrupt::check()?;
            source.read_f64(&Rows::Range(rows.clone()), all.slice_mut(s![rows, ..]))?;
        }
        Ok(Self::Double(all))
    }

    /// Lends them as samples.
    pub fn with<R>(&self, work: impl FnOnce(&dyn Samples) -> R) -> R {
        match self {
            Self::Single(all) => work(&ArrayView2::from(all)),
            Self::Double(all) => work(&ArrayView2::from(all)),
            Self::Streamed(source) => work(&AsSamples(&**source)),
        }
    }
}
