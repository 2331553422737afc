//! From what a file holds to the row of numbers that a model takes, as values: steps of pixels, and encodings of columns of
//! words. They are carried out by `gsfa_data`; models remember them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One step of preparation. Pixels are numbers from 0 to 255 until a [`Contrast`] step changes that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// Instead of pixels, how much of which direction there is in each cell.
    Gradients(Gradients),
    /// The same image prepared in several ways, one behind the other in one row of numbers.
    Join {
        /// The steps of each; none keeps the pixels as they are.
        parts: Vec<Preparation>,
    },
}

/// The steps from an image file to a row of numbers, in order.
///
/// ```
/// use gsfa::preparation::{Preparation, Step};
/// let toml = "[[steps]]\nstep = 'grey'\n[[steps]]\nstep = 'resize'\nheight = 64\nwidth = 64";
/// let preparation: Preparation = toml::from_str(toml)?;
/// assert_eq!(preparation.steps, [Step::Grey, Step::Resize { height: 64, width: 64 }]);
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
        let mut steps = Self::sign_geometry();
        steps.extend(Self::sign_pixels());
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

    /// Traffic signs by their pixels and the directions of their edges: those of [`signs`](Self::signs), and gradients of the
    /// root of the intensity; the weight 1 errs less on held-out tracks than 0.5, 2 and 4.
    pub fn signs_gradients() -> Self {
        let root = Contrast { sqrt: true, ..Contrast::default() };
        let gradients = vec![Step::Contrast(root), Step::Gradients(Gradients::default())];
        let parts = [Self::sign_pixels(), gradients].map(|steps| Self { steps }).to_vec();
        let mut steps = Self::sign_geometry();
        steps.push(Step::Join { parts });
        Self { steps }
    }

    /// What is done to the pixels of a sign once it has its size.
    fn sign_pixels() -> Vec<Step> {
        let contrast = Contrast {
            sqrt: true,
            area: Area::Box { rows: [0.3, 0.9], columns: [0.3, 0.7] },
            squash: Squash::Tanh,
            ..Contrast::default()
        };
        vec![Step::Contrast(contrast), Step::Disc { fade: 0.4 }]
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
}

/// Histograms of the directions in which an image changes, one for each cell of the image; of several channels the one that
/// changes most counts at each pixel.
///
/// A gradient g at an angle φ from one of 2·`directions` directions, β apart, counts for it as
/// |g| max(0, (cos φ − cos β)/(1 − cos β)), shared between the four nearest cells; opposite directions count once more as one.
/// Each cell is divided by the root of the mean square over itself and its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Gradients {
    /// Side of a cell in pixels; both sides of the image are multiples of it.
    pub cell: usize,
    /// Directions where opposite ones are the same: three values for each of them and each cell.
    pub directions: usize,
    /// Times this: how much the values weigh beside others in principal components.
    pub weight: f64,
}

impl Default for Gradients {
    fn default() -> Self {
        Self { cell: 6, directions: 6, weight: 1.0 }
    }
}

/// Subtracts the mean and divides by the standard deviation of each image: x = squash((x − m)/(s + floor)).
///
/// x is the pixel divided by 255, or its root; m and s are those of all channels together in `area`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contrast {
    /// Take the root of the intensity first: darker parts gain contrast.
    #[serde(default)]
    pub sqrt: bool,
    /// Where mean and deviation are measured.
    #[serde(default)]
    pub area: Area,
    /// Added to the deviation, so that flat images stay flat.
    #[serde(default = "default_floor")]
    pub floor: f64,
    /// What becomes of large values.
    #[serde(default)]
    pub squash: Squash,
}

impl Default for Contrast {
    fn default() -> Self {
        Self { sqrt: false, area: Area::default(), floor: default_floor(), squash: Squash::default() }
    }
}

fn default_floor() -> f64 {
    0.01
}

/// A part of an image.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// All of it.
    #[default]
    Whole,
    /// Shares of height and width from the top left corner, rounded to whole pixels.
    Box {
        /// From and to, as shares of the height.
        rows: [f64; 2],
        /// From and to, as shares of the width.
        columns: [f64; 2],
    },
}

/// What becomes of large values.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Squash {
    /// They stay.
    #[default]
    None,
    /// Cut at ±`at`.
    Clip {
        /// The largest magnitude.
        at: f64,
    },
    /// Hyperbolic tangent.
    Tanh,
}

/// How a table column of words becomes inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "encoding", rename_all = "snake_case", deny_unknown_fields)]
pub enum Encoding {
    /// Dates as days since 1970-01-01.
    Days,
    /// An input of 0 and 1 for each word, called `column=word`.
    OneHot {
        /// The words of training, sorted.
        words: Vec<String>,
    },
}
