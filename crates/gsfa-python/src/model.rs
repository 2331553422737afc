//! Trained models.

use std::path::PathBuf;
use std::sync::Arc;

use gsfa::model::{Overwrite, Remark, Remembered};
use gsfa::samples::Stoppable;
use ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray4, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::doorway::{run, run_here};
use crate::failure::{malformed, raise};
use crate::held::Held;
use crate::images::prepared;
use crate::readout::{estimates, parts};

/// Rows that are mapped on the calling thread: starting another takes longer.
const FEW: usize = 256;

/// A trained network with its read-outs.
#[pyclass(frozen, module = "gsfa._core")]
pub struct Model {
    pub model: Arc<gsfa::Model>,
}

impl Model {
    pub fn new(model: gsfa::Model) -> Self {
        Self { model: Arc::new(model) }
    }
}

/// One column of weights and one number for each output.
type Affine<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl Model {
    /// The model in the bytes of a file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        gsfa::Model::from_bytes(bytes).map(Self::new).map_err(|error| raise(py, &error))
    }

    /// Reads a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        run_here(py, move || gsfa::Model::load(path)).map(Self::new)
    }

    /// The bytes of a file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.model.to_bytes().map_err(|error| raise(py, &error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Writes a file, completely or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let overwrite = if overwrite { Overwrite::Replace } else { Overwrite::Never };
        run_here(py, || self.model.save(path, overwrite))
    }

    /// Everything but the arrays, as JSON.
    fn header(&self) -> PyResult<String> {
        serde_json::to_string(self.model.header())
            .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
    }

    /// The same model without what it remembers of its training.
    fn without_memory(&self, py: Python<'_>) -> PyResult<Self> {
        let model = (*self.model).clone().with_remembered(Default::default());
        model.map(Self::new).map_err(|error| raise(py, &error))
    }

    /// The same model with further remarks, each a code and a text, before its own; with what was tried, with factors of the
    /// weights of classes and with what their names stand for, as JSON, if they are given.
    fn remembering(
        &self,
        py: Python<'_>,
        remarks: Vec<(String, String)>,
        selection: Option<&str>,
        class_weights: Option<&str>,
        class_values: Option<&str>,
    ) -> PyResult<Self> {
        let mut remembered = self.model.remembered().clone();
        if let Some(text) = selection {
            remembered.selection = serde_json::from_str(text).map_err(|error| malformed(py, "selection", error))?;
        }
        if let Some(text) = class_weights {
            remembered.class_weights =
                serde_json::from_str(text).map_err(|error| malformed(py, "class_weight", error))?;
        }
        if let Some(text) = class_values {
            remembered.class_values = serde_json::from_str(text).map_err(|error| malformed(py, "classes", error))?;
        }
        let remembered = remembered.with_remarks(remarks.into_iter().map(|(code, text)| Remark { code, text }));
        let model = (*self.model).clone().with_remembered(remembered);
        model.map(Self::new).map_err(|error| raise(py, &error))
    }

    /// The same model for inputs that need no preparation any more.
    fn without_preparation(&self, py: Python<'_>) -> PyResult<Self> {
        let remembered = Remembered { preparation: None, image: None, ..self.model.remembered().clone() };
        let model = (*self.model).clone().with_remembered(remembered);
        model.map(Self::new).map_err(|error| raise(py, &error))
    }

    /// Images (N, height, width, channels) as the inputs that the model's preparation makes of them; `None` if it has none.
    fn prepared<'py>(
        &self,
        py: Python<'py>,
        images: PyReadonlyArray4<'_, f32>,
        threads: usize,
    ) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let Some(preparation) = self.model.remembered().preparation.clone() else { return Ok(None) };
        let images = images.as_array().to_owned();
        let rows = run(py, threads, move |_| prepared(images, preparation))?;
        Ok(Some(rows.into_pyarray(py)))
    }

    /// For each input its position among columns of the given names.
    fn column_order(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Vec<usize>> {
        self.model.column_order(&names).map_err(|error| raise(py, &error))
    }

    /// The arrays of a node, by their names in a model file.
    fn node<'py>(&self, py: Python<'py>, layer: usize, node: usize) -> PyResult<Bound<'py, PyDict>> {
        let out = PyDict::new(py);
        let Some(node) = self.model.network().layers.get(layer).and_then(|nodes| nodes.get(node)) else {
            return Ok(out);
        };
        if let Some(scaling) = &node.scaling {
            out.set_item("scaling_mean", scaling.mean.to_pyarray(py))?;
            out.set_item("scaling_factors", scaling.factors.to_pyarray(py))?;
        }
        if let Some(pca) = &node.pca {
            out.set_item("pca_weights", pca.weights.to_pyarray(py))?;
            out.set_item("pca_mean", pca.mean.to_pyarray(py))?;
            out.set_item("pca_variances", pca.variances.to_pyarray(py))?;
        }
        if let Some(slow) = &node.slow {
            out.set_item("weights", slow.weights.to_pyarray(py))?;
            out.set_item("mean", slow.mean.to_pyarray(py))?;
        }
        Ok(out)
    }

    /// Weights and offsets of the features, if they are an affine function of the inputs.
    fn affine_features<'py>(&self, py: Python<'py>) -> Option<Affine<'py>> {
        self.model.affine_features().map(|found| (found.weights.into_pyarray(py), found.offset.into_pyarray(py)))
    }

    /// Weights and offsets of the estimates, if they are an affine function of the inputs.
    fn affine_estimates<'py>(&self, py: Python<'py>) -> Option<Affine<'py>> {
        self.model.affine_estimates().map(|found| (found.weights.into_pyarray(py), found.offset.into_pyarray(py)))
    }

    /// What a read-out learned: a header as JSON and named arrays.
    fn readout_parts<'py>(&self, py: Python<'py>, readout: usize) -> PyResult<(String, Bound<'py, PyDict>)> {
        match self.model.readouts().get(readout) {
            Some(readout) => parts(py, &readout.fitted),
            None => Err(malformed(py, "readout", "there is no such read-out")),
        }
    }

    /// The slow features of samples.
    fn features<'py>(
        &self,
        py: Python<'py>,
        samples: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let features = self.map(py, samples, threads, |model, samples| model.features(samples))?;
        Ok(features.into_pyarray(py))
    }

    /// The inputs of given features, as far as the network kept them.
    fn inverse<'py>(
        &self,
        py: Python<'py>,
        features: crate::labels::Numbers<'_>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (features, model): (Array2<f64>, _) = (features.as_array().to_owned(), self.model.clone());
        let inputs = run(py, threads, move |_| model.network().inverse(features.view()))?;
        Ok(inputs.into_pyarray(py))
    }

    /// Estimates of every label that has a read-out.
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        samples: &Bound<'_, PyAny>,
        threads: usize,
    ) -> PyResult<Vec<(String, Bound<'py, PyDict>)>> {
        let found = self.map(py, samples, threads, |model, samples| model.estimate(samples))?;
        found.into_iter().map(|(label, given)| Ok((label, estimates(py, given)?))).collect()
    }

    /// Estimates from features that are known already.
    fn estimate_features<'py>(
        &self,
        py: Python<'py>,
        features: crate::labels::Numbers<'_>,
    ) -> PyResult<Vec<(String, Bound<'py, PyDict>)>> {
        let features: Array2<f64> = features.as_array().to_owned();
        let model = self.model.clone();
        let found = run_here(py, move || {
            let one =
                |readout: &gsfa::readout::LabelReadout| Ok((readout.label.clone(), readout.estimate(features.view())?));
            model.readouts().iter().map(one).collect::<gsfa::Result<Vec<_>>>()
        })?;
        found.into_iter().map(|(label, given)| Ok((label, estimates(py, given)?))).collect()
    }
}

impl Model {
    fn map<R: Send + 'static>(
        &self,
        py: Python<'_>,
        samples: &Bound<'_, PyAny>,
        threads: usize,
        f: impl FnOnce(&gsfa::Model, &dyn gsfa::samples::Samples) -> gsfa::Result<R> + Send + 'static,
    ) -> PyResult<R> {
        let (held, model) = (Held::new(samples)?, self.model.clone());
        if held.len() <= FEW {
            return run_here(py, move || held.with(|samples| f(&model, samples)));
        }
        run(py, threads, move |stop| held.with(|samples| f(&model, &Stoppable::new(samples, &|| stop.requested()))))
    }
}
