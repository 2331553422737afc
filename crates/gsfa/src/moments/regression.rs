//! Sums for the regression of target labels on samples: exact cross-validation needs nothing else.

use std::sync::Arc;

use ndarray::Array2;

use super::plan::Kind;
use super::{Centered, Covariance};
use crate::Result;
use crate::graph::{Coupling, EdgeTerm, TrainingGraph};
use crate::linalg::lower_product::zeros;
use crate::linalg::multiply;
use crate::samples::SampleType;

/// Weighted sums of 1, y, yyᵀ, yℓ, ℓ and ℓ² over rows y (in a common frame) with labels ℓ.
#[derive(Debug, Clone)]
pub(crate) struct RegressionSums {
    pub samples: usize,
    pub weight: f64,
    pub first: Vec<f64>,
    /// Lower triangle.
    pub second: Array2<f64>,
    /// One row per input, one column per label.
    pub products: Array2<f64>,
    pub label_first: Vec<f64>,
    pub label_second: Vec<f64>,
}

/// The labels that a graph makes slow, as columns over the groups of one of its terms, and their importance.
#[derive(Debug, Clone)]
pub(crate) struct GraphLabels {
    /// One row per group, one column per label; one set for each term.
    pub columns: Vec<Array2<f64>>,
    /// λ, over all terms.
    pub importance: Vec<f64>,
}

impl GraphLabels {
    /// Target labels, or the indicators of clusters; `None` if the graph is not made of these, or its vertices do not
    /// act with their vertex weights alone.
    pub fn of(graph: &TrainingGraph) -> Option<Self> {
        let v = graph.vertex_weights();
        let (mut columns, mut importance) = (Vec::new(), Vec::new());
        for term in graph.terms() {
            if term.loops.is_some() || !super::remaining::shares_are_weights(term, v) {
                return None;
            }
            match &term.coupling {
                Coupling::LowRank(low) => {
                    importance.extend(low.values.iter().map(|value| value.max(0.0)));
                    columns.push(low.columns.clone());
                }
                Coupling::Banded(band) if band.diagonals().iter().all(|(offset, _)| *offset == 0) => {
                    importance.extend(band.diagonal(0)?.iter().map(|value| value.max(0.0)));
                    columns.push(Array2::eye(term.grouping.count()));
                }
                _ => return None,
            }
        }
        importance.iter().any(|value| *value > 0.0).then_some(Self { columns, importance })
    }
}

impl GraphLabels {
    /// The labels of every vertex of the graph, one row each, and their importance.
    pub fn of_vertices(&self, graph: &TrainingGraph) -> (Array2<f64>, Vec<f64>) {
        let mut values = Array2::zeros((graph.len(), self.importance.len()));
        let mut from = 0;
        for (term, columns) in graph.terms().iter().zip(&self.columns) {
            let to = from + columns.ncols();
            for (n, mut row) in values.outer_iter_mut().enumerate() {
                row.slice_mut(ndarray::s![from..to]).assign(&columns.row(term.grouping.group(n)));
            }
            from = to;
        }
        (values, self.importance.clone())
    }
}

impl<T: SampleType> Covariance<T> {
    /// Empty sums in the same frame, so that both can be added without a shift.
    pub(crate) fn empty(&self) -> Self {
        Self { frame: self.frame.clone(), fixed_frame: self.frame.is_some(), ..Self::new(&self.plan.graph, self.dim) }
    }

    /// The sums for regression on `labels`, which are those of the graph.
    pub(crate) fn regression_sums(mut self, labels: &GraphLabels) -> Result<RegressionSums> {
        self.flush()?;
        let v = self.plan.graph.vertex_weights();
        let count = labels.importance.len();
        let mut products = zeros::<f64>(self.dim, count);
        let (mut label_first, mut label_second) = (vec![0.0; count], vec![0.0; count]);
        let mut from = 0;
        for (((term, kind, _), sums), columns) in self.plan.factors().zip(&self.sums.factors).zip(&labels.columns) {
            let to = from + columns.ncols();
            // Shares are vertex weights up to a factor.
            let factor = v[0] / term.shares[0];
            let summed = match kind {
                Kind::Columns => sums.sums.t().to_owned(),
                _ => multiply(sums.sums.t(), columns.view()),
            };
            products.slice_mut(ndarray::s![.., from..to]).assign(&(summed * factor));
            let weights = group_weights(term, v, self.rows.iter());
            for (t, &w) in columns.outer_iter().zip(&weights) {
                for (j, t) in t.iter().enumerate() {
                    label_first[from + j] += w * t;
                    label_second[from + j] += w * t * t;
                }
            }
            from = to;
        }
        let main = self.sums.main;
        let (weight, first, second) = (main.weight, main.first, main.second);
        Ok(RegressionSums { samples: self.rows.len(), weight, first, second, products, label_first, label_second })
    }

    /// 2^k of each column of the frame, and the shift; nothing before the first row.
    pub(crate) fn frame_scales(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        self.frame.as_ref().map(|frame| (frame.scales(), frame.shift.iter().map(|s| s.to_f64()).collect()))
    }
}

fn group_weights(term: &EdgeTerm, v: &[f64], rows: impl Iterator<Item = usize>) -> Vec<f64> {
    let mut weights = vec![0.0; term.grouping.count()];
    rows.for_each(|n| weights[term.grouping.group(n)] += v[n]);
    weights
}

impl RegressionSums {
    /// `self + sign·other`, both in the same frame.
    pub fn plus(mut self, other: &Self, sign: f64) -> Self {
        let add = |a: &mut [f64], b: &[f64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += sign * b);
        self.samples = if sign > 0.0 { self.samples + other.samples } else { self.samples - other.samples };
        self.weight += sign * other.weight;
        add(&mut self.first, &other.first);
        add(&mut self.label_first, &other.label_first);
        add(&mut self.label_second, &other.label_second);
        self.second.scaled_add(sign, &other.second);
        self.products.scaled_add(sign, &other.products);
        self
    }

    /// The mean of the rows, in the frame.
    pub fn center(&self) -> Vec<f64> {
        self.first.iter().map(|m| m / self.weight).collect()
    }

    /// Σv(y − c)(y − c)ᵀ, lower triangle, for any c.
    pub fn second_about(&self, c: &[f64]) -> Array2<f64> {
        let mut out = self.second.clone();
        for (j, mut column) in out.axis_iter_mut(ndarray::Axis(1)).enumerate() {
            for i in j..c.len() {
                column[i] += self.weight * c[i] * c[j] - self.first[i] * c[j] - c[i] * self.first[j];
            }
        }
        out
    }

    /// Σv(y − c)(ℓ − m)ᵀ.
    pub fn products_about(&self, c: &[f64], m: &[f64]) -> Array2<f64> {
        Array2::from_shape_fn(self.products.dim(), |(i, j)| {
            let moved = self.weight * c[i] * m[j] - self.first[i] * m[j] - c[i] * self.label_first[j];
            self.products[[i, j]] + moved
        })
    }

    /// Σv(ℓ − m)².
    pub fn label_squares_about(&self, m: &[f64]) -> Vec<f64> {
        let sums = self.label_second.iter().zip(&self.label_first).zip(m);
        sums.map(|((s, f), m)| s - 2.0 * m * f + self.weight * m * m).collect()
    }

    /// Mean and covariance as the solver takes them, without edges. `scales` and `shift` describe the frame.
    pub fn centered(&self, scales: &[f64], shift: &[f64], epsilon: f64) -> Centered {
        let center = self.center();
        let covariance = self.second_about(&center) / self.weight;
        let mean = shift.iter().zip(&center).zip(scales).map(|((s, m), c)| s + m / c).collect();
        Centered {
            samples: self.samples,
            epsilon,
            q: self.weight,
            mean,
            scales: scales.to_vec(),
            covariance: Arc::new(covariance),
            level: 2.0,
            rest: None,
            factors: Vec::new(),
            targets: Vec::new(),
            rotation: None,
            code: None,
            classes: None,
        }
    }
}
