//! Read-outs on their own: from features to estimates.

use std::collections::BTreeMap;

use gsfa::readout::{Estimates, FittedReadout, LabelEstimates, LabeledFeatures, Parts, PartsHeader};
use numpy::{IntoPyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::doorway::{run, run_here};
use crate::failure::{malformed, raise};
use crate::labels::{Column, Numbers, labels, weights};

/// A fitted read-out of one label.
#[pyclass(frozen, module = "gsfa._core")]
pub struct Readout {
    fitted: FittedReadout,
}

#[pymethods]
impl Readout {
    /// Learns to estimate a label.
    #[staticmethod]
    fn fit(
        py: Python<'_>,
        spec: &str,
        features: Numbers<'_>,
        label: Column<'_>,
        sample_weights: Option<PyReadonlyArray1<'_, f64>>,
    ) -> PyResult<Self> {
        let spec: gsfa::readout::Readout =
            serde_json::from_str(spec).map_err(|error| malformed(py, "readout", error))?;
        let features = features.as_array().to_owned();
        let labels = labels(py, features.nrows(), vec![label])?;
        let weights = weights(py, features.nrows(), sample_weights)?;
        let fitted = run(py, 0, move |_| {
            let Some((name, values)) = labels.columns().next() else {
                return Err(gsfa::Error::NoTargetLabels { given: 0 });
            };
            spec.fit(&LabeledFeatures::new(features.view(), name, values, &weights)?)
        })?;
        Ok(Self { fitted })
    }

    /// Estimates for rows of features.
    fn estimate<'py>(&self, py: Python<'py>, features: Numbers<'_>) -> PyResult<Bound<'py, PyDict>> {
        let features = features.as_array().to_owned();
        estimates(py, run_here(py, || self.fitted.estimate(features.view()))?)
    }

    /// What was learned: a header as JSON and named arrays.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<(String, Bound<'py, PyDict>)> {
        parts(py, &self.fitted)
    }

    /// The read-out that gave these parts.
    #[staticmethod]
    fn from_parts(
        py: Python<'_>,
        header: &str,
        arrays: BTreeMap<String, Bound<'_, PyArrayDyn<f64>>>,
    ) -> PyResult<Self> {
        let header: PartsHeader = serde_json::from_str(header).map_err(|error| malformed(py, "readout", error))?;
        let arrays = arrays.into_iter().map(|(name, array)| (name, array.to_owned_array())).collect();
        let fitted = FittedReadout::from_parts(Parts { header, arrays }).map_err(|error| raise(py, &error))?;
        Ok(Self { fitted })
    }
}

/// A fitted read-out as a header in JSON and named arrays.
pub fn parts<'py>(py: Python<'py>, fitted: &FittedReadout) -> PyResult<(String, Bound<'py, PyDict>)> {
    let Parts { header, arrays } = fitted.to_parts();
    let out = PyDict::new(py);
    for (name, array) in arrays {
        out.set_item(name, array.into_pyarray(py))?;
    }
    let header = serde_json::to_string(&header).map_err(|error| malformed(py, "readout", error))?;
    Ok((header, out))
}

/// Estimates as a dictionary of arrays.
pub fn estimates(py: Python<'_>, given: Estimates) -> PyResult<Bound<'_, PyDict>> {
    let out = PyDict::new(py);
    match given.label {
        LabelEstimates::Numbers(values) => out.set_item("numbers", values.into_pyarray(py))?,
        LabelEstimates::Classes { names, of_sample } => {
            out.set_item("classes", of_sample.to_pyarray(py))?;
            out.set_item("names", names)?;
        }
    }
    if let Some(deviation) = given.standard_deviation {
        out.set_item("standard_deviation", deviation.into_pyarray(py))?;
    }
    if let Some(probabilities) = given.probabilities {
        out.set_item("probabilities", probabilities.into_pyarray(py))?;
    }
    if let Some(logs) = given.log_probabilities {
        out.set_item("log_probabilities", logs.into_pyarray(py))?;
    }
    if let Some(score) = given.outlier_score {
        out.set_item("outlier_score", score.into_pyarray(py))?;
    }
    Ok(out)
}
