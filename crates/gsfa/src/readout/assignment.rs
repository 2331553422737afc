//! The best assignment of some things to others, one to one.

use ndarray::Array2;

/// For each row of `gains` (rows ≤ columns) the column assigned to it, such that the sum of gains is largest.
///
/// The Hungarian method with potentials: rows are added one by one, each along the cheapest path of exchanges.
pub(super) fn assign(gains: &Array2<f64>) -> Vec<usize> {
    let (rows, columns) = gains.dim();
    debug_assert!(rows <= columns);
    let cost = |i: usize, j: usize| -gains[[i, j]];
    let (mut row_price, mut column_price) = (vec![0.0; rows], vec![0.0; columns]);
    let mut owner: Vec<Option<usize>> = vec![None; columns];
    for new in 0..rows {
        let mut least = vec![f64::INFINITY; columns];
        let mut from: Vec<Option<usize>> = vec![None; columns];
        let mut done = vec![false; columns];
        let (mut row, mut at) = (new, None);
        let end = loop {
            let mut best: Option<usize> = None;
            for j in (0..columns).filter(|&j| !done[j]) {
                let reduced = cost(row, j) - row_price[row] - column_price[j];
                if reduced < least[j] {
                    (least[j], from[j]) = (reduced, at);
                }
                if best.is_none_or(|b| least[j] < least[b]) {
                    best = Some(j);
                }
            }
            // There are at least as many columns as rows, so that one is left.
            let Some(next) = best else { break at };
            let step = least[next];
            row_price[new] += step;
            for j in 0..columns {
                match (done[j], owner[j]) {
                    (true, Some(i)) => {
                        row_price[i] += step;
                        column_price[j] -= step;
                    }
                    _ => least[j] -= step,
                }
            }
            done[next] = true;
            at = Some(next);
            match owner[next] {
                Some(other) => row = other,
                None => break at,
            }
        };
        // Along the path back every column passes to the row before.
        let mut column = end;
        while let Some(j) = column {
            owner[j] = from[j].and_then(|before| owner[before]).or(Some(new));
            column = from[j];
        }
    }
    let mut assigned = vec![0; rows];
    owner.iter().enumerate().filter_map(|(j, i)| i.map(|i| (i, j))).for_each(|(i, j)| assigned[i] = j);
    assigned
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn best_of_all(gains: &Array2<f64>, row: usize, used: &mut Vec<bool>) -> f64 {
        if row == gains.nrows() {
            return 0.0;
        }
        let mut best = f64::NEG_INFINITY;
        for j in 0..gains.ncols() {
            if !used[j] {
                used[j] = true;
                best = best.max(gains[[row, j]] + best_of_all(gains, row + 1, used));
                used[j] = false;
            }
        }
        best
    }

    #[test]
    fn no_other_assignment_gains_more() {
        assert_eq!(assign(&array![[0.1, 0.9], [0.8, 0.85]]), [1, 0]);
        assert_eq!(assign(&Array2::zeros((0, 3))), [0_usize; 0]);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for (rows, columns) in [(1, 1), (1, 4), (2, 2), (3, 5), (4, 4), (5, 7), (6, 6)] {
            for _ in 0..40 {
                let gains = Array2::from_shape_simple_fn((rows, columns), || random.random::<f64>());
                let assigned = assign(&gains);
                let mut distinct = assigned.clone();
                distinct.sort_unstable();
                distinct.dedup();
                assert_eq!(distinct.len(), rows);
                let sum: f64 = assigned.iter().enumerate().map(|(i, &j)| gains[[i, j]]).sum();
                let best = best_of_all(&gains, 0, &mut vec![false; columns]);
                assert!((sum - best).abs() < 1e-12, "{rows}x{columns}: {sum} {best}");
            }
        }
    }
}
