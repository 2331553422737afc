//! Fitted read-outs as named arrays with a small header: what a model file stores.

use std::collections::BTreeMap;

use ndarray::{Array, ArrayD, Dimension};
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// A fitted read-out taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// What is not an array.
    pub header: PartsHeader,
    /// All that was learned, by name.
    pub arrays: BTreeMap<String, ArrayD<f64>>,
}

/// The kind of a fitted read-out and what it needs beside arrays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PartsHeader {
    /// Arrays `intercept` (), `coefficients` (d), `range` (2).
    Linear,
    /// Arrays `centre` (d), `inverse_scale` (d), `means` (C×d), `whitening` (C×d×d), `log_weights` (C), and for numbers
    /// `label_means` (C) and `label_variances` (C).
    Gaussian {
        /// Whether the estimate is an expectation over bins.
        soft: bool,
        /// Names of the classes, unless the label has numbers.
        classes: Option<Vec<String>>,
    },
    /// Array `centroids` (C×d).
    NearestCentroid {
        /// Names of the classes.
        classes: Vec<String>,
    },
    /// Arrays `samples` (d×N), `weights` (N), `labels` (N; numbers or class indices).
    NearestNeighbors {
        /// How many neighbors are asked.
        neighbors: usize,
        /// Names of the classes, unless the label has numbers.
        classes: Option<Vec<String>>,
    },
}

impl Parts {
    pub(crate) fn new(header: PartsHeader) -> Self {
        Self { header, arrays: BTreeMap::new() }
    }

    pub(crate) fn with<D: Dimension>(mut self, name: &str, array: &Array<f64, D>) -> Self {
        self.arrays.insert(name.to_string(), array.clone().into_dyn());
        self
    }
}

/// Arrays of untrusted parts, taken out one by one.
pub struct Arrays(BTreeMap<String, ArrayD<f64>>);

impl Arrays {
    pub fn new(arrays: BTreeMap<String, ArrayD<f64>>) -> Self {
        Self(arrays)
    }

    /// The array called `name`, of as many axes as asked for, finite and in row-major order.
    pub fn take<D: Dimension>(&mut self, name: &'static str) -> Result<Array<f64, D>> {
        let array = self.0.remove(name).ok_or_else(|| Error::parameter("array", name, "it is missing"))?;
        if let Some(position) = array.iter().position(|x| !x.is_finite()) {
            return Err(Error::parameter("array", name, format!("value {position} is not finite")));
        }
        let axes = array.ndim();
        let array = array.as_standard_layout().into_owned();
        array.into_dimensionality::<D>().map_err(|_| {
            let needed = D::NDIM.unwrap_or_default();
            Error::parameter("array", name, format!("it has {axes} axes, {needed} are needed"))
        })
    }

    /// The array called `name`, of a known shape.
    pub fn take_shaped<D: Dimension>(&mut self, name: &'static str, shape: &[usize]) -> Result<Array<f64, D>> {
        let array = self.take::<D>(name)?;
        Error::check_shape(&format!("array '{name}'"), array.shape(), shape)?;
        Ok(array)
    }

    /// Refuses arrays that nobody took.
    pub fn finish(self) -> Result<()> {
        match self.0.into_keys().next() {
            None => Ok(()),
            Some(name) => Err(Error::parameter("array", name, "it does not belong to this read-out")),
        }
    }
}

/// Names of at least two classes, all different.
pub fn check_classes(classes: &[String]) -> Result<()> {
    let mut sorted: Vec<&String> = classes.iter().collect();
    sorted.sort();
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::parameter("classes", twice[0], "two classes have this name"));
    }
    if classes.len() < 2 {
        return Err(Error::TooFewClasses { names: classes.to_vec() });
    }
    Ok(())
}
