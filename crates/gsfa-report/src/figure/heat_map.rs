//! Heat maps: confusion matrices.

use super::{Figure, nothing};
use crate::number::brief;
use crate::svg::{Markup, attributes, shortened, text_width};

/// A matrix of numbers as shades of one colour, white for zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// What stands above the map.
    pub title: String,
    /// What the rows are, e.g. the true class.
    pub row_label: String,
    /// What the columns are, e.g. the estimated class.
    pub column_label: String,
    /// Names of the rows.
    pub rows: Vec<String>,
    /// Names of the columns; long ones are replaced by their numbers.
    pub columns: Vec<String>,
    /// The numbers row by row; missing and non-finite ones stay empty.
    pub values: Vec<f64>,
    /// How numbers become shades.
    pub shading: Shading,
}

/// How numbers become shades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// In proportion.
    #[default]
    Linear,
    /// By the square root: a few errors beside many hits can be seen.
    SquareRoot,
}

const SPAN: f64 = 520.0;

impl HeatMap {
    /// Draws the map.
    pub fn figure(&self) -> Figure {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let cell = (SPAN / rows.max(columns).max(1) as f64).min(56.0);
        let size = cell.mul_add(0.6, 1.0).clamp(6.0, 12.0);
        let widest = self.rows.iter().map(|name| text_width(name, size)).fold(0.0, f64::max).min(190.0);
        let fits = self.columns.iter().all(|name| text_width(name, size) < cell - 2.0);
        let (left, top) = (widest + 36.0, 64.0);
        let (width, height) = (cell * columns as f64, cell * rows as f64);
        let total = (left + width.max(220.0) + 78.0, top + height.max(40.0) + 16.0);
        let largest = self.values.iter().copied().filter(|v| v.is_finite()).fold(0.0, |a: f64, v| a.max(v.abs()));
        Figure::new(&self.title, total, |svg| {
            let middle = attributes!["class": "name", "x": left + width / 2.0, "y": 40.0, "text-anchor": "middle"];
            svg.leaf("text", middle, &shortened(&self.column_label, 12.0, width.max(120.0)));
            let turn = format!("translate(16 {}) rotate(-90)", crate::number::coordinate(top + height / 2.0));
            svg.leaf(
                "text",
                attributes!["class": "name", "transform": &turn, "text-anchor": "middle"],
                &shortened(&self.row_label, 12.0, height.max(60.0)),
            );
            if rows == 0 || columns == 0 {
                nothing(svg, left + 100.0, top + 20.0);
                return;
            }
            let style = format!("font-size:{}px", crate::number::coordinate(size));
            let narrow =
                format!("font-size:{}px", crate::number::coordinate(if fits { size } else { size.min(0.62 * cell) }));
            for (n, name) in self.rows.iter().enumerate() {
                let at = top + cell * (n as f64 + 0.5) + 0.35 * size;
                let place = attributes!["x": left - 6.0, "y": at, "text-anchor": "end", "style": &style];
                svg.leaf("text", place, &shortened(name, size, 190.0));
            }
            for (n, name) in self.columns.iter().enumerate() {
                let name = if fits { name.clone() } else { n.to_string() };
                let at = left + cell * (n as f64 + 0.5);
                svg.leaf(
                    "text",
                    attributes!["class": "tick", "x": at, "y": top - 6.0, "text-anchor": "middle", "style": &narrow],
                    &name,
                );
            }
            svg.empty("rect", attributes!["class": "frame", "x": left, "y": top, "width": width, "height": height]);
            self.cells(svg, (left, top), cell, largest);
            self.scale(svg, (left + width + 14.0, top), height.min(140.0), largest);
        })
    }

    fn cells(&self, svg: &mut Markup, (left, top): (f64, f64), cell: f64, largest: f64) {
        let columns = self.columns.len();
        for (n, &value) in self.values.iter().enumerate().take(self.rows.len() * columns) {
            if !value.is_finite() || value == 0.0 {
                continue;
            }
            let (row, column) = (n / columns, n % columns);
            let (x, y) = (left + cell * column as f64, top + cell * row as f64);
            let share = (value.abs() / largest).min(1.0);
            let shade = match self.shading {
                Shading::Linear => share,
                Shading::SquareRoot => share.sqrt(),
            };
            let class = if value < 0.0 { "f1" } else { "f0" };
            let place = attributes!["class": class, "x": x, "y": y, "width": cell, "height": cell, "fill-opacity": shade, "shape-rendering": "crispEdges"];
            svg.within("rect", place, |svg| {
                svg.leaf("title", &[], &format!("{} → {}: {}", self.rows[row], self.columns[column], brief(value)));
            });
            let text = brief(value);
            if cell >= 24.0 && text_width(&text, 10.0) < cell {
                let class = if shade > 0.55 { "small inverse" } else { "small" };
                svg.leaf("text", attributes!["class": class, "x": x + cell / 2.0, "y": y + cell / 2.0 + 3.5, "text-anchor": "middle"], &text);
            }
        }
    }

    /// The scale of shades beside the map, from zero to the largest number.
    fn scale(&self, svg: &mut Markup, (x, y): (f64, f64), height: f64, largest: f64) {
        const STEPS: usize = 20;
        let step = height / STEPS as f64;
        for n in 0..STEPS {
            let shade = 1.0 - (n as f64 + 0.5) / STEPS as f64;
            let place = attributes!["class": "f0", "x": x, "y": y + step * n as f64, "width": 12.0, "height": step, "fill-opacity": shade, "shape-rendering": "crispEdges"];
            svg.empty("rect", place);
        }
        svg.empty("rect", attributes!["class": "frame", "x": x, "y": y, "width": 12.0, "height": height]);
        let half = match self.shading {
            Shading::Linear => 0.5,
            Shading::SquareRoot => 0.25,
        };
        for (down, share) in [(0.0, 1.0), (0.5, half), (1.0, 0.0)] {
            svg.leaf(
                "text",
                attributes!["class": "tick", "x": x + 17.0, "y": y + down * height + 4.0],
                &brief(share * largest),
            );
        }
    }
}
