//! Gender and colour from faces: what graphs, auxiliary labels and joint learning do for a network, beside baselines.

mod baselines;
mod cascade;
mod faces;
mod page;
mod results;
mod run;
mod spec;
mod trained;
mod transforms;

pub use results::{FacePicture, GenderResults, TransformResult};
pub use spec::{Ablation, CascadeSpec, GenderSpec, ProductEigenvalues, RidgeSpec};
