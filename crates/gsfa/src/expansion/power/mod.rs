//! The kernel of the 0.8Expo expansion: `|x|^p` for blocks of values.
//!
//! The library's `powf` takes one value at a time. Here the same few dozen operations run over a whole block, so that
//! the compiler vectorises them: once for the baseline of the target, once for AVX2 and once for AVX-512. Which of them
//! runs is decided at run time and changes no bit, since all execute the same correctly rounded operations; the fused
//! ones of single precision are a function of the library where the machine has no instruction for them.
//!
//! Accuracy, tested against `powf` over all magnitudes: within 2 units in the last place for p ≤ 1, and about 1 + p
//! of them above; 0, 1 and infinity are exact, NaN stays NaN.

mod f32;
mod f64;

/// Values per block: small enough for the stack and the first cache.
pub const BLOCK: usize = 2048;

/// A multiple of the values that the kernel takes at a time on any machine.
pub const LANES: usize = 64;

/// Replaces every value by `|x|^p`; fastest if their number is a multiple of [`LANES`].
pub fn power_f64(values: &mut [f64], p: f64) {
    let exponent = f64::Exponent::new(p);
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the feature was just detected.
        return unsafe { power_f64_avx512(values, exponent) };
    } else if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the feature was just detected.
        return unsafe { power_f64_avx2(values, exponent) };
    }
    power_f64_any(values, exponent);
}

/// Replaces every value by `|x|^p`; fastest if their number is a multiple of [`LANES`].
pub fn power_f32(values: &mut [f32], p: f64) {
    let exponent = f32::Exponent::new(p);
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the feature was just detected.
        return unsafe { power_f32_avx512(values, exponent) };
    } else if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the feature was just detected.
        return unsafe { power_f32_avx2(values, exponent) };
    }
    power_f32_any(values, exponent);
}

#[inline(always)]
fn power_f64_any(values: &mut [f64], exponent: f64::Exponent) {
    for x in values {
        *x = exponent.of(*x);
    }
}

#[inline(always)]
fn power_f32_any(values: &mut [f32], exponent: f32::Exponent) {
    if exponent.is_small() {
        values.iter_mut().for_each(|x| *x = exponent.of::<true>(*x));
    } else {
        values.iter_mut().for_each(|x| *x = exponent.of::<false>(*x));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn power_f64_avx2(values: &mut [f64], exponent: f64::Exponent) {
    power_f64_any(values, exponent);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn power_f32_avx2(values: &mut [f32], exponent: f32::Exponent) {
    power_f32_any(values, exponent);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn power_f64_avx512(values: &mut [f64], exponent: f64::Exponent) {
    power_f64_any(values, exponent);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,fma")]
fn power_f32_avx512(values: &mut [f32], exponent: f32::Exponent) {
    power_f32_any(values, exponent);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        let mut doubles = [0.0_f64; BLOCK];
        let mut singles = [0.0_f32; BLOCK];
        for round in 0..64_u64 {
            for i in 0..BLOCK {
                let bits = (round * BLOCK as u64 + i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                doubles[i] = core::primitive::f64::from_bits(bits);
                singles[i] = core::primitive::f32::from_bits((bits >> 32) as u32);
            }
            let (mut fast, mut plain) = (doubles, doubles);
            power_f64(&mut fast, 0.8);
            power_f64_any(&mut plain, f64::Exponent::new(0.8));
            assert!(fast.iter().zip(&plain).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())));
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                let mut middle = doubles;
                // SAFETY: the feature was just detected.
                unsafe { power_f64_avx2(&mut middle, f64::Exponent::new(0.8)) };
                assert!(middle.iter().zip(&plain).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan()));
            }
            for p in [0.8, 1.5] {
                let exponent = f32::Exponent::new(p);
                let (mut fast, mut plain) = (singles, singles);
                power_f32(&mut fast, p);
                power_f32_any(&mut plain, exponent);
                let same = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
                assert!(fast.iter().zip(&plain).all(same));
                // What is left out for small exponents changes no bit.
                singles.iter().zip(&plain).for_each(|(x, y)| assert!(same((&exponent.of::<false>(*x), y)), "{x}"));
                #[cfg(target_arch = "x86_64")]
                if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                    let mut middle = singles;
                    // SAFETY: the features were just detected.
                    unsafe { power_f32_avx2(&mut middle, exponent) };
                    assert!(middle.iter().zip(&plain).all(same));
                }
            }
        }
    }
}
