//! The paper's three applications: a specification in, results out, and a page about them.
//!
//! | application | specification | what it shows |
//! |---|---|---|
//! | [`gender`] | `experiments/gender.toml` | a number estimated from faces by a network, with many graphs |
//! | [`graphs`] | `experiments/graphs.toml` | what three graphs for the same label consider slow |
//! | [`signs`] | `experiments/signs.toml` | 32 classes told apart by few features |
//!
//! Specifications are TOML files with a quick and a full size ([`spec`]); they are built in and can be replaced by files.
//! The paper's numbers are in `experiments/expected` ([`expected`]). Results are plain values ([`Results`]) that become
//! JSON, CSV tables and one HTML page ([`report`]).
//!
//! Without data the experiments run on generated images; real ones are found by [`data::find`].

#![warn(missing_docs)]
#![deny(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod data;
pub mod error;
pub mod expected;
pub mod gender;
pub mod graphs;
pub mod report;
pub mod results;
pub mod signs;
pub mod spec;
mod watch;

pub use error::{Error, Result};
pub use results::{Measured, ResultTable, Results};
pub use watch::{Silent, Watch};
