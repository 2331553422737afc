//! Nodes that keep information (iGSFA): a slow part, and principal components of what it leaves of the inputs.
//!
//! Expansions have their inputs as first terms, so that both follow from the sums of the node alone. With slow features
//! $s = W^Te$ of unit covariance, the inputs x, the first n of the expanded inputs e, are best told from s as $x = Ms$ with
//! $M = C_{0..n,\cdot}W$, and what that leaves of them has the covariance $C_{0..n,0..n} - MM^T$.

use ndarray::{Array1, Array2, ArrayView2, Axis, concatenate, s};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kept_inputs::{Components, KeptInputs};
use super::scaling::{Scaled, SlowScaling};
use super::whitening::{Rank, Whitening};
use super::{Gsfa, SlowFeatures, Surplus, orientation, span};
use crate::moments::{Centered, CenteredMoments, Finished, Units};
use crate::{Error, Note, Result};

/// How a node keeps information beside its slow features: the outputs that these do not take are principal components, at
/// their natural variance, of what the slow part does not linearly explain of the inputs before the expansion, or of the
/// original inputs where a node sees these once more.
///
/// Without `slow` and `delta`, features are slow if their canonical correlation with the target labels is more than noise
/// of as many samples, inputs and labels would have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Keep {
    /// The most slow features; 0 for principal components alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slow: Option<usize>,
    /// The largest delta value of a slow feature, at most 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
    /// The size of slow features beside the components.
    pub scaling: SlowScaling,
}

/// What the outputs of a node say of its inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// B: the best linear estimate of the first inputs is $\tilde x + By$; one row per input, one column per output.
    pub inverse: Array2<f64>,
    /// The variance of all these inputs together, on the training samples.
    pub variance: f64,
    /// How much of it the estimate explains, a share.
    pub explained: f64,
}

impl Keep {
    /// Refuses numbers that are wrong for every node.
    pub(crate) fn check(&self) -> Result<()> {
        match self.delta {
            Some(delta) if !(delta > 0.0 && delta <= 2.0) => {
                Err(Error::parameter("delta", delta, "slow features have delta values above 0 and up to 2"))
            }
            _ => Ok(()),
        }
    }

    /// How many of some features, the first ones, are the slow part.
    fn slow_part(&self, moments: &Centered, slow: &SlowFeatures, inputs: &KeptInputs<'_>) -> Result<usize> {
        match (self.slow, self.delta) {
            (_, Some(most)) => Ok(slow.delta_values.iter().take_while(|&&delta| delta <= most).count()),
            (Some(_), None) => Ok(slow.output_dim()),
            (None, None) => above_noise(moments, slow, inputs.scaled(slow.weights.view()).view()),
        }
    }
}

impl Gsfa {
    /// Slow features from finished moments, and principal components of what they leave of the first `inputs` of the
    /// inputs: `output_dim` outputs together, or as many as there are inputs to keep.
    ///
    /// Where fewer have variance, these are returned, with a note; none if nothing varies.
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and if `inputs` is 0 or more than there are, or the size of the slow part is left to
    /// correlations with labels that the graph does not have.
    pub fn solve_keeping(&self, moments: &CenteredMoments, keep: &Keep, inputs: usize) -> Result<SlowFeatures> {
        self.check()?;
        keep.check()?;
        if inputs == 0 || inputs > moments.input_dim() {
            let reason = format!("1 to {} inputs can be kept", moments.input_dim());
            return Err(Error::parameter("inputs", inputs, reason));
        }
        let units = if self.ridge > 0.0 { Units::Inputs } else { Units::Deviations };
        let kept = match &moments.0 {
            Finished::Covariance(centered) => self.keep_centered(centered, keep, inputs),
            Finished::Rows(rows) => {
                rows.rotated(units).and_then(|centered| self.keep_centered(&centered, keep, inputs))
            }
        };
        match kept {
            Err(Error::NoVariance { inputs: dead }) => Ok(nothing(moments, inputs, dead)),
            kept => kept,
        }
    }

    fn keep_centered(&self, moments: &Centered, keep: &Keep, count: usize) -> Result<SlowFeatures> {
        let outputs = self.output_dim.unwrap_or(count);
        let inputs = KeptInputs::new(moments, count);
        let most = keep.slow.unwrap_or(outputs).min(outputs);
        let mut slow = self.slow_features(moments, most, &inputs)?;
        let part = keep.slow_part(moments, &slow, &inputs)?;
        slow = first(slow, part);
        let explained = inputs.explained(slow.weights.view());
        let components = inputs.components(explained.view(), outputs - part)?;
        let scaled = keep.scaling.of(explained.view(), &components.variances, inputs.unit())?;
        self.joined(moments, slow, &inputs, scaled, &components)
    }

    /// The slowest features, at most so many; none if no direction is slow.
    fn slow_features(&self, moments: &Centered, most: usize, inputs: &KeptInputs<'_>) -> Result<SlowFeatures> {
        let gsfa = Self { output_dim: Some(most), surplus: Surplus::Truncate, ..self.clone() };
        let solved = if most == 0 { None } else { Some(gsfa.solve_centered(moments, true)) };
        match solved {
            Some(Ok(slow)) => Ok(slow),
            None | Some(Err(Error::TooFewDirections { available: 0, .. })) => {
                let Rank { inputs: all, rank, dead, dropped } = Whitening::new(moments, self.ridge)?.told(moments);
                Ok(SlowFeatures { rank, dropped_directions: dropped, ..without_features(inputs.mean(), all, dead) })
            }
            Some(Err(error)) => Err(error),
        }
    }

    /// The slow part in its size, and the components beside it.
    fn joined(
        &self,
        moments: &Centered,
        slow: SlowFeatures,
        inputs: &KeptInputs<'_>,
        scaled: Scaled,
        components: &Components,
    ) -> Result<SlowFeatures> {
        let rest = inputs.residual_weights(slow.weights.view(), &components.vectors);
        // Of unit variance, as delta values and correlations are defined.
        let mut unit = inputs.scaled(rest.view());
        let deviations = components.variances.iter().map(|variance| variance.sqrt() / inputs.unit());
        unit.axis_iter_mut(Axis(1)).zip(deviations).for_each(|(mut column, deviation)| column /= deviation);
        let mut delta_values = slow.delta_values;
        delta_values.extend(span::speeds(moments, unit.view()).diag());
        let mut correlations = slow.correlations;
        correlations.extend(orientation::squared(moments, &orientation::correlations(moments, unit.view())));
        let weights = beside(slow.weights.dot(&scaled.mixing).view(), rest.view());
        let inverse = beside(scaled.inverse.view(), components.vectors.view());
        if let Some(column) = weights.outer_iter().position(|row| row.iter().any(|w| !w.is_finite())) {
            let deviation = moments.deviations().nth(column).unwrap_or(f64::NAN);
            return Err(Error::ColumnRange { column, deviation, problem: "is too little to divide by" });
        }
        let (requested, returned) = (self.output_dim.unwrap_or(weights.ncols()), weights.ncols());
        let mut notes: Vec<Note> = slow.notes;
        notes.retain(|note| !matches!(note, Note::FewerFeatures { .. }));
        if returned < requested {
            notes.push(Note::FewerFeatures { requested, returned });
        }
        let kept = Some(inputs.kept(inverse, scaled.variance + components.variances.iter().sum::<f64>()));
        Ok(SlowFeatures { weights, delta_values, correlations, kept, notes, ..slow })
    }
}

/// How many features have a squared canonical correlation with the labels beyond what is expected of noise: for I inputs and
/// M labels of N samples, $(\sqrt{I/N\,(1 - M/N)} + \sqrt{M/N\,(1 - I/N)})^2$, the edge of what independent inputs and
/// labels have.
fn above_noise(moments: &Centered, slow: &SlowFeatures, weights: ArrayView2<'_, f64>) -> Result<usize> {
    let labels = match moments.targets.len() {
        0 => moments.factors.iter().map(|factor| factor.columns.ncols().saturating_sub(1)).sum(),
        targets => targets,
    };
    if moments.rest.is_some() && moments.targets.is_empty() || labels == 0 {
        let reason = "this graph has no labels to correlate with: give `slow`, a number of features, or `delta`";
        return Err(Error::parameter("keep", "slow part by correlations", reason));
    }
    let correlations: Vec<f64> = match moments.targets.is_empty() {
        true => slow.delta_values.iter().map(|delta| 1.0 - delta / moments.level).collect(),
        false => {
            let shares = orientation::correlations(moments, weights);
            shares.outer_iter().map(|row| row.dot(&row)).collect()
        }
    };
    let samples = moments.samples as f64;
    let (a, b) = (slow.rank as f64 / samples, labels as f64 / samples);
    if a + b >= 1.0 {
        return Ok(0);
    }
    let edge = ((a * (1.0 - b)).sqrt() + (b * (1.0 - a)).sqrt()).powi(2);
    Ok(correlations.iter().take_while(|correlation| **correlation > edge).count())
}

/// The first of some features.
fn first(slow: SlowFeatures, count: usize) -> SlowFeatures {
    SlowFeatures {
        weights: slow.weights.slice(s![.., ..count]).to_owned(),
        delta_values: slow.delta_values[..count].to_vec(),
        correlations: slow.correlations[..count].to_vec(),
        informative: count,
        ..slow
    }
}

fn without_features(mean: Array1<f64>, inputs: usize, dead: usize) -> SlowFeatures {
    SlowFeatures {
        weights: Array2::zeros((inputs, 0)),
        mean,
        delta_values: Vec::new(),
        correlations: Vec::new(),
        rank: 0,
        dead_columns: dead,
        dropped_directions: 0,
        informative: 0,
        code: None,
        kept: None,
        notes: Vec::new(),
    }
}

/// A node whose inputs do not vary: their mean is all there is to keep.
fn nothing(moments: &CenteredMoments, inputs: usize, dead: usize) -> SlowFeatures {
    let mean = moments.mean().iter().copied().collect();
    let kept = Some(Kept { inverse: Array2::zeros((inputs, 0)), variance: 0.0, explained: 1.0 });
    SlowFeatures { kept, ..without_features(mean, moments.input_dim(), dead) }
}

fn beside(a: ArrayView2<'_, f64>, b: ArrayView2<'_, f64>) -> Array2<f64> {
    // Both have one row per input, so that joining cannot fail.
    concatenate(Axis(1), &[a, b]).unwrap_or_default()
}
