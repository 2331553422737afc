//! Images as the preparation of a model makes inputs of them.

use gsfa::preparation::Preparation;
use gsfa::samples::{Element, InputShape, Rows, Samples};
use gsfa_data::pixels::{Image, ImageSource, PreparedImages, Region};
use ndarray::{Array2, Array4, Axis};

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
    let prepared = PreparedImages::new(Pictures(images), preparation)?;
    let mut rows = Array2::zeros((prepared.len(), prepared.dim()));
    prepared.read_single(Rows::Range(0..prepared.len()), rows.view_mut())?;
    Ok(rows)
}
