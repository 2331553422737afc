//! Sums without each fold, shared by candidates that differ in code, number of features or ridge.

use std::sync::{Mutex, PoisonError};

use super::Candidate;
use crate::Result;
use crate::graph::{Clustered, GraphSpec, TrainingGraph};
use crate::network::{Network, NetworkSpec, Summed};
use crate::samples::Samples;

/// Bytes of sums that are kept, at most; the oldest go first.
const MOST_BYTES: usize = 1 << 29;

/// Sums of networks of one node on graphs over classes, without each of the folds.
#[derive(Default)]
pub(crate) struct SharedSums(Mutex<Vec<Kept>>);

/// The sums of a network without a fold.
struct Kept {
    network: NetworkSpec,
    /// The classes that they are of, and how they are weighed.
    classes: GraphSpec,
    fold: usize,
    sums: Summed,
}

impl SharedSums {
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The candidate's network without a fold, from sums that are there or are made now; nothing if sums do not serve.
    pub fn network(
        &self,
        candidate: &Candidate<'_>,
        fold: usize,
        samples: &dyn Samples,
        graph: &TrainingGraph,
    ) -> Result<Option<Network>> {
        let (Some(classes), Some(network)) = (classes_of(candidate.graph), candidate.network.of_same_sums()) else {
            return Ok(None);
        };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|kept| kept.fold == fold && kept.classes == classes && kept.network == network);
        if let Some(place) = known {
            return all[place].sums.solved(candidate.network, graph).transpose();
        }
        let sums = candidate.network.sums_of_one_node(samples, graph)?;
        let own = sums.solved_as_summed(candidate.network)?;
        if sums.serve_others() {
            all.push(Kept { network, classes, fold, sums });
            while all.len() > 1 && all.iter().map(|kept| kept.sums.bytes()).sum::<usize>() > MOST_BYTES {
                all.remove(0);
            }
        }
        Ok(Some(own))
    }
}

/// The classes of a graph whose edges follow from sums by class, whatever its code.
fn classes_of(graph: &GraphSpec) -> Option<GraphSpec> {
    let (label, balance) = match graph {
        GraphSpec::Clustered(graph) if !graph.semi_supervised && !graph.paper_weights => (&graph.label, graph.balance),
        // Another order of the classes is another order of the sums.
        GraphSpec::Compact(graph) if !graph.semi_supervised && graph.class_order.is_empty() => {
            (&graph.label, graph.balance)
        }
        _ => return None,
    };
    Some(Clustered { label: label.clone(), balance, ..Clustered::default() }.into())
}
