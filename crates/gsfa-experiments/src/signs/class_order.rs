//! Which class gets which code: random orders, and one that is chosen on held-out tracks.

use ndarray::ArrayView2;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::class_space::{ClassLabels, ClassSpace};
use super::classify::{error_rates, nearest};
use crate::Result;

/// A class order that was chosen on held-out tracks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenOrder {
    /// Class c is coded as number `order[c]`.
    pub order: Vec<usize>,
    /// Error on held-out tracks in percent with the classes in their own order.
    pub own_held_out: f64,
    /// Error on held-out tracks in percent with the chosen order: optimistic, since it was chosen by it.
    pub held_out: f64,
    /// Orders that were tried.
    pub trials: usize,
}

/// Random orders, the same for the same seed.
pub(super) fn random_orders(classes: usize, count: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x0c1a_55e5);
    let mut order: Vec<usize> = (0..classes).collect();
    let mut shuffled = || {
        order.shuffle(&mut random);
        order.clone()
    };
    (0..count).map(|_| shuffled()).collect()
}

/// Samples that judge an order.
pub(super) struct Judges<'a> {
    pub space: &'a ClassSpace,
    /// Clustered features of held-out samples.
    pub features: ArrayView2<'a, f64>,
    pub classes: &'a [u32],
    /// Numbers of features that count.
    pub d: usize,
}

impl Judges<'_> {
    fn error(&self, labels: &ClassLabels) -> Result<f64> {
        let weights = self.space.directions(labels, self.d)?;
        let features = self.space.features(self.features, &weights);
        let estimates = nearest(features.view(), &self.space.centroids(&weights), self.d..=self.d);
        let all: Vec<usize> = (0..self.classes.len()).collect();
        Ok(error_rates(&estimates, self.classes, &all)[0])
    }

    /// Exchanges the codes of two classes again and again and keeps what errs less, from the best of a few random orders.
    pub fn choose(&self, labels: &ClassLabels, classes: usize, trials: usize, seed: u64) -> Result<ChosenOrder> {
        let own: Vec<usize> = (0..classes).collect();
        let own_held_out = self.error(labels)?;
        let mut best = (own_held_out, own);
        let starts = (trials / 10).min(100);
        for order in random_orders(classes, starts, seed.wrapping_add(1)) {
            let error = self.error(&labels.reordered(&order))?;
            if error < best.0 {
                best = (error, order);
            }
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in starts..trials {
            let (a, b) = (random.random_range(0..classes), random.random_range(0..classes));
            if a == b {
                continue;
            }
            best.1.swap(a, b);
            let error = self.error(&labels.reordered(&best.1))?;
            if error <= best.0 {
                best.0 = error;
            } else {
                best.1.swap(a, b);
            }
        }
        Ok(ChosenOrder { order: best.1, own_held_out, held_out: best.0, trials })
    }
}
