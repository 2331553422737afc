//! Training graphs in structured form, and what can be known about them before training.

mod consistency;
mod coupling;
mod delta;
mod edge_term;
mod grouping;
mod input;
mod kinds;
mod non_negative;
mod random_walk;
mod ranks;
pub mod reference;
mod self_loops;
mod training_graph;

pub use consistency::Consistency;
pub use coupling::{Banded, Coupling, LowRank, Sparse};
pub use edge_term::EdgeTerm;
pub use grouping::Grouping;
pub use input::GraphInput;
pub use kinds::*;
pub use non_negative::SmallestEdge;
pub use random_walk::RandomWalk;
pub use training_graph::{GraphTargets, TrainingGraph};
