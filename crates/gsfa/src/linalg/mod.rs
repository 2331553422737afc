//! The only place that knows the matrix backend, and (in [`tolerance`]) the only one that knows tolerances.
//!
//! Every call of the backend is sequential. Threads run over blocks of rows, tiles or strips whose borders depend on the
//! shape only, and partial sums are added in a fixed order, so that the bits of a result do not depend on the number of
//! threads.

pub mod affine;
pub mod buffers;
pub mod cholesky;
pub mod convert;
pub mod dot;
pub mod eigen;
pub mod householder;
pub mod lanczos;
pub mod laplacian;
pub mod lower_product;
pub mod memory;
pub mod panels;
pub mod partial_eigen;
pub mod product;
pub mod qr;
pub mod real;
pub mod svd;
pub mod tolerance;
mod upper_halves;
mod vectorized;
pub mod wide_product;

pub use affine::AffineMap;
pub use buffers::Buffers;
pub use eigen::{SymmetricEigen, symmetric_eigen};
pub use partial_eigen::{largest_eigenpairs, smallest_eigenpairs};
pub use product::{multiply, multiply_into, multiply_rows_into};
pub use real::Real;
pub use svd::thin_svd;
pub(crate) use vectorized::vectorized;

#[cfg(test)]
mod tests;
