//! What the commands that train, or prepare to, share.

use gsfa::Model;
use gsfa::graph::GraphInput;
use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::model::{ClassWeights, Remark, Remembered};
use gsfa::recipe::{Choice, Design, Recipe};
use gsfa::samples::{InputShape, Samples, Stoppable};
use gsfa_data::pixels::Preparation;
use ndarray::Array2;
use serde_json::{Value, json};

use crate::args::{ConfigArgs, flag_case};
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::interrupt;
use crate::load::{self, Kind};
use crate::present::{Printer, write_stdout};
use crate::settings::{Implied, Settings};

/// Settings of errors on other samples, which commands that train nothing in the end do not measure.
pub const NO_VALIDATION: &[&str] = &["validation.holdout", "validation.folds", "validation.by_value"];

/// Prints the settings where that is asked for, which ends the command; otherwise refuses those that would have no effect, and
/// assignments of what is unused by the command. A file may serve several commands, and is not asked for that.
pub fn only_printed(settings: &Settings, args: &ConfigArgs, unused: &[&str], printer: &Printer) -> Result<bool> {
    if args.print_config {
        write_stdout(settings.toml()?.as_bytes())?;
        return Ok(true);
    }
    let assigned = args.set.iter().filter_map(|assignment| assignment.split('=').next()).map(str::trim);
    let of =
        |name: &str, table: &str| name.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if let Some(name) = assigned.into_iter().find(|name| unused.iter().any(|table| of(name, table))) {
        return Err(Error::usage(ErrorCode::MeaninglessFlag, format!("--set {name} means nothing to this command"))
            .hint("leave it out: gsfa train uses it"));
    }
    settings.check()?;
    load::refuse_meaningless(settings)?;
    for text in &settings.replaced {
        printer.remark(RemarkCode::Replaced, text.clone());
    }
    if let Some(Implied { setting, kind }) = &settings.implied {
        let kind = flag_case(kind);
        printer.remark(
            RemarkCode::GraphTaken,
            format!("{setting} makes the graph one of kind {kind}, not that of the labels; --graph {kind} says so"),
        );
    }
    Ok(false)
}

/// How samples were read: what a model does with new ones.
pub struct AsRead<'a> {
    pub settings: &'a Settings,
    /// The columns of a table.
    pub names: Option<&'a Vec<String>>,
    /// The shape of images before preparation, if all have the same.
    pub raw_shape: Option<InputShape>,
}

impl AsRead<'_> {
    /// The model with its input columns and its preparation, what was `said` of samples and labels, and `more` to remember.
    pub fn remembered_by(
        self,
        model: Model,
        said: impl IntoIterator<Item = Remark>,
        more: impl FnOnce(&mut Remembered),
    ) -> Result<Model> {
        let Self { settings, names, raw_shape } = self;
        let preparation = applied(settings)?;
        let prepared = preparation.as_ref().is_some_and(|preparation| !preparation.steps.is_empty());
        let image = raw_shape.filter(|_| prepared);
        let mut settings = settings.clone();
        let model = match names {
            // Columns are pixels before preparation, and no inputs of the network: how the file is read knows them.
            Some(names) if prepared => {
                settings.reading.columns.clone_from(names);
                model
            }
            Some(names) => model.with_input_names(names.clone())?,
            None => model,
        };
        let class_weights = settings.reading.balanced.then_some(ClassWeights::Balanced);
        let settings = Some(settings.json()?);
        let mut remembered = Remembered { preparation, image, class_weights, settings, ..model.remembered().clone() };
        more(&mut remembered);
        Ok(model.with_remembered(remembered.with_remarks(said))?)
    }
}

/// The preparation of pixels that the data got.
pub fn applied(settings: &Settings) -> Result<Option<Preparation>> {
    Ok(match (&settings.preparation, &settings.data) {
        (None, Some(path)) if Kind::of(path)? == Kind::Gtsrb => Some(Preparation::signs()),
        // No steps are a preparation, too, where others are the default.
        (given, _) => given.clone(),
    })
}

/// Chooses what is left open, and shows how far it is.
pub fn choose(design: &Design<'_>, samples: &dyn Samples, printer: &Printer) -> gsfa::Result<Choice> {
    let search = printer.search();
    // A node of many inputs takes long: reading its samples stops, too.
    let stoppable = Stoppable::new(samples, &interrupt::requested);
    let choice = design.choose(&stoppable, &|event| search.event(event));
    search.finish();
    choice
}

/// The samples, where the graph connects those that are near each other.
pub fn vectors(recipe: &Recipe, labels: &Labels, samples: &dyn Samples) -> gsfa::Result<Option<Array2<f64>>> {
    recipe.vectors(labels, &Stoppable::new(samples, &interrupt::requested))
}

/// What a graph is made of.
pub fn graph_input<'a>(
    labels: &'a Labels,
    weights: SampleWeights,
    vectors: Option<&'a Array2<f64>>,
) -> gsfa::Result<GraphInput<'a>> {
    let input = GraphInput::new(labels).with_weights(weights)?;
    match vectors {
        Some(vectors) => input.with_vectors(vectors.view()),
        None => Ok(input),
    }
}

/// Says what is remarkable about the graph, and about the graph and the network together.
pub fn report_graph(design: &Design<'_>, printer: &Printer) {
    let features = design.network.layers.last().map(|top| top.output_dim);
    let short = features.and_then(|features| design.graph.features_note(features));
    design.graph.notes().iter().chain(&short).for_each(|note| printer.note(note));
}

/// Names and kinds of labels.
pub fn label_info(labels: &Labels) -> Value {
    let info = |(name, values): (&str, &LabelValues)| match values {
        LabelValues::Numbers(_) => json!({"name": name, "kind": "numbers", "classes": null}),
        LabelValues::Classes(c) => json!({"name": name, "kind": "classes", "classes": c.names()}),
    };
    labels.columns().map(info).collect()
}

/// Δ of the top's features.
pub fn top_deltas(model: &Model) -> Vec<f64> {
    let top = model.summary().layers.last();
    let first = top.and_then(|nodes| nodes.first()).and_then(Option::as_ref);
    first.map(|node| node.delta_values.clone()).unwrap_or_default()
}
