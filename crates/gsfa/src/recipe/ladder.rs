//! Candidates to choose from where network or graph are left open, the simplest first. A new rung is a line in [`Ladder`].

use ndarray::Array1;

use super::graph::goal;
use super::{Design, Effort, NetworkKind};
use crate::Result;
use crate::expansion::Expansion;
use crate::graph::{Ell, GraphSpec, TrainingGraph};
use crate::linalg::symmetric_eigen;
use crate::moments::Moments;
use crate::network::{LayerSpec, NetworkSpec, PcaSpec, weighing};
use crate::samples::{InputShape, Precision, Samples};

/// Inputs up to which the components of all samples are looked at.
const WIDEST_SPECTRUM: usize = 2000;

/// Inputs of a node, at most, where there are as many samples: 2 GB for its sums.
const MOST_INPUTS: usize = 8000;

/// Wider tables are not standardised: the map would be a matrix of this size.
const WIDE_TABLE: usize = 4096;

/// Principal components before products, at least to be worth it.
const LEAST_COMPONENTS: usize = 5;

/// A graph and a network that might be taken, before the ridge of the top is known.
#[derive(Debug, Clone)]
pub(super) struct Rung {
    pub name: String,
    pub spec: GraphSpec,
    pub graph: TrainingGraph,
    pub network: NetworkSpec,
    /// Whether it has no more to learn than the one before: then neither is the simpler one.
    pub as_simple: bool,
    /// Networks of one node that are as simple: the one that errs least is taken.
    pub alternatives: Vec<NetworkSpec>,
    /// Whether its ridges were chosen with another one: sums over the same classes tell the same.
    pub has_ridges: bool,
    /// Whether its spectra are prepared as those of the best before.
    pub prepares_as_best: bool,
}

impl Rung {
    /// The only one of its kind, richer than those before.
    pub fn new(name: String, spec: GraphSpec, graph: TrainingGraph, network: NetworkSpec) -> Self {
        let (as_simple, alternatives, has_ridges, prepares_as_best) = (false, Vec::new(), false, false);
        Self { name, spec, graph, network, as_simple, alternatives, has_ridges, prepares_as_best }
    }
}

/// What rungs are made from.
pub(super) struct Ladder<'s, 'a> {
    pub design: &'s Design<'a>,
    pub input: InputShape,
    pub values: usize,
    /// Labelled samples that are different.
    pub distinct: usize,
    outputs: usize,
    rungs: Vec<Rung>,
}

impl Design<'_> {
    /// The candidates for so many different labelled samples; one only, if the network is not open. Without samples those
    /// that depend on them are left out.
    pub(super) fn ladder(&self, samples: Option<&dyn Samples>, distinct: usize) -> Result<Vec<Rung>> {
        let only = || Rung::new(described(&self.network), self.spec.clone(), self.graph.clone(), self.network.clone());
        let input = self.network.input;
        let values = input.dim().unwrap_or(usize::MAX);
        if self.recipe.network.kind != NetworkKind::Auto || values == usize::MAX {
            return Ok(self.prepared(only()));
        }
        let outputs = self.recipe.network.features.unwrap_or(goal(&self.graph, self.labels).targets);
        let mut ladder = Ladder { design: self, input, values, distinct, outputs, rungs: Vec::new() };
        match input.height * input.width {
            1 if self.recipe.network.spectrum.is_some() => ladder.of_spectra(),
            1 => ladder.of_table(samples)?,
            _ => ladder.of_images()?,
        }
        if ladder.rungs.is_empty() {
            ladder.rungs.push(only());
        }
        Ok(ladder.rungs)
    }

    /// Whether neither the graph nor the number of target labels or features is given.
    pub(super) fn targets_are_open(&self) -> bool {
        let recipe = self.recipe;
        recipe.graph.is_none() && recipe.targets.is_none() && recipe.network.features.is_none()
    }

    /// The graph of all labels, their products among them, if labels are numbers and several, and that is left open.
    pub(super) fn products(&self) -> Option<GraphSpec> {
        let originals = self.labels.columns().count();
        match &self.spec {
            GraphSpec::Ell(ell) if self.targets_are_open() && originals > 1 => {
                let targets = Some(originals + originals * (originals + 1) / 2);
                Some(Ell { products: true, targets, ..ell.clone() }.into())
            }
            _ => None,
        }
    }
}

impl Ladder<'_, '_> {
    fn of_table(&mut self, samples: Option<&dyn Samples>) -> Result<()> {
        let linear = LayerSpec { standardize: self.values <= WIDE_TABLE, ..self.node() };
        let radial = self.radial(&linear);
        self.add("linear", vec![linear.clone()]);
        if let Some(count) = samples.map(|samples| self.components_of_all(samples)).transpose()?.flatten() {
            let pca = Some(PcaSpec::components(count));
            let layers = vec![LayerSpec { pca, ..linear.clone() }];
            self.add("linear on principal components of all samples", layers);
            self.rungs.iter_mut().skip(1).for_each(|rung| rung.as_simple = true);
        }
        self.add_quadratic(&linear);
        self.rungs.extend(radial);
        Ok(())
    }

    /// Spectra have one common scale, as pixels have: columns are not standardised. What is richer than a linear node is tried
    /// with the preparation that serves this one best.
    fn of_spectra(&mut self) {
        let linear = self.node();
        self.add("linear", vec![linear.clone()]);
        self.rungs = self.rungs.drain(..).flat_map(|rung| self.design.prepared(rung)).collect();
        let prepared = self.rungs.len();
        self.add_quadratic(&linear);
        self.rungs.extend(self.radial(&linear));
        self.rungs.iter_mut().skip(prepared).for_each(|rung| rung.prepares_as_best = true);
    }

    /// Products of all inputs of a linear node, or of some of their components, as samples pay for them.
    fn add_quadratic(&mut self, linear: &LayerSpec) {
        let quadratic = LayerSpec { expansion: Expansion::QUADRATIC, ..linear.clone() };
        let all = quadratic_terms(self.values) <= self.distinct;
        for count in self.components().into_iter().filter(|_| !all) {
            let name = format!("quadratic on {count} principal components");
            let pca = Some(PcaSpec { whiten: true, ..PcaSpec::components(count) });
            self.add(&name, vec![LayerSpec { pca, ..quadratic.clone() }]);
        }
        if all || self.is_thorough() && quadratic_terms(self.values) <= MOST_INPUTS {
            self.add("quadratic", vec![quadratic]);
        }
    }

    fn of_images(&mut self) -> Result<()> {
        let (input, outputs) = (self.input, self.outputs);
        let whole = self.values <= MOST_INPUTS || self.distinct < self.values;
        if whole {
            self.add("linear", vec![self.node()]);
        }
        for count in self.components().into_iter().filter(|_| whole) {
            let pca = Some(PcaSpec { whiten: true, ..PcaSpec::components(count) });
            let layer = LayerSpec { pca, expansion: Expansion::QUADRATIC, ..self.node() };
            self.add(&format!("quadratic on {count} principal components"), vec![layer]);
        }
        if whole && self.values > 1 {
            self.add("gated cascade", NetworkSpec::gated(input, outputs).layers);
        }
        if let Some(products) = self.design.products().filter(|_| whole) {
            let graph = products.build(&self.design.input()?);
            // Products that depend on each other are left out: the graph knows how many remain.
            if let Some(targets) =
                graph.as_ref().ok().and_then(|graph| graph.targets()).map(|t| t.eigenvalues.values.len())
            {
                let layers = NetworkSpec::cascade(input, 3, targets).layers;
                self.add_with("cascade of 3 nodes, products of labels", products.clone(), layers)?;
                let layers = NetworkSpec::gated(input, targets).layers;
                self.add_with("gated cascade, products of labels", products, layers)?;
            }
        }
        if whole && self.is_thorough() {
            self.add("shared layers", NetworkSpec::shared(input, self.distinct, outputs).layers);
            self.add("layers that keep information", NetworkSpec::higsfa(input, self.distinct, outputs).layers);
        }
        let hierarchy = NetworkSpec::hierarchy(input, self.distinct, outputs);
        self.add(&format!("hierarchy of {} layers", hierarchy.layers.len()), hierarchy.layers);
        Ok(())
    }

    /// One linear node.
    fn node(&self) -> LayerSpec {
        LayerSpec { ridge: crate::solve::DEFAULT_RIDGE, ..LayerSpec::new(self.outputs) }
    }

    fn add(&mut self, name: &str, layers: Vec<LayerSpec>) {
        let network = self.design.recipe.adjusted(NetworkSpec::new(self.input, layers));
        // What is impossible, as an expansion that is too large, is no candidate.
        if network.plan().is_ok() {
            let (spec, graph) = (self.design.spec.clone(), self.design.graph.clone());
            self.rungs.push(Rung::new(name.to_string() + standardized(&network), spec, graph, network));
        }
    }

    fn add_with(&mut self, name: &str, spec: GraphSpec, layers: Vec<LayerSpec>) -> Result<()> {
        let graph = spec.build(&self.design.input()?)?;
        let network = self.design.recipe.adjusted(NetworkSpec::new(self.input, layers));
        if network.plan().is_ok() {
            self.rungs.push(Rung::new(name.to_string(), spec, graph, network));
        }
        Ok(())
    }

    /// Numbers of principal components to try, ascending: as many as make half as many quadratic terms as there are samples,
    /// and half of these; where no effort is spared, also a quarter, and as many terms as samples.
    fn components(&self) -> Vec<usize> {
        let fit = |most: usize| {
            let most = most.min(MOST_INPUTS);
            (1..=self.values.min(most)).take_while(|&k| quadratic_terms(k) <= most).last().unwrap_or(0)
        };
        let usual = fit(self.distinct / 2);
        let mut counts = vec![usual / 2, usual];
        if self.is_thorough() {
            counts.extend([usual / 4, fit(self.distinct)]);
        }
        counts.retain(|&count| count >= LEAST_COMPONENTS.min(self.values).max(1));
        counts.sort_unstable();
        counts.dedup();
        counts
    }

    fn is_thorough(&self) -> bool {
        self.design.recipe.effort == Effort::Thorough
    }

    /// How many principal components of standardised columns stand out of noise, by all samples: those above the threshold of
    /// Gavish and Donoho for singular values under noise of unknown size. `None` if none does, or as many as labels can pay
    /// for, or if all samples have labels.
    fn components_of_all(&self, samples: &dyn Samples) -> Result<Option<usize>> {
        let graph = &self.design.graph;
        let unlabelled = graph.samples() + graph.unlabelled().len() > graph.len();
        if !unlabelled || !(3..=WIDEST_SPECTRUM).contains(&samples.dim()) {
            return Ok(None);
        }
        let everyone = weighing(graph)?;
        let moments = match samples.precision() {
            Precision::Single => Moments::<f32>::of(samples, &everyone)?.finish()?,
            Precision::Double => Moments::<f64>::of(samples, &everyone)?.finish()?,
        };
        let mut correlation = moments.covariance();
        let inverse: Array1<f64> = correlation.diag().mapv(|v| if v > 0.0 { v.sqrt().recip() } else { 0.0 });
        correlation.indexed_iter_mut().for_each(|((i, j), c)| *c *= inverse[i] * inverse[j]);
        let eigen = symmetric_eigen(correlation.view())?;
        let mut singular: Vec<f64> = eigen.values.iter().map(|e| e.max(0.0).sqrt()).collect();
        singular.sort_by(|a, b| b.total_cmp(a));
        let (rows, columns) = (samples.len() as f64, samples.dim() as f64);
        let ratio = (rows / columns).min(columns / rows);
        let median = singular[singular.len() / 2];
        let threshold = median * (0.56 * ratio.powi(3) - 0.95 * ratio * ratio + 1.82 * ratio + 1.43);
        let count = singular.iter().filter(|s| **s > threshold).count();
        Ok((count > 0 && count < samples.dim() && count + 2 < self.distinct).then_some(count))
    }
}

fn quadratic_terms(inputs: usize) -> usize {
    inputs.saturating_mul(inputs.saturating_add(3)) / 2
}

/// A network in a few words.
pub(super) fn described(network: &NetworkSpec) -> String {
    let mut name = match network.layers.as_slice() {
        [layer] if layer.expansion == Expansion::Identity => "linear".to_string(),
        [layer] if layer.expansion == Expansion::QUADRATIC => "quadratic".to_string(),
        [layer] => match layer.expansion.rbf() {
            Some(rbf) => format!("{} radial basis functions of width {}", rbf.centers, rbf.width),
            None => "one node".to_string(),
        },
        layers => format!("{} layers", layers.len()),
    };
    if let Some(count) = network.layers.last().and_then(|layer| layer.pca).and_then(|pca| pca.components) {
        name += &format!(" on {count} principal components");
    }
    name + standardized(network)
}

/// What a name says of columns that are scaled: a network of the same name without it is another one.
fn standardized(network: &NetworkSpec) -> &'static str {
    if network.layers.first().is_some_and(|layer| layer.standardize) { ", standardized" } else { "" }
}
