//! Vertices in groups: which group each vertex belongs to.

use crate::{Error, Result};

/// The group of every vertex; groups are numbered 0 … count−1 and none is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouping {
    of_vertex: Vec<u32>,
    count: usize,
}

impl Grouping {
    /// From the group of every vertex.
    ///
    /// # Errors
    /// [`Error::Parameter`] if one is not below `count`.
    pub fn new(of_vertex: Vec<u32>, count: usize) -> Result<Self> {
        match of_vertex.iter().position(|&g| g as usize >= count) {
            None => Ok(Self { of_vertex, count }),
            Some(n) => {
                let reason = format!("vertex {n} cannot be in it: there are {count} groups, counted from 0");
                Err(Error::parameter("group", of_vertex[n] as usize, reason))
            }
        }
    }

    /// The same of groups that were counted here.
    pub(crate) fn trusted(of_vertex: Vec<u32>, count: usize) -> Self {
        debug_assert!(of_vertex.iter().all(|&g| (g as usize) < count));
        Self { of_vertex, count }
    }

    /// Every vertex is its own group.
    pub fn singletons(vertices: usize) -> Self {
        Self { of_vertex: (0..vertices as u32).collect(), count: vertices }
    }

    /// All vertices in one group.
    pub fn one(vertices: usize) -> Self {
        Self { of_vertex: vec![0; vertices], count: usize::from(vertices > 0) }
    }

    /// Vertices with equal rows (−0 = 0, NaN = NaN) share a group; groups are numbered by first occurrence. Returns the
    /// vertex at which each group occurs first, too.
    pub fn by_rows(columns: &[&[f64]], vertices: usize) -> (Self, Vec<usize>) {
        // Adding 0 turns −0 into 0; NaN of any sign and payload is one value.
        let key =
            |n: u32, column: &[f64]| if column[n as usize].is_nan() { f64::NAN } else { column[n as usize] + 0.0 };
        let compare = |i: u32, j: u32| {
            let unequal = columns.iter().map(|c| key(i, c).total_cmp(&key(j, c))).find(|order| order.is_ne());
            unequal.unwrap_or(std::cmp::Ordering::Equal)
        };
        let mut order: Vec<u32> = (0..vertices as u32).collect();
        order.sort_by(|&i, &j| compare(i, j));
        // The sort is stable, so the first of a run of equal rows is the first vertex of its group.
        let mut leader: Vec<u32> = (0..vertices as u32).collect();
        for k in 1..vertices {
            if compare(order[k - 1], order[k]).is_eq() {
                leader[order[k] as usize] = leader[order[k - 1] as usize];
            }
        }
        let mut of_vertex = vec![0_u32; vertices];
        let mut first = Vec::new();
        for n in 0..vertices {
            let own = leader[n] as usize;
            if own == n {
                of_vertex[n] = first.len() as u32;
                first.push(n);
            } else {
                of_vertex[n] = of_vertex[own];
            }
        }
        (Self { of_vertex, count: first.len() }, first)
    }

    /// The group of each vertex.
    pub fn of_vertex(&self) -> &[u32] {
        &self.of_vertex
    }

    /// The number of groups.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The group of vertex `n`.
    pub fn group(&self, n: usize) -> usize {
        self.of_vertex[n] as usize
    }

    /// Sums of `values` over each group, in vertex order.
    pub fn sums(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.count];
        for (&g, &x) in self.of_vertex.iter().zip(values) {
            sums[g as usize] += x;
        }
        sums
    }

    /// The vertices of each group, in vertex order: a flat list and the start of each group in it.
    pub fn members(&self) -> (Vec<u32>, Vec<usize>) {
        let mut starts = vec![0_usize; self.count + 1];
        for &g in &self.of_vertex {
            starts[g as usize + 1] += 1;
        }
        for g in 0..self.count {
            starts[g + 1] += starts[g];
        }
        let mut next = starts.clone();
        let mut list = vec![0_u32; self.of_vertex.len()];
        for (n, &g) in self.of_vertex.iter().enumerate() {
            list[next[g as usize]] = n as u32;
            next[g as usize] += 1;
        }
        (list, starts)
    }
}
