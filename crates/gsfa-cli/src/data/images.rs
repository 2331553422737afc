//! Folders of images, and the GTSRB folder.

use std::collections::BTreeMap;
use std::path::Path;

use gsfa::labels::{LabelValues, Labels};
use gsfa_data::gtsrb::Gtsrb;
use gsfa_data::images::{ImageOptions, ImageSet, labelled};
use gsfa_data::pixels::{Preparation, PreparedImages};
use gsfa_data::table::{Columns, LabelKind, LabelSpec, MissingReport, Recognised, TableSpec};

use super::stored::Stored;
use super::tables::{file_column, label_specs, read_table};
use super::{Loaded, Request, Taken, Wish};
use crate::config::Config;
use crate::failure::{Failure, Outcome, Reason};
use crate::talk::{Aside, Talk};

pub fn gtsrb(path: &Path, request: &Request<'_>) -> Outcome<Loaded> {
    let config = request.config;
    let signs = Gtsrb::open(path, config.reading.part.unwrap_or(request.part), &options(request))?;
    let labels = match &request.labels {
        Wish::Nothing => None,
        Wish::Labels(wanted) => Some(only_class(wanted, signs.labels(), config, "the GTSRB folder")?),
    };
    refuse_columns(request, "the GTSRB folder", &["track"])?;
    let preparation = config.preparation.clone().unwrap_or_else(Preparation::signs);
    // Frames of one physical sign are alike: they belong to one side of a split, whether asked for or not.
    Ok(Loaded { groups: signs.tracks, ..loaded(signs.images, labels, preparation)? })
}

pub fn folder(path: &Path, request: &Request<'_>, talk: &Talk) -> Outcome<Loaded> {
    let images = ImageSet::open(path, &options(request))?;
    let preparation = request.config.preparation.clone().unwrap_or_default();
    let Wish::Labels(wanted) = &request.labels else { return loaded(images, None, preparation) };
    let Some(table) = &request.config.labels else {
        let classes = images.class_folders().map_err(|error| {
            Failure::from(error).hint("give a table with --labels, or put images into a folder per class")
        })?;
        let of = "a folder of class folders";
        refuse_columns(request, of, &[])?;
        return loaded(images, Some(only_class(wanted, classes, request.config, of)?), preparation);
    };
    let reading = &request.config.reading;
    let table = read_table(table, reading)?;
    let file = file_column(&table, reading)?;
    let spec = TableSpec {
        samples: Columns::None,
        labels: label_specs(&table, wanted, request.config, Some(&file))?,
        file: Some(file.clone()),
        group: request.config.validation.group.clone(),
        weights: reading.weights.clone(),
        missing_labels: reading.missing_labels,
        ..TableSpec::default()
    };
    let joined = labelled(&images, &table, &file, &spec, reading.unmatched)?;
    let left =
        [("labels without image", &joined.matched.rows_left), ("images without label", &joined.matched.files_left)];
    for (what, left) in left.into_iter().filter(|(_, left)| left.total > 0) {
        talk.remark(Aside::Unmatched, format!("{} {what} were left out: {left}", left.total));
    }
    report_missing(&joined.data.missing, talk);
    let (weights, groups) = (joined.data.weights, joined.data.groups);
    let labels = (joined.data.labels, Taken(joined.data.kinds));
    Ok(Loaded { weights, groups, ..loaded(joined.images, Some(labels), preparation)? })
}

/// Columns that were named, but that no table has.
fn refuse_columns(request: &Request<'_>, of: &str, known: &[&str]) -> Outcome {
    let (weights, group) = (&request.config.reading.weights, &request.config.validation.group);
    match weights.iter().chain(group).find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Failure::usage(
            Reason::UnknownLabel,
            format!("there is no column '{name}': {of} has the label 'class' only"),
        )
        .hint("give a table of labels with --labels")),
        None => Ok(()),
    }
}

pub fn report_missing(missing: &MissingReport, talk: &Talk) {
    if missing.dropped.total > 0 {
        talk.remark(
            Aside::MissingDropped,
            format!("{} rows with missing values were left out: {}", missing.dropped.total, missing.dropped),
        );
    }
    for (column, count) in &missing.imputed {
        talk.remark(Aside::Imputed, format!("{count} missing values of '{column}' were replaced by its mean"));
    }
}

fn options(request: &Request<'_>) -> ImageOptions {
    ImageOptions { skip_bad: request.config.reading.skip_bad, ..ImageOptions::default() }
}

/// The label `class` that folders give: classes, unless the user says that their names are numbers.
fn only_class(wanted: &[LabelSpec], classes: Labels, config: &Config, of: &str) -> Outcome<(Labels, Taken)> {
    if let Some(label) = wanted.iter().find(|label| label.name != CLASS) {
        return Err(Failure::usage(
            Reason::UnknownLabel,
            format!("there is no label '{}': {of} has the label 'class' only", label.name),
        )
        .hint("give a table of labels with --labels"));
    }
    config.check_task(&[CLASS])?;
    let given = wanted.first().map_or_else(|| config.label(CLASS).kind, |label| label.kind);
    let taken = given.map_or_else(Recognised::of_layout, Recognised::given);
    let labels =
        if taken.kind == LabelKind::Numbers { Labels::numbers(CLASS, numbers(&classes, of)?) } else { classes };
    Ok((labels, Taken(vec![(CLASS.to_string(), taken)])))
}

/// What the label of folders is called.
const CLASS: &str = "class";

/// The names of the classes as numbers.
fn numbers(labels: &Labels, of: &str) -> Outcome<Vec<f64>> {
    let LabelValues::Classes(classes) = labels.column(CLASS)? else { return Ok(Vec::new()) };
    let number = |name: &String| match name.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(Failure::data(Reason::ClassIsNoNumber, format!("the class '{name}' of {of} is no number"))
            .hint("leave out --task numbers")),
    };
    let of_class = classes.names().iter().map(number).collect::<Outcome<Vec<f64>>>()?;
    Ok(classes.of_sample().iter().map(|&class| of_class[class as usize]).collect())
}

fn loaded(images: ImageSet, labels: Option<(Labels, Taken)>, preparation: Preparation) -> Outcome<Loaded> {
    let skipped = images.skipped().iter().map(|bad| format!("{}: {}", bad.path.display(), bad.fault)).collect();
    let files: Vec<String> = images.files().iter().map(|file| file.name.clone()).collect();
    let samples = Stored::Images(PreparedImages::new(images, preparation)?);
    let ids = ("file".into(), files);
    let (labels, taken) = labels.map_or((None, Taken::default()), |(labels, taken)| (Some(labels), taken));
    Ok(Loaded {
        samples,
        labels,
        taken,
        weights: None,
        balanced: false,
        image: None,
        encodings: BTreeMap::new(),
        groups: None,
        names: None,
        ids,
        skipped,
    })
}
