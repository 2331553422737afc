//! Traffic signs: classes told apart by few features, and which graphs make these features good.

mod class_labels;
mod class_order;
mod codes;
mod judges;
mod learned;
mod node;
mod page;
mod photos;
mod results;
mod run;
mod spec;
mod summary;

pub use class_order::ChosenOrder;
pub use codes::ChosenCode;
pub use judges::Rule;
pub use results::{FeaturePicture, SignMap, SignsResults};
pub use spec::{NamedPreparation, OrderSearch, SignsSpec, Tracks};
