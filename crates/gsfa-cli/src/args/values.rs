//! Words that flags take, and what they stand for.

use clap::ValueEnum;
use gsfa_data::gtsrb::Part;
use gsfa_data::table::{Missing, Unmatched};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Drawing {
    Faces,
    Signs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MissingArg {
    Error,
    Drop,
    Impute,
}

impl From<MissingArg> for Missing {
    fn from(arg: MissingArg) -> Self {
        match arg {
            MissingArg::Error => Self::Error,
            MissingArg::Drop => Self::Drop,
            MissingArg::Impute => Self::Impute,
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
pub enum RecipeArg {
    None,
    Faces,
    Signs,
    SignsAuthorLike,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GraphKind {
    Chain,
    Reordering,
    Serial,
    Mixed,
    SlidingWindow,
    Clustered,
    Ell,
    Compact,
    NearestNeighbors,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReadoutKind {
    LinearScaling,
    LinearRegression,
    #[value(alias = "gaussian-classifier")]
    Gaussian,
    SoftGc,
    NearestCentroid,
    NearestNeighbors,
}
