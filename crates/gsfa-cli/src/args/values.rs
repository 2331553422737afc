//! Words that flags take, and what they stand for.

use clap::ValueEnum;
use gsfa::readout::LabelClip;
use gsfa::recipe::Effort;
use gsfa_data::gtsrb::Part;
use gsfa_data::table::{Categories, Missing, Unmatched};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Drawing {
    Faces,
    Signs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EffortKind {
    Quick,
    Normal,
    Thorough,
}

impl From<EffortKind> for Effort {
    fn from(kind: EffortKind) -> Self {
        match kind {
            EffortKind::Quick => Self::Quick,
            EffortKind::Normal => Self::Normal,
            EffortKind::Thorough => Self::Thorough,
        }
    }
}

/// What becomes of missing or non-finite values of samples; the same words as a flag and as a setting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum MissingValues {
    /// They are an error.
    #[default]
    Error,
    /// Their samples are left out.
    Drop,
    /// The mean of their column stands in, that of training for a model.
    Impute,
}

impl From<MissingValues> for Missing {
    fn from(policy: MissingValues) -> Self {
        match policy {
            MissingValues::Error => Self::Error,
            MissingValues::Drop => Self::Drop,
            MissingValues::Impute => Self::Impute,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MissingLabelsArg {
    Error,
    Drop,
    /// The mean of the label, for numbers
    Impute,
    /// Learn from unlabelled samples, too (semi-supervised; ell, clustered and compact graphs)
    Keep,
}

impl From<MissingLabelsArg> for Missing {
    fn from(arg: MissingLabelsArg) -> Self {
        match arg {
            MissingLabelsArg::Error => Self::Error,
            MissingLabelsArg::Drop => Self::Drop,
            MissingLabelsArg::Impute => Self::Impute,
            MissingLabelsArg::Keep => Self::Keep,
        }
    }
}

/// What stands for weights that make all classes weigh the same.
pub const BALANCED: &str = "balanced";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CategoriesArg {
    Error,
    #[value(alias = "one_hot")]
    OneHot,
}

impl From<CategoriesArg> for Categories {
    fn from(arg: CategoriesArg) -> Self {
        match arg {
            CategoriesArg::Error => Self::Error,
            CategoriesArg::OneHot => Self::OneHot,
        }
    }
}

/// Height, width and channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageShapeArg(pub Vec<usize>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UnmatchedArg {
    Error,
    Drop,
}

impl From<UnmatchedArg> for Unmatched {
    fn from(arg: UnmatchedArg) -> Self {
        match arg {
            UnmatchedArg::Error => Self::Error,
            UnmatchedArg::Drop => Self::Drop,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PartArg {
    Training,
    Test,
}

impl From<PartArg> for Part {
    fn from(arg: PartArg) -> Self {
        match arg {
            PartArg::Training => Self::Training,
            PartArg::Test => Self::Test,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PreparationArg {
    None,
    Faces,
    Signs,
    #[value(alias = "signs_author_like")]
    SignsAuthorLike,
    #[value(alias = "signs_gradients")]
    SignsGradients,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SolverKind {
    Covariance,
    Svd,
}

impl From<SolverKind> for gsfa::Solver {
    fn from(arg: SolverKind) -> Self {
        match arg {
            SolverKind::Covariance => Self::Covariance,
            SolverKind::Svd => Self::Svd,
        }
    }
}

pub(super) fn parse_clip(text: &str) -> Result<LabelClip, String> {
    let range = || {
        let (low, high) = text.split_once(',')?;
        let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (low.is_finite() && high.is_finite() && low < high).then_some(LabelClip::Range(low, high))
    };
    match text {
        "none" => Ok(LabelClip::None),
        "training" => Ok(LabelClip::Training),
        _ => range().ok_or_else(|| "none, training, or two ascending numbers, e.g. 0,120".to_string()),
    }
}

pub(super) fn parse_number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "a number is needed".to_string())
}

pub(super) fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let parts: Option<(usize, usize)> =
        text.split_once('x').and_then(|(h, w)| Some((h.trim().parse().ok()?, w.trim().parse().ok()?)));
    parts.filter(|(h, w)| *h > 0 && *w > 0).ok_or_else(|| "two numbers are needed, e.g. 64x64".to_string())
}

pub(super) fn parse_image_shape(text: &str) -> Result<ImageShapeArg, String> {
    let sides: Option<Vec<usize>> = text.split('x').map(|side| side.trim().parse().ok()).collect();
    let sides = sides.filter(|sides| matches!(sides.len(), 2 | 3) && sides.iter().all(|&side| side > 0));
    sides.map(ImageShapeArg).ok_or_else(|| "two or three numbers are needed, e.g. 8x8 or 8x8x3".to_string())
}

pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&threads| threads > 0).ok_or_else(|| "a whole number from 1 on is needed".to_string())
}

/// The most images that are drawn at once: what memory holds of them.
const MOST_IMAGES: usize = 1_000_000;

pub(super) fn parse_count(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=MOST_IMAGES).contains(count));
    count.ok_or_else(|| format!("a whole number from 1 to {MOST_IMAGES} is needed"))
}
