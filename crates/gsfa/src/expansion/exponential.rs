//! e^(−t) for t ≥ 0, made for vectors: the same correctly rounded operations for every value, without branches or fused
//! steps, so that every instruction set gives the same bits.

use super::power::exp2_near_zero;

/// Adding and subtracting it rounds to the nearest integer and leaves that integer in the low bits: 1.5·2^52, 1.5·2^23.
const ROUND_64: f64 = 6_755_399_441_055_744.0;
const ROUND_32: f32 = 12_582_912.0;

/// From this power of ½ on, the result is 0: what would follow is smaller than any sum can feel, and no normal number.
const NOTHING_64: f64 = 1020.0;
const NOTHING_32: f32 = 125.0;

/// e^(−t) in double precision; NaN stays NaN.
#[inline(always)]
pub fn decay_f64(t: f64) -> f64 {
    let power = t * -std::f64::consts::LOG2_E;
    let held = if power < -NOTHING_64 { -NOTHING_64 } else { power };
    let shifted = held + ROUND_64;
    let value = exp2_near_zero(held - (shifted - ROUND_64))
        * f64::from_bits((shifted.to_bits() << 52).wrapping_add(0x3ff0_0000_0000_0000));
    if power < -NOTHING_64 { 0.0 } else { value }
}

/// e^(−t) in single precision (error 2^-23); NaN stays NaN.
#[inline(always)]
pub fn decay_f32(t: f32) -> f32 {
    const Q: [f32; 7] =
        [0.000_154_614_45, 0.001_333_350_2, 0.009_618_057, 0.055_504_11, 0.240_226_5, std::f32::consts::LN_2, 1.0];
    let power = t * -std::f32::consts::LOG2_E;
    let held = if power < -NOTHING_32 { -NOTHING_32 } else { power };
    let shifted = held + ROUND_32;
    let f = held - (shifted - ROUND_32);
    let mut near_one = 1.529_732_4e-5_f32;
    for term in Q {
        near_one = near_one * f + term;
    }
    let value = near_one * f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
    if power < -NOTHING_32 { 0.0 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exponential_function_over_all_magnitudes() {
        for k in -1200..1200 {
            let t = 1.37_f64.powi(k / 8) * (1.0 + f64::from(k.rem_euclid(8)) / 9.0);
            let (found, expected) = (decay_f64(t), (-t).exp());
            assert!((found - expected).abs() <= 4.0 * f64::EPSILON * expected * (1.0 + t) + 1e-305, "{t}");
            let t = t as f32;
            let (found, expected) = (decay_f32(t), (-t).exp());
            assert!((found - expected).abs() <= 4.0 * f32::EPSILON * expected * (1.0 + t) + 1e-37, "{t}");
        }
        assert_eq!((decay_f64(0.0), decay_f64(f64::INFINITY)), (1.0, 0.0));
        assert_eq!((decay_f32(0.0), decay_f32(f32::INFINITY)), (1.0, 0.0));
        assert!(decay_f64(f64::NAN).is_nan() && decay_f32(f32::NAN).is_nan());
    }
}
