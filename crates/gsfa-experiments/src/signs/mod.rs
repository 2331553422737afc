//! Traffic signs: classes told apart by few features, and which graphs make these features good.

mod class_order;
mod class_space;
mod classify;
mod node;
mod page;
mod photos;
mod results;
mod run;
mod spec;
mod summary;

pub use class_order::ChosenOrder;
pub use results::{FeaturePicture, SignsResults};
pub use spec::{NamedPreparation, OrderSearch, SignsSpec, Tracks};
