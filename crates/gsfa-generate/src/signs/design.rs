//! The 32 designs: plate, face, marks.

use super::CLASSES;
use super::glyph::text;
use super::ink::{Canvas, Color, Mark, Point};
use super::pictogram as picture;

const RED: Color = [0.76, 0.07, 0.10];
const BLUE: Color = [0.04, 0.24, 0.62];
const WHITE: Color = [0.92, 0.92, 0.90];
const BLACK: Color = [0.06, 0.06, 0.07];
const YELLOW: Color = [0.96, 0.72, 0.06];
const GREEN: Color = [0.05, 0.55, 0.25];
const GREY: Color = [0.45, 0.45, 0.46];

/// What each class shows, in the order of the class numbers.
pub const DESIGNS: [&str; CLASSES] = [
    "limit 20",
    "limit 30",
    "limit 50",
    "limit 60",
    "limit 70",
    "limit 80",
    "limit 100",
    "limit 120",
    "no overtaking",
    "no overtaking by lorries",
    "no lorries",
    "no vehicles",
    "no entry",
    "end of all limits",
    "end of limit 80",
    "stop",
    "give way",
    "priority road",
    "priority at crossing",
    "danger",
    "bend to the left",
    "bend to the right",
    "bad road",
    "slippery road",
    "road narrows",
    "road works",
    "traffic lights",
    "pedestrians",
    "turn right",
    "turn left",
    "straight on",
    "keep right",
];

/// Draws the plate of a class.
pub(crate) fn draw(class: usize) -> Canvas {
    let mut canvas = Canvas::empty();
    let limit = DESIGNS[class].strip_prefix("limit ");
    match class {
        _ if limit.is_some() => {
            prohibition(&mut canvas);
            number(&mut canvas, limit.unwrap_or_default(), BLACK);
        }
        8 => {
            prohibition(&mut canvas);
            place(&mut canvas, &picture::car(), 0.62, (-0.29, 0.02), RED);
            place(&mut canvas, &picture::car(), 0.62, (0.30, 0.02), BLACK);
        }
        9 => {
            prohibition(&mut canvas);
            place(&mut canvas, &picture::lorry(), 0.66, (-0.27, 0.0), RED);
            place(&mut canvas, &picture::car(), 0.54, (0.36, 0.04), BLACK);
        }
        10 => {
            prohibition(&mut canvas);
            place(&mut canvas, &picture::lorry(), 1.0, (0.0, 0.04), BLACK);
        }
        11 => prohibition(&mut canvas),
        12 => {
            disc(&mut canvas, &[(1.0, WHITE), (0.95, RED)]);
            canvas.ink(&bar(-0.66, -0.16, 0.66, 0.16), WHITE);
        }
        13 | 14 => {
            disc(&mut canvas, &[(1.0, GREY), (0.93, WHITE)]);
            if class == 14 {
                number(&mut canvas, "80", GREY);
            }
            for shift in [-0.22, -0.11, 0.0, 0.11, 0.22] {
                canvas.ink(
                    &Mark::Stroke(vec![(-0.56 + shift, 0.56 + shift), (0.56 + shift, -0.56 + shift)], 0.055),
                    BLACK,
                );
            }
        }
        15 => {
            canvas.plate(&octagon(1.0), WHITE);
            canvas.plate(&octagon(0.93), RED);
            text("STOP", (0.0, 0.0), (0.27, 0.50), 0.10).iter().for_each(|mark| canvas.ink(mark, WHITE));
        }
        16 => {
            canvas.plate(&triangle(-1.0, 1.0), RED);
            canvas.plate(&triangle(-1.0, 0.58), WHITE);
        }
        17 => {
            for (size, color) in [(1.0, BLACK), (0.96, WHITE), (0.62, YELLOW)] {
                canvas.plate(&Mark::Polygon(vec![(0.0, -size), (size, 0.0), (0.0, size), (-size, 0.0)]), color);
            }
        }
        18..=27 => {
            canvas.plate(&triangle(1.0, 1.0), RED);
            canvas.plate(&triangle(1.0, 0.66), WHITE);
            warning(&mut canvas, class);
        }
        _ => {
            disc(&mut canvas, &[(1.0, WHITE), (0.95, BLUE)]);
            place(&mut canvas, &command(class), 1.0, (0.0, 0.0), WHITE);
        }
    }
    canvas
}

fn warning(canvas: &mut Canvas, class: usize) {
    let picture = match class {
        18 => picture::crossing(),
        19 => picture::exclamation(),
        20 => picture::bend(-1.0),
        21 => picture::bend(1.0),
        22 => picture::bumps(),
        23 => picture::skidding(),
        24 => picture::narrowing(),
        25 => picture::digging(),
        26 => {
            let lamps = [(RED, -0.16), (YELLOW, 0.12), (GREEN, 0.40)];
            canvas.ink(&bar(-0.17, -0.34, 0.17, 0.58), BLACK);
            lamps.iter().for_each(|&(color, y)| canvas.ink(&Mark::Disc((0.0, y), 0.115), color));
            return;
        }
        _ => picture::walking(),
    };
    place(canvas, &picture, 0.86, (0.0, 0.20), BLACK);
}

fn command(class: usize) -> Vec<Mark> {
    match class {
        28 => picture::arrow(&[(-0.28, 0.56), (-0.28, -0.04), (0.28, -0.04)], 0.26),
        29 => picture::arrow(&[(0.28, 0.56), (0.28, -0.04), (-0.28, -0.04)], 0.26),
        30 => picture::arrow(&[(0.0, 0.66), (0.0, -0.26)], 0.28),
        _ => picture::arrow(&[(-0.42, -0.42), (0.20, 0.20)], 0.28),
    }
}

fn prohibition(canvas: &mut Canvas) {
    disc(canvas, &[(1.0, RED), (0.74, WHITE)]);
}

fn disc(canvas: &mut Canvas, rings: &[(f32, Color)]) {
    rings.iter().for_each(|&(radius, color)| canvas.plate(&Mark::Disc((0.0, 0.0), 0.98 * radius), color));
}

fn number(canvas: &mut Canvas, digits: &str, color: Color) {
    let (width, pen) = if digits.len() > 2 { (0.23, 0.11) } else { (0.36, 0.14) };
    text(digits, (0.0, 0.0), (width, 0.62), pen).iter().for_each(|mark| canvas.ink(mark, color));
}

fn place(canvas: &mut Canvas, marks: &[Mark], scale: f32, shift: Point, color: Color) {
    marks.iter().for_each(|mark| canvas.ink(&mark.placed((scale, scale), shift), color));
}

fn bar(left: f32, top: f32, right: f32, bottom: f32) -> Mark {
    Mark::Polygon(vec![(left, top), (right, top), (right, bottom), (left, bottom)])
}

fn octagon(size: f32) -> Mark {
    let cut = 0.414 * size;
    let corners = [
        (cut, size),
        (size, cut),
        (size, -cut),
        (cut, -size),
        (-cut, -size),
        (-size, -cut),
        (-size, cut),
        (-cut, size),
    ];
    Mark::Polygon(corners.map(|(x, y)| (0.97 * x, 0.97 * y)).to_vec())
}

/// A triangle with its point up (`side` 1) or down (−1), scaled about its centre.
fn triangle(side: f32, size: f32) -> Mark {
    let center = 0.27;
    let corners = [(0.0, -0.92), (0.98, 0.80), (-0.98, 0.80)];
    Mark::Polygon(corners.map(|(x, y)| (x * size, side * ((y - center) * size + center))).to_vec())
}
