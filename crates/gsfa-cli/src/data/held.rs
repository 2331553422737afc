//! Samples in memory if they fit, so that images are decoded once and not by every node. Large arrays are not copied: they
//! are in a file that is read as memory is.

use gsfa::network::NetworkSpec;
use gsfa::samples::{Precision, Rows, Samples};
use gsfa_data::samples::AsSamples;
use gsfa_data::source::Source;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};

use crate::failure::Outcome;
use crate::interrupt;
use crate::shards::precision;
use crate::talk::Talk;

/// Samples larger than this are read again whenever they are needed.
const LARGEST: usize = 4 << 30;

/// The same for samples that only need to be copied: up to this size it is worth it.
const LARGEST_COPY: usize = 256 << 20;

/// Rows read between two looks at whether to stop.
const CHUNK: usize = 1024;

/// Samples in memory, or where they are.
pub enum Held {
    Single(Array2<f32>),
    Double(Array2<f64>),
    Streamed(Box<dyn Source>, Precision),
}

impl Held {
    pub fn of(source: Box<dyn Source>, precision: Precision, talk: &Talk) -> Outcome<Self> {
        let single = precision == Precision::Single;
        let size = source.len().saturating_mul(source.dim()).saturating_mul(if single { 4 } else { 8 });
        if size > if source.reads_cheaply() { LARGEST_COPY } else { LARGEST } {
            return Ok(Self::Streamed(source, precision));
        }
        let progress = talk.reading(source.len());
        let shape = (source.len(), source.dim());
        let chunks = (0..shape.0).step_by(CHUNK).map(|start| start..(start + CHUNK).min(shape.0));
        let held = if single {
            let mut all = Array2::zeros(shape);
            for rows in chunks {
                interrupt::check()?;
                progress.set_position(rows.start as u64);
                source.read_f32(&Rows::Range(rows.clone()), all.slice_mut(s![rows, ..]))?;
            }
            Self::Single(all)
        } else {
            let mut all = Array2::zeros(shape);
            for rows in chunks {
                interrupt::check()?;
                progress.set_position(rows.start as u64);
                source.read_f64(&Rows::Range(rows.clone()), all.slice_mut(s![rows, ..]))?;
            }
            Self::Double(all)
        };
        progress.finish_and_clear();
        Ok(held)
    }

    /// Lends them as samples.
    pub fn with<R>(&self, work: impl FnOnce(&dyn Samples) -> R) -> R {
        match self {
            Self::Single(all) => work(&ArrayView2::from(all)),
            Self::Double(all) => work(&ArrayView2::from(all)),
            Self::Streamed(source, precision) => work(&InPrecision { source: &**source, precision: *precision }),
        }
    }
}

/// A source, read in the given precision.
pub struct InPrecision<'a> {
    pub source: &'a dyn Source,
    pub precision: Precision,
}

impl<'a> InPrecision<'a> {
    /// The samples of a network, in the precision that it is trained in.
    pub fn of(source: &'a dyn Source, network: &NetworkSpec) -> Self {
        Self { source, precision: precision(network, source.element().fits_single()) }
    }
}

impl Samples for InPrecision<'_> {
    fn len(&self) -> usize {
        self.source.len()
    }

    fn dim(&self) -> usize {
        self.source.dim()
    }

    fn precision(&self) -> Precision {
        self.precision
    }

    fn read_single(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f32>) -> gsfa::Result<()> {
        AsSamples(self.source).read_single(rows, out)
    }

    fn read_double(&self, rows: Rows<'_>, out: ArrayViewMut2<'_, f64>) -> gsfa::Result<()> {
        AsSamples(self.source).read_double(rows, out)
    }
}
