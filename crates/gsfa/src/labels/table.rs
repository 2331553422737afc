//! Named label columns of equal length.

use super::Classes;
use crate::error::brief::label;
use crate::{Error, Result};

/// The label columns of the samples: numbers to estimate, classes to tell apart, or both.
///
/// ```
/// use gsfa::labels::Labels;
/// let labels = Labels::numbers("age", vec![20.0, 35.0, 61.0]).and_classes("sign", ["stop", "yield", "stop"])?;
/// assert_eq!(labels.len(), 3);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Labels {
    len: usize,
    columns: Vec<(String, LabelValues)>,
}

/// The values of one label column.
#[derive(Debug, Clone, PartialEq)]
pub enum LabelValues {
    /// One number per sample; NaN where the label is missing.
    Numbers(Vec<f64>),
    /// One class per sample; none where it is missing.
    Classes(Classes),
}

impl Labels {
    /// No label columns, for graphs that need none (time chains, edge lists).
    pub fn none(samples: usize) -> Self {
        Self { len: samples, columns: Vec::new() }
    }

    /// One numeric label.
    pub fn numbers(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self { len: values.len(), columns: vec![(name.into(), LabelValues::Numbers(values))] }
    }

    /// One class label.
    pub fn classes<S: AsRef<str>>(name: impl Into<String>, values: impl IntoIterator<Item = S>) -> Self {
        let classes = Classes::new(values);
        Self { len: classes.of_sample().len(), columns: vec![(name.into(), LabelValues::Classes(classes))] }
    }

    /// With one more numeric label.
    ///
    /// # Errors
    /// If the length differs or the name is taken.
    pub fn and_numbers(self, name: impl Into<String>, values: Vec<f64>) -> Result<Self> {
        self.and(name.into(), LabelValues::Numbers(values))
    }

    /// With one more class label.
    ///
    /// # Errors
    /// If the length differs or the name is taken.
    pub fn and_classes<S: AsRef<str>>(
        self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = S>,
    ) -> Result<Self> {
        self.and(name.into(), LabelValues::Classes(Classes::new(values)))
    }

    /// With one more class label, which some samples do not have.
    ///
    /// # Errors
    /// If the length differs or the name is taken.
    pub fn and_some_classes<S: AsRef<str>>(
        self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = Option<S>>,
    ) -> Result<Self> {
        self.and(name.into(), LabelValues::Classes(Classes::with_missing(values)))
    }

    fn and(mut self, name: String, values: LabelValues) -> Result<Self> {
        if self.columns.iter().any(|(taken, _)| *taken == name) {
            return Err(Error::parameter("label", name, "two labels have this name"));
        }
        let len = match &values {
            LabelValues::Numbers(x) => x.len(),
            LabelValues::Classes(c) => c.of_sample().len(),
        };
        if len != self.len {
            return Err(Error::LengthMismatch {
                left: self.columns.first().map_or("samples".into(), |(first, _)| label(first)),
                left_len: self.len,
                right: label(&name),
                right_len: len,
            });
        }
        self.columns.push((name, values));
        Ok(self)
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Names and values of the columns, in the order given.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &LabelValues)> {
        self.columns.iter().map(|(name, values)| (name.as_str(), values))
    }

    /// The labels of some samples, in the given order and also repeatedly; classes are those that occur among them.
    ///
    /// ```
    /// use gsfa::labels::Labels;
    /// let labels = Labels::numbers("age", vec![20.0, 35.0, 61.0]);
    /// assert_eq!(labels.select(&[2, 0]), Labels::numbers("age", vec![61.0, 20.0]));
    /// ```
    ///
    /// # Panics
    /// If a row does not exist.
    pub fn select(&self, rows: &[usize]) -> Self {
        let columns = self.columns.iter().map(|(name, values)| (name.clone(), values.select(rows))).collect();
        Self { len: rows.len(), columns }
    }

    /// The samples that have all their labels, ascending.
    pub fn labeled(&self) -> Vec<usize> {
        let missing = |values: &LabelValues, n: usize| match values {
            LabelValues::Numbers(x) => x[n].is_nan(),
            LabelValues::Classes(classes) => classes.of_sample()[n] == Classes::MISSING,
        };
        (0..self.len).filter(|&n| !self.columns.iter().any(|(_, values)| missing(values, n))).collect()
    }

    /// The column called `name`.
    ///
    /// # Errors
    /// [`Error::UnknownLabel`] if there is none.
    pub fn column(&self, name: &str) -> Result<&LabelValues> {
        self.columns.iter().find(|(n, _)| n == name).map(|(_, values)| values).ok_or_else(|| Error::UnknownLabel {
            name: name.to_string(),
            available: self.columns.iter().map(|(n, _)| n.clone()).collect(),
        })
    }
}

impl LabelValues {
    /// The values of some samples, as [`Labels::select`].
    pub(crate) fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Numbers(x) => Self::Numbers(rows.iter().map(|&row| x[row]).collect()),
            Self::Classes(classes) => {
                Self::Classes(Classes::with_missing(rows.iter().map(|&row| classes.name_of(row))))
            }
        }
    }
}
