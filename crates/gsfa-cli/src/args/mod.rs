//! The command line: every command and flag, with an example each.

mod graph;
mod readout;
mod reproduce;
mod task;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use gsfa::readout::LabelClip;

pub use graph::{GraphArgs, flag_case, flag_name};
use readout::readout_parser;
pub use reproduce::{Experiment, ReproduceArgs};
pub use task::Task;
pub use values::{
    BALANCED, CategoriesArg, Drawing, EffortKind, ImageShapeArg, MissingArg, MissingLabelsArg, PartArg, PreparationArg,
    SolverKind, UnmatchedArg,
};
use values::{parse_clip, parse_count, parse_image_shape, parse_size, parse_threads};

/// Supervised slow feature analysis: from a folder of images or a table, and labels, to a model, estimates and errors.
///
/// Results go to stdout, messages to stderr. Exit codes: 0 fine, 2 usage, 3 bad data, 4 bad model file, 5 input or output
/// failed, 130 interrupted.
///
/// The environment variable GSFA_VECTORS limits vector instructions: avx512, avx2 or portable.
#[derive(Debug, Parser)]
#[command(name = "gsfa", version, max_term_width = 110)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Command,
}

/// Flags of all commands.
#[derive(Debug, Args)]
pub struct Global {
    /// Print the result as one JSON object (docs/json.md)
    #[arg(long, global = true)]
    pub json: bool,
    /// No notes and no progress; errors are still reported
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Threads to use; all cores by default. Results do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = parse_threads)]
    pub threads: Option<usize>,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the graph, the network with its sizes, and the memory and work of a training, without training
    #[command(after_help = "Example: gsfa plan --data images/ --labels y.csv --learn age --network paper-64")]
    Plan(TrainArgs),
    /// Choose what is left open by left-out samples and show what was tried, without training the final model; -o draws it
    #[command(after_help = "Example: gsfa select --data images/ --labels y.csv --learn age -o tried.svg")]
    Select(TrainArgs),
    /// Train a network and a read-out, and save them as one model file
    #[command(after_help = "Examples:
  gsfa train --data images/ --labels y.csv --learn age -o m.gsfa
  gsfa train --data table.csv --learn species --folds 5 -o m.gsfa
  gsfa train --data x.npy --labels y.csv --learn age --graph ell --targets 10 --readout soft-gc -o m.gsfa")]
    Train(TrainCommand),
    /// Estimate the labels of samples
    #[command(after_help = "Example: gsfa predict m.gsfa --data new/ -o estimates.csv")]
    Predict(PredictArgs),
    /// Compute the slow features of samples
    #[command(after_help = "Example: gsfa transform m.gsfa --data new/ -o features.npy")]
    Transform(ApplyArgs),
    /// Tell inputs from the features of a network that keeps information: errors for each layer, and pictures
    #[command(after_help = "Example: gsfa reconstruct m.gsfa --data new/ -o kept.svg")]
    Reconstruct(ApplyArgs),
    /// Draw classes by two learned features, with the error of left-out samples, beside discriminant analysis
    #[command(after_help = "Examples:
  gsfa map --data table.csv --learn species -o map.svg
  gsfa map --data table.csv --learn species --new more.csv --effort quick -o map.svg")]
    Map(MapArgs),
    /// Compare estimates with known labels: an error table with the level of chance
    #[command(after_help = "Example: gsfa evaluate m.gsfa --data test/ --labels t.csv")]
    Evaluate(EvaluateArgs),
    /// Show what a model file holds: network, delta values and correlations per layer, labels
    #[command(after_help = "Example: gsfa inspect m.gsfa")]
    Inspect(InspectArgs),
    /// Analyse a training graph: size, consistency, components, delta values of its free responses
    #[command(after_help = "Example: gsfa graph --labels y.csv --learn age --graph serial --groups 30 -o g.svg")]
    Graph(GraphCommand),
    /// Shards, step 1: labels and settings of all samples into a job file
    #[command(after_help = "Example: gsfa prepare --labels y.csv --learn age --data part0.npy -o age.job")]
    Prepare(TrainArgs),
    /// Shards, step 2: the sums over one shard into a moments file, on any machine and in any order
    #[command(after_help = "Example: gsfa accumulate age.job part1.npy --first-row 1000 -o part1.moments")]
    Accumulate(AccumulateArgs),
    /// Shards, step 3: add the sums of several shards; a shard must not come twice
    #[command(after_help = "Example: gsfa merge age.job part0.moments part1.moments -o all.moments")]
    Merge(MergeArgs),
    /// Shards, between the passes of networks that take several: learn from the sums, for the next pass to start from
    #[command(after_help = "Example: gsfa advance age.job all.moments -o age.state")]
    Advance(AdvanceArgs),
    /// Shards, step 4: solve for the slow features; with the shards once more, fit the read-out, too
    #[command(after_help = "Example: gsfa solve age.job all.moments --shards part0.npy part1.npy -o m.gsfa")]
    Solve(SolveArgs),
    /// Draw faces or traffic signs to try things out: train/ and test/ with images and labels.csv
    #[command(after_help = "Example: gsfa generate faces -o faces/ --count 2400")]
    Generate(GenerateArgs),
    /// Run the paper's experiments and write a page with the results beside the paper's
    #[command(after_help = "Examples:
  gsfa reproduce
  gsfa reproduce signs --full --data GTSRB/ -o signs-report/")]
    Reproduce(ReproduceArgs),
    /// List all settings: names, values, defaults and what they mean
    #[command(after_help = "Examples:
  gsfa settings
  gsfa settings graph.serial")]
    Settings(SettingsArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Example: gsfa completions bash > ~/.local/share/bash-completion/completions/gsfa")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Where samples are and how they are read.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Data")]
pub struct DataArgs {
    /// Samples: a folder of images, the GTSRB folder, .npy, .npz or a CSV table; - reads a CSV table from standard input
    #[arg(long, short, value_name = "PATH")]
    pub data: Option<PathBuf>,
    /// Labels: a CSV table (for images with a column of file names), .npy or .npz; by default the data itself
    #[arg(long, short, value_name = "PATH")]
    pub labels: Option<PathBuf>,
    /// The array of an .npz file to read
    #[arg(long, value_name = "NAME")]
    pub array: Option<String>,
    /// The column of file names in the labels [default: file, filename, path, image or name]
    #[arg(long, value_name = "COLUMN")]
    pub file_column: Option<String>,
    /// Table columns to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub ignore: Option<Vec<String>>,
    /// Table columns that are the samples [default: all without another role]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// What becomes of table columns that hold words: one-hot makes an input of 0 and 1 for each word, and days since 1970-01-01
    /// of dates; a model does what its training did [default: error]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub categories: Option<CategoriesArg>,
    /// The columns of a table or array are the pixels of images, row by row, channels innermost
    #[arg(long, value_name = "HEIGHTxWIDTH[xCHANNELS]", value_parser = parse_image_shape)]
    pub image_shape: Option<ImageShapeArg>,
    /// What becomes of missing or non-finite values of samples; a model imputes the means of its training [default: error]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub missing: Option<MissingArg>,
    /// What becomes of samples without label; keep learns from them, too (semi-supervised) [default: error]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub missing_labels: Option<MissingLabelsArg>,
    /// Leave out up to N unreadable images; each one is listed
    #[arg(long, value_name = "N")]
    pub skip_bad: Option<usize>,
    /// What becomes of images without label and labels without image [default: error]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub unmatched: Option<UnmatchedArg>,
    /// Which part of the GTSRB folder [default: training; test for predict, transform and evaluate]
    #[arg(long, value_enum)]
    pub part: Option<PartArg>,
}

#[derive(Debug, Args)]
pub struct TrainCommand {
    #[command(flatten)]
    pub train: TrainArgs,
    #[command(flatten)]
    pub validation: ValidationArgs,
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
    #[arg(long, value_name = "SHARE", conflicts_with = "folds")]
    pub holdout: Option<f64>,
    /// Cross-validation: show the error over K parts of the samples, each estimated by a model of the others; the model that is
    /// saved learns from all
    #[arg(long, value_name = "K")]
    pub folds: Option<usize>,
    /// Keep samples with the same value of this column on one side (people, tracks); in the GTSRB folder always the tracks
    #[arg(long, value_name = "COLUMN")]
    pub group: Option<String>,
    /// Split the samples of each value of the first label alike, as is always done for classes
    #[arg(long)]
    pub by_value: bool,
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

/// Settings from a file.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Settings")]
pub struct ConfigArgs {
    /// Read settings from a TOML file; flags override it
    #[arg(long, short, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Set any setting by its name, e.g. graph.groups=60 or network.layers.0.ridge=0.1; nothing after the sign leaves it out
    /// (gsfa settings lists all)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Print the settings as TOML and stop
    #[arg(long)]
    pub print_config: bool,
    /// Seed of everything random [default: 0]
    #[arg(long)]
    pub seed: Option<u64>,
}

/// Where the result goes.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// The file to write; - writes to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Replace the file if it exists; of a link, the file that it names
    #[arg(long)]
    pub force: bool,
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
    #[arg(long, value_name = "MEAN")]
    pub mean_intensity: Option<f64>,
    /// Train on N randomly distorted copies per class
    #[arg(long, value_name = "N")]
    pub copies: Option<usize>,
}

/// Network and read-out.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Network and read-out")]
pub struct NetworkArgs {
    /// auto, linear, quadratic, cascade, paper-64, higsfa, or a TOML file with a network [default: auto]
    #[arg(long, value_name = "NETWORK")]
    pub network: Option<PathBuf>,
    /// Slow features of the top node [default: as many as the graph has targets]
    #[arg(long, value_name = "J")]
    pub features: Option<usize>,
    /// Principal components before the expansion of a quadratic network
    #[arg(long, value_name = "N")]
    pub pca: Option<usize>,
    /// Ridge of the nodes, a share of their inputs' mean variance [default: what errs least on left-out samples for auto, linear
    /// and quadratic; paper-64, higsfa, cascade and written-out layers have their own]
    #[arg(long, value_name = "SHARE")]
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
    /// Hold estimates of numbers: nowhere (none), within the labels of training (training), or within a range like 0,120
    /// [default: none; training for linear read-outs that are named]
    #[arg(long, value_name = "RANGE", value_parser = parse_clip, allow_hyphen_values = true)]
    pub clip: Option<LabelClip>,
    /// Leave no samples out: deviations and probabilities are those of training samples, and the read-out is the first that
    /// fits. Training takes half of the time or less
    #[arg(long)]
    pub no_calibrate: bool,
    /// How much work goes into choosing what is left open: the two cheapest candidates (quick), those of up to ten times the work
    /// of the cheapest good one (normal), or all (thorough) [default: normal]
    #[arg(long, value_enum)]
    pub effort: Option<EffortKind>,
}

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
pub struct SettingsArgs {
    /// Only those whose name begins so, e.g. graph or graph.serial
    pub name: Option<String>,
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
pub struct AccumulateArgs {
    /// The job, or the state that the last advance wrote
    pub job: PathBuf,
    /// The shard: samples in any form that --data takes
    pub shard: PathBuf,
    /// The row of the shard's first sample among all samples; not needed if the job has file names
    #[arg(long, value_name = "ROW")]
    pub first_row: Option<usize>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The job, or the state that the last advance wrote
    pub job: PathBuf,
    /// The moments files
    #[arg(required = true)]
    pub moments: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct AdvanceArgs {
    /// The job, or the state that the last advance wrote
    pub state: PathBuf,
    /// The moments of all samples
    pub moments: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The job, or the state that the last advance wrote
    pub job: PathBuf,
    /// The moments of all samples
    pub moments: PathBuf,
    /// All shards in the order of their rows, to fit the read-out; without them the model has none
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub shards: Vec<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct GenerateArgs {
    /// What to draw
    #[arg(value_enum)]
    pub what: Drawing,
    /// The folder to make; it must not exist
    #[arg(long, short, value_name = "DIR")]
    pub output: PathBuf,
    /// Training images, about, at least one of each kind; beside them a fourth for the test, at least one of each kind
    #[arg(long, default_value_t = 2400, value_parser = parse_count)]
    pub count: usize,
    /// Also one picture of 192 training images, to be looked at
    #[arg(long)]
    pub contact_sheet: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}
