//! Connected components: edges of either sign connect.

use super::adjacency::adjacency;
use super::quotient::Quotient;
use super::{Sparse, TrainingGraph};
use crate::linalg::tolerance;

/// The connected component of every vertex, numbered by first vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// How many there are.
    pub count: usize,
    /// The component of each vertex.
    pub of_vertex: Vec<u32>,
}

impl TrainingGraph {
    /// The connected components, the uniform part included.
    ///
    /// Vertices are connected by edges that differ from zero by more than the round-off of the sum they come from:
    /// an ELL graph that codes classes has exact zeros between them only up to that.
    pub fn components(&self) -> Components {
        let quotient = Quotient::of(self);
        let edges = if self.uniform() == 0.0 { adjacency(&quotient) } else { None };
        let of_cell = match &edges {
            Some(edges) => sparse_components(edges).of_vertex,
            None => scanned_components(&quotient, self.uniform()),
        };
        self.lift(&quotient, &of_cell)
    }

    /// From components of cells to components of vertices: a cell without edges, even within, is as many components as
    /// it has vertices.
    fn lift(&self, quotient: &Quotient, of_cell: &[u32]) -> Components {
        let cells = quotient.cells.count();
        let mut cells_in = vec![0_usize; cells];
        of_cell.iter().for_each(|&c| cells_in[c as usize] += 1);
        let isolated: Vec<bool> = (0..cells)
            .map(|i| cells_in[of_cell[i] as usize] == 1 && edge(quotient, self.uniform(), i, i) == 0.0)
            .collect();
        let mut number = vec![u32::MAX; cells];
        let mut count = 0_u32;
        let of_vertex = quotient
            .cells
            .of_vertex()
            .iter()
            .map(|&cell| {
                let known = &mut number[of_cell[cell as usize] as usize];
                if isolated[cell as usize] || *known == u32::MAX {
                    *known = count;
                    count += 1;
                }
                *known
            })
            .collect();
        Components { count: count as usize, of_vertex }
    }
}

/// The components of a sparse symmetric matrix.
pub(crate) fn sparse_components(edges: &Sparse) -> Components {
    let size = edges.size();
    let mut of_vertex = vec![u32::MAX; size];
    let mut count = 0_u32;
    let mut queue = Vec::new();
    for start in 0..size {
        if of_vertex[start] != u32::MAX {
            continue;
        }
        of_vertex[start] = count;
        queue.push(start);
        while let Some(i) = queue.pop() {
            for (j, _) in edges.row(i) {
                if of_vertex[j] == u32::MAX {
                    of_vertex[j] = count;
                    queue.push(j);
                }
            }
        }
        count += 1;
    }
    Components { count: count as usize, of_vertex }
}

/// The components over cells when edges are not listed: every cell reached is compared with the cells not yet reached.
/// Where most cells are connected this takes few comparisons; never more than pairs of cells.
fn scanned_components(quotient: &Quotient, uniform: f64) -> Vec<u32> {
    let size = quotient.count();
    let mut component = vec![0_u32; size];
    let mut left: Vec<usize> = (0..size).collect();
    let mut count = 0_u32;
    while let Some(&start) = left.first() {
        left.remove(0);
        component[start] = count;
        let mut queue = vec![start];
        while let Some(i) = queue.pop() {
            left.retain(|&j| {
                let connected = edge(quotient, uniform, i, j) != 0.0;
                if connected {
                    component[j] = count;
                    queue.push(j);
                }
                !connected
            });
        }
        count += 1;
    }
    component
}

/// The weight between two cells with the uniform part, zero where it cancelled.
fn edge(quotient: &Quotient, uniform: f64, i: usize, j: usize) -> f64 {
    let (sum, magnitude) = quotient.edge(i, j);
    let everywhere = uniform * quotient.weights[i] * quotient.weights[j];
    let total = sum + everywhere;
    let size = magnitude + everywhere.abs();
    if total.abs() <= tolerance::edge(quotient.edge_terms() + 1) * size { 0.0 } else { total }
}
