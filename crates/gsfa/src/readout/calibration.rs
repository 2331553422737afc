//! What samples that took no part in training say about a read-out: how far to trust it.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use serde::{Deserialize, Serialize};

use super::labeled::mean_and_variance;
use super::log_space::{largest, normalize};
use super::{Estimates, LabelEstimates};
use crate::labels::{LabelValues, SampleWeights};
use crate::linalg::tolerance;
use crate::{Error, Result};

/// Corrections of a read-out's estimates, found on estimates of samples that neither network nor read-out had seen.
///
/// A number is drawn towards the mean of the labels by the slope with which labels follow estimates of left-out samples:
/// features of training samples fit their labels too well, and a read-out fitted to them promises too much. Deviations
/// are those of left-out residuals, and probabilities are raised to 1/temperature, which minimises the left-out log loss.
/// None of it changes which class or sample comes first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Estimates are drawn towards this number,
    #[serde(rename = "centre")]
    pub center: f64,
    /// and their distance from it gets this factor.
    pub slope: f64,
    /// Factor of the deviations that the read-out knows; the deviation itself where it knows none.
    pub deviation: f64,
    /// A deviation beside that of the read-out, where that says nothing: both are joined as independent ones are.
    #[serde(default)]
    pub floor: f64,
    /// Probabilities are raised to the inverse of it.
    pub temperature: f64,
    /// Where estimates are held at last, if a range was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
}

/// Log probabilities below this are taken as this: a read-out that rules a class out has no idea how far.
const LEAST_LOG: f64 = -700.0;

/// Temperatures are looked for between 1/HOTTEST and HOTTEST.
const HOTTEST: f64 = 100.0;

/// An error of so many deviations says that the deviation means nothing.
const FARTHEST: f64 = 100.0;

/// Log loss that a temperature off by a factor of e must save.
const PULL: f64 = 3e-3;

/// Steps of the search for a temperature, each of which divides the interval by the golden ratio; after the first few, and in
/// the end, the least is looked for by the slope between its ends, a little farther apart.
const STEPS: usize = 32;
const FEW_STEPS: usize = 12;
const BESIDE: f64 = 1e-3;

/// Steps of the secant, at most.
const SECANTS: usize = 60;

impl Calibration {
    /// Nothing is corrected.
    pub const NONE: Self = Self { center: 0.0, slope: 1.0, deviation: 1.0, floor: 0.0, temperature: 1.0, range: None };

    /// From estimates of left-out samples, of which `effective` are different and count alike.
    ///
    /// Deviations are those of Student's distribution: they are known from so many residuals only, of which mean and slope took
    /// two.
    ///
    /// # Errors
    /// [`Error::LabelKind`] if estimates and labels are of different kinds.
    pub fn of(
        given: &Estimates,
        name: &str,
        label: &LabelValues,
        weights: &SampleWeights,
        effective: f64,
    ) -> Result<Self> {
        let weights = weights.as_slice();
        let mut out = Self::NONE;
        match (&given.label, label) {
            (LabelEstimates::Numbers(numbers), LabelValues::Numbers(truth)) => {
                (out.center, out.slope) = slope(numbers.view(), truth, weights);
                let corrected = numbers.mapv(|x| out.number(x));
                let students = (effective / (effective - 4.0).max(1.0)).max(1.0).sqrt();
                let own = given.standard_deviation.as_ref().filter(|own| says_something(own, corrected.view(), truth));
                out.deviation = students * deviation(corrected.view(), own, truth, weights);
                if given.standard_deviation.is_some() && own.is_none() {
                    (out.deviation, out.floor) = (0.0, out.deviation);
                }
            }
            (LabelEstimates::Classes { names, .. }, LabelValues::Classes(truth)) => {
                if let Some(probabilities) = &given.probabilities {
                    let of_sample = super::measures::class_indices(truth, names)?;
                    out.temperature = temperature(probabilities, &of_sample, weights);
                }
            }
            (_, LabelValues::Numbers(_)) => {
                return Err(Error::LabelKind { name: name.into(), found: "numbers", needed: "classes" });
            }
            (_, LabelValues::Classes(_)) => {
                return Err(Error::LabelKind { name: name.into(), found: "classes", needed: "numbers" });
            }
        }
        Ok(out)
    }

    /// Estimates with the corrections.
    pub fn apply(&self, mut given: Estimates) -> Estimates {
        if let LabelEstimates::Numbers(numbers) = &mut given.label {
            numbers.mapv_inplace(|x| self.number(x));
            given.standard_deviation = Some(match given.standard_deviation.take() {
                Some(own) => own.mapv(|s| (s * self.deviation).hypot(self.floor)),
                None => Array1::from_elem(numbers.len(), self.deviation),
            });
        } else if let (Some(probabilities), true) = (&given.probabilities, self.temperature != 1.0) {
            let logs = given.log_probabilities.take().unwrap_or_else(|| probabilities.mapv(|p| p.ln().max(LEAST_LOG)));
            let (probabilities, logs) = tempered(logs.view(), self.temperature);
            (given.probabilities, given.log_probabilities) = (Some(probabilities), Some(logs));
        }
        given
    }

    fn number(&self, x: f64) -> f64 {
        let drawn = if self.slope == 1.0 { x } else { self.center + self.slope * (x - self.center) };
        self.range.map_or(drawn, |[low, high]| drawn.max(low).min(high))
    }

    /// Refuses numbers that no calibration has, e.g. of a forged file.
    pub(crate) fn check(&self) -> Result<()> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let sound = self.center.is_finite()
            && (0.0..=1.0).contains(&self.slope)
            && self.deviation.is_finite()
            && self.deviation >= 0.0
            && self.floor.is_finite()
            && self.floor >= 0.0
            && positive(self.temperature)
            && self.range.is_none_or(|[low, high]| low.is_finite() && high.is_finite() && low < high);
        if sound {
            Ok(())
        } else {
            Err(Error::parameter("calibration", format!("{self:?}"), "a number is out of range"))
        }
    }
}

/// The mean of the labels, and the slope of their regression on estimates about it, which only ever draws estimates in.
fn slope(estimates: ArrayView1<'_, f64>, truth: &[f64], weights: &[f64]) -> (f64, f64) {
    let (center, _) = mean_and_variance(truth, weights);
    let (mut product, mut square) = (0.0, 0.0);
    for ((e, l), w) in estimates.iter().zip(truth).zip(weights) {
        product += w * (e - center) * (l - center);
        square += w * (e - center) * (e - center);
    }
    let slope = product / square;
    (center, if slope.is_finite() { slope.clamp(0.0, 1.0) } else { 1.0 })
}

/// Whether deviations are a scale for errors: not where a read-out is certain of what is wrong.
fn says_something(own: &Array1<f64>, estimates: ArrayView1<'_, f64>, truth: &[f64]) -> bool {
    let within = |((s, e), l): ((&f64, &f64), &f64)| *s > 0.0 && (e - l).abs() < FARTHEST * s;
    own.iter().zip(estimates).zip(truth).all(within)
}

/// The factor with which deviations are as large as errors, in the sense of most likelihood.
fn deviation(estimates: ArrayView1<'_, f64>, own: Option<&Array1<f64>>, truth: &[f64], weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let residuals = estimates.iter().zip(truth).map(|(e, l)| e - l);
    let Some(own) = own else {
        return (residuals.zip(weights).map(|(r, w)| w * r * r).sum::<f64>() / total).sqrt();
    };
    let square: f64 = residuals.zip(own).zip(weights).map(|((r, s), w)| w * (r / s).powi(2)).sum::<f64>() / total;
    if square.is_finite() && square > 0.0 { square.sqrt() } else { 1.0 }
}

/// Minimises the mean log loss of the true classes, with a little pull towards 1: where no class is ever mistaken, nothing
/// else would hold it.
fn temperature(probabilities: &Array2<f64>, truth: &[u32], weights: &[f64]) -> f64 {
    let loss = TemperedLoss::new(probabilities, truth, weights);
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut low, mut high) = (-HOTTEST.ln(), HOTTEST.ln());
    let (mut a, mut b) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_a, mut at_b) = (loss.at(a).0, loss.at(b).0);
    for step in 1..=STEPS {
        if at_a <= at_b {
            (high, b, at_b) = (b, a, at_a);
            a = high - golden * (high - low);
            at_a = loss.at(a).0;
        } else {
            (low, a, at_a) = (a, b, at_b);
            b = low + golden * (high - low);
            at_b = loss.at(b).0;
        }
        // Losses beside the least are equal but for round-off: it is where the slope is 0, once that is between two places.
        if (step == FEW_STEPS || step == STEPS)
            && let Some(root) = loss.level(low - BESIDE, high + BESIDE)
        {
            return root.exp();
        }
    }
    (0.5 * (low + high)).exp()
}

/// The log loss of samples whose probabilities are raised to the inverse of a temperature.
struct TemperedLoss<'a> {
    /// Log probabilities below that of the likeliest class, one row per sample.
    logs: Array2<f64>,
    truth: &'a [u32],
    weights: &'a [f64],
    total: f64,
}

impl<'a> TemperedLoss<'a> {
    fn new(probabilities: &Array2<f64>, truth: &'a [u32], weights: &'a [f64]) -> Self {
        let mut logs = probabilities.mapv(|p| p.ln().max(LEAST_LOG));
        for mut row in logs.outer_iter_mut() {
            let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            row -= top;
        }
        Self { logs, truth, weights, total: weights.iter().sum() }
    }

    /// The mean loss and its slope, with the pull.
    fn at(&self, log_temperature: f64) -> (f64, f64) {
        let inverse = (-log_temperature).exp();
        let of_row = |((row, &c), w): ((ArrayView1<'_, f64>, &u32), &f64)| {
            let (mut sum, mut level) = (0.0, 0.0);
            // What is beneath round-off beside the likeliest takes no exponential, the slowest of which are those that are 0.
            for l in row.iter().filter(|l| **l * inverse > tolerance::NEGLIGIBLE_LOG) {
                let likely = (l * inverse).exp();
                (sum, level) = (sum + likely, level + likely * l);
            }
            let own = row[c as usize];
            (w * (f64::ln(sum) - own * inverse), w * inverse * (own - level / sum))
        };
        let rows = self.logs.outer_iter().zip(self.truth).zip(self.weights).map(of_row);
        let (sum, slope) = rows.fold((0.0, 0.0), |(sum, slope), (loss, own)| (sum + loss, slope + own));
        let pull = PULL * log_temperature;
        (sum / self.total + pull * log_temperature, slope / self.total + 2.0 * pull)
    }

    /// Where the slope is 0 between two places, if it changes its sign there: the secant, which halves the value of an end that
    /// stays, so that both ends move.
    fn level(&self, mut low: f64, mut high: f64) -> Option<f64> {
        let (mut at_low, mut at_high) = (self.at(low).1, self.at(high).1);
        if !(at_low <= 0.0 && at_high >= 0.0) {
            return None;
        }
        let mut stayed = 0;
        for _ in 0..SECANTS {
            let width = high - low;
            if at_high == at_low || width <= f64::EPSILON {
                break;
            }
            let at = (high - at_high * width / (at_high - at_low)).clamp(low, high);
            let slope = self.at(at).1;
            match slope < 0.0 {
                true => {
                    (low, at_low) = (at, slope);
                    at_high *= if stayed == 1 { 0.5 } else { 1.0 };
                    stayed = 1;
                }
                false => {
                    (high, at_high) = (at, slope);
                    at_low *= if stayed == -1 { 0.5 } else { 1.0 };
                    stayed = -1;
                }
            }
            if slope == 0.0 || (high - low).abs() >= width {
                return Some(at);
            }
        }
        Some(0.5 * (low + high))
    }
}

/// Probabilities raised to the inverse of the temperature, which sum to 1 again, and their logarithms. A class that was ruled
/// out gets the least logarithm, since nobody knows by how much.
fn tempered(logs: ArrayView2<'_, f64>, temperature: f64) -> (Array2<f64>, Array2<f64>) {
    let shape = logs.dim();
    let (mut probabilities, mut tempered) = (Vec::with_capacity(logs.len()), Vec::with_capacity(logs.len()));
    for row in logs.outer_iter() {
        let start = probabilities.len();
        let known = |log: &f64| if *log == f64::NEG_INFINITY { LEAST_LOG } else { *log };
        probabilities.extend(row.iter().map(|log| known(log) / temperature));
        let best = largest(&probabilities[start..]);
        normalize(&mut probabilities[start..], best, &mut tempered);
    }
    let table = |values: Vec<f64>| Array2::from_shape_fn(shape, |(n, c)| values[n * shape.1 + c]);
    (table(probabilities), table(tempered))
}
