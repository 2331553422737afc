//! Ridge by cross-validation, exactly, from sums over folds: the samples are read once.

use ndarray::{Array2, ArrayView2, Axis};

use super::dealt::Dealt;
use super::ridge_of_rows;
use super::whitening::Whitening;
use crate::graph::TrainingGraph;
use crate::linalg::lower_product::symmetrize;
use crate::linalg::multiply;
use crate::moments::{Covariance, GraphLabels, RegressionSums, keeps_rows};
use crate::samples::{Precision, Rows, SampleType, Samples, Subset};
use crate::{Error, Result};

/// Ridge where cross-validation has nothing to say.
pub const DEFAULT_RIDGE: f64 = 1e-3;

/// Ridges to choose from: none, and from next to none to ten times as much noise as signal, three for every factor of ten.
/// None at all is for inputs of very different size, where any would drown the small ones.
pub const RIDGES: [f64; 23] = [
    0.0, 1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5, 1.0,
    2.0, 5.0, 10.0,
];

/// From so many inputs on, candidates are tried beside the best so far only: a covariance is factorised for each of them and
/// each fold, and errors have one valley.
const WIDE: usize = 128;

/// How many of [`RIDGES`] are looked at beside the best so far, about.
const BESIDE: usize = 9;

/// How many ridges are looked at for a node of so many inputs.
pub(crate) fn ridges_tried(inputs: usize) -> usize {
    if inputs < WIDE { RIDGES.len() } else { BESIDE }
}

/// Rows that are read at a time.
const ROWS: usize = 2048;

/// What cross-validation says about ridge.
#[derive(Debug, Clone, PartialEq)]
pub struct RidgeChoice {
    /// The candidate with the smallest error, the largest of several.
    pub ridge: f64,
    /// For each candidate, the mean squared error of target labels on samples left out, weighted with their λ and
    /// divided by their variance: 1 is as good as the mean; infinite for those that were not tried. Empty if the graph
    /// does not allow to know.
    pub errors: Vec<f64>,
}

/// Chooses the [`ridge`](crate::Gsfa::ridge) of a node by cross-validation in `folds` parts.
///
/// With ridge, features of a graph made of target labels span the ridge regressions of these labels on the inputs. Each
/// fold's labels are therefore predicted by the regression on all other samples, for every candidate, and the candidate
/// with the smallest squared error, $\sum_j\lambda_j\sum_n v_n(\ell_j(n) - \hat\ell_j(n))^2$, is chosen. All of it
/// follows from sums over the folds, so that the samples are read once: `folds` + 2 covariance matrices are held in
/// memory, and one is factorised for each fold and candidate.
///
/// Samples are dealt to folds in the order of their labels, so that every fold has all labels, and copies of a sample to
/// the same fold: neither the order of the samples nor whether one is given twice or with weight 2 matters. The labels of ELL and
/// compact graphs are those of all samples; the labels of clusters are their indicators, $\sqrt{Q/V_c}$ in class c. Other
/// graphs (serial, edge lists, clusters with the paper's weights) have no labels to predict: they get
/// [`DEFAULT_RIDGE`] and no errors, as do fewer than four samples.
///
/// # Errors
/// If there are no candidates or fewer than two folds, a candidate is negative or not finite, lengths differ, or samples
/// cannot be read or summed.
pub fn choose_ridge(
    samples: &dyn Samples,
    graph: &TrainingGraph,
    candidates: &[f64],
    folds: usize,
) -> Result<RidgeChoice> {
    if folds < 2 {
        return Err(Error::parameter("folds", folds, "at least two are needed to leave one out"));
    }
    choose_ridge_in(samples, graph, candidates, Leave::Parts(folds))
}

/// What is left out in turn.
#[derive(Clone, Copy)]
pub(crate) enum Leave<'a> {
    /// So many parts, dealt by labels and content.
    Parts(usize),
    /// Given folds of the samples, of which the first `judged` are left out in turn; samples of no fold have no labels.
    Folds { of_sample: &'a [Option<usize>], judged: usize },
}

/// As [`choose_ridge`], with given folds.
pub(crate) fn choose_ridge_in(
    samples: &dyn Samples,
    graph: &TrainingGraph,
    candidates: &[f64],
    leave: Leave<'_>,
) -> Result<RidgeChoice> {
    crate::samples::check_length(samples, graph.samples())?;
    if candidates.is_empty() {
        return Err(Error::parameter("candidates", "[]", "there must be at least one ridge to choose"));
    }
    if let Some(bad) = candidates.iter().find(|ridge| !(ridge.is_finite() && **ridge >= 0.0)) {
        return Err(Error::parameter("candidates", bad, "ridge must be finite and not negative"));
    }
    let labeled = graph.len() - graph.unlabelled().len();
    let labels = GraphLabels::of(graph).filter(|_| labeled >= 4);
    let Some(labels) = labels else { return Ok(RidgeChoice { ridge: DEFAULT_RIDGE, errors: Vec::new() }) };
    let every: Vec<usize>;
    let rows = match graph.rows() {
        Some(rows) => rows,
        None => {
            every = (0..graph.len()).collect();
            &every
        }
    };
    let vertices = Subset::new(samples, rows)?;
    let samples: &dyn Samples = if graph.rows().is_some() { &vertices } else { samples };
    let of_vertex: Vec<Option<usize>>;
    let leave = match leave {
        Leave::Parts(folds) => Leave::Parts(folds.min(labeled / 2)),
        Leave::Folds { of_sample, judged } => {
            // Folds that are not left out are one, so that their sums are.
            of_vertex = rows.iter().map(|&row| of_sample[row].map(|fold| fold.min(judged))).collect();
            Leave::Folds { of_sample: &of_vertex, judged }
        }
    };
    let choice = match samples.precision() {
        Precision::Single => choose::<f32>(samples, graph, &labels, candidates, leave),
        Precision::Double => choose::<f64>(samples, graph, &labels, candidates, leave),
    };
    choice.map_err(|error| graph.in_samples(error))
}

fn choose<T: SampleType>(
    samples: &dyn Samples,
    graph: &TrainingGraph,
    labels: &GraphLabels,
    candidates: &[f64],
    leave: Leave<'_>,
) -> Result<RidgeChoice> {
    let dealt = match leave {
        Leave::Parts(folds) => Dealt::new(samples, graph, folds)?,
        Leave::Folds { of_sample, judged } => Dealt::given(of_sample, judged + 1, judged),
    };
    let errors = match keeps_rows(graph.len(), samples.dim()) {
        true => ridge_of_rows::errors::<T>(samples, graph, labels, candidates, &dealt)?,
        false => errors_of_sums::<T>(samples, graph, labels, candidates, &dealt)?,
    };
    Ok(RidgeChoice { ridge: smallest(&errors, candidates).map_or(DEFAULT_RIDGE, |k| candidates[k]), errors })
}

/// The error of every candidate that is tried, infinite for others.
pub(super) fn errors_of_sums<T: SampleType>(
    samples: &dyn Samples,
    graph: &TrainingGraph,
    labels: &GraphLabels,
    candidates: &[f64],
    dealt: &Dealt,
) -> Result<Vec<f64>> {
    let Some(sums) = FoldSums::of::<T>(samples, graph, labels, dealt)? else { return Ok(Vec::new()) };
    let mut errors = vec![f64::INFINITY; candidates.len()];
    let try_some = |some: &[usize], errors: &mut [f64]| sums.add_errors(candidates, some, labels, errors);
    if samples.dim() < WIDE || candidates.len() <= 6 {
        try_some(&(0..candidates.len()).collect::<Vec<_>>(), &mut errors)?;
        return Ok(errors);
    }
    // From the middle down the hill, in long steps and then in short ones.
    let mut best = candidates.len() / 2;
    try_some(&[best], &mut errors)?;
    for step in [4, 2, 1] {
        loop {
            let beside = [best.checked_sub(step), Some(best + step).filter(|k| *k < candidates.len())];
            let new: Vec<usize> = beside.into_iter().flatten().filter(|k| errors[*k].is_infinite()).collect();
            try_some(&new, &mut errors)?;
            match smallest(&errors, candidates) {
                Some(found) if found != best => best = found,
                _ => break,
            }
        }
    }
    Ok(errors)
}

/// The sums of every fold, all in one frame.
struct FoldSums {
    /// Of the folds that are left out in turn.
    judged: Vec<RegressionSums>,
    /// Of all folds.
    all: RegressionSums,
    /// Of samples that are never left out: they have no labels, but a covariance.
    others: Option<RegressionSums>,
    /// The frame.
    scales: Vec<f64>,
    shift: Vec<f64>,
    epsilon: f64,
    /// Of the labels, weighted by their importance.
    variance: f64,
}

impl FoldSums {
    /// Nothing if there are no folds.
    fn of<T: SampleType>(
        samples: &dyn Samples,
        graph: &TrainingGraph,
        labels: &GraphLabels,
        dealt: &Dealt,
    ) -> Result<Option<Self>> {
        let permuted = dealt.graph(graph)?;
        let own_row = |error| dealt.original_row(error);
        let mut parts: Vec<RegressionSums> = Vec::new();
        let mut empty = Covariance::<T>::new(&permuted, samples.dim());
        for range in dealt.ranges().into_iter().chain([dealt.others()]) {
            let mut moments = empty.empty();
            for from in range.clone().step_by(ROWS) {
                let to = (from + ROWS).min(range.end);
                let mut block = Array2::from_elem((to - from, samples.dim()), T::default());
                T::read(samples, Rows::List(&dealt.order[from..to]), block.view_mut())?;
                moments.add(from, block.view()).map_err(&own_row)?;
            }
            if parts.is_empty() {
                // Frames come from first rows; all folds take that of the first fold.
                empty = moments.settled().map_err(&own_row)?.empty();
            }
            parts.push(moments.regression_sums(labels).map_err(&own_row)?);
        }
        let (Some((scales, shift)), Some(others)) = (empty.frame_scales(), parts.pop()) else { return Ok(None) };
        let mut some = parts.iter().filter(|part| part.samples > 0);
        let Some(first) = some.next() else { return Ok(None) };
        let all = some.fold(first.clone(), |all, part| all.plus(part, 1.0));
        let mean: Vec<f64> = all.label_first.iter().map(|f| f / all.weight).collect();
        let variance: f64 = weighted(&all.label_squares_about(&mean), labels);
        parts.truncate(dealt.judged);
        parts.retain(|part| part.samples > 0);
        let others = Some(others).filter(|others| others.samples > 0);
        Ok(Some(Self { judged: parts, all, others, scales, shift, epsilon: T::EPSILON, variance }))
    }

    /// The errors of some of the candidates, over all folds.
    fn add_errors(&self, candidates: &[f64], some: &[usize], labels: &GraphLabels, errors: &mut [f64]) -> Result<()> {
        some.iter().for_each(|&k| errors[k] = 0.0);
        // Folds outside: two matrices of one fold are in memory at a time.
        for part in &self.judged {
            let rest = self.all.clone().plus(part, -1.0);
            let left_out = LeftOut::new(&rest, part);
            let rest = match &self.others {
                Some(others) => rest.plus(others, 1.0),
                None => rest,
            };
            let moments = rest.centered(&self.scales, &self.shift, self.epsilon);
            for &k in some {
                errors[k] += match Whitening::new(&moments, candidates[k]) {
                    Ok(whitening) => left_out.error(&whitening, labels) / self.variance,
                    // Nothing varies: all that is left is the mean.
                    Err(Error::NoVariance { .. }) => left_out.error_of_mean(labels) / self.variance,
                    Err(error) => return Err(error),
                };
            }
        }
        Ok(())
    }
}

/// The candidate of the smallest error; of equal ones the largest.
fn smallest(errors: &[f64], candidates: &[f64]) -> Option<usize> {
    (0..errors.len()).reduce(|a, b| {
        let better = errors[b] < errors[a] || errors[b] == errors[a] && candidates[b] > candidates[a];
        if better { b } else { a }
    })
}

fn weighted(squares: &[f64], labels: &GraphLabels) -> f64 {
    squares.iter().zip(&labels.importance).map(|(s, l)| s * l).sum()
}

/// A fold, about the means of all other samples.
struct LeftOut {
    second: Array2<f64>,
    products: Array2<f64>,
    squares: Vec<f64>,
    /// Covariance of inputs and labels of the other samples.
    covariance: Array2<f64>,
}

impl LeftOut {
    fn new(rest: &RegressionSums, fold: &RegressionSums) -> Self {
        let center = rest.center();
        let mean: Vec<f64> = rest.label_first.iter().map(|f| f / rest.weight).collect();
        let mut second = fold.second_about(&center);
        symmetrize(&mut second);
        let products = fold.products_about(&center, &mean);
        let squares = fold.label_squares_about(&mean);
        Self { second, products, squares, covariance: rest.products_about(&center, &mean) / rest.weight }
    }

    /// Σλ(ℓ − ℓ̂)² of the fold for the regression $\beta = (C + \text{noise})^{-1}B$ on the others.
    fn error(&self, whitening: &Whitening, labels: &GraphLabels) -> f64 {
        let beta = whitening.weights(whitening.whiten(self.covariance.view()).view());
        let image = multiply(self.second.view(), beta.view());
        let dot = |a: ArrayView2<'_, f64>, j: usize| a.column(j).dot(&beta.column(j));
        let squares: Vec<f64> = (0..beta.len_of(Axis(1)))
            .map(|j| self.squares[j] - 2.0 * dot(self.products.view(), j) + dot(image.view(), j))
            .collect();
        weighted(&squares, labels)
    }

    fn error_of_mean(&self, labels: &GraphLabels) -> f64 {
        weighted(&self.squares, labels)
    }
}
