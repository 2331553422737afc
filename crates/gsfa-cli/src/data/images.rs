//! Folders of images, and the GTSRB folder.

use std::path::Path;

use gsfa::labels::Labels;
use gsfa_data::gtsrb::Gtsrb;
use gsfa_data::images::{ImageOptions, ImageSet, labelled};
use gsfa_data::pixels::{Preparation, PreparedImages};
use gsfa_data::table::{Columns, LabelSpec, MissingReport, TableSpec};

use super::stored::Stored;
use super::tables::{file_column, label_specs, read_table};
use super::{Loaded, Request, Wish};
use crate::failure::{Failure, Outcome};
use crate::talk::Talk;

pub fn gtsrb(path: &Path, request: &Request<'_>) -> Outcome<Loaded> {
    let config = request.config;
    let signs = Gtsrb::open(path, config.reading.part.unwrap_or(request.part), &options(request))?;
    let labels = match &request.labels {
        Wish::Nothing => None,
        Wish::Labels(wanted) => Some(only_class(wanted, signs.labels(), "the GTSRB folder")?),
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
        return loaded(images, Some(only_class(wanted, classes, of)?), preparation);
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
        talk.note(format!("{} {what} were left out: {left}", left.total));
    }
    report_missing(&joined.data.missing, talk);
    let (weights, groups) = (joined.data.weights, joined.data.groups);
    Ok(Loaded { weights, groups, ..loaded(joined.images, Some(joined.data.labels), preparation)? })
}

/// Columns that were named, but that no table has.
fn refuse_columns(request: &Request<'_>, of: &str, known: &[&str]) -> Outcome {
    let (weights, group) = (&request.config.reading.weights, &request.config.validation.group);
    match weights.iter().chain(group).find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Failure::usage(format!("there is no column '{name}': {of} has the label 'class' only"))
            .hint("give a table of labels with --labels")),
        None => Ok(()),
    }
}

pub fn report_missing(missing: &MissingReport, talk: &Talk) {
    if missing.dropped.total > 0 {
        talk.note(format!("{} rows with missing values were left out: {}", missing.dropped.total, missing.dropped));
    }
    for (column, count) in &missing.imputed {
        talk.note(format!("{count} missing values of '{column}' were replaced by its mean"));
    }
}

fn options(request: &Request<'_>) -> ImageOptions {
    ImageOptions { skip_bad: request.config.reading.skip_bad, ..ImageOptions::default() }
}

fn only_class(wanted: &[LabelSpec], classes: Labels, of: &str) -> Outcome<Labels> {
    match wanted.iter().find(|label| label.name != "class") {
        None => Ok(classes),
        Some(label) => {
            Err(Failure::usage(format!("there is no label '{}': {of} has the label 'class' only", label.name))
                .hint("give a table of labels with --labels"))
        }
    }
}

fn loaded(images: ImageSet, labels: Option<Labels>, preparation: Preparation) -> Outcome<Loaded> {
    let skipped = images.skipped().iter().map(|bad| format!("{}: {}", bad.path.display(), bad.fault)).collect();
    let files: Vec<String> = images.files().iter().map(|file| file.name.clone()).collect();
    let samples = Stored::Images(PreparedImages::new(images, preparation)?);
    let ids = ("file".into(), files);
    Ok(Loaded { samples, labels, weights: None, groups: None, names: None, ids, skipped })
}
