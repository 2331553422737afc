//! Which samples are centres: k-means++, whose draws keep away from centres that are there, and what kernels between them
//! say twice is left out.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::super::Expandable;
use super::super::exponential::decay_f64;
use super::{RbfCenters, RbfSpec};
use crate::linalg::tolerance;
use crate::{Error, Result};

/// A centre is left out if others hold all of its kernel but this share: its terms would be round-off.
const REST: f64 = 1e-10;

/// Rows whose distances one thread computes at a time, input by input: several rows are in one vector.
const ROWS: usize = 512;

pub fn draw<T: Expandable>(spec: &RbfSpec, rows: ArrayView2<'_, f64>) -> Result<RbfCenters> {
    let inputs = rows.ncols();
    let none = || RbfCenters { centers: Array2::zeros((0, inputs)), scale: 1.0, map: Array2::zeros((0, 0)) };
    if let Some(((row, column), _)) = rows.indexed_iter().find(|(_, x)| !x.is_finite()) {
        return Err(Error::NonFiniteSample { row, column, total: 1 });
    }
    let Some(spread) = total_deviation::<T>(rows) else { return Ok(none()) };
    let scale = 1.0 / (std::f64::consts::SQRT_2 * spec.width) / spread;
    let in_type = T::from_f64(scale).to_f64();
    if !(in_type.is_finite() && in_type > 0.0) {
        let problem = if scale < 1.0 { "is too much for kernels" } else { "is too little to divide by" };
        let column = widest_column(rows);
        return Err(Error::ColumnRange { column, deviation: spread, problem });
    }
    let drawn = plus_plus(spec, rows, 1.0 / spread);
    let candidates = rows.select(Axis(0), &drawn);
    let (kept, factor) = independent(candidates.view(), scale, REST.max(10.0 * T::EPSILON));
    let centers = candidates.select(Axis(0), &kept);
    Ok(RbfCenters { centers, scale, map: inverse_transposed(factor.view()) })
}

/// The root of the sum of variances of columns that vary, every row counting once; `None` if none does. In units of the
/// largest distance, whose square may be no number.
fn total_deviation<T: Expandable>(rows: ArrayView2<'_, f64>) -> Option<f64> {
    let n = rows.nrows() as f64;
    let constant = tolerance::constant_column(T::EPSILON);
    let deviation = |column: ArrayView1<'_, f64>| {
        let mean: f64 = column.iter().map(|x| x / n).sum();
        let unit = column.iter().fold(0.0_f64, |most, x| most.max((x - mean).abs()));
        if unit <= constant * mean.abs() || unit == 0.0 {
            return 0.0;
        }
        unit * (column.iter().map(|x| ((x - mean) / unit).powi(2)).sum::<f64>() / n).sqrt()
    };
    let deviations: Vec<f64> = rows.axis_iter(Axis(1)).map(deviation).collect();
    let largest = deviations.iter().copied().fold(0.0, f64::max);
    let total = largest * deviations.iter().map(|d| (d / largest).powi(2)).sum::<f64>().sqrt();
    (largest > 0.0).then_some(total)
}

/// The column whose values are farthest apart.
fn widest_column(rows: ArrayView2<'_, f64>) -> usize {
    let range = |column: ArrayView1<'_, f64>| {
        let (low, high) = column.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        high - low
    };
    let ranges: Vec<f64> = rows.axis_iter(Axis(1)).map(range).collect();
    (0..ranges.len()).fold(0, |best, i| if ranges[i] > ranges[best] { i } else { best })
}

/// Rows drawn one after the other, each with a chance in proportion to its squared distance from the nearest one drawn
/// before. Copies have no chance; neither have rows that round-off tells apart.
fn plus_plus(spec: &RbfSpec, rows: ArrayView2<'_, f64>, scale: f64) -> Vec<usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(spec.seed);
    let same = (rows.ncols() as f64).sqrt() * 1e-7;
    let inputs = (&rows.t() * scale).as_standard_layout().into_owned();
    let mut drawn = vec![random.random_range(0..rows.nrows())];
    let mut nearest = vec![f64::INFINITY; rows.nrows()];
    while drawn.len() < spec.centers.min(rows.nrows()) {
        let last = inputs.column(drawn[drawn.len() - 1]);
        nearest.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, nearest)| {
            let mut squares = [0.0; ROWS];
            let (from, squares) = (chunk * ROWS, &mut squares[..nearest.len()]);
            for (input, &c) in inputs.outer_iter().zip(last) {
                let input = input.slice(s![from..from + squares.len()]);
                let Some(input) = input.to_slice() else { continue };
                squares.iter_mut().zip(input).for_each(|(sum, x)| *sum += (x - c) * (x - c));
            }
            for (near, &square) in nearest.iter_mut().zip(&*squares) {
                *near = near.min(if square <= same * same { 0.0 } else { square });
            }
        });
        let total: f64 = nearest.iter().sum();
        if total <= 0.0 {
            break;
        }
        let mut left = random.random_range(0.0..1.0) * total;
        let next = nearest.iter().position(|near| {
            left -= near;
            *near > 0.0 && left < 0.0
        });
        // Round-off may leave a little of the total: the last one that has a chance.
        let Some(next) = next.or_else(|| nearest.iter().rposition(|near| *near > 0.0)) else { break };
        drawn.push(next);
    }
    drawn
}

/// Rows whose kernels are not those of earlier ones already, and Cholesky's factor of the kernels between them.
fn independent(rows: ArrayView2<'_, f64>, scale: f64, rest: f64) -> (Vec<usize>, Array2<f64>) {
    let mut kept: Vec<usize> = Vec::new();
    let mut factor = Array2::<f64>::zeros((rows.nrows(), rows.nrows()));
    for n in 0..rows.nrows() {
        let k = kept.len();
        let kernel = |&other: &usize| {
            let square: f64 = rows.row(n).iter().zip(rows.row(other)).map(|(x, c)| ((x - c) * scale).powi(2)).sum();
            decay_f64(square)
        };
        let mut row: Array1<f64> = kept.iter().map(kernel).collect();
        for i in 0..k {
            let known = factor.slice(s![i, ..i]).dot(&row.slice(s![..i]));
            row[i] = (row[i] - known) / factor[[i, i]];
        }
        let left = 1.0 - row.dot(&row);
        if left > rest {
            factor.slice_mut(s![k, ..k]).assign(&row);
            factor[[k, k]] = left.sqrt();
            kept.push(n);
        }
    }
    let factor = factor.slice(s![..kept.len(), ..kept.len()]).to_owned();
    (kept, factor)
}

/// $L^{-T}$.
fn inverse_transposed(factor: ArrayView2<'_, f64>) -> Array2<f64> {
    let mut inverse = Array2::eye(factor.nrows());
    crate::linalg::cholesky::solve_lower_transposed(factor, &mut inverse);
    inverse
}
