//! Samples in the order of a label: tie groups, and near-equal groups for serial graphs.

use super::Grouping;
use crate::{Error, Result};

/// Samples with equal label values share a group; groups are numbered by increasing value.
///
/// # Errors
/// [`Error::ConstantLabel`] if there is only one value.
pub(crate) fn tie_groups(name: &str, values: &[f64]) -> Result<Grouping> {
    let mut order: Vec<u32> = (0..values.len() as u32).collect();
    order.sort_by(|&i, &j| values[i as usize].total_cmp(&(values[j as usize])));
    let mut of_vertex = vec![0_u32; values.len()];
    let mut group = 0_u32;
    for pair in order.windows(2) {
        let (before, here) = (pair[0] as usize, pair[1] as usize);
        // `<`, not a comparison of bits: −0 and 0 are one value.
        group += u32::from(values[before] < values[here]);
        of_vertex[here] = group;
    }
    if group == 0 && values.len() > 1 {
        return Err(Error::ConstantLabel { name: name.to_string(), value: values[0], deviation: 0.0 });
    }
    Ok(Grouping::trusted(of_vertex, group as usize + usize::from(!values.is_empty())))
}

/// `groups` groups of consecutive label values and near-equal weight; equal values stay together.
///
/// Group after group, the border nearest to an equal share of the weight that is left is taken (the lower one of two
/// equally near), so a value heavier than its share does not unbalance the groups behind it. With fewer distinct
/// values than `groups` every value is a group. Cutting by weight makes a sample of weight 2 equal to two samples.
///
/// # Errors
/// [`Error::Parameter`] if `groups < 2`, [`Error::ConstantLabel`] if there is only one value.
pub(crate) fn rank_groups(name: &str, values: &[f64], weights: &[f64], groups: usize) -> Result<Grouping> {
    if groups < 2 {
        return Err(Error::parameter("groups", groups, "at least 2 groups are needed to connect neighbouring ones"));
    }
    let ties = tie_groups(name, values)?;
    if ties.count() <= groups {
        return Ok(ties);
    }
    let tie_weights = ties.sums(weights);
    let group_of_tie = cut(&tie_weights, groups);
    let of_vertex = ties.of_vertex().iter().map(|&t| group_of_tie[t as usize]).collect();
    Ok(Grouping::trusted(of_vertex, groups))
}

/// The group of each of the `weights` when they are cut into `groups` runs; there are more weights than groups.
fn cut(weights: &[f64], groups: usize) -> Vec<u32> {
    let mut cumulative = vec![0.0];
    let mut total = 0.0;
    for w in weights {
        total += w;
        cumulative.push(total);
    }
    let mut group_of = vec![0_u32; weights.len()];
    let mut start = 0;
    for group in 0..groups {
        let left = groups - group;
        let last_border = weights.len() - (left - 1);
        let target = cumulative[start] + (total - cumulative[start]) / left as f64;
        let mut end = start + 1;
        while end < last_border && (left == 1 || nearer(cumulative[end + 1], cumulative[end], target)) {
            end += 1;
        }
        group_of[start..end].fill(group as u32);
        start = end;
    }
    group_of
}

fn nearer(next: f64, here: f64, target: f64) -> bool {
    (next - target).abs() < (here - target).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(grouping: &Grouping) -> Vec<f64> {
        grouping.sums(&vec![1.0; grouping.of_vertex().len()])
    }

    #[test]
    fn distinct_values_give_near_equal_groups_in_label_order() {
        for n in 2..40_usize {
            let values: Vec<f64> = (0..n).map(|i| ((i * 41) % n) as f64).collect();
            let distinct = tie_groups("y", &values).unwrap().count();
            for groups in 2..=distinct {
                let grouping = rank_groups("y", &values, &vec![1.0; n], groups).unwrap();
                assert_eq!(grouping.count(), groups);
                if distinct == n {
                    let s = sizes(&grouping);
                    let (low, high) = s.iter().fold((f64::MAX, 0.0_f64), |(l, h), &x| (l.min(x), h.max(x)));
                    assert!(high - low <= 1.0, "N = {n}, K = {groups}: {s:?}");
                }
                for i in 0..n {
                    for j in 0..n {
                        assert!(values[i] > values[j] || grouping.group(i) <= grouping.group(j));
                    }
                }
            }
        }
    }

    #[test]
    fn ties_stay_together_and_every_group_is_filled() {
        let values = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 3.0, 4.0, 5.0];
        let grouping = rank_groups("y", &values, &[1.0; 10], 4).unwrap();
        assert_eq!(sizes(&grouping), [6.0, 1.0, 1.0, 2.0]);
        let weights = [6.0, 1.0, 1.0, 1.0, 1.0];
        let weighted = rank_groups("y", &values[5..], &weights, 4).unwrap();
        assert_eq!(weighted.sums(&weights), sizes(&grouping));
    }

    #[test]
    fn negative_zero_is_zero() {
        assert_eq!(tie_groups("y", &[0.0, -0.0, 1.0]).unwrap().count(), 2);
    }
}
