//! Sums of graphs: neighbours whose edges can be listed, and terms of a few columns, which connect everything.

use super::by_components::Pairs;
use super::modes::{Mode, Reduced, Shape};
use super::updated_inverse::UpdatedInverse;
use super::{FreeResponseMethod, FreeResponseOptions, basis, shift_invert};
use crate::graph::Sparse;
use crate::graph::adjacency::listed;
use crate::graph::components::sparse_components;
use crate::graph::quotient::{CellTerm, Quotient};
use crate::linalg::dot::dot;
use crate::linalg::lanczos::Lanczos;
use crate::linalg::tolerance;
use crate::{Error, Result};

/// Most columns: each costs a product with every vector of the iteration.
pub(super) const MOST_COLUMNS: usize = 300;
/// Most numbers in the columns of all cells.
const MOST_MEMORY: usize = 100_000_000;
/// Terms with fewer entries than this for each cell are listed.
const FEW_ENTRIES: usize = 16;

/// Where the inverse is taken below the values that are left, in units of the largest shift that columns can make.
const LEVELS: [f64; 4] = [1.05, 1e-2, 1e-4, 1e-6];
/// The last level where the listed part is not connected and has no inverse.
const LAST_LEVEL: f64 = 1e-9;

/// $L = \kappa V + K - U\,\mathrm{Diag}(\pm 1)\,U^T$ on responses of weighted mean zero, in an order of the cells in which
/// K is narrow.
///
/// K is the Laplacian of the listed terms plus what the degrees of the others exceed κv: positive, with values as close to
/// each other as those of a chain may be. U has a column for each label or group of the other terms; its columns are centred.
pub(super) struct Split {
    pub edges: Sparse,
    pub order: Vec<u32>,
    pub band: usize,
    pub weights: Vec<f64>,
    pub kappa: f64,
    /// The diagonal of K beyond that of its edges.
    pub excess: Vec<f64>,
    pub columns: Vec<Vec<f64>>,
    pub signs: Vec<f64>,
    /// The number of components of the edges without excess: K has so many vectors without image.
    pub loose: usize,
}

/// The slowest responses, or `None` if the graph is not such a sum, has negative listed edges, or is out of reach.
///
/// Columns make at most as many μ smaller than κ as they are; these lie apart and are found from below. All others are
/// found by inverse iteration at κ, where those of neighbours in a line lie apart as they do without the columns: the
/// inverse of K is a banded solution without subtractions, and a small system adds the columns. How many values lie
/// below a level is known from the signs of the eigenvalues of that system, so that none is missed.
pub(super) fn solve(quotient: &Quotient, count: usize, options: &FreeResponseOptions) -> Result<Option<Reduced>> {
    if count > quotient.count() / 4 {
        return Ok(None);
    }
    let Some(split) = Split::of(quotient)? else { return Ok(None) };
    let pairs = match split.slowest(count, options) {
        Ok(Some(pairs)) => pairs,
        Ok(None) | Err(Error::NotConverged { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let modes = pairs.into_iter().map(|(mu, y)| Mode::new(mu, Shape::Cells(y))).collect();
    Ok(Some(Reduced { modes, parts: Vec::new(), method: FreeResponseMethod::ShiftInvert }))
}

impl Split {
    fn of(quotient: &Quotient) -> Result<Option<Self>> {
        let cells = quotient.count();
        let (listed_terms, others) = parted(quotient);
        if others.is_empty() {
            return Ok(None);
        }
        let Some(edges) = listed(&listed_terms, cells) else { return Ok(None) };
        if (0..cells).any(|i| edges.row(i).any(|(_, w)| w < 0.0)) {
            return Ok(None);
        }
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        let mut degrees = vec![0.0; cells];
        for term in others {
            let Some(low_rank) = term.by_columns(MOST_COLUMNS)? else { return Ok(None) };
            let entry = |i: usize, j: usize| term.shares[i] * low_rank.columns[[term.grouping.group(i), j]];
            columns.extend((0..low_rank.values.len()).map(|j| (0..cells).map(|i| entry(i, j)).collect::<Vec<f64>>()));
            values.extend(&low_rank.values);
            term.degrees().zip(&mut degrees).for_each(|(own, sum)| *sum += own);
        }
        if columns.len() > MOST_COLUMNS || columns.len() * cells > MOST_MEMORY {
            return Ok(None);
        }
        let Some((order, band)) = shift_invert::narrow_order(&edges) else { return Ok(None) };
        let (kappa, excess) = excess(&degrees, &quotient.weights);
        let (columns, signs) = centered(columns, &values, &quotient.weights);
        let components = sparse_components(&edges);
        let mut grounded = vec![false; components.count];
        let held = components.of_vertex.iter().zip(&excess).filter(|(_, excess)| **excess > 0.0);
        held.for_each(|(&part, _)| grounded[part as usize] = true);
        let loose = grounded.iter().filter(|held| !**held).count();
        let permuted = |x: &[f64]| order.iter().map(|&i| x[i as usize]).collect::<Vec<f64>>();
        let (weights, excess) = (permuted(&quotient.weights), permuted(&excess));
        let columns = columns.iter().map(|column| permuted(column)).collect();
        Ok(Some(Self { edges, order, band, weights, kappa, excess, columns, signs, loose }))
    }

    fn slowest(&self, count: usize, options: &FreeResponseOptions) -> Result<Option<Pairs>> {
        let largest = UpdatedInverse::largest_shift(self)?;
        let last = if self.loose > 1 { LAST_LEVEL * largest } else { 0.0 };
        let mut levels: Vec<f64> =
            if largest > 0.0 { LEVELS.iter().map(|l| l * largest).collect() } else { Vec::new() };
        levels.push(last);
        let root: Vec<f64> = self.weights.iter().map(|v| v.sqrt()).collect();
        let length = dot(&root, &root).sqrt();
        let mut known = vec![root.iter().map(|r| r / length).collect::<Vec<f64>>()];
        // Each with its distance from κ.
        let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
        let mut inverse = UpdatedInverse::at(self, levels[0])?;
        let settings = |count: usize| Lanczos {
            count,
            max_iterations: options.max_iterations,
            residual: tolerance::EIGEN_RESIDUAL,
            relative: true,
            seed: 1,
            what: "inverse iteration for free responses",
        };
        for levels in levels.windows(2) {
            let next = UpdatedInverse::at(self, levels[1])?;
            if !next.at_level().is_empty() && levels[1] != last {
                return Ok(None);
            }
            // All down to the next level, however close those beyond it are.
            while found.len() < next.values_below() {
                let floor = 1.0 / (levels[0] - levels[1]);
                let left = next.values_below() - found.len();
                let seed = found.len() as u64 + 1;
                let settings = Lanczos { seed, ..settings(left) };
                let pairs = settings.above(floor, &mut |z, out| inverse.apply(z, out), &known, root.len())?;
                for (theta, z) in pairs.values.iter().zip(pairs.vectors) {
                    known.push(z.clone());
                    found.push((1.0 / theta - levels[0], z));
                }
            }
            inverse = next;
            if found.len() >= count {
                break;
            }
        }
        for z in inverse.at_level() {
            found.push((self.distance(z, &root), z.clone()));
            known.push(z.clone());
        }
        if found.len() < count {
            let left = settings(count - found.len());
            let pairs = left.largest(&mut |z, out| inverse.apply(z, out), known, root.len())?;
            // A value of the other sign would lie below the last level, where all have been found.
            if pairs.values.iter().any(|theta| *theta <= 0.0) {
                return Ok(None);
            }
            found.extend(pairs.values.iter().map(|theta| 1.0 / theta - last).zip(pairs.vectors));
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.truncate(count);
        Ok(Some(self.in_cells(found, &root)))
    }

    /// μ − κ of a response y, given as the unit vector $V^{1/2}y$: squares of differences, less shares of the columns.
    fn distance(&self, z: &[f64], root: &[f64]) -> f64 {
        let y: Vec<f64> = z.iter().zip(root).map(|(z, r)| z / r).collect();
        let mut place = vec![0_usize; y.len()];
        self.order.iter().enumerate().for_each(|(k, &i)| place[i as usize] = k);
        let square = |(i, at): (usize, &usize)| {
            self.edges.row(i).map(|(j, w)| 0.5 * w * (y[*at] - y[place[j]]).powi(2)).sum::<f64>()
        };
        let along = |(u, sign): (&Vec<f64>, &f64)| sign * dot(u, &y).powi(2);
        let beyond: f64 = self.excess.iter().zip(&y).map(|(excess, y)| excess * y * y).sum();
        place.iter().enumerate().map(square).sum::<f64>() + beyond
            - self.columns.iter().zip(&self.signs).map(along).sum::<f64>()
    }

    /// Responses over cells in their own order.
    fn in_cells(&self, found: Vec<(f64, Vec<f64>)>, root: &[f64]) -> Pairs {
        let (distances, mut vectors): (Vec<f64>, Vec<Vec<f64>>) = found.into_iter().unzip();
        for z in &mut vectors {
            let mut y = vec![0.0; z.len()];
            self.order.iter().zip(z.iter()).for_each(|(&i, z)| y[i as usize] = *z);
            *z = y;
        }
        basis::settle(&distances, &mut vectors, |a, b| (a - b).abs() <= tolerance::EQUAL_DELTA * a.abs());
        let mut roots = vec![0.0; root.len()];
        self.order.iter().zip(root).for_each(|(&i, r)| roots[i as usize] = *r);
        for y in &mut vectors {
            y.iter_mut().zip(&roots).for_each(|(y, r)| *y /= r);
        }
        distances.iter().map(|distance| self.kappa + distance).zip(vectors).collect()
    }
}

/// Terms to be listed, and terms to be taken by columns.
fn parted<'q>(quotient: &'q Quotient) -> (Vec<&'q CellTerm<'q>>, Vec<&'q CellTerm<'q>>) {
    let few = |term: &&CellTerm<'_>| term.entries().is_some_and(|entries| entries <= FEW_ENTRIES * quotient.count());
    let few_or_many_groups =
        |term: &&CellTerm<'_>| few(term) || (term.entries().is_some() && term.grouping.count() > MOST_COLUMNS);
    quotient.terms.iter().partition(few_or_many_groups)
}

/// The smallest degree per weight κ, and what degrees exceed κv by, but for round-off.
fn excess(degrees: &[f64], weights: &[f64]) -> (f64, Vec<f64>) {
    let rates = || degrees.iter().zip(weights).map(|(d, v)| d / v);
    let kappa = rates().fold(f64::INFINITY, f64::min);
    let largest = rates().fold(0.0_f64, |m, rate| m.max(rate.abs()));
    let beyond = |(rate, v): (f64, &f64)| {
        let beyond = rate - kappa;
        if beyond > tolerance::SAME_VALUE * largest { beyond * v } else { 0.0 }
    };
    (kappa, rates().zip(weights).map(beyond).collect())
}

/// Columns without their weighted mean, times the root of |λ|, and the signs of λ; those that are all but constant say
/// nothing about responses of mean zero.
fn centered(columns: Vec<Vec<f64>>, values: &[f64], weights: &[f64]) -> (Vec<Vec<f64>>, Vec<f64>) {
    let q: f64 = weights.iter().sum();
    let size = |u: &[f64]| u.iter().zip(weights).map(|(u, v)| u * u / v).sum::<f64>();
    let total: f64 = columns.iter().zip(values).map(|(u, value)| size(u) * value.abs()).sum();
    let mut kept = (Vec::new(), Vec::new());
    for (mut column, value) in columns.into_iter().zip(values) {
        let mean = column.iter().sum::<f64>() / q;
        let root = value.abs().sqrt();
        column.iter_mut().zip(weights).for_each(|(u, v)| *u = (*u - mean * v) * root);
        if size(&column) > tolerance::rank(1) * total {
            kept.0.push(column);
            kept.1.push(value.signum());
        }
    }
    kept
}
