//! One random stream per image, so that no bit depends on the number of threads or on how many images are asked for.

use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random stream of its own for everything that has an address.
#[derive(Clone, Debug)]
pub(crate) struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// The stream at `address` (split, class, track, frame …) under `seed`; different addresses give unrelated streams.
    pub(crate) fn at(seed: u64, address: &[u64]) -> Self {
        let state = address.iter().fold(mix(seed), |state, &part| mix(state ^ mix(part)));
        Self(Xoshiro256PlusPlus::seed_from_u64(state))
    }

    /// A standard normal deviate.
    pub(crate) fn normal(&mut self) -> f32 {
        self.0.sample(StandardNormal)
    }

    /// A normal deviate cut at two and a half standard deviations, for shapes that must stay drawable.
    pub(crate) fn bounded_normal(&mut self) -> f32 {
        self.normal().clamp(-2.5, 2.5)
    }

    /// A uniform deviate in `[low, high)`.
    pub(crate) fn uniform(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.0.random::<f32>()
    }

    /// True with probability `p`.
    pub(crate) fn chance(&mut self, p: f32) -> bool {
        self.0.random::<f32>() < p
    }
}

/// The finaliser of SplitMix64: every bit of the input moves every bit of the output.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_different_addresses_differ() {
        let first = |seed, address: &[u64]| Stream::at(seed, address).uniform(0.0, 1.0);
        let draws = [first(1, &[0, 1]), first(1, &[1, 0]), first(1, &[0]), first(1, &[]), first(2, &[0, 1])];
        for (i, a) in draws.iter().enumerate() {
            assert!(draws[..i].iter().all(|b| a != b), "{draws:?}");
        }
        assert_eq!(first(1, &[0, 1]), first(1, &[0, 1]));
    }
}
