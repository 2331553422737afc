//! What a model file says in words: everything that is not a large array.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::container::Front;
use super::flaw::Flaw;
use super::remark::Remark;
use super::remembered::Remembered;
use crate::graph::{GraphSpec, TrainingGraph};
use crate::labels::{LabelValues, Labels};
use crate::network::{Network, NetworkSpec, Node};
use crate::readout::{Calibration, PartsHeader, Readout};
use crate::{Error, Result, SlowFeatures};

/// The format this library writes, and the newest it reads.
pub const FORMAT: u64 = 3;

/// Up to this format, files hold whatever their caller wrote where later ones say what they remember.
const LAST_WITH_EXTRA: u64 = 2;

/// The oldest format that is read.
const OLDEST: u64 = 1;

/// The header of a model file. It can be read alone, without the arrays: to look at a model, damaged ones included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The format of the file.
    pub format: u64,
    /// The version of the library that trained the model.
    pub library: String,
    /// The network, and with it the shape of a sample.
    pub network: NetworkSpec,
    /// Names of the input columns, in the order of training.
    pub input_names: Option<Vec<String>>,
    /// The graph it was trained with; `None` for one made by hand.
    pub graph: Option<GraphSpec>,
    /// The labels of training.
    pub labels: Vec<LabelInfo>,
    /// What an ELL or compact graph was built to learn.
    pub targets: Option<TargetInfo>,
    /// The read-outs, in the order of estimates.
    pub readouts: Vec<ReadoutInfo>,
    /// How training went.
    pub summary: Summary,
    /// What was asked for, what was chosen, and how samples become inputs.
    pub remembered: Remembered,
}

/// A label of training.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelInfo {
    /// Its name.
    pub name: String,
    /// Its classes in their order; `None` for numbers.
    pub classes: Option<Vec<String>>,
}

/// The target labels of a graph, beside their [`Recovery`](crate::readout::Recovery).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetInfo {
    /// Names of the target labels, in the order of importance given.
    pub names: Vec<String>,
    /// Names of the raw labels they were made from.
    pub raw_names: Vec<String>,
    /// How many of the raw labels, the leading ones, are labels of training.
    pub originals: usize,
    /// λ of each target label.
    pub eigenvalues: Vec<f64>,
    /// λ₀.
    pub lambda0: f64,
}

/// A read-out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadoutInfo {
    /// The label it estimates.
    pub label: String,
    /// What was asked for, or chosen; format 1 does not say.
    #[serde(default)]
    pub settings: Option<Readout>,
    /// Its kind, and what it needs beside arrays.
    pub fitted: PartsHeader,
    /// What left-out samples say about it.
    #[serde(default)]
    pub calibration: Option<Calibration>,
}

/// How training went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// N.
    pub samples: usize,
    /// Q, the sum of the vertex weights.
    pub q: f64,
    /// R, the sum of the edge weights.
    pub r: f64,
    /// Remarks about the graph.
    pub notes: Vec<Remark>,
    /// The nodes of each layer, row by row; `None` for nodes whose field did not vary in training.
    pub layers: Vec<Vec<Option<NodeSummary>>>,
}

/// How training of a node went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeSummary {
    /// Δ of each feature on the training samples.
    pub delta_values: Vec<f64>,
    /// ρ², the squared correlation of each feature with its target label, where it has one.
    pub correlations: Vec<Option<f64>>,
    /// Directions of the expanded inputs that carry variance.
    pub rank: usize,
    /// Constant expanded inputs.
    pub dead_columns: usize,
    /// Dependent directions among the others.
    pub dropped_directions: usize,
    /// How many features are off the level of noise.
    pub informative: usize,
    /// What the outputs of a node that keeps information say of its inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<KeptShare>,
    /// Remarks.
    pub notes: Vec<Remark>,
}

/// What the outputs of a node say of its inputs, on the training samples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptShare {
    /// The variance of all inputs together.
    pub variance: f64,
    /// The share of it that the best linear estimate from the outputs explains.
    pub explained: f64,
}

/// The part of a header that every format has.
#[derive(Deserialize)]
struct Stamp {
    format: u64,
    #[serde(default)]
    library: String,
}

impl Header {
    /// Reads the header of a model file alone. The arrays and the checksum are not looked at.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::ModelEnds`], [`Error::ModelVersion`] or [`Error::ModelFile`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let (mut file, len): (File, u64) = super::opened(path)?;
        let front = Front::read(&mut file, len).map_err(|flaw| flaw.of(path))?;
        Self::parse(front.text()).map_err(|flaw| flaw.of(path))
    }

    pub(super) fn parse(text: &str) -> std::result::Result<Self, Flaw> {
        let json = |error: serde_json::Error| Flaw::reason(format!("its header is not understood: {error}"));
        let Stamp { format, library } = serde_json::from_str(text).map_err(json)?;
        if format > FORMAT {
            return Err(Flaw::Version { format, library });
        }
        if format < OLDEST {
            return Err(Flaw::reason(format!("there is no format {format}")));
        }
        if format > LAST_WITH_EXTRA {
            return serde_json::from_str(text).map_err(json);
        }
        let mut header: Map<String, Value> = serde_json::from_str(text).map_err(json)?;
        let remembered = Remembered::of_extra(header.remove("extra").unwrap_or_default()).map_err(json)?;
        header.insert("remembered".into(), serde_json::to_value(remembered).map_err(json)?);
        serde_json::from_value(header.into()).map_err(json)
    }

    /// The header as text.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it could not be read back: JSON has no NaN and no infinity.
    pub(super) fn text(&self) -> Result<String> {
        let refuse = |reason| Error::parameter("model", "header", reason);
        let text = serde_json::to_string(self).map_err(|error| refuse(error.to_string()))?;
        match Self::parse(&text) {
            Ok(back) if back == *self => Ok(text),
            _ => Err(refuse("a number in a specification or in the summary is not finite".into())),
        }
    }

    /// Refuses labels, targets and read-outs that contradict each other.
    pub(super) fn check(&self) -> Result<()> {
        let mut names = BTreeSet::new();
        if let Some(label) = self.labels.iter().find(|label| !names.insert(&label.name)) {
            return Err(Error::parameter("label", &label.name, "two labels have this name"));
        }
        let mut read = BTreeSet::new();
        for readout in &self.readouts {
            let Some(label) = self.labels.iter().find(|label| label.name == readout.label) else {
                let available = self.labels.iter().map(|label| label.name.clone()).collect();
                return Err(Error::UnknownLabel { name: readout.label.clone(), available });
            };
            if !read.insert(&readout.label) {
                return Err(Error::parameter("readout", &readout.label, "two read-outs estimate this label"));
            }
            readout.calibration.as_ref().map_or(Ok(()), Calibration::check)?;
            if readout.fitted.classes() != label.classes.as_deref() {
                let reason = "the classes of the read-out are not those of the label";
                return Err(Error::parameter("readout", &readout.label, reason));
            }
        }
        if let Some(targets) = &self.targets {
            if targets.eigenvalues.len() != targets.names.len() {
                let (given, targets) = (targets.eigenvalues.len(), targets.names.len());
                return Err(Error::EigenvalueCount { given, targets });
            }
            if targets.originals > targets.raw_names.len() {
                let reason = format!("there are {} raw labels", targets.raw_names.len());
                return Err(Error::parameter("originals", targets.originals, reason));
            }
        }
        Ok(())
    }
}

impl LabelInfo {
    pub(super) fn all(labels: &Labels) -> Vec<Self> {
        let info = |(name, values): (&str, &LabelValues)| Self {
            name: name.to_string(),
            classes: match values {
                LabelValues::Numbers(_) => None,
                LabelValues::Classes(classes) => Some(classes.names().to_vec()),
            },
        };
        labels.columns().map(info).collect()
    }
}

impl TargetInfo {
    pub(super) fn of(graph: &TrainingGraph) -> Option<Self> {
        let targets = graph.targets()?;
        Some(Self {
            names: targets.labels.names().to_vec(),
            raw_names: targets.labels.raw_names().to_vec(),
            originals: targets.labels.originals(),
            eigenvalues: targets.eigenvalues.values.clone(),
            lambda0: targets.eigenvalues.lambda0,
        })
    }
}

impl Summary {
    pub(super) fn of(graph: &TrainingGraph, network: &Network) -> Self {
        // A graph that was built without knowing the network does not have this one.
        let narrow = network.spec.narrow_note(graph).filter(|note| !graph.notes().contains(note));
        let notes = Remark::all(graph.notes().iter().chain(&narrow));
        Self { samples: graph.samples(), q: graph.q(), r: graph.r(), notes, layers: summaries(&network.layers) }
    }
}

/// How training of nodes went.
pub(super) fn summaries(layers: &[Vec<Node>]) -> Vec<Vec<Option<NodeSummary>>> {
    let node = |slow: &SlowFeatures| NodeSummary {
        delta_values: slow.delta_values.clone(),
        correlations: slow.correlations.clone(),
        rank: slow.rank,
        dead_columns: slow.dead_columns,
        dropped_directions: slow.dropped_directions,
        informative: slow.informative,
        kept: slow.kept.as_ref().map(|kept| KeptShare { variance: kept.variance, explained: kept.explained }),
        notes: Remark::all(&slow.notes),
    };
    layers.iter().map(|nodes| nodes.iter().map(|n| n.slow.as_ref().map(node)).collect()).collect()
}

impl PartsHeader {
    /// The names of the classes; `None` if the label has numbers.
    fn classes(&self) -> Option<&[String]> {
        match self {
            Self::Linear => None,
            Self::Gaussian { classes, .. } | Self::NearestNeighbors { classes, .. } => classes.as_deref(),
            Self::NearestCentroid { classes } => Some(classes),
        }
    }
}
