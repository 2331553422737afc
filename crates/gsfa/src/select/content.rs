//! What samples are by their content, wherever they stand.

use ndarray::{Array2, ArrayView1};
use rayon::prelude::*;

use crate::Result;
use crate::linalg::Real;
use crate::samples::{Precision, Rows, SampleType, Samples};

/// Rows that are read at a time.
const ROWS: usize = 512;

/// A number that is the same for copies of a row and different for others: a combination of its values with fixed factors,
/// the fractional parts of multiples of the golden ratio less a half. Other than a hash it hardly changes when values
/// change by round-off.
fn row_key<T: Real>(row: ArrayView1<'_, T>) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_8;
    (1_u32..).zip(row).map(|(j, x)| x.to_f64() * ((f64::from(j) * GOLDEN).fract() - 0.5)).sum()
}

/// The key of every sample.
pub(crate) fn row_keys(samples: &dyn Samples) -> Result<Vec<f64>> {
    match samples.precision() {
        Precision::Single => keys::<f32>(samples),
        Precision::Double => keys::<f64>(samples),
    }
}

fn keys<T: SampleType>(samples: &dyn Samples) -> Result<Vec<f64>> {
    let starts: Vec<usize> = (0..samples.len()).step_by(ROWS).collect();
    let block = |&from: &usize| {
        let rows = from..(from + ROWS).min(samples.len());
        let mut block = Array2::from_elem((rows.len(), samples.dim()), T::default());
        T::read(samples, Rows::Range(rows), block.view_mut())?;
        Ok(block.outer_iter().map(row_key).collect())
    };
    let blocks: Vec<Result<Vec<f64>>> = starts.par_iter().map(block).collect();
    Ok(blocks.into_iter().collect::<Result<Vec<_>>>()?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn copies_have_one_key_and_others_have_their_own() {
        let x = array![[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [0.0, 0.0]];
        let keys = row_keys(&x.view()).unwrap();
        assert_eq!(keys[0], keys[2]);
        assert!(keys[0] != keys[1] && keys[1] != keys[3]);
    }
}
