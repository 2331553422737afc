//! Codes of classes that are learned from the samples instead of given.

use ndarray::{Array2, ArrayView2};

use crate::{Error, Result};

/// What a learned code of classes is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeObjective {
    /// Fisher's criterion with pairs of classes weighed by how likely they are confused at their distance: one eigenproblem
    /// (Loog, Duin and Haeb-Umbach 2001). Every prefix is the code of fewer features.
    WeightedFisher,
    /// The bound on the error of the nearest centroid, $\sum_{i<j} 2\pi_i\pi_j\,\mathrm{cost}_{ij}\,\Phi(-\delta_{ij}/2)$,
    /// for exactly d features.
    Pairwise,
    /// The logarithms of that bound for the first feature, the first two, and so on, added: every prefix is good.
    Nested,
}

/// How a code of classes is learned.
#[derive(Debug, Clone, PartialEq)]
pub struct LearnedCode {
    /// What is minimised.
    pub objective: CodeObjective,
    /// Factor of all distances between classes: below 1, the search looks at pairs that are farther apart, too.
    pub scale: f64,
    /// Of a nested code: the exponent of the mean over prefixes. 0, the mean of logarithms, counts ratios of errors; 1 counts
    /// the errors themselves, most of which the shortest prefixes make.
    pub power: f64,
    /// What it costs to take class i for class j or the other way round, symmetric; 1 for all pairs if `None`.
    pub costs: Option<Array2<f64>>,
}

impl LearnedCode {
    /// With distances as they are and equal costs.
    pub fn new(objective: CodeObjective) -> Self {
        Self { objective, scale: 1.0, power: 0.0, costs: None }
    }

    /// Whether features come in the order in which prefixes were learned.
    pub fn is_nested(&self) -> bool {
        self.objective != CodeObjective::Pairwise
    }

    /// # Errors
    /// If the scale is not positive, the power not between 0 and 1, or costs are negative, not finite, not symmetric, all 0 or not for so many classes.
    pub fn check(&self, classes: usize) -> Result<()> {
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return Err(Error::parameter("scale", self.scale, "the scale of distances must be positive"));
        }
        if !(0.0..=1.0).contains(&self.power) {
            return Err(Error::parameter("power", self.power, "the exponent of the mean over prefixes is from 0 to 1"));
        }
        self.costs.as_ref().map_or(Ok(()), |costs| check_costs(costs.view(), classes))
    }
}

fn check_costs(costs: ArrayView2<'_, f64>, classes: usize) -> Result<()> {
    Error::check_shape("costs", costs.shape(), &[classes, classes])?;
    let refused = |i: usize, j: usize, reason: &str| {
        let at = format!("{} between classes {} and {}", costs[[i, j]], i + 1, j + 1);
        Err(Error::parameter("costs", at, reason))
    };
    for i in 0..classes {
        for j in 0..classes {
            if !(costs[[i, j]].is_finite() && costs[[i, j]] >= 0.0) {
                return refused(i, j, "costs must be finite and not negative");
            }
            if costs[[i, j]] != costs[[j, i]] {
                return refused(i, j, "costs must be symmetric");
            }
        }
    }
    if (0..classes).all(|i| (0..classes).all(|j| i == j || costs[[i, j]] == 0.0)) {
        return refused(0, 1, "at least one pair of classes must cost something");
    }
    Ok(())
}
