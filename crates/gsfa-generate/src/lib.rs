//! Built-in generated images: faces with a gender value, and traffic signs in tracks.
//!
//! The paper's experiments need rendered faces and photographed signs. Whoever has neither at hand can still run them on
//! images drawn here. Both generators are seeded, every image has a random stream of its own, and the bits depend neither
//! on the number of threads nor on how many images are asked for.
//!
//! The generators are frozen: they were tuned against plain ridge regression, nearest centroid and linear discriminant
//! analysis on pixels, and by eye, never against the features this workspace learns. A change of any pixel changes
//! published numbers and belongs under *Results changed*.

#![warn(missing_docs)]
#![deny(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod contact_sheet;
pub mod faces;
mod seed;
pub mod signs;

pub use contact_sheet::{ContactSheet, contact_sheet};
pub use faces::{FaceSet, Faces, FacesSpec};
pub use signs::{SignSet, Signs, SignsSpec};
