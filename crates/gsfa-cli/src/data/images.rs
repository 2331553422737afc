//! Folders of images, and the GTSRB folder.

use std::path::Path;

use gsfa::labels::{LabelValues, Labels};
use gsfa_data::distort::cycle_classes;
use gsfa_data::gtsrb::Gtsrb;
use gsfa_data::images::{ImageOptions, ImageSet, labelled};
use gsfa_data::pixels::{ImageSource, Preparation, PreparedImages};
use gsfa_data::source::Source;
use gsfa_data::table::{Columns, TableSpec};

use super::rows::select_labels;
use super::tables::{file_column, label_specs, read_table};
use super::{Loaded, Request, Wish};
use crate::failure::{Failure, Outcome};
use crate::talk::Talk;

pub fn gtsrb(path: &Path, request: &Request<'_>) -> Outcome<Loaded> {
    let part = request.config.reading.part.unwrap_or(request.part);
    let signs = Gtsrb::open(path, part, &options(request))?;
    let labels = match &request.labels {
        Wish::Nothing => None,
        Wish::Labels(wanted) => Some(only_class(wanted, signs.labels(), "the GTSRB folder")?),
    };
    let preparation = request.config.preparation.clone().unwrap_or_else(Preparation::signs);
    finish(signs.images, labels, preparation, request)
}

pub fn folder(path: &Path, request: &Request<'_>, talk: &Talk) -> Outcome<Loaded> {
    let images = ImageSet::open(path, &options(request))?;
    let (images, labels) = match &request.labels {
        Wish::Nothing => (images, None),
        Wish::Labels(wanted) => match &request.config.labels {
            None => {
                let classes = images.class_folders().map_err(|error| {
                    Failure::from(error).hint("give a table with --labels, or put images into a folder per class")
                })?;
                (images, Some(only_class(wanted, classes, "a folder of class folders")?))
            }
            Some(table) => {
                let table = read_table(table, &request.config.reading)?;
                let file = file_column(&table, &request.config.reading)?;
                let labels = label_specs(&table, wanted, Some(&file))?;
                let spec = TableSpec {
                    samples: Columns::None,
                    labels,
                    file: Some(file.clone()),
                    missing_labels: request.config.reading.missing_labels,
                    ..TableSpec::default()
                };
                let joined = labelled(&images, &table, &file, &spec, request.config.reading.unmatched)?;
                for (what, left) in [
                    ("labels without image", &joined.matched.rows_left),
                    ("images without label", &joined.matched.files_left),
                ] {
                    if left.total > 0 {
                        talk.note(format!("{} {what} were left out: {left}", left.total));
                    }
                }
                report_missing(&joined.data.missing, talk);
                (joined.images, Some(joined.data.labels))
            }
        },
    };
    let preparation = request.config.preparation.clone().unwrap_or_default();
    finish(images, labels, preparation, request)
}

pub fn report_missing(missing: &gsfa_data::table::MissingReport, talk: &Talk) {
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

fn only_class(wanted: &[gsfa_data::table::LabelSpec], classes: Labels, of: &str) -> Outcome<Labels> {
    match wanted.iter().find(|label| label.name != "class") {
        None => Ok(classes),
        Some(label) => {
            Err(Failure::usage(format!("there is no label '{}': {of} has the label 'class' only", label.name))
                .hint("give a table of labels with --labels"))
        }
    }
}

fn finish(
    images: ImageSet,
    labels: Option<Labels>,
    preparation: Preparation,
    request: &Request<'_>,
) -> Outcome<Loaded> {
    let skipped = images.skipped().iter().map(|bad| format!("{}: {}", bad.path.display(), bad.fault)).collect();
    let files: Vec<String> = images.files().iter().map(|file| file.name.clone()).collect();
    let prepared = PreparedImages::new(images, preparation)?;
    if let (true, Some(copies), Some(labels)) = (request.training, request.config.copies, &labels) {
        return distorted(prepared, labels, copies, skipped, request);
    }
    Ok(Loaded { source: Box::new(prepared), labels, names: None, ids: ("file".into(), files), skipped })
}

/// Randomly distorted copies of the images, as many of each class.
fn distorted<S: ImageSource + 'static>(
    prepared: PreparedImages<S>,
    labels: &Labels,
    copies: usize,
    skipped: Vec<String>,
    request: &Request<'_>,
) -> Outcome<Loaded> {
    let classes = labels.columns().find_map(|(_, values)| match values {
        LabelValues::Classes(classes) => Some(classes),
        LabelValues::Numbers(_) => None,
    });
    let classes = classes.ok_or_else(|| Failure::usage("--copies needs a label of classes"))?;
    let seed = request.config.seed;
    let rows = cycle_classes(classes.of_sample(), copies, seed)?;
    let of_image: Vec<usize> = rows.iter().map(|row| row.image).collect();
    let ids = rows.iter().map(|row| format!("{}#{}", prepared.images().name(row.image), row.copy)).collect();
    let source = prepared.distorted(rows, request.config.distortion.unwrap_or_default(), seed)?;
    debug_assert_eq!(source.len(), of_image.len());
    let labels = Some(select_labels(labels, &of_image)?);
    Ok(Loaded { source: Box::new(source), labels, names: None, ids: ("copy".into(), ids), skipped })
}
