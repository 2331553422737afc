//! The class space of samples, and what fixed codes, centroids and Gaussian classes are in it.

use ndarray::{Array1, Array2, ArrayView2, Axis, s};

use super::class_space::ClassSpace;
use super::slow_features::SlowFeatures;
use super::{Gsfa, Surplus};
use crate::graph::{Clustered, GraphInput, Grouping};
use crate::linalg::cholesky::{cholesky_in_place_lower, solve_lower};
use crate::linalg::multiply;
use crate::linalg::svd::thin_svd;
use crate::samples::{Rows, Samples};
use crate::{Error, Result};

/// Rows that are summed at a time.
const ROWS: usize = 4096;

/// Canonical features of samples, with the class space that they span: from one pass, all codes of the classes, all orders
/// of them and all numbers of features.
#[derive(Debug, Clone)]
pub struct ClassFeatures {
    /// From samples to z.
    pub slow: SlowFeatures,
    /// What z knows about the classes.
    pub space: ClassSpace,
}

impl ClassFeatures {
    /// The canonical features of samples, which are those of the clustered graph; `balance` gives all classes the same weight.
    ///
    /// Samples may be given by anything that holds their class space, as the C − 1 features of a node trained with a
    /// clustered graph do.
    ///
    /// # Errors
    /// If there are fewer than two classes, or samples do not fit or do not vary.
    pub fn fit(samples: &dyn Samples, input: &GraphInput<'_>, balance: bool) -> Result<Self> {
        let (_, classes) = input.classes(None, "clustered")?;
        let graph = Clustered { balance, ..Clustered::default() }.build(input)?;
        let most = Gsfa { surplus: Surplus::Truncate, ..Gsfa::new(classes.count().saturating_sub(1).max(1)) };
        let slow = most.fit(samples, &graph)?;
        let grouping = Grouping::trusted(classes.of_sample().to_vec(), classes.count());
        let shares = grouping.sums(graph.vertex_weights());
        let means = class_means(&slow, samples, &grouping, graph.vertex_weights(), &shares)?;
        let total: f64 = shares.iter().sum();
        let rho = |column: ndarray::ArrayView1<'_, f64>| {
            (column.iter().zip(&shares).map(|(m, p)| p * m * m).sum::<f64>() / total).min(1.0)
        };
        let correlations = means.axis_iter(Axis(1)).map(rho).collect();
        Ok(Self { space: ClassSpace::new(shares, correlations, means)?, slow })
    }
}

/// Weighted class means of features, some rows at a time, in their order.
fn class_means(
    slow: &SlowFeatures,
    samples: &dyn Samples,
    grouping: &Grouping,
    weights: &[f64],
    shares: &[f64],
) -> Result<Array2<f64>> {
    let mut means = Array2::<f64>::zeros((shares.len(), slow.output_dim()));
    for from in (0..samples.len()).step_by(ROWS) {
        let rows = from..(from + ROWS).min(samples.len());
        let mut block = Array2::<f64>::zeros((rows.len(), samples.dim()));
        samples.read_double(Rows::Range(rows.clone()), block.view_mut())?;
        for (n, z) in rows.zip(slow.apply(block.view())?.outer_iter()) {
            let class = grouping.group(n);
            means.row_mut(class).scaled_add(weights[n] / shares[class], &z);
        }
    }
    Ok(means)
}

impl ClassSpace {
    /// V for a graph whose labels depend on the class alone: its slow features as combinations of the canonical ones, slowest
    /// first, at most `d`. `labels` has a row $(\sqrt{\lambda_1}\ell_1, \sqrt{\lambda_2}\ell_2, \ldots)$ per class.
    ///
    /// # Errors
    /// If there is not one row per class, or a label is not finite.
    pub fn of_labels(&self, labels: ArrayView2<'_, f64>, d: usize) -> Result<Array2<f64>> {
        Error::check_shape("labels", labels.shape(), &[self.classes(), labels.ncols()])?;
        let total: f64 = self.shares.iter().sum();
        let mut weighted = self.means.clone();
        weighted.outer_iter_mut().zip(&self.shares).for_each(|(mut row, p)| row *= *p / total);
        // The covariance of z with the labels, whose left singular vectors are the directions of most alignment.
        let svd = thin_svd(multiply(weighted.t(), labels).view())?;
        Ok(svd.left.slice(s![.., ..svd.rank().min(d)]).to_owned())
    }

    /// The class means of the features zV.
    ///
    /// # Errors
    /// If V has another number of rows than there are canonical features.
    pub fn centroids(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        Error::check_shape("V", v.shape(), &[self.dim(), v.ncols()])?;
        Ok(multiply(self.means.view(), v))
    }

    /// V times a triangle such that the features are white within classes: distances to their centroids are those of
    /// Gaussian classes with a shared covariance. The first k of them are combinations of the first k of V.
    ///
    /// # Errors
    /// As [`centroids`](Self::centroids), and if columns of V depend on each other.
    pub fn white_within(&self, v: ArrayView2<'_, f64>) -> Result<Array2<f64>> {
        Error::check_shape("V", v.shape(), &[self.dim(), v.ncols()])?;
        let within = Array1::from(self.within());
        let deviations = &v * &within.insert_axis(Axis(1));
        let mut factor = multiply(deviations.t(), deviations.view());
        if !cholesky_in_place_lower(&mut factor) {
            return Err(Error::Factorisation { what: "Cholesky factorisation", size: v.ncols() });
        }
        let mut white = v.t().to_owned();
        solve_lower(factor.view(), &mut white);
        Ok(white.reversed_axes().as_standard_layout().into_owned())
    }
}
