//! Images in a grid: samples, contact sheets, features seen as images.

use super::{Figure, nothing};
use crate::png;
use crate::svg::{attributes, shortened};

/// Images side by side with a line of text under each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageGrid {
    /// What stands above the grid.
    pub title: String,
    /// The images in reading order.
    pub pictures: Vec<Picture>,
    /// Images per line; 0 counts as 1.
    pub columns: usize,
    /// Width of each image in the figure.
    pub cell: f64,
}

/// Pixels, grey or RGB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// 1 for grey, 3 for RGB.
    pub channels: usize,
    /// `height × width × channels` bytes, row by row; any other number leaves the place empty.
    pub pixels: Vec<u8>,
    /// What stands below it; may be empty.
    pub caption: String,
}

const GAP: f64 = 8.0;

impl ImageGrid {
    /// Draws the grid.
    pub fn figure(&self) -> Figure {
        let columns = self.columns.clamp(1, self.pictures.len().max(1));
        let cell = if self.cell.is_finite() { self.cell.clamp(8.0, 2000.0) } else { 64.0 };
        let text = if self.pictures.iter().any(|picture| !picture.caption.is_empty()) { 17.0 } else { 0.0 };
        // Images of one grid have one shape, as a rule; the tallest sets the pitch.
        let ratio = |picture: &Picture| picture.height.max(1) as f64 / picture.width.max(1) as f64;
        let height = cell * self.pictures.iter().map(ratio).fold(0.0, f64::max).min(20.0);
        let lines = self.pictures.len().div_ceil(columns);
        let total =
            ((columns as f64 * (cell + GAP) + GAP).max(160.0), 34.0 + (lines as f64 * (height + text + GAP)).max(30.0));
        Figure::new(&self.title, total, |svg| {
            if self.pictures.is_empty() {
                nothing(svg, total.0 / 2.0, 52.0);
            }
            for (n, picture) in self.pictures.iter().enumerate() {
                let x = GAP + (n % columns) as f64 * (cell + GAP);
                let y = 34.0 + (n / columns) as f64 * (height + text + GAP);
                let shape = cell * ratio(picture).min(20.0);
                if let Some(uri) = png::data_uri(picture.width, picture.height, picture.channels, &picture.pixels) {
                    let place = attributes![
                        "x": x, "y": y, "width": cell, "height": shape, "href": &uri, "style": "image-rendering:pixelated",
                    ];
                    svg.empty("image", place);
                } else {
                    svg.empty("rect", attributes!["class": "frame", "x": x, "y": y, "width": cell, "height": shape]);
                }
                if !picture.caption.is_empty() {
                    let place = attributes!["class": "tick", "x": x + cell / 2.0, "y": y + height + 13.0, "text-anchor": "middle"];
                    svg.leaf("text", place, &shortened(&picture.caption, 11.0, cell + GAP));
                }
            }
        })
    }
}
