//! What a graph is built from: labels, sample weights, and vectors for neighbourhoods.

use ndarray::ArrayView2;

use crate::error::Places;
use crate::error::brief::label;
use crate::labels::{Classes, LabelValues, Labels, SampleWeights};
use crate::{Error, Result};

/// The input of [`GraphSpec::build`](super::GraphSpec::build): the labels of *all* training samples and, if wanted,
/// prior weights of the samples and vectors whose neighbourhood matters.
#[derive(Debug, Clone)]
pub struct GraphInput<'a> {
    labels: &'a Labels,
    weights: SampleWeights,
    vectors: Option<ArrayView2<'a, f64>>,
}

impl<'a> From<&'a Labels> for GraphInput<'a> {
    fn from(labels: &'a Labels) -> Self {
        Self::new(labels)
    }
}

impl<'a> GraphInput<'a> {
    /// Labels alone: every sample weighs 1.
    pub fn new(labels: &'a Labels) -> Self {
        Self { labels, weights: SampleWeights::uniform(labels.len()), vectors: None }
    }

    /// With a weight per sample.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many weights as samples.
    pub fn with_weights(mut self, weights: SampleWeights) -> Result<Self> {
        self.same_length("sample weights", weights.as_slice().len())?;
        self.weights = weights;
        Ok(self)
    }

    /// With the vectors whose nearest neighbours are connected, one row per sample.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if there are not as many rows as samples.
    pub fn with_vectors(mut self, vectors: ArrayView2<'a, f64>) -> Result<Self> {
        self.same_length("vectors", vectors.nrows())?;
        self.vectors = Some(vectors);
        Ok(self)
    }

    fn same_length(&self, what: &str, len: usize) -> Result<()> {
        if len == self.len() {
            return Ok(());
        }
        Err(Error::LengthMismatch {
            left: "the label table".into(),
            left_len: self.len(),
            right: what.into(),
            right_len: len,
        })
    }

    /// The number of samples.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The label columns.
    pub fn labels(&self) -> &'a Labels {
        self.labels
    }

    /// The prior weight of each sample.
    pub fn weights(&self) -> &[f64] {
        self.weights.as_slice()
    }

    /// The vectors, if given.
    pub fn vectors(&self) -> Option<ArrayView2<'a, f64>> {
        self.vectors
    }

    /// The numeric label `name`, or the only one there is; all its values are finite.
    pub(crate) fn number(&self, name: Option<&str>, graph: &'static str) -> Result<(&'a str, &'a [f64])> {
        let (name, values) = self.pick(name, graph, "numeric", |values| match values {
            LabelValues::Numbers(x) => Some(x.as_slice()),
            LabelValues::Classes(_) => None,
        })?;
        match Places::find(values, |x| !x.is_finite()) {
            Some(places) => Err(Error::NonFinite { what: label(name), places }),
            None => Ok((name, values)),
        }
    }

    /// The samples without class, which must be `allowed`.
    pub(crate) fn missing_classes(&self, name: Option<&str>, graph: &'static str, allowed: bool) -> Result<Vec<usize>> {
        let (name, classes) = self.pick_classes(name, graph)?;
        match Places::find(classes.of_sample(), |&c| c == Classes::MISSING) {
            Some(places) if !allowed => Err(Error::MissingClasses { name: name.to_string(), places }),
            _ => Ok((0..self.len()).filter(|&n| classes.of_sample()[n] == Classes::MISSING).collect()),
        }
    }

    fn pick_classes(&self, name: Option<&str>, graph: &'static str) -> Result<(&'a str, &'a Classes)> {
        self.pick(name, graph, "class", |values| match values {
            LabelValues::Numbers(_) => None,
            LabelValues::Classes(classes) => Some(classes),
        })
    }

    /// The class label `name`, or the only one there is, with at least two classes and fewer classes than samples.
    pub(crate) fn classes(&self, name: Option<&str>, graph: &'static str) -> Result<(&'a str, &'a Classes)> {
        let (name, classes) = self.pick_classes(name, graph)?;
        if classes.count() < 2 {
            return Err(Error::TooFewClasses { names: classes.names().to_vec() });
        }
        if classes.count() == self.len() {
            return Err(Error::EverySampleItsOwnClass { classes: classes.count(), samples: self.len() });
        }
        Ok((name, classes))
    }

    fn pick<T: ?Sized>(
        &self,
        name: Option<&str>,
        graph: &'static str,
        kind: &'static str,
        view: impl Fn(&'a LabelValues) -> Option<&'a T>,
    ) -> Result<(&'a str, &'a T)> {
        let labels = self.labels;
        if let Some(name) = name {
            labels.column(name)?;
        }
        let mut candidates = labels.columns().filter(|(n, _)| name.is_none_or(|wanted| wanted == *n));
        if let Some(wanted) = name {
            let Some((n, values)) = candidates.next() else {
                return Err(Error::UnknownLabel { name: wanted.to_string(), available: Vec::new() });
            };
            return view(values).map(|x| (n, x)).ok_or_else(|| wrong_kind(n, kind));
        }
        let all: Vec<(&str, &'a LabelValues)> = candidates.collect();
        let matching: Vec<(&'a str, &'a T)> =
            labels.columns().filter_map(|(n, values)| view(values).map(|x| (n, x))).collect();
        match (matching.as_slice(), all.as_slice()) {
            ([one], _) => Ok(*one),
            ([], [(only, _)]) => Err(wrong_kind(only, kind)),
            _ => Err(Error::LabelChoice { graph, kind, found: matching.len() }),
        }
    }
}

fn wrong_kind(name: &str, kind: &str) -> Error {
    let (found, needed) = if kind == "numeric" { ("classes", "numbers") } else { ("numbers", "classes") };
    Error::LabelKind { name: name.to_string(), found, needed }
}
