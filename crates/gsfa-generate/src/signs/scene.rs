//! What is behind and before a sign.

use super::ink::{Color, Point, blend};
use crate::seed::Stream;

/// The surroundings of one physical sign.
pub(crate) struct Scene {
    sky: Color,
    ground: Color,
    horizon: f32,
    blobs: Vec<Blob>,
    pole: Option<(f32, Color)>,
}

struct Blob {
    center: Point,
    size: Point,
    square: bool,
    color: Color,
}

impl Scene {
    pub(crate) fn draw(stream: &mut Stream) -> Self {
        let sky = tinted(stream, [[0.62, 0.72, 0.86], [0.85, 0.86, 0.88], [0.22, 0.32, 0.16], [0.55, 0.48, 0.42]]);
        let ground = tinted(stream, [[0.20, 0.28, 0.12], [0.35, 0.34, 0.33], [0.45, 0.38, 0.30], [0.12, 0.15, 0.10]]);
        let count = stream.uniform(4.0, 14.0) as usize;
        let blobs = (0..count)
            .map(|_| Blob {
                center: (stream.uniform(-1.6, 1.6), stream.uniform(-1.6, 1.6)),
                size: (stream.uniform(0.12, 0.8), stream.uniform(0.12, 0.8)),
                square: stream.chance(0.4),
                color: tinted(stream, [[0.15, 0.25, 0.10], [0.70, 0.66, 0.60], [0.40, 0.25, 0.18], [0.30, 0.40, 0.55]]),
            })
            .collect();
        let pole = stream
            .chance(0.6)
            .then(|| (stream.uniform(-0.12, 0.12), tinted(stream, [[0.5; 3], [0.35; 3], [0.6; 3], [0.25; 3]])));
        Self { sky, ground, horizon: stream.uniform(-1.2, 1.4), blobs, pole }
    }

    /// Colour of the surroundings at a point in units of half an image.
    pub(crate) fn at(&self, (x, y): Point) -> Color {
        let mut color = blend(self.sky, self.ground, smooth((y - self.horizon) / 0.3 + 0.5));
        for blob in &self.blobs {
            let (dx, dy) = ((x - blob.center.0) / blob.size.0, (y - blob.center.1) / blob.size.1);
            if dx.abs() < 1.0 && dy.abs() < 1.0 {
                let far = if blob.square { dx.abs().max(dy.abs()).powi(6) } else { dx * dx + dy * dy };
                color = blend(color, blob.color, 0.9 * smooth(1.4 - 1.4 * far));
            }
        }
        match self.pole {
            Some((center, pole)) if y > 0.0 && (x - center).abs() < 0.09 => pole,
            _ => color,
        }
    }
}

/// Something before a part of the sign: a branch, a post, a sticker, a shadow.
pub(crate) struct Obstacle {
    center: Point,
    direction: Point,
    width: f32,
    color: Color,
    /// 1 hides, less is a shadow.
    opacity: f32,
}

impl Obstacle {
    pub(crate) fn draw(stream: &mut Stream) -> Self {
        let angle = stream.uniform(0.0, std::f32::consts::TAU);
        let distance = stream.uniform(0.35, 0.95);
        let shadow = stream.chance(0.45);
        Self {
            center: (distance * angle.cos(), distance * angle.sin()),
            direction: (angle.cos(), angle.sin()),
            width: stream.uniform(0.10, 0.40),
            color: if shadow {
                [0.03; 3]
            } else {
                tinted(stream, [[0.14, 0.22, 0.08], [0.25, 0.2, 0.15], [0.75; 3], [0.4, 0.4, 0.38]])
            },
            opacity: if shadow { stream.uniform(0.35, 0.65) } else { 0.95 },
        }
    }

    /// The colour seen through or over the obstacle.
    pub(crate) fn over(&self, (x, y): Point, color: Color) -> Color {
        let along = (x - self.center.0) * self.direction.0 + (y - self.center.1) * self.direction.1;
        let wave = 0.07 * (6.0 * (x * self.direction.1 - y * self.direction.0)).sin();
        blend(color, self.color, self.opacity * smooth((self.width - (along + wave).abs()) / 0.08 + 0.5))
    }
}

/// 0 below 0, 1 above 1, smooth between.
pub(crate) fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// One of four colours, each channel varied a little.
fn tinted(stream: &mut Stream, choices: [Color; 4]) -> Color {
    let choice = choices[(stream.uniform(0.0, 4.0) as usize).min(3)];
    choice.map(|value| (value + 0.08 * stream.normal()).clamp(0.02, 0.98))
}
