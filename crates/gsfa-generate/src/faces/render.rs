//! From traits to an image: relief, skin, light.

use super::SIDE;
use super::field::{Field, GRID, coordinate, step};
use super::head::Head;
use super::skin::{add_modes, albedo};
use crate::seed::Stream;

/// Towards the light, a little from the left and above; length one.
const LIGHT: [f32; 3] = [-0.28, -0.36, 0.8899];
const AMBIENT: f32 = 0.24;
/// Height of the widest line of the head.
const TEMPLES: f32 = -0.06;
/// The mean all images get.
const MEAN: f32 = 56.0;
/// Grey levels of sensor noise, within the head.
const SENSOR: f32 = 1.0;

/// Renders the head into 64×64 pixels with the common mean and returns the mean intensity before.
pub(crate) fn render(head: &Head, stream: &mut Stream, image: &mut [u8]) -> f64 {
    let outline = outline(head);
    let (relief, skin) = (relief(head, &outline), albedo(head));
    let mut light = [0.0f32; SIDE * SIDE];
    for j in 0..GRID {
        for i in 0..GRID {
            light[(j / 2) * SIDE + i / 2] +=
                0.25 * 255.0 * head.tone * radiance(head, [&outline, &relief, &skin], (i, j));
        }
    }
    for value in light.iter_mut().filter(|value| **value > 8.0) {
        *value = (*value + SENSOR * stream.normal()).max(0.0);
    }
    let color = light.iter().sum::<f32>() / light.len() as f32;
    let gain = MEAN / color.max(1.0);
    for (pixel, value) in image.iter_mut().zip(&light) {
        *pixel = (gain * value).round().clamp(0.0, 255.0) as u8;
    }
    f64::from(color)
}

/// Squared distance from the head's axis, 1 on its outline: an ellipse above the temples, a tapering jaw below.
fn outline(head: &Head) -> Field {
    Field::by_line(|y| {
        let (along, width) = if y < TEMPLES {
            (((TEMPLES - y) / head.crown).powf(2.2), head.temple_width)
        } else {
            let t = (y - TEMPLES) / (head.chin - TEMPLES);
            (t.powf(head.jaw_square), head.temple_width * (1.0 - head.jaw_taper * t.min(1.2).powi(2)))
        };
        move |x| along + (x / width).powi(2)
    })
}

fn relief(head: &Head, outline: &Field) -> Field {
    let mut relief = outline.map(|r| head.depth * (1.0 - r).max(0.003).sqrt());
    add_modes(&mut relief, &head.relief_modes);
    let (eye, eye_y) = (head.eye_distance, head.eye_y);
    relief.bump((0.0, -0.45), (0.30, 0.18), head.forehead);
    relief.bumps((0.23, head.brow_y + 0.01), (0.17, 0.07), head.brow_ridge);
    relief.bumps((eye, eye_y), (0.155, 0.095), -head.socket);
    relief.bumps((eye, eye_y), (0.085, 0.055), 0.035);
    relief.bump((0.0, -0.02), (head.nose_width, 0.17), head.nose_bridge);
    relief.bump((0.0, head.nose_y), (head.nose_width * 1.35, 0.075), head.nose_tip);
    relief.bumps((head.nostril_width, head.nose_y + 0.03), (0.048, 0.045), 0.055);
    relief.bump((0.0, head.nose_y + 0.10), (0.10, 0.035), -0.02);
    relief.bumps((0.40, head.cheekbone_y), (0.16, 0.12), head.cheekbone);
    relief.bumps((0.34, 0.40), (0.15, 0.16), head.cheek_full);
    relief.bumps((0.44, 0.52), (0.10, 0.12), head.jaw_corner);
    relief.bump((0.0, head.mouth_y), (0.24, 0.15), 0.028);
    relief.bump((0.0, head.mouth_y - 0.03), (head.mouth_width * 0.8, 0.030), head.lip_relief);
    relief.bump((0.0, head.mouth_y + 0.035), (head.mouth_width * 0.65, 0.035), head.lip_relief);
    relief.bump((0.0, head.mouth_y + 0.110), (0.15, 0.045), -0.018);
    relief.bump((0.0, head.chin - 0.14), (head.chin_width, 0.085), head.chin_relief);
    relief
}

/// Light from one grid point: head before ears before neck before black.
fn radiance(head: &Head, [outline, relief, skin]: [&Field; 3], (i, j): (usize, usize)) -> f32 {
    let (x, y) = (coordinate(i), coordinate(j));
    if outline.at(i, j) < 1.0 {
        let (left, right) = (i.saturating_sub(1), (i + 1).min(GRID - 1));
        let (above, below) = (j.saturating_sub(1), (j + 1).min(GRID - 1));
        let slope_x = (relief.at(right, j) - relief.at(left, j)) * GRID as f32 / (2.0 * (right - left) as f32);
        let slope_y = (relief.at(i, below) - relief.at(i, above)) * GRID as f32 / (2.0 * (below - above) as f32);
        return skin.at(i, j).max(0.03) * lambert(slope_x, slope_y);
    }
    let ear =
        ((x.abs() - head.temple_width * 0.985) / (head.ear_size * 0.55)).powi(2) + ((y - 0.02) / head.ear_size).powi(2);
    if ear < 1.0 {
        let hollow = 1.0 - 0.35 * (-((ear - 0.25) / 0.2).powi(2)).exp();
        let slope = 0.9 * (x.abs() - head.temple_width) / head.ear_size * x.signum();
        return 0.62 * hollow * lambert(slope, 0.6 * (y - 0.02) / head.ear_size);
    }
    let across = x / (head.neck_width * (1.0 + 0.5 * (y - 0.7).max(0.0).powi(2) * 4.0));
    if y > 0.3 && across.abs() < 1.0 {
        // The chin's shadow lies on the neck.
        let shadow = 0.35 + 0.35 * step(y - head.chin - 0.06 - 0.1 * across * across, 0.16);
        return shadow * lambert(0.9 * across / (1.02 - across * across).sqrt(), 0.25);
    }
    0.0
}

fn lambert(slope_x: f32, slope_y: f32) -> f32 {
    let facing =
        (LIGHT[2] - LIGHT[0] * slope_x - LIGHT[1] * slope_y) / (1.0 + slope_x * slope_x + slope_y * slope_y).sqrt();
    AMBIENT + (1.0 - AMBIENT) * facing.max(0.0)
}
