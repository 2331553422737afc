//! The plan that all steps of a training from shards share.

use std::collections::HashMap;
use std::path::Path;

use gsfa::graph::{GraphInput, GraphSpec, TrainingGraph};
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::model::Remembered;
use gsfa::network::NetworkSpec;
use gsfa::samples::{InPrecision, Precision, Samples};
use gsfa_data::gtsrb::Part;
use gsfa_data::table::Missing;
use serde::{Deserialize, Serialize};

use super::digest::sha256;
use crate::config::Config;
use crate::data::{self, Request, Wish};
use crate::failure::{Failure, Fault, Outcome, Reason};
use crate::talk::Talk;

/// How plan files begin.
const FIRST_WORD: &str = "gsfa-plan";

/// The format of plan files.
pub const FORMAT: u32 = 4;

/// Everything that shards must agree on: labels of all samples, and the settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub config: Config,
    pub graph: GraphSpec,
    pub network: NetworkSpec,
    pub labels: Vec<PlannedLabel>,
    /// File names of the samples, if samples are images.
    pub files: Option<Vec<String>>,
    /// Sample columns, if samples are table rows.
    pub input_names: Option<Vec<String>>,
    /// Weights of the samples, if they have any.
    pub weights: Option<Vec<f64>>,
    /// Whether samples are read in single precision, as `train` would.
    pub single: bool,
}

/// The values of a label for all samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedLabel {
    pub name: String,
    pub numbers: Option<Vec<f64>>,
    pub classes: Option<Vec<String>>,
}

impl PlannedLabel {
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

impl Plan {
    /// The bytes of a plan file: a line with the format and the checksum of what follows, then JSON.
    pub fn to_bytes(&self) -> Outcome<Vec<u8>> {
        let text = serde_json::to_string(self)
            .map_err(|error| Failure::usage(Reason::StateFile, format!("the plan cannot be written: {error}")))?;
        Ok(format!("{FIRST_WORD} {FORMAT} {}\n{text}\n", sha256(text.as_bytes())).into_bytes())
    }

    /// Whether bytes begin as a plan does.
    pub fn wrote(bytes: &[u8]) -> bool {
        bytes.starts_with(FIRST_WORD.as_bytes())
    }

    /// Reads the bytes of a plan, which came from a file.
    pub fn of_bytes(bytes: &[u8], path: &Path) -> Outcome<Self> {
        let bad = |reason: String| Failure::data(Reason::StateFile, format!("{}: {reason}", path.display()));
        let damaged =
            || bad("the plan is damaged: its checksum is another".into()).hint("copy it again, or prepare anew");
        let other = || bad("this is no plan of this version of gsfa".into()).hint("gsfa prepare writes plans");
        if !Self::wrote(bytes) {
            return Err(other());
        }
        let text = std::str::from_utf8(bytes).map_err(|_| damaged())?;
        let (first, text) = text.split_once('\n').ok_or_else(damaged)?;
        let [word, format, checksum] = first.split(' ').collect::<Vec<_>>()[..] else { return Err(damaged()) };
        if word != FIRST_WORD || format != FORMAT.to_string() {
            return Err(bad(format!("this is a plan of format {format}, not {FORMAT}"))
                .hint("prepare it again with this version of gsfa, and accumulate its shards anew"));
        }
        let text = text.strip_suffix('\n').ok_or_else(damaged)?;
        if sha256(text.as_bytes()) != checksum {
            return Err(damaged());
        }
        serde_json::from_str(text).map_err(|error| bad(format!("the plan is not understood: {error}")))
    }

    pub fn labels(&self) -> Outcome<Labels> {
        let first = self.labels.first().ok_or_else(|| Failure::data(Reason::StateFile, "the plan has no labels"))?;
        let len = first.numbers.as_ref().map_or_else(|| first.classes.as_ref().map_or(0, Vec::len), Vec::len);
        let mut labels = Labels::none(len);
        for label in &self.labels {
            labels = match (&label.numbers, &label.classes) {
                (Some(numbers), None) => labels.and_numbers(&label.name, numbers.clone())?,
                (None, Some(classes)) => labels.and_classes(&label.name, classes)?,
                _ => {
                    return Err(Failure::data(
                        Reason::StateFile,
                        format!("label '{}' of the plan has no values", label.name),
                    ));
                }
            };
        }
        Ok(labels)
    }

    pub fn weights(&self, labels: &Labels) -> Outcome<SampleWeights> {
        match &self.weights {
            Some(weights) => Ok(SampleWeights::new(weights.clone())?),
            None => Ok(SampleWeights::uniform(labels.len())),
        }
    }

    pub fn graph(&self, labels: &Labels) -> Outcome<TrainingGraph> {
        Ok(self.graph.build(&GraphInput::new(labels).with_weights(self.weights(labels)?)?)?)
    }

    pub fn precision(&self) -> Precision {
        if self.single { Precision::Single } else { Precision::Double }
    }

    /// Reads a shard.
    pub fn load(&self, path: &Path, talk: &Talk) -> Outcome<Shard> {
        let mut config = self.config.clone();
        config.data = Some(path.to_path_buf());
        config.reading.columns = self.input_names.clone().unwrap_or_default();
        let request = Request { config: &config, labels: Wish::Nothing, model: None, part: Part::Training };
        // Flags that let values be missing are none of a shard's.
        let of_shard = |failure: Failure| match failure.fault {
            Fault::Data => Failure::data(Reason::ShardData, format!("{}: {}", path.display(), failure.message))
                .hint("shards need every value: clean the shard, and accumulate it again"),
            _ => failure,
        };
        let loaded = data::load(&request, talk).map_err(of_shard)?;
        let source = loaded.to_apply(None, &Remembered::default(), Missing::Error, talk).map_err(of_shard)?;
        let expected = self.network.input.dim().unwrap_or(0);
        if source.dim() != expected {
            return Err(gsfa::Error::InputDim { expected, got: source.dim() }.into());
        }
        Ok(Shard { source, ids: loaded.ids.1, skipped: loaded.skipped })
    }

    /// The row of each of a shard's samples among all samples.
    pub fn rows(&self, shard: &Shard, first_row: Option<usize>, total: usize) -> Outcome<Vec<usize>> {
        let len = shard.source.len();
        if let (Some(files), None) = (&self.files, first_row) {
            return by_name(files, &shard.ids);
        }
        let first = match first_row {
            Some(first) => first,
            None if len == total => 0,
            None => {
                return Err(Failure::usage(
                    Reason::WhichRows,
                    format!("which of the {total} samples are these {len}?"),
                )
                .hint("give the row of the first one with --first-row"));
            }
        };
        if first > total || len > total - first {
            let last = first.saturating_add(len - 1);
            return Err(Failure::data(
                Reason::WhichRows,
                format!("rows {first} to {last} are not among the plan's {total} samples"),
            ));
        }
        // Rows that were dropped leave gaps, which the ids remember.
        let offsets = shard.ids.iter().map(|id| id.parse::<usize>().map(|id| first + id));
        Ok(offsets.collect::<Result<_, _>>().unwrap_or_else(|_| (first..first + len).collect()))
    }
}

/// Samples of a shard, what identifies them, and images that were left out.
pub struct Shard {
    pub source: Box<dyn Samples>,
    pub ids: Vec<String>,
    pub skipped: Vec<String>,
}

/// Whether a network is one node whose sums can be taken in one pass.
fn is_flat(network: &NetworkSpec) -> bool {
    let [layer] = &network.layers[..] else { return false };
    let one_pass = layer.pca.is_none() && layer.clip.is_none() && layer.skip.is_none() && !layer.standardize;
    one_pass && network.plan().is_ok_and(|plan| plan.layers[0].count() == 1)
}

/// The precision in which a network is trained and applied: single if it holds the samples, but for networks that shards
/// can train. Round-off of single precision depends on which rows are summed together, so that shards would agree with
/// one run to six digits only; in double precision they agree to ten and more.
pub fn precision(network: &NetworkSpec, samples: &dyn Samples) -> Precision {
    if is_flat(network) { Precision::Double } else { samples.precision() }
}

/// The samples in that precision.
pub fn in_precision<'a>(samples: &'a dyn Samples, network: &NetworkSpec) -> InPrecision<&'a dyn Samples> {
    InPrecision::new(samples, precision(network, samples))
}

/// Rows by file name: the whole path as in the labels, else a bare name that occurs once.
fn by_name(files: &[String], names: &[String]) -> Outcome<Vec<usize>> {
    let bare = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_string();
    let whole: HashMap<&str, usize> = files.iter().enumerate().map(|(n, file)| (file.as_str(), n)).collect();
    let mut short: HashMap<String, Vec<usize>> = HashMap::new();
    for (n, file) in files.iter().enumerate() {
        short.entry(bare(file)).or_default().push(n);
    }
    let find = |name: &String| {
        let once = || short.get(&bare(name)).filter(|rows| rows.len() == 1).map(|rows| rows[0]);
        whole.get(name.as_str()).copied().or_else(once).ok_or_else(|| {
            Failure::data(Reason::WhichRows, format!("image '{name}' is not among the plan's {} files", files.len()))
                .hint("the labels given to gsfa prepare must list all images of all shards")
        })
    };
    names.iter().map(find).collect()
}
