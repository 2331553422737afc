//! The official folder layout of the German Traffic Sign Recognition Benchmark.
//!
//! Training images lie in `Final_Training/Images/CCCCC/TTTTT_FFFFF.ppm` (class, track, frame), listed with their regions of
//! interest in `GT-CCCCC.csv`; test images in `Final_Test/Images/NNNNN.ppm`, listed in `GT-final_test.csv`. A track is a
//! number of frames of one physical sign: a split must not tear it apart.

use std::fs;
use std::path::{Path, PathBuf};

use gsfa::labels::Labels;

use crate::images::{Candidate, ImageOptions, ImageSet};
use crate::pixels::{ImageSource, Region};
use crate::table::{CsvOptions, Table};
use crate::{Error, Result};

/// Which part of the benchmark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The training images, with tracks.
    Training,
    /// The test images.
    Test,
}

/// Sign images with class, and track for training images.
#[derive(Debug, Clone)]
pub struct Gtsrb {
    /// The images with their regions of interest, by class, track and frame, or by number.
    pub images: ImageSet,
    /// The class of each image.
    pub classes: Vec<u32>,
    /// The track of each training image, numbered over all classes; of test images nothing is known.
    pub tracks: Option<Vec<usize>>,
}

impl Gtsrb {
    /// Opens one part; `root` holds `Final_Training` and `Final_Test`, or a folder `GTSRB` that does.
    ///
    /// # Errors
    /// [`Error::Layout`] if folders or tables are missing; with line and column whatever is wrong with a table, as
    /// [`Error::OutsideFolder`] for names that lead out of its folder;
    /// [`Error::BadImage`] for images that are missing or unusable.
    pub fn open(root: impl AsRef<Path>, part: Part, options: &ImageOptions) -> Result<Self> {
        let root = root.as_ref();
        let base = if root.join("GTSRB").is_dir() { root.join("GTSRB") } else { root.to_path_buf() };
        let (folder, signs) = match part {
            Part::Training => {
                let folder = base.join("Final_Training").join("Images");
                let signs = training(&folder)?;
                (folder, signs)
            }
            Part::Test => {
                let folder = base.join("Final_Test").join("Images");
                let signs = test(&base, &folder)?;
                (folder, signs)
            }
        };
        let mut facts: Vec<(u32, Option<usize>)> = signs.iter().map(|sign| (sign.class, sign.track)).collect();
        let names: Vec<String> = signs.iter().map(|sign| sign.candidate.name.clone()).collect();
        let candidates = signs.into_iter().map(|sign| sign.candidate).collect();
        let images = ImageSet::from_candidates(&folder, candidates, Vec::new(), options)?;
        // Skipped images leave a gap; the order is the same.
        if images.len() < facts.len() {
            let mut left = images.files().iter().map(|file| file.name.as_str()).peekable();
            let mut kept = names.iter().map(|name| left.next_if_eq(&name.as_str()).is_some());
            facts.retain(|_| kept.next().unwrap_or(false));
        }
        let (classes, tracks): (Vec<u32>, Vec<Option<usize>>) = facts.into_iter().unzip();
        Ok(Self { images, classes, tracks: tracks.into_iter().collect() })
    }

    /// The classes as a label called `class`.
    pub fn labels(&self) -> Labels {
        Labels::classes("class", self.classes.iter().map(u32::to_string))
    }

    /// The images at the given positions.
    ///
    /// # Errors
    /// [`gsfa::Error::RowOutOfRange`].
    pub fn select(&self, rows: &[usize]) -> Result<Self> {
        Ok(Self {
            images: self.images.select(rows)?,
            classes: rows.iter().map(|&row| self.classes[row]).collect(),
            tracks: self.tracks.as_ref().map(|tracks| rows.iter().map(|&row| tracks[row]).collect()),
        })
    }
}

struct Sign {
    candidate: Candidate,
    class: u32,
    track: Option<usize>,
}

fn training(folder: &Path) -> Result<Vec<Sign>> {
    let missing =
        || Error::Layout { path: folder.to_path_buf(), reason: "there are no class folders 00000, 00001, …" };
    let mut class_folders: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(Error::io("read", folder))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir() && folder_name(path).bytes().all(|b| b.is_ascii_digit()))
        .collect();
    class_folders.sort();
    let mut signs = Vec::new();
    let mut tracks = 0;
    for class_folder in &class_folders {
        let name = folder_name(class_folder);
        let table = class_folder.join(format!("GT-{name}.csv"));
        if !table.is_file() {
            return Err(Error::Layout { path: table, reason: "the table of this class is missing" });
        }
        let mut rows = read_table(&table, class_folder, &format!("{name}/"))?;
        rows.sort_by(|a, b| a.candidate.name.cmp(&b.candidate.name));
        let mut last: Option<String> = None;
        for sign in &mut rows {
            let file = sign.candidate.name.rsplit('/').next().unwrap_or_default();
            let Some((track, _frame)) = file.split_once('_') else {
                let path = sign.candidate.path.clone();
                return Err(Error::Layout {
                    path,
                    reason: "training images are called TTTTT_FFFFF.ppm (track, frame)",
                });
            };
            if last.as_deref() != Some(track) {
                last = Some(track.to_string());
                tracks += 1;
            }
            sign.track = Some(tracks - 1);
        }
        signs.extend(rows);
    }
    if signs.is_empty() { Err(missing()) } else { Ok(signs) }
}

fn test(base: &Path, folder: &Path) -> Result<Vec<Sign>> {
    // The archive of the test labels unpacks beside the images or above them, depending on where people were.
    let name = "GT-final_test.csv";
    let places = [folder.join(name), base.join("Final_Test").join(name), base.join(name)];
    let Some(table) = places.iter().find(|path| path.is_file()) else {
        return Err(Error::Layout {
            path: folder.to_path_buf(),
            reason: "GT-final_test.csv (with classes) is missing",
        });
    };
    read_table(table, folder, "")
}

fn folder_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn read_table(path: &Path, folder: &Path, prefix: &str) -> Result<Vec<Sign>> {
    let options = CsvOptions { delimiter: Some(';'), decimal_comma: Some(false) };
    let table = Table::read_csv(path, &options)?;
    let names = table.texts("Filename")?;
    let [left, top, right, bottom] = ["Roi.X1", "Roi.Y1", "Roi.X2", "Roi.Y2"].map(|name| whole(&table, name));
    let (left, top, right, bottom) = (left?, top?, right?, bottom?);
    let classes = whole(&table, "ClassId")?;
    if let Some(row) = names.iter().position(|name| !is_bare(name)) {
        let (place, name) = (table.place(row), names[row].clone());
        return Err(Error::OutsideFolder { table: path.to_path_buf(), place, name });
    }
    let signs = names.into_iter().enumerate().map(|(row, name)| Sign {
        candidate: Candidate {
            path: folder.join(&name),
            name: format!("{prefix}{name}"),
            region: Some(Region { left: left[row], top: top[row], right: right[row], bottom: bottom[row] }),
        },
        class: classes[row] as u32,
        track: None,
    });
    Ok(signs.collect())
}

/// Whether a name is that of a file in the folder, on every system: a table from elsewhere must not lead out of it.
fn is_bare(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', ':', '\0'])
}

fn whole(table: &Table, column: &str) -> Result<Vec<usize>> {
    let numbers = table.numbers(column)?;
    let is_whole = |x: f64| x.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&x);
    match numbers.iter().position(|&x| !is_whole(x)) {
        Some(row) => Err(Error::NotANumber {
            path: table.path().to_path_buf(),
            place: table.place(row),
            column: column.to_string(),
            text: table.texts(column)?[row].clone(),
        }),
        None => Ok(numbers.iter().map(|&x| x as usize).collect()),
    }
}
