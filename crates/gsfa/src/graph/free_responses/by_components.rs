//! Listed edges: one connected component after the other.

use super::cosine::CosineLaw;
use super::modes::{Mode, Part, Reduced, Shape};
use super::{FreeResponseMethod, FreeResponseOptions, numeric, order, shift_invert};
use crate::Result;
use crate::graph::Sparse;
use crate::graph::components::sparse_components;

/// Eigenvalues with vectors over the vertices of one component.
pub(super) type Pairs = Vec<(f64, Vec<f64>)>;

/// The slowest responses of a listed graph.
///
/// Functions constant on components have μ = 0; the other responses live on one component each.
pub(super) fn solve(
    edges: &Sparse,
    weights: &[f64],
    count: usize,
    closeness: f64,
    options: &FreeResponseOptions,
) -> Result<Reduced> {
    let components = sparse_components(edges);
    let mut parts: Vec<Part> = (0..components.count).map(|_| Part { cells: Vec::new(), law: None }).collect();
    let mut place = vec![0_u32; weights.len()];
    for (cell, &part) in components.of_vertex.iter().enumerate() {
        let cells = &mut parts[part as usize].cells;
        place[cell] = cells.len() as u32;
        cells.push(cell as u32);
    }
    let mut modes: Vec<Mode> = (1..parts.len()).take(count).map(|part| Mode::new(0.0, Shape::Parts { part })).collect();
    let mut method = FreeResponseMethod::ClosedForm;
    for (index, part) in parts.iter_mut().enumerate() {
        let size = part.cells.len();
        if size == 1 {
            continue;
        }
        let own = restrict(edges, &part.cells, &place);
        let own_weights: Vec<f64> = part.cells.iter().map(|&c| weights[c as usize]).collect();
        if let Some(law) = CosineLaw::recognize(&own, &own_weights, closeness) {
            let slowest = order::ascending(&law.mus).into_iter().take(count);
            modes.extend(slowest.map(|k| Mode::new(law.mus[k], Shape::Cosine { part: index, j: k + 1 })));
            part.law = Some(law);
            continue;
        }
        let (pairs, how) = solve_connected(&own, &own_weights, count.min(size - 1), options)?;
        method = method.max(how);
        modes.extend(pairs.into_iter().map(|(mu, values)| Mode::new(mu, Shape::Part { part: index, values })));
    }
    Ok(Reduced { modes, parts, method })
}

/// Without negative edges inverse iteration keeps the digits of small values; for a large share of all values, and for
/// negative edges, the full eigendecomposition is preferred as long as it is small.
fn solve_connected(
    edges: &Sparse,
    weights: &[f64],
    count: usize,
    options: &FreeResponseOptions,
) -> Result<(Pairs, FreeResponseMethod)> {
    let size = weights.len();
    let small = size <= options.dense_limit;
    let positive = (0..size).all(|i| edges.row(i).all(|(_, w)| w > 0.0));
    let inverse = positive && !(small && 4 * count > size);
    if inverse && let Some(pairs) = shift_invert::solve(edges, weights, count, options)? {
        return Ok((pairs, FreeResponseMethod::ShiftInvert));
    }
    if small {
        return Ok((numeric::dense_listed(edges, weights, count)?, FreeResponseMethod::Dense));
    }
    Ok((numeric::krylov_listed(edges, weights, count, options)?, FreeResponseMethod::Krylov))
}

fn restrict(edges: &Sparse, cells: &[u32], place: &[u32]) -> Sparse {
    if cells.len() == edges.size() {
        return edges.clone();
    }
    let mut entries = Vec::new();
    for (i, &cell) in cells.iter().enumerate() {
        entries.extend(edges.row(cell as usize).map(|(j, w)| (i as u32, place[j], w)));
    }
    Sparse::trusted(cells.len(), entries)
}
