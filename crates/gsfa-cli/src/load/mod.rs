//! Samples and labels of a command: whatever the user has, as rows that belong together.

mod balanced_weights;
mod images;
mod in_memory;
mod joined;
mod label_kinds;
mod meaning;
mod precision;
mod rows;
mod standard_input;
mod stored;
mod tables;
mod training_set;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gsfa::Model;
use gsfa::labels::{Labels, SampleWeights};
use gsfa::model::Remark;
use gsfa::network::InputShape;
use gsfa_data::gtsrb::Part;
use gsfa_data::table::{Encoding, LabelSpec};

pub use balanced_weights::balanced_weights;
pub use in_memory::in_memory;
pub use joined::Joined;
pub use label_kinds::LabelKinds;
pub use meaning::refuse_meaningless;
pub use precision::{in_precision, working_precision};
use stored::{SHAPE_HINT, StoredRows, StoredSamples};
pub use tables::{cured, file_column, label_specs, read_table};
pub use training_set::TrainingSet;

use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::present::{Printer, STANDARD, counted};
use crate::settings::Settings;

/// What a command wants to read.
pub struct Request<'a> {
    pub settings: &'a Settings,
    pub labels: WantedLabels,
    /// The model the samples are for, which knows its input columns.
    pub model: Option<&'a Model>,
    /// The part of GTSRB unless the user says which.
    pub part: Part,
}

impl<'a> Request<'a> {
    /// Samples to learn from, with the labels that the settings name.
    pub fn to_learn(settings: &'a Settings) -> Self {
        Self { settings, labels: WantedLabels::of(settings), model: None, part: Part::Training }
    }

    /// Samples to learn from, without labels: those of a shard.
    pub fn of_shard(settings: &'a Settings) -> Self {
        Self { labels: WantedLabels::None, ..Self::to_learn(settings) }
    }
}

/// Which labels.
pub enum WantedLabels {
    /// None: to predict.
    None,
    /// These; if empty, the only ones there are.
    Named(Vec<LabelSpec>),
}

impl WantedLabels {
    /// The labels that the settings name.
    pub fn of(settings: &Settings) -> Self {
        Self::Named(settings.learn.iter().map(|name| settings.label(name)).collect())
    }
}

/// Samples, and labels if they were wanted, row by row the same.
pub struct Loaded {
    samples: StoredSamples,
    pub labels: Option<Labels>,
    /// What the labels were taken as.
    pub label_kinds: LabelKinds,
    /// Weights of the samples, if a column of them was named.
    weights: Option<Vec<f64>>,
    /// Whether all classes weigh the same.
    balanced: bool,
    /// How columns of words became inputs.
    pub encodings: BTreeMap<String, Encoding>,
    /// Which samples a split must keep together.
    pub groups: Option<Vec<usize>>,
    /// Names of the columns of a table.
    pub names: Option<Vec<String>>,
    /// What identifies a sample: the heading and a text per row.
    pub ids: (String, Vec<String>),
    /// Images that were left out, and why.
    pub skipped: Vec<String>,
    /// What was said of samples and labels, once a model is learned from them.
    pub remarks: Vec<Remark>,
}

impl Loaded {
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// The shape of a sample, prepared.
    pub fn shape(&self) -> Result<InputShape> {
        let (dim, image, _) = self.samples.kind()?;
        Ok(image.unwrap_or(InputShape::vector(dim)))
    }

    /// With what the settings say beside the values: weights of classes, the shape of images, and their preparation.
    fn with_reading(mut self, request: &Request<'_>) -> Result<Self> {
        let reading = &request.settings.reading;
        self.balanced = reading.balanced && !matches!(request.labels, WantedLabels::None);
        let shape = reading.shape()?;
        self.samples = match self.samples {
            StoredSamples::Rows(rows) => StoredSamples::Rows(as_images(rows, shape, request)?),
            images if shape.is_none() => images,
            StoredSamples::Images(_) => return Err(are_images()),
        };
        Ok(self)
    }

    /// Whether a model keeps the means of these samples.
    pub fn has_means(&self) -> bool {
        self.samples.has_means()
    }

    /// The labels, which were asked for.
    pub fn labels(&self) -> Result<&Labels> {
        self.labels
            .as_ref()
            .ok_or_else(|| Error::usage(ErrorCode::NoLabels, "there are no labels").hint("name them with --labels"))
    }

    /// The weights of the samples: 1 unless a column of them was named, or classes are to weigh the same.
    pub fn weights(&self) -> Result<SampleWeights> {
        match &self.weights {
            _ if self.balanced => balanced_weights(self.labels()?),
            Some(weights) => Ok(SampleWeights::new(weights.clone())?),
            None => Ok(SampleWeights::uniform(self.len())),
        }
    }

    /// The weights of some samples, by themselves.
    pub fn weights_of(&self, rows: &[usize]) -> Result<SampleWeights> {
        if self.balanced { balanced_weights(&self.labels()?.select(rows)) } else { Ok(self.weights()?.select(rows)) }
    }

    /// A failure about one of some samples, by its row in the file: others may have been left out.
    pub fn in_file(&self, error: gsfa::Error, rows: Option<&[usize]>) -> Error {
        let loaded = |row: usize| rows.map_or(row, |rows| rows.get(row).copied().unwrap_or(row));
        error.with_rows(|row| self.ids.1.get(loaded(row)).and_then(|id| id.parse().ok()).unwrap_or(row)).into()
    }

    /// The shape of images before they are prepared, if there is one.
    pub fn raw_shape(&self) -> Option<InputShape> {
        self.samples.raw_shape()
    }

    /// Leaves out all other samples.
    fn keep(self, rows: &[usize]) -> Result<Self> {
        let (heading, ids) = self.ids;
        Ok(Self {
            samples: self.samples.select(rows)?,
            labels: self.labels.map(|labels| labels.select(rows)),
            weights: self.weights.map(|weights| pick(&weights, rows)),
            groups: self.groups.map(|groups| pick(&groups, rows)),
            ids: (heading, pick(&ids, rows)),
            ..self
        })
    }

    fn without_weightless(self, printer: &Printer) -> Result<Self> {
        match self.weights.as_ref().and_then(|weights| rows_with_weight(weights, printer)) {
            Some(rows) => self.keep(&rows),
            None => Ok(self),
        }
    }
}

/// Rows as the images that settings, or the model they are for, say they are, with the preparation of images.
fn as_images(rows: StoredRows, shape: Option<InputShape>, request: &Request<'_>) -> Result<StoredRows> {
    let width = rows.width();
    let known = request.model.and_then(|model| model.remembered().image);
    let rows = match (shape, rows.image()) {
        (Some(_), Some(_)) => return Err(are_images()),
        (Some(shape), None) if shape.dim() != Some(width) => {
            let InputShape { height, width: columns, channels } = shape;
            let needed = shape.values();
            return Err(Error::data(
                ErrorCode::ImageShape,
                format!("images of {height}x{columns}x{channels} have {needed} values, rows have {width}"),
            )
            .hint("--columns and --ignore say which columns are pixels"));
        }
        (Some(shape), None) => rows.shaped(shape),
        (None, Some(_)) => rows,
        (None, None) => match known.filter(|known| known.dim() == Some(width)) {
            Some(shape) => rows.shaped(shape),
            None => rows,
        },
    };
    let preparation = request.settings.preparation.clone().filter(|preparation| !preparation.steps.is_empty());
    match (preparation, rows.image(), request.model) {
        (None, ..) => Ok(rows),
        (Some(preparation), Some(_), _) => Ok(rows.prepared(preparation)),
        (Some(_), None, Some(_)) => {
            let images = known.map_or_else(String::new, |shape| format!(" of {shape} pixels"));
            Err(Error::data(
                ErrorCode::ImageShape,
                format!("the model prepares images{images}, and rows of {width} numbers are none"),
            )
            .hint(SHAPE_HINT))
        }
        (Some(preparation), None, None) => Err(meaning::preparation_of_rows(&preparation)),
    }
}

/// What to say of a shape for samples that have one.
fn are_images() -> Error {
    Error::usage(ErrorCode::MeaninglessFlag, "--image-shape is for rows of numbers, these are images")
        .hint("--resize changes the size of images")
}

/// The samples that count, if some have weight 0: those are left out, as graphs and read-outs demand.
pub fn rows_with_weight(weights: &[f64], printer: &Printer) -> Option<Vec<usize>> {
    let (zero, heavy): (Vec<usize>, Vec<usize>) = (0..weights.len()).partition(|&n| weights[n] == 0.0);
    if zero.is_empty() || heavy.is_empty() {
        return None;
    }
    printer.remark(RemarkCode::ZeroWeights, {
        let (have, were) = if zero.len() == 1 { ("has", "was") } else { ("have", "were") };
        format!("{} of {} {have} weight 0 and {were} left out", zero.len(), counted(weights.len(), "sample"))
    });
    Some(heavy)
}

fn pick<T: Clone>(values: &[T], rows: &[usize]) -> Vec<T> {
    rows.iter().map(|&row| values[row].clone()).collect()
}

/// What a path holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Gtsrb,
    Images,
    Npy,
    Npz,
    Table,
}

impl Kind {
    /// Looks at the path; a file's name decides.
    pub fn of(path: &Path) -> Result<Self> {
        if path.as_os_str() == STANDARD {
            return Ok(Self::Table);
        }
        let metadata = std::fs::metadata(path).map_err(|error| Error::io("read", path, &error))?;
        if metadata.is_dir() {
            let holds = |name: &str| path.join(name).is_dir() || path.join("GTSRB").join(name).is_dir();
            let gtsrb = holds("Final_Training") || holds("Final_Test");
            return Ok(if gtsrb { Self::Gtsrb } else { Self::Images });
        }
        let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        Ok(match extension.as_deref() {
            Some("npy") => Self::Npy,
            Some("npz") => Self::Npz,
            _ => Self::Table,
        })
    }
}

/// Reads what was asked for.
pub fn load(request: &Request<'_>, printer: &Printer) -> Result<Loaded> {
    let Some(path) = &request.settings.data else {
        return Err(Error::usage(ErrorCode::NoData, "no data is given")
            .hint("--data FOLDER, --data FILE.npy or --data TABLE.csv"));
    };
    let loaded = match Kind::of(path)? {
        Kind::Gtsrb => images::gtsrb(path, request)?,
        Kind::Images => images::folder(path, request, printer)?,
        Kind::Npy | Kind::Npz => rows::array(path, request, printer)?,
        Kind::Table => tables::table(path, request, printer)?,
    };
    let loaded = loaded.with_reading(request)?;
    for skipped in &loaded.skipped {
        printer.remark(RemarkCode::BadImage, format!("left out {skipped}"));
    }
    if let Some(model) = request.model {
        let (dim, image, _) = loaded.samples.kind()?;
        if image.is_some() && model.input_shape().height * model.input_shape().width > 1 {
            model.check_shape(loaded.shape()?)?;
        }
        let expected = model.input_shape().dim().unwrap_or(0);
        if dim != expected {
            return Err(gsfa::Error::InputDim { expected, got: dim }.into());
        }
    }
    loaded.without_weightless(printer)
}

/// All inputs of a request, which an output must not be.
pub fn inputs(settings: &Settings) -> Vec<PathBuf> {
    settings.data.iter().chain(&settings.labels).chain(&settings.files).cloned().collect()
}
