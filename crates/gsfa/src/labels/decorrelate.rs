//! Target labels, normalised and decorrelated, and the way back to the raw ones.

use ndarray::{Array2, ArrayView2};

use super::gram_schmidt::{Expansion, GramSchmidt, Outcome};
use super::normalization::check_values;
use super::weights::shares;
use super::{RawTargets, TargetSource};
use crate::{Error, Note, Result, linalg};

/// Target labels ℓ₁ … ℓ_L with weighted mean 0, variance 1 and correlation 0, and the raw labels in terms of them.
///
/// $\frac1Q\sum_n v_n\ell_j(n) = 0$, $\frac1Q\sum_n v_n\ell_i(n)\ell_j(n) = \delta_{ij}$, where n runs over rows of weight
/// $v_n$. Label j is the part of the j-th kept raw label that the earlier ones do not explain, and correlates positively
/// with it. Every raw label examined is $\mu_j + \sum_k T_{kj}\ell_k$, dropped ones up to what counted as nothing of them.
///
/// ```
/// use gsfa::labels::{TargetLabels, TargetSpec};
/// let labels = [("a".to_string(), vec![1.0, 2.0, 4.0]), ("b".to_string(), vec![5.0, 8.0, 14.0])];
/// let raw = TargetSpec::default().raw_targets(&labels, &[1.0, 1.0, 2.0])?;
/// let targets = TargetLabels::decorrelate(&raw, &[1.0, 1.0, 2.0])?;
/// assert_eq!(targets.names(), ["a"]); // b = 3a + 2
/// let back = targets.recover(targets.values())?;
/// assert!((back[[2, 1]] - 14.0).abs() < 1e-12);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TargetLabels {
    values: Array2<f64>,
    names: Vec<String>,
    sources: Vec<TargetSource>,
    kept: Vec<usize>,
    raw_names: Vec<String>,
    originals: usize,
    means: Vec<f64>,
    transform: Array2<f64>,
    notes: Vec<Note>,
}

impl TargetLabels {
    /// Decorrelates the raw labels in their order, in the weights of their rows.
    ///
    /// A label whose remainder is nothing against its deviation, or no more than the rounding of the values explains, is
    /// dependent on earlier ones and dropped with a note; so is an auxiliary one that is constant. Once as many labels are kept as `raw.requested`, the rest is not examined.
    ///
    /// # Errors
    /// [`Error::ConstantLabel`] for a constant original, [`Error::NoTargetLabels`] if there are only constant auxiliary
    /// ones; values that are not finite; weights that are not positive or not one per row.
    pub fn decorrelate(raw: &RawTargets, weights: &[f64]) -> Result<Self> {
        check_shape(raw, weights)?;
        let mut basis = GramSchmidt::new(shares(weights)?);
        let mut kept = Vec::new();
        let mut dropped = Dropped::default();
        let mut expansions: Vec<Expansion> = Vec::new();
        for (j, (name, column)) in raw.names.iter().zip(raw.values.columns()).enumerate() {
            if raw.requested.is_some_and(|requested| basis.len() >= requested) {
                break;
            }
            let column = column.to_vec();
            check_values(name, &column)?;
            let expansion = basis.push(&column);
            match expansion.outcome {
                Outcome::Kept => kept.push(j),
                Outcome::Dependent { tolerance } => dropped.push(name, tolerance),
                Outcome::Constant if j < raw.originals => return Err(expansion.spread.constant_label(name)),
                Outcome::Constant => dropped.push(name, linalg::tolerance::DEPENDENT_LABEL),
            }
            expansions.push(expansion);
        }
        if kept.is_empty() {
            return Err(Error::NoTargetLabels { given: raw.names.len() });
        }
        let notes = dropped.notes(kept.len(), weights.len(), raw.requested);
        Ok(Self {
            values: side_by_side(&basis.into_basis()),
            names: kept.iter().map(|&j| raw.names[j].clone()).collect(),
            sources: kept.iter().map(|&j| raw.sources[j].clone()).collect(),
            raw_names: raw.names[..expansions.len()].to_vec(),
            // A graph may take the first few labels of a code only.
            originals: raw.originals.min(expansions.len()),
            means: expansions.iter().map(|expansion| expansion.mean).collect(),
            transform: side_by_side_padded(&expansions, kept.len()),
            kept,
            notes,
        })
    }

    /// Names of the target labels.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The target labels, rows × L.
    pub fn values(&self) -> ArrayView2<'_, f64> {
        self.values.view()
    }

    /// What each target label was made from.
    pub fn sources(&self) -> &[TargetSource] {
        &self.sources
    }

    /// For each target label the raw label it is the remainder of.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Names of the raw labels that were examined, dropped ones included.
    pub fn raw_names(&self) -> &[String] {
        &self.raw_names
    }

    /// How many of the raw labels, the leading ones, are originals.
    pub fn originals(&self) -> usize {
        self.originals
    }

    /// The weighted means μ of the raw labels.
    pub fn means(&self) -> &[f64] {
        &self.means
    }

    /// The matrix T, L × raw labels: raw label j is $\mu_j + \sum_k T_{kj}\ell_k$, over earlier k and itself only.
    pub fn transform(&self) -> ArrayView2<'_, f64> {
        self.transform.view()
    }

    /// What was dropped, and why there are fewer labels than asked for.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// All raw labels from estimates of the target labels, one row each.
    ///
    /// Estimates of the first few target labels are enough: the others are then taken to be at their mean 0, which is
    /// the least-squares answer.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are more columns than target labels.
    pub fn recover(&self, features: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        let (rows, columns) = features.dim();
        if columns > self.names.len() {
            let reason = format!("there are {} target labels to recover from", self.names.len());
            return Err(Error::parameter("features", format!("{columns} columns"), reason));
        }
        let mut raw = Array2::zeros((rows, self.means.len()));
        for (feature, mut out) in features.rows().into_iter().zip(raw.rows_mut()) {
            for (j, value) in out.iter_mut().enumerate() {
                let terms = feature.iter().zip(self.transform.column(j));
                *value = self.means[j] + terms.map(|(y, t)| y * t).sum::<f64>();
            }
        }
        Ok(raw)
    }

    /// Target labels from raw ones, one row each: the inverse of [`recover`](Self::recover), and the values at the rows
    /// that they were made of. Dropped raw labels are not looked at.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are not as many columns as raw labels.
    pub fn decorrelated(&self, raw: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        if raw.ncols() != self.means.len() {
            let reason = format!("there are {} raw labels: {}", self.means.len(), self.raw_names.join(", "));
            return Err(Error::parameter("raw", format!("{} columns", raw.ncols()), reason));
        }
        let mut targets = Array2::zeros((raw.nrows(), self.names.len()));
        for (given, mut out) in raw.rows().into_iter().zip(targets.rows_mut()) {
            // T is triangular over the kept labels.
            for (k, &j) in self.kept.iter().enumerate() {
                let known: f64 = (0..k).map(|i| self.transform[[i, j]] * out[i]).sum();
                out[k] = (given[j] - self.means[j] - known) / self.transform[[k, j]];
            }
        }
        Ok(targets)
    }

    /// The labels multiplied by `factor`; [`recover`](Self::recover) takes it into account.
    ///
    /// Samples without labels take the value 0. With the factor $(Q/Q_\mathrm{lab})^{1/2}$, where $Q_\mathrm{lab}$ is
    /// the weight of the labelled ones, the labels have variance 1 over all samples.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the factor is not positive and finite.
    pub fn rescaled(mut self, factor: f64) -> Result<Self> {
        if !(factor.is_finite() && factor > 0.0) {
            return Err(Error::parameter("factor", factor, "labels can be rescaled by positive numbers only"));
        }
        self.values *= factor;
        self.transform /= factor;
        Ok(self)
    }
}

#[derive(Default)]
struct Dropped {
    names: Vec<String>,
    tolerance: f64,
}

impl Dropped {
    fn push(&mut self, name: &str, tolerance: f64) {
        self.names.push(name.to_string());
        self.tolerance = self.tolerance.max(tolerance);
    }

    fn notes(self, kept: usize, rows: usize, requested: Option<usize>) -> Vec<Note> {
        let mut notes = Vec::new();
        if !self.names.is_empty() {
            notes.push(Note::DependentLabels { names: self.names, tolerance: self.tolerance, kept });
        }
        if let Some(requested) = requested.filter(|&requested| kept < requested) {
            let reason = if kept + 1 == rows {
                "the samples have too few distinct labels for more"
            } else {
                "no further label is independent of these"
            };
            notes.push(Note::FewerTargets { requested, formed: kept, reason });
        }
        notes
    }
}

fn check_shape(raw: &RawTargets, weights: &[f64]) -> Result<()> {
    let (rows, labels) = raw.values.dim();
    let mismatch = |left: &str, left_len, right: &str, right_len| Error::LengthMismatch {
        left: left.into(),
        left_len,
        right: right.into(),
        right_len,
    };
    if rows != weights.len() {
        return Err(mismatch("the table of labels", rows, "sample weights", weights.len()));
    }
    if raw.names.len() != labels || raw.sources.len() != labels {
        let described = raw.names.len().min(raw.sources.len());
        return Err(mismatch("the list of label names", described, "the list of label columns", labels));
    }
    match (rows, labels) {
        (_, 0) => Err(Error::parameter("labels", 0, "at least one target label is needed")),
        (0, _) => Err(Error::TooFewSamples { needed: 2, got: 0 }),
        _ if raw.requested == Some(0) => Err(Error::parameter("targets", 0, "at least one target label is needed")),
        _ => Ok(()),
    }
}

fn side_by_side(columns: &[Vec<f64>]) -> Array2<f64> {
    let rows = columns.first().map_or(0, Vec::len);
    Array2::from_shape_fn((rows, columns.len()), |(n, j)| columns[j][n])
}

fn side_by_side_padded(expansions: &[Expansion], kept: usize) -> Array2<f64> {
    Array2::from_shape_fn((kept, expansions.len()), |(k, j)| expansions[j].coefficients.get(k).copied().unwrap_or(0.0))
}
