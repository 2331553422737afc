//! Finished sums: mean, covariance and the parts of Ċ.

use std::sync::Arc;

use ndarray::{Array2, ArrayView2, Axis};
use rayon::prelude::*;

use super::plan::Kind;
use super::sums::{FactorSums, Weighted};
use super::{ClassSums, Covariance, Rotation};
use crate::graph::{CodeToLearn, Coupling, EdgeTerm};
use crate::linalg::lower_product::{symmetrize, zeros};
use crate::linalg::multiply;
use crate::samples::SampleType;
use crate::{Error, Result};

/// Columns of a covariance that one thread centres at a time.
const COLUMNS: usize = 256;

/// Centred second moments of samples on a graph, or of coordinates that stand for them.
///
/// With each input times a power of two (near the inverse of its deviation),
/// $\dot C = \mathit{level}\cdot C + \mathit{rest} - \sum B S B^T$: `level` is the delta value of directions that no
/// edge term singles out (2 in consistent graphs), `rest` is there for inconsistent graphs and those that connect single
/// samples, and B has one column per group or label.
#[derive(Debug, Clone)]
pub(crate) struct Centered {
    pub(crate) samples: usize,
    pub(crate) epsilon: f64,
    pub(crate) q: f64,
    pub(crate) mean: Vec<f64>,
    /// Powers of two: scaled input = input · scale.
    pub(crate) scales: Vec<f64>,
    /// C of scaled inputs, lower triangle; shared by graphs over the same samples.
    pub(crate) covariance: Arc<Array2<f64>>,
    pub(crate) level: f64,
    /// Lower triangle.
    pub(crate) rest: Option<Array2<f64>>,
    pub(crate) factors: Vec<Factor>,
    pub(crate) targets: Vec<Target>,
    /// What inputs are coordinates of, if not samples.
    pub(crate) rotation: Option<Box<Rotation>>,
    /// The code of classes that is to be learned.
    pub(crate) code: Option<CodeToLearn>,
    /// Of scaled inputs about their mean; nothing if the graph is not one of classes.
    pub(crate) classes: Option<ClassSums>,
}

/// One term B S Bᵀ of Ċ, taken away.
#[derive(Debug, Clone)]
pub(crate) struct Factor {
    /// B: one row per scaled input.
    pub columns: Array2<f64>,
    pub coupling: FactorCoupling,
}

/// S of a factor.
#[derive(Debug, Clone)]
pub(crate) enum FactorCoupling {
    /// Diagonal with entries ±1.
    Signs(Vec<f64>),
    /// Entries (g, h, s) with g ≤ h, each standing for both triangles.
    Entries(Vec<(usize, usize, f64)>),
}

/// A target label: a column of a low-rank term.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Target {
    pub(crate) factor: usize,
    pub(crate) column: usize,
    /// Correlation of a feature w of unit variance with the label = `scale`·bᵀw.
    pub(crate) scale: f64,
    /// λ.
    pub(crate) eigenvalue: f64,
}

/// The couplings and sums of a graph that may be that of the remaining samples only.
pub(super) struct GraphScale {
    pub q: f64,
    pub r: f64,
    pub coupled: Vec<Coupled>,
}

/// The coupling of one factor.
pub(super) enum Coupled {
    /// Labels: columns over groups (for sums by group) or a transform of the columns summed, eigenvalues, deviations.
    Labels { transform: Option<Array2<f64>>, values: Vec<f64>, deviations: Vec<f64> },
    /// Groups: entries g ≤ h of S.
    Groups(Vec<(usize, usize, f64)>),
}

impl Centered {
    /// I, the number of inputs.
    pub fn input_dim(&self) -> usize {
        self.mean.len()
    }

    /// C `[eq:cov_tg]`, in the units of the inputs: infinite or 0 where these are beyond $10^{\pm 154}$.
    pub fn covariance(&self) -> Array2<f64> {
        self.unscaled(&self.covariance)
    }

    /// The standard deviation of each input, whose square may be no number.
    pub(crate) fn deviations(&self) -> impl Iterator<Item = f64> + '_ {
        self.covariance.diag().into_iter().zip(&self.scales).map(|(variance, scale)| variance.max(0.0).sqrt() / scale)
    }

    /// The covariance of inputs times `factors`, in the memory of the sums, which may be large.
    pub(crate) fn into_covariance(self, factors: &[f64]) -> Array2<f64> {
        let mut covariance = Arc::unwrap_or_clone(self.covariance);
        // Factors near the inverse of a deviation meet scales near it: neither product leaves the range of numbers.
        let factors: Vec<f64> = factors.iter().zip(&self.scales).map(|(factor, scale)| factor / scale).collect();
        for (j, mut column) in covariance.axis_iter_mut(Axis(1)).enumerate() {
            for (i, c) in column.iter_mut().enumerate().skip(j) {
                *c *= factors[i] * factors[j];
            }
        }
        symmetrize(&mut covariance);
        // Equal to its transpose, which is in the order of rows.
        covariance.reversed_axes()
    }

    /// The same samples on the graph of other labels, given as combinations of the target labels of this one.
    pub(crate) fn with_labels(&self, combinations: ArrayView2<'_, f64>) -> Self {
        let columns = multiply(self.factors[0].columns.view(), combinations);
        let count = columns.ncols();
        let coupling = FactorCoupling::Signs(vec![1.0; count]);
        let targets = (0..count).map(|column| Target { column, ..self.targets[0] }).collect();
        Self { factors: vec![Factor { columns, coupling }], targets, code: None, ..self.clone() }
    }

    /// Ċ `[eq:dcov_tg]`, in the units of the inputs.
    pub fn derivative_covariance(&self) -> Array2<f64> {
        let mut sum = self.covariance.mapv(|c| self.level * c);
        if let Some(rest) = &self.rest {
            sum += rest;
        }
        for factor in &self.factors {
            let coupled = factor.coupling.apply(&factor.columns);
            sum -= &multiply(coupled.view(), factor.columns.t());
        }
        self.unscaled(&sum)
    }

    fn unscaled(&self, lower: &Array2<f64>) -> Array2<f64> {
        Array2::from_shape_fn(lower.dim(), |(i, j)| lower[[i.max(j), i.min(j)]] / self.scales[i] / self.scales[j])
    }
}

impl FactorCoupling {
    /// BS, for B with one column per group or label.
    pub fn apply(&self, b: &Array2<f64>) -> Array2<f64> {
        match self {
            Self::Signs(signs) => {
                let mut out = b.clone();
                out.axis_iter_mut(Axis(1)).zip(signs).for_each(|(mut column, s)| column *= *s);
                out
            }
            Self::Entries(entries) => {
                let mut out = zeros::<f64>(b.nrows(), b.ncols());
                for &(g, h, s) in entries {
                    out.column_mut(g).scaled_add(s, &b.column(h));
                    if g != h {
                        out.column_mut(h).scaled_add(s, &b.column(g));
                    }
                }
                out
            }
        }
    }
}

impl<T: SampleType> Covariance<T> {
    /// Centres the sums.
    ///
    /// # Errors
    /// [`Error::MissingRows`] unless every vertex of the graph was added.
    pub fn finish(self) -> Result<Centered> {
        self.rows.check_complete(self.plan.graph.len())?;
        let coupled = self.plan.factors().map(|(term, kind, _)| match &term.coupling {
            Coupling::LowRank(low) => Coupled::Labels {
                transform: (kind == Kind::Groups).then(|| low.columns.clone()),
                values: low.values.clone(),
                deviations: deviations(term, &low.columns, self.plan.graph.vertex_weights(), self.plan.graph.q()),
            },
            other => Coupled::Groups(entries(other)),
        });
        let scale = GraphScale { q: self.plan.graph.q(), r: self.plan.graph.r(), coupled: coupled.collect() };
        self.center(scale)
    }

    pub(super) fn center(mut self, graph: GraphScale) -> Result<Centered> {
        self.flush()?;
        let Some(frame) = &self.frame else { return Err(Error::TooFewSamples { needed: 2, got: 0 }) };
        let GraphScale { q, r, coupled } = graph;
        let totals = Totals { q, r };
        let weight = self.sums.main.weight;
        let center: Vec<f64> = self.sums.main.first.iter().map(|m| m / weight).collect();
        let scales = frame.scales();
        let mean = (frame.shift.iter().zip(&center).zip(&scales)).map(|((s, m), c)| s.to_f64() + m / c).collect();
        let mut rest = self.sums.extra.as_ref().map(|extra| about(extra, &center));
        if let Some(laplacian) = self.sums.laplacian.take() {
            rest = Some(rest.map_or(laplacian.clone(), |extra| extra + &laplacian));
        }
        if let Some(rest) = &mut rest {
            rest.mapv_inplace(|x| 2.0 * x / r);
        }
        let mut covariance = self.sums.main.second;
        let columns: Vec<_> = covariance.axis_iter_mut(Axis(1)).enumerate().collect();
        columns.into_par_iter().with_min_len(COLUMNS).for_each(|(j, mut column)| {
            column.iter_mut().zip(&center).skip(j).for_each(|(c, m)| *c = *c / weight - m * center[j]);
        });
        let mut factors = Vec::new();
        let mut targets = Vec::new();
        for (sums, coupled) in self.sums.factors.iter().zip(coupled) {
            let (factor, found) = factor(sums, coupled, &center, totals);
            targets.extend(found.into_iter().map(|target| Target { factor: factors.len(), ..target }));
            factors.push(factor);
        }
        let classes = ClassSums::of(&self.plan, &self.sums.factors, self.sums.classes.as_ref(), &center);
        let (samples, level) = (self.rows.len(), 2.0 * self.plan.proportion * q / r);
        let (epsilon, covariance, rotation) = (T::EPSILON, Arc::new(covariance), None);
        let code = self.plan.graph.code().cloned();
        Ok(Centered {
            samples,
            epsilon,
            q,
            mean,
            scales,
            covariance,
            level,
            rest,
            factors,
            targets,
            rotation,
            code,
            classes,
        })
    }
}

/// $\sum e zz^T$ about the weighted mean, whose weights are others.
fn about(sums: &Weighted, center: &[f64]) -> Array2<f64> {
    let mut second = sums.second.clone();
    for (j, mut column) in second.axis_iter_mut(Axis(1)).enumerate() {
        for (i, c) in column.iter_mut().enumerate() {
            let (fi, fj, mi, mj) = (sums.first[i], sums.first[j], center[i], center[j]);
            *c -= fi * mj + mi * fj - sums.weight * mi * mj;
        }
    }
    second
}

/// Q and R.
#[derive(Clone, Copy)]
pub(super) struct Totals {
    pub q: f64,
    pub r: f64,
}

/// B and S such that B S Bᵀ = (2/R)·ZᵀF S Fᵀ Z, with columns of moderate size, and the target labels among the columns,
/// which do not know yet which factor this is.
pub(super) fn factor(sums: &FactorSums, coupled: Coupled, center: &[f64], totals: Totals) -> (Factor, Vec<Target>) {
    let Totals { q, r } = totals;
    let mut columns = zeros::<f64>(center.len(), sums.weights.len());
    for (k, mut column) in columns.axis_iter_mut(Axis(1)).enumerate() {
        let row = sums.sums.row(k);
        column.iter_mut().zip(row).zip(center).for_each(|((b, s), m)| *b = s - sums.weights[k] * m);
    }
    match coupled {
        Coupled::Groups(mut entries) => {
            // Group means instead of sums, so that groups of any size have columns of the same magnitude.
            // Groups without edges (left without samples by a subtraction) count for nothing, round-off included.
            let mut used = vec![false; sums.weights.len()];
            for (g, h, s) in &mut entries {
                *s *= 2.0 / r * sums.weights[*g] * sums.weights[*h];
                used[*g] = true;
                used[*h] = true;
            }
            for (k, mut column) in columns.axis_iter_mut(Axis(1)).enumerate() {
                let size = if used[k] { 1.0 / sums.weights[k] } else { 0.0 };
                column.mapv_inplace(|b| b * size);
            }
            (Factor { columns, coupling: FactorCoupling::Entries(entries) }, Vec::new())
        }
        Coupled::Labels { transform, values, deviations } => {
            let mut columns = transform.map_or(columns.clone(), |t| multiply(columns.view(), t.view()));
            let mut targets = Vec::new();
            for (j, (&value, &deviation)) in values.iter().zip(&deviations).enumerate() {
                let size = (2.0 * value.abs() / r).sqrt();
                columns.column_mut(j).mapv_inplace(|b| b * size);
                if value > 0.0 && deviation > 0.0 {
                    let scale = 1.0 / (size * q * deviation);
                    targets.push(Target { factor: 0, column: j, scale, eigenvalue: value });
                }
            }
            let signs = values.iter().map(|v| v.signum()).collect();
            (Factor { columns, coupling: FactorCoupling::Signs(signs) }, targets)
        }
    }
}

/// Weighted standard deviations of the labels ℓ = a t/v, which are t itself where shares are vertex weights.
pub(super) fn deviations(term: &EdgeTerm, columns: &Array2<f64>, v: &[f64], q: f64) -> Vec<f64> {
    let squares: Vec<f64> = term.shares.iter().zip(v).map(|(a, v)| a * a / v).collect();
    let (first, second) = (term.grouping.sums(&term.shares), term.grouping.sums(&squares));
    (columns.axis_iter(Axis(1)))
        .map(|t| {
            let mean: f64 = t.iter().zip(&first).map(|(t, a)| t * a).sum::<f64>() / q;
            let square: f64 = t.iter().zip(&second).map(|(t, a)| t * t * a).sum::<f64>() / q;
            (square - mean * mean).max(0.0).sqrt()
        })
        .collect()
}

pub(super) fn entries(coupling: &Coupling) -> Vec<(usize, usize, f64)> {
    let mut entries = Vec::new();
    coupling.visit_upper(|g, h, s| entries.push((g, h, s)));
    entries
}
