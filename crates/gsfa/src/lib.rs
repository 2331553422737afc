//! Supervised slow feature analysis.

#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod error;
pub mod expansion;
pub mod graph;
pub mod labels;
pub mod linalg;
pub mod note;
pub mod readout;

pub use error::{Error, Result};
pub use note::Note;
