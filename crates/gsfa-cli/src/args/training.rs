//! Flags of what is learned, and how.

use std::path::PathBuf;

use clap::Args;
use gsfa::readout::LabelClip;

use super::data::DataArgs;
use super::files::{ConfigArgs, OutputArgs};
use super::graph::GraphArgs;
use super::readout::readout_parser;
use super::task::Task;
use super::values::{EffortKind, PreparationArg, SolverKind, parse_clip, parse_number, parse_size};

#[derive(Debug, Args)]
pub struct TrainCommand {
    #[command(flatten)]
    pub train: TrainArgs,
    #[command(flatten)]
    pub validation: ValidationArgs,
}

#[derive(Debug, Args)]
pub struct SelectArgs {
    #[command(flatten)]
    pub train: TrainArgs,
    #[command(flatten)]
    pub group: GroupArgs,
}

#[derive(Debug, Args)]
pub struct MapArgs {
    #[command(flatten)]
    pub train: TrainArgs,
    #[command(flatten)]
    pub validation: ValidationArgs,
    /// Samples of unknown classes, to be drawn on top
    #[arg(long, value_name = "PATH")]
    pub new: Option<PathBuf>,
}

/// Errors on samples that were not learned.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Validation")]
pub struct ValidationArgs {
    /// Hold out a share of the samples: they are not learned, and their error is shown
    #[arg(long, value_name = "SHARE", conflicts_with = "folds", value_parser = parse_number)]
    pub holdout: Option<f64>,
    /// Cross-validation: show the error over K parts of the samples, each estimated by a model of the others; the model that is
    /// saved learns from all
    #[arg(long, value_name = "K")]
    pub folds: Option<usize>,
    #[command(flatten)]
    pub group: GroupArgs,
    /// Split the samples of each value of the first label alike, as is always done for classes
    #[arg(long)]
    pub by_value: bool,
}

/// Which samples belong together.
#[derive(Debug, Clone, Default, Args)]
pub struct GroupArgs {
    /// Keep samples with the same value of this column on one side (people, tracks) wherever samples are left out, to choose or to
    /// measure; in the GTSRB folder always the tracks
    #[arg(long, value_name = "COLUMN", help_heading = "Validation")]
    pub group: Option<String>,
}

/// What is learned, and how.
#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(flatten)]
    pub data: DataArgs,
    #[command(flatten)]
    pub learn: LearnArgs,
    #[command(flatten)]
    pub pixels: PixelArgs,
    #[command(flatten)]
    pub network: NetworkArgs,
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Labels and the graph made of them.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Labels and graph")]
pub struct LearnArgs {
    /// The label columns to learn, separated by commas
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub learn: Option<Vec<String>>,
    /// A column of sample weights, beside the labels; samples of weight 0 are left out. balanced weighs all classes alike
    #[arg(long, value_name = "COLUMN")]
    pub weights: Option<String>,
    /// What labels are: numbers, classes, or a kind per label as in age=numbers,gender=classes [default: text, booleans,
    /// class folders and at most ten whole numbers, each frequent, are classes; all else is numbers]
    #[arg(long, value_name = "KINDS")]
    pub task: Option<Task>,
    #[command(flatten)]
    pub graph: GraphArgs,
}

/// Pixel preparation.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Images")]
pub struct PixelArgs {
    /// A named preparation [default: none; signs for GTSRB]
    #[arg(long, alias = "recipe", value_enum)]
    pub preparation: Option<PreparationArg>,
    /// Make images grey
    #[arg(long)]
    pub grey: bool,
    /// Make all images this size
    #[arg(long, value_name = "HEIGHTxWIDTH", value_parser = parse_size)]
    pub resize: Option<(usize, usize)>,
    /// Give all images this mean intensity
    #[arg(long, value_name = "MEAN", value_parser = parse_number)]
    pub mean_intensity: Option<f64>,
    /// Add the directions of edges in cells of so many pixels a side to the pixels
    #[arg(long, value_name = "CELL")]
    pub gradients: Option<usize>,
    /// Train on N randomly distorted copies per class
    #[arg(long, value_name = "N")]
    pub copies: Option<usize>,
    /// Train on N randomly distorted copies of each image, whatever its labels are
    #[arg(long, value_name = "N", conflicts_with = "copies")]
    pub copies_per_image: Option<usize>,
}

/// Network and read-out.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Network and read-out")]
pub struct NetworkArgs {
    /// auto, linear, quadratic, cascade, paper-64, higsfa, shared, or a TOML file with a network [default: auto]
    #[arg(long, value_name = "NETWORK")]
    pub network: Option<PathBuf>,
    /// Slow features of the top node [default: as many as the graph has targets]
    #[arg(long, value_name = "J")]
    pub features: Option<usize>,
    /// Principal components before the expansion of a quadratic network
    #[arg(long, value_name = "N")]
    pub pca: Option<usize>,
    /// Scale columns to unit variance first [default: auto does for tables of up to 4,096 columns, named networks do not]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub standardize: Option<bool>,
    /// Columns are spectra with equal distances: they may be freed of their own mean and deviation (SNV) and derived first,
    /// what errs least on left-out samples [--set network.spectrum.derivative=1 and others fix a part]
    #[arg(long)]
    pub spectrum: bool,
    /// Ridge of the nodes, a share of their inputs' mean variance [default: what errs least on left-out samples for auto, linear
    /// and quadratic; paper-64, higsfa, shared, cascade and written-out layers have their own]
    #[arg(long, value_name = "SHARE", value_parser = parse_number)]
    pub ridge: Option<f64>,
    /// From what nodes solve their features: covariance, or svd, which keeps all samples in memory and all of their digits, for
    /// inputs that all but depend on each other [default: covariance]
    #[arg(long, value_enum)]
    pub solver: Option<SolverKind>,
    /// The read-out [default: linear-regression or soft-gc for numbers, gaussian (shared or own covariances) or nearest-centroid
    /// for classes: what errs least on left-out samples]
    #[arg(long, value_name = "READOUT", value_parser = readout_parser())]
    pub readout: Option<String>,
    /// Features the read-out uses [default: all]
    #[arg(long, value_name = "D")]
    pub readout_features: Option<usize>,
    /// Hold estimates of numbers, whichever the read-out: nowhere (none), within the labels of training (training), or within a
    /// range like 0,120 [default: none; training for linear read-outs that are named]
    #[arg(long, value_name = "RANGE", value_parser = parse_clip, allow_hyphen_values = true)]
    pub clip: Option<LabelClip>,
    /// Judge nothing by left-out samples: the network is the simplest candidate, the read-out the first that fits, deviations and
    /// probabilities are those of training samples. The ridge of a single node is still what sums over folds say
    #[arg(long)]
    pub no_calibrate: bool,
    /// How much work goes into choosing what is left open: the two cheapest candidates (quick), those of up to ten times the work
    /// of the cheapest good one (normal), or all (thorough) [default: normal]
    #[arg(long, value_enum)]
    pub effort: Option<EffortKind>,
}
