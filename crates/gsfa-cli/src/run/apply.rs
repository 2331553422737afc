//! What `predict`, `transform` and `evaluate` share: a model, and samples read as its training read them.

use std::path::Path;

use gsfa::Model;
use gsfa::model::Remembered;
use gsfa::samples::{InPrecision, Samples};
use gsfa_data::gtsrb::Part;
use gsfa_data::table::{Missing, Unmatched};
use serde::Deserialize;

use crate::args::{DataArgs, MissingValues, OutputArgs};
use crate::error::{Error, ErrorCode, Result};
use crate::load::{self, Loaded, Request, WantedLabels, in_precision};
use crate::present::{Output, Printer};
use crate::settings::{Reading, Settings};

/// A model file, samples, and where the result goes.
pub struct Apply<'a> {
    pub model: &'a Path,
    pub data: &'a DataArgs,
    pub output: &'a OutputArgs,
    /// A column of sample weights.
    pub weights: Option<&'a str>,
    /// Whether the output may be a drawing.
    pub drawings: bool,
}

/// All of them, opened.
pub struct Application {
    pub model: Model,
    pub loaded: Loaded,
    pub output: Option<Output>,
    source: Box<dyn Samples>,
}

impl Apply<'_> {
    /// Reads the model and finds the samples, with the labels that the wish names.
    pub fn open(&self, wish: impl FnOnce(&Model) -> Result<WantedLabels>, printer: &Printer) -> Result<Application> {
        let model = Model::load(self.model)?;
        let labels = wish(&model)?;
        self.refuse_meaningless(&model, &labels)?;
        let mut settings = settings(model.remembered(), self.data);
        settings.reading.weigh(self.weights);
        let mut inputs = load::inputs(&settings);
        inputs.push(self.model.to_path_buf());
        let output = Output::optional(self.output, &inputs, printer)?;
        output.as_ref().map_or(Ok(()), |output| output.check_format(self.drawings))?;
        let missing = settings.reading.missing;
        if missing == MissingValues::Impute && model.remembered().means.is_none() && takes_rows(&model) {
            return Err(Error::usage(
                ErrorCode::NoMeans,
                format!("{} does not keep the means of its inputs", self.model.display()),
            )
            .hint("use --missing drop; means are kept by gsfa train, and by gsfa solve with --shards of rows that are not prepared as images"));
        }
        let request = Request { settings: &settings, labels, model: Some(&model), part: Part::Test };
        let loaded = load::load(&request, printer)?;
        let source = loaded.to_apply(None, model.remembered(), missing, printer)?;
        Ok(Application { model, loaded, output, source })
    }

    /// Refuses flags without effect; what the model remembers of its own data is not said by anybody now.
    fn refuse_meaningless(&self, model: &Model, labels: &WantedLabels) -> Result {
        let mut said = Settings::default();
        said.apply_data(self.data);
        if let WantedLabels::Named(labels) = labels {
            said.learn = labels.iter().map(|label| label.name.clone()).collect();
        }
        load::refuse_meaningless(&said)?;
        let reading = &said.reading;
        let columns = !reading.columns.is_empty() && model.header().input_names.is_some();
        // Rows of a table that is no images stay what they are, whatever shape they are given.
        let vectors = takes_vectors(model) && model.remembered().image.is_none();
        let shape = !reading.image_shape.is_empty() && vectors;
        if let (Some(said), Some(known)) = (said.reading.shape()?, model.remembered().image)
            && said != known
            && said.dim() == known.dim()
        {
            return Err(Error::usage(
                ErrorCode::MeaninglessFlag,
                format!("--image-shape {said} is another one than that of training, {known}, for as many values"),
            )
            .hint("leave it out: the model knows how its rows are images"));
        }
        let known =
            [("--columns", columns), ("--categories", self.data.categories.is_some()), ("--image-shape", shape)];
        if let Some((flag, _)) = known.into_iter().find(|(_, given)| *given) {
            return Err(Error::usage(
                ErrorCode::MeaninglessFlag,
                format!("{flag} means nothing here: the model reads tables as its training did"),
            )
            .hint("leave it out"));
        }
        let inputs = inputs(model);
        if let Some(name) = reading.ignore.iter().find(|name| inputs.contains(name)) {
            return Err(Error::usage(
                ErrorCode::MeaninglessFlag,
                format!("--ignore {name} means nothing here: it is an input of the model"),
            )
            .hint("train a model without it"));
        }
        let of_labels = [
            ("--labels", said.labels.is_some()),
            ("--missing-labels", reading.missing_labels != Missing::Error),
            ("--file-column", reading.file_column.is_some()),
            ("--unmatched", reading.unmatched != Unmatched::Error),
        ];
        match (labels, of_labels.into_iter().find(|(_, given)| *given)) {
            (WantedLabels::None, Some((flag, _))) => {
                Err(Error::usage(ErrorCode::MeaninglessFlag, format!("{flag} means nothing here: no labels are read"))
                    .hint("gsfa evaluate compares estimates with labels"))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a model takes rows of numbers: columns of a table, or pixels in them.
fn takes_rows(model: &Model) -> bool {
    takes_vectors(model)
        || remembered_reading(model.remembered()).is_some_and(|reading| !reading.image_shape.is_empty())
}

/// Whether samples of a model have no shape.
fn takes_vectors(model: &Model) -> bool {
    model.input_shape().height * model.input_shape().width == 1
}

/// The columns of a table that a model reads.
fn inputs(model: &Model) -> Vec<String> {
    let pixels = remembered_reading(model.remembered()).unwrap_or_default().columns;
    let named = model.header().input_names.iter().flatten().chain(model.remembered().encodings.keys());
    named.cloned().chain(pixels).collect()
}

impl Application {
    /// The samples, in the precision the model was trained in.
    pub fn samples(&self) -> InPrecision<&dyn Samples> {
        in_precision(&*self.source, &self.model.network().spec)
    }
}

/// What the settings of a training say about files that are read later.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RememberedSettings {
    reading: RememberedReading,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RememberedReading {
    ignore: Vec<String>,
    columns: Vec<String>,
    file_column: Option<String>,
    image_shape: Vec<usize>,
}

fn remembered_reading(remembered: &Remembered) -> Option<RememberedReading> {
    let settings: RememberedSettings = serde_json::from_str(remembered.settings.as_deref()?).ok()?;
    Some(settings.reading)
}

/// How new samples are read: as in training, with what the user says now. Settings of another program say nothing here.
fn settings(remembered: &Remembered, args: &DataArgs) -> Settings {
    let mut settings = Settings { preparation: remembered.preparation.clone(), ..Settings::default() };
    let RememberedReading { ignore, columns, file_column, .. } = remembered_reading(remembered).unwrap_or_default();
    settings.reading = Reading { ignore, columns, file_column, ..Reading::default() };
    settings.apply_data(args);
    settings
}

/// What to say of a model without read-out.
pub fn no_readout(path: &Path) -> Error {
    Error::usage(
        ErrorCode::NoReadout,
        format!("{} has no read-out: it gives features, but no estimates", path.display()),
    )
    .hint("gsfa transform gives its features; to estimate, train with --learn, or solve with --shards")
}
