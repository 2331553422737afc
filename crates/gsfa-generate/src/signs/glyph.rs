//! Digits and letters as strokes in a box from (0, 0) to (1, 1).

use std::f32::consts::TAU;

use super::ink::{Mark, Point};

/// Writes `text` centred about `center`, every character in a box of the given size.
pub(crate) fn text(text: &str, center: Point, (width, height): (f32, f32), pen: f32) -> Vec<Mark> {
    let gap = 0.42 * width;
    let count = text.chars().count() as f32;
    let left = center.0 - (count * width + (count - 1.0) * gap) / 2.0;
    let place = |(n, letter): (usize, char)| {
        let corner = (left + n as f32 * (width + gap), center.1 - height / 2.0);
        strokes(letter).into_iter().map(move |line| {
            Mark::Stroke(line.into_iter().map(|(x, y)| (corner.0 + x * width, corner.1 + y * height)).collect(), pen)
        })
    };
    text.chars().enumerate().flat_map(place).collect()
}

fn strokes(letter: char) -> Vec<Vec<Point>> {
    match letter {
        '0' | 'O' => vec![arc((0.5, 0.5), (0.5, 0.5), 0.0, 1.0)],
        '1' => vec![vec![(0.2, 0.22), (0.6, 0.0), (0.6, 1.0)]],
        '2' => vec![joined(arc((0.5, 0.3), (0.5, 0.3), 0.5, 1.08), &[(0.0, 1.0), (1.0, 1.0)])],
        '3' => vec![arc((0.45, 0.26), (0.46, 0.26), 0.58, 1.25), arc((0.45, 0.74), (0.52, 0.26), 0.75, 1.44)],
        '5' => vec![joined(vec![(0.9, 0.0), (0.15, 0.0), (0.08, 0.46)], &arc((0.45, 0.68), (0.52, 0.32), 0.62, 1.42))],
        '6' => vec![arc((0.5, 0.69), (0.5, 0.31), 0.0, 1.0), vec![(0.8, 0.0), (0.35, 0.2), (0.02, 0.62)]],
        '7' => vec![vec![(0.0, 0.0), (1.0, 0.0), (0.35, 1.0)]],
        '8' => vec![arc((0.5, 0.25), (0.42, 0.25), 0.0, 1.0), arc((0.5, 0.74), (0.5, 0.26), 0.0, 1.0)],
        'S' => vec![joined(arc((0.5, 0.26), (0.46, 0.26), 0.95, 0.25), &arc((0.5, 0.75), (0.48, 0.25), 0.75, 1.45))],
        'T' => vec![vec![(0.0, 0.0), (1.0, 0.0)], vec![(0.5, 0.0), (0.5, 1.0)]],
        'P' => vec![joined(
            vec![(0.0, 1.0), (0.0, 0.0)],
            &joined(arc((0.45, 0.27), (0.55, 0.27), 0.75, 1.25), &[(0.0, 0.54)]),
        )],
        _ => Vec::new(),
    }
}

/// A piece of an ellipse; angles in turns, clockwise on the screen from the right, `end` may be smaller than `start`.
pub(crate) fn arc(center: Point, (rx, ry): (f32, f32), start: f32, end: f32) -> Vec<Point> {
    const STEPS: usize = 20;
    let at = |n: usize| TAU * (start + (end - start) * n as f32 / STEPS as f32);
    (0..=STEPS).map(|n| (center.0 + rx * at(n).cos(), center.1 + ry * at(n).sin())).collect()
}

fn joined(mut line: Vec<Point>, rest: &[Point]) -> Vec<Point> {
    line.extend_from_slice(rest);
    line
}
