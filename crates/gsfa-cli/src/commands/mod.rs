//! One file per command.

pub mod accumulate;
pub mod advance;
pub mod apply;
pub mod evaluate;
pub mod generate;
pub mod graph;
mod graph_export;
pub mod inspect;
pub mod merge;
pub mod plan;
pub mod predict;
pub mod prepare;
pub mod reproduce;
pub mod select;
pub mod settings;
pub mod solve;
pub mod train;
pub mod transform;
