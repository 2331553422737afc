//! Errors of the library as exceptions of `gsfa.errors`: message, hint, code and places.

use gsfa::Error;
use gsfa::error::Places;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The exception for an error of the library.
pub fn raise(py: Python<'_>, error: &Error) -> PyErr {
    exception(py, error).unwrap_or_else(|broken| broken)
}

/// An error about a specification that is not understood.
pub fn malformed(py: Python<'_>, what: &'static str, error: impl ToString) -> PyErr {
    raise(py, &Error::Parameter { name: what, value: "given".into(), reason: error.to_string() })
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    if let Error::Cancelled { .. } = error {
        return Ok(PyKeyboardInterrupt::new_err(()));
    }
    let class = match error {
        Error::ModelFile { .. }
        | Error::ModelEnds { .. }
        | Error::ModelVersion { .. }
        | Error::ModelChecksum { .. }
        | Error::FileExists { .. }
        | Error::Save { .. }
        | Error::Read { .. } => "ModelFileError",
        Error::LabelKind { .. } => "LabelTypeError",
        _ => "GsfaError",
    };
    let keywords = PyDict::new(py);
    keywords.set_item("hint", error.suggestion().or_else(|| error.hint().map(String::from)))?;
    keywords.set_item("code", error.code())?;
    keywords.set_item("details", details(py, error)?)?;
    let class = py.import("gsfa.errors")?.getattr(class)?;
    Ok(PyErr::from_value(class.call((error.to_string(),), Some(&keywords))?))
}

fn details<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyDict>> {
    let details = PyDict::new(py);
    let places = |places: &Places| -> PyResult<()> {
        details.set_item("rows", places.first.clone())?;
        details.set_item("count", places.total)
    };
    match error {
        Error::NonFinite { places: at, .. } | Error::NotPositive { places: at, .. } => places(at)?,
        Error::PartlyLabeled { places: at } => places(at)?,
        Error::NonFiniteSample { row, column, total } => {
            details.set_item("rows", [*row])?;
            details.set_item("columns", [*column])?;
            details.set_item("count", *total)?;
        }
        Error::Overflow { row, column, .. } => {
            details.set_item("rows", [*row])?;
            details.set_item("columns", [*column])?;
        }
        Error::ColumnRange { column, .. } => details.set_item("columns", [*column])?,
        Error::NodeOverflow { row, layer } => {
            details.set_item("rows", [*row])?;
            details.set_item("layer", *layer)?;
        }
        Error::Parameter { name, .. } => details.set_item("parameter", name.to_string())?,
        _ => {}
    }
    Ok(details)
}
