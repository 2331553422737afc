//! The same samples on another graph over the same classes, when the samples are gone.

use ndarray::{Array2, Axis};

use super::centered::{Centered, Coupled, Target, Totals, deviations, entries, factor};
use super::plan::Plan;
use super::sums::FactorSums;
use super::{CenteredMoments, ClassSums, Finished};
use crate::graph::{Coupling, EdgeTerm, TrainingGraph};
use crate::linalg::tolerance;

impl CenteredMoments {
    /// Whether [`on_classes_of`](Self::on_classes_of) may find something.
    pub(crate) fn are_sums_of_classes(&self) -> bool {
        matches!(&self.0, Finished::Covariance(centered) if centered.classes.is_some())
    }

    /// The moments that a graph over the same classes, with the same vertex weights, would have: sums by class are all that such
    /// graphs know about samples. Nothing if sums are rows, or not by class, or the graph weighs vertices otherwise.
    pub(crate) fn on_classes_of(&self, graph: &TrainingGraph) -> Option<Self> {
        let Finished::Covariance(centered) = &self.0 else { return None };
        let (classes, [term]) = (centered.classes.as_ref()?, graph.terms()) else { return None };
        let plan = Plan::new(graph, centered.input_dim());
        let same = graph.classes() == Some(classes.weights.len()) && term.grouping.count() == classes.weights.len();
        if !same || plan.second.is_some() || plan.needs_random_access() || centered.rest.is_some() {
            return None;
        }
        let sums = class_sums(classes, term, graph.vertex_weights())?;
        let coupled = match &term.coupling {
            Coupling::LowRank(low) => Coupled::Labels {
                transform: Some(low.columns.clone()),
                values: low.values.clone(),
                deviations: deviations(term, &low.columns, graph.vertex_weights(), graph.q()),
            },
            other => Coupled::Groups(entries(other)),
        };
        let (q, r) = (graph.q(), graph.r());
        let (factor, targets) = factor(&sums, coupled, &vec![0.0; centered.input_dim()], Totals { q, r });
        let moments = Centered {
            q,
            level: 2.0 * plan.proportion * q / r,
            factors: vec![factor],
            targets: targets.into_iter().map(|target| Target { factor: 0, ..target }).collect(),
            code: graph.code().cloned(),
            ..Centered::clone(centered)
        };
        Some(Self(Finished::Covariance(Box::new(moments))))
    }
}

/// Sums of the term's shares by class, about the mean; nothing unless vertices weigh what they did, and shares are vertex weights
/// times a number of the class.
fn class_sums(classes: &ClassSums, term: &EdgeTerm, v: &[f64]) -> Option<FactorSums> {
    let allowed = tolerance::consistency(v.len());
    let alike = |a: f64, b: f64| (a - b).abs() <= allowed * b.abs();
    let (weights, shares) = (term.grouping.sums(v), term.grouping.sums(&term.shares));
    let vertices = term.grouping.of_vertex().iter().zip(term.shares.iter().zip(v));
    let fits = vertices.into_iter().all(|(&class, (share, v))| {
        let class = class as usize;
        alike(share * weights[class], v * shares[class])
    });
    // Weights of the sums are shares of their own graph, which may have another scale.
    let scale = classes.weights.iter().sum::<f64>() / weights.iter().sum::<f64>();
    if !fits || !classes.weights.iter().zip(&weights).all(|(old, new)| alike(*old, new * scale)) {
        return None;
    }
    let mut sums: Array2<f64> = classes.means.clone();
    sums.axis_iter_mut(Axis(0)).zip(&shares).for_each(|(mut row, share)| row *= *share);
    Some(FactorSums { weights: shares, sums })
}
