//! Auxiliary labels: functions of the original ones that help later nodes to find them `[eq:auxiliary_labels]`.

use std::f64::consts::PI;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::normalization::range;

/// How fast the cosine of order k oscillates over the range of the label.
///
/// **Paper note.** `[eq:auxiliary_labels]` has $\cos(\pi k t)$, the text below it says that the argument for k = 2 ends
/// at π, which would be $\cos(\pi k t/2)$. The formula is the default. The labels of the prose are numerically dependent
/// from about 20 on; those of the formula are a well conditioned basis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CosineReading {
    /// $\cos(\pi k t)$: order k has k half periods.
    #[default]
    Formula,
    /// $\cos(\pi k t/2)$: order k has k quarter periods.
    Prose,
}

impl CosineReading {
    /// The cosine of `order` of a label that varies, with $t = (\ell - \min\ell)/(\max\ell - \min\ell)$.
    pub(crate) fn column(self, label: &[f64], order: usize) -> Vec<f64> {
        let (smallest, largest) = range(label);
        let frequency = match self {
            Self::Formula => PI * order as f64,
            Self::Prose => PI * order as f64 / 2.0,
        };
        label.iter().map(|x| (frequency * ((x - smallest) / (largest - smallest))).cos()).collect()
    }
}

/// The highest order worth forming for a label with this many distinct values.
///
/// $\cos k\theta$ is the Chebyshev polynomial of degree k in $\cos\theta$, so orders 0 … n−1 reach every function on n
/// values. The label itself stands for order 1; order n makes up for it where it is not needed for the rest.
pub(crate) fn highest_order(label: &[f64]) -> usize {
    let mut sorted = label.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    sorted.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_end_where_each_reading_says() {
        let label = [3.0, 5.0, 4.0];
        for order in 2..9 {
            let formula = CosineReading::Formula.column(&label, order);
            let prose = CosineReading::Prose.column(&label, order);
            assert_eq!((formula[0], prose[0]), (1.0, 1.0));
            assert!((formula[1] - (PI * order as f64).cos()).abs() < 1e-14);
            assert!((prose[1] - (PI * order as f64 / 2.0).cos()).abs() < 1e-14);
            assert!((formula[2] - prose[1]).abs() < 1e-14);
        }
    }

    #[test]
    fn zeros_of_either_sign_are_one_value() {
        assert_eq!(highest_order(&[0.0, -0.0, 1.0]), 2);
    }
}
