//! Which class gets which code: random orders, and one that is chosen on held-out tracks.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::class_labels::ClassLabels;
use super::judges::{Judges, Rule};
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

/// How an order is looked for: by the error of so many features.
pub(super) struct Exchange<'a> {
    pub judges: &'a Judges,
    pub d: usize,
    pub trials: usize,
    pub seed: u64,
}

impl Exchange<'_> {
    fn error(&self, labels: &ClassLabels) -> Result<f64> {
        self.judges.error(self.judges.space.of_labels(labels.rows(), self.d)?.view(), Rule::NearestCentroid)
    }

    /// Exchanges the codes of two classes again and again and keeps what errs less, from the best of a few random orders.
    pub fn choose(&self, labels: &ClassLabels) -> Result<ChosenOrder> {
        let (classes, trials, seed) = (self.judges.space.classes(), self.trials, self.seed);
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
