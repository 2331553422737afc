//! How files are read.

use gsfa::samples::InputShape;
use gsfa_data::gtsrb::Part;
use gsfa_data::table::{Categories, Missing, Unmatched};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Settings, set};
use crate::args::{BALANCED, DataArgs, ImageShapeArg, MissingValues};
use crate::error::{Error, ErrorCode, Result};

/// How files are read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reading {
    /// The array of an .npz file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub array: Option<String>,
    /// The column of file names in the labels; one that is called so if left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_column: Option<String>,
    /// Table columns to leave out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<String>,
    /// Table columns that are the samples; all without another role if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// What becomes of table columns that hold words.
    pub categories: Categories,
    /// Height, width and, if there are several, channels of the images that rows of a table or array are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub image_shape: Vec<usize>,
    /// What becomes of missing or non-finite values of samples.
    pub missing: MissingValues,
    /// What becomes of samples without label.
    pub missing_labels: Missing,
    /// The column of sample weights; "balanced" is short for `balanced = true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Whether all classes weigh the same.
    pub balanced: bool,
    /// How many unreadable images may be left out.
    pub skip_bad: usize,
    /// What becomes of images without label and labels without image.
    pub unmatched: Unmatched,
    /// Which part of the GTSRB folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

impl Reading {
    /// Weighs samples by a column, or all classes alike.
    pub fn weigh(&mut self, weights: Option<&str>) {
        match weights {
            Some(BALANCED) => (self.weights, self.balanced) = (None, true),
            Some(column) => (self.weights, self.balanced) = (Some(column.to_string()), false),
            None => {}
        }
    }

    /// What the flag takes is taken in a file, too.
    pub(super) fn name_balance(&mut self) {
        if self.weights.as_deref() == Some(BALANCED) {
            self.weigh(Some(BALANCED));
        }
    }

    /// The shape of the images that rows are, if it is said.
    pub fn shape(&self) -> Result<Option<InputShape>> {
        let (height, width, channels) = match self.image_shape[..] {
            [] => return Ok(None),
            [height, width] => (height, width, 1),
            [height, width, channels] => (height, width, channels),
            _ => {
                return Err(Error::usage(ErrorCode::SettingValue, "image_shape is height, width and perhaps channels"));
            }
        };
        Ok(Some(InputShape { height, width, channels }))
    }
}

impl Settings {
    pub fn apply_data(&mut self, args: &DataArgs) {
        set(&mut self.data, args.data.clone());
        set(&mut self.labels, args.labels.clone());
        let reading = &mut self.reading;
        set(&mut reading.array, args.array.clone());
        set(&mut reading.file_column, args.file_column.clone());
        set(&mut reading.part, args.part.map(Part::from));
        reading.ignore = args.ignore.clone().unwrap_or_else(|| std::mem::take(&mut reading.ignore));
        reading.columns = args.columns.clone().unwrap_or_else(|| std::mem::take(&mut reading.columns));
        reading.categories = args.categories.map_or(reading.categories, Categories::from);
        if let Some(ImageShapeArg(sides)) = &args.image_shape {
            reading.image_shape.clone_from(sides);
        }
        reading.missing = args.missing.unwrap_or(reading.missing);
        reading.missing_labels = args.missing_labels.map_or(reading.missing_labels, Missing::from);
        reading.skip_bad = args.skip_bad.unwrap_or(reading.skip_bad);
        reading.unmatched = args.unmatched.map_or(reading.unmatched, Unmatched::from);
    }
}
