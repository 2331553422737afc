use ndarray::Array2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::unlabelled::with_unlabelled;
use crate::error::Places;
use crate::error::brief::label;
use crate::graph::{Coupling, EdgeTerm, GraphInput, GraphTargets, Grouping, LowRank, TrainingGraph};
use crate::labels::{CosineReading, EigenvalueOptions, EigenvalueProfile, LabelValues, TargetLabels, TargetSpec};
use crate::{Error, Result};

/// The exact label learning (ELL, also "explicit label learning") graph: its slowest free responses are the labels
/// themselves, normalised, and auxiliary labels derived from them.
///
/// $\Gamma = \frac1Q \mathrm{Diag}(v)(\lambda_0 1 1^T + \sum_j \lambda_j \ell_j \ell_j^T)\mathrm{Diag}(v)$
/// `[eq:GGELL]`, `[eq:MMELL]`. The graph has rank L+1, so it is stored as L label columns over the distinct label
/// rows, and training with it costs $O(NI^2 + NIL)$ instead of the paper's $O(N^2 I)$.
///
/// Vertex weights are the sample weights. $\Delta_j = 2 - 2\lambda_j/\lambda_0$ for the targets, 2 for all else. Edges
/// may be negative; see [`TrainingGraph::without_negative_edges`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Ell {
    /// The original labels; empty means all numeric ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The number of target labels, L, originals and auxiliary ones together; the originals alone if left out.
    #[schemars(extend("flag" = "L", "minimum" = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<usize>,
    /// A power per original label, to learn $\ell^2$ or $\ell^3$; empty means 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("minimum" = 1))]
    pub powers: Vec<u32>,
    /// How `[eq:auxiliary_labels]` is read.
    pub cosines: CosineReading,
    /// Products of standardised labels as further auxiliary labels, before the cosines.
    #[schemars(extend("flag" = ""))]
    pub products: bool,
    /// The eigenvalues of the target labels: their importance.
    pub eigenvalues: EigenvalueProfile,
    /// $\lambda_0$; the largest eigenvalue if left out, which gives the first label Δ = 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub lambda0: Option<f64>,
    /// Refuse eigenvalues that increase.
    pub strict: bool,
    /// Accept negative eigenvalues, which make a label as fast as possible.
    pub allow_negative: bool,
    /// Samples without label may be there: NaN for numbers, no class for classes. They are always seen by what is learned
    /// without labels (scales, principal components, clipping).
    pub semi_supervised: bool,
    /// How much the samples without label weigh in the covariance, in units of their sample weights. 0, which is what is
    /// taken if left out, leaves it to the labelled ones; a recipe lets folds of the labelled ones decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub unlabelled: Option<f64>,
}

impl Ell {
    /// Builds the graph.
    ///
    /// # Errors
    /// If a label is missing, constant or not finite, or the eigenvalues do not fit.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        if input.len() < 2 {
            return Err(Error::TooFewSamples { needed: 2, got: input.len() });
        }
        let missing = self.missing(&self.columns(input)?)?;
        match missing.is_empty() {
            true => self.build_labeled(input),
            false => {
                with_unlabelled(input, &missing, self.unlabelled.unwrap_or(0.0), |input| self.build_labeled(input))
            }
        }
    }

    fn build_labeled(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let columns = self.columns(input)?;
        let values: Vec<&[f64]> = columns.iter().map(|(_, values)| *values).collect();
        let (grouping, first) = Grouping::by_rows(&values, input.len());
        let weights = grouping.sums(input.weights());
        let originals: Vec<(String, Vec<f64>)> = columns
            .iter()
            .map(|(name, values)| (name.to_string(), first.iter().map(|&n| values[n]).collect()))
            .collect();
        let targets = self.target_labels(&originals, &weights)?;
        let rows = targets.values().to_owned();
        let options =
            EigenvalueOptions { lambda0: self.lambda0, allow_negative: self.allow_negative, strict: self.strict };
        let eigenvalues = self.eigenvalues.eigenvalues(targets.sources(), originals.len(), &options)?;
        label_graph(input.weights().to_vec(), grouping, rows, GraphTargets { labels: targets, eigenvalues })
    }

    fn columns<'a>(&self, input: &GraphInput<'a>) -> Result<Vec<(&'a str, &'a [f64])>> {
        let labels = input.labels();
        for name in &self.labels {
            labels.column(name)?;
        }
        let mut columns = Vec::new();
        let wanted = |name: &str| self.labels.is_empty() || self.labels.iter().any(|l| l == name);
        for (name, values) in labels.columns().filter(|(name, _)| wanted(name)) {
            match values {
                LabelValues::Numbers(x) => columns.push((name, x.as_slice())),
                LabelValues::Classes(_) if self.labels.is_empty() && labels.columns().count() > 1 => {}
                LabelValues::Classes(_) => {
                    return Err(Error::LabelKind { name: name.into(), found: "classes", needed: "numbers" });
                }
            }
        }
        // The order asked for decides which label comes first in the decorrelation.
        columns.sort_by_key(|(name, _)| self.labels.iter().position(|l| l == name));
        if columns.is_empty() {
            return Err(Error::LabelChoice { graph: "ell", kind: "numeric", found: 0 });
        }
        Ok(columns)
    }

    /// The samples that have no labels at all.
    fn missing(&self, columns: &[(&str, &[f64])]) -> Result<Vec<usize>> {
        for (name, values) in columns {
            let bad = |x: &f64| if self.semi_supervised { x.is_infinite() } else { !x.is_finite() };
            if let Some(places) = Places::find(values, bad) {
                return Err(Error::NonFinite { what: label(name), places });
            }
        }
        let samples = columns[0].1.len();
        let missing = |n: usize| columns.iter().filter(|(_, values)| values[n].is_nan()).count();
        let partly: Vec<bool> = (0..samples).map(|n| (1..columns.len()).contains(&missing(n))).collect();
        if let Some(places) = Places::find(&partly, |&p| p) {
            return Err(Error::PartlyLabeled { places });
        }
        Ok((0..samples).filter(|&n| columns[0].1[n].is_nan()).collect())
    }

    fn target_labels(&self, originals: &[(String, Vec<f64>)], weights: &[f64]) -> Result<TargetLabels> {
        let spec = TargetSpec {
            targets: self.targets,
            powers: self.powers.clone(),
            cosines: self.cosines,
            products: self.products,
        };
        TargetLabels::decorrelate(&spec.raw_targets(originals, weights)?, weights)
    }
}

/// The ELL graph of label rows: vertex n has the labels `rows[grouping(n)]`.
pub(in crate::graph) fn label_graph(
    vertex_weights: Vec<f64>,
    grouping: Grouping,
    rows: Array2<f64>,
    targets: GraphTargets,
) -> Result<TrainingGraph> {
    let q: f64 = vertex_weights.iter().sum();
    let values = targets.eigenvalues.values.iter().map(|lambda| lambda / q).collect();
    let coupling = Coupling::LowRank(LowRank { columns: rows, values });
    let term = EdgeTerm { grouping, shares: vertex_weights.clone(), coupling, loops: None };
    let mut notes = targets.labels.notes().to_vec();
    notes.extend(targets.eigenvalues.notes.iter().cloned());
    let graph = TrainingGraph::new(vertex_weights, vec![term], targets.eigenvalues.lambda0 / q)?;
    Ok(graph.with_targets(targets).with_notes(notes))
}
