//! Figures, tables and pages: what a reader looks at.
//!
//! Everything here turns plain numbers into text: a [`figure`] into SVG, a [`Table`] into aligned text, HTML or CSV, a
//! [`Page`] into one HTML file without any outside reference, readable offline, light and dark, on screen and on paper.
//! Nothing knows where the numbers come from, reads a file, or runs a command. The same input gives the same bytes.
//!
//! Odd data never panics: missing and non-finite numbers leave gaps, constant data gets a range of its own, and every text
//! is escaped.

#![warn(missing_docs)]
#![deny(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro, clippy::todo)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod axis;
mod comparison;
pub mod figure;
mod number;
mod page;
mod png;
mod svg;
mod table;
mod theme;

pub use axis::Axis;
pub use comparison::{Comparison, Measured};
pub use figure::{
    Bar, Bars, ClassMap, Edge, Figure, GraphDrawing, HeatMap, ImageGrid, Layout, LineChart, MapPanel, Picture,
    PointGroup, Rule, Scatter, Series, Shading, Stroke, Vertex,
};
pub use page::{Block, Page, Section};
pub use table::{Align, Cell, Column, Table, csv_lines};
