#![doc = include_str!("../README.md")]
#![warn(missing_docs)]
#![deny(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod error;
pub mod expansion;
pub mod file;
pub mod graph;
pub mod labels;
mod linalg;
pub mod memory;
pub mod model;
pub mod moments;
pub mod network;
pub mod note;
pub mod preparation;
pub mod readout;
pub mod recipe;
pub mod samples;
pub mod select;
pub mod solve;
pub mod specification;
pub mod spectrum;
pub mod threads;
pub mod vectors;

pub use error::{Error, Result};
pub use labels::Labels;
pub use model::Model;
pub use note::Note;
pub use recipe::Recipe;
pub use samples::Samples;
pub use solve::{Gsfa, Keep, SlowFeatures, Solver, Surplus};
