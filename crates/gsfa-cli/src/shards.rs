//! Training from shards: the plan that all steps share, and files of sums.

use std::collections::HashMap;
use std::path::Path;

use gsfa::expansion::Expansion;
use gsfa::graph::{GraphInput, GraphSpec, TrainingGraph};
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::moments::{Moments, Precision};
use gsfa::network::NetworkSpec;
use gsfa_data::gtsrb::Part;
use gsfa_data::source::{Rows, Source};
use gsfa_data::table::Missing;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::data::{self, Request, Wish};
use crate::failure::{Failure, Fault, Outcome};
use crate::interrupt;
use crate::kept::Kept;
use crate::talk::Talk;

/// The format of plan files.
pub const FORMAT: u32 = 2;

/// Everything that shards must agree on: labels of all samples, and the settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub plan: u32,
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
    #[serde(skip)]
    pub print: u64,
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
    pub fn read(path: &Path) -> Outcome<Self> {
        let bytes = std::fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
        let mut plan: Self = serde_json::from_slice(&bytes).map_err(|error| {
            Failure::data(format!("{} is no plan: {error}", path.display())).hint("plans are written by gsfa prepare")
        })?;
        if plan.plan != FORMAT {
            return Err(Failure::data(format!(
                "{} is a plan of format {}, this is {FORMAT}",
                path.display(),
                plan.plan
            ))
            .hint("prepare it again with this version of gsfa, and accumulate its shards anew"));
        }
        plan.print = fingerprint(&bytes);
        Ok(plan)
    }

    pub fn labels(&self) -> Outcome<Labels> {
        let first = self.labels.first().ok_or_else(|| Failure::data("the plan has no labels"))?;
        let len = first.numbers.as_ref().map_or_else(|| first.classes.as_ref().map_or(0, Vec::len), Vec::len);
        let mut labels = Labels::none(len);
        for label in &self.labels {
            labels = match (&label.numbers, &label.classes) {
                (Some(numbers), None) => labels.and_numbers(&label.name, numbers.clone())?,
                (None, Some(classes)) => labels.and_classes(&label.name, classes)?,
                _ => return Err(Failure::data(format!("label '{}' of the plan has no values", label.name))),
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

    /// Refuses networks whose sums cannot be taken in one pass.
    pub fn check_flat(&self) -> Outcome {
        if is_flat(&self.network) {
            return Ok(());
        }
        Err(Failure::usage("shards train one node without PCA; this network needs several passes")
            .hint("use --network linear, or give all samples to gsfa train"))
    }

    pub fn expansion(&self) -> Expansion {
        self.network.layers.first().map(|layer| layer.expansion).unwrap_or_default()
    }

    /// Reads a shard.
    pub fn load(&self, path: &Path, talk: &Talk) -> Outcome<Shard> {
        let mut config = self.config.clone();
        config.data = Some(path.to_path_buf());
        config.reading.columns = self.input_names.clone().unwrap_or_default();
        let request = Request { config: &config, labels: Wish::Nothing, model: None, part: Part::Training };
        let loaded = data::load(&request, talk)?;
        let source = loaded.to_apply(None, &Kept::default(), Missing::Error, talk)?;
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
                return Err(Failure::usage(format!("which of the {total} samples are these {len}?"))
                    .hint("give the row of the first one with --first-row"));
            }
        };
        if first > total || len > total - first {
            let last = first.saturating_add(len - 1);
            return Err(Failure::data(format!("rows {first} to {last} are not among the plan's {total} samples")));
        }
        // Rows that were dropped leave gaps, which the ids remember.
        let offsets = shard.ids.iter().map(|id| id.parse::<usize>().map(|id| first + id));
        Ok(offsets.collect::<Result<_, _>>().unwrap_or_else(|_| (first..first + len).collect()))
    }
}

/// Samples of a shard, what identifies them, and images that were left out.
pub struct Shard {
    pub source: Box<dyn Source>,
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
pub fn precision(network: &NetworkSpec, fits_single: bool) -> Precision {
    if fits_single && !is_flat(network) { Precision::Single } else { Precision::Double }
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
            Failure::data(format!("image '{name}' is not among the plan's {} files", files.len()))
                .hint("the labels given to gsfa prepare must list all images of all shards")
        })
    };
    names.iter().map(find).collect()
}

/// FNV-1a: tells plans apart, no more.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Rows read at a time.
const CHUNK: usize = 2048;

/// Adds samples, which stand at the given rows of the graph.
pub fn add(moments: &mut Moments<'_, f64>, plan: &Plan, source: &dyn Source, rows: &[usize]) -> Outcome {
    let expansion = plan.expansion();
    // In the order of the graph, whatever the order in the shard.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&k| rows[k]);
    let runs = order.chunk_by(|&a, &b| rows[a] + 1 == rows[b]);
    for run in runs.flat_map(|run| run.chunks(CHUNK)) {
        interrupt::check()?;
        let mut block = Array2::zeros((run.len(), source.dim()));
        source.read_f64(&Rows::List(run), block.view_mut())?;
        if expansion != Expansion::Identity {
            let mut expanded = Array2::zeros((run.len(), expansion.output_dim(source.dim())?));
            expansion.expand_into(block.view(), expanded.view_mut())?;
            block = expanded;
        }
        moments.add(rows[run[0]], block.view())?;
    }
    Ok(())
}

/// The bytes of a moments file: which plan, and the sums.
pub fn pack(moments: &Moments<'_, f64>, plan: &Plan) -> Outcome<Vec<u8>> {
    let mut bytes = plan.print.to_le_bytes().to_vec();
    bytes.extend(moments.to_bytes()?);
    Ok(bytes)
}

/// Reads a moments file of the plan.
pub fn unpack<'g>(path: &Path, plan: &Plan, graph: &'g TrainingGraph) -> Outcome<Moments<'g, f64>> {
    let bytes = std::fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    let other = || {
        Failure::data(format!("{} does not belong to this plan", path.display()))
            .hint("accumulate every shard with the same plan file")
    };
    let (print, sums) = bytes.split_first_chunk::<8>().ok_or_else(other)?;
    if u64::from_le_bytes(*print) != plan.print {
        return Err(other());
    }
    Moments::from_bytes(graph, sums).map_err(|error| named(path, error))
}

/// A failure with the file it belongs to.
pub fn named(path: &Path, error: gsfa::Error) -> Failure {
    let failure = Failure::from(error);
    let fault = if failure.fault == Fault::Usage { Fault::Usage } else { Fault::Data };
    Failure { fault, message: format!("{}: {}", path.display(), failure.message), hint: failure.hint }
}
