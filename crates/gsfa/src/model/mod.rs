//! A trained model as one value and one file: everything that estimates labels of new samples.
//!
//! The file is specified in `docs/file-format.md`: safetensors with a JSON header. It holds data only; reading it runs no
//! code, trusts nothing, and gives the same bits as before saving.

mod container;
mod flaw;
mod header;
mod input;
mod linear;
mod network_parts;
mod remark;
mod remembered;
mod training;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use ndarray::{Array1, Array2};

pub use crate::file::Overwrite;
pub use header::{FORMAT, Header, KeptShare, LabelInfo, NodeSummary, ReadoutInfo, Summary, TargetInfo};
pub use linear::Affine;
pub use remark::Remark;
pub use remembered::{Baseline, ClassValues, ClassWeights, Remembered};

use crate::error::brief::text;
use crate::file;
use crate::graph::{GraphSpec, TrainingGraph};
use crate::labels::Labels;
use crate::network::Network;
use crate::readout::{Estimates, FittedReadout, LabelReadout, Parts, Recovery};
use crate::samples::Samples;
use crate::{Error, Result};
use container::{Front, Tensors};
use flaw::Flaw;

/// What a model was trained on.
#[derive(Debug, Clone, Copy)]
pub struct Training<'a> {
    /// The labels of the samples.
    pub labels: &'a Labels,
    /// The specification of the graph; `None` if it was made by hand, or is a list of edges too long to keep.
    pub spec: Option<&'a GraphSpec>,
    /// The graph.
    pub graph: &'a TrainingGraph,
}

/// A trained network with its read-outs, and what is known about both.
///
/// ```
/// use gsfa::Model;
/// use gsfa::graph::{Ell, GraphInput, GraphSpec};
/// use gsfa::labels::{Labels, SampleWeights};
/// use gsfa::model::Training;
/// use gsfa::network::{InputShape, LayerSpec, NetworkSpec};
/// use gsfa::readout::{LinearRegression, Readout};
/// use ndarray::array;
/// let x = array![[0.0, 1.0], [1.0, 1.5], [2.0, 0.5], [3.0, 1.0]];
/// let labels = Labels::numbers("age", vec![10.0, 20.0, 30.0, 40.0]);
/// let spec = GraphSpec::from(Ell::default());
/// let graph = spec.build(&GraphInput::new(&labels))?;
/// let network = NetworkSpec::new(InputShape::vector(2), vec![LayerSpec::new(1)]);
/// let trained = network.fit(&x.view(), &graph)?;
/// let readout = Readout::LinearRegression(LinearRegression::default());
/// let readouts = readout.fit_all(trained.features.view(), &labels, &SampleWeights::uniform(4), None)?;
/// let training = Training { labels: &labels, spec: Some(&spec), graph: &graph };
/// let model = Model::new(trained.network, readouts, &training)?;
///
/// let again = Model::from_bytes(&model.to_bytes()?)?; // or `save` and `load`
/// assert_eq!(again, model);
/// let (name, estimates) = &again.estimate(&array![[1.5, 1.0]].view())?[0];
/// assert_eq!(name, "age");
/// assert!((estimates.numbers().unwrap()[0] - 25.0).abs() < 1e-9);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    header: Header,
    network: Network,
    readouts: Vec<LabelReadout>,
    recovery: Option<Recovery>,
}

impl Model {
    /// Puts together what training gave. Remarks of nodes move to the [`summary`](Self::summary).
    ///
    /// # Errors
    /// If the parts do not fit together: [`Error::Shape`], [`Error::Parameter`] or [`Error::UnknownLabel`].
    pub fn new(mut network: Network, readouts: Vec<LabelReadout>, training: &Training<'_>) -> Result<Self> {
        let info = |readout: &LabelReadout| ReadoutInfo {
            label: readout.label.clone(),
            settings: readout.settings,
            fitted: readout.fitted.to_parts().header,
            calibration: readout.calibration,
        };
        let header = Header {
            format: FORMAT,
            library: env!("CARGO_PKG_VERSION").into(),
            network: network.spec.clone(),
            input_names: None,
            graph: training.spec.cloned(),
            labels: LabelInfo::all(training.labels),
            targets: TargetInfo::of(training.graph),
            readouts: readouts.iter().map(info).collect(),
            summary: Summary::of(training.graph, &network),
            remembered: Remembered::default(),
        };
        network.layers.iter_mut().flatten().filter_map(|node| node.slow.as_mut()).for_each(|slow| slow.notes.clear());
        network_parts::check(&network)?;
        let recovery = training.graph.targets().map(|targets| {
            let labels = &targets.labels;
            let means = Array1::from(labels.means().to_vec());
            Recovery::new(labels.raw_names().to_vec(), means, labels.transform().to_owned())
        });
        let model = Self { header, network, readouts, recovery: recovery.transpose()? };
        model.check()?;
        Ok(model)
    }

    /// With names of the input columns, so that [`column_order`](Self::column_order) finds them again.
    ///
    /// # Errors
    /// If there are not as many names as inputs, or two are the same.
    pub fn with_input_names(mut self, names: Vec<String>) -> Result<Self> {
        self.header.input_names = Some(names);
        self.check()?;
        Ok(self)
    }

    /// With what it remembers.
    ///
    /// # Errors
    /// [`Error::Shape`] if the means are not one for each input.
    pub fn with_remembered(mut self, remembered: Remembered) -> Result<Self> {
        self.header.remembered = remembered;
        self.check()?;
        Ok(self)
    }

    /// Everything but the arrays.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How training went.
    pub fn summary(&self) -> &Summary {
        &self.header.summary
    }

    /// What was asked for, what was chosen, and how samples become inputs.
    pub fn remembered(&self) -> &Remembered {
        &self.header.remembered
    }

    /// The trained network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The read-outs with the labels they estimate.
    pub fn readouts(&self) -> &[LabelReadout] {
        &self.readouts
    }

    /// How raw labels follow from the target labels of an ELL or compact graph.
    pub fn recovery(&self) -> Option<&Recovery> {
        self.recovery.as_ref()
    }

    /// The slow features of samples, one row each.
    ///
    /// # Errors
    /// [`Error::InputDim`] if samples have another number of values than in training, or reading fails.
    pub fn features(&self, samples: &dyn Samples) -> Result<Array2<f64>> {
        self.network.apply(samples)
    }

    /// Estimates of every label that has a read-out.
    ///
    /// # Errors
    /// As [`features`](Self::features); [`Error::NonFiniteSample`] if a feature is not finite.
    pub fn estimate(&self, samples: &dyn Samples) -> Result<Vec<(String, Estimates)>> {
        let features = self.features(samples)?;
        self.readouts.iter().map(|readout| Ok((readout.label.clone(), readout.estimate(features.view())?))).collect()
    }

    /// Writes the model. The file is complete or not there at all, and whatever fails, an older one stays as it was.
    ///
    /// # Errors
    /// [`Error::FileExists`], [`Error::Save`] with the bytes needed, or as [`to_bytes`](Self::to_bytes).
    pub fn save(&self, path: impl AsRef<Path>, overwrite: Overwrite) -> Result<()> {
        let (path, bytes) = (path.as_ref(), self.to_bytes()?);
        file::write(path, &bytes, overwrite).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::FileExists { path: path.to_path_buf() },
            _ => Error::Save { path: path.to_path_buf(), bytes: bytes.len(), message: error.to_string() },
        })
    }

    /// Reads a model.
    ///
    /// # Errors
    /// [`Error::Read`], or what is wrong with the file: [`Error::ModelFile`], [`Error::ModelEnds`],
    /// [`Error::ModelVersion`], [`Error::ModelChecksum`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let (mut file, len) = opened(path)?;
        Self::read(&mut file, len).map_err(|flaw| flaw.of(path))
    }

    /// The bytes of a model file: the same ones for the same training.
    ///
    /// # Errors
    /// [`Error::Parameter`] if the header is too long, or has a number that JSON cannot hold.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut tensors = network_parts::to_tensors(&self.network);
        for (number, readout) in (1..).zip(&self.readouts) {
            let arrays = readout.fitted.to_parts().arrays.into_iter();
            tensors.extend(arrays.map(|(name, array)| (format!("readout{number}.{name}"), array)));
        }
        if let Some(recovery) = &self.recovery {
            tensors.insert("targets.means".into(), recovery.means().to_owned().into_dyn());
            tensors.insert("targets.transform".into(), recovery.transform().to_owned().into_dyn());
        }
        container::pack(self.header.text()?, &tensors)
    }

    /// The model in the bytes of a file.
    ///
    /// # Errors
    /// As [`load`](Self::load), with the path `<bytes>`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::read(&mut &bytes[..], bytes.len() as u64).map_err(|flaw| flaw.of(Path::new("<bytes>")))
    }

    fn read(reader: &mut impl Read, len: u64) -> std::result::Result<Self, Flaw> {
        let front = Front::read(reader, len)?;
        // Older formats have less to say: what is missing has its default.
        let header = Header { format: FORMAT, ..Header::parse(front.text())? };
        let mut tensors = front.tensors(reader)?;
        let network = network_parts::from_tensors(&header.network, &header.summary.layers, &mut tensors)?;
        let readouts = (1..).zip(&header.readouts).map(|(number, info)| read_readout(number, info, &mut tensors));
        let readouts = readouts.collect::<Result<Vec<_>>>()?;
        let recovery = header.targets.as_ref().map(|targets| read_recovery(targets, &mut tensors)).transpose()?;
        if let Some(name) = tensors.into_keys().next() {
            return Err(Flaw::reason(format!("tensor '{}' does not belong to the model", text(&name))));
        }
        let model = Self { header, network, readouts, recovery };
        model.check()?;
        Ok(model)
    }

    /// What must hold between the parts, each of which is sound.
    fn check(&self) -> Result<()> {
        self.header.check()?;
        let features = self.network.output_dim();
        if let Some(readout) = self.readouts.iter().find(|readout| readout.fitted.input_dim() > features) {
            let reason = format!("it uses {} features, there are {features}", readout.fitted.input_dim());
            return Err(Error::parameter("readout", &readout.label, reason));
        }
        let inputs = self.input_shape().dim().unwrap_or(0);
        let Remembered { means, preparation, image, .. } = &self.header.remembered;
        if let Some(means) = means {
            // Values are replaced before images are prepared.
            let raw = image.filter(|_| preparation.is_some()).and_then(|shape| shape.dim());
            Error::check_shape("the list of means", &[means.len()], &[raw.unwrap_or(inputs)])?;
        }
        let Some(names) = &self.header.input_names else { return Ok(()) };
        Error::check_shape("the list of input names", &[names.len()], &[inputs])?;
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(twice) => Err(Error::parameter("input_names", twice[0], "two inputs have this name")),
            None => Ok(()),
        }
    }
}

fn read_readout(number: usize, info: &ReadoutInfo, tensors: &mut Tensors) -> Result<LabelReadout> {
    let prefix = format!("readout{number}.");
    let own = tensors.range(prefix.clone()..).map(|(name, _)| name).take_while(|name| name.starts_with(&prefix));
    let own: Vec<String> = own.cloned().collect();
    let arrays = own.into_iter().filter_map(|name| Some((name[prefix.len()..].to_string(), tensors.remove(&name)?)));
    let arrays = arrays.collect();
    let fitted = FittedReadout::from_parts(Parts { header: info.fitted.clone(), arrays })?;
    let (label, settings, calibration) = (info.label.clone(), info.settings, info.calibration);
    Ok(LabelReadout { label, settings, fitted, calibration })
}

fn read_recovery(targets: &TargetInfo, tensors: &mut Tensors) -> Result<Recovery> {
    let means: Array1<f64> = network_parts::take(tensors, "targets.means".into())?;
    let transform: Array2<f64> = network_parts::take(tensors, "targets.transform".into())?;
    Error::check_shape("targets.transform", transform.shape(), &[targets.names.len(), targets.raw_names.len()])?;
    Recovery::new(targets.raw_names.clone(), means, transform)
}

/// A model file, opened for reading.
fn opened(path: &Path) -> Result<(File, u64)> {
    file::open(path).map_err(|error| Error::Read { path: path.to_path_buf(), message: error.to_string() })
}
