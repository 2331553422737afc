//! Faces in memory, generated or real.

use gsfa::labels::Labels;
use gsfa::samples::{Rows, Samples};
use gsfa_data::npy::NpyArray;
use gsfa_data::pixels::{ImageRows, Preparation, PreparedImages, mean_intensities};
use gsfa_data::split::per_value;
use gsfa_data::table::{CsvOptions, Table};
use gsfa_generate::{FaceSet, FacesSpec};
use ndarray::{Array2, Axis};

use super::GenderSpec;
use crate::data::FacesPath;
use crate::{Error, Result};

/// Images with the same mean intensity, and their labels: gender, colour, then whatever else is known.
#[derive(Clone)]
pub(super) struct Faces {
    pub images: Array2<f32>,
    labels: Vec<(String, Vec<f64>)>,
}

/// Training and test faces.
pub(super) struct FaceData {
    pub train: Faces,
    pub test: Faces,
}

impl FaceData {
    pub fn generate(spec: &GenderSpec, seed: u64) -> Self {
        let faces =
            FacesSpec { seed, train_per_gender: spec.train_per_value, test_per_gender: spec.test_per_value }.generate();
        Self { train: Faces::generated(&faces.train), test: Faces::generated(&faces.test) }
    }
}

impl Faces {
    fn generated(set: &FaceSet) -> Self {
        // The weights of three races sum to one: two of them say it all.
        let race = |r: usize| set.race.column(r).to_vec();
        let labels = [
            ("gender", set.gender.to_vec()),
            ("color", set.color.to_vec()),
            ("age", set.age.to_vec()),
            ("race_1", race(0)),
            ("race_2", race(1)),
        ];
        Self { images: set.samples(), labels: labels.map(|(name, x)| (name.to_string(), x)).to_vec() }
    }

    /// Reads faces, gives them the same mean intensity, and takes the mean before as colour if the table has none.
    ///
    /// Further labels are all numeric columns but `index`; of columns `race_…`, which sum to one, the last is left out.
    pub fn open(path: &FacesPath) -> Result<Self> {
        let images = ImageRows::new(NpyArray::open(&path.images)?)?;
        let table = Table::read_csv(&path.labels, &CsvOptions::default())?;
        let has = |name: &str| table.names().any(|n| n == name);
        let color = if has("color") { table.numbers("color")? } else { mean_intensities(&images)? };
        let mut labels = vec![("gender".to_string(), table.numbers("gender")?), ("color".to_string(), color)];
        let last_race = table.names().filter(|name| name.starts_with("race_")).last();
        for name in table.names().filter(|&n| !["index", "gender", "color"].contains(&n) && Some(n) != last_race) {
            if let Ok(numbers) = table.numbers(name) {
                labels.push((name.to_string(), numbers));
            }
        }
        let prepared = PreparedImages::new(images, Preparation::faces())?;
        if prepared.len() != table.len() {
            let reason = format!("the images are {}, the labels {}", prepared.len(), table.len());
            return Err(Error::Spec { path: path.labels.clone(), reason });
        }
        if prepared.image_shape().map(|s| (s.height, s.width)) != Some((64, 64)) {
            let reason = "the paper's network needs images of 64×64 pixels".into();
            return Err(Error::Spec { path: path.images.clone(), reason });
        }
        let mut pixels = Array2::zeros((prepared.len(), prepared.dim()));
        prepared.read_single(Rows::Range(0..prepared.len()), pixels.view_mut())?;
        Ok(Self { images: pixels, labels })
    }

    /// So many images of each gender value for training and testing, at random.
    pub fn split(&self, spec: &GenderSpec, seed: u64) -> Result<FaceData> {
        let split = per_value(self.label("gender"), spec.train_per_value, spec.test_per_value, seed)?;
        Ok(FaceData { train: self.select(&split.train), test: self.select(&split.test) })
    }

    fn select(&self, rows: &[usize]) -> Self {
        let labels = self.labels.iter().map(|(name, x)| (name.clone(), rows.iter().map(|&n| x[n]).collect()));
        Self { images: self.images.select(Axis(0), rows), labels: labels.collect() }
    }

    pub fn len(&self) -> usize {
        self.images.nrows()
    }

    /// A label; there always are `gender` and `color`.
    pub fn label(&self, name: &str) -> &[f64] {
        self.labels.iter().find(|(n, _)| n == name).map_or(&[], |(_, x)| x)
    }

    /// Gender first, colour last, further labels between: the most wanted one first.
    pub fn label_names(&self) -> Vec<String> {
        let further = self.labels.iter().skip(2).map(|(name, _)| name.clone());
        std::iter::once("gender".to_string()).chain(further).chain(["color".to_string()]).collect()
    }

    /// All labels as the columns of a graph's input.
    pub fn labels(&self) -> Result<Labels> {
        let mut columns = self.labels.iter();
        let Some((name, values)) = columns.next() else { return Ok(Labels::none(self.len())) };
        let mut labels = Labels::numbers(name, values.clone());
        for (name, values) in columns {
            labels = labels.and_numbers(name, values.clone())?;
        }
        Ok(labels)
    }
}
