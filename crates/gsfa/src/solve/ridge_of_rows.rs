//! Ridge by cross-validation where there are fewer samples than inputs: the regressions of all candidates follow from
//! the N×N products of samples with each other, in which a candidate only divides.

use ndarray::{Array1, Array2, Axis};

use super::dealt::Dealt;
use super::whitening::noise_of_sizes;
use crate::graph::TrainingGraph;
use crate::linalg::{multiply, symmetric_eigen, tolerance};
use crate::moments::{CenteredRows, GraphLabels, KeptRows};
use crate::samples::{SampleType, Samples};
use crate::{Result, Solver};

/// For every candidate, $\sum_j\lambda_j\sum_n v_n(\ell_j(n) - \hat\ell_j(n))^2$ over the samples of all folds, each
/// predicted from all others, as share of what the mean of all would give.
pub(super) fn errors<T: SampleType>(
    samples: &dyn Samples,
    graph: &TrainingGraph,
    labels: &GraphLabels,
    candidates: &[f64],
    dealt: &Dealt,
) -> Result<Vec<f64>> {
    let rows = KeptRows::<T>::of(samples, graph, Solver::Covariance)?.finish()?;
    let labels = labels.of_vertices(graph);
    let own_units = products(&rows, &vec![rows.common_factor(); rows.mean().len()]);
    let mut sums = vec![0.0; candidates.len()];
    for range in dealt.ranges().into_iter().take(dealt.judged).filter(|range| !range.is_empty()) {
        let taught: Vec<usize> = [&dealt.order[..range.start], &dealt.order[range.end..]].concat();
        let labeled = taught.len() - dealt.others().len();
        let fold = Fold { graph, labels: &labels, taught: &taught, labeled, left_out: &dealt.order[range] };
        let (live, deviations) = rows.deviations_of(&taught, graph.vertex_weights());
        if live.is_empty() {
            // All that is left is the mean.
            sums.iter_mut().for_each(|sum| *sum += fold.error_of_mean());
            continue;
        }
        let sizes: Vec<f64> = live.iter().map(|&i| deviations[i].log2()).collect();
        let noisy = fold.regression(&own_units)?;
        for (sum, &ridge) in sums.iter_mut().zip(candidates) {
            *sum += match ridge > 0.0 {
                true => {
                    noise_of_sizes(&sizes, &live, ridge)?;
                    fold.error(&noisy, &noisy.with_noise(ridge, live.len()))
                }
                // Of inputs without noise those in units of their deviations are orthogonal.
                false => {
                    let inverse = deviations.iter().map(|d| if *d > 0.0 { d.recip() } else { 0.0 });
                    let plain = fold.regression(&products(&rows, &inverse.collect::<Vec<_>>()))?;
                    fold.error(&plain, &plain.of_full_rank(T::EPSILON, live.len()))
                }
            };
        }
    }
    let labeled = dealt.order.len() - dealt.others().len();
    let (taught, left_out) = (&dealt.order[..], &dealt.order[..labeled]);
    let variance = Fold { graph, labels: &labels, taught, labeled, left_out }.error_of_mean();
    Ok(sums.into_iter().map(|sum| sum / variance).collect())
}

/// Products of all samples with each other, each input times its factor.
fn products(rows: &CenteredRows, factors: &[f64]) -> Array2<f64> {
    let used: Vec<usize> = (0..factors.len()).filter(|&i| factors[i] != 0.0).collect();
    let factors: Vec<f64> = used.iter().map(|&i| factors[i]).collect();
    let scaled = rows.in_units(&used, &factors);
    multiply(scaled.view(), scaled.t())
}

/// Some samples, predicted from others.
struct Fold<'a> {
    graph: &'a TrainingGraph,
    /// One row per vertex, and λ of each column.
    labels: &'a (Array2<f64>, Vec<f64>),
    taught: &'a [usize],
    /// How many of the taught have labels: the first ones.
    labeled: usize,
    left_out: &'a [usize],
}

/// Regressions on the taught samples A (centred, times the roots of their shares), $AA^T = U\mathrm{Diag}(s)U^T$.
struct Regression {
    /// s, ascending.
    values: Array1<f64>,
    /// Uᵀ of the labels.
    labels: Array2<f64>,
    /// Products of the samples left out with $A^TU$.
    left_out: Array2<f64>,
}

impl Fold<'_> {
    fn weight(&self, some: &[usize]) -> f64 {
        some.iter().map(|&n| self.graph.vertex_weights()[n]).sum()
    }

    /// The mean of the labels.
    fn mean(&self) -> Array1<f64> {
        let some = &self.taught[..self.labeled];
        let total = self.weight(some);
        let mut mean = Array1::zeros(self.labels.0.ncols());
        for &n in some {
            mean.scaled_add(self.graph.vertex_weights()[n] / total, &self.labels.0.row(n));
        }
        mean
    }

    /// From the products of all samples about any point.
    fn regression(&self, products: &Array2<f64>) -> Result<Regression> {
        let v = self.graph.vertex_weights();
        let total = self.weight(self.taught);
        let share: Vec<f64> = self.taught.iter().map(|&n| v[n] / total).collect();
        let root: Vec<f64> = share.iter().map(|s| s.sqrt()).collect();
        let of_labeled = total / self.weight(&self.taught[..self.labeled]);
        // Products of every sample with the mean of the taught, and with that of the labelled ones among them.
        let mut with_mean = Array1::<f64>::zeros(products.ncols());
        let mut with_labeled = with_mean.clone();
        for (k, (&n, share)) in self.taught.iter().zip(&share).enumerate() {
            with_mean.scaled_add(*share, &products.row(n));
            if k < self.labeled {
                with_labeled.scaled_add(share * of_labeled, &products.row(n));
            }
        }
        let mean_of = |row: &Array1<f64>| self.taught.iter().zip(&share).map(|(&n, s)| s * row[n]).sum::<f64>();
        let (mean_square, labeled_mean) = (mean_of(&with_mean), mean_of(&with_labeled));
        let size = self.taught.len();
        let square = Array2::from_shape_fn((size, size), |(a, b)| {
            let (n, m) = (self.taught[a], self.taught[b]);
            root[a] * root[b] * (products[[n, m]] - with_mean[n] - with_mean[m] + mean_square)
        });
        let eigen = symmetric_eigen(square.view())?;
        let mean = self.mean();
        let mut labels = Array2::zeros((size, mean.len()));
        for (k, mut row) in labels.outer_iter_mut().enumerate().take(self.labeled) {
            row.assign(&((&self.labels.0.row(self.taught[k]) - &mean) * (root[k] * of_labeled)));
        }
        let left_out = Array2::from_shape_fn((self.left_out.len(), size), |(e, k)| {
            let (e, n) = (self.left_out[e], self.taught[k]);
            root[k] * (products[[e, n]] - with_mean[e] - with_labeled[n] + labeled_mean)
        });
        Ok(Regression {
            values: eigen.values,
            labels: multiply(eigen.vectors.t(), labels.view()),
            left_out: multiply(left_out.view(), eigen.vectors.view()),
        })
    }

    /// The squared error of predictions with the given inverses in place of 1/s.
    fn error(&self, regression: &Regression, inverse: &Array1<f64>) -> f64 {
        let divided = &regression.labels * &inverse.view().insert_axis(Axis(1));
        let predicted = multiply(regression.left_out.view(), divided.view());
        self.squares(|e, j| predicted[[e, j]])
    }

    fn error_of_mean(&self) -> f64 {
        self.squares(|_, _| 0.0)
    }

    /// Of predictions about the mean.
    fn squares(&self, predicted: impl Fn(usize, usize) -> f64) -> f64 {
        let mean = self.mean();
        let (labels, importance) = self.labels;
        let error = |(e, &n): (usize, &usize)| {
            let square = |j: usize| importance[j] * (labels[[n, j]] - mean[j] - predicted(e, j)).powi(2);
            self.graph.vertex_weights()[n] * (0..mean.len()).map(square).sum::<f64>()
        };
        self.left_out.iter().enumerate().map(error).sum()
    }
}

impl Regression {
    /// 1/(s + σ²) for ridge times the mean variance of so many inputs.
    fn with_noise(&self, ridge: f64, inputs: usize) -> Array1<f64> {
        let variance = self.values.iter().map(|s| s.max(0.0)).sum::<f64>() / inputs as f64;
        self.values.mapv(|s| (s.max(0.0) + ridge * variance).recip())
    }

    /// 1/s where that is no round-off: s are the eigenvalues of the correlation matrix of so many inputs.
    fn of_full_rank(&self, epsilon: f64, inputs: usize) -> Array1<f64> {
        let largest = self.values.iter().copied().fold(0.0, f64::max);
        let smallest = tolerance::no_variance(epsilon, inputs, largest);
        // Centred samples have one direction less than there are of them.
        self.values.indexed_iter().map(|(k, s)| if k > 0 && *s > smallest { s.recip() } else { 0.0 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::ridge::errors_of_sums;
    use super::*;
    use crate::graph::{Clustered, Ell, GraphInput};
    use crate::labels::{Labels, SampleWeights};

    fn data(samples: usize, inputs: usize) -> (Array2<f64>, Vec<f64>, Vec<f64>) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut uniform = || rng.random_range(-1.0..1.0);
        let mut x = Array2::from_shape_simple_fn((samples, inputs), &mut uniform);
        // Columns of different units and one that is constant.
        x.column_mut(1).mapv_inplace(|x| 100.0 * x + 7.0);
        x.column_mut(2).mapv_inplace(|x| 1e-3 * x - 4.0);
        x.column_mut(3).fill(2.5);
        let y = x.outer_iter().map(|row| row[0] - row[4] + 0.01 * row[1] + 0.2 * uniform()).collect();
        let weights = (0..samples).map(|_| 1.5 + uniform()).collect();
        (x, y, weights)
    }

    #[test]
    fn products_of_few_samples_give_the_errors_of_sums() {
        let (x, y, weights) = data(31, 47);
        let classes: Vec<String> = y.iter().map(|y| ((y * 2.0).floor() as i32).rem_euclid(3).to_string()).collect();
        let numbers = Labels::none(31).and_numbers("y", y).unwrap();
        let classes = Labels::none(31).and_classes("c", &classes).unwrap();
        for weights in [vec![1.0; 31], weights] {
            let input =
                |labels| GraphInput::new(labels).with_weights(SampleWeights::new(weights.clone()).unwrap()).unwrap();
            let ell = Ell { targets: Some(3), ..Ell::default() }.build(&input(&numbers)).unwrap();
            let clustered = Clustered::default().build(&input(&classes)).unwrap();
            for graph in [ell, clustered] {
                let labels = GraphLabels::of(&graph).unwrap();
                let candidates = [0.0, 1e-6, 1e-3, 0.1, 1.0, 10.0];
                let samples: &dyn Samples = &x.view();
                let dealt = Dealt::new(samples, &graph, 4).unwrap();
                let rows = errors::<f64>(samples, &graph, &labels, &candidates, &dealt).unwrap();
                let sums = errors_of_sums::<f64>(samples, &graph, &labels, &candidates, &dealt).unwrap();
                for (rows, sums) in rows.iter().zip(&sums) {
                    assert!((rows - sums).abs() < 1e-7 * sums, "{rows} {sums}");
                }
            }
        }
    }
}
