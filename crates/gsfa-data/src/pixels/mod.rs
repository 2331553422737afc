//! Pixel preparation, carried out: from the image in the file to the row of numbers.

mod contrast;
mod geometry;
mod gradients;
mod image;
mod prepared;
mod warp;

pub use self::image::{Image, ImageRows, ImageSource, Region};
pub use gsfa::preparation::{Area, Contrast, Gradients, Preparation, Squash, Step};
pub use prepared::{PreparedImages, mean_intensities};

use crate::distort::Motion;
use crate::{Error, Result};
use gsfa::samples::InputShape;

/// What a [`Preparation`] does.
pub trait Prepare {
    /// The shape of an image after all steps.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a step makes no sense.
    fn output_shape(&self, shape: InputShape, region: Option<Region>) -> Result<InputShape>;

    /// Applies all steps, with `motion` in the first warp; without one, before the first step that looks at how bright pixels are.
    ///
    /// The steps are those whose [`output_shape`](Self::output_shape) was asked for before: parameters are not checked again.
    fn apply(&self, image: Image, motion: Motion) -> Image;
}

impl Prepare for Preparation {
    fn output_shape(&self, shape: InputShape, region: Option<Region>) -> Result<InputShape> {
        let mut region = region;
        self.steps.iter().try_fold(shape, |shape, step| {
            check(step, shape)?;
            Ok(match *step {
                Step::Grey => InputShape { channels: 1, ..shape },
                Step::Gradients(ref spec) => gradients::shape(spec, shape),
                Step::Join { ref parts } => {
                    let sizes = parts.iter().map(|part| Ok(part.output_shape(shape, region)?.values()));
                    InputShape { height: 1, width: 1, channels: sizes.sum::<Result<usize>>()? }
                }
                Step::Crop { share } => {
                    let (rows, columns) = geometry::crop_window(shape, region.take(), share);
                    InputShape { height: rows.len(), width: columns.len(), ..shape }
                }
                Step::Resize { height, width } | Step::Warp { height, width, .. } => {
                    region = None;
                    InputShape { height, width, ..shape }
                }
                Step::MeanIntensity { .. } | Step::Contrast(_) | Step::Disc { .. } => shape,
            })
        })
    }

    fn apply(&self, mut image: Image, motion: Motion) -> Image {
        let mut motion = Some(motion);
        let warps = self.has_warp();
        // An image that does not move is not interpolated.
        let moved = |image: Image, motion: &mut Option<Motion>| match motion.take() {
            Some(motion) if motion != Motion::NONE => {
                warp::warp(&image, image.shape.height, image.shape.width, 1.0, motion)
            }
            _ => image,
        };
        for step in &self.steps {
            if !warps && !matches!(step, Step::Grey | Step::Crop { .. } | Step::Resize { .. }) {
                image = moved(image, &mut motion);
            }
            image = match *step {
                Step::Grey => geometry::grey(image),
                Step::Crop { share } => geometry::crop(image, share),
                Step::Resize { height, width } => geometry::resize(image, height, width),
                Step::Warp { height, width, central } => {
                    warp::warp(&image, height, width, central, motion.take().unwrap_or(Motion::NONE))
                }
                Step::MeanIntensity { mean } => contrast::mean_intensity(image, mean),
                Step::Contrast(contrast) => contrast::apply(&contrast, image),
                Step::Disc { fade } => contrast::disc(image, fade),
                Step::Gradients(ref spec) => gradients::apply(spec, &image),
                Step::Join { ref parts } => {
                    let pixels: Vec<f32> =
                        parts.iter().flat_map(|part| part.apply(image.clone(), Motion::NONE).pixels).collect();
                    let shape = InputShape { height: 1, width: 1, channels: pixels.len() };
                    Image { shape, pixels, region: None }
                }
            };
        }
        if warps { image } else { moved(image, &mut motion) }
    }
}

/// Larger sides than this are a mistyped number, and the memory they need would be asked for per image.
const LARGEST_SIDE: usize = 1 << 15;

fn check(step: &Step, shape: InputShape) -> Result<()> {
    let positive = |name, value: f64| {
        if value.is_finite() && value > 0.0 { Ok(()) } else { Err(Error::parameter(name, value, "must be positive")) }
    };
    let side = |name, value: usize| {
        if (1..=LARGEST_SIDE).contains(&value) {
            Ok(())
        } else {
            Err(Error::parameter(name, value, "sides are 1 to 32768 pixels"))
        }
    };
    match *step {
        Step::Grey if !matches!(shape.channels, 1 | 3) => {
            Err(Error::parameter("channels", shape.channels, "only images of 1 or 3 channels can be made grey"))
        }
        Step::Grey => Ok(()),
        Step::Crop { share } => {
            positive("share", share)?;
            if share > 10.0 { Err(Error::parameter("share", share, "at most 10")) } else { Ok(()) }
        }
        Step::Resize { height, width } => side("height", height).and(side("width", width)),
        Step::Warp { height, width, central } => {
            side("height", height).and(side("width", width)).and(positive("central", central))
        }
        Step::MeanIntensity { mean } => positive("mean", mean),
        Step::Contrast(contrast) => contrast::check(&contrast, shape),
        Step::Disc { fade } => positive("fade", fade),
        Step::Gradients(ref spec) => gradients::check(spec, shape),
        Step::Join { ref parts } if parts.is_empty() => {
            Err(Error::parameter("parts", "[]", "there is nothing to join: give at least one"))
        }
        // What is in its parts is checked with their shapes.
        Step::Join { .. } => Ok(()),
    }
}
