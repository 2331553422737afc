//! What is known about the samples: label columns, sample weights, and the target labels made from them.

pub mod classes;
pub mod table;
pub mod weights;

pub use classes::Classes;
pub use table::{LabelValues, Labels};
pub use weights::SampleWeights;
