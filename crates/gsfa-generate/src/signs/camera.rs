//! Blur and noise: what a camera adds.

use super::SIDE;
use super::ink::Color;

/// An image before it is rounded to bytes.
pub(crate) struct Film(pub(crate) Vec<Color>);

impl Film {
    /// Gaussian blur with the given standard deviations in pixels across and down; edges repeat.
    pub(crate) fn blur(&mut self, across: f32, down: f32) {
        self.convolve(across, 1, SIDE);
        self.convolve(down, SIDE, 1);
    }

    fn convolve(&mut self, sigma: f32, step: usize, line_step: usize) {
        let radius = (2.5 * sigma).ceil() as usize;
        if sigma < 0.2 || radius == 0 {
            return;
        }
        let kernel: Vec<f32> = (0..=radius).map(|k| (-0.5 * (k as f32 / sigma).powi(2)).exp()).collect();
        let sum = kernel[0] + 2.0 * kernel[1..].iter().sum::<f32>();
        let mut line = [[0.0; 3]; SIDE];
        for start in (0..SIDE).map(|n| n * line_step) {
            for (n, value) in line.iter_mut().enumerate() {
                *value = self.0[start + n * step];
            }
            for n in 0..SIDE {
                let mut mean = line[n].map(|value| value * kernel[0]);
                for (k, weight) in kernel.iter().enumerate().skip(1) {
                    let (before, after) = (line[n.saturating_sub(k)], line[(n + k).min(SIDE - 1)]);
                    for c in 0..3 {
                        mean[c] += weight * (before[c] + after[c]);
                    }
                }
                self.0[start + n * step] = mean.map(|value| value / sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blur_keeps_a_constant_image_and_spreads_a_point_symmetrically() {
        let mut flat = Film(vec![[0.5, 0.2, 0.9]; SIDE * SIDE]);
        flat.blur(1.7, 0.9);
        assert!(flat.0.iter().all(|pixel| (pixel[0] - 0.5).abs() < 1e-5 && (pixel[2] - 0.9).abs() < 1e-5));
        let mut point = Film(vec![[0.0; 3]; SIDE * SIDE]);
        point.0[20 * SIDE + 20] = [1.0; 3];
        point.blur(1.0, 1.0);
        let at = |x: usize, y: usize| point.0[y * SIDE + x][0];
        assert!((at(19, 20) - at(21, 20)).abs() < 1e-7 && (at(20, 19) - at(19, 20)).abs() < 1e-7);
        let total: f32 = point.0.iter().map(|pixel| pixel[0]).sum();
        assert!((total - 1.0).abs() < 1e-4 && at(20, 20) < 0.2);
    }
}
