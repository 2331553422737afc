//! Preparation of spectra.

use gsfa::recipe::SpectrumChoice;
use gsfa::spectrum::Spectrum;
use ndarray::Array2;
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::failure::{malformed, raise};

/// A preparation of spectra of so many columns with nothing left open, as JSON.
#[pyfunction]
pub fn spectrum(py: Python<'_>, choice: &str, columns: usize) -> PyResult<String> {
    let choice: SpectrumChoice = serde_json::from_str(choice).map_err(|error| malformed(py, "spectrum", error))?;
    serde_json::to_string(&choice.usual(columns)).map_err(|error| malformed(py, "spectrum", error))
}

/// Spectra as a preparation makes them, one row each.
#[pyfunction]
pub fn prepare_spectra<'py>(
    py: Python<'py>,
    spectra: PyReadonlyArray2<'py, f64>,
    spectrum: &str,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let spectrum: Spectrum = serde_json::from_str(spectrum).map_err(|error| malformed(py, "spectrum", error))?;
    let rows: Array2<f64> = spectra.as_array().to_owned();
    let prepared = py.detach(|| spectrum.prepare(rows.view()));
    Ok(prepared.map_err(|error| raise(py, &error))?.into_pyarray(py))
}
