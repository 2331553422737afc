//! The samples themselves as sums: the form of moments where there are fewer samples than inputs, or where a covariance,
//! which squares the samples, would hold too few of their digits.

use std::collections::BTreeMap;
use std::sync::Arc;

use ndarray::{Array2, ArrayView2, s};

use super::Covariance;
use super::frame::Frame;
use super::row_set::RowSet;
use super::sums::pieces;
use crate::graph::TrainingGraph;
use crate::linalg::{Buffers, multiply, tolerance};
use crate::samples::{Rows, SampleType, Samples};
use crate::{Error, Result, Solver};

/// Rows that are looked at together.
const BLOCK: usize = 256;

/// Some rows of the samples of a graph, by their numbers.
#[derive(Debug, Clone)]
pub(crate) struct KeptRows<T> {
    pub(super) graph: TrainingGraph,
    dim: usize,
    pub(super) solver: Solver,
    rows: RowSet,
    /// Rows that follow each other, by the number of the first; shared by copies, which are made for every chunk.
    pub(super) runs: BTreeMap<usize, Arc<Array2<T>>>,
}

impl<T: SampleType> KeptRows<T> {
    pub fn new(graph: &TrainingGraph, dim: usize, solver: Solver) -> Self {
        Self { graph: graph.clone(), dim, solver, rows: RowSet::default(), runs: BTreeMap::new() }
    }

    /// All vertices.
    pub fn of(samples: &dyn Samples, graph: &TrainingGraph, solver: Solver) -> Result<Self> {
        let mut kept = Self::new(graph, samples.dim(), solver);
        kept.add_piece(0, samples)?;
        Ok(kept)
    }

    /// Adds the vertices `first_row`, `first_row` + 1, …
    pub fn add_piece(&mut self, first_row: usize, samples: &dyn Samples) -> Result<()> {
        let mut all = Array2::from_elem((samples.len(), samples.dim()), T::default());
        T::read(samples, Rows::Range(0..samples.len()), all.view_mut())?;
        self.put(first_row, Arc::new(all))
    }

    /// Adds the vertices `first_row`, `first_row` + 1, …
    pub fn add(&mut self, first_row: usize, chunk: ArrayView2<'_, T>) -> Result<()> {
        self.put(first_row, Arc::new(chunk.as_standard_layout().into_owned()))
    }

    pub(super) fn put(&mut self, first_row: usize, chunk: Arc<Array2<T>>) -> Result<()> {
        self.rows.insert(first_row..first_row + chunk.nrows())?;
        let bad = |x: &T| !x.to_f64().is_finite();
        if let Some(((n, column), _)) = chunk.indexed_iter().find(|(_, x)| bad(x)) {
            let total = chunk.iter().filter(|x| bad(x)).count();
            return Err(Error::NonFiniteSample { row: first_row + n, column, total });
        }
        if chunk.nrows() > 0 {
            self.runs.insert(first_row, chunk);
        }
        Ok(())
    }

    pub fn dim(&self) -> usize {
        self.dim
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn rows(&self) -> &RowSet {
        &self.rows
    }

    pub fn merge(&mut self, other: Self) -> Result<()> {
        other.runs.into_iter().try_for_each(|(first, run)| self.put(first, run))
    }

    pub fn subtract(&mut self, other: &Self) -> Result<()> {
        for range in other.rows.ranges() {
            self.rows.remove(range.clone())?;
        }
        for (first, run) in std::mem::take(&mut self.runs) {
            // Pieces of the run that are still there.
            let here = self.rows.ranges().iter().map(|r| r.start.max(first)..r.end.min(first + run.nrows()));
            for left in here.filter(|r| r.start < r.end) {
                let rows = run.slice(s![left.start - first..left.end - first, ..]).to_owned();
                self.runs.insert(left.start, Arc::new(rows));
            }
        }
        Ok(())
    }

    /// The same rows as sums of squares and products.
    pub fn summed(self) -> Result<Covariance<T>> {
        let mut sums = Covariance::new(&self.graph, self.dim);
        self.runs.iter().try_for_each(|(first, run)| sums.add(*first, run.view()))?;
        Ok(sums)
    }

    pub fn finish(self) -> Result<CenteredRows> {
        self.rows.check_complete(self.graph.len())?;
        CenteredRows::new(&self.all(), self.graph, self.solver)
    }

    /// All rows in their order.
    fn all(&self) -> Array2<T> {
        let mut all = Array2::from_elem((self.rows.len(), self.dim), T::default());
        let mut at = 0;
        for run in self.runs.values() {
            all.slice_mut(s![at..at + run.nrows(), ..]).assign(&**run);
            at += run.nrows();
        }
        all
    }
}

/// The samples of a graph about their mean, each input times a power of two.
#[derive(Debug, Clone)]
pub(crate) struct CenteredRows {
    pub(super) graph: TrainingGraph,
    pub(super) solver: Solver,
    pub(super) epsilon: f64,
    /// One row per vertex: (x − x̃)·scale.
    pub(super) rows: Array2<f64>,
    pub(super) scales: Vec<f64>,
    mean: Vec<f64>,
    deviations: Vec<f64>,
}

impl CenteredRows {
    fn new<T: SampleType>(all: &Array2<T>, graph: TrainingGraph, solver: Solver) -> Result<Self> {
        let frame = Frame::from_block(all.view(), graph.vertex_weights());
        let (buffers, ones) = (Buffers::default(), [1.0; BLOCK]);
        for block in pieces(0..all.nrows(), BLOCK) {
            // Refuses values that overflow.
            let rows = all.slice(s![block.clone(), ..]);
            frame.pack(rows, &ones[..block.len()], &buffers, |k| block.start + k)?;
        }
        let scales = frame.scales();
        let shift: Vec<f64> = frame.shift.iter().map(|s| s.to_f64()).collect();
        let mut rows = all.mapv(|x| x.to_f64());
        for mut row in rows.outer_iter_mut() {
            row.iter_mut().zip(&shift).zip(&scales).for_each(|((x, s), scale)| *x = (*x - s) * scale);
        }
        let center = mean_of(&rows, &shares(&graph));
        for mut row in rows.outer_iter_mut() {
            row.iter_mut().zip(&center).for_each(|(x, c)| *x -= c);
        }
        let mean = shift.iter().zip(&center).zip(&scales).map(|((s, c), scale)| s + c / scale).collect();
        let mut squares = vec![0.0; rows.ncols()];
        for (row, share) in rows.outer_iter().zip(shares(&graph)) {
            squares.iter_mut().zip(row).for_each(|(sum, x)| *sum += share * x * x);
        }
        let deviations = squares.iter().zip(&scales).map(|(s, scale)| s.sqrt() / scale).collect();
        Ok(Self { graph, solver, epsilon: T::EPSILON, rows, scales, mean, deviations })
    }

    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    pub fn deviations(&self) -> &[f64] {
        &self.deviations
    }

    pub fn q(&self) -> f64 {
        self.graph.q()
    }

    /// The share of each row in the weight of all.
    pub fn shares(&self) -> Vec<f64> {
        shares(&self.graph)
    }

    /// The inputs that vary by more than rounding leaves.
    pub fn live(&self) -> Vec<usize> {
        let constant = tolerance::constant_column(self.epsilon);
        (0..self.mean.len()).filter(|&i| self.deviations[i] > constant * self.mean[i].abs()).collect()
    }

    /// A power of two that brings the inputs that vary most near 1.
    pub fn common_factor(&self) -> f64 {
        let largest = self.deviations.iter().copied().fold(0.0, f64::max);
        if largest > 0.0 { 2.0_f64.powi(-(largest.log2().floor() as i32).clamp(-1000, 1000)) } else { 1.0 }
    }

    /// The inputs that vary among some of the vertices with weights v, and the deviations there of all, 0 for others.
    pub fn deviations_of(&self, some: &[usize], v: &[f64]) -> (Vec<usize>, Vec<f64>) {
        let total: f64 = some.iter().map(|&n| v[n]).sum();
        let mut mean = vec![0.0; self.mean.len()];
        for &n in some {
            mean.iter_mut().zip(self.rows.row(n)).for_each(|(m, x)| *m += v[n] / total * x);
        }
        let mut squares = vec![0.0; mean.len()];
        for &n in some {
            let distances = self.rows.row(n).into_iter().zip(&mean).map(|(x, m)| x - m);
            squares.iter_mut().zip(distances).for_each(|(s, d)| *s += v[n] / total * d * d);
        }
        let constant = tolerance::constant_column(self.epsilon);
        let deviation = |i: usize| {
            let deviation = f64::sqrt(squares[i]) / self.scales[i];
            let varies = deviation > constant * (self.mean[i] + mean[i] / self.scales[i]).abs();
            if varies { deviation } else { 0.0 }
        };
        let deviations: Vec<f64> = (0..mean.len()).map(deviation).collect();
        ((0..mean.len()).filter(|&i| deviations[i] > 0.0).collect(), deviations)
    }

    pub fn covariance(&self) -> Array2<f64> {
        let mut weighted = self.rows.clone();
        weighted.outer_iter_mut().zip(self.shares()).for_each(|(mut row, share)| row *= share);
        let scaled = multiply(weighted.t(), self.rows.view());
        Array2::from_shape_fn(scaled.dim(), |(i, j)| scaled[[i.max(j), i.min(j)]] / self.scales[i] / self.scales[j])
    }

    pub fn derivative_covariance(&self) -> Array2<f64> {
        // Rows that were finite are so about their mean: there is nothing to fail.
        let sums = Covariance::<f64>::of(&self.rows.view(), &self.graph).and_then(Covariance::finish);
        let mut derivative = sums.map(|centered| centered.derivative_covariance()).unwrap_or_default();
        derivative.indexed_iter_mut().for_each(|((i, j), c)| *c /= self.scales[i] * self.scales[j]);
        derivative
    }
}

fn shares(graph: &TrainingGraph) -> Vec<f64> {
    graph.vertex_weights().iter().map(|v| v / graph.q()).collect()
}

fn mean_of(rows: &Array2<f64>, shares: &[f64]) -> Vec<f64> {
    let mut mean = vec![0.0; rows.ncols()];
    for (row, share) in rows.outer_iter().zip(shares) {
        mean.iter_mut().zip(row).for_each(|(m, x)| *m += share * x);
    }
    mean
}
