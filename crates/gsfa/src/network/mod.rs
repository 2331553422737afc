//! Hierarchical and cascaded GSFA: layers of nodes over receptive fields.
//!
//! A [`NetworkSpec`] says what a network is made of, [`NetworkSpec::plan`] shows its architecture table before anything
//! is trained, [`NetworkSpec::fit`] trains it layer by layer, nodes in parallel, and [`Network::apply`] maps samples to
//! the slow features of its top.

mod faults;
mod geometry;
mod node;
mod pca;
mod plan;
mod prepared;
mod presets;
mod spec;
mod statistics;
mod train;

pub use node::Node;
pub use pca::Pca;
pub use plan::{LayerPlan, NetworkPlan};
pub use spec::{InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
pub use train::{Network, Progress, ProgressEvent, Trained};
