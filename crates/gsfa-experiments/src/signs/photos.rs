//! Signs in memory, generated or from the benchmark.

use std::path::Path;

use gsfa::samples::{Element, InputShape, Rows, Samples};
use gsfa_data::gtsrb::{Gtsrb, Part};
use gsfa_data::images::ImageOptions;
use gsfa_data::pixels::{Image, ImageSource, Preparation, PreparedImages, Region, Step};
use gsfa_generate::SignSet;
use gsfa_generate::signs::{DESIGNS, SIDE};
use ndarray::{Array2, Axis, s};

use super::SignsSpec;
use crate::Result;

const SHAPE: InputShape = InputShape { height: SIDE, width: SIDE, channels: 3 };

/// Rows that are prepared at a time.
const ROWS: usize = 1024;

/// Photographs of signs, 48×48 RGB.
pub(super) struct Photos {
    pub pixels: Array2<u8>,
    /// The class of each, from 0.
    pub classes: Vec<u32>,
    /// The physical sign that each shows; nothing is known about that of test images of the benchmark.
    pub tracks: Vec<usize>,
}

/// Training and test photographs with the names of their classes.
pub(super) struct SignData {
    pub train: Photos,
    pub test: Photos,
    pub names: Vec<String>,
}

impl SignData {
    pub fn generate(spec: &SignsSpec, seed: u64) -> Self {
        let tracks = spec.tracks;
        let signs = gsfa_generate::SignsSpec {
            seed,
            train_tracks: tracks.train,
            test_tracks: tracks.test,
            frames: tracks.frames,
        }
        .generate();
        // All classes have as many images: the first ones are as good as any.
        let take = |set: SignSet| {
            let rows: Vec<usize> = (0..set.len()).filter(|&n| set.class[n] < spec.classes).collect();
            Photos {
                pixels: set.images.select(Axis(0), &rows),
                classes: rows.iter().map(|&n| set.class[n] as u32).collect(),
                tracks: rows.iter().map(|&n| set.track[n]).collect(),
            }
        };
        let names = DESIGNS.iter().take(spec.classes).map(|name| name.to_string()).collect();
        Self { train: take(signs.train), test: take(signs.test), names }
    }

    /// The benchmark, cropped to the regions of interest and resized to 48×48: the classes with the most training images.
    pub fn open(folder: &Path, classes: usize) -> Result<Self> {
        let options = ImageOptions::default();
        let train = Gtsrb::open(folder, Part::Training, &options)?;
        let test = Gtsrb::open(folder, Part::Test, &options)?;
        let count = train.classes.iter().max().map_or(0, |&c| c as usize + 1);
        let mut sizes: Vec<(usize, u32)> = (0..count as u32).map(|c| (0, c)).collect();
        train.classes.iter().for_each(|&c| sizes[c as usize].0 += 1);
        sizes.sort_by_key(|&(size, class)| (std::cmp::Reverse(size), class));
        let mut kept: Vec<u32> = sizes.iter().take(classes).map(|&(_, class)| class).collect();
        kept.sort_unstable();
        let names = kept.iter().map(u32::to_string).collect();
        Ok(Self { train: photos(&train, &kept)?, test: photos(&test, &kept)?, names })
    }
}

fn photos(part: &Gtsrb, kept: &[u32]) -> Result<Photos> {
    let rows: Vec<usize> = (0..part.classes.len()).filter(|&n| kept.contains(&part.classes[n])).collect();
    let part = part.select(&rows)?;
    let steps = vec![Step::Crop { share: 1.0 }, Step::Resize { height: SIDE, width: SIDE }];
    let prepared = PreparedImages::new(part.images, Preparation { steps })?;
    let mut pixels = Array2::zeros((rows.len(), SHAPE.values()));
    for start in (0..rows.len()).step_by(ROWS) {
        let end = (start + ROWS).min(rows.len());
        let mut block = Array2::zeros((end - start, SHAPE.values()));
        prepared.read_single(Rows::Range(start..end), block.view_mut())?;
        pixels.slice_mut(s![start..end, ..]).zip_mut_with(&block, |p, x| *p = x.round().clamp(0.0, 255.0) as u8);
    }
    let place = |class: &u32| kept.iter().position(|k| k == class).unwrap_or(0) as u32;
    let tracks = part.tracks.unwrap_or_else(|| (0..rows.len()).collect());
    Ok(Photos { pixels, classes: part.classes.iter().map(place).collect(), tracks })
}

impl Photos {
    /// Some of them.
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            pixels: self.pixels.select(Axis(0), rows),
            classes: rows.iter().map(|&n| self.classes[n]).collect(),
            tracks: rows.iter().map(|&n| self.tracks[n]).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.classes.len()
    }
}

impl ImageSource for &Photos {
    fn len(&self) -> usize {
        self.classes.len()
    }

    fn name(&self, n: usize) -> String {
        format!("sign {n}")
    }

    fn shape(&self, _: usize) -> InputShape {
        SHAPE
    }

    fn region(&self, _: usize) -> Option<Region> {
        None
    }

    fn element(&self) -> Element {
        Element::U8
    }

    fn read_image(&self, n: usize) -> gsfa_data::Result<Image> {
        Ok(Image { shape: SHAPE, pixels: self.pixels.row(n).iter().map(|&x| f32::from(x)).collect(), region: None })
    }
}
