//! Serialised sums of both forms: little-endian, lengths checked before anything is allocated.

use ndarray::{Array2, ShapeBuilder};
use sha2::{Digest, Sha256};

use super::frame::Frame;
use super::row_set::RowSet;
use super::sums::{FactorSums, Weighted};
use super::{Covariance, KeptRows};
use crate::graph::{GraphPrint, TrainingGraph, print};
use crate::samples::SampleType;
use crate::{Error, Result, Solver};

const MAGIC: &[u8; 8] = b"GSFAMOM\x03";

/// How kept rows begin.
const ROWS_MAGIC: &[u8; 8] = b"GSFAROW\x01";

/// The SHA-256 of all bytes before it stands at the end.
const CHECKSUM: usize = 32;

impl<T: SampleType> Covariance<T> {
    /// Which sums are kept for the edges.
    fn layout(&self) -> Vec<u64> {
        let factors = self.plan.factors().flat_map(|(_, kind, sums)| [kind as u64, sums as u64]);
        factors.chain(self.plan.extra_classes().map(|term| term.grouping.count() as u64)).collect()
    }

    /// The sums as bytes, exactly: reading them back and going on gives the same bits as never having stopped.
    ///
    /// # Errors
    /// [`Error::NeedsRandomAccess`] for graphs that connect single samples: their sums have no parts.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        if self.plan.needs_random_access() {
            return Err(Error::NeedsRandomAccess { operation: "storing sums" });
        }
        let mut out = MAGIC.to_vec();
        let mut number = |x: u64| out.extend(x.to_le_bytes());
        number(T::BYTES as u64);
        number(self.dim as u64);
        self.plan.graph.print().to_numbers().iter().for_each(|x| number(x.to_bits()));
        let layout = self.layout();
        number(layout.len() as u64);
        layout.into_iter().for_each(&mut number);
        self.rows.write(&mut number);
        number(self.pending_from as u64);
        number(self.pending.len() as u64);
        number(u64::from(self.frame.is_some()));
        // f32 values are exact in f64.
        let mut value = |x: f64| out.extend(x.to_le_bytes());
        self.pending.iter().for_each(|x| value(x.to_f64()));
        if let Some(frame) = &self.frame {
            frame.shift.iter().for_each(|x| value(x.to_f64()));
            frame.exponent.iter().for_each(|&k| value(f64::from(k)));
        }
        for sums in std::iter::once(&self.sums.main).chain(&self.sums.extra) {
            value(sums.weight);
            sums.first.iter().copied().for_each(&mut value);
            for j in 0..self.dim {
                (j..self.dim).for_each(|i| value(sums.second[[i, j]]));
            }
        }
        for factor in self.sums.factors.iter().chain(&self.sums.classes) {
            factor.weights.iter().chain(&factor.sums).copied().for_each(&mut value);
        }
        Ok(sealed(out))
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, for the same graph.
    ///
    /// # Errors
    /// [`Error::Damaged`] if the bytes are not those that were written, [`Error::DifferentMoments`] if they belong to
    /// another graph or sample type.
    pub fn from_bytes(graph: &TrainingGraph, bytes: &[u8]) -> Result<Self> {
        let bytes = opened(bytes, MAGIC)?;
        let mut reader = Reader::after(bytes, MAGIC);
        if reader.number()? != T::BYTES {
            return Err(Error::DifferentMoments { what: "the sample type" });
        }
        let dim = reader.number()?;
        // The lower triangle alone is this long; a larger width is damage, found before anything is allocated.
        let triangle = dim.checked_mul(dim).map(|square| square / 2);
        if triangle.is_none_or(|t| t > bytes.len() / 8) {
            return Err(Error::Damaged { at: reader.at, reason: "they end before the covariance does" });
        }
        let mut moments = Self::new(graph, dim);
        reader.check_graph(graph)?;
        let layout = moments.layout();
        if reader.number()? != layout.len() || !layout.iter().all(|x| reader.number().ok() == Some(*x as usize)) {
            return Err(Error::DifferentMoments { what: "the kind of sums" });
        }
        moments.read_rows(&mut reader)?;
        moments.read_sums(&mut reader)?;
        reader.check_end()?;
        Ok(moments)
    }

    fn read_rows(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let damaged = |at, reason| Error::Damaged { at, reason };
        let total = self.plan.graph.len();
        self.rows = reader.rows(total)?;
        self.pending_from = reader.number()?;
        let pending = reader.number()?;
        let complete = pending % self.dim.max(1) == 0;
        if !complete || self.pending_from > total || pending / self.dim.max(1) > total - self.pending_from {
            return Err(damaged(reader.at, "the waiting rows are not in the graph"));
        }
        let has_frame = reader.number()? == 1;
        self.pending = reader.values(pending)?.map(T::from_f64).collect();
        if has_frame {
            let at = reader.at;
            let shift = reader.finite(self.dim)?.map(T::from_f64).collect();
            let exponents: Vec<f64> = reader.finite(self.dim)?.collect();
            // Scales are powers of two within the range of numbers; differences of them are computed with.
            if exponents.iter().any(|k| k.fract() != 0.0 || k.abs() > f64::from(T::LARGEST_EXPONENT)) {
                return Err(damaged(at, "a scale is no scale"));
            }
            self.frame = Some(Frame { shift, exponent: exponents.into_iter().map(|k| k as i32).collect() });
        }
        Ok(())
    }

    fn read_sums(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let dim = self.dim;
        for sums in std::iter::once(&mut self.sums.main).chain(&mut self.sums.extra) {
            let weight = reader.value()?;
            let first = reader.finite(dim)?.collect();
            let mut second = Array2::zeros((dim, dim).f());
            for j in 0..dim {
                for (i, x) in (j..dim).zip(reader.finite(dim - j)?) {
                    second[[i, j]] = x;
                }
            }
            *sums = Weighted { weight, first, second };
        }
        for factor in self.sums.factors.iter_mut().chain(&mut self.sums.classes) {
            let count = factor.weights.len();
            let weights = reader.finite(count)?.collect();
            let mut sums = Array2::zeros((count, dim));
            for mut row in sums.outer_iter_mut() {
                row.iter_mut().zip(reader.finite(dim)?).for_each(|(s, x)| *s = x);
            }
            *factor = FactorSums { weights, sums };
        }
        Ok(())
    }
}

impl<T: SampleType> KeptRows<T> {
    /// Whether these are the bytes of kept rows, of any version.
    pub fn wrote(bytes: &[u8]) -> bool {
        bytes.starts_with(&ROWS_MAGIC[..ROWS_MAGIC.len() - 1])
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = ROWS_MAGIC.to_vec();
        let mut number = |x: u64| out.extend(x.to_le_bytes());
        number(T::BYTES as u64);
        number(self.dim() as u64);
        number(u64::from(self.solver == Solver::Svd));
        self.graph.print().to_numbers().iter().for_each(|x| number(x.to_bits()));
        number(self.runs.len() as u64);
        for (first, run) in &self.runs {
            number(*first as u64);
            number(run.nrows() as u64);
            // f32 values are exact in f64.
            run.iter().for_each(|x| number(x.to_f64().to_bits()));
        }
        sealed(out)
    }

    pub fn from_bytes(graph: &TrainingGraph, bytes: &[u8]) -> Result<Self> {
        let bytes = opened(bytes, ROWS_MAGIC)?;
        let mut reader = Reader::after(bytes, ROWS_MAGIC);
        if reader.number()? != T::BYTES {
            return Err(Error::DifferentMoments { what: "the sample type" });
        }
        let dim = reader.number()?;
        let solver = if reader.number()? == 1 { Solver::Svd } else { Solver::Covariance };
        reader.check_graph(graph)?;
        let mut kept = Self::new(graph, dim, solver);
        let damaged = |at, reason| Error::Damaged { at, reason };
        for _ in 0..reader.number()? {
            let (first, rows) = (reader.number()?, reader.number()?);
            let at = reader.at;
            let count = rows.checked_mul(dim).ok_or(damaged(at, "a number is too large"))?;
            if first > graph.len() || rows > graph.len() - first {
                return Err(damaged(at, "the rows are not in the graph"));
            }
            let values = reader.finite(count)?.map(T::from_f64).collect();
            let run = Array2::from_shape_vec((rows, dim), values).map_err(|_| damaged(at, "they end too early"))?;
            kept.put(first, std::sync::Arc::new(run)).map_err(|_| damaged(at, "the rows are out of order"))?;
        }
        reader.check_end()?;
        Ok(kept)
    }
}

/// Bytes and their checksum.
pub(super) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

/// The bytes before the checksum, if they begin and end as they should.
pub(super) fn opened<'a>(bytes: &'a [u8], magic: &[u8; 8]) -> Result<&'a [u8]> {
    match bytes.get(..magic.len()) {
        Some(start) if start == magic => {}
        Some(start) if start[..magic.len() - 1] == magic[..magic.len() - 1] => {
            return Err(Error::Damaged { at: magic.len() - 1, reason: "they were written by another version of gsfa" });
        }
        _ => return Err(Error::Damaged { at: 0, reason: "they do not begin as sums do" }),
    }
    let Some((bytes, checksum)) = bytes.split_last_chunk::<CHECKSUM>() else {
        return Err(Error::Damaged { at: bytes.len(), reason: "they end too early" });
    };
    if Sha256::digest(bytes)[..] != checksum[..] {
        return Err(Error::Damaged { at: bytes.len(), reason: "their checksum is another" });
    }
    Ok(bytes)
}

/// Numbers one after the other.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// What comes after the first bytes.
    pub fn after(bytes: &'a [u8], magic: &[u8; 8]) -> Self {
        Self { bytes, at: magic.len() }
    }

    /// That what follows is the print of a graph.
    pub fn check_graph(&mut self, graph: &TrainingGraph) -> Result<()> {
        let mut numbers = [0.0; print::NUMBERS];
        for x in &mut numbers {
            *x = self.value()?;
        }
        match graph.print().difference(&GraphPrint::from_numbers(&numbers)) {
            Some(what) => Err(Error::DifferentMoments { what }),
            None => Ok(()),
        }
    }

    /// Some of the first `total` rows.
    pub fn rows(&mut self, total: usize) -> Result<RowSet> {
        let count = self.number()?;
        let mut ranges = Vec::with_capacity(self.affordable(count)?);
        for _ in 0..count {
            ranges.push(self.number()?..self.number()?);
        }
        RowSet::from_ranges(ranges)
            .filter(|rows| rows.ranges().iter().all(|r| r.end <= total))
            .ok_or(Error::Damaged { at: self.at, reason: "the rows are out of order" })
    }

    /// That nothing follows.
    pub fn check_end(&self) -> Result<()> {
        match self.at == self.bytes.len() {
            true => Ok(()),
            false => Err(Error::Damaged { at: self.at, reason: "bytes are left over" }),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let Some(end) = end else { return Err(Error::Damaged { at: self.at, reason: "they end too early" }) };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn eight(&mut self) -> Result<[u8; 8]> {
        let mut eight = [0; 8];
        eight.copy_from_slice(self.take(8)?);
        Ok(eight)
    }

    pub fn number(&mut self) -> Result<usize> {
        let at = self.at;
        let number = u64::from_le_bytes(self.eight()?);
        usize::try_from(number).map_err(|_| Error::Damaged { at, reason: "a number is too large" })
    }

    pub fn value(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.eight()?))
    }

    /// `count`, if that many values can still follow.
    fn affordable(&self, count: usize) -> Result<usize> {
        let enough = count <= (self.bytes.len() - self.at) / 8;
        enough.then_some(count).ok_or(Error::Damaged { at: self.at, reason: "they end too early" })
    }

    /// Values of which none is infinite or no number.
    pub fn finite(&mut self, count: usize) -> Result<impl Iterator<Item = f64> + Clone + 'a> {
        let at = self.at;
        let values = self.values(count)?;
        let good = values.clone().all(f64::is_finite);
        good.then_some(values).ok_or(Error::Damaged { at, reason: "a sum is not finite" })
    }

    fn values(&mut self, count: usize) -> Result<impl Iterator<Item = f64> + Clone + 'a> {
        let count = self.affordable(count)?;
        let taken = self.take(8 * count)?;
        Ok(taken.chunks_exact(8).map(|c| f64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]])))
    }
}
