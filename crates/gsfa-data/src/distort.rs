//! Random distortion of training images: where pixels are and how bright they are, seeded per image and copy.

use crate::seeded::{self, generator};
use crate::{Error, Result};

/// Ranges of random distortion; each draw is uniform and independent. The default are the paper's for traffic signs.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Distortion {
    /// Rotation from −this to this, in degrees.
    pub rotation: f64,
    /// Shift along each axis from −this to this, in pixels of the image that enters the warp.
    pub shift: f64,
    /// Scale from 1 − this to 1 + this.
    pub scale: f64,
    /// Brightness that is added, from −this to this, in deviations of the pixels of the image.
    pub brightness: f64,
    /// Contrast about the mean of the pixels of the image, from 1 − this to 1 + this.
    pub contrast: f64,
    /// Whether every other image, at random, is seen in a mirror.
    pub mirror: bool,
}

impl Default for Distortion {
    fn default() -> Self {
        Self { rotation: 3.15, shift: 1.73, scale: 0.09, brightness: 0.0, contrast: 0.0, mirror: false }
    }
}

/// How the content of an image is moved and lit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Rotation anticlockwise, in degrees.
    pub rotation: f64,
    /// Shift to the right, in pixels.
    pub shift_x: f64,
    /// Shift downwards, in pixels.
    pub shift_y: f64,
    /// Enlargement.
    pub scale: f64,
    /// Left and right change places, before all else.
    pub mirror: bool,
    /// Added to all pixels, in deviations of the pixels.
    pub brightness: f64,
    /// Factor of what pixels differ from their mean.
    pub contrast: f64,
}

impl Motion {
    /// The image as it is.
    pub const NONE: Self =
        Self { rotation: 0.0, shift_x: 0.0, shift_y: 0.0, scale: 1.0, mirror: false, brightness: 0.0, contrast: 1.0 };
}

/// One of several copies of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ImageCopy {
    /// The image.
    pub image: usize,
    /// The number of the copy, from 0.
    pub copy: usize,
}

impl Distortion {
    /// The motion of one copy: the same for the same seed, image and copy, whatever else is drawn, where and when.
    pub fn draw(&self, seed: u64, of: ImageCopy) -> Motion {
        let mut random = generator(seed, [of.image as u64, of.copy as u64]);
        Motion {
            rotation: seeded::symmetric(&mut random, self.rotation),
            shift_x: seeded::symmetric(&mut random, self.shift),
            shift_y: seeded::symmetric(&mut random, self.shift),
            scale: 1.0 + seeded::symmetric(&mut random, self.scale),
            brightness: seeded::symmetric(&mut random, self.brightness),
            contrast: 1.0 + seeded::symmetric(&mut random, self.contrast),
            mirror: self.mirror && seeded::symmetric(&mut random, 1.0) < 0.0,
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        for (name, value, below) in [
            ("rotation", self.rotation, f64::MAX),
            ("shift", self.shift, f64::MAX),
            ("scale", self.scale, 1.0),
            ("brightness", self.brightness, f64::MAX),
            ("contrast", self.contrast, 1.0),
        ] {
            if !(0.0..below).contains(&value) {
                let reason = "ranges are not negative, and those of scale and contrast are below 1";
                return Err(Error::parameter(name, value, reason));
            }
        }
        Ok(())
    }
}

/// So many copies of each of some images, in their order.
///
/// Copy 0 is distorted too: training sees no image as it is.
pub fn copies_of_each(images: usize, per_image: usize) -> Vec<ImageCopy> {
    (0..images).flat_map(|image| (0..per_image).map(move |copy| ImageCopy { image, copy })).collect()
}

/// The same number of images from each class: cycling through its images in a random order, one more copy each time round.
///
/// Rows are ordered by class. Copy 0 is distorted too: training sees no image as it is.
///
/// # Errors
/// [`Error::TooFew`] if a class below the largest number that occurs has no images.
pub fn cycle_classes(classes: &[u32], per_class: usize, seed: u64) -> Result<Vec<ImageCopy>> {
    let count = classes.iter().max().map_or(0, |&largest| largest as usize + 1);
    let mut rows = Vec::with_capacity(count * per_class);
    for class in 0..count {
        let mut images: Vec<usize> = (0..classes.len()).filter(|&n| classes[n] as usize == class).collect();
        if images.is_empty() {
            return Err(Error::TooFew { what: format!("class {class}"), found: 0, needed: 1 });
        }
        seeded::shuffle(&mut generator(seed, [class as u64, u64::MAX]), &mut images);
        rows.extend((0..per_class).map(|k| ImageCopy { image: images[k % images.len()], copy: k / images.len() }));
    }
    Ok(rows)
}
