//! Random numbers that depend on a seed and a place, never on threads or order.
//!
//! Draws are spelled out here instead of taken from a distribution crate, whose next release may draw differently.

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

pub(crate) type Generator = Xoshiro256PlusPlus;

/// The generator of one place, e.g. one copy of one image: independent of all others.
pub(crate) fn generator(seed: u64, place: [u64; 2]) -> Generator {
    let mixed = place.iter().fold(mix(seed), |state, &part| mix(state ^ part));
    Xoshiro256PlusPlus::seed_from_u64(mixed)
}

/// One round of SplitMix64: a bijection that spreads neighbouring numbers over the whole range.
fn mix(value: u64) -> u64 {
    SplitMix64::seed_from_u64(value).next_u64()
}

/// Uniform on [−range, range).
pub(crate) fn symmetric(generator: &mut Generator, range: f64) -> f64 {
    let unit = (generator.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64);
    range * (2.0 * unit - 1.0)
}

/// A random order, every one equally likely.
pub(crate) fn shuffle<T>(generator: &mut Generator, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        // The high word of a 64x64-bit product: biased by less than items/2⁶⁴.
        let pick = (u128::from(generator.next_u64()) * (last as u128 + 1)) >> 64;
        items.swap(last, pick as usize);
    }
}
