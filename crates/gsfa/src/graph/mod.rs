//! Training graphs in structured form, and what can be known about them before training.

mod adjacency;
mod components;
mod coupling;
mod edge_term;
mod free_responses;
mod grouping;
mod quotient;
mod training_graph;

pub use components::Components;
pub use coupling::{Banded, Coupling, LowRank, Sparse};
pub use edge_term::EdgeTerm;
pub use free_responses::{FreeResponseMethod, FreeResponseOptions, FreeResponses};
pub use grouping::Grouping;
pub use training_graph::TrainingGraph;
