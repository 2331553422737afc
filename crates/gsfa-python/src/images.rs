//! Images as the preparation of a model makes inputs of them.

use gsfa::preparation::Preparation;
use gsfa::samples::{Element, InputShape, Rows, Samples};
use gsfa_data::distort::{Distortion, copies_of_each};
use gsfa_data::pixels::{Image, ImageSource, PreparedImages, Region};
use ndarray::{Array2, Array4, Axis};
use numpy::{IntoPyArray, PyArray2, PyReadonlyArray4};
use pyo3::prelude::*;

use crate::failure::{malformed, raise};

/// Images in memory: number, height, width, channels.
struct Pictures(Array4<f32>);

impl ImageSource for Pictures {
    fn len(&self) -> usize {
        self.0.len_of(Axis(0))
    }

    fn name(&self, n: usize) -> String {
        format!("image {n}")
    }

    fn shape(&self, _: usize) -> InputShape {
        let (_, height, width, channels) = self.0.dim();
        InputShape { height, width, channels }
    }

    fn region(&self, _: usize) -> Option<Region> {
        None
    }

    fn element(&self) -> Element {
        Element::F32
    }

    fn read_image(&self, n: usize) -> gsfa_data::Result<Image> {
        let pixels = self.0.index_axis(Axis(0), n).iter().copied().collect();
        Ok(Image { shape: self.shape(n), pixels, region: None })
    }
}

/// A row of inputs for each image.
pub fn prepared(images: Array4<f32>, preparation: Preparation) -> gsfa::Result<Array2<f32>> {
    rows(&PreparedImages::new(Pictures(images), preparation)?)
}

/// A row of pixels for each of so many distorted copies of each image.
#[pyfunction]
pub fn distorted<'py>(
    py: Python<'py>,
    images: PyReadonlyArray4<'py, f32>,
    per_image: usize,
    distortion: &str,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let distortion: Distortion =
        serde_json::from_str(distortion).map_err(|error| malformed(py, "distortion", error))?;
    let images = images.as_array().to_owned();
    let copies = py.detach(|| {
        let copies = copies_of_each(images.len_of(Axis(0)), per_image);
        rows(&PreparedImages::new(Pictures(images), Preparation::default())?.distorted(copies, distortion, seed)?)
    });
    Ok(copies.map_err(|error| raise(py, &error))?.into_pyarray(py))
}

fn rows(prepared: &PreparedImages<Pictures>) -> gsfa::Result<Array2<f32>> {
    let mut rows = Array2::zeros((prepared.len(), prepared.dim()));
    prepared.read_single(Rows::Range(0..prepared.len()), rows.view_mut())?;
    Ok(rows)
}
