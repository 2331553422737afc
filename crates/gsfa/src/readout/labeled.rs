//! Checked training data of a read-out, and weighted sums over it.

use ndarray::{Array1, ArrayView1, ArrayView2, s};

use crate::error::{Places, brief};
use crate::labels::{Classes, LabelValues, SampleWeights};
use crate::linalg::tolerance;
use crate::{Error, Result};

/// Slow features of the training samples with one label and the samples' weights.
#[derive(Debug, Clone, Copy)]
pub struct LabeledFeatures<'a> {
    features: ArrayView2<'a, f64>,
    name: &'a str,
    label: &'a LabelValues,
    weights: &'a SampleWeights,
}

impl<'a> LabeledFeatures<'a> {
    /// Checks that lengths agree and every number is finite. Leave samples without the label out.
    ///
    /// # Errors
    /// [`Error::TooFewSamples`], [`Error::LengthMismatch`], [`Error::NonFiniteSample`], [`Error::NonFinite`], or
    /// [`Error::Overflow`] and [`Error::Parameter`] for features and labels too large to be squared.
    pub fn new(
        features: ArrayView2<'a, f64>,
        name: &'a str,
        label: &'a LabelValues,
        weights: &'a SampleWeights,
    ) -> Result<Self> {
        let samples = features.nrows();
        if samples < 2 {
            return Err(Error::TooFewSamples { needed: 2, got: samples });
        }
        let labels = match label {
            LabelValues::Numbers(values) => values.len(),
            LabelValues::Classes(classes) => classes.of_sample().len(),
        };
        let mismatch = |right: String, right_len| Error::LengthMismatch {
            left: "the feature matrix".into(),
            left_len: samples,
            right,
            right_len,
        };
        if labels != samples {
            return Err(mismatch(brief::label(name), labels));
        }
        if weights.as_slice().len() != samples {
            return Err(mismatch("the list of sample weights".into(), weights.as_slice().len()));
        }
        check_finite(features)?;
        if let LabelValues::Numbers(values) = label
            && let Some(places) = Places::find(values, |x| !x.is_finite())
        {
            return Err(Error::NonFinite { what: brief::label(name), places });
        }
        // Four times the square for differences of two values, times the number of samples for their sum.
        let overflows = |x: f64| !(4.0 * samples as f64 * x * x).is_finite();
        if let Some(((row, column), &value)) = features.indexed_iter().find(|(_, x)| overflows(**x)) {
            return Err(Error::Overflow { row, column, value });
        }
        if let LabelValues::Numbers(values) = label
            && let Some(value) = values.iter().find(|x| overflows(**x))
        {
            return Err(Error::parameter(
                "label",
                value,
                format!("the squares of '{}' overflow; rescale it", brief::text(name)),
            ));
        }
        Ok(Self { features, name, label, weights })
    }

    /// The first `count` features, or all of them.
    pub(crate) fn first(&self, count: Option<usize>) -> Result<ArrayView2<'a, f64>> {
        let available = self.features.ncols();
        match count {
            None => Ok(self.features),
            Some(0) => Err(Error::parameter("features", 0, "at least one feature is needed")),
            Some(requested) if requested > available => Err(Error::TooMany { what: "features", requested, available }),
            Some(count) => Ok(self.features.slice_move(s![.., ..count])),
        }
    }

    pub(crate) fn name(&self) -> &'a str {
        self.name
    }

    pub(crate) fn label(&self) -> &'a LabelValues {
        self.label
    }

    pub(crate) fn weights(&self) -> &'a [f64] {
        self.weights.as_slice()
    }

    /// The label's numbers with their mean and deviation.
    pub(crate) fn numbers(&self) -> Result<(&'a [f64], f64, f64)> {
        let LabelValues::Numbers(values) = self.label else {
            return Err(Error::LabelKind { name: self.name.into(), found: "classes", needed: "numbers" });
        };
        let (mean, variance) = mean_and_variance(values, self.weights());
        let deviation = variance.sqrt();
        if deviation == 0.0 && values.iter().any(|x| *x != values[0]) {
            return Err(Error::parameter(
                "label",
                self.name,
                "squares of the differences of its values vanish; rescale it",
            ));
        }
        if deviation <= tolerance::CONSTANT_LABEL * mean.abs() || deviation == 0.0 {
            return Err(Error::ConstantLabel { name: self.name.into(), value: mean, deviation });
        }
        Ok((values, mean, deviation))
    }

    /// The label's classes, of which there must be two.
    pub(crate) fn classes(&self) -> Result<&'a Classes> {
        let LabelValues::Classes(classes) = self.label else {
            return Err(Error::LabelKind { name: self.name.into(), found: "numbers", needed: "classes" });
        };
        if classes.count() < 2 {
            return Err(Error::TooFewClasses { names: classes.names().to_vec() });
        }
        Ok(classes)
    }
}

/// The first `count` columns, which must exist and be finite.
pub fn first_features(features: ArrayView2<'_, f64>, count: usize) -> Result<ArrayView2<'_, f64>> {
    if features.ncols() < count {
        return Err(Error::Shape {
            what: "the feature matrix".into(),
            found: features.shape().to_vec(),
            needed: vec![features.nrows(), count],
        });
    }
    let features = features.slice_move(s![.., ..count]);
    check_finite(features)?;
    Ok(features)
}

fn check_finite(features: ArrayView2<'_, f64>) -> Result<()> {
    let mut bad = features.indexed_iter().filter(|(_, x)| !x.is_finite()).map(|(place, _)| place);
    match bad.next() {
        None => Ok(()),
        Some((row, column)) => Err(Error::NonFiniteSample { row, column, total: 1 + bad.count() }),
    }
}

/// Weighted mean and (population) variance in two passes, in the order of the values.
///
/// The mean is taken relative to the first value: equal values have exactly their value as mean and no variance.
pub fn mean_and_variance(values: &[f64], weights: &[f64]) -> (f64, f64) {
    let total: f64 = weights.iter().sum();
    let Some(&first) = values.first() else { return (0.0, 0.0) };
    let mean = first + values.iter().zip(weights).map(|(x, w)| (x - first) * w).sum::<f64>() / total;
    let variance = values.iter().zip(weights).map(|(x, w)| (x - mean) * (x - mean) * w).sum::<f64>() / total;
    (mean, variance)
}

/// Weighted mean and deviation of every column, the deviation exactly 0 where it is round-off.
pub fn column_moments(features: ArrayView2<'_, f64>, weights: &[f64]) -> (Array1<f64>, Array1<f64>) {
    let round_off = tolerance::sum(features.nrows());
    let (means, deviations): (Vec<f64>, Vec<f64>) =
        features.columns().into_iter().map(|column| moments(column, weights, round_off)).unzip();
    (means.into(), deviations.into())
}

fn moments(column: ArrayView1<'_, f64>, weights: &[f64], round_off: f64) -> (f64, f64) {
    let values = column.to_vec();
    let (mean, variance) = mean_and_variance(&values, weights);
    let largest = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let deviation = variance.sqrt();
    (mean, if deviation > round_off * largest { deviation } else { 0.0 })
}
