//! The only place that knows the matrix backend, and (in [`tolerance`]) the only one that knows tolerances.
//!
//! Every call here is sequential: threads run outside, over blocks of rows, tiles or nodes, so that the bits of a
//! result do not depend on their number.

pub mod convert;
pub mod dot;
pub mod eigen;
pub mod householder;
pub mod lanczos;
pub mod laplacian;
pub mod product;
pub mod tolerance;

pub use eigen::{SymmetricEigen, symmetric_eigen};
pub use product::multiply_into;
