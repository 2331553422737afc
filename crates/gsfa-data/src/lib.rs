//! Samples and labels in and out.
//!
//! Everything here that holds samples implements [`gsfa::samples::Samples`]: rows are read on demand into a buffer, so
//! that u8 stays u8 and images stay files until a chunk is needed. They are [`NpyArray`](npy::NpyArray) (a file), the samples
//! of a [`Table`](table::Table), and [`PreparedImages`](pixels::PreparedImages) over an [`ImageSet`](images::ImageSet). What
//! is read does not depend on the number of threads.
//!
//! ```
//! use gsfa_data::table::{CsvOptions, LabelSpec, Table, TableSpec};
//! let csv = "a;b;age\n0,5;1;20\n0,25;2;35,5\n";
//! let table = Table::parse_csv(csv.as_bytes(), "people.csv".as_ref(), &CsvOptions::default())?;
//! let data = table.dataset(&TableSpec { labels: vec![LabelSpec::named("age")], ..Default::default() })?;
//! assert_eq!(data.samples, ndarray::array![[0.5, 1.0], [0.25, 2.0]]);
//! # Ok::<(), gsfa_data::Error>(())
//! ```

#![warn(missing_docs)]
#![deny(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod distort;
pub mod error;
pub mod finite;
pub mod gtsrb;
pub mod images;
mod input;
mod listed;
pub mod memory;
pub mod npy;
pub mod output;
pub mod pixels;
mod rows;
mod seeded;
pub mod split;
pub mod table;

pub use error::{Error, ErrorKind, Result};
pub use listed::Listed;
