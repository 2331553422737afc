//! Figures, one kind per file. Each kind is a plain struct with public fields and a `figure()` that draws it.

mod bars;
mod class_map;
mod graph;
mod heat_map;
mod image_grid;
mod legend;
mod line;
mod plot;
mod scatter;

pub use bars::{Bar, Bars};
pub use class_map::{ClassMap, MapPanel};
pub use graph::{Edge, GraphDrawing, Layout, Vertex};
pub use heat_map::{HeatMap, Shading};
pub use image_grid::{ImageGrid, Picture};
pub use line::{LineChart, Rule, Series, Stroke};
pub use scatter::{PointGroup, Scatter};

use crate::svg::{Markup, attributes, shortened};
use crate::theme;

/// A drawn figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What stands above it, also its accessible name.
    pub title: String,
    /// What stands below it on a page; may be empty.
    pub caption: String,
    /// Whether it takes the whole width of a page.
    pub wide: bool,
    width: f64,
    height: f64,
    body: String,
}

impl Figure {
    pub(crate) fn new(title: &str, (width, height): (f64, f64), draw: impl FnOnce(&mut Markup)) -> Self {
        let mut body = Markup::default();
        if !title.is_empty() {
            body.leaf(
                "text",
                attributes!["class": "heading", "x": 8.0, "y": 20.0],
                &shortened(title, 15.0, width - 16.0),
            );
        }
        draw(&mut body);
        Self { title: title.into(), caption: String::new(), wide: false, width, height, body: body.into_string() }
    }

    /// The same figure with a text below it.
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// The same figure over the whole width of a page.
    pub fn wide(mut self) -> Self {
        self.wide = true;
        self
    }

    /// A complete SVG file with its own style; follows the reader's choice of light or dark.
    pub fn svg(&self) -> String {
        let mut svg = Markup::default();
        svg.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        self.write(&mut svg, true);
        svg.into_string()
    }

    /// Whether three of its kind fit beside each other on a page.
    pub(crate) fn is_narrow(&self) -> bool {
        self.width <= 430.0
    }

    /// The figure inside a page that brings the style.
    pub(crate) fn inline(&self, page: &mut Markup) {
        self.write(page, false);
    }

    fn write(&self, target: &mut Markup, alone: bool) {
        let size = format!("0 0 {} {}", crate::number::coordinate(self.width), crate::number::coordinate(self.height));
        // A page may enlarge a figure a little, but letters should not outgrow those around them.
        let limit = format!("max-width:{}px", crate::number::coordinate(1.15 * self.width));
        let attributes = attributes![
            "xmlns": "http://www.w3.org/2000/svg", "class": "figure", "viewBox": &size, "width": self.width,
            "height": self.height, "role": "img", "aria-label": &self.title, "style": &limit,
        ];
        target.within("svg", attributes, |svg| {
            if alone {
                svg.leaf("title", &[], &self.title);
                // The style holds no text from outside, and `>` or quotes in it are legal in XML.
                svg.within("style", &[], |style| style.raw(&theme::figure_style()));
                svg.empty("rect", attributes!["class": "paper", "width": self.width, "height": self.height]);
            }
            svg.raw(&self.body);
        });
    }
}

/// Says in the middle of an area that there is nothing to see.
fn nothing(svg: &mut Markup, x: f64, y: f64) {
    svg.leaf("text", attributes!["class": "name", "x": x, "y": y, "text-anchor": "middle"], "no data");
}
