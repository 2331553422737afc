//! Axes: what they are called, what they span, where their ticks are.

use crate::number::{fixed, scientific};

/// What an axis is called and what it spans.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The name with its unit.
    pub label: String,
    /// Smallest and largest value; taken from the data if absent.
    pub range: Option<(f64, f64)>,
    /// Whether a range taken from the data must contain zero.
    pub zero: bool,
}

impl Axis {
    /// An axis that spans its data.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), range: None, zero: false }
    }

    /// An axis that spans its data and zero.
    pub fn from_zero(label: impl Into<String>) -> Self {
        Self { zero: true, ..Self::new(label) }
    }

    /// An axis with a fixed range.
    pub fn spanning(label: impl Into<String>, low: f64, high: f64) -> Self {
        Self { range: Some((low, high)), ..Self::new(label) }
    }

    /// The scale for these data; what is not finite is passed over.
    pub(crate) fn scale(&self, data: impl IntoIterator<Item = f64>, ticks: usize) -> Scale {
        let (low, high) = match self.range {
            Some((low, high)) if low.is_finite() && high.is_finite() => (low.min(high), low.max(high)),
            _ => {
                let start = if self.zero { (0.0, 0.0) } else { (f64::INFINITY, f64::NEG_INFINITY) };
                let usable = data.into_iter().filter(|value| value.is_finite());
                usable.fold(start, |(low, high), value| (low.min(value), high.max(value)))
            }
        };
        Scale::spanning(low, high, ticks, self.range.is_some())
    }
}

/// A range and its ticks.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    pub(crate) low: f64,
    pub(crate) high: f64,
    step: f64,
}

impl Scale {
    fn spanning(low: f64, high: f64, ticks: usize, exact: bool) -> Self {
        // Beyond this a range could no longer be subtracted.
        const LARGEST: f64 = 1e300;
        let (low, high) =
            if low > high { (0.0, 1.0) } else { (low.clamp(-LARGEST, LARGEST), high.clamp(-LARGEST, LARGEST)) };
        // A constant gets room on both sides, in proportion to its size; so does what differs by round-off only.
        let room = if high - low > 1e-12 * high.abs().max(low.abs()) {
            0.0
        } else {
            (0.1 * low.abs()).max(0.5 * f64::from(low == 0.0))
        };
        let (low, high) = if room > 0.0 || high == low { (low - room, high + room) } else { (low, high) };
        let step = nice_step((high - low) / ticks.max(1) as f64);
        if exact {
            return Self { low, high, step };
        }
        // The range ends on ticks unless that would leave much of the chart empty.
        let (outer_low, outer_high) = ((low / step).floor() * step, (high / step).ceil() * step);
        let slack = 0.06 * (high - low);
        let low = if low - outer_low <= 0.35 * step { outer_low } else { low - slack };
        let high = if outer_high - high <= 0.35 * step { outer_high } else { high + slack };
        Self { low, high, step }
    }

    /// Where a value lies, 0 at the low end and 1 at the high end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Tick positions with their labels.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        let first = (self.low / self.step - 1e-9).ceil();
        let last = (self.high / self.step + 1e-9).floor();
        let count = if (0.0..50.0).contains(&(last - first)) { (last - first) as usize + 1 } else { 0 };
        (0..count).map(|n| (first + n as f64) * self.step).map(|value| (value, self.label(value))).collect()
    }

    fn label(&self, value: f64) -> String {
        let size = self.low.abs().max(self.high.abs());
        if size >= 1e6 || self.step < 1e-4 {
            return if value.abs() < 1e-9 * size { "0".into() } else { scientific(value) };
        }
        fixed(value, (-self.step.log10()).ceil().clamp(0.0, 6.0) as usize)
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `rough`.
fn nice_step(rough: f64) -> f64 {
    if rough <= 0.0 || !rough.is_finite() {
        return 1.0;
    }
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| rough <= factor * power * (1.0 + 1e-9)).unwrap_or(10.0);
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        Axis::spanning("", low, high).scale([], 5).ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-3.0, 3.0), ["−2", "0", "2"]);
        assert_eq!(labels(4.0, 31.0), ["10", "20", "30"]);
        assert_eq!(labels(0.0, 2e7), ["0", "5e6", "1e7", "1.5e7", "2e7"]);
    }

    #[test]
    fn every_range_has_ticks_and_places_its_data_inside() {
        let hostile =
            [0.0, 1.0, -1.0, 1e-300, 1e300, -1e308, 1e308, 5e-324, 0.1 + 0.2, 0.3, 1e17, f64::NAN, f64::INFINITY];
        for &a in &hostile {
            for &b in &hostile {
                for axis in [Axis::new(""), Axis::from_zero("")] {
                    let scale = axis.scale([a, b], 5);
                    assert!(scale.low < scale.high, "{a} {b}: {scale:?}");
                    assert!(scale.ticks().len() <= 12, "{a} {b}");
                    for value in [a, b].into_iter().filter(|v| v.abs() <= 1e300) {
                        assert!((-1e-9..=1.0 + 1e-9).contains(&scale.place(value)), "{a} {b}: {scale:?}");
                    }
                }
            }
        }
    }
}
