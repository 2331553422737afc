//! Arrays on disk, and labels that belong to their rows.

use std::path::Path;

use gsfa::labels::{LabelValues, Labels};
use gsfa_data::finite::Finite;
use gsfa_data::npy::{NpyArray, NpzFile};
use gsfa_data::pixels::{ImageRows, PreparedImages};
use gsfa_data::source::{Source, Subset};
use gsfa_data::table::Missing;

use super::tables::labels_by_row;
use super::{Kind, Loaded, Request, Wish};
use crate::failure::{Failure, Outcome};
use crate::talk::Talk;

pub fn array(path: &Path, request: &Request<'_>, talk: &Talk) -> Outcome<Loaded> {
    let reading = &request.config.reading;
    let array = match (Kind::of(path)?, &reading.array) {
        (Kind::Npz, Some(name)) => NpzFile::open(path)?.array(name)?,
        (Kind::Npz, None) => NpzFile::open(path)?.only()?,
        _ => NpyArray::open(path)?,
    };
    let total = array.len();
    let finite = Finite::new(array, reading.missing)?;
    match reading.missing {
        Missing::Drop if !finite.survey.rows.is_empty() => {
            talk.note(format!("{} samples with non-finite values were left out", finite.survey.rows.len()));
        }
        Missing::Impute if finite.survey.total > 0 => {
            talk.note(format!("{} non-finite values were replaced by the mean of their column", finite.survey.total));
        }
        _ => {}
    }
    let rows = finite.kept().to_vec();
    let source: Box<dyn Source> = match &request.config.preparation {
        Some(preparation) if !preparation.steps.is_empty() => {
            Box::new(PreparedImages::new(ImageRows::new(finite)?, preparation.clone())?)
        }
        _ => Box::new(finite),
    };
    let (source, labels, rows) = match &request.labels {
        Wish::Nothing => (source, None, rows),
        Wish::Labels(wanted) => {
            let Some(table) = &request.config.labels else {
                return Err(Failure::usage("an array has no labels of its own").hint("name a table with --labels"));
            };
            let (labels, kept) = labels_by_row(table, wanted, &rows, total, request, talk)?;
            let ids: Vec<usize> = kept.iter().map(|&k| rows[k]).collect();
            let source: Box<dyn Source> =
                if kept.len() == rows.len() { source } else { Box::new(Subset::new(source, kept)?) };
            (source, Some(labels), ids)
        }
    };
    let ids = rows.iter().map(usize::to_string).collect();
    Ok(Loaded { source, labels, names: None, ids: ("row".into(), ids), skipped: Vec::new() })
}

/// The labels of some samples, also repeatedly.
pub fn select_labels(labels: &Labels, rows: &[usize]) -> Outcome<Labels> {
    let mut selected = Labels::none(rows.len());
    for (name, values) in labels.columns() {
        selected = match values {
            LabelValues::Numbers(x) => selected.and_numbers(name, rows.iter().map(|&row| x[row]).collect())?,
            LabelValues::Classes(classes) => {
                let name_of = |row: usize| classes.names()[classes.of_sample()[row] as usize].as_str();
                selected.and_classes(name, rows.iter().map(|&row| name_of(row)))?
            }
        };
    }
    Ok(selected)
}
