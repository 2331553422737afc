//! `|x|^p` in double precision.

use std::f64::consts::LN_2;

/// Adding and subtracting it rounds to the nearest integer and leaves that integer in the low bits: 1.5·2^52.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// 2^52: or-ing a small integer into its bits adds that integer.
const TWO_52: f64 = 4_503_599_627_370_496.0;
const TWO_54: f64 = 18_014_398_509_481_984.0;
const ONE_BITS: u64 = 0x3ff0_0000_0000_0000;
const MANTISSA_BITS: u64 = 0x000f_ffff_ffff_ffff;
/// Bits of about √½, the lower end of the reduced mantissas.
const SQRT_HALF_BITS: u64 = 0x3fe6_a09e_0000_0000;
/// Beyond ±this exponent of 2 every result is infinite or 0.
const FAR: f64 = 1200.0;

/// The exponent p, prepared: `high` has 42 bits, so that its product with a binary exponent of 11 bits is exact.
#[derive(Debug, Clone, Copy)]
pub struct Exponent {
    high: f64,
    low: f64,
    per_ln: f64,
}

impl Exponent {
    /// Splits `p`.
    pub fn new(p: f64) -> Self {
        let high = f64::from_bits(p.to_bits() & !0x7ff);
        Self { high, low: p - high, per_ln: p / LN_2 }
    }

    /// `|x|^p = 2^{p·e} · 2^{p·log₂ m}` with `|x| = 2^e m`, `√½ ≤ m < √2`.
    ///
    /// Only correctly rounded additions, products, one quotient and bit operations, in one fixed order and without
    /// fused steps, so that every instruction set and every position in a block gives the same bits.
    #[inline(always)]
    pub fn of(&self, x: f64) -> f64 {
        let a = x.abs();
        let subnormal = a < f64::MIN_POSITIVE;
        let normal = if subnormal { a * TWO_54 } else { a };
        let bias = if subnormal { TWO_52 + 1077.0 } else { TWO_52 + 1023.0 };
        let bits = normal.to_bits().wrapping_add(ONE_BITS - SQRT_HALF_BITS);
        let e = f64::from_bits((bits >> 52) | TWO_52.to_bits()) - bias;
        let m = f64::from_bits((bits & MANTISSA_BITS) + SQRT_HALF_BITS);

        let coarse = self.high * e;
        let coarse = if coarse > FAR { FAR } else { coarse };
        let coarse = if coarse < -FAR { -FAR } else { coarse };
        let fine = self.low * e + self.per_ln * ln_near_one(m);
        let n = (coarse + fine + ROUND) - ROUND;
        let power = exp2_near_zero((coarse - n) + fine);

        // 2^n in two factors, since 2^n itself may lie outside the range of normal numbers.
        let half = n * 0.5 + ROUND;
        let rest = (n - (half - ROUND)) + ROUND;
        let power = power * power_of_two(half) * power_of_two(rest);

        let power = if a > 0.0 { power } else { 0.0 };
        if a < f64::INFINITY { power } else { a } // infinity and NaN are their own powers
    }
}

/// 2^k for the integer k in the low bits of `k + ROUND`.
#[inline(always)]
fn power_of_two(shifted: f64) -> f64 {
    f64::from_bits((shifted.to_bits() << 52).wrapping_add(ONE_BITS))
}

/// ln m for √½ ≤ m < √2: with f = m − 1 and s = f/(2 + f), ln(1+f) = f − (f²/2 − s(f²/2 + z·P(z))), z = s²,
/// where P interpolates (2 artanh(s)/s − 2)/z at the Chebyshev nodes (error 2^-57).
#[inline(always)]
fn ln_near_one(m: f64) -> f64 {
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = 0.666666666666667 + w * (0.28571428625975487 + w * (0.18182889125261723 + w * 0.14616449685043406));
    let odd = 0.39999999999899505 + w * (0.2222221113479508 + w * 0.15331721600556042);
    let half_square = 0.5 * f * f;
    f - (half_square - s * (half_square + z * (even + z * odd)))
}

/// 2^f for |f| ≤ ½: 1 + f·q(f), where q interpolates (2^f − 1)/f at the Chebyshev nodes (error 2^-57).
#[inline(always)]
pub fn exp2_near_zero(f: f64) -> f64 {
    let w = f * f;
    let even = LN_2
        + w * (0.0555041086648216
            + w * (0.0013333558146416936
                + w * (1.525273382983612e-05 + w * (1.0178062445845774e-07 + w * 4.4549605981865186e-10))));
    let odd = 0.24022650695910097
        + w * (0.009618129107606888
            + w * (0.0001540353044173605 + w * (1.321544258792169e-06 + w * 7.072585949269223e-09)));
    1.0 + f * (even + f * odd)
}
