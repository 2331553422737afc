//! Errors of a node in terms of the samples that a network was given.

use ndarray::{Array2, ArrayView2};

use super::statistics::ColumnStatistics;
use crate::linalg::vectorized;
use crate::samples::{Rows, SampleType, Samples};
use crate::{Error, Result};

/// Rows that are looked through at a time.
const ROWS: usize = 256;

/// What went wrong in a node, as the caller can understand it: a node knows places in its own inputs only, and a value
/// that is not finite shows in whatever is computed first. The samples may be a piece that begins at `first_row`.
pub(super) fn explain<T: SampleType>(
    error: Error,
    samples: &dyn Samples,
    first_row: usize,
    layer: Option<usize>,
) -> Error {
    if matches!(error, Error::Cancelled { .. }) {
        return error;
    }
    match (first_non_finite::<T>(samples), error) {
        (Ok(Some(found)) | Err(found), _) => found.with_rows(|row| row + first_row),
        (Ok(None), Error::NonFiniteSample { row, .. } | Error::Overflow { row, .. }) => {
            // A row that waited may be one of an earlier piece.
            let place = row.checked_sub(first_row).filter(|place| layer == Some(1) && *place < samples.len());
            let column = place.and_then(|place| large_column::<T>(samples, place));
            column.unwrap_or(Error::NodeOverflow { row, layer: layer.unwrap_or(1) })
        }
        (Ok(None), error) => error,
    }
}

/// A value is an outlier of its column, if half of the others are smaller by this.
const OUTLIER: f64 = 1e3;

/// What is wrong with the column of a row's largest value, if it is not that row alone.
fn large_column<T: SampleType>(samples: &dyn Samples, row: usize) -> Option<Error> {
    let magnitudes = |from: usize, to: usize| -> Option<Array2<f64>> {
        let mut block = Array2::from_elem((to - from, samples.dim()), T::default());
        T::read(samples, Rows::Range(from..to), block.view_mut()).ok()?;
        Some(block.mapv(|x| x.to_f64().abs()))
    };
    let of_row = magnitudes(row, row + 1)?;
    let column = (1..samples.dim()).fold(0, |best, i| if of_row[[0, i]] > of_row[[0, best]] { i } else { best });
    let mut all = Vec::with_capacity(samples.len());
    for from in (0..samples.len()).step_by(ROWS) {
        all.extend(magnitudes(from, (from + ROWS).min(samples.len()))?.column(column));
    }
    all.sort_by(f64::total_cmp);
    let deviation = ColumnStatistics::of::<T>(samples).ok()?.deviation[column];
    let problem = "is too much for what nodes make of it";
    let typical = *all.get(samples.len() / 2)? > of_row[[0, column]] / OUTLIER;
    typical.then_some(Error::ColumnRange { column, deviation, problem })
}

/// The first value of all samples that is not finite, and how many there are.
fn first_non_finite<T: SampleType>(samples: &dyn Samples) -> Result<Option<Error>> {
    let mut first = None;
    let mut count = 0;
    for from in (0..samples.len()).step_by(ROWS) {
        let rows = from..(from + ROWS).min(samples.len());
        let mut block = Array2::from_elem((rows.len(), samples.dim()), T::default());
        T::read(samples, Rows::Range(rows), block.view_mut())?;
        for ((n, column), _) in block.indexed_iter().filter(|(_, x)| !x.to_f64().is_finite()) {
            first.get_or_insert((from + n, column));
            count += 1;
        }
    }
    let Some((row, column)) = first else { return Ok(None) };
    // A number that single precision does not hold is one all the same.
    let mut exact = Array2::zeros((1, samples.dim()));
    samples.read_double(Rows::Range(row..row + 1), exact.view_mut())?;
    let value = exact[[0, column]];
    Ok(Some(match value.is_finite() {
        true => Error::Overflow { row, column, value },
        false => Error::NonFiniteSample { row, column, total: count },
    }))
}

/// [`Error::NonFiniteSample`] if a value is not finite; `first_row` is the number of the first row.
pub(super) fn check_finite<T: SampleType>(rows: ArrayView2<'_, T>, first_row: usize) -> Result<()> {
    if all_within(rows, T::from_f64(T::LARGEST)) {
        return Ok(());
    }
    // Finite values may be larger, too.
    match rows.indexed_iter().find(|(_, x)| !x.to_f64().is_finite()) {
        Some(((n, column), _)) => Err(Error::NonFiniteSample { row: first_row + n, column, total: 1 }),
        None => Ok(()),
    }
}

vectorized! {
    /// Whether all values are small; without a branch for each value, since this runs over all samples.
    fn all_within<T: SampleType>(rows: ArrayView2<'_, T>, limit: T) -> bool {
        rows.outer_iter().all(|row| match row.as_slice() {
            Some(row) => row.iter().fold(true, |small, x| small & x.within(limit)),
            None => row.iter().fold(true, |small, x| small & x.within(limit)),
        })
    }
}
