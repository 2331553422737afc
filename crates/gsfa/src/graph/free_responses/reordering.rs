//! Numbering vertices so that edges stay near the diagonal: reverse Cuthill–McKee.

use crate::graph::Sparse;

/// The largest distance between the numbers of two connected vertices.
pub(super) fn bandwidth(edges: &Sparse, place: impl Fn(usize) -> usize) -> usize {
    (0..edges.size())
        .flat_map(|i| edges.row(i).map(move |(j, _)| (i, j)))
        .map(|(i, j)| place(i).abs_diff(place(j)))
        .max()
        .unwrap_or(0)
}

/// The vertices of a graph in an order of small bandwidth, one component after the other; deterministic.
pub(super) fn reverse_cuthill_mckee(edges: &Sparse) -> Vec<u32> {
    let size = edges.size();
    let degree: Vec<usize> = (0..size).map(|i| edges.row(i).count()).collect();
    let mut by_degree: Vec<usize> = (0..size).collect();
    by_degree.sort_by_key(|&i| (degree[i], i));
    let mut placed = vec![false; size];
    let mut order = Vec::with_capacity(size);
    for smallest in by_degree {
        if !placed[smallest] {
            let component = order_from(edges, &degree, smallest);
            component.iter().for_each(|&i| placed[i as usize] = true);
            order.extend(component);
        }
    }
    order
}

/// The component of a vertex of smallest degree.
fn order_from(edges: &Sparse, degree: &[usize], smallest: usize) -> Vec<u32> {
    if degree[smallest] == 0 {
        return vec![smallest as u32];
    }
    // Walk to a far end: the last level of a search, its vertex of smallest degree, until it gets no farther.
    let (mut start, mut depth) = (smallest, 0);
    for _ in 0..8 {
        let (order, levels, last) = breadth_first(edges, degree, start);
        if levels <= depth {
            break;
        }
        depth = levels;
        start = order[last..].iter().map(|&i| i as usize).min_by_key(|&i| (degree[i], i)).unwrap_or(start);
    }
    let (mut order, _, _) = breadth_first(edges, degree, start);
    order.reverse();
    order
}

/// Vertices by distance from `start`, neighbours by degree; the number of levels; where the last one begins.
fn breadth_first(edges: &Sparse, degree: &[usize], start: usize) -> (Vec<u32>, usize, usize) {
    let mut seen = vec![false; edges.size()];
    seen[start] = true;
    let mut order = vec![start as u32];
    let (mut levels, mut begin) = (1, 0);
    loop {
        let end = order.len();
        for k in begin..end {
            let from = order.len();
            for (j, _) in edges.row(order[k] as usize) {
                if !std::mem::replace(&mut seen[j], true) {
                    order.push(j as u32);
                }
            }
            order[from..].sort_by_key(|&j| (degree[j as usize], j));
        }
        if order.len() == end {
            return (order, levels, begin);
        }
        levels += 1;
        begin = end;
    }
}
