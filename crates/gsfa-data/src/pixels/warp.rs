//! One bilinear interpolation for rotation, shift, scale, mirroring and the choice of the central part; and light.

use super::Image;
use crate::distort::Motion;
use gsfa::samples::InputShape;

/// Shows the central part of an image after moving its content.
///
/// The content is shifted by (dx, dy) input pixels, rotated anticlockwise by r and enlarged by s about the centre. An
/// output pixel at p from the centre of the output shows the input at $c - d + R(-r) (k/s) p$, where k is
/// `central` times old over new size along each axis. Positions beyond the outermost pixel centres take their value.
pub(super) fn warp(image: &Image, height: usize, width: usize, central: f64, motion: Motion) -> Image {
    let InputShape { height: old_height, width: old_width, channels } = image.shape;
    let (sin, cos) = motion.rotation.to_radians().sin_cos();
    let step_x = central * old_width as f64 / width as f64 / motion.scale;
    let step_y = central * old_height as f64 / height as f64 / motion.scale;
    let center_x = old_width as f64 / 2.0 - motion.shift_x - 0.5;
    let center_y = old_height as f64 / 2.0 - motion.shift_y - 0.5;
    let shape = InputShape { height, width, channels };
    let mut pixels = Vec::with_capacity(shape.values());
    for row in 0..height {
        let v = (row as f64 + 0.5 - height as f64 / 2.0) * step_y;
        for column in 0..width {
            let u = (column as f64 + 0.5 - width as f64 / 2.0) * step_x;
            // The y axis points down: anticlockwise on the screen is (x, y) → (x cos r + y sin r, −x sin r + y cos r).
            let x = center_x + u * cos - v * sin;
            let y = center_y + u * sin + v * cos;
            let x = if motion.mirror { (old_width - 1) as f64 - x } else { x };
            let (left, right, part_x) = between(x, old_width);
            let (top, bottom, part_y) = between(y, old_height);
            let at = |y: usize, x: usize| &image.pixels[(y * old_width + x) * channels..][..channels];
            let (a, b, c, d) = (at(top, left), at(top, right), at(bottom, left), at(bottom, right));
            for channel in 0..channels {
                let upper = a[channel] + part_x * (b[channel] - a[channel]);
                let lower = c[channel] + part_x * (d[channel] - c[channel]);
                pixels.push(upper + part_y * (lower - upper));
            }
        }
    }
    lit(Image { shape, pixels, region: None }, motion)
}

/// The image in the light of a motion. Pixels that were not negative stay so: roots are taken of them.
fn lit(mut image: Image, motion: Motion) -> Image {
    if (motion.brightness, motion.contrast) == (0.0, 1.0) {
        return image;
    }
    let count = image.pixels.len().max(1) as f64;
    let mean = image.pixels.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
    let deviation = (image.pixels.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / count).sqrt();
    let least = image.pixels.iter().copied().fold(0.0, f32::min);
    for pixel in &mut image.pixels {
        let changed = mean + motion.contrast * (f64::from(*pixel) - mean) + motion.brightness * deviation;
        *pixel = (changed as f32).max(least);
    }
    image
}

/// The pixels, or other things in a row, on both sides of a position and how far it lies between them.
pub(super) fn between(position: f64, size: usize) -> (usize, usize, f32) {
    let position = position.clamp(0.0, (size - 1) as f64);
    let low = position as usize;
    (low, (low + 1).min(size - 1), (position - low as f64) as f32)
}
