//! From a table to samples and labels: which column is what, and what becomes of missing cells.

use std::collections::{HashMap, HashSet};

use gsfa::labels::Labels;
use ndarray::Array2;

use super::{LabelKind, LabelSpec, Recognized, Table};
use crate::finite::Mean;
use crate::listed::Listed;
use crate::{Error, Result, memory};

/// What becomes of rows with missing cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// They are an error.
    #[default]
    Error,
    /// They are left out.
    Drop,
    /// Their cells get the mean of the column.
    Impute,
    /// They stay, with NaN: unlabelled samples of a semi-supervised graph.
    Keep,
}

/// Which columns are the samples.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Columns {
    /// None: the samples are elsewhere.
    None,
    /// All that have no other role.
    #[default]
    Rest,
    /// These, in this order.
    Named(Vec<String>),
}

/// The roles of a table's columns.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TableSpec {
    /// The samples.
    pub samples: Columns,
    /// The labels.
    pub labels: Vec<LabelSpec>,
    /// The column of file names, if rows belong to files.
    pub file: Option<String>,
    /// The column of groups that a split must not tear apart.
    pub group: Option<String>,
    /// The column of sample weights.
    pub weights: Option<String>,
    /// Columns to leave out of [`Columns::Rest`].
    pub ignore: Vec<String>,
    /// Missing cells of samples. Where they are no error, infinite numbers count as missing, too.
    pub missing: Missing,
    /// Missing labels. An infinite label is an error in every case, and so is a weight that is missing or infinite:
    /// somebody meant something by it, and a sample without it would be another sample.
    pub missing_labels: Missing,
}

/// Samples and labels taken from a table, row by row the same.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The samples (N×I); I is 0 if the table has none.
    pub samples: Array2<f64>,
    /// Names of the sample columns.
    pub sample_names: Vec<String>,
    /// The labels.
    pub labels: Labels,
    /// Names and kinds of the labels, as given or recognised among the samples that count, and why.
    pub kinds: Vec<(String, Recognized)>,
    /// File names, if asked for.
    pub files: Option<Vec<String>>,
    /// Group of each row, numbered in order of first appearance, if asked for.
    pub groups: Option<Vec<usize>>,
    /// The weight of each row, if asked for.
    pub weights: Option<Vec<f64>>,
    /// The rows of the table that were kept.
    pub rows: Vec<usize>,
    /// What was missing.
    pub missing: MissingReport,
}

/// What was missing and what was done about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct MissingReport {
    /// Missing cells in all.
    pub cells: usize,
    /// Rows left out, by their places.
    pub dropped: Listed,
    /// Columns filled with their mean, and how many cells of each.
    pub imputed: Vec<(String, usize)>,
    /// Columns with cells left missing, and how many cells of each.
    pub kept: Vec<(String, usize)>,
}

impl Table {
    /// Takes samples and labels out of the table.
    ///
    /// # Errors
    /// With line and column: unknown columns, text where numbers are needed, infinite values, missing cells where they are
    /// not allowed.
    pub fn dataset(&self, spec: &TableSpec) -> Result<Dataset> {
        let sample_names = self.sample_names(spec)?;
        let mut columns = self.sample_columns(&sample_names, spec.missing)?;
        let weights = spec.weights.as_ref().map(|name| self.numbers(name)).transpose()?;
        // A sample of weight 0 is as if it were not there.
        let counts = |row: usize| weights.as_ref().is_none_or(|weights| weights[row] != 0.0);
        let mut kinds = Vec::new();
        let mut classes = Vec::new();
        for label in &spec.labels {
            let found = match label.kind {
                Some(kind) => Recognized::given(kind),
                None => self.recognize_among(&label.name, counts)?,
            };
            let kind = found.kind;
            kinds.push((label.name.clone(), found));
            match kind {
                LabelKind::Numbers => {
                    columns.push((label.name.clone(), self.numbers(&label.name)?, spec.missing_labels));
                }
                LabelKind::Classes => classes.push((label.name.clone(), self.class_names(&label.name)?)),
            }
        }
        if let (Some(name), Some(weights)) = (&spec.weights, weights) {
            columns.push((name.clone(), weights, Missing::Error));
        }
        let mut report = MissingReport::default();
        let keep = self.resolve(&mut columns, &classes, spec.missing_labels, &mut report)?;
        let rows = self.staying(&keep)?;
        let mut labels = Labels::none(rows.len());
        let (samples, numbers) = columns.split_at(sample_names.len());
        for (name, found) in &kinds {
            // A name may be both a sample column and a label; the labels stand behind the samples.
            labels = match found.kind {
                LabelKind::Numbers => {
                    let values = &numbers[numbers.iter().position(|(n, ..)| n == name).unwrap_or(0)].1;
                    labels.and_numbers(name, memory::picked(values, &rows, &self.path)?)?
                }
                LabelKind::Classes => {
                    let values = &classes[classes.iter().position(|(n, _)| n == name).unwrap_or(0)].1;
                    labels.and_some_classes(name, rows.iter().map(|&row| values[row].as_deref()))?
                }
            };
        }
        let weights = spec.weights.as_ref().and_then(|_| columns.last());
        let weights = weights.map(|(_, values, _)| memory::picked(values, &rows, &self.path)).transpose()?;
        let pick = |values: Vec<String>| rows.iter().map(|&row| values[row].clone()).collect::<Vec<_>>();
        Ok(Dataset {
            samples: self.matrix(samples, &rows)?,
            sample_names,
            labels,
            kinds,
            files: spec.file.as_ref().map(|name| self.texts(name).map(pick)).transpose()?,
            groups: spec.group.as_ref().map(|name| self.groups(name, &rows).map(|t| numbered(&t))).transpose()?,
            weights,
            rows,
            missing: report,
        })
    }

    /// The groups of some rows. Each must have one: those without would be a group.
    fn groups(&self, name: &str, rows: &[usize]) -> Result<Vec<String>> {
        let all = self.class_names(name)?;
        let missing: Vec<usize> = rows.iter().copied().filter(|&row| all[row].is_none()).collect();
        match missing.first() {
            None => Ok(rows.iter().filter_map(|&row| all[row].clone()).collect()),
            Some(&first) => Err(Error::MissingValues {
                path: self.path.clone(),
                total: missing.len(),
                place: self.place(first),
                column: name.to_string(),
            }),
        }
    }

    /// The columns of samples; what is infinite is missing there, where the policy is not to refuse it.
    fn sample_columns(&self, names: &[String], missing: Missing) -> Result<Vec<(String, Vec<f64>, Missing)>> {
        let column = |name: &String| {
            let mut values = match missing {
                Missing::Error => self.numbers(name)?,
                Missing::Drop | Missing::Impute | Missing::Keep => self.numbers_or_infinity(name)?,
            };
            values.iter_mut().filter(|value| value.is_infinite()).for_each(|value| *value = f64::NAN);
            Ok((name.clone(), values, missing))
        };
        names.iter().map(column).collect()
    }

    /// The rows that stay, at least one.
    fn staying(&self, keep: &[bool]) -> Result<Vec<usize>> {
        let mut rows = memory::reserve(self.len(), &self.path)?;
        rows.extend((0..self.len()).filter(|&row| keep[row]));
        if rows.is_empty() {
            return Err(Error::EmptyTable { path: self.path.clone(), missing: "no row without missing values" });
        }
        Ok(rows)
    }

    /// Some rows of columns, side by side.
    fn matrix(&self, columns: &[(String, Vec<f64>, Missing)], rows: &[usize]) -> Result<Array2<f64>> {
        let mut matrix = memory::zeros(rows.len(), columns.len(), &self.path)?;
        for (mut to, &row) in matrix.outer_iter_mut().zip(rows) {
            to.iter_mut().zip(columns).for_each(|(to, (_, values, _))| *to = values[row]);
        }
        Ok(matrix)
    }

    fn sample_names(&self, spec: &TableSpec) -> Result<Vec<String>> {
        let others = || spec.ignore.iter().chain(&spec.file).chain(&spec.group).chain(&spec.weights);
        for name in others() {
            self.column(name)?;
        }
        Ok(match &spec.samples {
            Columns::None => Vec::new(),
            Columns::Named(names) => names.clone(),
            Columns::Rest => {
                let labels = spec.labels.iter().map(|label| &label.name);
                let taken: HashSet<&str> = labels.chain(others()).map(String::as_str).collect();
                self.names().filter(|name| !taken.contains(name)).map(str::to_string).collect()
            }
        })
    }

    /// Applies the policies; returns which rows stay.
    fn resolve(
        &self,
        columns: &mut [(String, Vec<f64>, Missing)],
        classes: &[(String, Vec<Option<String>>)],
        class_policy: Missing,
        report: &mut MissingReport,
    ) -> Result<Vec<bool>> {
        let mut keep = memory::reserve(self.len(), &self.path)?;
        keep.resize(self.len(), true);
        let mut forbidden: Option<(usize, String)> = None;
        let mut forbidden_total = 0;
        let mut forbid = |row: usize, column: &str| {
            forbidden_total += 1;
            if forbidden.as_ref().is_none_or(|(first, _)| row < *first) {
                forbidden = Some((row, column.to_string()));
            }
        };
        let mut words = HashSet::new();
        for (name, values, policy) in columns.iter() {
            let Some(name) = self.told_once(name, &mut words) else { continue };
            for row in (0..values.len()).filter(|&row| values[row].is_nan()) {
                report.cells += 1;
                match policy {
                    Missing::Error => forbid(row, name),
                    Missing::Drop => keep[row] = false,
                    Missing::Impute | Missing::Keep => {}
                }
            }
        }
        for (name, values) in classes {
            let mut kept = 0;
            for row in (0..values.len()).filter(|&row| values[row].is_none()) {
                report.cells += 1;
                match class_policy {
                    Missing::Error => forbid(row, name),
                    Missing::Drop => keep[row] = false,
                    Missing::Keep => kept += 1,
                    Missing::Impute => {
                        let (path, place, column) = (self.path.clone(), self.place(row), name.clone());
                        return Err(Error::MissingClass { path, place, column, done: "imputed" });
                    }
                }
            }
            if kept > 0 {
                report.kept.push((name.clone(), kept));
            }
        }
        if let Some((row, column)) = forbidden {
            let place = self.place(row);
            return Err(Error::MissingValues { path: self.path.clone(), total: forbidden_total, place, column });
        }
        report.dropped = (0..self.len()).filter(|&row| !keep[row]).map(|row| self.place(row)).collect();
        self.impute_all(columns, &keep, report)?;
        Ok(keep)
    }

    /// Fills what is to be filled in the rows that stay, and reports what is missing there.
    fn impute_all(
        &self,
        columns: &mut [(String, Vec<f64>, Missing)],
        keep: &[bool],
        report: &mut MissingReport,
    ) -> Result<()> {
        let mut words = HashSet::new();
        for (name, values, policy) in columns.iter_mut() {
            let absent = (0..values.len()).filter(|&row| keep[row] && values[row].is_nan()).count();
            if absent == 0 {
                continue;
            }
            if *policy == Missing::Impute {
                self.impute(name, values, keep)?;
            }
            let Some(name) = self.told_once(name, &mut words) else { continue };
            match policy {
                Missing::Impute => report.imputed.push((name.to_string(), absent)),
                Missing::Keep => report.kept.push((name.to_string(), absent)),
                Missing::Error | Missing::Drop => {}
            }
        }
        Ok(())
    }

    /// What messages call a column: a column of words by its own name, and only for the first of its columns of 0 and 1, since a
    /// word that is missing is one cell.
    fn told_once<'n, 's: 'n>(&'s self, name: &'n str, words: &mut HashSet<&'s str>) -> Option<&'n str> {
        match self.indicated.get(name) {
            Some(column) => words.insert(column).then_some(column),
            None => Some(name),
        }
    }

    /// Fills missing cells with the mean of the rows that stay.
    fn impute(&self, name: &str, values: &mut [f64], keep: &[bool]) -> Result<()> {
        let mut mean = Mean::default();
        let present = values.iter().zip(keep).filter(|(value, keep)| **keep && !value.is_nan());
        present.for_each(|(value, _)| mean.add(*value));
        let mean = mean.value();
        if mean.is_nan() {
            return Err(Error::EmptyColumn { path: self.path.clone(), column: name.to_string() });
        }
        values.iter_mut().filter(|value| value.is_nan()).for_each(|value| *value = mean);
        Ok(())
    }
}

/// Numbers equal names equally, in order of first appearance.
pub(crate) fn numbered(names: &[String]) -> Vec<usize> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    names
        .iter()
        .map(|name| {
            let next = seen.len();
            *seen.entry(name).or_insert(next)
        })
        .collect()
}
