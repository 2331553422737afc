//! Folders of images, and the GTSRB folder.

use std::collections::BTreeMap;
use std::path::Path;

use gsfa::labels::{LabelValues, Labels};
use gsfa_data::gtsrb::Gtsrb;
use gsfa_data::images::{ImageOptions, ImageSet, labeled};
use gsfa_data::pixels::{Preparation, PreparedImages};
use gsfa_data::table::{Columns, LabelKind, LabelSpec, MissingReport, Recognized, TableSpec};

use super::label_kinds::LabelKinds;
use super::stored::StoredSamples;
use super::tables::{cured, file_column, label_specs, read_table};
use super::{Loaded, Request, WantedLabels};
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::present::{Printer, counted, left_out};
use crate::settings::Settings;

pub fn gtsrb(path: &Path, request: &Request<'_>) -> Result<Loaded> {
    let settings = request.settings;
    let signs = Gtsrb::open(path, settings.reading.part.unwrap_or(request.part), &options(request))?;
    let labels = match &request.labels {
        WantedLabels::None => None,
        WantedLabels::Named(_) if settings.labels.is_some() => {
            return Err(Error::usage(
                ErrorCode::MeaninglessFlag,
                "--labels (labels) means nothing here: the labels of the GTSRB folder are its classes",
            )
            .hint("leave it out"));
        }
        WantedLabels::Named(wanted) => Some(only_class(wanted, signs.labels(), settings, "the GTSRB folder")?),
    };
    refuse_columns(request, "the GTSRB folder", &["track"])?;
    let preparation = settings.preparation.clone().unwrap_or_else(Preparation::signs);
    // Frames of one physical sign are alike: they belong to one side of a split, whether asked for or not.
    Ok(Loaded { groups: signs.tracks, ..loaded(signs.images, labels, preparation)? })
}

pub fn folder(path: &Path, request: &Request<'_>, printer: &Printer) -> Result<Loaded> {
    let images = ImageSet::open(path, &options(request))?;
    let preparation = request.settings.preparation.clone().unwrap_or_default();
    let WantedLabels::Named(wanted) = &request.labels else { return loaded(images, None, preparation) };
    let Some(table) = &request.settings.labels else {
        let classes = images.class_folders().map_err(|error| {
            Error::from(error).hint("give a table with --labels, or put images into a folder per class")
        })?;
        let of = "a folder of class folders";
        refuse_columns(request, of, &[])?;
        return loaded(images, Some(only_class(wanted, classes, request.settings, of)?), preparation);
    };
    let reading = &request.settings.reading;
    let table = read_table(table, reading)?;
    let file = file_column(&table, reading)?;
    let spec = TableSpec {
        samples: Columns::None,
        labels: label_specs(&table, wanted, request.settings, Some(&file))?,
        file: Some(file.clone()),
        group: request.settings.validation.group.clone(),
        weights: reading.weights.clone(),
        missing_labels: reading.missing_labels,
        ..TableSpec::default()
    };
    let joined = cured(labeled(&images, &table, &file, &spec, reading.unmatched), request.settings, false)?;
    let left =
        [("label without image", &joined.matched.rows_left), ("image without label", &joined.matched.files_left)];
    for (what, left) in left.into_iter().filter(|(_, left)| left.total > 0) {
        printer.remark(RemarkCode::Unmatched, format!("{}: {left}", left_out(left.total, what)));
    }
    report_missing(&joined.data.missing, printer);
    let (weights, groups) = (joined.data.weights, joined.data.groups);
    let labels = (joined.data.labels, LabelKinds(joined.data.kinds));
    Ok(Loaded { weights, groups, ..loaded(joined.images, Some(labels), preparation)? })
}

/// Columns that were named, but that no table has.
fn refuse_columns(request: &Request<'_>, of: &str, known: &[&str]) -> Result {
    let (weights, group) = (&request.settings.reading.weights, &request.settings.validation.group);
    match weights.iter().chain(group).find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Error::usage(
            ErrorCode::UnknownLabel,
            format!("there is no column '{name}': {of} has the label 'class' only"),
        )
        .hint("give a table of labels with --labels")),
        None => Ok(()),
    }
}

pub fn report_missing(missing: &MissingReport, printer: &Printer) {
    if missing.dropped.total > 0 {
        printer.remark(
            RemarkCode::MissingDropped,
            format!("{}: {}", left_out(missing.dropped.total, "row with missing values"), missing.dropped),
        );
    }
    for (column, count) in &missing.imputed {
        printer.remark(RemarkCode::Imputed, {
            let were = if *count == 1 { "was" } else { "were" };
            format!("{} of '{column}' {were} replaced by its mean", counted(*count, "missing value"))
        });
    }
}

fn options(request: &Request<'_>) -> ImageOptions {
    ImageOptions { skip_bad: request.settings.reading.skip_bad, ..ImageOptions::default() }
}

/// The label `class` that folders give: classes, unless the user says that their names are numbers.
fn only_class(wanted: &[LabelSpec], classes: Labels, settings: &Settings, of: &str) -> Result<(Labels, LabelKinds)> {
    if let Some(label) = wanted.iter().find(|label| label.name != CLASS) {
        return Err(Error::usage(
            ErrorCode::UnknownLabel,
            format!("there is no label '{}': {of} has the label 'class' only", label.name),
        )
        .hint("give a table of labels with --labels"));
    }
    settings.check_task(&[CLASS])?;
    let given = wanted.first().map_or_else(|| settings.label(CLASS).kind, |label| label.kind);
    let kind = given.map_or_else(Recognized::of_layout, Recognized::given);
    let labels = if kind.kind == LabelKind::Numbers { Labels::numbers(CLASS, numbers(&classes, of)?) } else { classes };
    Ok((labels, LabelKinds(vec![(CLASS.to_string(), kind)])))
}

/// What the label of folders is called.
const CLASS: &str = "class";

/// The names of the classes as numbers.
fn numbers(labels: &Labels, of: &str) -> Result<Vec<f64>> {
    let LabelValues::Classes(classes) = labels.column(CLASS)? else { return Ok(Vec::new()) };
    let number = |name: &String| match name.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(Error::data(ErrorCode::ClassIsNoNumber, format!("the class '{name}' of {of} is no number"))
            .hint("leave out --task numbers")),
    };
    let of_class = classes.names().iter().map(number).collect::<Result<Vec<f64>>>()?;
    Ok(classes.of_sample().iter().map(|&class| of_class[class as usize]).collect())
}

fn loaded(images: ImageSet, labels: Option<(Labels, LabelKinds)>, preparation: Preparation) -> Result<Loaded> {
    let skipped = images.skipped().iter().map(|bad| format!("{}: {}", bad.path.display(), bad.fault)).collect();
    let files: Vec<String> = images.files().iter().map(|file| file.name.clone()).collect();
    let samples = StoredSamples::Images(PreparedImages::new(images, preparation)?);
    let ids = ("file".into(), files);
    let (labels, label_kinds) =
        labels.map_or((None, LabelKinds::default()), |(labels, label_kinds)| (Some(labels), label_kinds));
    Ok(Loaded {
        samples,
        labels,
        label_kinds,
        weights: None,
        balanced: false,
        encodings: BTreeMap::new(),
        groups: None,
        names: None,
        ids,
        skipped,
        remarks: Vec::new(),
    })
}
