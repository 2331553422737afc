//! Equal total weight for every class.

use crate::graph::Grouping;

/// Weights scaled per class so that all classes weigh the same and the sum stays.
pub(super) fn balanced(classes: &Grouping, weights: &[f64]) -> Vec<f64> {
    let totals = classes.sums(weights);
    let share = totals.iter().sum::<f64>() / totals.len() as f64;
    weights.iter().zip(classes.of_vertex()).map(|(w, &c)| w * (share / totals[c as usize])).collect()
}
