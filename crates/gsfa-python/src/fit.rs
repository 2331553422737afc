//! Fits: samples and a graph into a model.

use std::ops::ControlFlow;
use std::sync::Arc;

use gsfa::expansion::Expansion;
use gsfa::graph::{GraphSpec, TrainingGraph};
use gsfa::labels::Labels;
use gsfa::model::{Remembered, Training};
use gsfa::moments::Moments;
use gsfa::network::{Network, NetworkSpec};
use gsfa::samples::{Precision, Samples, Stoppable};
use gsfa::{Gsfa, SlowFeatures, Solver, Surplus};
use gsfa_data::finite::{Survey, kept_means};
use pyo3::prelude::*;

use crate::doorway::run;
use crate::failure::malformed;
use crate::graph::Graph;
use crate::held::Held;
use crate::model::Model;

/// Inputs of a node up to which trying several ridges costs little beside training.
const NARROW: usize = 1000;

/// The longest list of edges that is kept in a model.
pub const KEPT_EDGES: usize = 1000;

/// One linear node.
#[pyfunction]
#[pyo3(signature = (samples, graph, options, names, threads))]
pub fn fit_flat(
    py: Python<'_>,
    samples: &Bound<'_, PyAny>,
    graph: &Graph,
    options: FlatOptions,
    names: Option<Vec<String>>,
    threads: usize,
) -> PyResult<Model> {
    let (held, training) = (Held::new(samples)?, Owned::of(graph));
    let gsfa = options.gsfa(py)?;
    let model = run(py, threads, move |stop| {
        let mut slow = held.with(|samples| {
            let stopped = || stop.requested();
            let samples = Stoppable::new(samples, &stopped);
            let sums = match samples.precision() {
                Precision::Single => Moments::<f32>::of_for(&samples, &training.graph, gsfa.solver)?.finish(),
                Precision::Double => Moments::<f64>::of_for(&samples, &training.graph, gsfa.solver)?.finish(),
            };
            stop.check()?;
            gsfa.solve(&sums?)
        })?;
        slow.notes.splice(0..0, training.graph.notes().iter().cloned());
        flat_model(slow, &gsfa, &training, names)
    })?;
    Ok(Model::new(model))
}

/// How slow features of one node are solved for.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct FlatOptions {
    output_dim: Option<usize>,
    ridge: f64,
    surplus: String,
    solver: String,
}

impl FlatOptions {
    pub fn gsfa(&self, py: Python<'_>) -> PyResult<Gsfa> {
        let surplus: Surplus =
            serde_json::from_value(self.surplus.clone().into()).map_err(|error| malformed(py, "surplus", error))?;
        Ok(Gsfa { output_dim: self.output_dim, ridge: self.ridge, surplus, solver: solver(py, &self.solver)? })
    }
}

/// The solver of a name.
pub fn solver(py: Python<'_>, name: &str) -> PyResult<Solver> {
    serde_json::from_value(name.into()).map_err(|error| malformed(py, "solver", error))
}

/// What a model remembers about its training.
#[derive(Clone)]
pub struct Owned {
    pub graph: Arc<TrainingGraph>,
    pub labels: Arc<Labels>,
    spec: Option<Arc<GraphSpec>>,
}

impl Owned {
    pub fn of(graph: &Graph) -> Self {
        Self { graph: graph.graph.clone(), labels: graph.labels.clone(), spec: graph.spec.clone() }
    }

    /// With a remark if the network's features are too few for the graph.
    pub fn with_features(mut self, features: usize) -> Self {
        if self.graph.features_note(features).is_some() {
            self.graph = Arc::new((*self.graph).clone().with_features(features));
        }
        self
    }

    pub fn training(&self) -> Training<'_> {
        Training { labels: &self.labels, spec: self.spec.as_deref(), graph: &self.graph }
    }
}

/// The model of one linear node.
pub fn flat_model(
    slow: SlowFeatures,
    gsfa: &Gsfa,
    training: &Owned,
    names: Option<Vec<String>>,
) -> gsfa::Result<gsfa::Model> {
    let network = Network::of_slow_features(slow, gsfa);
    let means = node_means(&network);
    // Features that were not asked for are as many as are slow.
    let training = gsfa.output_dim.map_or_else(|| training.clone(), |asked| training.clone().with_features(asked));
    completed(gsfa::Model::new(network, Vec::new(), &training.training())?, names, means)
}

/// The model with what new samples need: names of columns, and means that stand in for missing values.
pub fn completed(
    mut model: gsfa::Model,
    names: Option<Vec<String>>,
    means: Option<Vec<f64>>,
) -> gsfa::Result<gsfa::Model> {
    if let Some(names) = names {
        model = model.with_input_names(names)?;
    }
    let remembered = Remembered { means, ..model.remembered().clone() };
    model.with_remembered(remembered)
}

/// The means of the inputs that a network of one node knows, because it subtracts them.
pub fn node_means(network: &Network) -> Option<Vec<f64>> {
    // Nodes know means of prepared spectra.
    if network.spec.spectrum.is_some() {
        return None;
    }
    let ([nodes], [layer]) = (network.layers.as_slice(), network.spec.layers.as_slice()) else { return None };
    let [node] = nodes.as_slice() else { return None };
    let mean = match (&node.scaling, &node.pca, &node.slow) {
        (Some(scaling), _, _) => &scaling.mean,
        (_, Some(pca), _) => &pca.mean,
        (_, _, Some(slow)) if matches!(layer.expansion, Expansion::Identity) && layer.clip.is_none() => &slow.mean,
        _ => return None,
    };
    kept_means(mean.to_vec())
}

/// The means of the inputs of samples, by their weights and by the rule of the command line; none of bytes, which lack nothing.
pub fn means_of(samples: &dyn Samples, weights: Option<&[f64]>) -> gsfa::Result<Option<Vec<f64>>> {
    Ok(kept_means(Survey::weighted(samples, weights)?.means))
}

/// A network of any kind.
///
/// If it is `open`, the top gets as many features as are slow; with `choose_ridge`, a narrow single node gets the ridge of
/// a cross-validation.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
#[pyo3(signature = (samples, graph, network, open, choose_ridge, names, threads))]
pub fn fit_network(
    py: Python<'_>,
    samples: &Bound<'_, PyAny>,
    graph: &Graph,
    network: &str,
    open: bool,
    choose_ridge: bool,
    names: Option<Vec<String>>,
    threads: usize,
) -> PyResult<Model> {
    let spec: NetworkSpec = serde_json::from_str(network).map_err(|error| malformed(py, "network", error))?;
    let (held, training) = (Held::new(samples)?, Owned::of(graph));
    let model = run(py, threads, move |stop| {
        let progress = |_| if stop.requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let spec = if open { spec.with_open_top(&training.graph)? } else { spec };
        let narrow = spec.plan()?.layers.iter().all(|layer| layer.expanded_dim <= NARROW);
        let spec = match choose_ridge && narrow {
            true => held.with(|samples| {
                spec.with_chosen_ridge(&Stoppable::new(samples, &|| stop.requested()), &training.graph)
            })?,
            false => spec,
        };
        let trained = held.with(|samples| {
            spec.fit_with(&Stoppable::new(samples, &|| stop.requested()), &training.graph, &progress)
        })?;
        let trained = if open { trained.keep_slow() } else { trained };
        let asked = trained.network.spec.layers.last().filter(|_| !open).map(|top| top.output_dim);
        let training = asked.map_or_else(|| training.clone(), |asked| training.clone().with_features(asked));
        let means = match node_means(&trained.network) {
            None => held.with(|samples| means_of(&Stoppable::new(samples, &|| stop.requested()), None))?,
            known => known,
        };
        let model = gsfa::Model::new(trained.network, Vec::new(), &training.training())?;
        completed(model, names, means)
    })?;
    Ok(Model::new(model))
}
