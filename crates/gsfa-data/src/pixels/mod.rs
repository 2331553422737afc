//! Pixel preparation as values: a list of steps from the image in the file to the row of numbers.

mod contrast;
mod geometry;
mod image;
mod prepared;
mod warp;

pub use self::image::{Image, ImageRows, ImageSource, Region};
pub use contrast::{Area, Contrast, Squash};
pub use prepared::{PreparedImages, mean_intensities};

use crate::distort::Motion;
use crate::{Error, Result};
use gsfa::samples::InputShape;

/// One step of preparation. Pixels are numbers from 0 to 255 until a [`Contrast`] step changes that.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "step", rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// RGB to grey: 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601); grey images stay.
    Grey,
    /// The region of interest, or the whole image if there is none, its sides multiplied by `share` about its centre and
    /// rounded to whole pixels; what lies outside the image repeats its edge.
    Crop {
        /// Side of the crop as a share of the side of the region.
        share: f64,
    },
    /// Another size: each pixel a mean with triangular weights of twice its own extent (bilinear, antialiased).
    Resize {
        /// New height.
        height: usize,
        /// New width.
        width: usize,
    },
    /// The central part of the image by one bilinear interpolation, edges repeated; random distortions act here.
    Warp {
        /// New height.
        height: usize,
        /// New width.
        width: usize,
        /// Side of the part shown, as a share of the image.
        central: f64,
    },
    /// Each image multiplied so that the mean of its pixels is `mean`; black images stay black.
    MeanIntensity {
        /// The mean of all images afterwards.
        mean: f64,
    },
    /// Mean and contrast made alike.
    Contrast(Contrast),
    /// The image faded out towards its corners: times clip((1 − r)/fade, 0, 1), with r = 1 at the middle of each edge.
    Disc {
        /// Width of the soft rim in units of r.
        fade: f64,
    },
}

/// The steps from an image file to a row of numbers, in order.
///
/// ```
/// use gsfa_data::pixels::{Preparation, Step};
/// let toml = "[[steps]]\nstep = 'grey'\n[[steps]]\nstep = 'resize'\nheight = 64\nwidth = 64";
/// let preparation: Preparation = toml::from_str(toml)?;
/// assert_eq!(preparation.steps, [Step::Grey, Step::Resize { height: 64, width: 64 }]);
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preparation {
    /// The steps.
    #[serde(default)]
    pub steps: Vec<Step>,
}

impl Preparation {
    /// Traffic signs, the recipe that gave the lowest errors on held-out tracks: 48×48 RGB of the region of interest, its
    /// central 0.8, root of the intensity, contrast of a central box, tanh, soft disc.
    pub fn signs() -> Self {
        let contrast = Contrast {
            sqrt: true,
            area: Area::Box { rows: [0.3, 0.9], columns: [0.3, 0.7] },
            floor: 0.01,
            squash: Squash::Tanh,
        };
        let mut steps = Self::sign_geometry();
        steps.extend([Step::Contrast(contrast), Step::Disc { fade: 0.4 }]);
        Self { steps }
    }

    /// Traffic signs, close to what the authors' later program does: contrast of rows 17–47 and columns 12–35, clipped at
    /// ±2.5.
    pub fn signs_author_like() -> Self {
        let contrast = Contrast {
            sqrt: false,
            area: Area::Box { rows: [17.0 / 48.0, 1.0], columns: [0.25, 0.75] },
            floor: 0.01,
            squash: Squash::Clip { at: 2.5 },
        };
        let mut steps = Self::sign_geometry();
        steps.push(Step::Contrast(contrast));
        Self { steps }
    }

    /// Faces as in the paper: grey, with the same mean intensity.
    pub fn faces() -> Self {
        Self { steps: vec![Step::Grey, Step::MeanIntensity { mean: 100.0 }] }
    }

    fn sign_geometry() -> Vec<Step> {
        let (height, width) = (48, 48);
        vec![Step::Crop { share: 1.0 }, Step::Resize { height, width }, Step::Warp { height, width, central: 0.8 }]
    }

    /// Whether a random distortion has a step to act in.
    pub fn has_warp(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Warp { .. }))
    }

    /// The shape of an image after all steps.
    ///
    /// # Errors
    /// [`Error::Parameter`] if a step makes no sense.
    pub fn output_shape(&self, shape: InputShape, region: Option<Region>) -> Result<InputShape> {
        let mut region = region;
        self.steps.iter().try_fold(shape, |shape, step| {
            step.check(shape)?;
            Ok(match *step {
                Step::Grey => InputShape { channels: 1, ..shape },
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

    /// Applies all steps, with `motion` in the first warp.
    ///
    /// The steps are those whose [`output_shape`](Self::output_shape) was asked for before: parameters are not checked again.
    pub fn apply(&self, mut image: Image, motion: Motion) -> Image {
        let mut motion = Some(motion);
        for step in &self.steps {
            image = match *step {
                Step::Grey => geometry::grey(image),
                Step::Crop { share } => geometry::crop(image, share),
                Step::Resize { height, width } => geometry::resize(image, height, width),
                Step::Warp { height, width, central } => {
                    warp::warp(&image, height, width, central, motion.take().unwrap_or(Motion::NONE))
                }
                Step::MeanIntensity { mean } => contrast::mean_intensity(image, mean),
                Step::Contrast(contrast) => contrast.apply(image),
                Step::Disc { fade } => contrast::disc(image, fade),
            };
        }
        image
    }
}

/// Larger sides than this are a mistyped number, and the memory they need would be asked for per image.
const LARGEST_SIDE: usize = 1 << 15;

impl Step {
    fn check(&self, shape: InputShape) -> Result<()> {
        let positive = |name, value: f64| {
            if value.is_finite() && value > 0.0 {
                Ok(())
            } else {
                Err(Error::parameter(name, value, "must be positive"))
            }
        };
        let side = |name, value: usize| {
            if (1..=LARGEST_SIDE).contains(&value) {
                Ok(())
            } else {
                Err(Error::parameter(name, value, "sides are 1 to 32768 pixels"))
            }
        };
        match *self {
            Self::Grey if !matches!(shape.channels, 1 | 3) => {
                Err(Error::parameter("channels", shape.channels, "only images of 1 or 3 channels can be made grey"))
            }
            Self::Grey => Ok(()),
            Self::Crop { share } => {
                positive("share", share)?;
                if share > 10.0 { Err(Error::parameter("share", share, "at most 10")) } else { Ok(()) }
            }
            Self::Resize { height, width } => side("height", height).and(side("width", width)),
            Self::Warp { height, width, central } => {
                side("height", height).and(side("width", width)).and(positive("central", central))
            }
            Self::MeanIntensity { mean } => positive("mean", mean),
            Self::Contrast(contrast) => contrast.check(shape),
            Self::Disc { fade } => positive("fade", fade),
        }
    }
}
