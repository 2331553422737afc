//! Bar charts: training times, errors of several methods.

use super::{Figure, nothing};
use crate::axis::Axis;
use crate::number::brief;
use crate::svg::{Markup, attributes, path, shortened, text_width};
use crate::theme::COLORS;

/// Horizontal bars with names to their left and numbers to their right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What stands above the chart.
    pub title: String,
    /// What is measured; zero is always in its range.
    pub axis: Axis,
    /// The bars from top to bottom.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// What was measured.
    pub name: String,
    /// How much; one that is not finite has no bar and a dash for its number.
    pub value: f64,
    /// Half the length of a line at its end, e.g. a standard deviation.
    pub spread: Option<f64>,
    /// Which colour: bars of one kind share a number.
    pub kind: usize,
}

/// Width of the chart where names are short; long ones make it wider, so that bars keep some room.
const WIDTH: f64 = 520.0;
const LEAST_FOR_BARS: f64 = 240.0;
const LONGEST_NAME: f64 = 420.0;
/// Room for the number behind a bar.
const NUMBER: f64 = 110.0;
const PITCH: f64 = 26.0;

impl Bars {
    /// Draws the chart.
    pub fn figure(&self) -> Figure {
        let room = self.bars.iter().map(|bar| text_width(&bar.name, 12.0)).fold(0.0, f64::max).min(LONGEST_NAME);
        let (left, top) = (room + 22.0, 36.0);
        let whole = WIDTH.max(left + LEAST_FOR_BARS + NUMBER);
        let height = PITCH * self.bars.len().max(1) as f64;
        let ends = self.bars.iter().flat_map(|bar| [bar.value, bar.value + bar.spread.unwrap_or(0.0)]);
        let scale = Axis { zero: true, ..self.axis.clone() }.scale(ends, 6);
        let width = whole - left - NUMBER;
        let ticks = scale.ticks();
        let at = move |value: f64| left + width * scale.place(value).clamp(0.0, 1.0);
        Figure::new(&self.title, (whole, top + height + 46.0), |svg| {
            for (value, label) in ticks {
                let x = at(value);
                svg.empty("line", attributes!["class": "grid", "x1": x, "x2": x, "y1": top, "y2": top + height]);
                svg.leaf(
                    "text",
                    attributes!["class": "tick", "x": x, "y": top + height + 16.0, "text-anchor": "middle"],
                    &label,
                );
            }
            // Below the bars, unless it is longer than there is room on both sides of their middle.
            let half = text_width(&self.axis.label, 12.0).min(whole - 16.0) / 2.0;
            let x = (left + width / 2.0).min(whole - 8.0 - half).max(8.0 + half);
            let middle = attributes!["class": "name", "x": x, "y": top + height + 36.0, "text-anchor": "middle"];
            svg.leaf("text", middle, &shortened(&self.axis.label, 12.0, whole - 16.0));
            if self.bars.is_empty() {
                nothing(svg, left + width / 2.0, top + 16.0);
            }
            for (n, bar) in self.bars.iter().enumerate() {
                draw(svg, bar, left, top + PITCH * n as f64, &at);
            }
            let zero = at(0.0);
            svg.empty("line", attributes!["class": "axis", "x1": zero, "x2": zero, "y1": top, "y2": top + height]);
        })
    }
}

fn draw(svg: &mut Markup, bar: &Bar, left: f64, top: f64, at: &impl Fn(f64) -> f64) {
    let middle = top + PITCH / 2.0;
    let name = attributes!["x": left - 8.0, "y": middle + 4.0, "text-anchor": "end"];
    svg.leaf("text", name, &shortened(&bar.name, 12.0, LONGEST_NAME));
    let mut end = at(0.0);
    if bar.value.is_finite() {
        let (from, to) = (at(bar.value.min(0.0)), at(bar.value.max(0.0)));
        let class = format!("f{}", bar.kind % COLORS);
        svg.empty("rect", attributes!["class": &class, "x": from, "y": top + 5.0, "width": to - from, "height": PITCH - 10.0, "rx": 2.0]);
        end = to;
        if let Some(spread) = bar.spread.filter(|spread| spread.is_finite() && *spread > 0.0) {
            let (low, high) = (at(bar.value - spread), at(bar.value + spread));
            svg.empty("path", attributes!["class": "axis", "d": &path([(low, middle), (high, middle)]), "style": "stroke:var(--ink);stroke-width:1.4"]);
            end = end.max(high);
        }
    }
    let number =
        bar.spread.map_or_else(|| brief(bar.value), |spread| format!("{} ± {}", brief(bar.value), brief(spread)));
    let exact = if bar.value.is_finite() { bar.value.to_string() } else { String::new() };
    svg.leaf("text", attributes!["class": "tick", "x": end + 6.0, "y": middle + 4.0, "data-value": &exact], &number);
}
