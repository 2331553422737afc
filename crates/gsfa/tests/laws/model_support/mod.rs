//! Small models of every kind, and a second, independent writer of model files for hostile ones.
use std::collections::BTreeMap;
use std::path::PathBuf;

use gsfa::Model;
use gsfa::expansion::{Clip, Expansion};
use gsfa::graph::{Compact, Ell, GraphInput, GraphSpec};
use gsfa::labels::{Labels, SampleWeights};
use gsfa::model::{Baseline, Remembered, Training};
use gsfa::network::{Gate, InputShape, LayerSpec, NetworkSpec, PcaSpec, Skip};
use gsfa::preparation::{Preparation, Step};
use gsfa::readout::{
    GaussianClassifier, LabelReadout, LinearRegression, LinearScaling, NearestCentroid, NearestNeighbors, Readout,
    Recovery,
};
use ndarray::Array2;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::Draws;

/// Images of 4×6 pixels whose last two rows are black, so that some nodes are dead, and labels hidden in them.
pub fn images(samples: usize, seed: u64) -> (Array2<f64>, Vec<f64>) {
    let mut draws = Draws::new(seed);
    let label: Vec<f64> = (0..samples).map(|n| (n % 7) as f64).collect();
    let value = |(n, i): (usize, usize)| {
        let noise = draws.normal();
        if i >= 12 { 0.0 } else { 0.3 * label[n] * ((i % 5) as f64 - 2.0) + noise }
    };
    (Array2::from_shape_fn((samples, 24), value), label)
}

/// Two layers with everything a node can have: PCA by variance, clipping, 0.8Expo, skip, dead nodes, several labels
/// through the transform of an ELL graph.
pub fn hierarchy() -> Model {
    let (x, label) = images(60, 1);
    let other: Vec<f64> = (0..60).map(|n| (n % 4) as f64).collect();
    let labels = Labels::numbers("age", label).and_numbers("size", other).unwrap();
    let spec = GraphSpec::from(Ell { targets: Some(4), ..Ell::default() });
    let graph = spec.build(&GraphInput::new(&labels)).unwrap();
    let first = LayerSpec {
        field: Some([2, 3]),
        pca: Some(PcaSpec { variance: Some(0.9), ..PcaSpec::default() }),
        clip: Some(Clip { sigmas: 3.0 }),
        expansion: Expansion::EXPO_08,
        ..LayerSpec::new(3)
    };
    let gate = Gate { patch: Some([2, 3]), features: Some(4), squares: 0.1, ..Gate::components(5) };
    let top = LayerSpec { skip: Some(Skip { feature_scale: 0.5, gate: Some(gate) }), ridge: 1e-3, ..LayerSpec::new(4) };
    let network = NetworkSpec::new(InputShape::grey(4, 6), vec![first, top]);
    let trained = network.fit(&x.view(), &graph).unwrap();
    let targets = &graph.targets().unwrap().labels;
    let names = targets.raw_names().to_vec();
    let recovery = Recovery::new(names, targets.means().to_vec().into(), targets.transform().to_owned()).unwrap();
    let scaling = Readout::LinearScaling(LinearScaling::default());
    let weights = SampleWeights::uniform(60);
    let mut readouts = scaling.fit_all(trained.features.view(), &labels, &weights, Some(&recovery)).unwrap();
    let soft = Readout::SoftGc(GaussianClassifier { features: Some(2), ..GaussianClassifier::default() });
    readouts[1] = soft.fit_all(trained.features.view(), &labels, &weights, None).unwrap().remove(1);
    let training = Training { labels: &labels, spec: Some(&spec), graph: &graph };
    Model::new(trained.network, readouts, &training)
        .unwrap()
        .with_remembered(Remembered {
            baselines: [
                ("age".to_string(), Baseline::Number(-1e-300)),
                ("ä\n\"\u{1}".into(), Baseline::Class("b".into())),
            ]
            .into(),
            means: Some((0..24).map(|i| 0.1 * f64::from(i)).collect()),
            preparation: Some(Preparation { steps: vec![Step::Grey, Step::Resize { height: 4, width: 6 }] }),
            settings: Some(json!({"list": [1, 2.5, null, "ä\n\"\u{1}"]}).to_string()),
            ..Remembered::default()
        })
        .unwrap()
}

/// One quadratic node with whitened components, class labels, and a read-out of each kind for classes.
pub fn classifier() -> Model {
    let (x, label) = images(40, 2);
    let signs: Vec<String> = label.iter().map(|x| format!("sign \"{x}\"")).collect();
    let labels = Labels::classes("near", &signs)
        .and_classes("neighbours", &signs)
        .and_then(|labels| labels.and_classes("gauss", &signs))
        .and_then(|labels| labels.and_numbers("regression", label))
        .unwrap();
    let spec = GraphSpec::from(Compact { label: Some("near".into()), ..Compact::default() });
    let graph = spec.build(&GraphInput::new(&labels)).unwrap();
    let pca = Some(PcaSpec { whiten: true, ..PcaSpec::components(4) });
    let layer = LayerSpec { pca, expansion: Expansion::QUADRATIC, ..LayerSpec::new(3) };
    let network = NetworkSpec::new(InputShape::vector(24), vec![layer]);
    let trained = network.fit(&x.view(), &graph).unwrap();
    let gauss = GaussianClassifier { features: Some(2), ..GaussianClassifier::default() };
    let specs = [
        Readout::NearestCentroid(NearestCentroid::default()),
        Readout::NearestNeighbors(NearestNeighbors::default()),
        Readout::GaussianClassifier(gauss),
        Readout::LinearRegression(LinearRegression::default()),
    ];
    let weights = SampleWeights::uniform(40);
    let readouts = labels.columns().zip(specs).map(|((name, label), spec)| {
        let training = gsfa::readout::LabeledFeatures::new(trained.features.view(), name, label, &weights).unwrap();
        let (label, fitted) = (name.to_string(), spec.fit(&training).unwrap());
        LabelReadout { label, settings: Some(spec), fitted, calibration: None }
    });
    let readouts = readouts.collect();
    let training = Training { labels: &labels, spec: Some(&spec), graph: &graph };
    let model = Model::new(trained.network, readouts, &training).unwrap();
    model.with_input_names((0..24).map(|i| format!("column {i}")).collect()).unwrap()
}

/// One linear node of two inputs and one read-out: a small file.
pub fn tiny() -> Model {
    linear(2, LayerSpec::new(1))
}

/// One node with standardised inputs.
pub fn standardized(inputs: usize) -> Model {
    linear(inputs, LayerSpec { standardize: true, ridge: 0.1, ..LayerSpec::new(1) })
}

fn linear(inputs: usize, layer: LayerSpec) -> Model {
    let mut draws = Draws::new(3);
    let x = Array2::from_shape_fn((9, inputs), |_| draws.normal());
    let labels = Labels::numbers("l", x.outer_iter().map(|row| row[0] + 0.2 * row[1]).collect());
    let spec = GraphSpec::from(Ell::default());
    let graph = spec.build(&GraphInput::new(&labels)).unwrap();
    let network = NetworkSpec::new(InputShape::vector(inputs), vec![layer]);
    let trained = network.fit(&x.view(), &graph).unwrap();
    let readout = Readout::LinearScaling(LinearScaling::default());
    let readouts = readout.fit_all(trained.features.view(), &labels, &SampleWeights::uniform(9), None).unwrap();
    Model::new(trained.network, readouts, &Training { labels: &labels, spec: Some(&spec), graph: &graph }).unwrap()
}

/// A folder of its own for every test, gone afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gsfa-model-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Names of the files in it.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A model file taken apart by the letter of its specification, to be changed and put together again.
#[derive(Clone)]
pub struct Dissected {
    pub header: Value,
    pub tensors: BTreeMap<String, Tensor>,
}

#[derive(Clone)]
pub struct Tensor {
    pub dtype: String,
    pub shape: Vec<u64>,
    pub bytes: Vec<u8>,
}

impl Dissected {
    pub fn new(file: &[u8]) -> Self {
        let n = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
        let json: Value = serde_json::from_slice(&file[8..8 + n]).unwrap();
        let header = serde_json::from_str(json["__metadata__"]["gsfa"].as_str().unwrap()).unwrap();
        let tensors = json.as_object().unwrap().iter().filter(|(name, _)| *name != "__metadata__");
        let tensor = |(name, info): (&String, &Value)| {
            let at = |k: usize| 8 + n + info["data_offsets"][k].as_u64().unwrap() as usize;
            let shape = info["shape"].as_array().unwrap().iter().map(|side| side.as_u64().unwrap()).collect();
            let dtype = info["dtype"].as_str().unwrap().to_string();
            (name.clone(), Tensor { dtype, shape, bytes: file[at(0)..at(1)].to_vec() })
        };
        Self { header, tensors: tensors.map(tensor).collect() }
    }

    /// The checksum as the specification defines it.
    pub fn checksum(&self) -> Vec<u8> {
        let mut hash = Sha256::new();
        let text = self.header.to_string();
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(&text);
        for (name, tensor) in self.tensors.iter().filter(|(name, _)| *name != "checksum") {
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name);
            hash.update((tensor.shape.len() as u64).to_le_bytes());
            tensor.shape.iter().for_each(|side| hash.update(side.to_le_bytes()));
            hash.update(&tensor.bytes);
        }
        hash.finalize().to_vec()
    }

    /// A file with a right checksum.
    pub fn sealed(&self) -> Vec<u8> {
        let mut sealed = self.clone();
        let bytes = self.checksum();
        sealed.tensors.insert("checksum".into(), Tensor { dtype: "U8".into(), shape: vec![32], bytes });
        sealed.assemble(sealed.tensors.keys().rev())
    }

    /// A file with the tensors in the given order and whatever checksum there is.
    pub fn assemble<'a>(&'a self, order: impl Iterator<Item = &'a String>) -> Vec<u8> {
        let mut json = json!({"__metadata__": {"gsfa": self.header.to_string()}});
        let mut data = Vec::new();
        for name in order {
            let Tensor { dtype, shape, bytes } = &self.tensors[name];
            let start = data.len();
            data.extend(bytes);
            json[name] = json!({"dtype": dtype, "shape": shape, "data_offsets": [start, data.len()]});
        }
        container(&json.to_string(), &data)
    }
}

/// A safetensors file of a header and data.
pub fn container(json: &str, data: &[u8]) -> Vec<u8> {
    [&(json.len() as u64).to_le_bytes(), json.as_bytes(), data].concat()
}
