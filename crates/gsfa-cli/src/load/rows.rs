//! Arrays on disk, and labels that belong to their rows.

use std::collections::BTreeMap;
use std::path::Path;

use gsfa::labels::Labels;
use gsfa::samples::{Samples, Subset};
use gsfa_data::Listed;
use gsfa_data::finite::Finite;
use gsfa_data::npy::{NpyArray, NpzFile};

use super::stored::StoredSamples;
use super::tables::{LabelTable, RowLabels};
use super::{Kind, Loaded, Request, WantedLabels, pick};
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::present::{Printer, left_out};
use crate::settings::MissingValues;

pub fn array(path: &Path, request: &Request<'_>, printer: &Printer) -> Result<Loaded> {
    let reading = &request.settings.reading;
    let array = match (Kind::of(path)?, &reading.array) {
        (Kind::Npz, Some(name)) => NpzFile::open(path)?.array(name)?,
        (Kind::Npz, None) => NpzFile::open(path)?.only()?,
        _ => NpyArray::open(path)?,
    };
    if array.header().shape.len() < 2 {
        let shape = format!("({},)", array.len());
        return Err(Error::data(
            ErrorCode::Axes,
            format!("{}: samples have two axes or more, this array has the shape {shape}", path.display()),
        )
        .hint("array.reshape(-1, 1) makes each number a sample, array.reshape(1, -1) all of them one"));
    }
    let total = array.len();
    let mut rows: Vec<usize> = (0..total).collect();
    if reading.missing != MissingValues::Impute {
        let finite = Finite::new(&array, reading.missing.into())?;
        rows = finite.kept().to_vec();
        if rows.len() < total {
            let left: Listed = finite.survey.rows.iter().map(usize::to_string).collect();
            printer.remark(
                RemarkCode::NonFiniteDropped,
                format!(
                    "{}: {} {left}",
                    left_out(left.total, "sample with non-finite values"),
                    if left.total == 1 { "row" } else { "rows" }
                ),
            );
        }
    }
    let mut labeled = RowLabels::default();
    let none = request.settings.labels_unless_named().is_some_and(|labels| labels.is_empty());
    let roles = [&request.settings.reading.weights, &request.settings.validation.group];
    if let (WantedLabels::Named(_), true, [None, None]) = (&request.labels, none, roles) {
        labeled.labels = Some(Labels::none(rows.len()));
    } else if let WantedLabels::Named(wanted) = &request.labels {
        let Some(table) = &request.settings.labels else {
            return Err(Error::usage(ErrorCode::NoLabels, "an array has no labels of its own")
                .hint("name a table with --labels"));
        };
        labeled =
            LabelTable::read(table, wanted, request, printer)?.of_rows(&rows, total, request.settings, printer)?;
        rows = pick(&rows, &labeled.kept);
    }
    let ids = rows.iter().map(usize::to_string).collect();
    Ok(Loaded {
        samples: StoredSamples::array(Subset::new(array, rows)?),
        labels: labeled.labels,
        label_kinds: labeled.label_kinds,
        weights: labeled.weights,
        groups: labeled.groups,
        names: None,
        ids: ("row".into(), ids),
        balanced: false,
        encodings: BTreeMap::new(),
        skipped: Vec::new(),
        remarks: Vec::new(),
    })
}
