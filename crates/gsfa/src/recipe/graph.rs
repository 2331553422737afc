//! The graph of the labels, and what it asks of a network.

use super::Recipe;
use crate::graph::{Clustered, Compact, Ell, GraphSpec, Sum, Summand, TrainingGraph};
use crate::labels::{LabelValues, Labels};
use crate::network::Goal;
use crate::{Error, Result};

impl Recipe {
    /// The graph asked for, or the one that suits the labels: numbers are learned exactly, classes are clustered, and
    /// several labels share the weight.
    ///
    /// # Errors
    /// [`Error::Parameter`] if there are no labels.
    pub fn graph(&self, labels: &Labels) -> Result<GraphSpec> {
        if let Some(graph) = &self.graph {
            return Ok(graph.clone());
        }
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
    Goal { labels: numbers.max(1), targets: targets.max(1) }
}
