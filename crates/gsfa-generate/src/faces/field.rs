//! Scalar fields on the rendering grid, built from separable bumps: the exponentials cost two lines, not a square.

use super::SIDE;

/// Rendering grid: twice the image, averaged down for smooth outlines.
pub(crate) const GRID: usize = 2 * SIDE;

/// Coordinate of grid line `i`, −1 to 1; x to the right, y down.
pub(crate) fn coordinate(i: usize) -> f32 {
    (2.0 * i as f32 + 1.0) / GRID as f32 - 1.0
}

/// A scalar field over the face.
pub(crate) struct Field(Vec<f32>);

impl Field {
    pub(crate) fn constant(value: f32) -> Self {
        Self(vec![value; GRID * GRID])
    }

    /// The field whose line at height y is the function `line(y)` of x.
    pub(crate) fn by_line<F: Fn(f32) -> f32>(line: impl Fn(f32) -> F) -> Self {
        let mut field = Vec::with_capacity(GRID * GRID);
        for j in 0..GRID {
            let value = line(coordinate(j));
            field.extend((0..GRID).map(|i| value(coordinate(i))));
        }
        Self(field)
    }

    /// The field of `f(value)`.
    pub(crate) fn map(&self, f: impl Fn(f32) -> f32) -> Self {
        Self(self.0.iter().map(|&value| f(value)).collect())
    }

    pub(crate) fn at(&self, i: usize, j: usize) -> f32 {
        self.0[j * GRID + i]
    }

    /// Adds `height · exp(−((x − cx)/sx)² − ((y − cy)/sy)²)`.
    pub(crate) fn bump(&mut self, (cx, cy): (f32, f32), (sx, sy): (f32, f32), height: f32) {
        self.product(|x| (-((x - cx) / sx).powi(2)).exp(), |y| height * (-((y - cy) / sy).powi(2)).exp());
    }

    /// A bump at `(±cx, cy)`.
    pub(crate) fn bumps(&mut self, (cx, cy): (f32, f32), (sx, sy): (f32, f32), height: f32) {
        let across = |x: f32| (-((x - cx) / sx).powi(2)).exp() + (-((x + cx) / sx).powi(2)).exp();
        self.product(across, |y| height * (-((y - cy) / sy).powi(2)).exp());
    }

    /// Adds `a(x) · b(y)`.
    pub(crate) fn product(&mut self, a: impl Fn(f32) -> f32, b: impl Fn(f32) -> f32) {
        let across: Vec<f32> = (0..GRID).map(|i| a(coordinate(i))).collect();
        for (j, line) in self.0.chunks_exact_mut(GRID).enumerate() {
            let down = b(coordinate(j));
            // Most bumps are local: lines far from them would only add noise below the last digit.
            if down.abs() > 1e-5 {
                line.iter_mut().zip(&across).for_each(|(value, across)| *value += across * down);
            }
        }
    }

    /// Replaces the values in the box `|x − cx| < rx`, `|y − cy| < ry` by `f(x − cx, y − cy, value)`.
    pub(crate) fn paint(&mut self, (cx, cy): (f32, f32), (rx, ry): (f32, f32), f: impl Fn(f32, f32, f32) -> f32) {
        let range = |c: f32, r: f32| {
            let index = |t: f32| ((t + 1.0) / 2.0 * GRID as f32).clamp(0.0, GRID as f32) as usize;
            index(c - r)..index(c + r)
        };
        for j in range(cy, ry) {
            for i in range(cx, rx) {
                let value = &mut self.0[j * GRID + i];
                *value = f(coordinate(i) - cx, coordinate(j) - cy, *value);
            }
        }
    }
}

/// 0 below −`soft`, 1 above `soft`, smooth between.
pub(crate) fn step(x: f32, soft: f32) -> f32 {
    let t = ((x / soft + 1.0) / 2.0).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
