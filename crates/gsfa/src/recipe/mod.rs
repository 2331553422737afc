//! From labelled samples to a [`Model`](crate::Model) in one call: what is left open is chosen from the labels and the
//! shape of the samples, by rules that are written down.
//!
//! | left open | choice |
//! |---|---|
//! | graph | ELL for numbers, clustered (or compact, if targets are asked for) for classes; several labels share the weight |
//! | network | [`NetworkSpec::auto`](crate::network::NetworkSpec::auto), with ridge by cross-validation where that is cheap |
//! | read-out | soft GC or linear regression, Gaussian classifier or nearest centroid: what errs less on samples it was not fitted to |

mod design;
mod graph;
mod network;
mod readouts;

use serde::{Deserialize, Serialize};

pub use design::{Design, TrainedModel};
pub use network::{NetworkChoice, NetworkKind};

use crate::graph::GraphSpec;
use crate::readout::Readout;

/// How to train on labelled samples; everything may be left open.
///
/// ```
/// use std::ops::ControlFlow;
/// use gsfa::graph::GraphInput;
/// use gsfa::labels::Labels;
/// use gsfa::network::InputShape;
/// use gsfa::recipe::Recipe;
/// use ndarray::Array2;
/// let x = Array2::from_shape_fn((40, 2), |(n, j)| if j == 0 { n as f64 } else { (n * n % 7) as f64 });
/// let labels = Labels::numbers("age", (0..40).map(|n| 20.0 + n as f64).collect());
/// let input = GraphInput::new(&labels);
/// let recipe = Recipe::default();
/// let trained = recipe.design(&input, InputShape::vector(2))?.train(&x.view(), &|_| ControlFlow::Continue(()))?;
/// let estimates = trained.model.estimate(&x.view())?;
/// assert!((estimates[0].1.numbers().unwrap()[7] - 27.0).abs() < 1.0);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Recipe {
    /// The graph; `None` for that of the labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphSpec>,
    /// Target labels, if the graph is that of the labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<usize>,
    /// The network.
    pub network: NetworkChoice,
    /// The read-out; `None` for the one that errs least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readout: Option<Readout>,
}
