//! Settings: one value for what flags and a TOML file say, and what a model keeps of it.

mod assign;
mod graph;
mod meaning;
mod network;
mod parse;
mod reading;
mod readout;
mod validation;

use std::path::PathBuf;

use gsfa::graph::GraphSpec;
use gsfa::labels::Labels;
use gsfa::readout::{LabelClip, Readout};
use gsfa::recipe::{Effort, NetworkChoice, Recipe};
use gsfa::specification::Need;
use gsfa_data::distort::Distortion;
use gsfa_data::pixels::{Contrast, Gradients, Preparation, Step};
use gsfa_data::table::{LabelSpec, Missing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

pub use crate::args::MissingValues;
use crate::args::{ConfigArgs, LearnArgs, PixelArgs, PreparationArg, Task, TrainArgs, ValidationArgs};
use crate::error::{Error, ErrorCode, Result};
use parse::parse;
pub use reading::Reading;
pub use validation::Validation;

/// Everything that decides a training. The same names in TOML and in the model file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The samples, as --data.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "lossy")]
    pub data: Option<PathBuf>,
    /// The labels, as --labels; the data itself if left out.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "lossy")]
    pub labels: Option<PathBuf>,
    /// The files that settings were read from, which no output may replace.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
    /// What made the graph one of a kind that nobody named.
    #[serde(skip)]
    pub implied: Option<Implied>,
    /// A setting of the graph that a flag named, and the kind of graph that it was named for.
    #[serde(skip)]
    pub(super) graph_flag: Option<Implied>,
    /// Settings of a file that are gone with the graph or read-out that they were of, since a flag names one of another kind.
    #[serde(skip)]
    pub replaced: Vec<String>,
    /// The label columns to learn, as --learn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub learn: Vec<String>,
    /// What labels are: one kind for all, or a table of kinds, as --task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Task>,
    /// Seed of everything random.
    pub seed: u64,
    /// How files are read.
    pub reading: Reading,
    /// Pixel preparation; the default of the kind of data if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preparation: Option<Preparation>,
    /// Distorted copies per class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<usize>,
    /// Distorted copies of each image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies_per_image: Option<usize>,
    /// How copies are distorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distortion: Option<Distortion>,
    /// The graph; that of the labels if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphSpec>,
    /// Target labels, if the graph is that of the labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<usize>,
    /// The network.
    pub network: NetworkChoice,
    /// The read-out; the one that errs least on left-out samples if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub readout: Option<Readout>,
    /// Where estimates of numbers are held, whichever the read-out. If left out: nowhere, and where a linear read-out that is
    /// named says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clip: Option<LabelClip>,
    /// Whether samples are left out to judge read-outs, deviations and probabilities.
    pub calibrate: bool,
    /// How much work goes into choosing what is left open.
    pub effort: Effort,
    /// How errors on other samples are measured.
    #[serde(skip_serializing_if = "Validation::is_none")]
    pub validation: Validation,
}

/// A setting that only some graphs have, and the kind it stands for where none is named.
#[derive(Debug, Clone, PartialEq)]
pub struct Implied {
    pub setting: String,
    pub kind: String,
}

impl Default for Settings {
    fn default() -> Self {
        let Recipe { graph, targets, network, readout, calibrate, effort, .. } = Recipe::default();
        Self {
            data: None,
            labels: None,
            files: Vec::new(),
            implied: None,
            graph_flag: None,
            replaced: Vec::new(),
            learn: Vec::new(),
            task: None,
            seed: 0,
            reading: Reading::default(),
            preparation: None,
            copies: None,
            copies_per_image: None,
            distortion: None,
            graph,
            targets,
            network,
            readout,
            clip: None,
            calibrate,
            effort,
            validation: Validation::default(),
        }
    }
}

impl Settings {
    /// The settings of a training command: of the file, the flags, and what is assigned after them.
    pub fn of(args: &TrainArgs, validation: &ValidationArgs) -> Result<Self> {
        let mut settings = Self::file(&args.config)?;
        settings.apply_data(&args.data);
        settings.apply_learn(&args.learn)?;
        settings.apply_pixels(&args.pixels);
        settings.apply_network(&args.network)?;
        settings.validation.apply(validation);
        settings.assign(&args.config.set)?;
        Ok(settings)
    }

    /// The settings of a file, if one is named, and the seed.
    pub fn file(args: &ConfigArgs) -> Result<Self> {
        let mut settings = match &args.config {
            Some(path) => Self { files: vec![path.clone()], ..parse(path)? },
            None => Self::default(),
        };
        settings.seed = args.seed.unwrap_or(settings.seed);
        settings.reading.name_balance();
        Ok(settings)
    }

    pub fn apply_learn(&mut self, args: &LearnArgs) -> Result {
        if let Some(learn) = &args.learn {
            self.learn.clone_from(learn);
        }
        self.reading.weigh(args.weights.as_deref());
        set(&mut self.task, args.task.clone());
        self.apply_graph(&args.graph)
    }

    fn apply_pixels(&mut self, args: &PixelArgs) {
        let named = args.preparation.map(|named| match named {
            PreparationArg::None => Preparation::default(),
            PreparationArg::Faces => Preparation::faces(),
            PreparationArg::Signs => Preparation::signs(),
            PreparationArg::SignsAuthorLike => Preparation::signs_author_like(),
            PreparationArg::SignsGradients => Preparation::signs_gradients(),
        });
        set(&mut self.preparation, named);
        let mut steps = Vec::new();
        steps.extend(args.grey.then_some(Step::Grey));
        steps.extend(args.resize.map(|(height, width)| Step::Resize { height, width }));
        steps.extend(args.mean_intensity.map(|mean| Step::MeanIntensity { mean }));
        if !steps.is_empty() {
            self.preparation.get_or_insert_default().steps.extend(steps);
        }
        if let Some(cell) = args.gradients {
            let gradients = Step::Gradients(Gradients { cell, ..Gradients::default() });
            // Both with about the same mean square.
            let parts = [Step::Contrast(Contrast::default()), gradients].map(|step| Preparation { steps: vec![step] });
            self.preparation.get_or_insert_default().steps.push(Step::Join { parts: parts.to_vec() });
        }
        // One replaces the other, wherever it comes from.
        if args.copies.is_some() || args.copies_per_image.is_some() {
            (self.copies, self.copies_per_image) = (args.copies, args.copies_per_image);
        }
    }

    /// A label to learn, of the kind that the settings say, if they do.
    pub fn label(&self, name: &str) -> LabelSpec {
        LabelSpec { name: name.to_string(), kind: self.task.as_ref().and_then(|task| task.kind(name)) }
    }

    /// The labels where none are named and the graph asks for none, as that of a time series or of neighbors: those that tell
    /// sequences apart, if any do.
    pub fn labels_unless_named(&self) -> Option<Vec<LabelSpec>> {
        let graph = self.graph.as_ref().filter(|_| self.learn.is_empty() && self.labels.is_none())?;
        let needs = |some: &[Need]| some.iter().any(|need| graph.needs(*need));
        let sequences = match graph {
            GraphSpec::Chain(chain) => chain.sequences.as_deref(),
            _ => None,
        };
        let none = needs(&[Need::Order, Need::Vectors]) && !needs(&[Need::Number, Need::Numbers, Need::Class]);
        none.then(|| sequences.into_iter().map(|name| self.label(name)).collect())
    }

    /// Refuses settings for labels that are not learned.
    pub fn check_task(&self, labels: &[&str]) -> Result {
        self.task.as_ref().map_or(Ok(()), |task| task.check(labels))
    }

    /// What decides graph, network and read-outs, for given labels.
    pub fn recipe(&self, labels: &Labels) -> Result<Recipe> {
        let (readout, clip) = self.clipped(labels)?;
        Ok(Recipe {
            graph: self.graph.clone(),
            targets: self.targets,
            semi_supervised: self.reading.missing_labels == Missing::Keep && labels.labeled().len() < labels.len(),
            network: self.network.clone(),
            readout,
            clip,
            calibrate: self.calibrate,
            effort: self.effort,
        })
    }

    /// As a model remembers them.
    pub fn json(&self) -> Result<String> {
        serde_json::to_string(self)
            .map_err(|error| Error::usage(ErrorCode::SettingsFile, format!("the settings cannot be stored: {error}")))
    }

    /// As TOML.
    pub fn toml(&self) -> Result<String> {
        toml::to_string(self)
            .map_err(|error| Error::usage(ErrorCode::SettingsFile, format!("the settings cannot be written: {error}")))
    }
}

fn set<T>(field: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *field = value;
    }
}

/// As text with invalid bytes replaced: what a model remembers of where its data was is for people.
fn lossy<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}
