//! Simple pictures, each about one unit high around the origin.

use super::glyph::arc;
use super::ink::{Mark, Point};

fn rectangle(left: f32, top: f32, right: f32, bottom: f32) -> Mark {
    Mark::Polygon(vec![(left, top), (right, top), (right, bottom), (left, bottom)])
}

/// A car seen from behind.
pub(crate) fn car() -> Vec<Mark> {
    vec![
        Mark::Polygon(vec![(-0.26, -0.28), (0.26, -0.28), (0.36, 0.02), (-0.36, 0.02)]),
        rectangle(-0.42, 0.0, 0.42, 0.26),
        rectangle(-0.40, 0.2, -0.22, 0.40),
        rectangle(0.22, 0.2, 0.40, 0.40),
    ]
}

/// A lorry from the side.
pub(crate) fn lorry() -> Vec<Mark> {
    vec![
        rectangle(-0.52, -0.34, 0.18, 0.20),
        Mark::Polygon(vec![(0.23, -0.18), (0.42, -0.18), (0.54, 0.02), (0.54, 0.20), (0.23, 0.20)]),
        Mark::Disc((-0.30, 0.26), 0.11),
        Mark::Disc((0.36, 0.26), 0.11),
    ]
}

/// An arrow along `line`, its head at the last point.
pub(crate) fn arrow(line: &[Point], width: f32) -> Vec<Mark> {
    let mut marks = vec![Mark::Stroke(line.to_vec(), width)];
    if let [.., a, b] = *line {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let norm = (dx * dx + dy * dy).sqrt().max(1e-6);
        let (ux, uy) = (dx / norm, dy / norm);
        let (long, wide) = (1.5 * width, 1.35 * width);
        marks.push(Mark::Polygon(vec![
            (b.0 + ux * long, b.1 + uy * long),
            (b.0 - uy * wide, b.1 + ux * wide),
            (b.0 + uy * wide, b.1 - ux * wide),
        ]));
    }
    marks
}

/// A road that bends; `side` −1 to the left, 1 to the right.
pub(crate) fn bend(side: f32) -> Vec<Mark> {
    let line = [(-0.20, 0.46), (-0.20, 0.10), (-0.10, -0.06), (0.14, -0.20)].map(|(x, y)| (x * side, y));
    arrow(&line, 0.17)
}

/// Two humps of a bad road.
pub(crate) fn bumps() -> Vec<Mark> {
    let hump = |x: f32| Mark::Polygon(arc((x, 0.22), (0.26, 0.34), 0.5, 1.0));
    vec![hump(-0.27), hump(0.27), rectangle(-0.6, 0.2, 0.6, 0.34)]
}

/// A small car with winding tracks behind it.
pub(crate) fn skidding() -> Vec<Mark> {
    let mut marks: Vec<Mark> = car().iter().map(|mark| mark.placed((0.62, 0.62), (0.02, -0.14))).collect();
    for x in [-0.16, 0.20] {
        marks.push(Mark::Stroke(vec![(x, 0.12), (x + 0.14, 0.24), (x - 0.12, 0.36), (x + 0.04, 0.48)], 0.08));
    }
    marks
}

/// A road that gets narrower.
pub(crate) fn narrowing() -> Vec<Mark> {
    let border = |s: f32| {
        Mark::Stroke([(0.34, 0.46), (0.34, 0.14), (0.13, -0.06), (0.13, -0.40)].map(|(x, y)| (x * s, y)).to_vec(), 0.13)
    };
    vec![border(-1.0), border(1.0)]
}

/// A person with a shovel beside a heap.
pub(crate) fn digging() -> Vec<Mark> {
    vec![
        Mark::Disc((-0.06, -0.34), 0.10),
        Mark::Stroke(vec![(-0.10, -0.18), (-0.20, 0.12)], 0.17),
        Mark::Stroke(vec![(-0.20, 0.14), (-0.06, 0.28), (-0.12, 0.46)], 0.10),
        Mark::Stroke(vec![(-0.22, 0.14), (-0.36, 0.46)], 0.10),
        Mark::Stroke(vec![(-0.10, -0.12), (0.10, 0.06)], 0.09),
        Mark::Stroke(vec![(-0.08, 0.14), (0.26, 0.14), (0.34, 0.30)], 0.06),
        Mark::Polygon(vec![(0.10, 0.50), (0.34, 0.20), (0.58, 0.50)]),
    ]
}

/// A walking person.
pub(crate) fn walking() -> Vec<Mark> {
    vec![
        Mark::Disc((0.02, -0.42), 0.11),
        Mark::Stroke(vec![(0.0, -0.22), (0.0, 0.10)], 0.19),
        Mark::Stroke(vec![(0.0, 0.10), (0.18, 0.28), (0.20, 0.50)], 0.11),
        Mark::Stroke(vec![(0.0, 0.10), (-0.10, 0.30), (-0.26, 0.46)], 0.11),
        Mark::Stroke(vec![(0.02, -0.20), (0.22, -0.04), (0.32, 0.06)], 0.08),
        Mark::Stroke(vec![(-0.02, -0.20), (-0.20, -0.02), (-0.26, 0.12)], 0.08),
    ]
}

/// Priority at a crossing: a thick arrow over a thin line.
pub(crate) fn crossing() -> Vec<Mark> {
    let mut marks = arrow(&[(0.0, 0.50), (0.0, -0.14)], 0.20);
    marks.push(rectangle(-0.40, 0.08, 0.40, 0.20));
    marks
}

/// An exclamation mark.
pub(crate) fn exclamation() -> Vec<Mark> {
    vec![Mark::Polygon(vec![(-0.12, -0.46), (0.12, -0.46), (0.07, 0.20), (-0.07, 0.20)]), Mark::Disc((0.0, 0.40), 0.11)]
}
