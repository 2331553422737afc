//! A code of classes that is still to be learned.

use ndarray::Array2;

use crate::labels::LearnedCode;

/// What a graph over classes asks of every node that is trained with it: learn a code from its own class means. The graph
/// itself is that of all C − 1 labels, which holds all that any code needs.
#[derive(Debug, Clone, PartialEq)]
pub struct CodeToLearn {
    /// How.
    pub code: LearnedCode,
    /// How many features it codes the classes in; as many as the node has outputs if `None`.
    pub targets: Option<usize>,
    /// The labels of the graph: one row per class.
    pub(crate) labels: Array2<f64>,
    /// The weight of each class.
    pub(crate) class_weights: Vec<f64>,
}
