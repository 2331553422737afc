//! From what was loaded to samples that are learned from, or that a model is applied to.

use gsfa::labels::{LabelValues, Labels, SampleWeights};
use gsfa::model::{Remark, Remembered};
use gsfa::samples::Samples;
use gsfa_data::distort::{ImageCopy, copies_of_each, cycle_classes};
use gsfa_data::table::Encoding;

use super::Loaded;
use super::stored::{Copies, Imputation, ReadableSamples};
use crate::error::{Error, ErrorCode, RemarkCode, Result};
use crate::present::{Printer, counted};
use crate::settings::{MissingValues, Settings};

/// Samples to learn from, and what belongs to them row by row.
pub struct TrainingSet {
    pub source: Box<dyn Samples>,
    pub labels: Labels,
    pub weights: SampleWeights,
    /// Samples with the same number belong together: those of a group, and copies of an image.
    pub groups: Option<Vec<usize>>,
    /// The mean of each input, to stand in for missing ones later.
    pub means: Option<Vec<f64>>,
    /// What was done about missing values.
    pub remarks: Vec<Remark>,
}

impl Loaded {
    /// The given samples, to learn from; images as distorted copies if the settings say so.
    pub fn training_set(&self, rows: &[usize], settings: &Settings, printer: &Printer) -> Result<TrainingSet> {
        let (mut labels, mut weights) = (self.labels()?.select(rows), self.weights_of(rows)?);
        let (samples, of_stored) = (self.samples.select(rows)?, weights.clone());
        let mut groups: Option<Vec<usize>> =
            self.groups.as_ref().map(|groups| rows.iter().map(|&n| groups[n]).collect());
        let mut copies = None;
        if let Some(rows) = copied(settings, &labels)? {
            let of_image: Vec<usize> = rows.iter().map(|copy| copy.image).collect();
            (labels, weights) = (labels.select(&of_image), weights.select(&of_image));
            groups = Some(match groups {
                Some(groups) => of_image.iter().map(|&image| groups[image]).collect(),
                None => of_image,
            });
            copies = Some(Copies { rows, distortion: settings.distortion.unwrap_or_default(), seed: settings.seed });
        }
        let ReadableSamples { source, means, replaced } =
            samples.ready(Imputation::OwnMeans(of_stored.as_slice()), copies)?;
        let remarks = self.report(&replaced, "", printer);
        Ok(TrainingSet { source, labels, weights, groups, means, remarks })
    }

    /// The given samples, or all, as a model sees them: missing values are replaced by the means of its training.
    pub fn to_apply(
        &self,
        rows: Option<&[usize]>,
        remembered: &Remembered,
        missing: MissingValues,
        printer: &Printer,
    ) -> Result<Box<dyn Samples>> {
        let samples = match rows {
            Some(rows) => self.samples.select(rows)?,
            None => self.samples.clone(),
        };
        let fill = match (missing, &remembered.means) {
            (MissingValues::Impute, Some(means)) => Imputation::Means(means),
            _ => Imputation::Nothing,
        };
        let ReadableSamples { source, replaced, .. } = samples.ready(fill, None)?;
        self.report(&replaced, " in training", printer);
        Ok(source)
    }

    fn report(&self, replaced: &[usize], in_training: &str, printer: &Printer) -> Vec<Remark> {
        // A word that is missing is one value, however many inputs it stands for.
        let mut columns: Vec<(String, usize)> = Vec::new();
        for (i, &count) in replaced.iter().enumerate().filter(|(_, count)| **count > 0) {
            let name = self.column(i);
            if columns.last().is_none_or(|(last, _)| *last != name) {
                columns.push((name, count));
            }
        }
        let total: usize = columns.iter().map(|(_, count)| count).sum();
        if total == 0 {
            return Vec::new();
        }
        let shown: Vec<String> = columns.iter().take(5).map(|(name, count)| format!("{count} of {name}")).collect();
        let more = columns.len() - shown.len();
        let more = if more > 0 { format!(" and {} more", counted(more, "column")) } else { String::new() };
        let text = format!("{}{in_training}: {}{more}", replaced_by_means(total), shown.join(", "));
        printer.remark(RemarkCode::Imputed, text.clone());
        vec![Remark { code: <&str>::from(RemarkCode::Imputed).into(), text }]
    }

    /// What the column of an input is called in the file.
    fn column(&self, input: usize) -> String {
        let Some(names) = &self.names else { return format!("column {input}") };
        let name = &names[input];
        let source = self.encodings.iter().find(|(column, encoding)| match encoding {
            Encoding::Days => false,
            Encoding::OneHot { words } => {
                let word = name.strip_prefix(column.as_str()).and_then(|rest| rest.strip_prefix('='));
                word.is_some_and(|word| words.iter().any(|known| known == word))
            }
        });
        format!("'{}'", source.map_or(name, |(column, _)| column))
    }
}

fn replaced_by_means(count: usize) -> String {
    let (were, their) = if count == 1 { ("was", "its") } else { ("were", "their") };
    format!("{} {were} replaced by the mean of {their} column", counted(count, "missing value"))
}

/// Which image each row shows, and which copy of it, if images are copied.
fn copied(settings: &Settings, labels: &Labels) -> Result<Option<Vec<ImageCopy>>> {
    if let Some(count) = settings.copies_per_image {
        return Ok(Some(copies_of_each(labels.len(), count)));
    }
    let Some(count) = settings.copies else { return Ok(None) };
    if labels.labeled().len() < labels.len() {
        return Err(
            Error::usage(ErrorCode::Copies, "--copies needs the class of every image").hint("--missing-labels drop")
        );
    }
    Ok(Some(cycle_classes(classes(labels)?, count, settings.seed)?))
}

/// The class of each sample, which copies need.
fn classes(labels: &Labels) -> Result<&[u32]> {
    let found = labels.columns().find_map(|(_, values)| match values {
        LabelValues::Classes(classes) => Some(classes.of_sample()),
        LabelValues::Numbers(_) => None,
    });
    found.ok_or_else(|| {
        Error::usage(ErrorCode::Copies, "--copies needs a label of classes")
            .hint("--copies-per-image N makes copies of each image, whatever its labels are")
    })
}
