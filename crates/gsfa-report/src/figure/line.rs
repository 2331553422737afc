//! Line charts: error against the number of features, Δ over j, free responses over n or over the label.

use super::plot::{Plot, marker};
use super::{Figure, legend, nothing};
use crate::axis::Axis;
use crate::svg::{Markup, attributes, path, shortened};
use crate::theme::COLORS;

/// Several series of points over a common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// What stands above the chart.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, each with its own colour, marker and dashes.
    pub series: Vec<Series>,
    /// Horizontal lines to compare with.
    pub rules: Vec<Rule>,
}

/// Points in the order they are joined.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend; a series without one is left out there.
    pub name: String,
    /// The points; one that is not finite breaks the line.
    pub points: Vec<(f64, f64)>,
    /// Half the length of a vertical bar at each point, e.g. a standard deviation; may be shorter than `points` or empty.
    pub spread: Vec<f64>,
    /// How the points are shown.
    pub stroke: Stroke,
}

/// How a series is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// Line and markers; the markers are left out where they would touch.
    #[default]
    Both,
    /// The line only.
    Line,
    /// The markers only.
    Markers,
}

/// A horizontal line with a name, e.g. a published number.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Where it is.
    pub value: f64,
    /// What it stands for.
    pub label: String,
}

impl Series {
    /// A series with line and markers.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points, ..Self::default() }
    }

    fn interval(&self, n: usize) -> Option<(f64, f64)> {
        let spread = self.spread.get(n).copied().filter(|spread| spread.is_finite() && *spread > 0.0)?;
        let value = self.points.get(n)?.1;
        value.is_finite().then_some((value - spread, value + spread))
    }
}

const WIDTH: f64 = 520.0;
const DASHES: [&str; 4] = ["none", "7 4", "2 4", "9 3 2 3"];

impl LineChart {
    /// Draws the chart.
    pub fn figure(&self) -> Figure {
        let named: Vec<usize> = (0..self.series.len()).filter(|&n| !self.series[n].name.is_empty()).collect();
        let (entries, legend_height) =
            legend::layout(named.iter().map(|&n| self.series[n].name.as_str()), WIDTH - 24.0);
        let top = 40.0 + legend_height;
        let bottom = top + 270.0;
        let points = || self.series.iter().flat_map(|series| series.points.iter().copied());
        let intervals = self.series.iter().flat_map(|s| (0..s.points.len()).filter_map(|n| s.interval(n)));
        let heights =
            points().map(|p| p.1).chain(intervals.flat_map(|(a, b)| [a, b])).chain(self.rules.iter().map(|r| r.value));
        let (x, y) = (self.x.scale(points().map(|p| p.0), 7), self.y.scale(heights, 6));
        let plot = Plot::within((6.0, top, WIDTH, bottom), x, y);
        Figure::new(&self.title, (WIDTH, bottom + 2.0), |svg| {
            legend::draw(svg, (12.0, 30.0), &entries, |svg, n, at| {
                sample(svg, named[n], self.series[named[n]].stroke, at)
            });
            plot.frame(svg, &self.x, &self.y);
            if !points().any(|(x, y)| x.is_finite() && y.is_finite()) {
                nothing(svg, plot.left + plot.width / 2.0, plot.top + plot.height / 2.0);
            }
            plot.clipped(svg, |svg| {
                let rules = || self.rules.iter().filter(|rule| rule.value.is_finite());
                rules().for_each(|rule| draw_rule(svg, &plot, rule));
                self.series.iter().enumerate().for_each(|(n, series)| draw_series(svg, &plot, n, series));
                // Names go over the lines, each with a halo, or points would make them unreadable.
                rules().for_each(|rule| name_rule(svg, &plot, rule));
            });
        })
    }
}

fn draw_rule(svg: &mut Markup, plot: &Plot, rule: &Rule) {
    let (at, right) = (plot.y(rule.value), plot.left + plot.width);
    svg.empty("line", attributes!["class": "rule", "x1": plot.left, "x2": right, "y1": at, "y2": at]);
}

fn name_rule(svg: &mut Markup, plot: &Plot, rule: &Rule) {
    let (at, right) = (plot.y(rule.value), plot.left + plot.width);
    // Above the line, or below it where the upper edge of the chart leaves no room.
    let y = if at - plot.top < 16.0 { at + 15.0 } else { at - 6.0 };
    let place = attributes!["class": "name halo", "x": right - 2.0, "y": y, "text-anchor": "end"];
    svg.leaf("text", place, &shortened(&rule.label, 12.0, plot.width));
}

fn draw_series(svg: &mut Markup, plot: &Plot, n: usize, series: &Series) {
    let class = format!("line s{}", n % COLORS);
    if series.stroke != Stroke::Markers {
        let line = path(series.points.iter().map(|&point| plot.at(point)));
        svg.empty("path", attributes!["class": &class, "d": &line, "stroke-dasharray": dash(n)]);
    }
    for (point, (low, high)) in (0..series.points.len()).filter_map(|k| Some((series.points[k], series.interval(k)?))) {
        let (x, low, high) = (plot.x(point.0), plot.y(low), plot.y(high));
        let bar = path([(x, low), (x, high)])
            + &path([(x - 3.0, low), (x + 3.0, low)])
            + &path([(x - 3.0, high), (x + 3.0, high)]);
        svg.empty("path", attributes!["class": &class, "d": &bar, "stroke-width": 1.2, "opacity": 0.7]);
    }
    // Markers closer than this would hide the line they sit on.
    let crowded = series.points.len() as f64 > plot.width / 12.0;
    if series.stroke == Stroke::Markers || (series.stroke == Stroke::Both && !crowded) {
        let size = if crowded { 2.0 } else { 3.6 };
        series.points.iter().for_each(|&point| marker(svg, n, plot.at(point), size));
    }
}

fn sample(svg: &mut Markup, n: usize, stroke: Stroke, (x, y): (f64, f64)) {
    if stroke != Stroke::Markers {
        let class = format!("line s{}", n % COLORS);
        svg.empty(
            "path",
            attributes!["class": &class, "d": &path([(x - 10.0, y), (x + 10.0, y)]), "stroke-dasharray": dash(n)],
        );
    }
    if stroke != Stroke::Line {
        marker(svg, n, (x, y), 3.6);
    }
}

/// Dashes change with every second series, so that lines without markers differ by more than colour.
fn dash(n: usize) -> &'static str {
    DASHES[n / 2 % DASHES.len()]
}
