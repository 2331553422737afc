//! Random numbers that depend on a seed and a place, never on threads or order.
//!
//! Draws are spelled out here instead of taken from a distribution crate, whose next release may draw differently.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

pub(crate) type Generator = Xoshiro256PlusPlus;

/// The generator of one place, e.g. one copy of one image: independent of all others.
pub(crate) fn generator(seed: u64, place: [u64; 2]) -> Generator {
    let mixed = place.iter().fold(mix(seed), |state, &part| mix(state ^ part));
    Xoshiro256PlusPlus::seed_from_u64(mixed)
}

/// One round of SplitMix64: a bijection that spreads neighbouring numbers over the whole range.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
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
