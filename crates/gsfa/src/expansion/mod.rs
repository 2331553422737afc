//! Nonlinear expansions: fixed functions of the inputs of a node, among which GSFA looks for slow combinations.
//!
//! Most expansions learn nothing. [`Clip`], which may stand before one, takes means and deviations from the training data,
//! and radial basis functions take [centers](RbfCenters). Chunks of rows are expanded into a buffer of the caller, so that the expanded samples need never be stored.

mod clip;
mod expandable;
mod expo;
mod exponential;
mod polynomial;
mod power;
mod rbf;

use ndarray::{ArrayView2, ArrayViewMut2, s};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use clip::{Clip, ClipBounds};
pub use expandable::Expandable;
pub use polynomial::First;
pub(crate) use rbf::ReadyCenters;
pub use rbf::{RbfCenters, RbfSpec};

use crate::{Error, Result};
use polynomial::Polynomial;

/// Which functions of its inputs a node works on. In TOML: `{ kind = "expo" }`, `{ kind = "polynomial", degree = 2 }`.
///
/// The inputs themselves always are the first terms.
///
/// ```
/// use gsfa::expansion::Expansion;
/// use ndarray::{Array2, array};
/// let quadratic = Expansion::QUADRATIC;
/// assert_eq!(quadratic.output_dim(120)?, 7380);
/// let mut expanded = Array2::zeros((1, 5));
/// quadratic.expand_into(array![[2.0, 3.0]].view(), expanded.view_mut())?;
/// assert_eq!(expanded, array![[2.0, 3.0, 4.0, 6.0, 9.0]]);
/// assert_eq!(quadratic.term_names(&["x1".into(), "x2".into()])?, ["x1", "x2", "x1^2", "x1*x2", "x2^2"]);
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Expansion {
    /// The inputs as they are: a linear node.
    #[default]
    Identity,
    /// $x_1 … x_I, |x_1|^p … |x_I|^p$; with p = 0.8 the 0.8Expo of the paper, which outliers hurt less than products.
    Expo {
        /// The exponent p, above 0 and at most 8.
        #[serde(default = "default_exponent")]
        exponent: f64,
    },
    /// All monomials of degree 1 … `degree`, in order of degree, then of their last variable.
    ///
    /// **Paper note.** The linear terms are kept: 198 inputs give 19,899 quadratic terms; the paper's 19,701 counts
    /// products only.
    Polynomial {
        /// The highest degree of monomials of all inputs.
        #[serde(default = "default_degree")]
        degree: u32,
        /// The first inputs (the slowest features, in a cascade) may go to a higher degree; their monomials up to
        /// `degree` are not repeated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<First>,
    },
    /// The inputs, and Gaussian kernels about some of the training samples, for what is smooth but no polynomial.
    ///
    /// The centres are drawn from the samples ([`RbfCenters`]); there are fewer if fewer samples differ.
    Rbf {
        /// The number of centres, at most 20,000.
        #[serde(default = "default_centers")]
        centers: usize,
        /// The width of the kernels, as a share of the root of the total variance of the inputs.
        #[serde(default = "default_width")]
        width: f64,
        /// Of the draw of centres.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[schemars(extend("default" = 0))]
        seed: u64,
    },
}

fn is_zero(seed: &u64) -> bool {
    *seed == 0
}

fn default_centers() -> usize {
    200
}

fn default_width() -> f64 {
    1.0
}

fn default_exponent() -> f64 {
    0.8
}

fn default_degree() -> u32 {
    2
}

impl Expansion {
    /// $x, |x|^{0.8}$.
    pub const EXPO_08: Self = Self::Expo { exponent: 0.8 };

    /// All monomials of degree 1 and 2.
    pub const QUADRATIC: Self = Self::Polynomial { degree: 2, first: None };

    /// The number of terms made from `input_dim` inputs; at most, for radial basis functions.
    ///
    /// # Errors
    /// [`Error::Parameter`] for exponents and degrees that do not work, [`Error::ExpansionTooLarge`] for polynomials of
    /// more than a million terms.
    pub fn output_dim(&self, input_dim: usize) -> Result<usize> {
        match *self {
            Self::Identity => Ok(input_dim),
            Self::Expo { exponent } => {
                expo::check(exponent)?;
                input_dim.checked_mul(2).ok_or(Error::ExpansionTooLarge {
                    inputs: input_dim,
                    degree: 1,
                    limit: usize::MAX,
                })
            }
            Self::Polynomial { degree, first } => Polynomial::new(input_dim, degree, first)?.terms(),
            Self::Rbf { centers, .. } => {
                self.rbf().map_or(Ok(()), |rbf| rbf.check())?;
                let too_large = Error::ExpansionTooLarge { inputs: input_dim, degree: 1, limit: usize::MAX };
                input_dim.checked_add(centers).ok_or(too_large)
            }
        }
    }

    /// Writes the expanded rows of `input` into `output`.
    ///
    /// A row's terms do not depend on the other rows of the chunk nor on the machine, bit for bit. Nothing is allocated
    /// as long as the rows of `output` are contiguous; `input` may have any layout.
    ///
    /// # Errors
    /// [`Error::Shape`] if `output` is not rows × [`output_dim`](Self::output_dim), or as `output_dim`; radial basis functions
    /// need their [centers](RbfCenters::expand_into).
    pub fn expand_into<T: Expandable>(&self, input: ArrayView2<'_, T>, mut output: ArrayViewMut2<'_, T>) -> Result<()> {
        let (rows, columns) = input.dim();
        Error::check_shape("expanded samples", output.shape(), &[rows, self.output_dim(columns)?])?;
        output.slice_mut(s![.., ..columns]).assign(&input);
        self.expand_in_place(columns, output)
    }

    /// Fills up rows of which the first `input_dim` values, the inputs, are there.
    ///
    /// # Errors
    /// As [`expand_into`](Self::expand_into).
    pub(crate) fn expand_in_place<T: Expandable>(&self, input_dim: usize, rows: ArrayViewMut2<'_, T>) -> Result<()> {
        Error::check_shape("expanded samples", rows.shape(), &[rows.nrows(), self.output_dim(input_dim)?])?;
        match *self {
            Self::Identity => {}
            Self::Expo { exponent } => expo::expand(exponent, rows),
            Self::Polynomial { degree, first } => Polynomial::new(input_dim, degree, first)?.expand(rows),
            Self::Rbf { .. } => {
                return Err(Error::parameter("expansion", "rbf", "its centres are learned from samples"));
            }
        }
        Ok(())
    }

    /// The names of the terms for inputs of the given names, in the order of the columns.
    ///
    /// # Errors
    /// As [`output_dim`](Self::output_dim).
    pub fn term_names(&self, inputs: &[String]) -> Result<Vec<String>> {
        self.output_dim(inputs.len())?;
        Ok(match *self {
            Self::Identity => inputs.to_vec(),
            Self::Expo { exponent } => expo::names(exponent, inputs),
            Self::Polynomial { degree, first } => Polynomial::new(inputs.len(), degree, first)?.names(inputs),
            Self::Rbf { .. } => self.rbf().map_or_else(Vec::new, |rbf| rbf.names(inputs)),
        })
    }

    /// Radial basis functions, if it is made of them.
    pub fn rbf(&self) -> Option<RbfSpec> {
        match *self {
            Self::Rbf { centers, width, seed } => Some(RbfSpec { centers, width, seed }),
            _ => None,
        }
    }
}
