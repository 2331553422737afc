//! Scatter plots: estimates against the truth, with the line where they agree.

use super::plot::{Plot, marker};
use super::{Figure, legend, nothing};
use crate::axis::Axis;
use crate::svg::{attributes, path};
use crate::theme::COLORS;

/// Points over two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// What stands above the plot.
    pub title: String,
    /// The horizontal axis, e.g. the truth.
    pub x: Axis,
    /// The vertical axis, e.g. the estimate.
    pub y: Axis,
    /// The points, each group with its own colour.
    pub groups: Vec<PointGroup>,
    /// Draws the line y = x and gives both axes one range.
    pub truth_line: bool,
    /// A line over the points, e.g. the true function; may be empty.
    pub curve: Vec<(f64, f64)>,
}

/// Points of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointGroup {
    /// Its name in the legend; may be empty.
    pub name: String,
    /// The points; those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: f64 = 460.0;

impl Scatter {
    /// Draws the plot.
    pub fn figure(&self) -> Figure {
        let named: Vec<usize> = (0..self.groups.len()).filter(|&n| !self.groups[n].name.is_empty()).collect();
        let (entries, legend_height) =
            legend::layout(named.iter().map(|&n| self.groups[n].name.as_str()), WIDTH - 24.0);
        let top = 40.0 + legend_height;
        let bottom = top + 380.0;
        let points =
            || self.groups.iter().flat_map(|g| g.points.iter().copied()).filter(|p| p.0.is_finite() && p.1.is_finite());
        let both = || points().flat_map(|(x, y)| [x, y]);
        let (x, y) = if self.truth_line {
            (self.x.scale(both(), 7), self.y.scale(both(), 7))
        } else {
            let all = || points().chain(self.curve.iter().copied());
            (self.x.scale(all().map(|p| p.0), 7), self.y.scale(all().map(|p| p.1), 7))
        };
        let (low, high) = (x.low.max(y.low), x.high.min(y.high));
        let plot = Plot::within((6.0, top, WIDTH, bottom), x, y);
        Figure::new(&self.title, (WIDTH, bottom + 2.0), |svg| {
            legend::draw(svg, (12.0, 30.0), &entries, |svg, n, at| marker(svg, named[n], at, 3.6));
            plot.frame(svg, &self.x, &self.y);
            let count = points().count();
            if count == 0 {
                nothing(svg, plot.left + plot.width / 2.0, plot.top + plot.height / 2.0);
            }
            // Many points overlap: smaller and paler ones show how many lie in a place.
            let (radius, opacity) = if count > 400 { (1.7, 0.42) } else { (2.8, 0.7) };
            plot.clipped(svg, |svg| {
                for (n, group) in self.groups.iter().enumerate() {
                    let class = format!("f{}", n % COLORS);
                    svg.within("g", attributes!["class": &class, "fill-opacity": opacity], |svg| {
                        for (x, y) in
                            group.points.iter().map(|&p| plot.at(p)).filter(|p| p.0.is_finite() && p.1.is_finite())
                        {
                            svg.empty("circle", attributes!["cx": x, "cy": y, "r": radius]);
                        }
                    });
                }
            });
            let curve: Vec<(f64, f64)> =
                self.curve.iter().map(|&p| plot.at(p)).filter(|p| p.0.is_finite() && p.1.is_finite()).collect();
            if !curve.is_empty() {
                plot.clipped(svg, |svg| {
                    let style = "stroke:var(--ink);stroke-width:2.5";
                    svg.empty("path", attributes!["class": "line", "d": &path(curve), "style": style]);
                });
            }
            if self.truth_line && low < high {
                svg.empty(
                    "path",
                    attributes!["class": "rule", "d": &path([plot.at((low, low)), plot.at((high, high))])],
                );
            }
        })
    }
}
