//! One random stream per image, so that no bit depends on the number of threads or on how many images are asked for.

use rand::{Rng, RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

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

/// One round of SplitMix64: every bit of the input moves every bit of the output.
fn mix(x: u64) -> u64 {
    SplitMix64::seed_from_u64(x).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As published for SplitMix64 from the state 1234567, so that images stay as they were drawn.
    #[test]
    fn mixing_gives_the_published_numbers() {
        assert_eq!(mix(1_234_567), 6_457_827_717_110_365_317);
        assert_eq!(mix(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 3_203_168_211_198_807_973);
    }

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
