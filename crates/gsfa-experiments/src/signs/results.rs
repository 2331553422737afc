//! What was found about signs.

use serde::{Deserialize, Serialize};

use super::{ChosenCode, ChosenOrder, SignsSpec};
use crate::results::ResultTable;

/// What was found about signs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignsResults {
    /// What was run.
    pub spec: SignsSpec,
    /// Whether the signs are real.
    pub real: bool,
    /// Training samples, copies included.
    pub train: usize,
    /// Test images with at most so many per class as the specification says, and all.
    pub test: [usize; 2],
    /// Names of the classes.
    pub classes: Vec<String>,
    /// Errors in percent at d = 5 and d = C − 1.
    pub summary: ResultTable,
    /// The same on all test images.
    pub summary_all: ResultTable,
    /// Errors in percent for every d by nearest centroids, a column per graph or code.
    pub curves: ResultTable,
    /// The same by Gaussian classes with a shared covariance.
    pub curves_shared: ResultTable,
    /// Errors in percent of all codes and read-outs at a few d, with what held-out tracks chose.
    pub codes: ResultTable,
    /// The same on all test images.
    pub codes_all: ResultTable,
    /// How many percent more the pairwise code errs than binary ones, each as held-out tracks chose.
    pub paired: ResultTable,
    /// What held-out tracks chose in the first run: code, and settings for each d.
    pub chosen_codes: Vec<(String, Vec<ChosenCode>)>,
    /// Errors in percent for class orders.
    pub orders: ResultTable,
    /// The class order chosen in each run.
    pub chosen: Vec<ChosenOrder>,
    /// How many estimates of compact+(C − 1) and clustered differ at d = C − 1, summed over runs.
    pub different_estimates: usize,
    /// Test images by true class (row) and estimated class, with all features, summed over runs.
    pub confusion: Vec<Vec<f64>>,
    /// Maps of test images by two features, of the first run.
    pub maps: Vec<SignMap>,
    /// A test image of each class.
    pub examples: Vec<FeaturePicture>,
    /// The first features of the graphs as images.
    pub features: Vec<(String, Vec<FeaturePicture>)>,
    /// Seconds of the parts of a run, a row each.
    pub times: ResultTable,
}

/// Test images by two features.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignMap {
    /// The code.
    pub name: String,
    /// Error in percent with these two features, by nearest centroids.
    pub error: f64,
    /// The class of some images and where they lie.
    #[serde(skip)]
    pub points: Vec<(usize, (f64, f64))>,
}

/// An image of 48×48 RGB pixels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeaturePicture {
    /// What it shows.
    pub name: String,
    /// 48·48·3 bytes.
    #[serde(skip)]
    pub pixels: Vec<u8>,
}
