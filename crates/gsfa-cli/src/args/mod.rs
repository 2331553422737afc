//! The command line: every command and flag, with an example each.

mod applying;
mod data;
mod files;
mod generate;
mod graph;
mod readout;
mod reproduce;
mod shards;
mod task;
mod training;
mod values;

use clap::{Args, Parser, Subcommand};

pub use applying::{ApplyArgs, EvaluateArgs, GraphCommand, InspectArgs, PredictArgs, SettingsArgs};
pub use data::DataArgs;
pub use files::{ConfigArgs, OutputArgs};
pub use generate::GenerateArgs;
pub use graph::{GraphArgs, flag_case, flag_name, is_word};
pub use readout::readout_name;
pub use reproduce::{Experiment, ReproduceArgs};
pub use shards::{AccumulateArgs, AdvanceArgs, MergeArgs, SolveArgs};
pub use task::Task;
pub use training::{LearnArgs, MapArgs, NetworkArgs, PixelArgs, SelectArgs, TrainArgs, TrainCommand, ValidationArgs};
use values::parse_threads;
pub use values::{BALANCED, Drawing, ImageShapeArg, MissingLabelsArg, MissingValues, PreparationArg};

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
    Select(SelectArgs),
    /// Train a network and a read-out, and save them as one model file
    #[command(after_help = "Examples:
  gsfa train --data images/ --labels y.csv --learn age -o m.gsfa
  gsfa train --data table.csv --learn species --folds 5 -o m.gsfa
  gsfa train --data x.npy --labels y.csv --learn age --targets 10 --readout soft-gc -o m.gsfa")]
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
    #[command(
        mut_arg("data", |arg| arg.help("Any one shard, to look at its shape: in any form that training takes")),
        mut_arg("labels", |arg| arg.help("The labels of all samples of all shards: a CSV table (for images with a column of \
            file names), .npy or .npz")),
        after_help = "Example: gsfa prepare --labels y.csv --learn age --data part0.npy -o age.job"
    )]
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
