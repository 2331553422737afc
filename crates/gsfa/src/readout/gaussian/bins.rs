//! Bins of a continuous label.

use crate::graph::Grouping;

/// At most `most` bins in the order of the label, of about equal weight, equal labels together.
///
/// A label value belongs to the bin in which the middle of its weight falls; bins that stay empty are left out. A label
/// of at most `most` distinct values has a bin for each.
pub fn by_rank(values: &[f64], weights: &[f64], most: usize) -> Grouping {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
    let ties: Vec<&[usize]> = order.chunk_by(|&a, &b| values[a] == values[b]).collect();
    let total: f64 = weights.iter().sum();

    let mut of_sample = vec![0_u32; values.len()];
    let (mut bin, mut last_place, mut before) = (0_u32, 0, 0.0);
    for (rank, tie) in ties.iter().enumerate() {
        let weight: f64 = tie.iter().map(|&n| weights[n]).sum();
        let middle = (before + 0.5 * weight) / total;
        let place = if ties.len() <= most { rank } else { ((middle * most as f64) as usize).min(most - 1) };
        before += weight;
        if rank > 0 && place != last_place {
            bin += 1;
        }
        last_place = place;
        for &n in *tie {
            of_sample[n] = bin;
        }
    }
    Grouping::trusted(of_sample, bin as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::by_rank;

    #[test]
    fn bins_hold_equal_weight_and_keep_ties_together() {
        let values: Vec<f64> = (0..12).rev().map(f64::from).collect();
        let bins = by_rank(&values, &[1.0; 12], 3);
        assert_eq!(bins.of_vertex(), [2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0]);
        assert_eq!(by_rank(&[1.0, 5.0, 1.0, 9.0, 5.0], &[1.0; 5], 3).of_vertex(), [0, 1, 0, 2, 1]);
        assert_eq!(by_rank(&[0.0, -0.0, 1.0, 2.0], &[1.0; 4], 3).of_vertex(), [0, 0, 1, 2]);
        // One heavy value takes the place of several bins.
        assert_eq!(by_rank(&[1.0, 2.0, 3.0, 4.0], &[1.0, 8.0, 1.0, 1.0], 3).of_vertex(), [0, 1, 2, 2]);
    }

    #[test]
    fn two_distinct_values_are_two_bins() {
        assert_eq!(by_rank(&[3.0, 3.0, 7.0], &[100.0, 100.0, 1.0], 2).count(), 2);
    }
}
