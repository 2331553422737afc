//! Snapshots of the surface: what users can name, type and read, one fact per line in `docs/surface`.
//!
//! [`snapshot::check`] compares a surface with its file; [`items::of`] has the public items of a crate.

#![warn(missing_docs)]

pub mod items;
pub mod snapshot;
