//! The labels of a face, and how a trait of a head depends on them.

use crate::seed::Stream;

/// What is known about the person of an image.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// −3.0 to 2.9.
    pub gender: f64,
    /// Years, 18 to 70.
    pub age: f64,
    /// Weights of three races, sum one.
    pub race: [f64; 3],
}

impl Person {
    /// A person of the given gender, with age and race of its own, both independent of gender.
    pub(crate) fn draw(gender: f64, stream: &mut Stream) -> Self {
        let age = f64::from(stream.uniform(18.0, 70.0));
        // Normalised exponentials: uniform over all mixtures.
        let draws = [0; 3].map(|_| -f64::from(stream.uniform(1e-6, 1.0)).ln());
        let sum: f64 = draws.iter().sum();
        Self { gender, age, race: draws.map(|d| d / sum) }
    }

    /// Gender, age and two race contrasts, each with mean about zero and variance about one over all faces.
    fn standardized(&self) -> [f32; 4] {
        let [a, b, c] = self.race;
        [
            (self.gender + 0.05) / 1.7318,
            (self.age - 44.0) / 15.0,
            (a - 1.0 / 3.0) / 0.2357,
            // b − c has variance 2·(1/18) + 2·(1/36) = 1/6 under the uniform mixture.
            (b - c) / 0.4082,
        ]
        .map(|x| x as f32)
    }
}

/// How a trait follows the labels, in standard deviations of its identity noise per standardised label.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cue {
    pub(crate) gender: f32,
    pub(crate) age: f32,
    pub(crate) race: [f32; 2],
    /// How much the gender slope grows with age.
    pub(crate) gender_age: f32,
    /// How much the gender slope grows with each race contrast.
    pub(crate) gender_race: [f32; 2],
}

impl Cue {
    pub(crate) const fn gender(gender: f32) -> Self {
        Self { gender, age: 0.0, race: [0.0; 2], gender_age: 0.0, gender_race: [0.0; 2] }
    }

    pub(crate) const fn age(mut self, age: f32) -> Self {
        self.age = age;
        self
    }

    pub(crate) const fn race(mut self, first: f32, second: f32) -> Self {
        self.race = [first, second];
        self
    }

    /// The gender slope depends on age and race.
    pub(crate) const fn mixed(mut self, age: f32, first: f32, second: f32) -> Self {
        self.gender_age = age;
        self.gender_race = [first, second];
        self
    }

    fn shift(&self, [g, a, r, s]: [f32; 4]) -> f32 {
        let slope = self.gender + self.gender_age * a + self.gender_race[0] * r + self.gender_race[1] * s;
        slope * g + self.age * a + self.race[0] * r + self.race[1] * s
    }
}

/// Draws the traits of one person.
pub(crate) struct Traits<'a> {
    labels: [f32; 4],
    stream: &'a mut Stream,
}

impl<'a> Traits<'a> {
    pub(crate) fn of(person: &Person, stream: &'a mut Stream) -> Self {
        Self { labels: person.standardized(), stream }
    }

    /// `mean + sd · (cue of the labels + identity)`.
    pub(crate) fn draw(&mut self, mean: f32, sd: f32, cue: Cue) -> f32 {
        let deviation = cue.shift(self.labels) + IDENTITY * self.stream.bounded_normal();
        mean + sd * deviation.clamp(-3.5, 3.5)
    }
}

/// Identity noise of every trait. It alone sets how hard gender is to see: raised until ridge on pixels reached the range
/// wanted, with the looks kept by the small `sd` of each trait.
const IDENTITY: f32 = 0.75;
