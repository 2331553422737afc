//! Signs: 48×48 RGB images of 32 kinds of traffic signs, several frames of one physical sign making a track.
//!
//! A [`design`](DESIGNS) is a plate with marks on it, drawn once. A track is one physical sign: its wear, its surroundings,
//! its light and what hides a part of it are shared by its frames, which differ in distance (blur), position, viewpoint
//! and noise. Training and test sets have different tracks.

mod camera;
mod design;
mod glyph;
mod ink;
mod pictogram;
mod scene;
mod track;

use ndarray::{Array1, Array2};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

pub use design::DESIGNS;
use track::Track;

/// Images are squares of this many pixels.
pub const SIDE: usize = 48;

/// Number of kinds of signs.
pub const CLASSES: usize = 32;

/// How many signs to draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SignsSpec {
    /// Seed of everything random.
    pub seed: u64,
    /// Training tracks per class.
    pub train_tracks: usize,
    /// Test tracks per class, none of them in the training set.
    pub test_tracks: usize,
    /// Frames of each track, from far to near.
    pub frames: usize,
}

impl Default for SignsSpec {
    fn default() -> Self {
        Self { seed: 1, train_tracks: 36, test_tracks: 12, frames: 30 }
    }
}

/// Training and test signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signs {
    /// The signs to learn from.
    pub train: SignSet,
    /// The signs to be judged on, from other tracks.
    pub test: SignSet,
}

/// Signs and what they show, sorted by class, track and frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignSet {
    /// One image per row, 48×48 pixels line by line, red, green and blue interleaved.
    pub images: Array2<u8>,
    /// Kind of sign, 0 to 31, an index into [`DESIGNS`].
    pub class: Array1<usize>,
    /// Which physical sign; numbered through all classes.
    pub track: Array1<usize>,
    /// Place in the track, 0 the farthest.
    pub frame: Array1<usize>,
}

impl SignSet {
    /// The images as real numbers, 0 to 255.
    pub fn samples(&self) -> Array2<f32> {
        self.images.mapv(f32::from)
    }

    /// Number of images.
    pub fn len(&self) -> usize {
        self.class.len()
    }

    /// Whether there is no image.
    pub fn is_empty(&self) -> bool {
        self.class.is_empty()
    }
}

impl SignsSpec {
    /// Draws the signs.
    pub fn generate(&self) -> Signs {
        let plates: Vec<ink::Canvas> = (0..CLASSES).into_par_iter().map(design::draw).collect();
        Signs { train: self.draw(&plates, 0, self.train_tracks), test: self.draw(&plates, 1, self.test_tracks) }
    }

    fn draw(&self, plates: &[ink::Canvas], split: u64, tracks: usize) -> SignSet {
        const LENGTH: usize = SIDE * SIDE * 3;
        let count = CLASSES * tracks * self.frames;
        let mut pixels = vec![0; count * LENGTH];
        pixels.par_chunks_mut((self.frames * LENGTH).max(1)).enumerate().for_each(|(index, frames)| {
            let (class, copy) = (index / tracks, index % tracks);
            let track = Track::draw(self.seed, [split, class as u64, copy as u64]);
            for (frame, image) in frames.chunks_exact_mut(LENGTH).enumerate() {
                track.photograph(&plates[class], frame, self.frames, image);
            }
        });
        let per_class = (tracks * self.frames).max(1);
        SignSet {
            images: Array2::from_shape_vec((count, LENGTH), pixels).expect("one row per sign"),
            class: (0..count).map(|n| n / per_class).collect(),
            track: (0..count).map(|n| n / self.frames).collect(),
            frame: (0..count).map(|n| n % self.frames).collect(),
        }
    }
}
