//! Sums by class: what a node needs to choose a code of the classes.

use ndarray::{Array2, Axis, s};

use super::plan::{Kind, Plan};
use super::sums::FactorSums;
use super::{CenteredMoments, CenteredRows, Finished};

/// The weight of each class and the mean of its samples.
///
/// Within the span of class means lies every feature that a graph over classes can have: who knows them can choose the code
/// of the classes, and with it the graph, after the samples are gone.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassSums {
    /// The sum of the vertex weights of each class.
    pub weights: Vec<f64>,
    /// One row per class, one column per input.
    pub means: Array2<f64>,
}

impl ClassSums {
    /// From sums in a frame, about `center`; nothing if the graph is not one of classes, or a class has no samples.
    pub(super) fn of(plan: &Plan, factors: &[FactorSums], extra: Option<&FactorSums>, center: &[f64]) -> Option<Self> {
        let (count, (_, kind)) = (plan.graph.classes()?, plan.class_term()?);
        let sums = match kind {
            Kind::Groups => factors.first()?,
            Kind::Columns => extra?,
            Kind::Laplacian => return None,
        };
        let weights = sums.weights[..count].to_vec();
        if weights.iter().any(|weight| *weight <= 0.0) {
            return None;
        }
        let mut means = sums.sums.slice(s![..count, ..]).to_owned();
        for (mut row, weight) in means.outer_iter_mut().zip(&weights) {
            row.iter_mut().zip(center).for_each(|(x, m)| *x = *x / weight - m);
        }
        Some(Self { weights, means })
    }

    /// From rows about their mean, each input in a unit of its own.
    pub(super) fn of_rows(rows: &CenteredRows) -> Option<Self> {
        let (count, [term]) = (rows.graph.classes()?, rows.graph.terms()) else { return None };
        let (mut weights, mut means) = (vec![0.0; count], Array2::zeros((count, rows.rows.ncols())));
        let vertices = rows.rows.outer_iter().zip(term.grouping.of_vertex()).zip(&term.shares);
        for ((row, &class), share) in vertices.filter(|((_, class), _)| (**class as usize) < count) {
            weights[class as usize] += share;
            means.row_mut(class as usize).scaled_add(*share, &row);
        }
        if weights.iter().any(|weight| *weight <= 0.0) {
            return None;
        }
        means.outer_iter_mut().zip(&weights).for_each(|(mut row, weight)| row /= *weight);
        Some(Self { weights, means })
    }

    /// In the units of the inputs, about `mean`.
    fn in_units(mut self, scales: &[f64], mean: &[f64]) -> Self {
        for ((mut column, scale), mean) in self.means.axis_iter_mut(Axis(1)).zip(scales).zip(mean) {
            column.mapv_inplace(|x| mean + x / scale);
        }
        self
    }
}

impl CenteredMoments {
    /// The weights and means of the classes of a clustered or compact graph; nothing for other graphs, and for more classes
    /// than inputs and 256 where edges are summed from differences.
    pub fn class_sums(&self) -> Option<ClassSums> {
        match &self.0 {
            Finished::Covariance(centered) => {
                centered.classes.clone().map(|sums| sums.in_units(&centered.scales, &centered.mean))
            }
            Finished::Rows(rows) => ClassSums::of_rows(rows).map(|sums| sums.in_units(&rows.scales, rows.mean())),
        }
    }
}
