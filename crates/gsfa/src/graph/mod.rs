//! Training graphs in structured form, and what can be known about them before training.

mod coupling;
mod edge_term;
mod grouping;
mod training_graph;

pub use coupling::{Banded, Coupling, LowRank, Sparse};
pub use edge_term::EdgeTerm;
pub use grouping::Grouping;
pub use training_graph::TrainingGraph;
