//! Tables: samples and labels in columns.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use gsfa::labels::Labels;
use gsfa::samples::{Element, Rows, Samples};
use gsfa::specification::suggestion;
use gsfa_data::npy::{NpyArray, NpzFile};
use gsfa_data::table::{
    Categories, Columns, CsvOptions, Dataset, Encoding, LabelSpec, Missing, Table, TableSpec, Values,
};
use ndarray::Array2;

use super::images::report_missing;
use super::label_kinds::LabelKinds;
use super::stored::StoredSamples;
use super::{Kind, Loaded, Request, WantedLabels, pick, standard_input};
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::present::{Printer, STANDARD, counted};
use crate::settings::{MissingValues, Reading, Settings};

/// What a column of file names is usually called.
const FILE_COLUMNS: [&str; 7] = ["file", "filename", "file_name", "path", "image", "name", "Filename"];

/// Reads a table from any kind of file.
pub fn read_table(path: &Path, reading: &Reading) -> Result<Table> {
    match Kind::of(path)? {
        Kind::Npy => arrays([("label", NpyArray::open(path)?)]),
        Kind::Npz => {
            let archive = NpzFile::open(path)?;
            let names = archive.names().iter().filter(|name| reading.array.as_ref() != Some(name));
            let all: Vec<_> = names.map(|name| Ok((name.as_str(), archive.array(name)?))).collect::<Result<_>>()?;
            arrays(all)
        }
        Kind::Table => csv_or_parquet(path),
        Kind::Images | Kind::Gtsrb => {
            Err(Error::usage(ErrorCode::NotATable, format!("{} is a folder, not a table", path.display())))
        }
    }
}

fn csv_or_parquet(path: &Path) -> Result<Table> {
    if path.as_os_str() == STANDARD {
        return standard_input::table();
    }
    if path.extension().is_some_and(|e| e == "parquet") {
        #[cfg(feature = "parquet")]
        return Ok(Table::read_parquet(path)?);
        #[cfg(not(feature = "parquet"))]
        return Err(Error::usage(
            ErrorCode::NotBuiltIn,
            format!("{}: this build does not read Parquet", path.display()),
        )
        .hint("build with --features parquet, or convert the table to CSV"));
    }
    Ok(Table::read_csv(path, &CsvOptions::default())?)
}

/// A table of the columns of arrays.
fn arrays<'a>(named: impl IntoIterator<Item = (&'a str, NpyArray)>) -> Result<Table> {
    let (mut all, mut booleans) = (Vec::new(), Vec::new());
    for (name, array) in named {
        let own = columns(name, &array)?;
        if array.element() == Element::Bool {
            booleans.extend(own.iter().map(|(name, _)| name.clone()));
        }
        all.extend(own);
    }
    Ok(Table::new(all)?.with_booleans(booleans))
}

/// The columns of an array: its name alone if there is one, else numbered from 1.
fn columns(name: &str, array: &NpyArray) -> Result<Vec<(String, Values)>> {
    let mut all = Array2::zeros((array.len(), array.dim()));
    array.read_double(Rows::Range(0..array.len()), all.view_mut())?;
    let named = |i: usize| if array.dim() == 1 { name.to_string() } else { format!("{name}{}", i + 1) };
    Ok(all.columns().into_iter().enumerate().map(|(i, c)| (named(i), Values::Numbers(c.to_vec()))).collect())
}

/// The column of file names.
pub fn file_column(table: &Table, reading: &Reading) -> Result<String> {
    if let Some(name) = &reading.file_column {
        table.column(name)?;
        return Ok(name.clone());
    }
    let found = FILE_COLUMNS.iter().find(|name| table.names().any(|n| n == **name));
    found.map(ToString::to_string).ok_or_else(|| {
        let names: Vec<&str> = table.names().take(10).collect();
        Error::data(
            ErrorCode::WhichColumn,
            format!("{}: which column holds the file names? It has {}", table.path().display(), names.join(", ")),
        )
        .hint("name it with --file-column")
    })
}

/// The labels wanted, none where the graph asks for none, or the only one there is beside the columns with another role.
pub fn label_specs(
    table: &Table,
    wanted: &[LabelSpec],
    settings: &Settings,
    file: Option<&str>,
) -> Result<Vec<LabelSpec>> {
    if !wanted.is_empty() {
        for label in wanted {
            table.column(&label.name)?;
        }
        settings.check_task(&wanted.iter().map(|label| label.name.as_str()).collect::<Vec<_>>())?;
        return Ok(wanted.to_vec());
    }
    if let Some(labels) = settings.labels_unless_named() {
        settings.check_task(&labels.iter().map(|label| label.name.as_str()).collect::<Vec<_>>())?;
        return Ok(labels);
    }
    let others = settings.validation.group.iter().chain(&settings.reading.weights).chain(&settings.reading.ignore);
    let others: Vec<&str> = others.map(String::as_str).chain(file).collect();
    let names: Vec<&str> = table.names().filter(|name| !others.contains(name)).collect();
    match names[..] {
        [only] => {
            settings.check_task(&[only])?;
            Ok(vec![settings.label(only)])
        }
        _ => Err(Error::usage(
            ErrorCode::WhichLabel,
            format!("which label? {} has the columns {}", table.path().display(), names.join(", ")),
        )
        .hint("name the labels with --learn")),
    }
}

/// What a table says about samples that are elsewhere.
#[derive(Default)]
pub struct RowLabels {
    pub labels: Option<Labels>,
    pub label_kinds: LabelKinds,
    pub weights: Option<Vec<f64>>,
    pub groups: Option<Vec<usize>>,
    /// Which of the samples have labels.
    pub kept: Vec<usize>,
}

/// A table of labels beside the samples, with a row for each.
pub struct LabelTable<'a> {
    path: &'a Path,
    table: Table,
    spec: TableSpec,
}

impl<'a> LabelTable<'a> {
    pub fn read(path: &'a Path, wanted: &[LabelSpec], request: &Request<'_>, printer: &Printer) -> Result<Self> {
        let reading = &request.settings.reading;
        let table = read_table(path, reading)?;
        let file =
            reading.file_column.clone().or_else(|| table.names().find(|n| FILE_COLUMNS.contains(n)).map(String::from));
        if let Some(file) = &file {
            table.column(file)?;
        }
        if Kind::of(request.settings.data.as_deref().unwrap_or(path))? != Kind::Table {
            report_unknown(&reading.ignore, &table, printer);
        }
        let spec = TableSpec {
            samples: Columns::None,
            labels: label_specs(&table, wanted, request.settings, file.as_deref())?,
            group: request.settings.validation.group.clone(),
            weights: reading.weights.clone(),
            missing_labels: reading.missing_labels,
            ..TableSpec::default()
        };
        Ok(Self { path, table, spec })
    }

    /// The columns that it is read for, and what they are: a table of samples may have them, too.
    fn roles(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let labels = self.spec.labels.iter().map(|label| ("label", label.name.as_str()));
        let weights = self.spec.weights.iter().map(|name| ("weights", name.as_str()));
        labels.chain(weights).chain(self.spec.group.iter().map(|name| ("group", name.as_str())))
    }

    /// Labels of the rows `kept` of `total` samples.
    pub fn of_rows(&self, kept: &[usize], total: usize, settings: &Settings, printer: &Printer) -> Result<RowLabels> {
        if self.table.len() != total {
            let (left, right) = ("the data".to_string(), self.path.display().to_string());
            return Err(
                gsfa::Error::LengthMismatch { left, left_len: total, right, right_len: self.table.len() }.into()
            );
        }
        let Dataset { labels, kinds, weights, groups, rows, missing, .. } =
            cured(self.table.select(kept)?.dataset(&self.spec), settings, false)?;
        report_missing(&missing, printer);
        Ok(RowLabels { labels: Some(labels), label_kinds: LabelKinds(kinds), weights, groups, kept: rows })
    }
}

pub fn table(path: &Path, request: &Request<'_>, printer: &Printer) -> Result<Loaded> {
    let reading = &request.settings.reading;
    let elsewhere = match (&request.labels, &request.settings.labels) {
        (WantedLabels::Named(wanted), Some(labels)) => Some(LabelTable::read(labels, wanted, request, printer)?),
        _ => None,
    };
    let table = read_table(path, reading)?;
    let left_out = elsewhere.as_ref().map(|labels| left_out(&table, labels, request, printer)).unwrap_or_default();
    let (table, encodings) = encoded(table, &left_out, request, printer)?;
    if request.settings.labels.is_none() {
        report_unknown(&reading.ignore, &table, printer);
    }
    let mut spec = TableSpec {
        samples: sample_columns(&table, &encodings, request, printer)?,
        ignore: reading.ignore.iter().filter(|name| table.has(name)).chain(&left_out).cloned().collect(),
        // Means that replace missing values are those of the samples that are learned, which are not known yet.
        missing: if reading.missing == MissingValues::Impute { Missing::Keep } else { reading.missing.into() },
        missing_labels: reading.missing_labels,
        ..TableSpec::default()
    };
    if let (WantedLabels::Named(wanted), None) = (&request.labels, &request.settings.labels) {
        spec.labels = label_specs(&table, wanted, request.settings, None)?;
        spec.group.clone_from(&request.settings.validation.group);
        spec.weights.clone_from(&reading.weights);
    }
    let data = cured(table.dataset(&spec), request.settings, request.model.is_some())?;
    report_missing(&data.missing, printer);
    if data.samples.ncols() == 0 {
        return Err(Error::data(
            ErrorCode::NoColumns,
            format!("{} has no columns left for the samples", path.display()),
        ));
    }
    let (mut samples, mut rows) = (data.samples, data.rows);
    let mut labeled = match request.labels {
        WantedLabels::None => RowLabels::default(),
        WantedLabels::Named(_) => {
            let (labels, label_kinds) = (Some(data.labels), LabelKinds(data.kinds));
            RowLabels { labels, label_kinds, weights: data.weights, groups: data.groups, kept: Vec::new() }
        }
    };
    if let Some(labels) = &elsewhere {
        labeled = labels.of_rows(&rows, table.len(), request.settings, printer)?;
        samples = samples.select(ndarray::Axis(0), &labeled.kept);
        rows = pick(&rows, &labeled.kept);
    }
    if request.model.is_none() {
        report_label_inputs(&labeled.label_kinds, &data.sample_names, printer);
    }
    let ids = rows.iter().map(usize::to_string).collect();
    Ok(Loaded {
        samples: StoredSamples::table(samples),
        labels: labeled.labels,
        label_kinds: labeled.label_kinds,
        weights: labeled.weights,
        groups: labeled.groups,
        names: Some(data.sample_names),
        ids: ("row".into(), ids),
        balanced: false,
        encodings,
        skipped: Vec::new(),
        remarks: Vec::new(),
    })
}

/// Says which labels are learned from themselves.
fn report_label_inputs(labels: &LabelKinds, inputs: &[String], printer: &Printer) {
    for (name, _) in labels.0.iter().filter(|(name, _)| inputs.contains(name)) {
        printer.remark(
            RemarkCode::LabelIsInput,
            format!("label '{name}' is an input, too: new samples must have it, and it is learned from itself"),
        );
    }
}

/// Columns of the samples that are labels, weights or groups in a table of their own: they are no samples, unless they are named
/// as such.
fn left_out(table: &Table, labels: &LabelTable<'_>, request: &Request<'_>, printer: &Printer) -> Vec<String> {
    if request.model.is_some() || !request.settings.reading.columns.is_empty() {
        return Vec::new();
    }
    let both = labels.roles().filter(|(_, name)| table.has(name));
    let both: Vec<(&str, String)> = both.map(|(role, name)| (role, name.to_string())).collect();
    for (role, name) in &both {
        printer.remark(
            RemarkCode::NoInput,
            format!(
                "column '{name}' is the {role} of {}: it is no input; --columns would make it one",
                labels.path.display()
            ),
        );
    }
    both.into_iter().map(|(_, name)| name).collect()
}

/// What a table gave; what is wrong with weights and labels, or with samples of a model, has a cure of its own.
pub fn cured<T>(read: gsfa_data::Result<T>, settings: &Settings, to_apply: bool) -> Result<T> {
    use gsfa_data::Error as Flaw;
    read.map_err(|flaw| {
        let of_weights = |column: &String| settings.reading.weights.as_ref() == Some(column);
        let hint = match &flaw {
            Flaw::NotANumber { column, .. } | Flaw::Infinite { column, .. } if of_weights(column) => {
                "weights are numbers: --weights names their column, --weights balanced weighs all classes alike"
            }
            Flaw::MissingValues { column, .. } if of_weights(column) => {
                "every sample needs a weight: fill in the cell; samples of weight 0 are left out"
            }
            Flaw::MissingValues { column, .. } if settings.validation.group.as_ref() == Some(column) => {
                "every sample needs a group: give those that belong to nobody else a name of their own"
            }
            Flaw::MissingValues { column, .. } if settings.learn.contains(column) => {
                "--missing-labels drop leaves such samples out, --missing-labels keep learns from them without their label"
            }
            Flaw::NotANumber { .. } if to_apply => "leave the column out with --ignore, or name the inputs with --columns",
            _ => return flaw.into(),
        };
        Error::from(flaw).hint(hint)
    })
}

/// Says which columns are not there to be left out: a misspelt one would be learned from.
fn report_unknown(ignored: &[String], table: &Table, printer: &Printer) {
    for name in ignored.iter().filter(|name| !table.has(name)) {
        let meant = suggestion(name, table.names()).map_or_else(String::new, |meant| format!("; {meant}"));
        printer.remark(RemarkCode::NothingIgnored, format!("there is no column '{name}' to leave out{meant}"));
    }
}

/// The table with its columns of words as numbers: as the model's training did, or as the settings say.
fn encoded(
    table: Table,
    left_out: &[String],
    request: &Request<'_>,
    printer: &Printer,
) -> Result<(Table, BTreeMap<String, Encoding>)> {
    if let Some(model) = request.model {
        let known = &model.remembered().encodings;
        return Ok((if known.is_empty() { table } else { table.encoded(known)? }, known.clone()));
    }
    let settings = request.settings;
    if settings.reading.categories == Categories::Error {
        return Ok((table, BTreeMap::new()));
    }
    let reading = &settings.reading;
    let names: Vec<String> = match (&request.labels, reading.columns.is_empty()) {
        (_, false) => reading.columns.clone(),
        (wish, true) => {
            let labels = match wish {
                WantedLabels::Named(wanted) if settings.labels.is_none() => {
                    label_specs(&table, wanted, settings, None)?
                }
                _ => Vec::new(),
            };
            let others =
                settings.validation.group.iter().chain(&reading.weights).chain(&reading.ignore).chain(left_out);
            let used: Vec<&str> = others.map(String::as_str).chain(labels.iter().map(|l| l.name.as_str())).collect();
            table.names().filter(|name| !used.contains(name)).map(String::from).collect()
        }
    };
    let encodings = table.encodings(&names)?;
    for (name, encoding) in &encodings {
        let how = match encoding {
            Encoding::Days => "days since 1970-01-01".to_string(),
            Encoding::OneHot { words } => format!("{}, one for each word", counted(words.len(), "input")),
        };
        printer.remark(RemarkCode::Encoded, format!("column '{name}' is taken as {how}"));
    }
    Ok((table.encoded(&encodings)?, encodings))
}

/// The sample columns: those of the model, those named, or all without another role.
fn sample_columns(
    table: &Table,
    encodings: &BTreeMap<String, Encoding>,
    request: &Request<'_>,
    printer: &Printer,
) -> Result<Columns> {
    let reading = &request.settings.reading;
    if let Some((model, inputs)) = request.model.and_then(|m| Some((m, m.header().input_names.as_ref()?))) {
        if inputs.iter().any(|input| !table.has(input)) {
            let labels: Vec<&str> = model.header().labels.iter().map(|label| label.name.as_str()).collect();
            let names =
                table.names().filter(|name| !labels.contains(name) && !reading.ignore.iter().any(|i| i == name));
            model.column_order(&names.map(String::from).collect::<Vec<_>>())?;
        }
        let known: HashSet<&str> = inputs.iter().map(String::as_str).collect();
        let unused = table.names().filter(|name| !known.contains(name)).count();
        if unused > 0 && matches!(request.labels, WantedLabels::None) {
            printer.remark(RemarkCode::UnusedColumns, {
                // A column of words is one in the file, however many inputs it stands for.
                let further = encodings.values().map(|encoding| match encoding {
                    Encoding::OneHot { words } => words.len().saturating_sub(1),
                    Encoding::Days => 0,
                });
                let columns = table.names().count().saturating_sub(further.sum());
                let (columns, are) = (counted(columns, "column"), if unused == 1 { "is" } else { "are" });
                format!("{unused} of {columns} {are} no input of the model")
            });
        }
        return Ok(Columns::Named(inputs.clone()));
    }
    if reading.columns.is_empty() {
        return Ok(Columns::Rest);
    }
    let mut named = HashSet::new();
    if let Some(name) = reading.columns.iter().find(|name| !named.insert(name.as_str())) {
        return Err(Error::usage(
            ErrorCode::SettingValue,
            format!("--columns (reading.columns) names '{name}' twice: an input is there once"),
        )
        .hint("leave it out once"));
    }
    if let Some(name) = reading.columns.iter().find(|name| reading.ignore.contains(name)) {
        return Err(Error::usage(
            ErrorCode::SettingValue,
            format!("'{name}' is named by --columns (reading.columns) and by --ignore (reading.ignore)"),
        )
        .hint("it is an input or it is none: name it in one of them"));
    }
    // A column of words stands for its inputs.
    let inputs = |name: &String| match encodings.get(name) {
        Some(Encoding::OneHot { words }) => words.iter().map(|word| format!("{name}={word}")).collect(),
        _ => vec![name.clone()],
    };
    Ok(Columns::Named(reading.columns.iter().flat_map(inputs).collect()))
}
