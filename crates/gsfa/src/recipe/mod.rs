//! From labelled samples to a [`Model`](crate::Model) in one call: what is left open is chosen from the labels and the
//! shape of the samples, by rules that are written down.
//!
//! | left open | choice |
//! |---|---|
//! | graph | ELL for numbers, clustered (or compact, if targets are asked for) for classes; several labels share the weight |
//! | network | what errs least on left-out samples; tables, on standardised columns: linear, quadratic, quadratic on principal components, radial basis functions; images: linear, quadratic on principal components, gated cascade, cascade for several labels, hierarchy |
//! | preparation of spectra | none, SNV, first or second derivatives, or both: what errs least on left-out samples |
//! | target labels | the labels, unless left-out samples ask for auxiliary ones |
//! | ridge | of a single node, and of the top of several, what errs least on left-out samples |
//! | read-out | linear regression or soft GC, Gaussian classifier with shared or own covariances or nearest centroid: what errs less on left-out samples |
//! | weight of unlabelled samples | 0, unless left-out samples ask for more |
//!
//! Left-out samples also set deviations and probabilities: see [`Calibration`](crate::readout::Calibration).

mod choice;
mod codes;
mod design;
mod graph;
mod ladder;
mod network;
mod radial;
mod readouts;
mod ridges;
mod search;
mod selection;
mod spectra;
mod vary;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use design::{Design, TrainedModel};
pub use network::{NetworkChoice, NetworkKind};

use crate::graph::GraphSpec;
use crate::readout::{LabelClip, Readout};
pub use choice::Choice;
pub use selection::{Effort, Selection, Tried};
pub use spectra::SpectrumChoice;

/// How to train on labelled samples; everything may be left open.
///
/// ```
/// use gsfa::{Labels, Recipe};
/// use ndarray::Array2;
/// let x = Array2::from_shape_fn((40, 2), |(n, j)| if j == 0 { n as f64 } else { (n * n % 7) as f64 });
/// let labels = Labels::numbers("age", (0..40).map(|n| 20.0 + n as f64).collect());
/// let trained = Recipe::default().fit(&x, &labels)?;
/// let estimates = trained.model.estimate(&x)?;
/// assert!((estimates[0].1.numbers().unwrap()[7] - 27.0).abs() < 1.0);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Recipe {
    /// The graph; `None` for that of the labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphSpec>,
    /// Target labels, if the graph is that of the labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<usize>,
    /// Whether samples without labels may be there, in graphs of kind ELL, clustered and compact.
    pub semi_supervised: bool,
    /// The network.
    pub network: NetworkChoice,
    /// The read-out; `None` for the one that errs least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readout: Option<Readout>,
    /// Where estimates are held: a range holds for every read-out, `training` for linear regression that was left open (others
    /// never leave it, or say it themselves).
    pub clip: LabelClip,
    /// Whether samples are left out to judge read-outs, deviations and probabilities. A single node is trained again for
    /// each of some folds, a network of several nodes once, on four fifths of the samples.
    pub calibrate: bool,
    /// How much work may go into choosing what is left open.
    pub effort: Effort,
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            graph: None,
            targets: None,
            semi_supervised: false,
            network: NetworkChoice::default(),
            readout: None,
            clip: LabelClip::None,
            calibrate: true,
            effort: Effort::default(),
        }
    }
}
