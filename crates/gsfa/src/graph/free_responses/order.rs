//! The order of responses: by value, and by position where values are the same.

use super::modes::Mode;
use crate::linalg::tolerance;

/// Positions of the values in ascending order; values that agree to round-off keep their positions' order.
pub(super) fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut start = 0;
    while start < order.len() {
        let first = values[order[start]];
        let same = |x: f64| (x - first).abs() <= tolerance::SAME_VALUE * x.abs().max(first.abs());
        let length = order[start..].iter().take_while(|&&i| same(values[i])).count().max(1);
        order[start..start + length].sort_unstable();
        start += length;
    }
    order
}

/// Sorts responses; values that agree to round-off are dealt out ascending, so that the list of values is sorted too.
pub(super) fn sort(modes: &mut Vec<Mode>) {
    let values: Vec<f64> = modes.iter().map(|m| m.mu).collect();
    let order = ascending(&values);
    let mut sorted = values;
    sorted.sort_by(f64::total_cmp);
    let mut taken: Vec<Option<Mode>> = std::mem::take(modes).into_iter().map(Some).collect();
    for (i, mu) in order.into_iter().zip(sorted) {
        if let Some(mut mode) = taken[i].take() {
            mode.mu = mu;
            modes.push(mode);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ascending;

    #[test]
    fn equal_values_keep_their_positions() {
        let two = 2.0_f64;
        assert_eq!(ascending(&[two, 3.0, two.next_down(), -1.0, two.next_up()]), [3, 0, 2, 4, 1]);
        assert_eq!(ascending(&[4e-12, 1e-12, 0.0, 0.0]), [2, 3, 1, 0]);
        assert!(ascending(&[]).is_empty());
    }
}
