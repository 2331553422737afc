//! The legend: samples of the marks with their names, in as many lines as they need.

use crate::svg::{Markup, shortened, text_width};

const SAMPLE: f64 = 26.0;
const GAP: f64 = 18.0;
pub(super) const LINE: f64 = 19.0;

/// Where each entry goes: `(x, y, name)`, and the height of all.
pub(super) fn layout<'a>(names: impl Iterator<Item = &'a str>, width: f64) -> (Vec<(f64, f64, String)>, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    let mut entries = Vec::new();
    for name in names {
        let name = shortened(name, 12.0, width - SAMPLE);
        let room = SAMPLE + text_width(&name, 12.0) + GAP;
        if x > 0.0 && x + room - GAP > width {
            (x, y) = (0.0, y + LINE);
        }
        entries.push((x, y, name));
        x += room;
    }
    let height = if entries.is_empty() { 0.0 } else { y + LINE };
    (entries, height)
}

/// Draws the entries at `(left, top)`; `sample` draws mark `n` around a point.
pub(super) fn draw(
    svg: &mut Markup,
    (left, top): (f64, f64),
    entries: &[(f64, f64, String)],
    sample: impl Fn(&mut Markup, usize, (f64, f64)),
) {
    for (n, (x, y, name)) in entries.iter().enumerate() {
        let middle = top + y + LINE / 2.0;
        sample(svg, n, (left + x + 10.0, middle));
        svg.leaf("text", crate::svg::attributes!["x": left + x + SAMPLE, "y": middle + 4.0], name);
    }
}
