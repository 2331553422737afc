//! Target labels at the vertices, and how features correlate with them.

use ndarray::{Array2, ArrayView2, Axis};

use super::{Coupling, TrainingGraph};
use crate::Result;

impl TrainingGraph {
    /// The target labels of every vertex of an ELL or compact graph, a column for each label; those of vertices without
    /// labels are 0. `None` if the graph has no target labels.
    pub fn target_values(&self) -> Option<Array2<f64>> {
        let (Some(_), [term]) = (self.targets(), self.terms()) else { return None };
        let Coupling::LowRank(low) = &term.coupling else { return None };
        let rows: Vec<usize> = term.grouping.of_vertex().iter().map(|&g| g as usize).collect();
        Some(low.columns.select(Axis(0), &rows))
    }

    /// Weighted correlations of features (one row per vertex) with the target labels of an ELL or compact graph: a row for
    /// each feature, a column for each label. `None` if the graph has no target labels.
    ///
    /// # Errors
    /// If the number of rows is not that of the vertices.
    pub fn target_correlations(&self, features: ArrayView2<'_, f64>) -> Result<Option<Array2<f64>>> {
        let (Some(_), [term]) = (self.targets(), self.terms()) else { return Ok(None) };
        let Coupling::LowRank(low) = &term.coupling else { return Ok(None) };
        self.check_rows(features)?;
        // Sums over vertices with equal labels first: there are few of them.
        let groups = term.grouping.count();
        let mut weights = vec![0.0; groups];
        let mut sums = Array2::<f64>::zeros((groups, features.ncols()));
        let mut squares = vec![0.0; features.ncols()];
        for ((row, &g), &v) in features.outer_iter().zip(term.grouping.of_vertex()).zip(self.vertex_weights()) {
            weights[g as usize] += v;
            sums.row_mut(g as usize).scaled_add(v, &row);
            squares.iter_mut().zip(row).for_each(|(s, y)| *s += v * y * y);
        }
        let means = sums.sum_axis(Axis(0)) / self.q();
        let label = |j: usize| {
            let column = low.columns.column(j);
            let mean = column.iter().zip(&weights).map(|(t, w)| t * w).sum::<f64>() / self.q();
            let square = column.iter().zip(&weights).map(|(t, w)| w * (t - mean) * (t - mean)).sum::<f64>() / self.q();
            (mean, square.sqrt())
        };
        let labels: Vec<(f64, f64)> = (0..low.values.len()).map(label).collect();
        Ok(Some(Array2::from_shape_fn((features.ncols(), labels.len()), |(k, j)| {
            let product = sums.column(k).dot(&low.columns.column(j)) / self.q() - means[k] * labels[j].0;
            let deviation = (squares[k] / self.q() - means[k] * means[k]).max(0.0).sqrt();
            let size = deviation * labels[j].1;
            if size > 0.0 { product / size } else { 0.0 }
        })))
    }
}
