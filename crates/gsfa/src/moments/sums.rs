//! The sums themselves, and how a block of rows adds to them.

use std::ops::Range;

use ndarray::{Array2, ArrayView2, s};

use super::frame::Frame;
use super::plan::{Kind, Plan};
use crate::Result;
use crate::graph::{Coupling, EdgeTerm};
use crate::linalg::buffers::Buffer;
use crate::linalg::lower_product::{add_lower, lower_product, zeros};
use crate::linalg::panels::Panels;
use crate::linalg::{Buffers, Real, multiply_into, vectorized};

/// Weighted sums of 1, y and (lower triangle) yyᵀ over rows y.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Weighted {
    pub weight: f64,
    pub first: Vec<f64>,
    pub second: Array2<f64>,
}

/// $\sum f_n$ and $\sum f_n y_n$ for each group or column of a term; one row of `sums` each.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FactorSums {
    pub weights: Vec<f64>,
    pub sums: Array2<f64>,
}

/// All sums of a plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sums {
    /// With weights v.
    pub main: Weighted,
    /// With the weights that inconsistent graphs need.
    pub extra: Option<Weighted>,
    pub factors: Vec<FactorSums>,
    /// By class, where factors are not.
    pub classes: Option<FactorSums>,
    /// $\sum_t Z^T L_t Z$ (lower triangle) of the terms taken from differences.
    pub laplacian: Option<Array2<f64>>,
}

impl Weighted {
    fn zero(dim: usize) -> Self {
        Self { weight: 0.0, first: vec![0.0; dim], second: zeros(dim, dim) }
    }
}

impl Sums {
    pub fn zero(plan: &Plan, dim: usize) -> Self {
        let factor = |k| FactorSums { weights: vec![0.0; k], sums: Array2::zeros((k, dim)) };
        Self {
            main: Weighted::zero(dim),
            extra: plan.second.as_ref().map(|_| Weighted::zero(dim)),
            factors: plan.factors().map(|(_, _, k)| factor(k)).collect(),
            classes: plan.extra_classes().map(|term| factor(term.grouping.count())),
            laplacian: plan.needs_random_access().then(|| zeros(dim, dim)),
        }
    }
}

/// A block of rows in the frame, each times the root of its vertex weight.
pub(crate) struct Packed<'b, T: Real> {
    pub rows: Panels<'b, T>,
    pub first_row: usize,
    pub roots: Vec<f64>,
}

impl<'b, T: Real> Packed<'b, T> {
    pub fn new(
        plan: &Plan,
        frame: &Frame<T>,
        block: ArrayView2<'_, T>,
        first_row: usize,
        buffers: &'b Buffers<T>,
    ) -> Result<Self> {
        let v = &plan.graph.vertex_weights()[first_row..first_row + block.nrows()];
        let roots: Vec<f64> = v.iter().map(|v| v.sqrt()).collect();
        let rows = frame.pack(block, &roots, buffers, |n| first_row + n)?;
        Ok(Self { rows, first_row, roots })
    }

    /// The global numbers of the rows.
    fn numbers(&self) -> Range<usize> {
        self.first_row..self.first_row + self.rows.rows()
    }
}

/// What a block of rows adds to the sums over thin things; matrices of the covariances apart.
pub(crate) struct ThinPart {
    first: Vec<f64>,
    extra_first: Option<Vec<f64>>,
    /// For each factor, which of its sums the block touches, and what it adds to them.
    factors: Vec<(Vec<usize>, FactorSums)>,
    classes: Option<(Vec<usize>, FactorSums)>,
    weight: f64,
    extra_weight: f64,
}

impl ThinPart {
    pub fn new<T: Real>(plan: &Plan, packed: &Packed<'_, T>) -> Self {
        let Packed { rows, roots, .. } = packed;
        let numbers = packed.numbers();
        let v = &plan.graph.vertex_weights()[numbers.clone()];
        let extra = plan.second.as_ref().map(|e| &e[numbers]);
        let factors = plan.factors().map(|(term, kind, _)| match (kind, &term.coupling) {
            (Kind::Columns, Coupling::LowRank(low)) => column_sums(term, &low.columns, packed),
            _ => group_sums(term, packed),
        });
        Self {
            first: weighted_sum(rows, roots),
            extra_first: extra
                .map(|e| weighted_sum(rows, &e.iter().zip(roots).map(|(e, r)| e / r).collect::<Vec<_>>())),
            factors: factors.collect(),
            classes: plan.extra_classes().map(|term| group_sums(term, packed)),
            weight: v.iter().sum(),
            extra_weight: extra.map_or(0.0, |e| e.iter().sum()),
        }
    }

    pub fn add_to(&self, sums: &mut Sums) {
        sums.main.weight += self.weight;
        add(&mut sums.main.first, &self.first);
        if let (Some(extra), Some(first)) = (&mut sums.extra, &self.extra_first) {
            extra.weight += self.extra_weight;
            add(&mut extra.first, first);
        }
        let factors = sums.factors.iter_mut().chain(&mut sums.classes);
        for (sum, (index, part)) in factors.zip(self.factors.iter().chain(&self.classes)) {
            for (k, &at) in index.iter().enumerate() {
                sum.weights[at] += part.weights[k];
                sum.sums.row_mut(at).zip_mut_with(&part.sums.row(k), |s, p| *s += p);
            }
        }
    }
}

/// What a narrow block adds: a partial sum of its own, merged later in the order of the blocks.
pub(crate) struct Part<'b> {
    thin: ThinPart,
    second: Buffer<'b, f64>,
    extra_second: Option<Buffer<'b, f64>>,
}

impl<'b> Part<'b> {
    pub fn new<T: Real>(plan: &Plan, packed: &Packed<'_, T>, buffers: &'b Buffers<T>) -> Self {
        let rows = std::slice::from_ref(&packed.rows);
        let extra = |weights: &Vec<f64>| {
            let reweighted = packed.rows.scaled(&plan.ratios(weights, packed.numbers()), buffers);
            lower_product(rows, &[reweighted], buffers)
        };
        Self {
            thin: ThinPart::new(plan, packed),
            second: lower_product(rows, rows, buffers),
            extra_second: plan.second.as_ref().map(extra),
        }
    }

    /// Adds parts to the sums in their order.
    pub fn add_all(parts: &[Self], sums: &mut Sums) {
        parts.iter().for_each(|part| part.thin.add_to(sums));
        add_lower(&mut sums.main.second, &parts.iter().map(|part| &part.second).collect::<Vec<_>>());
        if let Some(extra) = &mut sums.extra {
            add_lower(
                &mut extra.second,
                &parts.iter().filter_map(|part| part.extra_second.as_ref()).collect::<Vec<_>>(),
            );
        }
    }
}

fn add(sum: &mut [f64], part: &[f64]) {
    sum.iter_mut().zip(part).for_each(|(s, p)| *s += p);
}

vectorized! {
    fn weighted_sum<T: Real>(rows: &Panels<'_, T>, weights: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; rows.columns()];
        let width = rows.width();
        for (columns, panel) in rows.iter() {
            let sum = &mut sum[columns];
            // The length of whole panels is known to the compiler, which keeps their sums in registers.
            match (sum.len() == width, width) {
                (true, 12) => add_panel::<T, 12>(sum, panel, weights),
                (true, 24) => add_panel::<T, 24>(sum, panel, weights),
                (true, 48) => add_panel::<T, 48>(sum, panel, weights),
                _ => {
                    for (row, &weight) in panel.chunks_exact(width).zip(weights) {
                        add_row(sum, row, weight);
                    }
                }
            }
        }
        sum
    }
}

/// `sum += weight·row` for the rows of a whole panel.
#[inline(always)]
fn add_panel<T: Real, const N: usize>(sum: &mut [f64], panel: &[T], weights: &[f64]) {
    let mut sums = [0.0; N];
    for (row, &weight) in panel.as_chunks::<N>().0.iter().zip(weights) {
        add_row(&mut sums, row, weight);
    }
    sum.copy_from_slice(&sums);
}

/// `sum += weight·row`.
#[inline(always)]
fn add_row<T: Real>(sum: &mut [f64], row: &[T], weight: f64) {
    sum.iter_mut().zip(row).for_each(|(s, x)| *s += weight * x.to_f64());
}

vectorized! {
    /// Adds every row, times its factor, to the row of `sums` at its place.
    fn add_rows<T: Real>(sums: &mut Array2<f64>, rows: &Panels<'_, T>, at: &[usize], factors: &[f64]) {
        for (columns, panel) in rows.iter() {
            for ((row, &at), &factor) in panel.chunks_exact(rows.width()).zip(at).zip(factors) {
                if let Some(sum) = sums.row_mut(at).as_slice_mut() {
                    add_row(&mut sum[columns.clone()], row, factor);
                }
            }
        }
    }
}

fn group_sums<T: Real>(term: &EdgeTerm, packed: &Packed<'_, T>) -> (Vec<usize>, FactorSums) {
    let (rows, roots, numbers) = (&packed.rows, &packed.roots, packed.numbers());
    let (groups, shares) = (&term.grouping.of_vertex()[numbers.clone()], &term.shares[numbers]);
    // Sorted data touches few groups per block; the part holds only these.
    let mut place = vec![usize::MAX; term.grouping.count()];
    let mut index = Vec::new();
    for &g in groups {
        if place[g as usize] == usize::MAX {
            place[g as usize] = index.len();
            index.push(g as usize);
        }
    }
    let mut part = FactorSums { weights: vec![0.0; index.len()], sums: Array2::zeros((index.len(), rows.columns())) };
    let at: Vec<usize> = groups.iter().map(|&g| place[g as usize]).collect();
    for (&at, share) in at.iter().zip(shares) {
        part.weights[at] += share;
    }
    let factors: Vec<f64> = shares.iter().zip(roots).map(|(share, root)| share / root).collect();
    add_rows(&mut part.sums, rows, &at, &factors);
    (index, part)
}

fn column_sums<T: Real>(term: &EdgeTerm, columns: &Array2<f64>, packed: &Packed<'_, T>) -> (Vec<usize>, FactorSums) {
    let Packed { rows, first_row, roots } = packed;
    let count = columns.ncols();
    let mut weights = vec![0.0; count];
    let mut coefficients = Array2::from_elem((rows.rows(), count), T::default());
    for (k, mut out) in coefficients.outer_iter_mut().enumerate() {
        let n = first_row + k;
        let (share, factor) = (term.shares[n], term.shares[n] / roots[k]);
        for ((o, &t), w) in out.iter_mut().zip(columns.row(term.grouping.group(n))).zip(&mut weights) {
            *w += share * t;
            *o = T::from_f64(factor * t);
        }
    }
    let mut product = zeros::<T>(rows.columns(), count);
    for (columns, panel) in rows.iter() {
        let used = columns.len();
        // Rows of a panel are as long as any other, so that a view always fits.
        if let Ok(panel) = ArrayView2::from_shape((rows.rows(), rows.width()), panel) {
            let panel = panel.slice_move(s![.., ..used]);
            multiply_into(product.slice_mut(s![columns, ..]), panel.t(), coefficients.view());
        }
    }
    let sums = product.t().mapv(Real::to_f64);
    ((0..count).collect(), FactorSums { weights, sums: sums.as_standard_layout().into_owned() })
}

/// Rows in pieces of a size, for work that runs in parallel over them.
pub(crate) fn pieces(rows: Range<usize>, size: usize) -> Vec<Range<usize>> {
    rows.clone().step_by(size).map(|from| from..(from + size).min(rows.end)).collect()
}
