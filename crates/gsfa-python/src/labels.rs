//! Labels and weights from Python.

use gsfa::labels::{Labels, Recognized, SampleWeights};
use gsfa_data::table;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::failure::raise;

/// A label column: numbers, or the names of classes and the class of each sample.
#[derive(FromPyObject)]
pub enum Column<'py> {
    #[pyo3(transparent)]
    Numbers((String, PyReadonlyArray1<'py, f64>)),
    #[pyo3(transparent)]
    Classes((String, Vec<String>, PyReadonlyArray1<'py, u32>)),
}

/// The label columns of `samples` samples.
pub fn labels(py: Python<'_>, samples: usize, columns: Vec<Column<'_>>) -> PyResult<Labels> {
    let mut labels = Labels::none(samples);
    for column in columns {
        let next = match column {
            Column::Numbers((name, values)) => labels.and_numbers(name, values.as_array().to_vec()),
            Column::Classes((name, names, codes)) => {
                // A code beyond the names stands for a missing class.
                let of_sample = codes.as_array();
                labels.and_some_classes(name, of_sample.iter().map(|&code| names.get(code as usize)))
            }
        };
        labels = next.map_err(|error| raise(py, &error))?;
    }
    Ok(labels)
}

/// Given weights, or 1 for every sample.
pub fn weights(py: Python<'_>, samples: usize, given: Option<PyReadonlyArray1<'_, f64>>) -> PyResult<SampleWeights> {
    match given {
        None => Ok(SampleWeights::uniform(samples)),
        Some(values) => SampleWeights::new(values.as_array().to_vec()).map_err(|error| raise(py, &error)),
    }
}

/// What whole numbers are taken as where nobody says, `numbers` or `classes`, and why.
#[pyfunction]
pub fn recognized(values: PyReadonlyArray1<'_, f64>) -> (String, String) {
    let found = Recognized::of_numbers(values.as_array().iter().copied());
    (found.kind.to_string(), found.reason.to_string())
}

/// Days since 1970-01-01 of cells of dates, NaN where one is missing, and the first cell that is no date.
#[pyfunction]
pub fn days<'py>(py: Python<'py>, cells: Vec<String>) -> (Bound<'py, PyArray1<f64>>, Option<usize>) {
    let found: Vec<Option<f64>> = cells.iter().map(|cell| table::day(cell)).collect();
    let wrong = found.iter().position(Option::is_none);
    let numbers: Vec<f64> = found.into_iter().map(|day| day.unwrap_or(f64::NAN)).collect();
    (numbers.into_pyarray(py), wrong)
}

/// Which cells stand for a missing value.
#[pyfunction]
pub fn missing_cells(cells: Vec<String>) -> Vec<bool> {
    cells.iter().map(|cell| table::is_missing_cell(cell)).collect()
}

/// A matrix of numbers, for vectors of neighbourhoods and features.
pub type Numbers<'py> = PyReadonlyArray2<'py, f64>;
