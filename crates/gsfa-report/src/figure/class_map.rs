//! Maps of classes: samples by two features, with the centre and the ellipse of each class.

use std::f64::consts::TAU;

use super::plot::Plot;
use super::{Figure, nothing};
use crate::axis::Axis;
use crate::svg::{Markup, attributes, path, shortened};
use crate::theme::COLORS;

/// Maps of the same classes beside each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClassMap {
    /// What stands above them.
    pub title: String,
    /// Names of the classes.
    pub names: Vec<String>,
    /// The maps, from left to right.
    pub panels: Vec<MapPanel>,
}

/// Samples by two features.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapPanel {
    /// What stands above it.
    pub title: String,
    /// Points of samples, each with the number of its class.
    pub points: Vec<(usize, (f64, f64))>,
    /// Points of new samples, whose class nobody knows.
    pub new: Vec<(f64, f64)>,
}

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 480.0;

/// Corners of an ellipse.
const CORNERS: usize = 60;

impl ClassMap {
    /// Draws the maps.
    pub fn figure(&self) -> Figure {
        let width = WIDTH * self.panels.len().max(1) as f64;
        Figure::new(&self.title, (width, HEIGHT + 40.0), |svg| {
            if self.panels.is_empty() {
                nothing(svg, width / 2.0, HEIGHT / 2.0);
            }
            for (k, panel) in self.panels.iter().enumerate() {
                let left = WIDTH * k as f64;
                let heading = shortened(&panel.title, 12.0, WIDTH - 40.0);
                svg.leaf("text", attributes!["class": "name", "x": left + 40.0, "y": 42.0], &heading);
                panel.draw(svg, left, &self.names);
            }
        })
    }
}

impl MapPanel {
    fn draw(&self, svg: &mut Markup, left: f64, names: &[String]) {
        let finite = |p: &(f64, f64)| p.0.is_finite() && p.1.is_finite();
        let all = || self.points.iter().map(|(_, p)| *p).chain(self.new.iter().copied()).filter(finite);
        let (x, y) = (Axis::new("first feature"), Axis::new("second feature"));
        let scales = (x.scale(all().map(|p| p.0), 7), y.scale(all().map(|p| p.1), 7));
        let turned = format!("translate({} 0)", crate::number::coordinate(left));
        svg.within("g", attributes!["transform": &turned], |svg| {
            let plot = Plot::within((6.0, 54.0, WIDTH, HEIGHT + 36.0), scales.0, scales.1);
            plot.frame(svg, &x, &y);
            // Many points overlap: smaller and paler ones show how many lie in a place.
            let (radius, opacity) = if self.points.len() > 400 { (1.7, 0.42) } else { (2.8, 0.6) };
            let classes: Vec<Vec<(f64, f64)>> = (0..names.len())
                .map(|c| self.points.iter().filter(|(of, p)| *of == c && finite(p)).map(|(_, p)| *p).collect())
                .collect();
            plot.clipped(svg, |svg| {
                for (c, points) in classes.iter().enumerate() {
                    let class = format!("f{}", c % COLORS);
                    svg.within("g", attributes!["class": &class, "fill-opacity": opacity], |svg| {
                        for (x, y) in points.iter().map(|&p| plot.at(p)) {
                            svg.empty("circle", attributes!["cx": x, "cy": y, "r": radius]);
                        }
                    });
                }
                for (c, points) in classes.iter().enumerate() {
                    let ring = path(ellipse(points).into_iter().map(|p| plot.at(p)));
                    svg.empty("path", attributes!["class": &format!("line s{}", c % COLORS), "d": &(ring + "Z")]);
                }
                for (x, y) in self.new.iter().filter(|p| finite(p)).map(|&p| plot.at(p)) {
                    let cross = format!(
                        "{}{}",
                        path([(x - 4.0, y - 4.0), (x + 4.0, y + 4.0)]),
                        path([(x - 4.0, y + 4.0), (x + 4.0, y - 4.0)])
                    );
                    svg.empty("path", attributes!["class": "line", "d": &cross, "style": "stroke:var(--ink)"]);
                }
            });
            for (points, name) in classes.iter().zip(names).filter(|(points, _)| !points.is_empty()) {
                let (x, y) = plot.at(mean(points));
                let attributes = attributes!["class": "halo", "x": x, "y": y + 4.0, "text-anchor": "middle"];
                svg.leaf("text", attributes, &shortened(name, 12.0, 90.0));
            }
        });
    }
}

fn mean(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len().max(1) as f64;
    let sum = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
    (sum.0 / count, sum.1 / count)
}

/// The points two deviations from the mean; a dot if there are too few samples for an ellipse.
fn ellipse(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let (center, count) = (mean(points), points.len() as f64);
    if points.len() < 3 {
        return Vec::new();
    }
    let covariance = |f: fn((f64, f64)) -> f64| {
        points.iter().map(|p| f((p.0 - center.0, p.1 - center.1))).sum::<f64>() / (count - 1.0)
    };
    let (xx, xy, yy) = (covariance(|p| p.0 * p.0), covariance(|p| p.0 * p.1), covariance(|p| p.1 * p.1));
    // The Cholesky factor of the covariance takes the circle to the ellipse.
    let a = xx.sqrt();
    let b = if a > 0.0 { xy / a } else { 0.0 };
    let c = (yy - b * b).max(0.0).sqrt();
    let corner = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / CORNERS as f64).sin_cos();
        (center.0 + 2.0 * a * cos, center.1 + 2.0 * (b * cos + c * sin))
    };
    (0..CORNERS).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ellipse_has_two_deviations_in_every_direction() {
        let points: Vec<(f64, f64)> =
            (0..200).map(|n| (f64::from(n % 20), f64::from(n % 20) * 0.5 + f64::from(n % 7))).collect();
        let center = mean(&points);
        for angle in [0.0_f64, 0.7, 1.6, 2.5] {
            let along = |p: (f64, f64)| (p.0 - center.0) * angle.cos() + (p.1 - center.1) * angle.sin();
            let variance = points.iter().map(|&p| along(p).powi(2)).sum::<f64>() / 199.0;
            let farthest = ellipse(&points).into_iter().map(along).fold(0.0, f64::max);
            assert!((farthest - 2.0 * variance.sqrt()).abs() < 0.01 * farthest, "{angle}");
        }
        assert!(ellipse(&points[..2]).is_empty());
    }

    #[test]
    fn samples_centres_rings_and_new_samples_are_drawn_for_each_map() {
        let points: Vec<(usize, (f64, f64))> =
            (0..12).map(|n| (n % 3, (f64::from(n as u32 % 5), f64::from(n as u32 % 4)))).collect();
        let panel = MapPanel { title: "two features".into(), points, new: vec![(1.0, 1.0), (f64::NAN, 0.0)] };
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let map = ClassMap { title: "map".into(), names, panels: vec![panel.clone(), panel] };
        let svg = map.figure().svg();
        assert_eq!(svg.matches("<circle").count(), 24);
        assert_eq!(svg.matches("class=\"halo\"").count(), 6);
        assert_eq!(svg.matches("stroke:var(--ink)").count(), 2);
        assert_eq!(svg, map.figure().svg());
        assert!(!svg.contains("NaN"));
        assert!(ClassMap::default().figure().svg().contains("no data"));
    }
}
