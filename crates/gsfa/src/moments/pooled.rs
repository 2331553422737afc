//! Moments of several fields as those of one node that sees them all.

use std::sync::Arc;

use ndarray::Axis;

use super::centered::{Centered, Factor};
use super::plan::Plan;
use super::{CenteredMoments, ClassSums, Finished, Form, Moments};
use crate::samples::SampleType;
use crate::{Error, Result};

/// The magnitude of scaled deviations that needs no other scale.
const ORDINARY: std::ops::RangeInclusive<f64> = 1.0 / 256.0..=256.0;

/// The moments of a node whose samples are all fields of all samples: each field has the labels and the weight of its sample, and
/// groups and target labels connect fields as they connect samples, $\Gamma \otimes 11^T$.
///
/// Fields have the same weights, so that means of B over fields are about the common mean: what the means of fields are off
/// cancels. The covariance gains that of these means.
#[derive(Debug, Default)]
pub(crate) struct Pool(Option<(usize, Box<Centered>)>);

impl Pool {
    /// That moments can be added, before samples are.
    ///
    /// # Errors
    /// [`Error::Parameter`] for graphs that connect single samples, and inconsistent ones.
    pub fn check<T: SampleType>(field: &Moments<T>) -> Result<()> {
        let refused = |plan: &Plan| plan.needs_random_access() || plan.second.is_some();
        let refused = match &field.form {
            Form::Covariance(sums) => refused(&sums.plan),
            Form::Rows(kept) => refused(&Plan::new(&field.graph, kept.dim())),
        };
        if refused { Err(unshared()) } else { Ok(()) }
    }

    /// Adds the moments of a field.
    ///
    /// # Errors
    /// If samples are missing, or as [`check`](Self::check).
    pub fn add<T: SampleType>(&mut self, field: Moments<T>) -> Result<()> {
        let centered = match field.form {
            Form::Covariance(sums) => sums.finish(),
            Form::Rows(kept) => kept.summed().and_then(|sums| sums.finish()),
        };
        let centered = centered.map_err(|error| field.graph.in_samples(error))?;
        if centered.rest.is_some() {
            return Err(unshared());
        }
        self.0 = Some(match self.0.take() {
            None => (1, Box::new(centered)),
            Some((fields, ours)) => (fields + 1, Box::new(pooled(*ours, fields, centered))),
        });
        Ok(())
    }

    /// The moments of all fields.
    ///
    /// # Errors
    /// [`Error::TooFewSamples`] if there are none.
    pub fn finish(self) -> Result<CenteredMoments> {
        let (_, centered) = self.0.ok_or(Error::TooFewSamples { needed: 2, got: 0 })?;
        Ok(CenteredMoments(Finished::Covariance(centered)))
    }
}

fn unshared() -> Error {
    Error::parameter(
        "shared",
        true,
        "fields of a shared layer are told apart by groups or target labels; this graph connects single samples",
    )
}

/// The moments of `fields` fields and of one more.
fn pooled(ours: Centered, fields: usize, theirs: Centered) -> Centered {
    let (their_share, our_share) = (1.0 / (fields + 1) as f64, fields as f64 / (fields + 1) as f64);
    let distances: Vec<f64> = theirs.mean.iter().zip(&ours.mean).map(|(theirs, ours)| theirs - ours).collect();
    let deviations = ours.deviations().zip(theirs.deviations()).zip(&distances);
    let largest = deviations.map(|((ours, theirs), distance)| ours.max(theirs).max(distance.abs()));
    let scales: Vec<f64> = largest.zip(&ours.scales).map(|(size, scale)| rescaled(size, *scale)).collect();
    let ratios = |old: &[f64]| scales.iter().zip(old).map(|(new, old)| new / old).collect::<Vec<f64>>();
    let (our_ratios, their_ratios) = (ratios(&ours.scales), ratios(&theirs.scales));
    let apart: Vec<f64> = distances.iter().zip(&scales).map(|(distance, scale)| distance * scale).collect();

    let between = our_share * their_share;
    let mut covariance = Arc::unwrap_or_clone(ours.covariance);
    for (j, mut column) in covariance.axis_iter_mut(Axis(1)).enumerate() {
        for (i, c) in column.iter_mut().enumerate().skip(j) {
            let (own, other) = (our_ratios[i] * our_ratios[j], their_ratios[i] * their_ratios[j]);
            *c = our_share * own * *c + their_share * other * theirs.covariance[[i, j]] + between * apart[i] * apart[j];
        }
    }
    // A row per input.
    let mixed =
        |i: usize, ours: f64, theirs: f64| our_share * our_ratios[i] * ours + their_share * their_ratios[i] * theirs;
    let factor = |(mut factor, other): (Factor, &Factor)| {
        for ((i, k), b) in factor.columns.indexed_iter_mut() {
            *b = mixed(i, *b, other.columns[[i, k]]);
        }
        factor
    };
    let class_means = |(mut sums, other): (ClassSums, &ClassSums)| {
        for ((class, i), mean) in sums.means.indexed_iter_mut() {
            *mean = mixed(i, *mean, other.means[[class, i]]);
        }
        sums
    };
    Centered {
        samples: ours.samples + theirs.samples,
        mean: ours.mean.iter().zip(&distances).map(|(mean, distance)| mean + their_share * distance).collect(),
        covariance: Arc::new(covariance),
        factors: ours.factors.into_iter().zip(&theirs.factors).map(factor).collect(),
        classes: ours.classes.zip(theirs.classes.as_ref()).map(class_means),
        scales,
        ..ours
    }
}

/// A power of two near the inverse of a deviation: the old one, if that is near enough.
fn rescaled(deviation: f64, scale: f64) -> f64 {
    let new = 2.0_f64.powi(-(deviation.log2().round() as i32).clamp(-1000, 1000));
    if deviation == 0.0 || ORDINARY.contains(&(deviation * scale)) { scale } else { new }
}
