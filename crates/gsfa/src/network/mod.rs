//! Hierarchical and cascaded GSFA: layers of nodes over receptive fields.
//!
//! A [`NetworkSpec`] says what a network is made of, [`NetworkSpec::plan`] shows its architecture table before anything
//! is trained, [`NetworkSpec::fit`] trains it layer by layer, nodes in parallel, and [`Network::apply`] maps samples to
//! the slow features of its top.
#![doc = ""]
#![doc = include_str!("../../docs/networks.md")]

mod auto;
mod candidates;
mod faults;
mod fields;
mod gate;
mod geometry;
mod higsfa;
mod inverse;
mod node;
mod node_sums;
mod open;
mod pass_sums;
mod pca;
mod plan;
mod prepared;
mod presets;
mod ready;
mod ridge;
mod shared;
mod spec;
mod stacked;
mod statistics;
mod summed;
mod train;
mod trainer;

pub use auto::Goal;
pub use gate::{Gate, GateComponents};
pub(crate) use geometry::LayerGeometry;
pub use inverse::Reconstruction;
pub use node::Node;
pub use pass_sums::PassSums;
pub use pca::{Pca, Scaling};
pub use plan::{LayerPlan, NetworkPlan};
pub use ready::ReadyNetwork;
pub(crate) use ridge::Below;
pub use spec::{InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
pub(crate) use summed::Summed;
pub(crate) use train::weighing;
pub use train::{Network, Progress, ProgressEvent, Trained};
pub use trainer::{Piece, Trainer};
