//! Settings: one value for what flags and a TOML file say, and what a model keeps of it.

mod assign;
mod graph;
mod readout;
mod validation;

use std::path::{Path, PathBuf};

use gsfa::graph::GraphSpec;
use gsfa::labels::Labels;
use gsfa::network::LayerSpec;
use gsfa::readout::{LabelClip, Readout};
use gsfa::recipe::{Effort, NetworkChoice, NetworkKind, Recipe};
use gsfa::specification::suggestion;
use gsfa_data::distort::Distortion;
use gsfa_data::gtsrb::Part;
use gsfa_data::pixels::{Preparation, Step};
use gsfa_data::table::{Categories, LabelSpec, Missing, Unmatched};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::args::{
    BALANCED, ConfigArgs, DataArgs, ImageShapeArg, LearnArgs, NetworkArgs, PixelArgs, PreparationArg, Task, TrainArgs,
};
use crate::error::{Error, ErrorCode, Result};
use readout::read_out;
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
    /// Where estimates of a read-out that was left open are held.
    pub clip: LabelClip,
    /// Whether samples are left out to judge read-outs, deviations and probabilities.
    pub calibrate: bool,
    /// How much work goes into choosing what is left open.
    pub effort: Effort,
    /// How errors on other samples are measured.
    #[serde(skip_serializing_if = "Validation::is_none")]
    pub validation: Validation,
}

impl Default for Settings {
    fn default() -> Self {
        let Recipe { graph, targets, network, readout, clip, calibrate, effort, .. } = Recipe::default();
        Self {
            data: None,
            labels: None,
            files: Vec::new(),
            learn: Vec::new(),
            task: None,
            seed: 0,
            reading: Reading::default(),
            preparation: None,
            copies: None,
            distortion: None,
            graph,
            targets,
            network,
            readout,
            clip,
            calibrate,
            effort,
            validation: Validation::default(),
        }
    }
}

/// How files are read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reading {
    /// The array of an .npz file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// The column of file names in the labels; one that is called so if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_column: Option<String>,
    /// Table columns to leave out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Table columns that are the samples; all without another role if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// What becomes of table columns that hold words.
    pub categories: Categories,
    /// Height, width and, if there are several, channels of the images that rows of a table or array are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub image_shape: Vec<usize>,
    /// What becomes of missing or non-finite values of samples.
    pub missing: Missing,
    /// What becomes of samples without label.
    pub missing_labels: Missing,
    /// The column of sample weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Whether all classes weigh the same.
    pub balanced: bool,
    /// How many unreadable images may be left out.
    pub skip_bad: usize,
    /// What becomes of images without label and labels without image.
    pub unmatched: Unmatched,
    /// Which part of the GTSRB folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

impl Reading {
    /// Weighs samples by a column, or all classes alike.
    pub fn weigh(&mut self, weights: Option<&str>) {
        match weights {
            Some(BALANCED) => (self.weights, self.balanced) = (None, true),
            Some(column) => (self.weights, self.balanced) = (Some(column.to_string()), false),
            None => {}
        }
    }
}

impl Settings {
    /// The settings of a training command.
    pub fn of(args: &TrainArgs) -> Result<Self> {
        let mut settings = Self::file(&args.config)?;
        settings.apply_data(&args.data);
        settings.apply_learn(&args.learn)?;
        settings.apply_pixels(&args.pixels);
        settings.apply_network(&args.network)?;
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
        Ok(settings)
    }

    pub fn apply_data(&mut self, args: &DataArgs) {
        set(&mut self.data, args.data.clone());
        set(&mut self.labels, args.labels.clone());
        let reading = &mut self.reading;
        set(&mut reading.array, args.array.clone());
        set(&mut reading.file_column, args.file_column.clone());
        set(&mut reading.part, args.part.map(Part::from));
        reading.ignore = args.ignore.clone().unwrap_or_else(|| std::mem::take(&mut reading.ignore));
        reading.columns = args.columns.clone().unwrap_or_else(|| std::mem::take(&mut reading.columns));
        reading.categories = args.categories.map_or(reading.categories, Categories::from);
        if let Some(ImageShapeArg(sides)) = &args.image_shape {
            reading.image_shape.clone_from(sides);
        }
        reading.missing = args.missing.map_or(reading.missing, Missing::from);
        reading.missing_labels = args.missing_labels.map_or(reading.missing_labels, Missing::from);
        reading.skip_bad = args.skip_bad.unwrap_or(reading.skip_bad);
        reading.unmatched = args.unmatched.map_or(reading.unmatched, Unmatched::from);
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
        });
        set(&mut self.preparation, named);
        let mut steps = Vec::new();
        steps.extend(args.grey.then_some(Step::Grey));
        steps.extend(args.resize.map(|(height, width)| Step::Resize { height, width }));
        steps.extend(args.mean_intensity.map(|mean| Step::MeanIntensity { mean }));
        if !steps.is_empty() {
            self.preparation.get_or_insert_default().steps.extend(steps);
        }
        set(&mut self.copies, args.copies);
    }

    fn apply_network(&mut self, args: &NetworkArgs) -> Result {
        if let Some(name) = &args.network {
            self.network = named_network(name)?;
            // A file, or the name of a network, which is no file.
            self.files.push(name.clone());
        }
        set(&mut self.network.features, args.features);
        set(&mut self.network.pca, args.pca);
        set(&mut self.network.ridge, args.ridge);
        set(&mut self.network.solver, args.solver.map(Into::into));
        if args.readout_features == Some(0) {
            return Err(Error::usage(
                ErrorCode::SettingValue,
                "--readout-features 0: a read-out uses one feature or more",
            ));
        }
        match (&args.readout, args.readout_features, self.readout) {
            (Some(kind), features, _) => self.readout = Some(read_out(Some(kind), None, features)?),
            (None, Some(count), given @ Some(_)) => self.readout = Some(read_out(None, given, Some(count))?),
            (None, Some(_), None) => {
                return Err(Error::usage(
                    ErrorCode::MeaninglessFlag,
                    "--readout-features means nothing while the read-out is chosen by left-out samples",
                )
                .hint("name it with --readout"));
            }
            (None, None, _) => {}
        }
        if let Some(clip) = args.clip {
            self.clip = clip;
            match &mut self.readout {
                Some(Readout::LinearScaling(scaling)) => scaling.clip = clip,
                Some(Readout::LinearRegression(regression)) => regression.clip = clip,
                Some(_) => {
                    return Err(Error::usage(ErrorCode::MeaninglessFlag, "--clip means nothing to this read-out")
                        .hint("soft-gc and neighbours never leave the labels of training; classes have no range"));
                }
                None => {}
            }
        }
        self.calibrate &= !args.no_calibrate;
        self.effort = args.effort.map_or(self.effort, Effort::from);
        Ok(())
    }

    /// A label to learn, of the kind that the settings say, if they do.
    pub fn label(&self, name: &str) -> LabelSpec {
        LabelSpec { name: name.to_string(), kind: self.task.as_ref().and_then(|task| task.kind(name)) }
    }

    /// Refuses settings for labels that are not learned.
    pub fn check_task(&self, labels: &[&str]) -> Result {
        self.task.as_ref().map_or(Ok(()), |task| task.check(labels))
    }

    /// What decides graph, network and read-outs, for given labels.
    pub fn recipe(&self, labels: &Labels) -> Recipe {
        Recipe {
            graph: self.graph.clone(),
            targets: self.targets,
            semi_supervised: self.reading.missing_labels == Missing::Keep && labels.labeled().len() < labels.len(),
            network: self.network.clone(),
            readout: self.readout,
            clip: self.clip,
            calibrate: self.calibrate,
            effort: self.effort,
        }
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

fn parse<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T> {
    let bytes = gsfa::file::read(path).map_err(|error| Error::io("read", path, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|&b| b == b'\n').count();
        Error::usage(ErrorCode::SettingsFile, format!("{}, line {line}: the text is not UTF-8", path.display()))
    })?;
    toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| text[..span.start].lines().count().max(1));
        let message = error.message().trim_end();
        let hint = meant(message).unwrap_or_else(|| "gsfa settings lists all settings with what they take".into());
        Error::usage(ErrorCode::SettingsFile, format!("{}, line {line}: {message}", path.display())).hint(hint)
    })
}

/// What was probably meant by the unknown name that serde tells, with those that it expected.
fn meant(message: &str) -> Option<String> {
    let (given, expected) = message.strip_prefix("unknown ")?.split_once(", expected ")?;
    let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    let known = quoted(expected);
    suggestion(quoted(given).first()?, known.iter().map(String::as_str))
}

/// The networks that have a name.
const NETWORKS: [&str; 6] = ["auto", "linear", "quadratic", "cascade", "paper-64", "higsfa"];

fn named_network(name: &Path) -> Result<NetworkChoice> {
    let kind = match &*name.to_string_lossy() {
        "auto" => NetworkKind::Auto,
        "linear" => NetworkKind::Linear,
        "quadratic" => NetworkKind::Quadratic,
        "cascade" => NetworkKind::Cascade,
        "paper-64" => NetworkKind::Paper64,
        "higsfa" => NetworkKind::Higsfa,
        _ if name.extension().is_some_and(|e| e == "toml") => {
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields)]
            struct Layers {
                layers: Vec<LayerSpec>,
            }
            let Layers { layers } = parse(name)?;
            return Ok(NetworkChoice { kind: NetworkKind::Layers, layers, ..NetworkChoice::default() });
        }
        unknown => {
            let all = || format!("{}, or a .toml file with [[layers]]", NETWORKS.join(", "));
            return Err(Error::usage(ErrorCode::UnknownNetwork, format!("there is no network '{unknown}'"))
                .hint(suggestion(unknown, NETWORKS).unwrap_or_else(all)));
        }
    };
    Ok(NetworkChoice { kind, ..NetworkChoice::default() })
}

/// As text with invalid bytes replaced: what a model remembers of where its data was is for people.
fn lossy<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}
