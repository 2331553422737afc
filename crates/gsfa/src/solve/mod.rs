//! From moments to slow features: numerical rank, the small eigenproblem of factored graphs or the slowest pairs of
//! others, surplus outputs, and which way features point.

mod class_features;
mod class_space;
mod coded;
mod codes;
mod dealt;
mod directions;
mod keeping;
mod kept_inputs;
mod orientation;
mod residual;
mod ridge;
mod ridge_of_rows;
mod scaling;
mod slow_features;
mod span;
mod whitening;

use ndarray::{Array1, Array2, Axis, concatenate, s};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::graph::TrainingGraph;
use crate::linalg::multiply;
use crate::moments::{Centered, CenteredMoments, Finished, Moments, Units, moments_bytes};
use crate::samples::{Precision, Samples};
use crate::{Error, Note, Result, memory};
pub use class_features::ClassFeatures;
pub use class_space::ClassSpace;
use directions::Directions;
pub use keeping::{Keep, Kept};
pub use ridge::{DEFAULT_RIDGE, RIDGES, RidgeChoice, choose_ridge};
pub(crate) use ridge::{Leave, choose_ridge_in, ridges_tried};
pub use scaling::SlowScaling;
pub use slow_features::SlowFeatures;
use span::Spanned;
use whitening::{Rank, Whitening};

/// What outputs beyond the features that the graph makes slow are filled with.
///
/// Directions that no edge singles out all have the same delta value (2 in consistent graphs): any rotation of them is
/// as good, and a solver without a rule would return whatever round-off selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Surplus {
    /// Principal components of what the features leave unexplained, largest variance first.
    #[default]
    Residual,
    /// The same, and after them features faster than noise (Δ > 2), if there is nothing else to return.
    Fast,
    /// Directions drawn at random, always the same ones, as a solver without a rule might return: to see what that costs,
    /// and never chosen automatically.
    Arbitrary,
    /// Nothing: fewer features are returned.
    Truncate,
    /// It is an error to ask for more features than are slow.
    Error,
}

/// From what features are solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Solver {
    /// From covariances, which hold half of the digits of the samples: the condition of the inputs may be up to $10^7$.
    /// Where there are fewer samples than inputs, from the samples themselves.
    #[default]
    Covariance,
    /// From a singular value decomposition of all samples, which are kept in memory: all digits of them.
    Svd,
}

/// Graph-based slow feature analysis: minimise Δ under weighted zero mean, unit variance and decorrelation.
///
/// ```
/// use gsfa::graph::{Coupling, EdgeTerm, Grouping, LowRank, TrainingGraph};
/// use gsfa::Gsfa;
/// use ndarray::{Array2, array};
/// let x = array![[1.0, 2.0], [2.0, 0.0], [5.0, 1.0], [4.0, 3.0]];
/// let label = LowRank { columns: array![[-1.0], [1.0]], values: vec![0.25] };
/// let (grouping, shares) = (Grouping::new(vec![0, 0, 1, 1], 2)?, vec![1.0; 4]);
/// let term = EdgeTerm { grouping, shares, coupling: Coupling::LowRank(label), loops: None };
/// let graph = TrainingGraph::new(vec![1.0; 4], vec![term], 0.25)?;
/// let slow = Gsfa::default().fit(&x.view(), &graph)?;
/// assert!((slow.delta_values[0] - (2.0 - 2.0 * slow.correlations[0].unwrap())).abs() < 1e-12);
/// assert_eq!(slow.apply(x.view())?.dim(), (4, 1));
/// # Ok::<(), gsfa::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gsfa {
    /// J; `None` asks for the slow ones, Δ < 2.
    pub output_dim: Option<usize>,
    /// Variance σ² of independent noise that is thought to be added to every input of every sample, as a share of the
    /// mean variance of the inputs that vary; 0 for none. Noise is at the level of noise for every graph: it adds σ² to
    /// C and 2σ² to Ċ. Features are then chosen within the span of what that gives, by their Δ without it.
    pub ridge: f64,
    /// From what features are solved.
    pub solver: Solver,
    /// What outputs beyond the slow features are.
    pub surplus: Surplus,
}

impl Gsfa {
    /// Asks for `output_dim` features.
    pub fn new(output_dim: usize) -> Self {
        Self { output_dim: Some(output_dim), ..Self::default() }
    }

    /// Learns slow features from samples, one per vertex of the graph.
    ///
    /// # Errors
    /// If lengths differ, a value is not finite or overflows when squared, nothing varies, or more features are asked for
    /// than there are.
    pub fn fit(&self, samples: &dyn Samples, graph: &TrainingGraph) -> Result<SlowFeatures> {
        let mut slow = self.solve(&self.moments(samples, graph)?)?;
        slow.notes.splice(0..0, graph.notes().iter().cloned());
        Ok(slow)
    }

    /// As [`fit`](Self::fit), but if there are not as many features as asked for, those there are, with a note.
    ///
    /// # Errors
    /// As [`fit`](Self::fit), and if there is no feature at all.
    pub fn fit_at_most(&self, samples: &dyn Samples, graph: &TrainingGraph) -> Result<SlowFeatures> {
        let mut slow = self.solve_at_most(&self.moments(samples, graph)?)?;
        slow.notes.splice(0..0, graph.notes().iter().cloned());
        Ok(slow)
    }

    fn moments(&self, samples: &dyn Samples, graph: &TrainingGraph) -> Result<CenteredMoments> {
        memory::require(moments_bytes(graph.len(), samples.dim(), self.solver))?;
        match samples.precision() {
            Precision::Single => Moments::<f32>::of_for(samples, graph, self.solver)?.finish(),
            Precision::Double => Moments::<f64>::of_for(samples, graph, self.solver)?.finish(),
        }
    }

    /// Learns slow features from finished moments.
    ///
    /// # Errors
    /// If nothing varies, a column varies by so little that its weights would be no numbers, or more features are asked
    /// for than there are.
    pub fn solve(&self, moments: &CenteredMoments) -> Result<SlowFeatures> {
        self.solve_in(moments, self.surplus == Surplus::Truncate)
    }

    /// As [`solve`](Self::solve), but if there are not as many features as asked for, those there are, with a note.
    ///
    /// # Errors
    /// As [`solve`](Self::solve), and if there is no feature at all.
    pub fn solve_at_most(&self, moments: &CenteredMoments) -> Result<SlowFeatures> {
        self.solve_in(moments, true)
    }

    fn solve_in(&self, moments: &CenteredMoments, fewer: bool) -> Result<SlowFeatures> {
        self.check()?;
        match &moments.0 {
            Finished::Covariance(centered) => self.solve_centered(centered, fewer),
            Finished::Rows(rows) => {
                let units = if self.ridge > 0.0 { Units::Inputs } else { Units::Deviations };
                self.solve_centered(&rows.rotated(units)?, fewer)
            }
        }
    }

    /// `fewer` accepts fewer features than asked for.
    fn solve_centered(&self, moments: &Centered, fewer: bool) -> Result<SlowFeatures> {
        let whitening = Whitening::new(moments, self.ridge)?;
        let Some(learned) = coded::learn(moments, &whitening, self.output_dim)? else {
            return self.solve_whitened(moments, &whitening, Order::Slowest, fewer);
        };
        let order = if learned.nested { Order::Given } else { Order::Slowest };
        let coded = moments.with_labels(learned.combinations.view());
        let slow = self.solve_whitened(&coded, &whitening, order, fewer)?;
        Ok(SlowFeatures { code: Some(learned.labels), ..slow })
    }

    fn solve_whitened(
        &self,
        moments: &Centered,
        whitening: &Whitening,
        order: Order,
        fewer: bool,
    ) -> Result<SlowFeatures> {
        let Rank { inputs, rank, dead, dropped } = whitening.told(moments);
        let directions = Directions::new(moments, whitening, self.output_dim)?;
        let mut notes = Vec::new();
        if rank < inputs {
            notes.push(Note::NoVariance { dead, dropped, rank });
        }
        if moments.samples <= rank + 1 {
            notes.push(Note::Overfit { samples: moments.samples, rank });
        }
        let chosen = self.choose(moments, whitening, &directions)?;
        let requested = self.output_dim.unwrap_or(1);
        let returned = chosen.deltas.len();
        if returned == 0 || returned < requested && !fewer {
            return Err(Error::TooFewDirections { requested, available: returned, rank, inputs });
        }
        notes.extend(chosen.surplus.clone());
        if returned < requested {
            notes.push(Note::FewerFeatures { requested, returned });
        }
        let weights = whitening.weights(chosen.vectors.view());
        let Chosen { deltas, informative, .. } = chosen;
        let Spanned { mut weights, deltas: mut delta_values, informative } = match (self.ridge > 0.0, &moments.rest) {
            (true, _) => span::slowest_of_span(moments, weights, informative)?,
            (false, Some(_)) => span::by_definition(moments, Spanned { weights, deltas, informative }),
            (false, None) => Spanned { weights, deltas, informative },
        };
        let features = weights.slice_mut(s![.., ..informative]);
        match order {
            Order::Slowest => orientation::rotate_to_targets(moments, features, &delta_values),
            Order::Given => orientation::nest(moments, features, &mut delta_values)?,
        }
        let shares = orientation::correlations(moments, weights.view());
        let (mut weights, mean) = of_inputs(moments, weights)?;
        let correlations = orientation::orient(moments, &mut weights, &shares);
        Ok(SlowFeatures {
            weights,
            mean,
            delta_values,
            correlations,
            rank,
            dead_columns: dead,
            dropped_directions: dropped,
            informative,
            code: None,
            kept: None,
            notes,
        })
    }

    fn check(&self) -> Result<()> {
        if self.output_dim == Some(0) {
            return Err(Error::parameter("output_dim", 0, "at least one feature is needed"));
        }
        if !(self.ridge.is_finite() && self.ridge >= 0.0) {
            return Err(Error::parameter("ridge", self.ridge, "it must be finite and not negative"));
        }
        Ok(())
    }

    /// The directions to return: slow ones, then those at the level of noise, then, if asked for, fast ones.
    fn choose(&self, moments: &Centered, whitening: &Whitening, directions: &Directions) -> Result<Chosen> {
        let slow = directions.slow();
        let below_two = directions.deltas[..slow].iter().take_while(|&&d| d < 2.0 - directions::gap()).count();
        let wanted = self.output_dim.unwrap_or(below_two.max(1));
        let informative = slow.min(wanted);
        let mut vectors = directions.vectors.slice(s![.., ..informative]).to_owned();
        let mut deltas = directions.deltas[..informative].to_vec();
        let mut surplus = None;
        let filled = matches!(self.surplus, Surplus::Residual | Surplus::Fast | Surplus::Arbitrary);
        if wanted > slow && filled && directions.complete && self.output_dim.is_some() {
            let all = directions.vectors.view();
            let more = match self.surplus {
                Surplus::Arbitrary => residual::arbitrary_directions(whitening.rank(), all, wanted - slow),
                _ => residual::residual_directions(moments, whitening, all, wanted - slow)?,
            };
            let more = if self.ridge > 0.0 { whitening.varying(moments, more) } else { more };
            deltas.extend(std::iter::repeat_n(directions.level, more.ncols()));
            surplus = Some(match self.surplus {
                Surplus::Arbitrary => Note::ArbitrarySurplus { slow, arbitrary: more.ncols() },
                _ => Note::Surplus { slow, residual: more.ncols() },
            });
            vectors = joined(&vectors, &more);
        }
        if self.surplus == Surplus::Fast && deltas.len() < wanted {
            let to = (slow + wanted - deltas.len()).min(directions.deltas.len());
            vectors = joined(&vectors, &directions.vectors.slice(s![.., slow..to]).to_owned());
            deltas.extend(&directions.deltas[slow..to]);
        }
        Ok(Chosen { vectors, deltas, informative, surplus })
    }
}

/// Weights of the inputs as they are, which the sign rule looks at, and the mean of these.
fn of_inputs(moments: &Centered, mut weights: Array2<f64>) -> Result<(Array2<f64>, Array1<f64>)> {
    for (mut row, scale) in weights.outer_iter_mut().zip(&moments.scales) {
        row *= *scale;
    }
    let (mut mean, mut deviations) = (moments.mean.clone(), moments.deviations().collect::<Vec<f64>>());
    if let Some(rotation) = &moments.rotation {
        weights = multiply(rotation.basis.view(), weights.view());
        (mean, deviations) = (rotation.mean.clone(), rotation.deviations.clone());
    }
    if let Some(column) = weights.outer_iter().position(|row| row.iter().any(|w| !w.is_finite())) {
        let deviation = deviations[column];
        return Err(Error::ColumnRange { column, deviation, problem: "is too little to divide by" });
    }
    Ok((weights, mean.into()))
}

/// The order of features.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// By Δ.
    Slowest,
    /// That of the labels they were made for.
    Given,
}

struct Chosen {
    vectors: Array2<f64>,
    deltas: Vec<f64>,
    informative: usize,
    /// What is said about surplus outputs.
    surplus: Option<Note>,
}

fn joined(a: &Array2<f64>, b: &Array2<f64>) -> Array2<f64> {
    // Both have one row per direction, so that joining cannot fail.
    concatenate(Axis(1), &[a.view(), b.view()]).unwrap_or_default()
}
