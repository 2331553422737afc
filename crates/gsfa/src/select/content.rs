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

/// A hash of the bits of a row: copies have the same, and any rows are in an order that has nothing to do with what they
/// are. 0 and −0 are one number.
pub(crate) fn row_hash<T: Real>(row: ArrayView1<'_, T>) -> u64 {
    let mixed = |hash: u64| {
        let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93)
    };
    row.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, x| mixed(hash ^ (x.to_f64() + 0.0).to_bits()))
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
    fn copies_have_one_hash_and_others_their_own() {
        let hashes: Vec<u64> = array![[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [0.0, 0.0], [-0.0, 0.0], [1e300, 1.0]]
            .outer_iter()
            .map(row_hash)
            .collect();
        assert_eq!((hashes[0], hashes[3]), (hashes[2], hashes[4]));
        let mut distinct = hashes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 4);
        assert_eq!(row_hash(array![1.5_f32, -2.0].view()), row_hash(array![1.5_f64, -2.0].view()));
    }

    #[test]
    fn copies_have_one_key_and_others_have_their_own() {
        let x = array![[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [0.0, 0.0]];
        let keys = row_keys(&x.view()).unwrap();
        assert_eq!(keys[0], keys[2]);
        assert!(keys[0] != keys[1] && keys[1] != keys[3]);
    }
}
