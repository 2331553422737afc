use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::balance::balanced;
use super::unlabelled::with_unlabelled;
use crate::graph::{Banded, Compact, Coupling, EdgeTerm, GraphInput, Grouping, TrainingGraph};
use crate::labels::EigenvalueProfile;
use crate::{Error, Note, Result};

/// The clustered graph: the samples of a class are connected with each other. Its features are those of Fisher's
/// linear discriminant analysis.
///
/// By default $\gamma_{n,n'} = v_n v_{n'} / V_c$ within class c, self-loops included, with $V_c$ the weight of the
/// class: consistent, exactly the discriminant analysis for classes of any size, singletons allowed.
///
/// **Paper note.** The paper has $1/(N_c - 1)$ without self-loops; for classes of equal size the features agree and
/// its delta values are $N_c/(N_c-1)$ times ours. `paper_weights` asks for it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Clustered {
    /// The class label; may be left out if there is only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Edge weights $1/(N_c - 1)$ and no self-loops, as in the paper.
    #[serde(default)]
    pub paper_weights: bool,
    /// Give all classes the same total weight: uniform priors instead of those of the sample.
    #[serde(default)]
    #[schemars(extend("flag" = ""))]
    pub balance: bool,
    /// Samples without label may be there: NaN for numbers, no class for classes. They are always seen by what is learned
    /// without labels (scales, principal components, clipping).
    #[serde(default)]
    pub semi_supervised: bool,
    /// How much the samples without label weigh in the covariance, in units of their sample weights. 0, which is what is
    /// taken if left out, leaves it to the labelled ones; a recipe lets folds of the labelled ones decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0))]
    pub unlabelled: Option<f64>,
}

impl Clustered {
    /// Builds the graph.
    ///
    /// # Errors
    /// If there is one class only, or every sample is a class of its own.
    pub fn build(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let missing = input.missing_classes(self.label.as_deref(), "clustered", self.semi_supervised)?;
        let weight = self.unlabelled.unwrap_or(0.0);
        match (missing.is_empty(), weight > 0.0) {
            (true, _) => self.build_labeled(input),
            (false, false) => with_unlabelled(input, &missing, weight, |input| self.build_labeled(input)),
            (false, true) => with_unlabelled(input, &missing, weight, |input| self.as_labels()?.build(input)),
        }
    }

    /// The same graph as one of target labels, which can be 0: all of a code, with equal eigenvalues.
    fn as_labels(&self) -> Result<Compact> {
        if self.paper_weights {
            let reason = "with the paper's weights the graph has no target labels that could be 0";
            return Err(Error::parameter("unlabelled", self.unlabelled.unwrap_or(0.0), reason));
        }
        let (label, balance) = (self.label.clone(), self.balance);
        Ok(Compact { label, balance, eigenvalues: EigenvalueProfile::Equal, ..Compact::default() })
    }

    fn build_labeled(&self, input: &GraphInput<'_>) -> Result<TrainingGraph> {
        let (_, classes) = input.classes(self.label.as_deref(), "clustered")?;
        let grouping = Grouping::trusted(classes.of_sample().to_vec(), classes.count());
        let shares = if self.balance { balanced(&grouping, input.weights()) } else { input.weights().to_vec() };
        if self.paper_weights {
            return with_paper_weights(grouping, shares, classes.names());
        }
        let inverse = grouping.sums(&shares).iter().map(|total| 1.0 / total).collect();
        let coupling = Coupling::Banded(Banded::trusted(classes.count(), vec![(0, inverse)]));
        let term = EdgeTerm { grouping, shares: shares.clone(), coupling, loops: None };
        Ok(TrainingGraph::new(shares, vec![term], 0.0)?.with_classes(Some(classes.count())))
    }
}

fn with_paper_weights(grouping: Grouping, shares: Vec<f64>, names: &[String]) -> Result<TrainingGraph> {
    let sizes = grouping.sums(&vec![1.0; shares.len()]);
    // A class of one sample has no edges without self-loops, and an isolated vertex would be a free response of its
    // own: it gets a self-loop of 1, which keeps v = Γ1.
    let weight = |size: f64| if size > 1.0 { 1.0 / (size - 1.0) } else { 0.0 };
    let singletons: Vec<String> =
        sizes.iter().zip(names).filter(|(size, _)| **size == 1.0).map(|(_, name)| name.clone()).collect();
    let loops = shares.iter().zip(grouping.of_vertex()).map(|(s, &c)| {
        let size = sizes[c as usize];
        s * s * if size > 1.0 { -weight(size) } else { 1.0 }
    });
    let loops = Some(loops.collect());
    let diagonal = sizes.iter().map(|&size| weight(size)).collect();
    let coupling = Coupling::Banded(Banded::trusted(sizes.len(), vec![(0, diagonal)]));
    let term = EdgeTerm { grouping, shares: shares.clone(), coupling, loops };
    let note = (!singletons.is_empty()).then_some(Note::SingletonClasses { names: singletons });
    Ok(TrainingGraph::new(shares, vec![term], 0.0)?.with_classes(Some(sizes.len())).with_notes(note))
}
