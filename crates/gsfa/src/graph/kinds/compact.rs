use ndarray::Array2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::balance::balanced;
use super::ell::label_graph;
use super::unlabelled::with_unlabelled;
use crate::graph::codes::different_codes;
use crate::graph::{CodeToLearn, GraphInput, GraphTargets, Grouping, TrainingGraph};
use crate::labels::{
    Classes, CodeObjective, EigenvalueOptions, EigenvalueProfile, LearnedCode, RawTargets, TargetLabels, bits,
    compact_code, sparse_code,
};
use crate::note::CodeLength;
use crate::{Error, Note, Result};

/// The compact graph: an ELL graph whose labels code the class, so that few features tell many classes apart.
///
/// The binary code takes the $b = \lceil\log_2 C\rceil$ bits of $\lfloor c\,2^b/C\rfloor$ as ±1 labels, then products
/// of b, b−1, …, 2 of them; for C = 32 these are the paper's 31 labels. With C−1 targets and equal eigenvalues it is
/// the clustered graph, edge by edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Compact {
    /// The class label; may be left out if there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The number of target labels, C−1 if left out: compact+5, compact+31.
    #[schemars(extend("flag" = "L", "minimum" = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<usize>,
    /// Which code.
    #[schemars(extend("flag" = "CODE"))]
    pub code: ClassCode,
    /// Factor of the distances between classes that a learned code goes by: below 1, the search looks at more pairs. 1 if left
    /// out, unless a recipe lets folds decide.
    #[schemars(extend("exclusiveMinimum" = 0))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// For a learned code: what it costs to take one class for another, one list per class, in the order of the classes;
    /// empty for equal costs. Ordered classes have large costs where they are far apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("minimum" = 0))]
    pub costs: Vec<Vec<f64>>,
    /// The eigenvalues of the target labels; by default equal for the bits, then falling linearly.
    pub eigenvalues: EigenvalueProfile,
    /// $\lambda_0$; the largest eigenvalue if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub lambda0: Option<f64>,
    /// Give all classes the same total weight: uniform priors instead of those of the sample.
    #[schemars(extend("flag" = ""))]
    pub balance: bool,
    /// Samples without label may be there: NaN for numbers, no class for classes. They are always seen by what is learned
    /// without labels (scales, principal components, clipping).
    pub semi_supervised: bool,
    /// How much the samples without label weigh in the covariance, in units of their sample weights. 0, which is what is
    /// taken if left out, leaves it to the labelled ones; a recipe lets folds of the labelled ones decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub unlabelled: Option<f64>,
    /// All class names in the order that decides their codes; the order of [`Classes`] if empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub class_order: Vec<String>,
}

/// How classes are coded in labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClassCode {
    /// Bits of the class number and their products.
    #[default]
    Binary,
    /// Sparse labels by recursive halving of the classes (a weighted Haar basis), finest first.
    Sparse,
    /// Learned by every node: Fisher's criterion, with pairs of classes weighed by how likely they are confused.
    WeightedFisher,
    /// Learned by every node: the least bound on the error of the nearest centroid for exactly as many features.
    Pairwise,
    /// Learned by every node: that bound for the first feature, the first two, and so on, all at once.
    Nested,
}

impl ClassCode {
    /// What is minimised, if the code is learned.
    pub(crate) fn objective(self) -> Option<CodeObjective> {
        match self {
            Self::Binary | Self::Sparse => None,
            Self::WeightedFisher => Some(CodeObjective::WeightedFisher),
            Self::Pairwise => Some(CodeObjective::Pairwise),
            Self::Nested => Some(CodeObjective::Nested),
        }
    }
}

impl Default for Compact {
    fn default() -> Self {
        Self {
            label: None,
            targets: None,
            code: ClassCode::Binary,
            scale: None,
            costs: Vec::new(),
            eigenvalues: EigenvalueProfile::Compact,
            lambda0: None,
            balance: false,
            semi_supervised: false,
            unlabelled: None,
            class_order: Vec::new(),
        }
    }
}

impl Compact {
    /// Builds the graph.
    ///
    /// # Errors
    /// If there is one class only or every sample is a class of its own, `class_order` does not list the classes, or
    /// the eigenvalues do not fit.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let missing = input.missing_classes(self.label.as_deref(), "compact", self.semi_supervised)?;
        match missing.is_empty() {
            true => self.build_labeled(input),
            false => {
                with_unlabelled(input, &missing, self.unlabelled.unwrap_or(0.0), |input| self.build_labeled(input))
            }
        }
    }

    fn build_labeled(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let (_, classes) = input.classes(self.label.as_deref(), "compact")?;
        let position = self.positions(classes)?;
        let of_vertex = classes.of_sample().iter().map(|&c| position[c as usize]).collect();
        let grouping = Grouping::trusted(of_vertex, classes.count());
        let v = if self.balance { balanced(&grouping, input.weights()) } else { input.weights().to_vec() };
        let class_weights = grouping.sums(&v);
        let learned = self.learned(&position)?;
        let code = self.code_of(&class_weights)?;
        let targets = TargetLabels::decorrelate(&code, &class_weights)?;
        let note = self.equal_codes(&code, targets.names().len())?;
        let options = EigenvalueOptions { lambda0: self.lambda0, ..EigenvalueOptions::default() };
        let profile = if learned.is_some() { &EigenvalueProfile::Equal } else { &self.eigenvalues };
        let eigenvalues = profile.eigenvalues(targets.sources(), targets.originals(), &options)?;
        let rows = targets.values().to_owned();
        let code = learned.map(|code| CodeToLearn { code, targets: self.targets, labels: rows.clone(), class_weights });
        let graph = label_graph(v, grouping, rows, GraphTargets { labels: targets, eigenvalues })?;
        Ok(graph.with_code(code).with_classes(Some(classes.count())).with_notes(note))
    }

    /// How the code is learned, if it is; costs in the order of codes.
    fn learned(&self, position: &[u32]) -> Result<Option<LearnedCode>> {
        let Some(objective) = self.code.objective() else {
            return match self.costs.is_empty() && self.scale.is_none() {
                true => Ok(None),
                false => Err(Error::parameter("code", "binary or sparse", "only learned codes have costs and a scale")),
            };
        };
        if !matches!(self.eigenvalues, EigenvalueProfile::Compact | EigenvalueProfile::Equal) {
            return Err(Error::parameter("eigenvalues", "given", "the labels of a learned code count alike"));
        }
        if self.targets == Some(0) {
            return Err(Error::parameter("targets", 0, "at least one target label is needed"));
        }
        let (classes, scale) = (position.len(), self.scale.unwrap_or(1.0));
        if self.costs.is_empty() {
            let code = LearnedCode { scale, ..LearnedCode::new(objective) };
            code.check(classes)?;
            return Ok(Some(code));
        }
        if self.costs.len() != classes || self.costs.iter().any(|row| row.len() != classes) {
            let reason = format!("there must be {classes} lists of {classes} costs, one for each class");
            return Err(Error::parameter("costs", format!("{} lists", self.costs.len()), reason));
        }
        let mut costs = Array2::zeros((classes, classes));
        for (i, row) in self.costs.iter().enumerate() {
            for (j, cost) in row.iter().enumerate() {
                costs[[position[i] as usize, position[j] as usize]] = *cost;
            }
        }
        let code = LearnedCode { scale, costs: Some(costs), ..LearnedCode::new(objective) };
        code.check(classes)?;
        Ok(Some(code))
    }

    /// A remark if the first `kept` labels of a code give several classes the same one.
    fn equal_codes(&self, code: &RawTargets, kept: usize) -> Result<Option<Note>> {
        let classes = code.values.nrows();
        let count = |code: &RawTargets| different_codes(classes, code.values.columns());
        let codes = count(code)[kept - 1];
        if codes == classes {
            return Ok(None);
        }
        let whole = match self.code {
            ClassCode::Binary => count(&compact_code(classes, Some(bits(classes)))?),
            _ => count(code),
        };
        let enough = whole.iter().position(|&codes| codes == classes).map_or(classes - 1, |at| at + 1);
        Ok(Some(Note::EqualCodes { classes, of: CodeLength::Targets, length: kept, codes, enough }))
    }

    fn code_of(&self, class_weights: &[f64]) -> Result<RawTargets> {
        match self.code {
            ClassCode::Binary => compact_code(class_weights.len(), self.targets),
            // All that any code needs.
            ClassCode::WeightedFisher | ClassCode::Pairwise | ClassCode::Nested => {
                compact_code(class_weights.len(), None)
            }
            ClassCode::Sparse => {
                let code = sparse_code(class_weights)?;
                Ok(RawTargets { requested: self.targets, ..code })
            }
        }
    }

    /// The place of each class in the order that decides the codes.
    fn positions(&self, classes: &Classes) -> Result<Vec<u32>> {
        if self.class_order.is_empty() {
            return Ok((0..classes.count() as u32).collect());
        }
        let mut positions = vec![u32::MAX; classes.count()];
        for (place, name) in self.class_order.iter().enumerate() {
            let Some(class) = classes.names().iter().position(|known| known == name) else {
                return Err(Error::UnknownClass { name: name.clone(), known: classes.names().to_vec() });
            };
            if positions[class] != u32::MAX {
                return Err(Error::parameter("class_order", name, "the class is listed twice"));
            }
            positions[class] = place as u32;
        }
        match positions.iter().position(|&p| p == u32::MAX) {
            Some(class) => {
                Err(Error::parameter("class_order", &classes.names()[class], "the class is missing from the list"))
            }
            None => Ok(positions),
        }
    }
}
