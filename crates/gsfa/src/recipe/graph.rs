//! The graph of the labels, and what it asks of a network.

use ndarray::Array2;

use super::Recipe;
use crate::graph::{Clustered, Compact, Ell, GraphSpec, Sum, Summand, TrainingGraph};
use crate::labels::{LabelValues, Labels};
use crate::network::Goal;
use crate::samples::{Rows, Samples};
use crate::specification::Need;
use crate::{Error, Result, memory};

impl Recipe {
    /// The graph asked for, or the one that suits the labels: numbers are learned exactly, classes are clustered, and
    /// several labels share the weight.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are no labels, or the graph asked for cannot have unlabelled samples.
    pub fn graph(&self, labels: &Labels) -> Result<GraphSpec> {
        let graph = match &self.graph {
            Some(graph) => graph.clone(),
            None => self.graph_of(labels)?,
        };
        if self.semi_supervised { with_unlabelled(graph, None) } else { Ok(graph) }
    }

    /// The samples as the vectors whose nearest neighbours are connected, where the graph asks for that.
    ///
    /// # Errors
    /// As [`graph`](Self::graph); if samples cannot be read, or memory does not hold them.
    pub fn vectors(&self, labels: &Labels, samples: &dyn Samples) -> Result<Option<Array2<f64>>> {
        if !self.graph(labels)?.needs(Need::Vectors) {
            return Ok(None);
        }
        let shape = (samples.len(), samples.dim());
        memory::require(shape.0.saturating_mul(shape.1).saturating_mul(size_of::<f64>()))?;
        let mut rows = Array2::zeros(shape);
        samples.read_double(Rows::Range(0..shape.0), rows.view_mut())?;
        Ok(Some(rows))
    }

    /// The graph that suits the labels.
    pub(super) fn graph_of(&self, labels: &Labels) -> Result<GraphSpec> {
        let mut graphs: Vec<GraphSpec> = Vec::new();
        let numbers: Vec<String> =
            labels.columns().filter(|(_, v)| is_numbers(v)).map(|(n, _)| n.to_string()).collect();
        if !numbers.is_empty() {
            graphs.push(Ell { labels: numbers, targets: self.targets, ..Ell::default() }.into());
        }
        for (name, _) in labels.columns().filter(|(_, values)| !is_numbers(values)) {
            let label = Some(name.to_string());
            graphs.push(match self.targets {
                Some(_) => Compact { label, targets: self.targets, ..Compact::default() }.into(),
                None => Clustered { label, ..Clustered::default() }.into(),
            });
        }
        match graphs.len() {
            0 => Err(Error::parameter("labels", "none", "there is nothing to learn")),
            1 => Ok(graphs.remove(0)),
            _ => Ok(Sum { graphs: graphs.into_iter().map(|graph| Summand { share: 1.0, graph }).collect() }.into()),
        }
    }
}

/// The graph with unlabelled samples allowed, of the given weight if one is.
pub(super) fn with_unlabelled(graph: GraphSpec, weight: Option<f64>) -> Result<GraphSpec> {
    Ok(match graph {
        GraphSpec::Ell(ell) => Ell { semi_supervised: true, unlabelled: weight.or(ell.unlabelled), ..ell }.into(),
        GraphSpec::Compact(compact) => {
            Compact { semi_supervised: true, unlabelled: weight.or(compact.unlabelled), ..compact }.into()
        }
        GraphSpec::Clustered(clustered) => {
            Clustered { semi_supervised: true, unlabelled: weight.or(clustered.unlabelled), ..clustered }.into()
        }
        GraphSpec::Sum(sum) => {
            let summand = |s: Summand| Ok(Summand { graph: with_unlabelled(s.graph, weight)?, ..s });
            Sum { graphs: sum.graphs.into_iter().map(summand).collect::<Result<_>>()? }.into()
        }
        _ => {
            let reason = "only ell, clustered and compact graphs learn from samples without labels";
            return Err(Error::parameter("semi_supervised", true, reason));
        }
    })
}

/// Whether the graph leaves the weight of unlabelled samples open.
pub(super) fn weight_is_open(graph: &GraphSpec) -> bool {
    match graph {
        GraphSpec::Ell(ell) => ell.unlabelled.is_none(),
        GraphSpec::Compact(compact) => compact.unlabelled.is_none(),
        GraphSpec::Clustered(clustered) => clustered.unlabelled.is_none() && !clustered.paper_weights,
        GraphSpec::Sum(sum) => sum.graphs.iter().all(|summand| weight_is_open(&summand.graph)),
        _ => false,
    }
}

/// Whether a graph over some of the samples is the same kind of thing: not for edges between given samples, nor for
/// samples in the order of time, where others would become neighbours.
pub(super) fn is_of_labels(graph: &GraphSpec) -> bool {
    !graph.needs(Need::Order)
}

fn is_numbers(values: &LabelValues) -> bool {
    matches!(values, LabelValues::Numbers(_))
}

/// What the labels ask for: a feature per target label, or one less than there are classes.
pub(super) fn goal(graph: &TrainingGraph, labels: &Labels) -> Goal {
    let numbers = labels.columns().filter(|(_, values)| is_numbers(values)).count();
    let of_label = |values: &LabelValues| match values {
        LabelValues::Numbers(_) => 1,
        LabelValues::Classes(classes) => classes.count().saturating_sub(1),
    };
    let targets = match graph.targets() {
        Some(targets) => targets.eigenvalues.values.len(),
        None => labels.columns().map(|(_, values)| of_label(values)).sum(),
    };
    // A code that is yet to be learned has all classes as its labels, and so many features as it is told.
    let targets = graph.code().and_then(|code| code.targets).map_or(targets, |told| told.min(targets));
    Goal { labels: numbers.max(1), targets: targets.max(1) }
}
