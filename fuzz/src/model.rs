//! Model files behind their checksum: what mutation breaks is repaired, so that the parser goes on.

use gsfa::Model;
use gsfa::graph::{Clustered, Ell, GraphInput, GraphSpec};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::model::Training;
use gsfa::network::{InputShape, LayerSpec, NetworkSpec};
use gsfa::readout::{GaussianClassifier, LinearRegression, NearestCentroid, NearestNeighbors, Readout};
use ndarray::Array2;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Small models of every kind of read-out and network, as files.
pub fn files() -> Vec<Vec<u8>> {
    let samples = Array2::from_shape_fn((16, 4), |(n, i)| ((n * 7 + i * 5) % 11) as f64 + 0.1 * n as f64);
    let numbers = Labels::numbers("age", (0..16).map(|n| f64::from(n) * 1.5).collect());
    let classes = Labels::classes("kind", (0..16).map(|n| if n % 3 == 0 { "a" } else { "b" }));
    let pca = r#"{"pca": {"components": 3}, "expansion": {"kind": "expo"}, "output_dim": 2}"#;
    let networks = [vec![LayerSpec::new(2)], vec![serde_json::from_str(pca).expect("a layer"), LayerSpec::new(1)]];
    let gaussian = GaussianClassifier::default();
    let readouts = [
        (&numbers, Readout::LinearRegression(LinearRegression::default())),
        (&numbers, Readout::SoftGc(gaussian)),
        (&numbers, Readout::NearestNeighbors(NearestNeighbors::default())),
        (&classes, Readout::GaussianClassifier(gaussian)),
        (&classes, Readout::NearestCentroid(NearestCentroid::default())),
    ];
    let mut files = Vec::new();
    for layers in networks {
        for (labels, readout) in &readouts {
            let spec: GraphSpec = match labels.columns().next() {
                Some(("age", _)) => Ell { targets: Some(2), ..Ell::default() }.into(),
                _ => Clustered::default().into(),
            };
            let graph = spec.build(&GraphInput::new(labels)).expect("a graph");
            let network = NetworkSpec::new(InputShape::vector(4), layers.clone());
            let trained = network.fit(&samples.view(), &graph).expect("a network");
            let weights = SampleWeights::uniform(16);
            let fitted = readout.fit_all(trained.features.view(), labels, &weights, None).expect("a read-out");
            let training = Training { labels, spec: Some(&spec), graph: &graph };
            let model = Model::new(trained.network, fitted, &training).expect("a model");
            files.push(model.to_bytes().expect("a file"));
        }
    }
    files
}

/// The two parts of a file, to be changed apart: the container's header and the tensors, with a byte between them.
pub fn open(file: &[u8]) -> Vec<u8> {
    let n = u64::from_le_bytes(file[..8].try_into().expect("eight bytes")) as usize;
    [file[8..8 + n].trim_ascii_end(), &[SEPARATOR], &file[8 + n..]].concat()
}

const SEPARATOR: u8 = 0;

/// A file of the two parts, with the right length and, if they can be understood, the right checksum.
pub fn seal(parts: &[u8]) -> Vec<u8> {
    let border = parts.iter().position(|&b| b == SEPARATOR).unwrap_or(parts.len());
    let (header, data) = (&parts[..border], parts.get(border + 1..).unwrap_or_default());
    let mut data = data.to_vec();
    if let Some((at, sum)) = checksum(header, &data) {
        data[at..at + 32].copy_from_slice(&sum);
    }
    [&(header.len() as u64).to_le_bytes()[..], header, &data].concat()
}

/// Where the checksum stands and what it should be, as docs/file-format.md says.
fn checksum(header: &[u8], data: &[u8]) -> Option<(usize, [u8; 32])> {
    let header: Value = serde_json::from_slice(header).ok()?;
    let mut sha = Sha256::new();
    let number = |x: usize| (x as u64).to_le_bytes();
    let text = header["__metadata__"]["gsfa"].as_str()?;
    sha.update(number(text.len()));
    sha.update(text);
    let mut tensors: Vec<(&String, &Value)> =
        header.as_object()?.iter().filter(|(name, _)| *name != "__metadata__").collect();
    tensors.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
    let mut place = None;
    for (name, tensor) in tensors {
        let offset = |k: usize| tensor["data_offsets"][k].as_u64().and_then(|x| usize::try_from(x).ok());
        let bytes = data.get(offset(0)?..offset(1)?)?;
        if name == "checksum" {
            place = (bytes.len() == 32).then_some(offset(0)?);
            continue;
        }
        let shape = tensor["shape"].as_array()?;
        sha.update(number(name.len()));
        sha.update(name);
        sha.update(number(shape.len()));
        for axis in shape {
            sha.update(axis.as_u64()?.to_le_bytes());
        }
        sha.update(bytes);
    }
    Some((place?, sha.finalize().into()))
}
