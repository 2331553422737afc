//! Flags of commands that look at a model, a graph or the settings.

use std::path::PathBuf;

use clap::Args;

use super::data::DataArgs;
use super::files::{ConfigArgs, OutputArgs};
use super::training::LearnArgs;

#[derive(Debug, Args)]
pub struct PredictArgs {
    #[command(flatten)]
    pub apply: ApplyArgs,
    /// Probabilities of the bins of numeric labels, too
    #[arg(long)]
    pub probabilities: bool,
}

/// A model and the samples it is applied to.
#[derive(Debug, Args)]
pub struct ApplyArgs {
    /// The model file
    pub model: PathBuf,
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct EvaluateArgs {
    /// The model file
    pub model: PathBuf,
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// A column of sample weights, beside the labels, by which errors are weighed; balanced weighs all classes alike
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// Show the confusion matrix of classes
    #[arg(long)]
    pub confusion: bool,
}

#[derive(Debug, Args)]
pub struct InspectArgs {
    /// The model file
    pub model: PathBuf,
    /// Show the header of a damaged file; the arrays are not looked at
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct GraphCommand {
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub learn: LearnArgs,
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    /// How many free responses to compute
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub responses: usize,
    /// Write edge weights (Matrix Market), responses, labels and delta values as files into this folder
    #[arg(long, value_name = "FOLDER")]
    pub export: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct SettingsArgs {
    /// Only those whose name begins so, e.g. graph or graph.serial
    pub name: Option<String>,
}
