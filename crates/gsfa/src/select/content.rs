//! What samples are by their content, wherever they stand, and in whatever order a table has its columns.

use std::collections::HashSet;

use ndarray::{ArrayView1, ArrayViewMut2};
use rayon::prelude::*;

use crate::Result;
use crate::linalg::dot::{add_scaled, dot, sum};
use crate::linalg::{Real, vectorized};
use crate::samples::{Precision, Rows, SampleType, Samples};

/// Values that are read at a time: a block of them stays in the cache of a processor.
const BLOCK: usize = 1 << 15;

/// Sums and hashes of a row go in so many strands, so that none waits for the one before.
const STRANDS: usize = 4;

/// Columns whose statistics differ by less are told apart by their range: round-off must not decide.
const SAME: f64 = 1e-9;

/// What hashes begin with.
const START: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a row is by its bits: copies have the same, and rows are in an order that has nothing to do with what they are.
/// First comes what does not depend on the order of columns; rows with the same numbers in other places differ in the second.
pub(crate) type RowHash = (u64, u64);

/// The hash of a row. 0 and −0 are one number.
pub(crate) fn row_hash<T: Real>(row: ArrayView1<'_, T>) -> RowHash {
    let bits = |x: &T| (x.to_f64() + 0.0).to_bits();
    let any_order = row.iter().fold(0_u64, |sum, x| sum.wrapping_add(mixed(START ^ bits(x))));
    let mut strands: [u64; STRANDS] = std::array::from_fn(|place| START + place as u64);
    row.iter().zip((0..STRANDS).cycle()).for_each(|(x, strand)| strands[strand] = mixed(strands[strand] ^ bits(x)));
    (mixed(any_order), strands.into_iter().fold(START, |hash, strand| mixed(hash ^ strand)))
}

fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

/// A number that copies of a row share and others do not, by a multiplication for every two values. It only says which rows are
/// counted, once each, where columns are put in order: where two rows have one by accident, one row less is counted.
fn copy_hash<T: Real>(row: &[T]) -> u64 {
    let bits = |x: T| (x.to_f64() + 0.0).to_bits();
    let folded = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let mut strands: [u64; STRANDS] = std::array::from_fn(|place| START + place as u64);
    let (groups, rest) = row.as_chunks::<{ 2 * STRANDS }>();
    for group in groups {
        for (strand, two) in strands.iter_mut().zip(group.as_chunks::<2>().0) {
            *strand = folded(*strand ^ bits(two[0]), START ^ bits(two[1]).rotate_left(29));
        }
    }
    let hash = rest.iter().fold(START, |hash, &x| mixed(hash ^ bits(x)));
    strands.into_iter().fold(hash, |hash, strand| mixed(hash ^ strand))
}

/// The key of every sample: a number that is the same for copies of a row and different for others, a combination of its
/// values, in units of the ranges of their columns, with fixed factors between −½ and ½. Other than a hash it hardly changes
/// when values change by round-off, and a column may be measured in any unit. Columns take the factors in an order that their
/// values decide.
///
/// Factors are drawn: between those of a rule, as multiples of the golden ratio, sums of some are those of others, and rows of
/// 0 and 1 that differ would have one key.
pub(crate) fn row_keys(samples: &dyn Samples) -> Result<Vec<f64>> {
    if samples.dim() == 0 {
        return Ok(vec![0.0; samples.len()]);
    }
    match samples.precision() {
        Precision::Single => keys::<f32>(samples),
        Precision::Double => keys::<f64>(samples),
    }
}

fn keys<T: SampleType>(samples: &dyn Samples) -> Result<Vec<f64>> {
    let Columns { scales, order } = columns_by_content::<T>(samples)?;
    let factor = |place: u64| (mixed(START ^ place) >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
    let terms: Vec<(usize, f64)> = order.into_iter().zip((1..).map(factor)).collect();
    let (fours, rest) = terms.as_chunks::<STRANDS>();
    let blocks = each_block::<T, Vec<f64>>(samples, |_, block| {
        let mut shares = vec![0.0; samples.dim()];
        let key = |row: &[T]| {
            scales.shares(row, &mut shares);
            let mut strands = [0.0; STRANDS];
            let mut add = |strand: usize, &(i, factor): &(usize, f64)| strands[strand] += shares[i] * factor;
            fours.iter().for_each(|four| (0..STRANDS).zip(four).for_each(|(strand, term)| add(strand, term)));
            (0..STRANDS).zip(rest).for_each(|(strand, term)| add(strand, term));
            strands.iter().sum()
        };
        block.chunks_exact(samples.dim()).map(key).collect()
    })?;
    Ok(blocks.concat())
}

/// The columns in an order that does not depend on where they stand: by their mean, that of products with other columns added,
/// in units of their range, then by the range itself, and by the columns that they stand with. Those that are left are copies of
/// each other, or as good. Copies of rows count once: a sample of weight 2 is two copies.
fn columns_by_content<T: SampleType>(samples: &dyn Samples) -> Result<Columns> {
    let dim = samples.dim();
    let (ranges, different) = survey::<T>(samples)?;
    let scales = Scales::new(&ranges);
    // A constant column says nothing, and takes nothing.
    let mut columns: Vec<usize> = (0..dim).filter(|&i| ranges.high[i] > ranges.low[i]).collect();
    let varying = columns.len() as f64;
    if columns.len() < 2 {
        return Ok(Columns { scales, order: columns });
    }
    // Sums of the columns, each row times what its shares of the ranges say.
    let sums = |factor: &(dyn Fn(&[f64]) -> f64 + Sync)| -> Result<Vec<f64>> {
        let of_block = |from: usize, block: &[T]| {
            let (mut sums, mut shares) = (vec![0.0; dim], vec![0.0; dim]);
            for (row, _) in block.chunks_exact(dim).zip(&different[from..]).filter(|(_, different)| **different) {
                scales.shares(row, &mut shares);
                add_scaled(&mut sums, factor(&shares), &shares);
            }
            sums
        };
        let mut all = vec![0.0; dim];
        for block in each_block::<T, Vec<f64>>(samples, of_block)? {
            add_scaled(&mut all, 1.0, &block);
        }
        Ok(all)
    };
    let rows = different.iter().filter(|different| **different).count().max(1) as f64;
    let rounded = |sum: f64| (sum / (SAME * rows)).round();
    let statistics = sums(&|shares| {
        let level = sum(shares) / varying;
        1.0 + level * level
    })?;
    let rank = |i: usize| (rounded(statistics[i]), ranges.low[i], ranges.high[i]);
    let by_rank = |a: usize, b: usize| {
        let (a, b) = (rank(a), rank(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
    };
    columns.sort_by(|&a, &b| by_rank(a, b));
    if columns.windows(2).any(|two| by_rank(two[0], two[1]).is_eq()) {
        // Those that are alike so far may stand with others that are not.
        let company = sums(&|shares| {
            let level = dot(shares, &statistics) / rows / varying;
            level * (1.0 + level)
        })?;
        columns.sort_by(|&a, &b| by_rank(a, b).then(rounded(company[a]).total_cmp(&rounded(company[b]))));
    }
    Ok(Columns { scales, order: columns })
}

/// The scales of columns, and the order in which they are taken.
struct Columns {
    scales: Scales,
    order: Vec<usize>,
}

/// The least and the largest value of each column.
struct Ranges {
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Ranges {
    fn of_nothing(dim: usize) -> Self {
        Self { low: vec![f64::INFINITY; dim], high: vec![f64::NEG_INFINITY; dim] }
    }

    fn of<T: Real>(block: &[T], dim: usize) -> Self {
        let mut ranges = Self::of_nothing(dim);
        widen(block, &mut ranges.low, &mut ranges.high);
        ranges
    }

    fn add(&mut self, other: &Self) {
        self.low.iter_mut().zip(&other.low).for_each(|(low, other)| *low = low.min(*other));
        self.high.iter_mut().zip(&other.high).for_each(|(high, other)| *high = high.max(*other));
    }
}

vectorized! {
    fn widen<T: Real>(block: &[T], low: &mut [f64], high: &mut [f64]) {
        for row in block.chunks_exact(low.len()) {
            for ((low, high), x) in low.iter_mut().zip(high.iter_mut()).zip(row) {
                let x = x.to_f64();
                *low = if x < *low { x } else { *low };
                *high = if x > *high { x } else { *high };
            }
        }
    }
}

/// The ranges as scales: halves of the least values, and one over halves of the ranges. Halves, since the range of finite numbers
/// may be none.
struct Scales {
    half_low: Vec<f64>,
    per_half: Vec<f64>,
}

impl Scales {
    fn new(ranges: &Ranges) -> Self {
        let per_half = ranges.low.iter().zip(&ranges.high).map(|(low, high)| 1.0 / (high / 2.0 - low / 2.0));
        Self { per_half: per_half.collect(), half_low: ranges.low.iter().map(|low| low / 2.0).collect() }
    }

    /// Where the values of a row lie between the least, 0, and the largest, 1. A column without a range says nothing: 0.
    fn shares<T: Real>(&self, row: &[T], shares: &mut [f64]) {
        shares_of(row, &self.half_low, &self.per_half, shares);
    }
}

vectorized! {
    fn shares_of<T: Real>(row: &[T], half_low: &[f64], per_half: &[f64], shares: &mut [f64]) {
        for ((share, x), (half_low, per_half)) in shares.iter_mut().zip(row).zip(half_low.iter().zip(per_half)) {
            let own = (x.to_f64() * 0.5 - half_low) * per_half;
            *share = if own.is_finite() { own } else { 0.0 };
        }
    }
}

/// The range of each column, and for each row whether it is the first of its copies.
fn survey<T: SampleType>(samples: &dyn Samples) -> Result<(Ranges, Vec<bool>)> {
    let dim = samples.dim();
    let blocks = each_block::<T, (Ranges, Vec<u64>)>(samples, |_, block| {
        (Ranges::of(block, dim), block.chunks_exact(dim).map(copy_hash).collect())
    })?;
    let (mut ranges, mut hashes) = (Ranges::of_nothing(dim), Vec::with_capacity(samples.len()));
    for (own, of_rows) in blocks {
        ranges.add(&own);
        hashes.extend(of_rows);
    }
    let mut sorted = hashes.clone();
    sorted.par_sort_unstable();
    let any_copies = sorted.windows(2).any(|two| two[0] == two[1]);
    let mut seen = HashSet::new();
    Ok((ranges, hashes.into_iter().map(|hash| !any_copies || seen.insert(hash)).collect()))
}

/// Something of every block of rows, which follow each other in it, and the number of its first, in their order. Samples that
/// lie in memory like that are not copied.
fn each_block<T: SampleType, A: Send>(samples: &dyn Samples, of: impl Fn(usize, &[T]) -> A + Sync) -> Result<Vec<A>> {
    let dim = samples.dim();
    let height = (BLOCK / dim).max(1);
    let starts: Vec<usize> = (0..samples.len()).step_by(height).collect();
    let whole = T::matrix(samples);
    let lying: Option<&[T]> = whole.as_ref().and_then(|whole| whole.as_slice());
    let block = |buffer: &mut Vec<T>, &from: &usize| {
        let rows = from..(from + height).min(samples.len());
        if let Some(all) = lying {
            return Ok(of(from, &all[rows.start * dim..rows.end * dim]));
        }
        buffer.resize(rows.len() * dim, T::default());
        let out = ArrayViewMut2::from_shape((rows.len(), dim), &mut buffer[..]).expect("as many values as rows have");
        T::read(samples, Rows::Range(rows), out)?;
        Ok(of(from, buffer))
    };
    let blocks: Vec<Result<A>> = starts.par_iter().map_init(Vec::new, block).collect();
    blocks.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::{Array2, Axis, array};

    #[test]
    fn copies_have_one_hash_and_others_their_own() {
        let hashes: Vec<RowHash> = array![[1.0, 2.0], [2.0, 1.0], [1.0, 2.0], [0.0, 0.0], [-0.0, 0.0], [1e300, 1.0]]
            .outer_iter()
            .map(row_hash)
            .collect();
        assert_eq!((hashes[0], hashes[3]), (hashes[2], hashes[4]));
        let mut distinct = hashes.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 4);
        // The same numbers in other places: the first half says so, the second tells them apart.
        assert!(hashes[0].0 == hashes[1].0 && hashes[0].1 != hashes[1].1);
        assert_eq!(row_hash(array![1.5_f32, -2.0].view()), row_hash(array![1.5_f64, -2.0].view()));
    }

    #[test]
    fn copies_have_one_key_and_others_have_their_own() {
        let x = array![[1.0, 2.0], [3.0, 4.0], [1.0, 2.0], [0.0, 0.0], [2.0, 1.0]];
        let keys = row_keys(&x.view()).unwrap();
        assert_eq!(keys[0], keys[2]);
        assert!(keys[0] != keys[1] && keys[1] != keys[3] && keys[0] != keys[4]);
    }

    #[test]
    fn rows_of_zeros_and_ones_that_differ_have_different_keys() {
        let x = Array2::from_shape_fn((4096, 12), |(n, i)| f64::from(u8::from(n >> i & 1 == 1)));
        let mut keys = row_keys(&x.view()).unwrap();
        keys.sort_by(f64::total_cmp);
        assert!(keys.windows(2).all(|two| two[1] - two[0] > 1e-12));
    }

    #[test]
    fn copies_of_rows_change_no_key() {
        let x = Array2::from_shape_fn((40, 4), |(n, i)| ((n * 7 + i * 3) as f64 * 0.61).sin());
        let often: Vec<usize> = (0..40).flat_map(|n| std::iter::repeat_n(n, 1 + n % 3)).rev().collect();
        let (once, copied) = (row_keys(&x.view()).unwrap(), row_keys(&x.select(Axis(0), &often).view()).unwrap());
        assert!(often.iter().zip(copied).all(|(&n, key)| once[n] == key));
    }

    #[test]
    fn constant_columns_change_no_key() {
        let x = Array2::from_shape_fn((40, 4), |(n, i)| ((n * 7 + i * 3) as f64 * 0.61).sin());
        let with =
            Array2::from_shape_fn((40, 6), |(n, i)| if i % 3 == 1 { 7.5 } else { x[[n, i - i.div_ceil(3).min(2)]] });
        assert_eq!(with.column(2), x.column(1));
        assert_eq!(row_keys(&with.view()).unwrap(), row_keys(&x.view()).unwrap());
    }

    #[test]
    fn the_order_of_columns_changes_no_key() {
        // Continuous, of words, standardised, constant, a column in other units, one with an outlier, copies.
        for n in [1, 2, 7, 1300] {
            let wave = |n: usize, i: usize| ((n * 37 % 101 * (i + 1)) as f64 * 0.7 + i as f64).sin();
            let x = Array2::from_shape_fn((n, 9), |(n, i)| match i {
                0..=2 => wave(n, i),
                3 | 4 => f64::from(u8::from(wave(n, i) > 0.2)),
                5 => 7.25,
                6 => 3.0 * wave(n, 0) + 1.0,
                7 => {
                    if n == 1 {
                        1e300
                    } else {
                        wave(n, 7)
                    }
                }
                _ => wave(n, 1),
            });
            let keys = row_keys(&x.view()).unwrap();
            for order in [[8, 7, 6, 5, 4, 3, 2, 1, 0], [3, 6, 0, 8, 1, 4, 7, 2, 5]] {
                let moved = x.select(Axis(1), &order);
                assert_eq!(row_keys(&moved.view()).unwrap(), keys, "{n}");
                let single = moved.mapv(|x| x.clamp(-1e30, 1e30) as f32);
                let straight = x.mapv(|x| x.clamp(-1e30, 1e30) as f32);
                assert_eq!(row_keys(&single.view()).unwrap(), row_keys(&straight.view()).unwrap(), "{n}");
            }
        }
        assert!(row_keys(&Array2::<f64>::zeros((0, 3)).view()).unwrap().is_empty());
        assert_eq!(row_keys(&Array2::<f64>::zeros((3, 0)).view()).unwrap(), [0.0; 3]);
    }
}
