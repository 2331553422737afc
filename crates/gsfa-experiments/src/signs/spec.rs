//! What the experiment on signs is made of.

use gsfa_data::distort::Distortion;
use gsfa_data::pixels::Preparation;
use serde::{Deserialize, Serialize};

/// The experiment on signs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignsSpec {
    /// Repetitions.
    pub runs: usize,
    /// How many classes: those with the most training images.
    pub classes: usize,
    /// Generated signs.
    pub tracks: Tracks,
    /// Training images per class, distorted copies in turn; if left out every image once, classes balanced by weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_class: Option<usize>,
    /// Ranges of the distortion of training images.
    pub distortion: Distortion,
    /// Preparation of pixels.
    #[serde(alias = "recipe")]
    pub preparation: NamedPreparation,
    /// Principal components before the quadratic expansion.
    pub components: usize,
    /// Training images, at random, from which they are found.
    pub pca_images: usize,
    /// The fewest and the most features given to the classifier.
    pub features: [usize; 2],
    /// Test images per class at most, in their order.
    pub test_limit: usize,
    /// Random class orders over which errors are averaged.
    pub random_orders: usize,
    /// Scales of the distances between classes that learned codes are tried with; held-out tracks choose, or the first is
    /// taken.
    pub code_scales: Vec<f64>,
    /// Choose a class order, scales of codes and read-outs on held-out tracks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order_search: Option<OrderSearch>,
    /// Whether compact+5 is trained once more by itself, for its features beyond the fifth.
    #[serde(default)]
    pub surplus: bool,
}

/// How many signs are generated per class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tracks {
    /// Training tracks.
    pub train: usize,
    /// Test tracks.
    pub test: usize,
    /// Frames of a track.
    pub frames: usize,
}

/// How a class order is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderSearch {
    /// Share of the training tracks that judge an order.
    pub held_out: f64,
    /// Orders that are tried.
    pub trials: usize,
}

/// A named preparation of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NamedPreparation {
    /// The one with the lowest errors on held-out tracks.
    Best,
    /// Close to what the authors' later program does.
    AuthorLike,
}

impl NamedPreparation {
    pub(super) fn steps(self) -> Preparation {
        match self {
            Self::Best => Preparation::signs(),
            Self::AuthorLike => Preparation::signs_author_like(),
        }
    }

    /// Its name in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Best => "the preparation chosen on held-out tracks",
            Self::AuthorLike => "close to the authors' later program",
        }
    }
}
