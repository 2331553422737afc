//! The coarsest description of a graph by cells of vertices that act alike.

use std::borrow::Cow;
use std::collections::HashMap;

use ndarray::Array2;

use super::{Coupling, Grouping, LowRank, TrainingGraph};
use crate::Result;
use crate::linalg::{symmetric_eigen, tolerance};

/// A graph over *cells*: sets of vertices that share their group in every term and whose shares are proportional to
/// their vertex weights.
///
/// Within a cell all vertices have the same neighbours with proportional weights, so the responses split exactly:
/// functions constant on cells obey the same eigenproblem over cells, with $\hat v_i = \sum_{n∈i} v_n$ and
/// $\hat\gamma_{ij} = \hat a_i \hat a_j S_{ij}$; functions of v-weighted mean zero within one cell i, and zero elsewhere,
/// are eigenvectors with $\mu = \sum_{n∈i} \deg_n / \hat v_i$ for every choice of basis. Self-loops cancel in
/// $\mathrm{Diag}(\Gamma 1) - \Gamma$ and are left out, as is the uniform part, which adds $uQ$ to every μ.
pub(crate) struct Quotient<'a> {
    /// The cell of each vertex.
    pub cells: Grouping,
    /// $\hat v$.
    pub weights: Vec<f64>,
    /// The terms over cells.
    pub terms: Vec<CellTerm<'a>>,
    /// Degree over vertex weight of each cell, loops and the uniform part left out.
    pub rates: Vec<f64>,
}

/// One edge term over cells.
pub(crate) struct CellTerm<'a> {
    /// The group of each cell.
    pub grouping: Grouping,
    /// The sum of the shares of a cell's vertices.
    pub shares: Vec<f64>,
    /// As in the graph.
    pub coupling: &'a Coupling,
}

impl CellTerm<'_> {
    /// The sum of the edge weights at each cell.
    pub fn degrees(&self) -> impl Iterator<Item = f64> + '_ {
        let mut coupled = vec![0.0; self.grouping.count()];
        self.coupling.multiply_add(&self.grouping.sums(&self.shares), &mut coupled);
        self.shares.iter().zip(self.grouping.of_vertex()).map(move |(share, &g)| share * coupled[g as usize])
    }

    /// How many entries the term has if it is listed cell by cell; `None` for the low-rank form.
    pub fn entries(&self) -> Option<usize> {
        let mut sizes = vec![0_usize; self.grouping.count()];
        self.grouping.of_vertex().iter().for_each(|&g| sizes[g as usize] += 1);
        let mut total = 0_usize;
        self.coupling.visit_upper(|g, h, s| {
            if s != 0.0 {
                let pairs = sizes[g].saturating_mul(sizes[h]).saturating_mul(if g == h { 1 } else { 2 });
                total = total.saturating_add(pairs);
            }
        })?;
        Some(total)
    }

    /// The coupling by columns: as it is, or through its eigenvectors if it has no more than `most` groups.
    pub fn by_columns(&self, most: usize) -> Result<Option<Cow<'_, LowRank>>> {
        let size = self.coupling.size();
        if let Coupling::LowRank(low_rank) = self.coupling {
            return Ok((low_rank.values.len() <= most).then_some(Cow::Borrowed(low_rank)));
        }
        if size > most {
            return Ok(None);
        }
        let mut matrix = Array2::zeros((size, size));
        self.coupling.visit_upper(|g, h, s| {
            matrix[[g, h]] = s;
            matrix[[h, g]] = s;
        });
        let eigen = symmetric_eigen(matrix.view())?;
        let largest = eigen.values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let kept: Vec<usize> = (0..size).filter(|&k| eigen.values[k].abs() > tolerance::rank(size) * largest).collect();
        let columns = eigen.vectors.select(ndarray::Axis(1), &kept);
        let values = kept.iter().map(|&k| eigen.values[k]).collect();
        Ok(Some(Cow::Owned(LowRank { columns, values })))
    }
}

impl<'a> Quotient<'a> {
    /// The cells of a graph. With one term they are its groups, in order, except that groups of vertices with
    /// disproportionate weights fall apart into single vertices.
    pub fn of(graph: &'a TrainingGraph) -> Self {
        let cells = cells(graph);
        let weights = cells.sums(graph.vertex_weights());
        let (list, starts) = cells.members();
        let first = |cell: usize| list[starts[cell]] as usize;
        let mut rates = vec![0.0; weights.len()];
        let terms: Vec<CellTerm> = graph
            .terms()
            .iter()
            .map(|term| {
                let group_of_cell = (0..cells.count()).map(|c| term.grouping.of_vertex()[first(c)]).collect();
                let grouping = Grouping::trusted(group_of_cell, term.grouping.count());
                let shares = cells.sums(&term.shares);
                let mut coupled = vec![0.0; grouping.count()];
                term.coupling.multiply_add(&grouping.sums(&shares), &mut coupled);
                for (cell, rate) in rates.iter_mut().enumerate() {
                    *rate += shares[cell] * coupled[grouping.group(cell)] / weights[cell];
                }
                CellTerm { grouping, shares, coupling: &term.coupling }
            })
            .collect();
        Self { cells, weights, terms, rates }
    }

    /// The number of cells.
    pub fn count(&self) -> usize {
        self.weights.len()
    }

    /// $\hat\gamma_{ij}$ and the sum of the magnitudes of its terms.
    pub fn edge(&self, i: usize, j: usize) -> (f64, f64) {
        let mut sum = 0.0;
        let mut magnitude = 0.0;
        for term in &self.terms {
            let (g, h) = (term.grouping.group(i), term.grouping.group(j));
            let (entry, size) = match term.coupling {
                Coupling::LowRank(low_rank) => low_rank.entry(g, h),
                other => {
                    let entry = other.entry(g, h);
                    (entry, entry.abs())
                }
            };
            let shares = term.shares[i] * term.shares[j];
            sum += shares * entry;
            magnitude += shares * size;
        }
        (sum, magnitude)
    }

    /// How many products the sum behind an edge has.
    pub fn edge_terms(&self) -> usize {
        let products = |c: &Coupling| if let Coupling::LowRank(l) = c { l.values.len() } else { 1 };
        self.terms.iter().map(|t| products(t.coupling)).sum()
    }

    /// `out = Γ̂·y`.
    pub fn multiply(&self, y: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for term in &self.terms {
            let mut sums = vec![0.0; term.grouping.count()];
            for ((&g, a), x) in term.grouping.of_vertex().iter().zip(&term.shares).zip(y) {
                sums[g as usize] += a * x;
            }
            let mut coupled = vec![0.0; sums.len()];
            term.coupling.multiply_add(&sums, &mut coupled);
            for ((o, &g), a) in out.iter_mut().zip(term.grouping.of_vertex()).zip(&term.shares) {
                *o += a * coupled[g as usize];
            }
        }
    }
}

/// The common refinement of all groupings, with disproportionate cells split into single vertices.
fn cells(graph: &TrainingGraph) -> Grouping {
    let n = graph.len();
    let Some((first, others)) = graph.terms().split_first() else { return Grouping::one(n) };
    let mut cells = first.grouping.clone();
    for term in others {
        if term.grouping != cells {
            cells = refine(&cells, &term.grouping);
        }
    }
    split_disproportionate(graph, cells)
}

/// Vertices stay together if they are together in both; numbered by first occurrence.
fn refine(a: &Grouping, b: &Grouping) -> Grouping {
    let mut seen: HashMap<(u32, u32), u32> = HashMap::new();
    let of_vertex: Vec<u32> = a
        .of_vertex()
        .iter()
        .zip(b.of_vertex())
        .map(|(&g, &h)| {
            let next = seen.len() as u32;
            *seen.entry((g, h)).or_insert(next)
        })
        .collect();
    Grouping::trusted(of_vertex, seen.len())
}

fn split_disproportionate(graph: &TrainingGraph, cells: Grouping) -> Grouping {
    let v = graph.vertex_weights();
    let (list, starts) = cells.members();
    let alike = |cell: usize| {
        let members = &list[starts[cell]..starts[cell + 1]];
        let Some(&first) = members.first() else { return true };
        let first = first as usize;
        members.iter().all(|&n| {
            let n = n as usize;
            graph.terms().iter().all(|t| {
                let (left, right) = (t.shares[n] * v[first], t.shares[first] * v[n]);
                (left - right).abs() <= tolerance::PROPORTIONAL * right.abs()
            })
        })
    };
    let split: Vec<bool> = (0..cells.count()).map(|cell| !alike(cell)).collect();
    if !split.contains(&true) {
        return cells;
    }
    let mut of_vertex = vec![0_u32; v.len()];
    let mut next = 0_u32;
    for (cell, &split) in split.iter().enumerate() {
        for &n in &list[starts[cell]..starts[cell + 1]] {
            of_vertex[n as usize] = next;
            next += u32::from(split);
        }
        next += u32::from(!split);
    }
    Grouping::trusted(of_vertex, next as usize)
}
