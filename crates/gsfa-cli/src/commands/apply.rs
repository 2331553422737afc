//! What `predict`, `transform` and `evaluate` share: a model, and samples read as its training read them.

use std::path::Path;

use gsfa::Model;
use gsfa::samples::{InPrecision, Samples};
use gsfa_data::gtsrb::Part;
use gsfa_data::table::Missing;

use crate::args::{DataArgs, OutputArgs};
use crate::config::{Config, Reading};
use crate::data::{self, Loaded, Request, Wish};
use crate::failure::{Failure, Outcome};
use crate::kept::Kept;
use crate::output::Output;
use crate::shards::in_precision;
use crate::talk::Talk;

/// A model file, samples, and where the result goes.
pub struct Apply<'a> {
    pub model: &'a Path,
    pub data: &'a DataArgs,
    pub output: &'a OutputArgs,
    /// A column of sample weights.
    pub weights: Option<&'a str>,
}

/// All of them, opened.
pub struct Application {
    pub model: Model,
    pub kept: Kept,
    pub loaded: Loaded,
    pub output: Option<Output>,
    source: Box<dyn Samples>,
}

impl Apply<'_> {
    /// Reads the model and finds the samples, with the labels that the wish names.
    pub fn open(&self, wish: impl FnOnce(&Model) -> Outcome<Wish>, talk: &Talk) -> Outcome<Application> {
        let model = Model::load(self.model)?;
        let kept = Kept::of(&model)?;
        let mut config = settings(&kept, self.data);
        config.reading.weights = self.weights.map(String::from);
        let mut inputs = data::inputs(&config);
        inputs.push(self.model.to_path_buf());
        let output = Output::maybe(self.output, &inputs, talk)?;
        let labels = wish(&model)?;
        let missing = config.reading.missing;
        if missing == Missing::Impute
            && kept.means.is_none()
            && model.input_shape().height * model.input_shape().width == 1
        {
            return Err(Failure::usage(format!("{} does not keep the means of its inputs", self.model.display()))
                .hint("use --missing drop, or train the model again"));
        }
        let request = Request { config: &config, labels, model: Some(&model), part: Part::Test };
        let loaded = data::load(&request, talk)?;
        let source = loaded.to_apply(None, &kept, missing, talk)?;
        Ok(Application { model, kept, loaded, output, source })
    }
}

impl Application {
    /// The samples, in the precision the model was trained in.
    pub fn samples(&self) -> InPrecision<&dyn Samples> {
        in_precision(&*self.source, &self.model.network().spec)
    }
}

/// How new samples are read: as in training, with what the user says now.
fn settings(kept: &Kept, args: &DataArgs) -> Config {
    let mut config = Config { preparation: kept.preparation.clone(), ..Config::default() };
    let Reading { ignore, columns, file_column, .. } = kept.config.reading.clone();
    config.reading = Reading { ignore, columns, file_column, ..Reading::default() };
    config.apply_data(args);
    config
}

/// What to say of a model without read-out.
pub fn no_readout(path: &Path) -> Failure {
    Failure::usage(format!("{} has no read-out: it gives features, but no estimates", path.display()))
        .hint("use gsfa transform, or solve once more with --shards")
}
