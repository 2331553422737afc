//! Contrasts within cells: one member against the weighted mean of the earlier ones.

use ndarray::ArrayViewMut1;

use super::modes::{Mode, Shape};
use super::order;
use crate::graph::quotient::Quotient;

/// The `count` slowest contrasts: a cell of m vertices has m − 1, all with the μ of the cell.
pub(super) fn within_cells(quotient: &Quotient, count: usize) -> Vec<Mode> {
    let mut sizes = vec![0_usize; quotient.count()];
    quotient.cells.of_vertex().iter().for_each(|&c| sizes[c as usize] += 1);
    let cells: Vec<usize> = (0..sizes.len()).filter(|&c| sizes[c] > 1).collect();
    let rates: Vec<f64> = cells.iter().map(|&c| quotient.rates[c]).collect();
    order::ascending(&rates)
        .into_iter()
        .flat_map(|k| {
            let cell = cells[k];
            (1..sizes[cell]).map(move |member| Mode::new(quotient.rates[cell], Shape::WithinCell { cell, member }))
        })
        .take(count)
        .collect()
}

/// Writes −w on the members before `member` and +W on it, with w its weight and W theirs: v-centred, and v-orthogonal
/// to every contrast of an earlier member and to everything constant on cells.
pub(super) fn write_within(members: &[u32], member: usize, v: &[f64], column: &mut ArrayViewMut1<'_, f64>) {
    let own = v[members[member] as usize];
    let earlier: f64 = members[..member].iter().map(|&n| v[n as usize]).sum();
    for &n in &members[..member] {
        column[n as usize] = -own / (own + earlier);
    }
    column[members[member] as usize] = earlier / (own + earlier);
}
