//! One physical sign, and the photographs taken of it on the way past.

use super::SIDE;
use super::camera::Film;
use super::ink::{Canvas, Color, Point, blend};
use super::scene::{Obstacle, Scene, smooth};
use crate::seed::Stream;

/// What the frames of a track share.
pub(crate) struct Track {
    address: [u64; 3],
    seed: u64,
    scene: Scene,
    wear: Wear,
    obstacle: Option<Obstacle>,
    light: Light,
    mount: Mount,
    farthest_blur: f32,
    noise: f32,
}

/// Years of weather: colours fade, dirt settles.
struct Wear {
    faded: f32,
    dirt: Vec<(Point, f32, f32)>,
}

/// Daylight on the sign: level, colour, haze, and a gradient over the image.
struct Light {
    gain: f32,
    cast: Color,
    haze: f32,
    gradient: Point,
}

/// How the sign is fixed and from where it is seen.
struct Mount {
    rotation: f32,
    squeeze: f32,
    shear: f32,
    size: f32,
    shift: Point,
}

impl Track {
    pub(crate) fn draw(seed: u64, address: [u64; 3]) -> Self {
        let mut s = Stream::at(seed, &[b's'.into(), address[0], address[1], address[2]]);
        let spots = s.uniform(0.0, 4.0) as usize;
        Self {
            address,
            seed,
            scene: Scene::draw(&mut s),
            wear: Wear {
                faded: s.uniform(0.0, 0.45),
                dirt: (0..spots)
                    .map(|_| {
                        ((s.uniform(-0.9, 0.9), s.uniform(-0.9, 0.9)), s.uniform(0.08, 0.35), s.uniform(0.15, 0.6))
                    })
                    .collect(),
            },
            obstacle: s.chance(0.20).then(|| Obstacle::draw(&mut s)),
            light: Light {
                // Log-uniform: half the light is as likely as twice as much.
                gain: s.uniform(0.22f32.ln(), 1.15f32.ln()).exp(),
                cast: [0; 3].map(|_| 1.0 + 0.09 * s.bounded_normal()),
                haze: if s.chance(0.25) { s.uniform(0.0, 0.25) } else { 0.0 },
                gradient: (0.18 * s.bounded_normal(), 0.18 * s.bounded_normal()),
            },
            mount: Mount {
                rotation: 0.06 * s.bounded_normal(),
                squeeze: s.uniform(0.80, 1.0),
                shear: 0.05 * s.bounded_normal(),
                size: s.uniform(0.72, 0.86),
                shift: (0.03 * s.bounded_normal(), 0.03 * s.bounded_normal()),
            },
            farthest_blur: s.uniform(0.8, 2.1),
            noise: s.uniform(0.004, 0.03),
        }
    }

    /// Takes the photograph number `frame` of `frames` into 48×48 RGB bytes.
    pub(crate) fn photograph(&self, plate: &Canvas, frame: usize, frames: usize, image: &mut [u8]) {
        let [split, class, copy] = self.address;
        let mut s = Stream::at(self.seed, &[b's'.into(), split, class, copy, frame as u64]);
        let near = if frames > 1 { frame as f32 / (frames - 1) as f32 } else { 0.5 };
        let view = self.view(near, &mut s);
        let mut film = Film(Vec::with_capacity(SIDE * SIDE));
        for j in 0..SIDE {
            for i in 0..SIDE {
                film.0.push(self.pixel(plate, &view, i, j));
            }
        }
        let blur = self.farthest_blur + (0.45 - self.farthest_blur) * near;
        let shake = if s.chance(0.15) { s.uniform(0.3, 1.6) } else { 0.0 };
        film.blur(blur + shake, blur);
        self.expose(&film, &mut s, image);
    }

    fn view(&self, near: f32, s: &mut Stream) -> View {
        let mount = &self.mount;
        let angle = mount.rotation + 0.02 * s.bounded_normal();
        let size = mount.size * (1.0 + 0.03 * s.bounded_normal());
        // The nearer, the more from the side.
        let squeeze = 1.0 - (1.0 - mount.squeeze) * (0.4 + 0.6 * near);
        View {
            inverse: [
                [angle.cos() / (size * squeeze), angle.sin() / (size * squeeze) + mount.shear],
                [-angle.sin() / size, angle.cos() / size],
            ],
            shift: (mount.shift.0 + 0.025 * s.bounded_normal(), mount.shift.1 + 0.025 * s.bounded_normal()),
            // Things behind the sign pass by faster than it grows.
            scene_scale: 1.0 / (0.6 + 0.5 * near),
            scene_shift: (0.35 * near + 0.05 * s.normal(), 0.15 * near + 0.05 * s.normal()),
        }
    }

    /// One pixel, the mean of four rays.
    fn pixel(&self, plate: &Canvas, view: &View, i: usize, j: usize) -> Color {
        let mut mean = [0.0; 3];
        for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
            let at = ((i as f32 + dx) * 2.0 / SIDE as f32 - 1.0, (j as f32 + dy) * 2.0 / SIDE as f32 - 1.0);
            let on_plate = view.on_plate(at);
            let (color, cover) = plate.at(on_plate);
            let mut seen = if cover < 1.0 { self.scene.at(view.in_scene(at)) } else { [0.0; 3] };
            if cover > 0.0 {
                seen = blend(seen, self.wear.on(color, on_plate), cover);
            }
            if let Some(obstacle) = &self.obstacle {
                seen = obstacle.over(on_plate, seen);
            }
            for (sum, value) in mean.iter_mut().zip(seen) {
                *sum += 0.25 * value;
            }
        }
        mean
    }

    fn expose(&self, film: &Film, s: &mut Stream, image: &mut [u8]) {
        let light = &self.light;
        let gain = light.gain * (1.0 + 0.05 * s.bounded_normal());
        for (n, (pixel, bytes)) in film.0.iter().zip(image.chunks_exact_mut(3)).enumerate() {
            let (x, y) = ((n % SIDE) as f32 / 24.0 - 1.0, (n / SIDE) as f32 / 24.0 - 1.0);
            let level = gain * (1.0 + light.gradient.0 * x + light.gradient.1 * y).max(0.2);
            for c in 0..3 {
                let value = level * light.cast[c] * (pixel[c] * (1.0 - light.haze) + light.haze);
                bytes[c] = (255.0 * (value + self.noise * s.normal())).round().clamp(0.0, 255.0) as u8;
            }
        }
    }
}

impl Wear {
    fn on(&self, color: Color, (x, y): Point) -> Color {
        let grey = (color[0] + color[1] + color[2]) / 3.0;
        let mut color = blend(color, [0.5 * grey + 0.3; 3], self.faded);
        for &((cx, cy), size, strength) in &self.dirt {
            let far = ((x - cx).powi(2) + (y - cy).powi(2)) / (size * size);
            if far < 1.0 {
                color = blend(color, [0.30, 0.26, 0.20], strength * smooth(1.0 - far));
            }
        }
        color
    }
}

/// From the image to the plate and to the surroundings.
struct View {
    inverse: [[f32; 2]; 2],
    shift: Point,
    scene_scale: f32,
    scene_shift: Point,
}

impl View {
    fn on_plate(&self, (x, y): Point) -> Point {
        let (x, y) = (x - self.shift.0, y - self.shift.1);
        let [a, b] = self.inverse;
        (a[0] * x + a[1] * y, b[0] * x + b[1] * y)
    }

    fn in_scene(&self, (x, y): Point) -> Point {
        (x * self.scene_scale + self.scene_shift.0, y * self.scene_scale + self.scene_shift.1)
    }
}
