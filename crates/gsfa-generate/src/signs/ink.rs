//! A square of colours with coverage, and the few shapes that are drawn on it.

/// Red, green, blue, 0 to 1.
pub(crate) type Color = [f32; 3];

/// A point on the plate; x to the right, y down, the plate reaches from −1 to 1.
pub(crate) type Point = (f32, f32);

/// Pixels per side of a canvas: about twice what an image shows of it.
pub(crate) const CANVAS: usize = 96;

/// A drawn plate: colours, and how much of each pixel the plate covers.
pub(crate) struct Canvas {
    pub(crate) color: Vec<Color>,
    pub(crate) cover: Vec<f32>,
}

/// What can be drawn.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A filled convex or concave polygon.
    Polygon(Vec<Point>),
    /// A line through points, with a width and round ends.
    Stroke(Vec<Point>, f32),
    /// A disc.
    Disc(Point, f32),
}

impl Mark {
    /// Signed distance from the shape's edge, negative inside.
    fn distance(&self, p: Point) -> f32 {
        match self {
            Self::Disc(center, radius) => length(p.0 - center.0, p.1 - center.1) - radius,
            Self::Stroke(points, width) => {
                edges(points).map(|(a, b)| to_segment(p, a, b)).fold(f32::INFINITY, f32::min) - width / 2.0
            }
            Self::Polygon(points) => {
                let closing = points.last().copied().zip(points.first().copied());
                let (mut nearest, mut inside) = (f32::INFINITY, false);
                for (a, b) in edges(points).chain(closing) {
                    nearest = nearest.min(to_segment(p, a, b));
                    // Even-odd rule: count the edges a ray to the right crosses.
                    if (a.1 > p.1) != (b.1 > p.1) && p.0 < a.0 + (p.1 - a.1) / (b.1 - a.1) * (b.0 - a.0) {
                        inside = !inside;
                    }
                }
                if inside { -nearest } else { nearest }
            }
        }
    }

    /// The same mark, scaled about the origin and moved.
    pub(crate) fn placed(&self, scale: (f32, f32), shift: Point) -> Self {
        let place = |&(x, y): &Point| (x * scale.0 + shift.0, y * scale.1 + shift.1);
        match self {
            Self::Disc(center, radius) => Self::Disc(place(center), radius * scale.1.abs()),
            Self::Stroke(points, width) => Self::Stroke(points.iter().map(place).collect(), width * scale.1.abs()),
            Self::Polygon(points) => Self::Polygon(points.iter().map(place).collect()),
        }
    }
}

impl Canvas {
    pub(crate) fn empty() -> Self {
        Self { color: vec![[0.5; 3]; CANVAS * CANVAS], cover: vec![0.0; CANVAS * CANVAS] }
    }

    /// Draws a part of the plate itself: colour where nothing was before too.
    pub(crate) fn plate(&mut self, mark: &Mark, color: Color) {
        self.draw(mark, color, true);
    }

    /// Draws on the plate: the background stays bare.
    pub(crate) fn ink(&mut self, mark: &Mark, color: Color) {
        self.draw(mark, color, false);
    }

    fn draw(&mut self, mark: &Mark, color: Color, extends: bool) {
        let pixel = 2.0 / CANVAS as f32;
        for j in 0..CANVAS {
            for i in 0..CANVAS {
                let p = ((i as f32 + 0.5) * pixel - 1.0, (j as f32 + 0.5) * pixel - 1.0);
                let cover = (0.5 - mark.distance(p) / pixel).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let n = j * CANVAS + i;
                    // A bare pixel takes the whole colour, its coverage says how much of it is seen.
                    let share = if extends && self.cover[n] == 0.0 { 1.0 } else { cover };
                    self.color[n] = blend(self.color[n], color, share);
                    if extends {
                        self.cover[n] = self.cover[n].max(cover);
                    }
                }
            }
        }
    }

    /// Colour and coverage at a point of the plate, bilinear; nothing outside.
    pub(crate) fn at(&self, (x, y): Point) -> (Color, f32) {
        let place = |t: f32| (t + 1.0) / 2.0 * CANVAS as f32 - 0.5;
        let (x, y) = (place(x), place(y));
        let last = (CANVAS - 1) as f32;
        if !(0.0..last).contains(&x) || !(0.0..last).contains(&y) {
            return ([0.0; 3], 0.0);
        }
        let (i, j) = (x as usize, y as usize);
        let (fx, fy) = (x - i as f32, y - j as f32);
        let mut color = [0.0; 3];
        let mut cover = 0.0;
        for (n, share) in [
            (j * CANVAS + i, (1.0 - fx) * (1.0 - fy)),
            (j * CANVAS + i + 1, fx * (1.0 - fy)),
            ((j + 1) * CANVAS + i, (1.0 - fx) * fy),
            ((j + 1) * CANVAS + i + 1, fx * fy),
        ] {
            cover += share * self.cover[n];
            for (sum, value) in color.iter_mut().zip(self.color[n]) {
                *sum += share * value * self.cover[n];
            }
        }
        (color.map(|value| value / cover.max(1e-6)), cover)
    }
}

/// `a` with `share` of it replaced by `b`.
pub(crate) fn blend(a: Color, b: Color, share: f32) -> Color {
    std::array::from_fn(|c| a[c] + share * (b[c] - a[c]))
}

fn edges(points: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    points.windows(2).map(|pair| (pair[0], pair[1]))
}

fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

fn to_segment(p: Point, a: Point, b: Point) -> f32 {
    let (bx, by) = (b.0 - a.0, b.1 - a.1);
    let t = (((p.0 - a.0) * bx + (p.1 - a.1) * by) / (bx * bx + by * by).max(1e-12)).clamp(0.0, 1.0);
    length(p.0 - a.0 - t * bx, p.1 - a.1 - t * by)
}
