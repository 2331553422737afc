//! Training graphs in structured form, and what can be known about them before training.
//!
//! A [`GraphSpec`] says which graph, [`GraphSpec::build`] makes a [`TrainingGraph`] of the labels and weights of all
//! samples. A graph can tell its consistency, components, smallest edge, delta values of given features and, foremost,
//! its optimal free responses: the slowest features there could be.

mod adjacency;
mod code;
mod codes;
mod components;
mod consistency;
mod coupling;
mod delta;
mod edge_term;
mod edge_weights;
mod free_responses;
mod from_responses;
mod grouping;
mod input;
mod kinds;
mod noise;
mod non_negative;
pub(crate) mod print;
mod quotient;
mod random_walk;
mod ranks;
pub mod reference;
mod self_loops;
mod target_labels;
pub(crate) mod training_graph;

pub use code::CodeToLearn;
pub use components::Components;
pub use consistency::Consistency;
pub use coupling::{Banded, Coupling, LowRank, Sparse};
pub use edge_term::EdgeTerm;
pub use free_responses::{FreeResponseMethod, FreeResponseOptions, FreeResponses};
pub use grouping::Grouping;
pub use input::GraphInput;
pub use kinds::*;
pub use non_negative::SmallestEdge;
pub use print::GraphPrint;
pub use random_walk::RandomWalk;
pub use training_graph::{GraphTargets, TrainingGraph};
