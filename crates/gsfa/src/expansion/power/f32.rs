//! `|x|^p` in single precision: the steps of the double one with fewer terms, and made for speed, since images of a
//! network come in it: products and sums are fused, and the logarithm is a polynomial, because a division takes as long
//! as ten terms.

use std::f32::consts::LN_2;

/// Adding and subtracting it rounds to the nearest integer and leaves that integer in the low bits: 1.5·2^23.
const ROUND: f32 = 12_582_912.0;
/// 2^23: or-ing a small integer into its bits adds that integer.
const TWO_23: f32 = 8_388_608.0;
const TWO_25: f32 = 33_554_432.0;
const ONE_BITS: u32 = 0x3f80_0000;
const MANTISSA_BITS: u32 = 0x007f_ffff;
/// Bits of about √½, the lower end of the reduced mantissas.
const SQRT_HALF_BITS: u32 = 0x3f35_04f3;
/// Beyond ±this exponent of 2 every result is infinite or 0.
const FAR: f32 = 200.0;
/// Up to this exponent powers of 2^-149 and 2^128 are normal numbers.
const SMALL: f32 = 0.84;

/// The exponent p, prepared: `high` has 16 bits, so that its product with a binary exponent of 8 bits is exact.
#[derive(Debug, Clone, Copy)]
pub struct Exponent {
    high: f32,
    low: f32,
    per_ln: f32,
}

impl Exponent {
    /// Splits `p`, which keeps its digits beyond single precision.
    pub fn new(p: f64) -> Self {
        let high = f32::from_bits((p as f32).to_bits() & !0xff);
        Self { high, low: (p - f64::from(high)) as f32, per_ln: (p / std::f64::consts::LN_2) as f32 }
    }

    /// Whether results of all inputs, the smallest and the largest, are normal numbers.
    pub fn is_small(&self) -> bool {
        self.high <= SMALL
    }

    /// As in double precision: one fixed order of correctly rounded operations, here with fused ones among them. For
    /// [small](Self::is_small) exponents `SMALL` leaves out what only extreme results need, and changes no bit.
    #[inline(always)]
    pub fn of<const SMALL: bool>(&self, x: f32) -> f32 {
        let a = x.abs();
        let subnormal = a < f32::MIN_POSITIVE;
        let normal = if subnormal { a * TWO_25 } else { a };
        let bias = if subnormal { TWO_23 + 152.0 } else { TWO_23 + 127.0 };
        let bits = normal.to_bits().wrapping_add(ONE_BITS - SQRT_HALF_BITS);
        let e = f32::from_bits((bits >> 23) | TWO_23.to_bits()) - bias;
        let m = f32::from_bits((bits & MANTISSA_BITS) + SQRT_HALF_BITS);

        let coarse = self.high * e;
        let coarse = if SMALL { coarse } else { coarse.clamp(-FAR, FAR) };
        let fine = self.low.mul_add(e, self.per_ln * ln_near_one(m));
        let n = (coarse + fine + ROUND) - ROUND;
        let power = exp2_near_zero((coarse - n) + fine);

        let power = if SMALL {
            power * power_of_two(n + ROUND)
        } else {
            let half = n * 0.5 + ROUND;
            let rest = (n - (half - ROUND)) + ROUND;
            power * power_of_two(half) * power_of_two(rest)
        };

        let power = if a > 0.0 { power } else { 0.0 };
        if a < f32::INFINITY { power } else { a }
    }
}

/// 2^k for the integer k in the low bits of `k + ROUND`.
#[inline(always)]
fn power_of_two(shifted: f32) -> f32 {
    f32::from_bits((shifted.to_bits() << 23).wrapping_add(ONE_BITS))
}

/// ln m for √½ ≤ m < √2: with f = m − 1, f − f²/2 + f³·P(f), where P interpolates the rest at the Chebyshev nodes (error
/// 2^-27).
#[inline(always)]
fn ln_near_one(m: f32) -> f32 {
    const P: [f32; 7] =
        [0.126_223_19, -0.129_981_83, 0.142_144_96, -0.166_412_82, 0.200_010_45, -0.250_003_07, 0.333_333_3];
    let f = m - 1.0;
    let square = f * f;
    let rest = P.into_iter().fold(-0.079_027_44_f32, |sum, term| sum.mul_add(f, term));
    f + (f * square).mul_add(rest, -0.5 * square)
}

/// 2^f for |f| ≤ ½, as in double precision (error 2^-29).
#[inline(always)]
fn exp2_near_zero(f: f32) -> f32 {
    const Q: [f32; 7] = [0.000_154_614_45, 0.001_333_350_2, 0.009_618_057, 0.055_504_11, 0.240_226_5, LN_2, 1.0];
    Q.into_iter().fold(1.529_732_4e-5, |sum, term| sum.mul_add(f, term))
}
