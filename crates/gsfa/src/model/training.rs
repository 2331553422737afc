//! A network under training as bytes: trained layers and what the next one has learned so far.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::container::{self, Front};
use super::flaw::Flaw;
use super::header::{NodeSummary, summaries};
use super::network_parts;
use crate::network::{Network, NetworkSpec, Trainer};
use crate::samples::Precision;
use crate::{Error, Result};

/// The format of these bytes.
const FORMAT: u64 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// Also what tells them from a model.
    training: u64,
    network: NetworkSpec,
    single: bool,
    /// Nodes of finished layers.
    layers: Vec<Vec<Option<NodeSummary>>>,
    /// Whether nodes of the next layer are prepared.
    prepared: bool,
}

impl Trainer {
    /// The training so far, for another process to go on from.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a number cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let header = Header {
            training: FORMAT,
            network: self.spec().clone(),
            single: self.precision() == Precision::Single,
            layers: summaries(self.layers()),
            prepared: self.prepared().is_some(),
        };
        let text = serde_json::to_string(&header)
            .map_err(|error| Error::parameter("training", "header", error.to_string()))?;
        let layers = self.layers().iter().cloned().chain(self.prepared().map(<[_]>::to_vec)).collect();
        container::pack(text, &network_parts::to_tensors(&Network { spec: self.spec().clone(), layers }))
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// [`Error::ModelFile`] and others of damaged files, with the path `<bytes>`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        read(bytes).map_err(|flaw| flaw.of(Path::new("<bytes>")))
    }
}

fn read(mut bytes: &[u8]) -> std::result::Result<Trainer, Flaw> {
    let len = bytes.len() as u64;
    let front = Front::read(&mut bytes, len)?;
    let header: Header = serde_json::from_str(front.text())
        .map_err(|error| Flaw::reason(format!("this is no training of this version of gsfa: {error}")))?;
    if header.training != FORMAT {
        return Err(Flaw::reason(format!("this is a training of format {}, not {FORMAT}", header.training)));
    }
    let mut tensors = front.tensors(&mut bytes)?;
    let finished = header.layers.len();
    let known = finished + usize::from(header.prepared);
    if known > header.network.layers.len() {
        return Err(Flaw::reason("it has more layers than its network"));
    }
    let below = header.network.first_layers(known);
    let mut layers = header.layers;
    if header.prepared {
        let plan = header.network.plan()?;
        layers.push(vec![None; plan.layers[finished].count()]);
    }
    let mut nodes = match known {
        0 => Vec::new(),
        _ => network_parts::from_tensors(&below, &layers, &mut tensors)?.layers,
    };
    if let Some(name) = tensors.into_keys().next() {
        return Err(Flaw::reason(format!("tensor '{}' does not belong to it", crate::error::brief::text(&name))));
    }
    let prepared = if header.prepared { nodes.pop() } else { None };
    let precision = if header.single { Precision::Single } else { Precision::Double };
    Ok(Trainer::resume(header.network, precision, nodes, prepared)?)
}
