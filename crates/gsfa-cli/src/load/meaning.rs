//! Settings that would have no effect on the data at hand: refused by name, whether a flag, `--set` or a file says them.

use gsfa_data::pixels::{Preparation, Step};
use gsfa_data::table::{Categories, Unmatched};

use super::Kind;
use super::stored::SHAPE_HINT;
use crate::error::{Error, ErrorCode, Result};
use crate::settings::{MissingValues, Settings};

/// A setting of how files are read, and whether it means something.
struct Rule {
    given: bool,
    name: &'static str,
    acts: bool,
    /// What it is for, after "it".
    purpose: &'static str,
    hint: &'static str,
}

/// Refuses what would have no effect on the samples and labels that are named.
pub fn refuse_meaningless(settings: &Settings) -> Result {
    let kind = |path: &Option<std::path::PathBuf>| path.as_deref().and_then(|path| Kind::of(path).ok());
    // A path that cannot be read is told by whoever reads it.
    let (data, labels) = (kind(&settings.data), kind(&settings.labels));
    if settings.data.is_some() && data.is_none() || data.is_none() && labels.is_none() {
        return Ok(());
    }
    let broken = rules(settings, data, labels).into_iter().find(|rule| rule.given && !rule.acts);
    match broken {
        None => Ok(()),
        Some(Rule { name, purpose, hint, .. }) => Err(Error::usage(
            ErrorCode::MeaninglessFlag,
            match data {
                Some(data) => format!("{name} means nothing here: it {purpose}, and the data is {}", words(data)),
                None => format!("{name} means nothing here: it {purpose}, and there are labels alone"),
            },
        )
        .hint(hint)),
    }
}

fn rules(settings: &Settings, data: Option<Kind>, labels: Option<Kind>) -> [Rule; 9] {
    let reading = &settings.reading;
    let (images, table) = (matches!(data, Some(Kind::Gtsrb | Kind::Images)), data == Some(Kind::Table));
    let labeled = settings.labels.is_some();
    // Columns that are not the label are told where it is not named.
    let sought = labeled && settings.learn.is_empty();
    let rule = |given, name, acts, purpose, hint| Rule { given, name, acts, purpose, hint };
    let out = "leave it out";
    [
        rule(
            reading.array.is_some(),
            "--array (reading.array)",
            data == Some(Kind::Npz) || labels == Some(Kind::Npz),
            "names an array of an .npz file",
            out,
        ),
        rule(
            reading.missing != MissingValues::Error,
            "--missing (reading.missing)",
            !images,
            "is for values that are not there",
            "--skip-bad N leaves out up to N unreadable images",
        ),
        rule(reading.skip_bad > 0, "--skip-bad (reading.skip_bad)", images, "leaves out unreadable images", out),
        rule(
            reading.unmatched != Unmatched::Error,
            "--unmatched (reading.unmatched)",
            data == Some(Kind::Images) && labeled,
            "is for a folder of images and a table of their labels",
            "rows of tables and arrays belong to labels by their number",
        ),
        rule(
            reading.file_column.is_some(),
            "--file-column (reading.file_column)",
            data == Some(Kind::Images) && labeled || sought && data != Some(Kind::Gtsrb),
            "names a column in a table of labels, which tells their images, or that it is no label",
            "--labels names that table; --ignore leaves a column out of the samples",
        ),
        rule(
            reading.part.is_some(),
            "--part (reading.part)",
            data == Some(Kind::Gtsrb),
            "is for the GTSRB folder",
            out,
        ),
        rule(!reading.columns.is_empty(), "--columns (reading.columns)", table, "names columns of a table", out),
        rule(
            !reading.ignore.is_empty(),
            "--ignore (reading.ignore)",
            table || labeled,
            "names columns of a table",
            out,
        ),
        rule(
            reading.categories != Categories::Error,
            "--categories (reading.categories)",
            table,
            "is for columns of words",
            out,
        ),
    ]
}

fn words(data: Kind) -> &'static str {
    match data {
        Kind::Gtsrb => "the GTSRB folder",
        Kind::Images => "a folder of images",
        Kind::Npy => "an array",
        Kind::Npz => "an archive of arrays",
        Kind::Table => "a table",
    }
}

/// What to say of steps for images where rows are none.
pub fn preparation_of_rows(preparation: &Preparation) -> Error {
    let name = match preparation.steps.first() {
        Some(Step::Grey) => "--grey",
        Some(Step::Resize { .. }) => "--resize",
        Some(Step::MeanIntensity { .. }) => "--mean-intensity",
        _ => "--preparation",
    };
    Error::usage(
        ErrorCode::MeaninglessFlag,
        format!("{name} (preparation) means nothing here: it prepares images, and the samples are rows of numbers"),
    )
    .hint(SHAPE_HINT)
}
