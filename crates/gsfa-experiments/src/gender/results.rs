//! What was found about faces.

use serde::{Deserialize, Serialize};

use super::GenderSpec;
use crate::results::{Measured, ResultTable};

/// What was found about faces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GenderResults {
    /// What was run.
    pub spec: GenderSpec,
    /// Whether the faces are real.
    pub real: bool,
    /// Training and test images.
    pub images: [usize; 2],
    /// Error of always saying the mean of the training labels.
    pub chance: ResultTable,
    /// Gender errors of graphs, a column per read-out.
    pub gender: ResultTable,
    /// Colour errors of graphs for colour.
    pub color: ResultTable,
    /// Colour errors of graphs for gender and colour.
    pub joint_color: ResultTable,
    /// Gender errors of simpler methods and of the cascade.
    pub beside: ResultTable,
    /// Powers of the gender.
    pub transforms: Vec<TransformResult>,
    /// Errors of powers in percent of the level of chance.
    pub powers: ResultTable,
    /// Seconds of training.
    pub times: ResultTable,
    /// The same of ELL graphs, in those of the serial graph.
    pub times_ratio: ResultTable,
    /// The ridge that was chosen in each run.
    pub ridge: Measured,
    /// Labels of the cascade.
    pub cascade_labels: Vec<String>,
    /// Some faces.
    pub examples: Vec<FacePicture>,
}

/// Estimates of a power of the gender in the first run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TransformResult {
    /// The power.
    pub power: u32,
    /// Gender and estimate of test faces.
    pub test: Vec<(f64, f64)>,
    /// Gender and estimate of training faces, not more than there are test faces.
    pub train: Vec<(f64, f64)>,
}

/// An image of 64×64 grey pixels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FacePicture {
    /// What it shows.
    pub name: String,
    /// 64·64 bytes.
    #[serde(skip)]
    pub pixels: Vec<u8>,
}
