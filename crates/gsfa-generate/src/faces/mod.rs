//! Faces: 64×64 grey images of generated heads whose shape and skin depend on gender, age, race and identity.
//!
//! A [`person`](Person) has the labels; a head has some fifty traits, each a weak and noisy function of the labels; the
//! renderer turns traits into a height field and an albedo, lights them from a fixed direction (Lambert) and sees them
//! from the front before black. All images then get the same mean intensity; the mean before that is the label `color`.

mod field;
mod head;
mod person;
mod render;
mod skin;

use ndarray::{Array1, Array2};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::seed::Stream;
pub use person::Person;

/// Images are squares of this many pixels.
pub const SIDE: usize = 64;

/// The gender values are −3.0, −2.9, … 2.9.
pub const GENDERS: usize = 60;

/// How many faces to draw: as many of each of the 60 gender values for training and for testing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FacesSpec {
    /// Seed of everything random.
    pub seed: u64,
    /// Training images per gender value; the paper has 180.
    pub train_per_gender: usize,
    /// Test images per gender value; the paper has 20.
    pub test_per_gender: usize,
}

impl Default for FacesSpec {
    fn default() -> Self {
        Self { seed: 1, train_per_gender: 180, test_per_gender: 20 }
    }
}

/// Training and test faces; no identity is in both.
#[derive(Clone, Debug, PartialEq)]
pub struct Faces {
    /// The faces to learn from.
    pub train: FaceSet,
    /// The faces to be judged on.
    pub test: FaceSet,
}

/// Faces and their labels, sorted by gender.
#[derive(Clone, Debug, PartialEq)]
pub struct FaceSet {
    /// One image per row, 64×64 grey pixels line by line, every image with the same mean.
    pub images: Array2<u8>,
    /// Gender, −3.0 (most feminine) to 2.9 (most masculine).
    pub gender: Array1<f64>,
    /// Mean intensity of the image before its mean was made the common one.
    pub color: Array1<f64>,
    /// Age in years, 18 to 70.
    pub age: Array1<f64>,
    /// Weights of the three races every head is a mixture of; each row sums to one.
    pub race: Array2<f64>,
}

impl FaceSet {
    /// The images as real numbers, 0 to 255.
    pub fn samples(&self) -> Array2<f32> {
        self.images.mapv(f32::from)
    }

    /// Number of images.
    pub fn len(&self) -> usize {
        self.gender.len()
    }

    /// Whether there is no image.
    pub fn is_empty(&self) -> bool {
        self.gender.is_empty()
    }
}

impl FacesSpec {
    /// Draws the faces.
    pub fn generate(&self) -> Faces {
        Faces { train: self.draw(0, self.train_per_gender), test: self.draw(1, self.test_per_gender) }
    }

    fn draw(&self, split: u64, per_gender: usize) -> FaceSet {
        let count = GENDERS * per_gender;
        let mut pixels = vec![0; count * SIDE * SIDE];
        let people: Vec<(Person, f64)> = pixels
            .par_chunks_mut(SIDE * SIDE)
            .enumerate()
            .map(|(n, image)| {
                let (step, copy) = (n / per_gender, n % per_gender);
                let mut stream = Stream::at(self.seed, &[b'f'.into(), split, step as u64, copy as u64]);
                let person = Person::draw((step as f64 - 30.0) / 10.0, &mut stream);
                let color = render::render(&head::Head::draw(&person, &mut stream), &mut stream, image);
                (person, color)
            })
            .collect();
        FaceSet {
            images: Array2::from_shape_vec((count, SIDE * SIDE), pixels).expect("one row per face"),
            gender: people.iter().map(|(person, _)| person.gender).collect(),
            color: people.iter().map(|&(_, color)| color).collect(),
            age: people.iter().map(|(person, _)| person.age).collect(),
            race: Array2::from_shape_fn((count, 3), |(n, r)| people[n].0.race[r]),
        }
    }
}
