//! What several test files need: seeded numbers and comparisons that scale.
pub mod cases;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Seeded random numbers.
pub struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.0.random::<f64>() * n as f64) as usize % n
    }

    /// Approximately normal: the sum of twelve uniform numbers.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform(-0.5, 0.5)).sum()
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.normal()).collect()
    }

    pub fn weights(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.uniform(0.3, 3.0)).collect()
    }
}

/// Whether two numbers agree within `tolerance` of `scale`.
pub fn near(a: f64, b: f64, scale: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * scale
}

#[track_caller]
pub fn assert_near(a: f64, b: f64, tolerance: f64) {
    assert!(near(a, b, a.abs().max(b.abs()).max(1.0), tolerance), "{a} and {b} differ by {:e}", (a - b).abs());
}

#[track_caller]
pub fn assert_all_near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len(), "{a:?} and {b:?}");
    for (x, y) in a.iter().zip(b) {
        assert!(near(*x, *y, x.abs().max(y.abs()).max(1.0), tolerance), "{x} and {y} differ: {a:?} and {b:?}");
    }
}
