//! What the experiment on faces is made of.

use serde::{Deserialize, Serialize};

/// The experiment on faces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenderSpec {
    /// Repetitions.
    pub runs: usize,
    /// Training images for each gender value.
    pub train_per_value: usize,
    /// Test images for each gender value.
    pub test_per_value: usize,
    /// Numbers of target labels of graphs for gender.
    pub gender_targets: Vec<usize>,
    /// Those of them that are trained once more with arbitrary directions as surplus outputs of every node.
    #[serde(default)]
    pub arbitrary_surplus: Vec<usize>,
    /// Numbers of target labels of graphs for colour.
    pub color_targets: Vec<usize>,
    /// Numbers of target labels, for each of the two, of graphs for gender and colour.
    pub joint_targets: Vec<usize>,
    /// Groups of the serial graph.
    pub groups: usize,
    /// Powers of the gender to learn, 1 to 3.
    pub powers: Vec<u32>,
    /// Target labels of their graphs.
    pub power_targets: usize,
    /// Principal components before the quadratic layer of the network for ℓ³, where there are few faces; the paper has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power_components: Option<usize>,
    /// Ridge regression on pixels.
    pub ridge: RidgeSpec,
    /// Principal components before linear discriminant analysis.
    pub lda_components: usize,
    /// A cascade for all labels, if wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cascade: Option<CascadeSpec>,
}

/// How the ridge is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RidgeSpec {
    /// Shares of the pixels' mean variance; a single one is taken as it is.
    pub candidates: Vec<f64>,
    /// Parts of cross-validation.
    pub folds: usize,
}

/// A cascade of linear nodes that sees the pixels again at each node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CascadeSpec {
    /// How many nodes; each number up to it is shown.
    pub nodes: usize,
    /// Ridge of the first node.
    pub first_ridge: f64,
    /// Ridge of further nodes.
    pub ridge: f64,
    /// Factor of polynomials of the features below beside the pixels.
    pub feature_scale: f64,
    /// Importance of the labels.
    pub eigenvalues: ProductEigenvalues,
    /// What is left out, one thing at a time.
    #[serde(default)]
    pub ablation: Vec<Ablation>,
}

/// Eigenvalues of labels and of auxiliary labels made from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductEigenvalues {
    /// Of the original labels, in their order.
    pub originals: Vec<f64>,
    /// Of the first and the last auxiliary label; linear between.
    pub products: [f64; 2],
}

/// What a cascade can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ablation {
    /// The original labels alone.
    NoProducts,
    /// Further nodes see the features below alone.
    NoSkip,
    /// A hundredth of the ridge.
    LittleRidge,
    /// Gender and colour alone, with products and cosines.
    GenderAndColor,
}

impl Ablation {
    /// Its name in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoProducts => "labels without products",
            Self::NoSkip => "without the pixels at further nodes",
            Self::LittleRidge => "ridge ÷ 100",
            Self::GenderAndColor => "gender and colour only, ELL-9",
        }
    }
}
