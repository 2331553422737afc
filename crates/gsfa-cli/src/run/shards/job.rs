//! The job that all steps of a training from shards share.

use std::collections::HashMap;
use std::path::Path;

use gsfa::graph::{GraphInput, GraphSpec, TrainingGraph};
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::model::{Remark, Remembered};
use gsfa::network::{InputShape, NetworkSpec};
use gsfa::samples::{Precision, Samples};
use serde::{Deserialize, Serialize};

use super::fingerprint::sha256;
use crate::args::MissingValues;
use crate::error::{Error, ErrorCode, ErrorKind, Result};
use crate::load::{self, Loaded, Request};
use crate::present::Printer;
use crate::settings::Settings;

/// How job files begin, with their format.
const FIRST_WORDS: [&str; 2] = ["gsfa-job", "5"];

/// The same under its earlier name, which is read.
const EARLIER: [&str; 2] = ["gsfa-plan", "4"];

/// Everything that shards must agree on: labels of all samples, and the settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    #[serde(rename = "config")]
    pub settings: Settings,
    pub graph: GraphSpec,
    pub network: NetworkSpec,
    pub labels: Vec<JobLabel>,
    /// File names of the samples, if samples are images.
    pub files: Option<Vec<String>>,
    /// Sample columns, if samples are table rows.
    pub input_names: Option<Vec<String>>,
    /// Weights of the samples, if they have any.
    pub weights: Option<Vec<f64>>,
    /// Whether samples are read in single precision, as `train` would.
    pub single: bool,
    /// The shape of images before they are prepared, if those of the shard that was looked at have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<InputShape>,
    /// What was said of labels and network, for the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
}

/// The values of a label for all samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobLabel {
    pub name: String,
    pub numbers: Option<Vec<f64>>,
    pub classes: Option<Vec<String>>,
}

impl JobLabel {
    pub fn all(labels: &Labels) -> Vec<Self> {
        let one = |(name, values): (&str, &LabelValues)| match values {
            LabelValues::Numbers(x) => Self { name: name.into(), numbers: Some(x.clone()), classes: None },
            LabelValues::Classes(c) => {
                let names = (0..c.of_sample().len()).map(|n| c.name_of(n).unwrap_or_default().to_string()).collect();
                Self { name: name.into(), numbers: None, classes: Some(names) }
            }
        };
        labels.columns().map(one).collect()
    }
}

impl Job {
    /// The bytes of a job file: a line with the format and the checksum of what follows, then JSON.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let text = serde_json::to_string(self)
            .map_err(|error| Error::usage(ErrorCode::StateFile, format!("the job cannot be written: {error}")))?;
        Ok(format!("{} {}\n{text}\n", FIRST_WORDS.join(" "), sha256(text.as_bytes())).into_bytes())
    }

    /// Whether bytes begin as a job does.
    pub fn wrote(bytes: &[u8]) -> bool {
        [FIRST_WORDS, EARLIER].iter().any(|[word, _]| bytes.starts_with(word.as_bytes()))
    }

    /// Reads the bytes of a job, which came from a file.
    pub fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let bad = |reason: String| Error::data(ErrorCode::StateFile, format!("{}: {reason}", path.display()));
        let damaged =
            || bad("the job is damaged: its checksum is another".into()).hint("copy it again, or prepare anew");
        let other = || bad("this is no job of this version of gsfa".into()).hint("gsfa prepare writes jobs");
        if !Self::wrote(bytes) {
            return Err(other());
        }
        let text = std::str::from_utf8(bytes).map_err(|_| damaged())?;
        let (first, text) = text.split_once('\n').ok_or_else(damaged)?;
        let [word, format, checksum] = first.split(' ').collect::<Vec<_>>()[..] else { return Err(damaged()) };
        if ![FIRST_WORDS, EARLIER].contains(&[word, format]) {
            return Err(bad(format!("this is a job of format {format}, not {}", FIRST_WORDS[1]))
                .hint("prepare it again with this version of gsfa, and accumulate its shards anew"));
        }
        let text = text.strip_suffix('\n').ok_or_else(damaged)?;
        if sha256(text.as_bytes()) != checksum {
            return Err(damaged());
        }
        serde_json::from_str(text).map_err(|error| bad(format!("the job is not understood: {error}")))
    }

    pub fn labels(&self) -> Result<Labels> {
        let first = self.labels.first().ok_or_else(|| Error::data(ErrorCode::StateFile, "the job has no labels"))?;
        let len = first.numbers.as_ref().map_or_else(|| first.classes.as_ref().map_or(0, Vec::len), Vec::len);
        let mut labels = Labels::none(len);
        for label in &self.labels {
            labels = match (&label.numbers, &label.classes) {
                (Some(numbers), None) => labels.and_numbers(&label.name, numbers.clone())?,
                (None, Some(classes)) => labels.and_classes(&label.name, classes)?,
                _ => {
                    return Err(Error::data(
                        ErrorCode::StateFile,
                        format!("label '{}' of the job has no values", label.name),
                    ));
                }
            };
        }
        Ok(labels)
    }

    pub fn weights(&self, labels: &Labels) -> Result<SampleWeights> {
        match &self.weights {
            Some(weights) => Ok(SampleWeights::new(weights.clone())?),
            None => Ok(SampleWeights::uniform(labels.len())),
        }
    }

    pub fn graph(&self, labels: &Labels) -> Result<TrainingGraph> {
        Ok(self.graph.build(&GraphInput::new(labels).with_weights(self.weights(labels)?)?)?)
    }

    pub fn precision(&self) -> Precision {
        if self.single { Precision::Single } else { Precision::Double }
    }

    /// Reads a shard.
    pub fn load(&self, path: &Path, printer: &Printer) -> Result<Shard> {
        let mut settings = self.settings.clone();
        settings.data = Some(path.to_path_buf());
        settings.reading.columns = self.input_names.clone().unwrap_or_default();
        // Flags that let values be missing are none of a shard's.
        let of_shard = |failure: Error| match failure.kind {
            ErrorKind::Data => Error::data(ErrorCode::ShardData, at(path, &failure.message))
                .hint("shards need every value: clean the shard, and accumulate it again"),
            _ => failure,
        };
        let loaded = load::load(&Request::of_shard(&settings), printer).map_err(of_shard)?;
        let source = loaded.to_apply(None, &Remembered::default(), MissingValues::Error, printer).map_err(of_shard)?;
        let expected = self.network.input.dim().unwrap_or(0);
        if source.dim() != expected {
            return Err(gsfa::Error::InputDim { expected, got: source.dim() }.into());
        }
        Ok(Shard { source, loaded })
    }

    /// The row of each of a shard's samples among all samples.
    pub fn rows(&self, shard: &Shard, first_row: Option<usize>, total: usize) -> Result<Vec<usize>> {
        let len = shard.source.len();
        if let (Some(files), None) = (&self.files, first_row) {
            return by_name(files, &shard.loaded.ids.1);
        }
        let first = match first_row {
            Some(first) => first,
            None if len == total => 0,
            None => {
                return Err(Error::usage(
                    ErrorCode::WhichRows,
                    format!("which of the {total} samples are these {len}?"),
                )
                .hint("give the row of the first one with --first-row"));
            }
        };
        if first > total || len > total - first {
            let last = first.saturating_add(len - 1);
            return Err(Error::data(
                ErrorCode::WhichRows,
                format!("rows {first} to {last} are not among the job's {total} samples"),
            ));
        }
        // Rows that were dropped leave gaps, which the ids remember.
        let offsets = shard.loaded.ids.1.iter().map(|id| id.parse::<usize>().map(|id| first + id));
        Ok(offsets.collect::<Result<_, _>>().unwrap_or_else(|_| (first..first + len).collect()))
    }
}

/// Samples of a shard, as they are learned from and as they were read.
pub struct Shard {
    pub source: Box<dyn Samples>,
    pub loaded: Loaded,
}

/// A message with the file it belongs to, once.
pub fn at(path: &Path, message: &str) -> String {
    let path = path.display().to_string();
    if message.starts_with(&path) { message.to_string() } else { format!("{path}: {message}") }
}

/// Rows by file name: the whole path as in the labels, else a bare name that occurs once.
fn by_name(files: &[String], names: &[String]) -> Result<Vec<usize>> {
    let bare = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_string();
    let whole: HashMap<&str, usize> = files.iter().enumerate().map(|(n, file)| (file.as_str(), n)).collect();
    let mut short: HashMap<String, Vec<usize>> = HashMap::new();
    for (n, file) in files.iter().enumerate() {
        short.entry(bare(file)).or_default().push(n);
    }
    let find = |name: &String| {
        let once = || short.get(&bare(name)).filter(|rows| rows.len() == 1).map(|rows| rows[0]);
        whole.get(name.as_str()).copied().or_else(once).ok_or_else(|| {
            Error::data(ErrorCode::WhichRows, format!("image '{name}' is not among the job's {} files", files.len()))
                .hint("the labels given to gsfa prepare must list all images of all shards")
        })
    };
    names.iter().map(find).collect()
}
