//! Flags of samples and labels: where they are and how they are read.

use std::path::PathBuf;

use clap::Args;

use super::values::{
    CategoriesArg, ImageShapeArg, MissingLabelsArg, MissingValues, PartArg, UnmatchedArg, parse_image_shape,
};

/// Where samples are and how they are read.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Data")]
pub struct DataArgs {
    /// Samples: a folder of images, the GTSRB folder, .npy, .npz or a CSV table; - reads a CSV table from standard input
    #[arg(long, short, value_name = "PATH")]
    pub data: Option<PathBuf>,
    /// Labels: a CSV table (for images with a column of file names), .npy or .npz; by default the data itself
    #[arg(long, short, value_name = "PATH")]
    pub labels: Option<PathBuf>,
    /// The array of an .npz file to read
    #[arg(long, value_name = "NAME")]
    pub array: Option<String>,
    /// The column of file names in the labels [default: file, filename, path, image or name]
    #[arg(long, value_name = "COLUMN")]
    pub file_column: Option<String>,
    /// Table columns to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub ignore: Option<Vec<String>>,
    /// Table columns that are the samples [default: all without another role]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub columns: Option<Vec<String>>,
    /// What becomes of table columns that hold words: one-hot makes an input of 0 and 1 for each word, and days since 1970-01-01
    /// of dates; a model does what its training did [default: error]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub categories: Option<CategoriesArg>,
    /// The columns of a table or array are the pixels of images, row by row, channels innermost, which are prepared like images;
    /// a model does what its training did
    #[arg(long, value_name = "HEIGHTxWIDTH[xCHANNELS]", value_parser = parse_image_shape)]
    pub image_shape: Option<ImageShapeArg>,
    /// What becomes of missing or non-finite values of samples; a model imputes the means of its training [default: error]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub missing: Option<MissingValues>,
    /// What becomes of samples without label; keep learns from them, too (semi-supervised) [default: error]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub missing_labels: Option<MissingLabelsArg>,
    /// Leave out up to N unreadable images; each one is listed
    #[arg(long, value_name = "N")]
    pub skip_bad: Option<usize>,
    /// What becomes of images without label and labels without image [default: error]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub unmatched: Option<UnmatchedArg>,
    /// Which part of the GTSRB folder [default: training; test for predict, transform and evaluate]
    #[arg(long, value_enum)]
    pub part: Option<PartArg>,
}
