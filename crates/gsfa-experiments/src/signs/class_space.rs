//! Every graph over classes from one trained node.
//!
//! A clustered, compact or sparse graph is $\Gamma = \frac1Q\mathrm{Diag}(v)(\lambda_0 11^T + \sum_j\lambda_j\ell_j\ell_j^T)
//! \mathrm{Diag}(v)$ with labels that depend on the class alone. Its features with Δ ≠ 2 are combinations of $C^{-1}$ times
//! the class means, whatever the labels: they lie in the span of the C − 1 features of the clustered graph. Within these,
//! a graph is a thin singular value decomposition of C − 1 rows.

use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Mat, MatRef, Par, Side};
use gsfa::graph::{GraphInput, GraphSpec};
use gsfa::labels::Labels;
use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::Result;

/// The training samples' clustered features, summed up by class.
pub(super) struct ClassSpace {
    /// The mean feature vector of each class, centred.
    means: Array2<f64>,
    centre: Array1<f64>,
    /// Lower Cholesky factor of the covariance of the features, which is almost the identity.
    factor: Mat<f64>,
}

/// The labels of a graph over classes, which weigh the same: √λⱼ ℓⱼ, one row per class.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClassLabels(Array2<f64>);

impl ClassLabels {
    /// The labels that a compact or clustered graph gives to classes in their own order.
    pub fn of(graph: &GraphSpec, classes: usize) -> Result<Self> {
        // Two samples of each class are enough to build a graph.
        let labels = Labels::classes("class", (0..2 * classes).map(|n| (n / 2).to_string()));
        let graph = graph.build(&GraphInput::new(&labels))?;
        let Some(targets) = graph.targets() else { return Ok(Self::clustered(classes)) };
        let mut rows = targets.labels.values().to_owned();
        let lambdas = &targets.eigenvalues.values;
        rows.axis_iter_mut(Axis(1)).zip(lambdas).for_each(|(mut label, lambda)| label *= lambda.sqrt());
        Ok(Self(rows))
    }

    /// The labels of the clustered graph: orthonormal contrasts, all equally important.
    pub fn clustered(classes: usize) -> Self {
        let one = 1.0 / classes as f64;
        let indicator = |(c, d): (usize, usize)| (classes as f64).sqrt() * (f64::from(u8::from(c == d)) - one);
        Self(Array2::from_shape_fn((classes, classes), indicator))
    }

    /// The same labels for another order of classes: class c is coded as number `order[c]`.
    pub fn reordered(&self, order: &[usize]) -> Self {
        Self(self.0.select(Axis(0), order))
    }
}

impl ClassSpace {
    /// Sums up features of training samples; classes weigh the same.
    ///
    /// # Errors
    /// If the features are fewer than they should be, which too few training samples lead to.
    pub fn new(features: ArrayView2<'_, f64>, classes: &[u32], count: usize) -> Result<Self> {
        let dim = features.ncols();
        let mut sizes = vec![0.0; count];
        classes.iter().for_each(|&c| sizes[c as usize] += 1.0);
        let weight = |c: u32| 1.0 / (sizes[c as usize] * count as f64);
        let mut means = Array2::<f64>::zeros((count, dim));
        for (row, &c) in features.outer_iter().zip(classes) {
            means.row_mut(c as usize).scaled_add(1.0 / sizes[c as usize], &row);
        }
        let centre = means.mean_axis(Axis(0)).unwrap_or_default();
        means -= &centre;
        let mut weighted = &features - &centre;
        weighted.outer_iter_mut().zip(classes).for_each(|(mut row, &c)| row *= weight(c).sqrt());
        let covariance = matrix(&weighted.t().dot(&weighted));
        let factor = covariance.llt(Side::Lower).map_err(|_| failed("Cholesky factorisation", dim))?.L().to_owned();
        Ok(Self { means, centre, factor })
    }

    /// The slow features of a graph as combinations of the clustered ones, slowest first, at most `count`.
    ///
    /// $A = K^{-1}B\Lambda^{1/2}$ with the left singular vectors P gives $W = K^{-T}P$.
    pub fn directions(&self, labels: &ClassLabels, count: usize) -> Result<Array2<f64>> {
        let mut a = matrix(&(self.means.t().dot(&labels.0) / self.means.nrows() as f64));
        solve_lower_triangular_in_place(self.factor.as_ref(), a.as_mut(), Par::Seq);
        let size = a.nrows().max(a.ncols());
        let svd = a.thin_svd().map_err(|_| failed("singular value decomposition", size))?;
        let values: Vec<f64> = svd.S().column_vector().iter().copied().collect();
        // Smaller singular values are round-off.
        let smallest = 8.0 * f64::EPSILON * size as f64 * values.first().copied().unwrap_or(0.0);
        let kept = values.iter().take_while(|&&value| value > smallest).count().min(count);
        let mut weights = svd.U().subcols(0, kept).to_owned();
        solve_upper_triangular_in_place(self.factor.transpose(), weights.as_mut(), Par::Seq);
        Ok(array(weights.as_ref()))
    }

    /// The class means of slow features.
    pub fn centroids(&self, weights: &Array2<f64>) -> Array2<f64> {
        self.means.dot(weights)
    }

    /// Slow features of samples given by their clustered features.
    pub fn features(&self, clustered: ArrayView2<'_, f64>, weights: &Array2<f64>) -> Array2<f64> {
        (&clustered - &self.centre).dot(weights)
    }
}

fn matrix(a: &Array2<f64>) -> Mat<f64> {
    Mat::from_fn(a.nrows(), a.ncols(), |i, j| a[[i, j]])
}

fn array(a: MatRef<'_, f64>) -> Array2<f64> {
    Array2::from_shape_fn((a.nrows(), a.ncols()), |(i, j)| a[(i, j)])
}

fn failed(what: &'static str, size: usize) -> gsfa::Error {
    gsfa::Error::Factorisation { what, size }
}

#[cfg(test)]
mod tests {
    use gsfa::Gsfa;
    use gsfa::graph::{ClassCode, Clustered, Compact};
    use gsfa::labels::EigenvalueProfile;
    use rand::{RngExt, SeedableRng};
    use rand_distr::StandardNormal;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// Samples of unequal classes whose means differ.
    fn samples(classes: usize, seed: u64) -> (Array2<f64>, Vec<u32>) {
        let of: Vec<u32> = (0..classes as u32).flat_map(|c| vec![c; 8 + 3 * c as usize]).collect();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut normal = || -> f64 { random.sample(StandardNormal) };
        let means = Array2::from_shape_fn((classes, 12), |_| normal());
        (Array2::from_shape_fn((of.len(), 12), |(n, i)| 0.7 * means[[of[n] as usize, i]] + normal()), of)
    }

    #[test]
    fn graphs_through_the_clustered_features_are_the_graphs_themselves() {
        for (classes, seed) in [(2, 1), (3, 2), (4, 3), (6, 4), (8, 5)] {
            let (x, of) = samples(classes, seed);
            let labels = Labels::classes("class", of.iter().map(u32::to_string));
            let fit = |graph: &GraphSpec| {
                let graph = graph.build(&GraphInput::new(&labels)).unwrap();
                Gsfa::new(classes - 1).fit(&x.view(), &graph).unwrap().apply(x.view()).unwrap()
            };
            let clustered = GraphSpec::from(Clustered { balance: true, ..Clustered::default() });
            let y = fit(&clustered);
            let space = ClassSpace::new(y.view(), &of, classes).unwrap();
            let compact = Compact { balance: true, ..Compact::default() };
            let sparse = Compact { code: ClassCode::Sparse, eigenvalues: EigenvalueProfile::Linear, ..compact.clone() };
            for graph in [clustered.clone(), compact.into(), sparse.into()] {
                let weights = space.directions(&ClassLabels::of(&graph, classes).unwrap(), classes - 1).unwrap();
                let (ours, direct) = (space.features(y.view(), &weights), fit(&graph));
                assert_eq!(ours.dim(), direct.dim());
                for (a, b) in ours.columns().into_iter().zip(direct.columns()) {
                    let sign = if a.dot(&b) < 0.0 { -1.0 } else { 1.0 };
                    let distance = a.iter().zip(&b).fold(0.0_f64, |m, (a, b)| m.max((a - sign * b).abs()));
                    assert!(distance < 1e-8, "{graph:?}, {classes} classes: {distance}");
                }
            }
        }
    }

    #[test]
    fn another_order_of_classes_is_the_compact_graph_with_that_order() {
        let classes = 8;
        let order = [3, 1, 0, 2, 7, 5, 6, 4];
        // `class_order` lists names by code number, `order` gives the code number of each class.
        let mut names = vec![String::new(); classes];
        order.iter().enumerate().for_each(|(class, &code)| names[code] = class.to_string());
        let graph = |class_order| GraphSpec::from(Compact { targets: Some(3), class_order, ..Compact::default() });
        let labels = Labels::classes("class", (0..2 * classes).map(|n| (n / 2).to_string()));
        let built = graph(names).build(&GraphInput::new(&labels)).unwrap();
        let ours = ClassLabels::of(&graph(Vec::new()), classes).unwrap().reordered(&order);
        // Γ is λ₀ + Σ λ ℓ ℓ' between classes, up to a factor.
        for (a, b) in (0..classes).flat_map(|a| (0..classes).map(move |b| (a, b))) {
            let coded = ours.0.row(a).dot(&ours.0.row(b)) + 1.0 / 3.0;
            assert!((built.edge_weight(2 * a, 2 * b) * built.q() - coded).abs() < 1e-12);
        }
    }
}
