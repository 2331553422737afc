//! Eigenvalues of the target labels: how important each one is, and in which order they are learned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TargetSource;
use crate::error::Places;
use crate::{Error, Note, Result};

/// How the eigenvalues $\lambda_1,\dots,\lambda_L$ are chosen. They sum to 1 unless the values themselves are given.
///
/// The target label of the largest eigenvalue is learned first: its delta value is $2 - 2\lambda_j/\lambda_0$.
///
/// ```
/// use gsfa::labels::{EigenvalueOptions, EigenvalueProfile, TargetSource};
/// let sources = [TargetSource::Original(0), TargetSource::Cosine { original: 0, order: 2 }];
/// let linear = EigenvalueProfile::Linear.eigenvalues(&sources, 1, &EigenvalueOptions::default())?;
/// assert_eq!(linear.values, [2.0 / 3.0, 1.0 / 3.0]);
/// assert_eq!(linear.lambda0, 2.0 / 3.0);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EigenvalueProfile {
    /// $\lambda_j \propto L+1-j$.
    #[default]
    Linear,
    /// $\lambda_j = 1/L$.
    Equal,
    /// Equal for originals and bits, then linearly decreasing over the m auxiliary labels: $w(m+1-k)/(m+1)$ with
    /// $w = 1/(b + m/2)$, the compact+31 graph of the paper for b = 5, m = 26.
    Compact,
    /// $\lambda_j \propto r^{j-1}$ with the ratio r in (0, 1].
    Geometric(f64),
    /// As given, not rescaled.
    Values(Vec<f64>),
    /// A weight $w_i$ for each original, which decreases linearly over the n targets of that original:
    /// $w_i, w_i(n-1)/n, \dots, w_i/n$; product k of m of the labels i and j has $\sqrt{w_iw_j}\,(m+1-k)/(m+1)$.
    Importance(Vec<f64>),
    /// From the delta values that the labels shall have, $\lambda_j = \lambda_0(1 - \Delta_j/2)$, with $\lambda_0 = 1$
    /// unless given.
    DeltaValues(Vec<f64>),
}

/// What is accepted, and the eigenvalue of the constant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EigenvalueOptions {
    /// $\lambda_0$, which scales delta values and nothing else; by default the largest of the others, so that
    /// $\Delta_1 = 0$.
    pub lambda0: Option<f64>,
    /// Whether labels may have negative eigenvalues: they are then made as fast as possible.
    pub allow_negative: bool,
    /// Whether an eigenvalue larger than an earlier one is an error instead of a note.
    pub strict: bool,
}

/// One eigenvalue for each target label, and that of the constant.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigenvalues {
    /// The eigenvalue $\lambda_0 > 0$ of the constant.
    pub lambda0: f64,
    /// The eigenvalues $\lambda_1,\dots,\lambda_L$ in the order of the labels.
    pub values: Vec<f64>,
    /// Labels without influence, and eigenvalues that increase.
    pub notes: Vec<Note>,
}

impl EigenvalueProfile {
    /// The eigenvalues of target labels made from `sources`, of which `originals` labels were given in the beginning.
    ///
    /// # Errors
    /// [`Error::EigenvalueCount`], [`Error::NonFinite`], [`Error::NegativeEigenvalue`] unless allowed,
    /// [`Error::EigenvalueOrder`] if `strict`, [`Error::Parameter`] for ratios, importances and λ₀ out of range.
    pub fn eigenvalues(
        &self,
        sources: &[TargetSource],
        originals: usize,
        options: &EigenvalueOptions,
    ) -> Result<Eigenvalues> {
        if sources.is_empty() {
            return Err(Error::parameter("targets", 0, "at least one target label is needed"));
        }
        if let Some(lambda0) = options.lambda0.filter(|x| !(x.is_finite() && *x > 0.0)) {
            return Err(Error::parameter("lambda0", lambda0, "it must be positive"));
        }
        let values = self.values(sources, originals, options)?;
        check(&values, sources.len(), options)?;
        let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lambda0 = match (options.lambda0, self) {
            (Some(lambda0), _) => lambda0,
            (None, Self::DeltaValues(_)) => 1.0,
            (None, _) if largest > 0.0 => largest,
            _ => return Err(Error::parameter("eigenvalues", largest, "the largest one must be positive")),
        };
        Ok(Eigenvalues { lambda0, notes: notes(&values), values })
    }

    fn values(&self, sources: &[TargetSource], originals: usize, options: &EigenvalueOptions) -> Result<Vec<f64>> {
        let targets = sources.len();
        Ok(match self {
            Self::Linear => sum_to_one((0..targets).map(|j| (targets - j) as f64).collect()),
            Self::Equal => vec![1.0 / targets as f64; targets],
            Self::Compact => sum_to_one(compact(sources)),
            Self::Geometric(ratio) if *ratio > 0.0 && *ratio <= 1.0 => {
                sum_to_one((0..targets).map(|j| ratio.powf(j as f64)).collect())
            }
            Self::Geometric(ratio) => {
                return Err(Error::parameter("geometric", ratio, "the ratio must lie in (0, 1]"));
            }
            Self::Values(values) => values.clone(),
            Self::Importance(weights) => sum_to_one(importance(weights, sources, originals)?),
            Self::DeltaValues(deltas) => {
                let lambda0 = options.lambda0.unwrap_or(1.0);
                deltas.iter().map(|delta| lambda0 * (1.0 - delta / 2.0)).collect()
            }
        })
    }
}

fn compact(sources: &[TargetSource]) -> Vec<f64> {
    let auxiliary = sources.iter().filter(|source| source.is_auxiliary()).count();
    let mut decrease = (1..=auxiliary).rev().map(|left| left as f64 / (auxiliary + 1) as f64);
    let mut next = |source: &TargetSource| if source.is_auxiliary() { decrease.next().unwrap_or(0.0) } else { 1.0 };
    sources.iter().map(&mut next).collect()
}

fn importance(weights: &[f64], sources: &[TargetSource], originals: usize) -> Result<Vec<f64>> {
    if let Some(places) = Places::find(weights, |w| !w.is_finite()) {
        return Err(Error::NonFinite { what: "importance".into(), places });
    }
    let refuse = |reason: String| Error::parameter("importance", format!("{weights:?}"), reason);
    if weights.len() != originals {
        return Err(refuse(format!("there must be one weight for each of the {originals} original labels")));
    }
    if weights.iter().any(|&w| w < 0.0) || weights.iter().all(|&w| w == 0.0) {
        return Err(refuse("weights must not be negative, and one at least must be positive".into()));
    }
    let mut counts = vec![0_usize; originals];
    let mut products = 0_usize;
    for source in sources {
        match *source {
            TargetSource::Original(i) | TargetSource::Cosine { original: i, .. } if i < originals => counts[i] += 1,
            TargetSource::Product(i, j) if i.max(j) < originals => products += 1,
            _ => return Err(refuse("it weighs labels; codes of classes have none".into())),
        }
    }
    // What is still to come of each original, and of the products, counts down as the targets pass.
    let (mut left, mut products_left) = (counts.clone(), products);
    let mut value = |source: &TargetSource| match *source {
        TargetSource::Product(i, j) => {
            products_left -= 1;
            (weights[i] * weights[j]).sqrt() * (products_left + 1) as f64 / (products + 1) as f64
        }
        TargetSource::Original(i) | TargetSource::Cosine { original: i, .. } => {
            left[i] -= 1;
            weights[i] * (left[i] + 1) as f64 / counts[i] as f64
        }
        _ => 0.0,
    };
    Ok(sources.iter().map(&mut value).collect())
}

fn sum_to_one(proportions: Vec<f64>) -> Vec<f64> {
    let sum: f64 = proportions.iter().sum();
    proportions.into_iter().map(|x| x / sum).collect()
}

fn check(values: &[f64], targets: usize, options: &EigenvalueOptions) -> Result<()> {
    if values.len() != targets {
        return Err(Error::EigenvalueCount { given: values.len(), targets });
    }
    if let Some(places) = Places::find(values, |x| !x.is_finite()) {
        return Err(Error::NonFinite { what: "the list of eigenvalues".into(), places });
    }
    if let Some(j) = values.iter().position(|&x| x < 0.0).filter(|_| !options.allow_negative) {
        return Err(Error::NegativeEigenvalue { index: j + 1, value: values[j] });
    }
    if let Some((earlier, later)) = first_increase(values).filter(|_| options.strict) {
        return Err(Error::EigenvalueOrder {
            earlier: earlier + 1,
            earlier_value: values[earlier],
            later: later + 1,
            later_value: values[later],
        });
    }
    Ok(())
}

/// The first value that is larger than an earlier one, behind the first one it is larger than.
fn first_increase(values: &[f64]) -> Option<(usize, usize)> {
    let later = values.windows(2).position(|pair| pair[1] > pair[0])? + 1;
    let earlier = values.iter().position(|&x| x < values[later])?;
    Some((earlier, later))
}

fn notes(values: &[f64]) -> Vec<Note> {
    let ignored: Vec<usize> = (1..=values.len()).filter(|j| values[j - 1] == 0.0).collect();
    let mut notes = Vec::new();
    if !ignored.is_empty() {
        notes.push(Note::IgnoredLabels { labels: ignored });
    }
    if let Some((earlier, later)) = first_increase(values) {
        notes.push(Note::EigenvalueOrder { later: later + 1, earlier: earlier + 1 });
    }
    notes
}
