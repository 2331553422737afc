//! Squared distances, also of samples so far away that squares are no numbers, or all the same.

use ndarray::{Array1, ArrayView1, Zip};

/// Features of training samples vary by 1. Beyond this, differences between distances drown in the digits of distances.
const FAR: f64 = 1e6;

/// Distances of points from one sample: squares, or of a sample far away $|x|^2 - 2xy$, which differs from the square by
/// the same number for all points x, in units of the sample's largest feature.
pub struct Distances<'a> {
    sample: ArrayView1<'a, f64>,
    unit: Option<f64>,
}

impl<'a> Distances<'a> {
    pub fn from(sample: ArrayView1<'a, f64>) -> Self {
        let largest = sample.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
        Self { sample, unit: (largest > FAR).then_some(largest) }
    }

    /// The distance of a point.
    pub fn to(&self, point: ArrayView1<'_, f64>) -> f64 {
        let pairs = self.sample.iter().zip(point);
        match self.unit {
            None => pairs.map(|(&y, &x)| near(y, x)).sum(),
            Some(unit) => pairs.map(|(&y, &x)| far(y, x, unit)).sum(),
        }
    }

    /// The distances of many points, of which each row holds one feature.
    pub fn to_all<'b>(&self, features: impl Iterator<Item = ArrayView1<'b, f64>>, out: &mut Array1<f64>) {
        out.fill(0.0);
        for (&y, feature) in self.sample.iter().zip(features) {
            let sums = Zip::from(&mut *out).and(feature);
            match self.unit {
                None => sums.for_each(|sum, &x| *sum += near(y, x)),
                Some(unit) => sums.for_each(|sum, &x| *sum += far(y, x, unit)),
            }
        }
    }

    /// How much larger the square of one distance is than that of another.
    pub fn excess(&self, distance: f64, over: f64) -> f64 {
        (distance - over) * self.unit.unwrap_or(1.0)
    }
}

fn near(y: f64, x: f64) -> f64 {
    (y - x) * (y - x)
}

fn far(y: f64, x: f64, unit: f64) -> f64 {
    x * (x / unit) - 2.0 * x * (y / unit)
}
