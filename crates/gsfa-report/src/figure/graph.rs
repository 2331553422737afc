//! Drawn training graphs: vertices on a circle or a line, size by vertex weight; edges, width by edge weight.

use super::{Figure, nothing};
use crate::svg::{Markup, attributes};

/// A graph to be looked at; meant for some tens of vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphDrawing {
    /// What stands above the drawing.
    pub title: String,
    /// The vertices in their order along the layout.
    pub vertices: Vec<Vertex>,
    /// The edges; those with unknown vertices or weight zero are left out.
    pub edges: Vec<Edge>,
    /// Where vertices are put.
    pub layout: Layout,
}

/// A sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Written beside it; may be empty.
    pub label: String,
    /// Its weight: the area of its disc.
    pub weight: f64,
    /// Its label value: pale for the smallest, full colour for the largest.
    pub value: f64,
}

/// A pair of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// One vertex.
    pub from: usize,
    /// The other one; the same for a self-loop.
    pub to: usize,
    /// Its weight: the width of the line; negative ones are dashed in another colour.
    pub weight: f64,
}

/// Where vertices are put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// On a circle, clockwise from the top.
    #[default]
    Circle,
    /// On a horizontal line, edges as arcs above it.
    Line,
}

const SIDE: f64 = 350.0;
const WIDE: f64 = 940.0;

impl GraphDrawing {
    /// Draws the graph.
    pub fn figure(&self) -> Figure {
        let (width, height) = match self.layout {
            Layout::Circle => (SIDE, SIDE + 24.0),
            Layout::Line => (WIDE, self.arcs_height() + 84.0),
        };
        Figure::new(&self.title, (width, height), |svg| {
            if self.vertices.is_empty() {
                nothing(svg, width / 2.0, height / 2.0);
            }
            let largest = finite_max(self.edges.iter().map(|edge| edge.weight));
            // Thin edges first, so that strong ones stay visible.
            let mut edges: Vec<&Edge> = self.edges.iter().filter(|edge| self.draws(edge)).collect();
            edges.sort_by(|a, b| a.weight.abs().total_cmp(&b.weight.abs()));
            edges.iter().for_each(|edge| self.edge(svg, edge, edge.weight.abs() / largest));
            self.vertices(svg);
        })
    }

    fn draws(&self, edge: &Edge) -> bool {
        let known = edge.from < self.vertices.len() && edge.to < self.vertices.len();
        known && edge.weight.is_finite() && edge.weight != 0.0
    }

    fn place(&self, n: usize) -> (f64, f64) {
        let count = self.vertices.len() as f64;
        match self.layout {
            Layout::Circle => {
                let (middle, radius) = (SIDE / 2.0, if count > 1.0 { SIDE / 2.0 - 42.0 } else { 0.0 });
                let angle = std::f64::consts::TAU * n as f64 / count;
                (middle + radius * angle.sin(), middle + 24.0 - radius * angle.cos())
            }
            Layout::Line => {
                let share = if count > 1.0 { n as f64 / (count - 1.0) } else { 0.5 };
                (28.0 + (WIDE - 56.0) * share, self.arcs_height() + 48.0)
            }
        }
    }

    /// Height of the highest arc over a line.
    fn arcs_height(&self) -> f64 {
        let gap = (WIDE - 56.0) / (self.vertices.len().max(2) - 1) as f64;
        let longest = self.edges.iter().filter(|e| self.draws(e)).map(|e| e.from.abs_diff(e.to)).max().unwrap_or(0);
        (0.5 * gap * longest as f64).clamp(20.0, 260.0)
    }

    fn edge(&self, svg: &mut Markup, edge: &Edge, share: f64) {
        let (a, b) = (self.place(edge.from), self.place(edge.to));
        let number = crate::number::coordinate;
        let (class, dashes) = if edge.weight < 0.0 { ("line s1", "4 3") } else { ("line s0", "none") };
        let style = format!("stroke-width:{};stroke-opacity:{}", number(0.4 + 2.6 * share), number(0.12 + 0.6 * share));
        if edge.from == edge.to {
            let (dx, dy) = self.outward(a);
            let (x, y) = (a.0 + 10.0 * dx, a.1 + 10.0 * dy);
            let ring =
                attributes!["class": class, "cx": x, "cy": y, "r": 7.0, "style": &style, "stroke-dasharray": dashes];
            svg.empty("circle", ring);
            return;
        }
        let line = if self.layout == Layout::Line {
            let (left, right) = (a.0.min(b.0), a.0.max(b.0));
            let across = (right - left) / 2.0;
            let up = across.min(260.0);
            format!(
                "M{} {}A{} {} 0 0 1 {} {}",
                number(left),
                number(a.1),
                number(across),
                number(up),
                number(right),
                number(a.1)
            )
        } else {
            crate::svg::path([a, b])
        };
        svg.empty("path", attributes!["class": class, "d": &line, "style": &style, "stroke-dasharray": dashes]);
    }

    /// Away from the other vertices: where self-loops and labels have room.
    fn outward(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let (dx, dy) = (x - SIDE / 2.0, y - SIDE / 2.0 - 24.0);
        let far = dx.hypot(dy);
        match self.layout {
            Layout::Circle if far > 0.0 => (dx / far, dy / far),
            Layout::Circle => (0.0, -1.0),
            Layout::Line => (0.0, 1.0),
        }
    }

    fn vertices(&self, svg: &mut Markup) {
        let heaviest = finite_max(self.vertices.iter().map(|vertex| vertex.weight));
        let values = || self.vertices.iter().map(|vertex| vertex.value).filter(|value| value.is_finite());
        let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        for (n, vertex) in self.vertices.iter().enumerate() {
            let (x, y) = self.place(n);
            let weight = if vertex.weight.is_finite() { vertex.weight.abs() / heaviest } else { 0.0 };
            let radius = 2.0 + 6.0 * weight.sqrt();
            let share = (vertex.value - low) / (high - low);
            let shade = if share.is_finite() { 0.15 + 0.85 * share } else { 0.6 };
            svg.empty("circle", attributes!["class": "hollow", "cx": x, "cy": y, "r": radius]);
            let disc = attributes!["class": "f2 s2", "cx": x, "cy": y, "r": radius, "fill-opacity": shade, "stroke-width": 1.2];
            svg.empty("circle", disc);
            if !vertex.label.is_empty() {
                let (dx, dy) = self.outward((x, y));
                let place =
                    attributes!["class": "tick", "x": x + 28.0 * dx, "y": y + 28.0 * dy + 4.0, "text-anchor": "middle"];
                svg.leaf("text", place, &vertex.label);
            }
        }
    }
}

/// The largest finite magnitude, or 1 if there is none to divide by.
fn finite_max(values: impl Iterator<Item = f64>) -> f64 {
    let largest = values.map(f64::abs).filter(|value| value.is_finite()).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}
