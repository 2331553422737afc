//! The area of a chart with two numeric axes: grid, ticks, names, and where a point lies.

use crate::axis::{Axis, Scale};
use crate::svg::{Markup, attributes, shortened, text_width};

/// A plotting area with its scales.
pub(super) struct Plot {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) x: Scale,
    pub(super) y: Scale,
}

impl Plot {
    /// The area that is left of `outer` (left, top, right, bottom) when tick labels and names have their room.
    pub(super) fn within(outer: (f64, f64, f64, f64), x: Scale, y: Scale) -> Self {
        let widest = y.ticks().iter().map(|(_, label)| text_width(label, 11.0)).fold(0.0, f64::max);
        let left = outer.0 + 26.0 + widest + 8.0;
        Self { left, top: outer.1, width: outer.2 - left - 14.0, height: outer.3 - outer.1 - 44.0, x, y }
    }

    pub(super) fn x(&self, value: f64) -> f64 {
        self.left + self.width * self.x.place(value)
    }

    pub(super) fn y(&self, value: f64) -> f64 {
        self.top + self.height * (1.0 - self.y.place(value))
    }

    pub(super) fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x(x), self.y(y))
    }

    /// Draws inside the area and a little around it, so that markers on its edge stay whole; the rest is hidden.
    pub(super) fn clipped(&self, svg: &mut Markup, draw: impl FnOnce(&mut Markup)) {
        const ROOM: f64 = 6.0;
        let (x, y, width, height) =
            (self.left - ROOM, self.top - ROOM, self.width + 2.0 * ROOM, self.height + 2.0 * ROOM);
        // A nested window instead of a clip path: figures on one page would share the names of clip paths.
        let view = [x, y, width, height].map(crate::number::coordinate).join(" ");
        let window = attributes!["x": x, "y": y, "width": width, "height": height, "viewBox": &view];
        svg.within("svg", window, draw);
    }

    pub(super) fn frame(&self, svg: &mut Markup, x: &Axis, y: &Axis) {
        let (right, bottom) = (self.left + self.width, self.top + self.height);
        for (value, label) in self.y.ticks() {
            let at = self.y(value);
            svg.empty("line", attributes!["class": "grid", "x1": self.left, "x2": right, "y1": at, "y2": at]);
            svg.leaf(
                "text",
                attributes!["class": "tick", "x": self.left - 7.0, "y": at + 4.0, "text-anchor": "end"],
                &label,
            );
        }
        // Labels of the lower axis may not touch: every second or third one if they are long.
        let ticks = self.x.ticks();
        let widest = ticks.iter().map(|(_, label)| text_width(label, 11.0)).fold(0.0, f64::max) + 8.0;
        let gap = self.width / ticks.len().max(1) as f64;
        let every = (widest / gap.max(1.0)).ceil().clamp(1.0, 10.0) as usize;
        for (n, (value, label)) in ticks.iter().enumerate() {
            let at = self.x(*value);
            svg.empty("line", attributes!["class": "axis", "x1": at, "x2": at, "y1": bottom, "y2": bottom + 4.0]);
            if n % every == 0 {
                let attributes = attributes!["class": "tick", "x": at, "y": bottom + 17.0, "text-anchor": "middle"];
                svg.leaf("text", attributes, label);
            }
        }
        svg.empty("line", attributes!["class": "axis", "x1": self.left, "x2": right, "y1": bottom, "y2": bottom]);
        let middle = self.left + self.width / 2.0;
        svg.leaf(
            "text",
            attributes!["class": "name", "x": middle, "y": bottom + 36.0, "text-anchor": "middle"],
            &shortened(&x.label, 12.0, self.width),
        );
        let turn = format!("translate(15 {}) rotate(-90)", crate::number::coordinate(self.top + self.height / 2.0));
        svg.leaf(
            "text",
            attributes!["class": "name", "transform": &turn, "text-anchor": "middle"],
            &shortened(&y.label, 12.0, self.height + 20.0),
        );
    }
}

/// Draws marker number `kind` with the given half size; shapes differ so that colour is never needed to tell them apart.
pub(super) fn marker(svg: &mut Markup, kind: usize, (x, y): (f64, f64), size: f64) {
    if !(x.is_finite() && y.is_finite()) {
        return;
    }
    let color = kind % crate::theme::COLORS;
    let (fill, stroke) = (format!("f{color}"), format!("hollow s{color}"));
    let polygon = |svg: &mut Markup, corners: &[(f64, f64)], class: &str| {
        let path = crate::svg::path(corners.iter().map(|(dx, dy)| (x + dx * size, y + dy * size))) + "Z";
        svg.empty("path", attributes!["class": class, "d": &path, "stroke-width": 1.5]);
    };
    match kind % 8 {
        0 => svg.empty("circle", attributes!["class": &fill, "cx": x, "cy": y, "r": size]),
        1 => polygon(svg, &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)], &fill),
        2 => polygon(svg, &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)], &fill),
        3 => polygon(svg, &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)], &fill),
        4 => svg.empty("circle", attributes!["class": &stroke, "cx": x, "cy": y, "r": size, "stroke-width": 1.5]),
        5 => polygon(svg, &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)], &stroke),
        6 => polygon(svg, &[(0.0, 1.2), (1.1, -0.8), (-1.1, -0.8)], &fill),
        _ => polygon(svg, &[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)], &stroke),
    }
}
