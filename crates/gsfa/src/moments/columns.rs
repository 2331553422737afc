//! Mean and deviation of every column, additive as other sums are.

use std::ops::Range;

use ndarray::{Array1, Array2, ArrayView2};
use rayon::prelude::*;

use super::bytes::{Reader, opened, sealed};
use super::row_set::RowSet;
use crate::graph::TrainingGraph;
use crate::samples::{Rows, SampleType, Samples};
use crate::{Error, Result};

/// Rows per partial sum; fixed, so that the result does not depend on the number of threads.
const ROWS: usize = 1024;

/// How their bytes begin.
const MAGIC: &[u8; 8] = b"GSFACOL\x01";

/// Weighted mean and deviation of each column over some samples of a graph.
#[derive(Debug, Clone)]
pub(crate) struct ColumnSums {
    graph: TrainingGraph,
    rows: RowSet,
    part: Part,
}

/// The statistics of some rows and their weight.
#[derive(Debug, Clone)]
struct Part {
    weight: f64,
    mean: Array1<f64>,
    deviation: Array1<f64>,
}

impl ColumnSums {
    /// Of no samples yet.
    pub fn new(graph: &TrainingGraph, dim: usize) -> Self {
        Self { graph: graph.clone(), rows: RowSet::default(), part: Part::none(dim) }
    }

    /// Adds the samples `first_row`, `first_row` + 1, …
    ///
    /// # Errors
    /// If one was added before or is not in the graph, the number of columns differs, or samples cannot be read.
    pub fn add_piece<T: SampleType>(&mut self, first_row: usize, samples: &dyn Samples) -> Result<()> {
        if samples.dim() != self.dim() {
            return Err(Error::InputDim { expected: self.dim(), got: samples.dim() });
        }
        let end = first_row.saturating_add(samples.len());
        if end > self.graph.len() {
            let problem = "do not exist in the graph";
            return Err(Error::RowRange { first: first_row, last: end - 1, problem });
        }
        self.rows.insert(first_row..end)?;
        let weights = self.graph.vertex_weights();
        let part = |rows: &Range<usize>| -> Result<Part> {
            let mut block = Array2::from_elem((rows.len(), samples.dim()), T::default());
            T::read(samples, Rows::Range(rows.start - first_row..rows.end - first_row), block.view_mut())?;
            Part::of(block.view(), &weights[rows.clone()]).checked(block.view(), rows.start)
        };
        let parts: Vec<Result<Part>> = blocks(first_row..end).par_iter().map(part).collect();
        let before = std::mem::replace(&mut self.part, Part::none(samples.dim()));
        self.part = parts.into_iter().try_fold(before, |sum, part| part.map(|part| sum.joined(part)))?;
        Ok(())
    }

    /// Adds the statistics of other samples.
    ///
    /// # Errors
    /// If a sample is in both, or the samples, their weights or the columns are others.
    pub fn merge(&mut self, other: Self) -> Result<()> {
        let difference = if self.dim() != other.dim() {
            Some("the number of inputs")
        } else if self.graph.is(&other.graph) {
            None
        } else {
            self.graph.print().difference(other.graph.print())
        };
        if let Some(what) = difference {
            return Err(Error::DifferentMoments { what });
        }
        other.rows.ranges().iter().try_for_each(|range| self.rows.insert(range.clone()))?;
        if other.rows() > 0 {
            let before = std::mem::replace(&mut self.part, Part::none(0));
            self.part = before.joined(other.part);
        }
        Ok(())
    }

    /// Takes the same samples as they are in another field beside these: each once for every field.
    ///
    /// # Errors
    /// [`Error::MissingRows`] unless all samples are there, of both.
    pub fn pool(&mut self, field: Self) -> Result<()> {
        self.check_complete()?;
        field.check_complete()?;
        let before = std::mem::replace(&mut self.part, Part::none(0));
        self.part = before.joined(field.part);
        Ok(())
    }

    pub fn dim(&self) -> usize {
        self.part.mean.len()
    }

    /// The weights of all samples.
    pub fn weights(&self) -> &[f64] {
        self.graph.vertex_weights()
    }

    /// How many samples were added.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// That all samples were added.
    ///
    /// # Errors
    /// [`Error::MissingRows`].
    pub fn check_complete(&self) -> Result<()> {
        self.rows.check_complete(self.graph.len())
    }

    /// Means and deviations.
    ///
    /// # Errors
    /// [`Error::MissingRows`], or [`Error::ColumnRange`] if a column varies by more than the largest number.
    pub fn finish(self) -> Result<(Array1<f64>, Array1<f64>)> {
        self.check_complete()?;
        // A value that is not finite is told by those who name its row.
        if let Some(column) = self.part.deviation.iter().position(|d| *d == f64::INFINITY) {
            let problem = "is more than the largest number";
            return Err(Error::ColumnRange { column, deviation: f64::INFINITY, problem });
        }
        Ok((self.part.mean, self.part.deviation))
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let mut number = |x: u64| out.extend(x.to_le_bytes());
        number(self.dim() as u64);
        self.graph.print().to_numbers().iter().for_each(|x| number(x.to_bits()));
        self.rows.write(&mut number);
        number(self.part.weight.to_bits());
        self.part.mean.iter().chain(&self.part.deviation).for_each(|x| number(x.to_bits()));
        sealed(out)
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, of the same samples and as many columns.
    pub fn read(&self, bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::after(opened(bytes, MAGIC)?, MAGIC);
        let dim = reader.number()?;
        if dim != self.dim() {
            return Err(Error::DifferentMoments { what: "the number of inputs" });
        }
        reader.check_graph(&self.graph)?;
        let rows = reader.rows(self.graph.len())?;
        let weight = reader.value()?;
        let mean = reader.finite(dim)?.collect();
        let part = Part { weight, mean, deviation: reader.finite(dim)?.collect() };
        reader.check_end()?;
        Ok(Self { graph: self.graph.clone(), rows, part })
    }
}

/// Rows in blocks whose borders do not depend on where a piece begins.
fn blocks(rows: Range<usize>) -> Vec<Range<usize>> {
    let first = rows.start / ROWS * ROWS;
    let block = |from: usize| from.max(rows.start)..(from + ROWS).min(rows.end);
    (first..rows.end).step_by(ROWS).map(block).collect()
}

impl Part {
    /// Of no rows.
    fn none(dim: usize) -> Self {
        Self { weight: 0.0, mean: Array1::zeros(dim), deviation: Array1::zeros(dim) }
    }

    /// Squares of distances from the mean, in units of the largest, neither cancel nor leave the range of numbers.
    fn of<T: SampleType>(block: ArrayView2<'_, T>, weights: &[f64]) -> Self {
        let weight: f64 = weights.iter().sum();
        let heaviest = (1..weights.len()).fold(0, |best, n| if weights[n] > weights[best] { n } else { best });
        let center: Array1<f64> = block.row(heaviest).mapv(|x| x.to_f64());
        let mut mean = Array1::<f64>::zeros(center.len());
        for (row, w) in block.outer_iter().zip(weights) {
            let share = w / weight;
            for ((m, x), c) in mean.iter_mut().zip(row).zip(&center) {
                *m += share * (x.to_f64() - c);
            }
        }
        mean += &center;
        let mut farthest = Array1::<f64>::zeros(center.len());
        for row in block.outer_iter() {
            for ((f, x), m) in farthest.iter_mut().zip(row).zip(&mean) {
                let distance = (x.to_f64() - m).abs();
                // NaN stays.
                *f = if distance <= *f { *f } else { distance };
            }
        }
        let unit = farthest.mapv(power_of_two_below);
        let inverse = unit.mapv(f64::recip);
        let mut square = Array1::<f64>::zeros(center.len());
        for (row, w) in block.outer_iter().zip(weights) {
            let share = w / weight;
            for (((s, x), m), inverse) in square.iter_mut().zip(row).zip(&mean).zip(&inverse) {
                let distance = (x.to_f64() - m) * inverse;
                *s += share * distance * distance;
            }
        }
        let deviation = square.iter().zip(&unit).map(|(s, unit)| s.sqrt() * unit).collect();
        Self { weight, mean, deviation }
    }

    /// Refuses values that are not finite.
    fn checked<T: SampleType>(self, block: ArrayView2<'_, T>, first_row: usize) -> Result<Self> {
        if self.mean.iter().chain(&self.deviation).all(|x| x.is_finite()) {
            return Ok(self);
        }
        let mut bad = block.indexed_iter().filter(|(_, x)| !x.to_f64().is_finite());
        match bad.next() {
            None => Ok(self),
            Some(((n, column), _)) => {
                Err(Error::NonFiniteSample { row: first_row + n, column, total: 1 + bad.count() })
            }
        }
    }

    /// Both together: $\sigma^2 = p\sigma_a^2 + q\sigma_b^2 + pq(m_b - m_a)^2$ with the shares p and q of their weights.
    fn joined(mut self, other: Self) -> Self {
        let weight = self.weight + other.weight;
        let (own, theirs) = (self.weight / weight, other.weight / weight);
        let columns = self.mean.iter_mut().zip(&mut self.deviation).zip(&other.mean).zip(&other.deviation);
        for (((mean, deviation), other_mean), other_deviation) in columns {
            let distance = other_mean - *mean;
            // From the heavier one, whose mean then keeps its digits.
            *mean = if own > theirs { *mean + theirs * distance } else { other_mean - own * distance };
            let within = (own.sqrt() * *deviation).hypot(theirs.sqrt() * other_deviation);
            *deviation = within.hypot((own * theirs).sqrt() * distance);
        }
        Self { weight, ..self }
    }
}

/// A power of two near a size; 1 for 0 and for what is no number.
fn power_of_two_below(size: f64) -> f64 {
    if size > 0.0 && size < f64::INFINITY { 2.0_f64.powi((size.log2().floor() as i32).clamp(-1000, 1000)) } else { 1.0 }
}
