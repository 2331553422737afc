//! How good estimates are, and what chance would give.
//!
//! All sums are weighted; with [`SampleWeights::uniform`] they are the plain ones.

use ndarray::Array2;

use crate::labels::{Classes, SampleWeights};
use crate::{Error, Result};

use super::labeled::mean_and_variance;

/// Root mean square error.
///
/// ```
/// use gsfa::{labels::SampleWeights, readout::measures::rmse};
/// assert_eq!(rmse(&[1.0, 2.0], &[4.0, 6.0], &SampleWeights::uniform(2))?, 12.5_f64.sqrt());
/// # Ok::<(), gsfa::Error>(())
/// ```
///
/// # Errors
/// [`Error::LengthMismatch`], or [`Error::TooFewSamples`] if there are none.
pub fn rmse(estimates: &[f64], labels: &[f64], weights: &SampleWeights) -> Result<f64> {
    Ok(mean_loss(estimates, labels, weights, |e, l| (e - l) * (e - l))?.sqrt())
}

/// Mean absolute error.
///
/// # Errors
/// As [`rmse`].
pub fn mae(estimates: &[f64], labels: &[f64], weights: &SampleWeights) -> Result<f64> {
    mean_loss(estimates, labels, weights, |e, l| (e - l).abs())
}

/// Coefficient of determination $R^2 = 1 - \sum a(\hat\ell - \ell)^2 / \sum a(\ell - \bar\ell)^2$: 1 for exact
/// estimates, 0 for the mean of these labels, negative for worse.
///
/// # Errors
/// As [`rmse`]; [`Error::ConstantLabel`] if there is nothing to explain.
pub fn r_squared(estimates: &[f64], labels: &[f64], weights: &SampleWeights) -> Result<f64> {
    let error = mean_loss(estimates, labels, weights, |e, l| (e - l) * (e - l))?;
    let (mean, variance) = mean_and_variance(labels, weights.as_slice());
    if variance == 0.0 {
        return Err(Error::ConstantLabel { name: "scored".into(), value: mean, deviation: 0.0 });
    }
    Ok(1.0 - error / variance)
}

/// The mean of labels: the constant with the least root mean square error.
///
/// # Errors
/// As [`rmse`].
pub fn mean(labels: &[f64], weights: &SampleWeights) -> Result<f64> {
    check(labels.len(), labels.len(), weights)?;
    Ok(mean_and_variance(labels, weights.as_slice()).0)
}

/// Chance level of the root mean square error: that of the same `constant` for every sample, the [`mean`] of the
/// training labels for an honest one or that of the test labels for the smallest.
///
/// # Errors
/// As [`rmse`].
pub fn chance_rmse(constant: f64, labels: &[f64], weights: &SampleWeights) -> Result<f64> {
    rmse(&vec![constant; labels.len()], labels, weights)
}

/// Share of samples with a wrong class, by weight.
///
/// # Errors
/// As [`rmse`].
pub fn error_rate(estimates: &[u32], classes: &[u32], weights: &SampleWeights) -> Result<f64> {
    mean_loss(estimates, classes, weights, |e, c| f64::from(u8::from(e != c)))
}

/// Weights of classes that differ by no more than this share are equal: sums have round-off.
const SAME: f64 = 1e-9;

/// The class of the largest weight; of equal ones, as balanced weights make them, the one with the most samples, and of these
/// the first.
///
/// # Errors
/// As [`rmse`].
pub fn majority_class(classes: &[u32], weights: &SampleWeights) -> Result<u32> {
    check(classes.len(), classes.len(), weights)?;
    let count = classes.iter().max().map_or(0, |&c| c as usize + 1);
    let mut sums = vec![(0.0, 0_usize); count];
    for (&c, w) in classes.iter().zip(weights.as_slice()) {
        let (sum, samples) = &mut sums[c as usize];
        (*sum, *samples) = (*sum + w, *samples + 1);
    }
    let more = |(sum, samples): (f64, usize), (best, most): (f64, usize)| match (sum - best).abs() <= SAME * best {
        true => samples > most,
        false => sum > best,
    };
    Ok((0..count).fold(0, |best, c| if more(sums[c], sums[best]) { c } else { best }) as u32)
}

/// Chance level of the error rate: that of always saying `class`, e.g. the [`majority_class`] of training.
///
/// # Errors
/// As [`rmse`].
pub fn chance_error_rate(class: u32, classes: &[u32], weights: &SampleWeights) -> Result<f64> {
    error_rate(&vec![class; classes.len()], classes, weights)
}

/// An error as percentage of the chance level.
pub fn percent_of_chance(error: f64, chance: f64) -> f64 {
    100.0 * error / chance
}

/// Weight of the samples of class i (row) that were taken for class j (column).
///
/// # Errors
/// As [`rmse`]; [`Error::Parameter`] if an index is not below `count`.
pub fn confusion_matrix(
    estimates: &[u32],
    classes: &[u32],
    count: usize,
    weights: &SampleWeights,
) -> Result<Array2<f64>> {
    check(estimates.len(), classes.len(), weights)?;
    if let Some(class) = estimates.iter().chain(classes).find(|&&c| c as usize >= count) {
        return Err(Error::parameter("class", class, format!("there are {count} classes")));
    }
    let mut matrix = Array2::zeros((count, count));
    for ((&estimate, &class), weight) in estimates.iter().zip(classes).zip(weights.as_slice()) {
        matrix[[class as usize, estimate as usize]] += weight;
    }
    Ok(matrix)
}

/// The classes of samples to be scored, as indices into the class names of training.
///
/// ```
/// use gsfa::{labels::Classes, readout::measures::class_indices};
/// let known = ["stop".to_string(), "yield".to_string()];
/// assert_eq!(class_indices(&Classes::new(["yield", "yield"]), &known)?, [1, 1]);
/// assert!(class_indices(&Classes::new(["yield", "turn"]), &known).is_err());
/// # Ok::<(), gsfa::Error>(())
/// ```
///
/// # Errors
/// [`Error::UnknownClass`] if a class does not occur in training: no estimate of it can be right.
pub fn class_indices(classes: &Classes, known: &[String]) -> Result<Vec<u32>> {
    let index = |name: &String| {
        known
            .iter()
            .position(|k| k == name)
            .map(|i| i as u32)
            .ok_or_else(|| Error::UnknownClass { name: name.clone(), known: known.to_vec() })
    };
    let of_name: Vec<u32> = classes.names().iter().map(index).collect::<Result<_>>()?;
    Ok(classes.of_sample().iter().map(|&c| of_name[c as usize]).collect())
}

fn mean_loss<T: Copy>(
    estimates: &[T],
    labels: &[T],
    weights: &SampleWeights,
    loss: impl Fn(T, T) -> f64,
) -> Result<f64> {
    check(estimates.len(), labels.len(), weights)?;
    let total: f64 = weights.as_slice().iter().sum();
    let losses = estimates.iter().zip(labels).zip(weights.as_slice()).map(|((&e, &l), w)| w * loss(e, l));
    Ok(losses.sum::<f64>() / total)
}

fn check(estimates: usize, labels: usize, weights: &SampleWeights) -> Result<()> {
    if labels == 0 {
        return Err(Error::TooFewSamples { needed: 1, got: 0 });
    }
    for (left, left_len) in [("the estimate", estimates), ("the list of sample weights", weights.as_slice().len())] {
        if left_len != labels {
            let (left, right) = (left.to_string(), "the label".to_string());
            return Err(Error::LengthMismatch { left, left_len, right, right_len: labels });
        }
    }
    Ok(())
}
