//! The kernel of the 0.8Expo expansion: `|x|^p` for rows of values.
//!
//! The library's `powf` takes one value at a time. Here the same few dozen operations run over whole vectors, for which
//! the compiler vectorises them: once for the baseline of the target, once for AVX2 and once for AVX-512. Which of them
//! runs is decided at run time and changes no bit, since all execute the same correctly rounded operations; the fused
//! ones of single precision are a function of the library where the machine has no instruction for them.
//!
//! Accuracy, tested against `powf` over all magnitudes: within 2 units in the last place for p ≤ 1, and about 1 + p
//! of them above; 0, 1 and infinity are exact, NaN stays NaN.

mod f32;
mod f64;

pub(super) use f64::exp2_near_zero;
use ndarray::ArrayViewMut2;

use crate::vectors::{self, Vectors};

/// Values that the kernel takes at a time: one vector of the widest kind.
const SINGLES: usize = 16;
const DOUBLES: usize = 8;

/// Fills the second half of every row with `|x|^p` of the first half.
pub fn power_f64(rows: ArrayViewMut2<'_, f64>, p: f64) {
    let exponent = f64::Exponent::new(p);
    match vectors::in_use() {
        // SAFETY: the machine has the vectors in use.
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx512 => unsafe { power_f64_avx512(rows, exponent) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx2 => unsafe { power_f64_avx2(rows, exponent) },
        _ => power_f64_any(rows, exponent),
    }
}

/// Fills the second half of every row with `|x|^p` of the first half.
pub fn power_f32(rows: ArrayViewMut2<'_, f32>, p: f64) {
    let exponent = f32::Exponent::new(p);
    match vectors::in_use() {
        // SAFETY: the machine has the vectors in use.
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx512 => unsafe { power_f32_avx512(rows, exponent) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Vectors::Avx2 => unsafe { power_f32_avx2(rows, exponent) },
        _ => power_f32_any(rows, exponent),
    }
}

#[inline(always)]
fn power_f64_any(rows: ArrayViewMut2<'_, f64>, exponent: f64::Exponent) {
    fill_rows::<_, DOUBLES>(rows, |x| exponent.of(x));
}

#[inline(always)]
fn power_f32_any(rows: ArrayViewMut2<'_, f32>, exponent: f32::Exponent) {
    if exponent.is_small() {
        fill_rows::<_, SINGLES>(rows, |x| exponent.of::<true>(x));
    } else {
        fill_rows::<_, SINGLES>(rows, |x| exponent.of::<false>(x));
    }
}

/// Whole vectors, and for the rest of a row one that is filled up: every value meets the same operations.
#[inline(always)]
fn fill_rows<T: Copy + Default, const LANES: usize>(mut rows: ArrayViewMut2<'_, T>, power: impl Fn(T) -> T) {
    let columns = rows.ncols() / 2;
    let mut scattered = Vec::new(); // needed only for rows that are not contiguous
    for mut row in rows.outer_iter_mut() {
        if let Some(row) = row.as_slice_mut() {
            let (inputs, powers) = row.split_at_mut(columns);
            fill::<T, LANES>(inputs, powers, &power);
        } else {
            scattered.clear();
            scattered.extend(row.iter().copied());
            let (inputs, powers) = scattered.split_at_mut(columns);
            fill::<T, LANES>(inputs, powers, &power);
            row.iter_mut().skip(columns).zip(powers).for_each(|(o, x)| *o = *x);
        }
    }
}

#[inline(always)]
fn fill<T: Copy + Default, const LANES: usize>(inputs: &[T], powers: &mut [T], power: &impl Fn(T) -> T) {
    let (vectors, rest) = inputs.as_chunks::<LANES>();
    let (power_vectors, power_rest) = powers.as_chunks_mut::<LANES>();
    for (to, from) in power_vectors.iter_mut().zip(vectors) {
        *to = vector(*from, power);
    }
    if !rest.is_empty() {
        let mut last = [T::default(); LANES];
        last[..rest.len()].copy_from_slice(rest);
        power_rest.copy_from_slice(&vector(last, power)[..rest.len()]);
    }
}

#[inline(always)]
fn vector<T: Copy, const LANES: usize>(mut values: [T; LANES], power: &impl Fn(T) -> T) -> [T; LANES] {
    for x in &mut values {
        *x = power(*x);
    }
    values
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn power_f64_avx2(rows: ArrayViewMut2<'_, f64>, exponent: f64::Exponent) {
    power_f64_any(rows, exponent);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn power_f32_avx2(rows: ArrayViewMut2<'_, f32>, exponent: f32::Exponent) {
    power_f32_any(rows, exponent);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn power_f64_avx512(rows: ArrayViewMut2<'_, f64>, exponent: f64::Exponent) {
    power_f64_any(rows, exponent);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,fma")]
fn power_f32_avx512(rows: ArrayViewMut2<'_, f32>, exponent: f32::Exponent) {
    power_f32_any(rows, exponent);
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, s};

    use super::*;

    /// Rows of random bits in the first half, in widths with and without a rest.
    fn rows<T: Copy + Default>(round: usize, from_bits: impl Fn(u64) -> T) -> Array2<T> {
        let columns = 33 + round % 32;
        let mut bits = (round as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut next = || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            from_bits(bits ^ (bits >> 29))
        };
        let mut rows = Array2::from_elem((40, 2 * columns), T::default());
        rows.slice_mut(s![.., ..columns]).mapv_inplace(|_| next());
        rows
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits_in_double_precision() {
        let same = |a: &Array2<f64>, b: &Array2<f64>| {
            a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
        };
        for round in 0..64 {
            let (p, x) = ([0.8, 1.5][round % 2], rows(round, core::primitive::f64::from_bits));
            let (mut fast, mut plain) = (x.clone(), x.clone());
            power_f64(fast.view_mut(), p);
            power_f64_any(plain.view_mut(), f64::Exponent::new(p));
            assert!(same(&fast, &plain));
            #[cfg(target_arch = "x86_64")]
            if Vectors::Avx2.usable() {
                let mut middle = x;
                // SAFETY: the machine has the feature.
                unsafe { power_f64_avx2(middle.view_mut(), f64::Exponent::new(p)) };
                assert!(same(&middle, &plain));
            }
        }
    }

    #[test]
    fn every_instruction_set_gives_the_same_bits_in_single_precision() {
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        for round in 0..64 {
            let (p, x) = ([0.8, 1.5][round % 2], rows(round, |b| core::primitive::f32::from_bits((b >> 32) as u32)));
            let exponent = f32::Exponent::new(p);
            let (mut fast, mut plain) = (x.clone(), x.clone());
            power_f32(fast.view_mut(), p);
            power_f32_any(plain.view_mut(), exponent);
            assert!(fast.iter().zip(&plain).all(|(a, b)| same(*a, *b)));
            // What is left out for small exponents changes no bit.
            let columns = x.ncols() / 2;
            for (x, power) in x.slice(s![.., ..columns]).iter().zip(plain.slice(s![.., columns..])) {
                assert!(same(exponent.of::<false>(*x), *power), "{x}");
            }
            #[cfg(target_arch = "x86_64")]
            if Vectors::Avx2.usable() {
                let mut middle = x;
                // SAFETY: the machine has the features.
                unsafe { power_f32_avx2(middle.view_mut(), exponent) };
                assert!(middle.iter().zip(&plain).all(|(a, b)| same(*a, *b)));
            }
        }
    }
}
