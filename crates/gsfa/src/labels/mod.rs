//! What is known about the samples: label columns, sample weights, and the target labels made from them.
//!
//! The way from labels to a graph that learns them exactly:
//!
//! 1. label columns of the samples ([`Labels`]) or a class label ([`Classes`]);
//! 2. raw target labels ([`RawTargets`]): originals and auxiliary ones ([`TargetSpec`]), or a code of the classes
//!    ([`compact_code()`], [`sparse_code()`]);
//! 3. target labels ([`TargetLabels`]): normalised and decorrelated in the weights of the graph;
//! 4. their eigenvalues ([`EigenvalueProfile`]): how important each one is.
//!
//! Steps 2 to 4 work on *rows* with weights: the distinct label rows of the samples, or the classes. A sample is looked
//! up by its row, and the weight of a row is the sum over its samples, so that no step depends on their number.

mod auxiliary;
mod classes;
mod compact_code;
mod decorrelate;
mod eigenvalues;
mod gram_schmidt;
mod kind;
mod learned_code;
mod normalization;
mod sparse_code;
mod table;
mod targets;
mod weights;

pub use auxiliary::CosineReading;
pub use classes::Classes;
pub(crate) use compact_code::bits;
pub use compact_code::compact_code;
pub use decorrelate::TargetLabels;
pub use eigenvalues::{EigenvalueOptions, EigenvalueProfile, Eigenvalues};
pub use kind::{KindReason, LabelKind, Recognized};
pub use learned_code::{CodeObjective, LearnedCode};
pub use normalization::Normalization;
pub use sparse_code::sparse_code;
pub use table::{LabelValues, Labels};
pub use targets::{RawTargets, TargetSource, TargetSpec};
pub use weights::SampleWeights;
