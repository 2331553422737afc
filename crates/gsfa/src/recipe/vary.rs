//! Variations of the best candidate: one thing is changed at a time, and what is better by more than a standard error stays.

use super::graph::{weight_is_open, with_unlabelled};
use super::ladder::Rung;
use super::search::Search;
use super::{Design, NetworkKind};
use crate::Result;
use crate::graph::{Chain, Ell, GraphSpec};
use crate::labels::EigenvalueProfile;

/// Weights of unlabelled samples that are tried beside 0.
const UNLABELLED: [f64; 2] = [0.1, 1.0];

/// Target labels that are tried beside the labels themselves, for each of these.
const TARGETS: [usize; 3] = [3, 5, 10];

/// Lags that a time series is trained with, beside 1, in units of it.
const LAGS: [usize; 2] = [2, 4];

/// Variances of (z² − 1)·p that are tried beside none.
const SQUARES: [f64; 1] = [0.1];

impl Design<'_> {
    /// Tries variations of the best.
    pub(super) fn vary(&self, search: &mut Search<'_, '_>) -> Result<()> {
        if search.judgement().is_none() {
            return Ok(());
        }
        self.vary_targets(search)?;
        self.vary_features(search)?;
        self.vary_eigenvalues(search)?;
        self.vary_codes(search)?;
        self.vary_gate(search)?;
        self.vary_lag(search)?;
        self.vary_unlabelled(search)
    }

    /// Auxiliary labels, if labels are numbers, and their number and the network are left open: who names a network may have
    /// sums for its graph already. Of the best candidate, and of the best single node: what a cascade gains by its second
    /// look, a node may gain by more labels.
    fn vary_targets(&self, search: &mut Search<'_, '_>) -> Result<()> {
        if self.recipe.network.kind != NetworkKind::Auto || !self.targets_are_open() {
            return Ok(());
        }
        for base in search.leaders() {
            self.vary_targets_of(&base, search)?;
        }
        Ok(())
    }

    /// All start from the same candidate, so that any of them may win.
    fn vary_targets_of(&self, base: &Rung, search: &mut Search<'_, '_>) -> Result<()> {
        let GraphSpec::Ell(ell) = &base.spec else { return Ok(()) };
        if ell.products {
            return Ok(());
        }
        let originals = self.labels.columns().count();
        let mut specs: Vec<GraphSpec> = self.products().into_iter().collect();
        specs.extend(TARGETS.map(|times| Ell { targets: Some(times * originals), ..ell.clone() }.into()));
        let mut known = vec![base.graph.targets().map_or(1, |targets| targets.eigenvalues.values.len())];
        for spec in specs {
            let Ok(graph) = spec.build(&self.input()?) else { continue };
            let targets = graph.targets().map_or(1, |targets| targets.eigenvalues.values.len());
            // Labels of few values have few auxiliary ones.
            if known.contains(&targets) {
                continue;
            }
            known.push(targets);
            let mut network = base.network.clone();
            let old = network.layers.last().map_or(0, |top| top.output_dim);
            // Nodes of a cascade pass on what the top returns.
            network.layers.iter_mut().filter(|layer| layer.output_dim == old).for_each(|l| l.output_dim = targets);
            let products = matches!(&spec, GraphSpec::Ell(ell) if ell.products);
            let with = if products { ", products among them" } else { "" };
            let name = format!("{}, {targets} target labels{with}", base.name);
            search.vary(Rung::new(name, spec, graph, self.recipe.adjusted(network)))?;
        }
        Ok(())
    }

    /// Fewer features than target labels, where neither was given: as many as there are labels. Layers that are written out
    /// say it themselves.
    fn vary_features(&self, search: &mut Search<'_, '_>) -> Result<()> {
        let open = self.targets_are_open() && self.recipe.network.kind != NetworkKind::Layers;
        let Some(best) = search.best().cloned().filter(|_| open) else { return Ok(()) };
        let (GraphSpec::Ell(_), labels) = (&best.spec, self.labels.columns().count()) else { return Ok(()) };
        let mut network = best.network.clone();
        let Some(top) = network.layers.last_mut().filter(|top| top.output_dim > labels) else { return Ok(()) };
        top.output_dim = labels;
        let name = format!("{}, {labels} feature{} of them", best.name, if labels == 1 { "" } else { "s" });
        search.vary(Rung::new(name, best.spec, best.graph, network))
    }

    /// Equal eigenvalues, or halving ones, instead of those that decrease linearly, where the graph was left open and has
    /// several target labels. A single node with a feature for each spans the same features whatever they are.
    fn vary_eigenvalues(&self, search: &mut Search<'_, '_>) -> Result<()> {
        let Some(best) = search.best().cloned().filter(|_| self.recipe.graph.is_none()) else { return Ok(()) };
        let GraphSpec::Ell(ell) = &best.spec else { return Ok(()) };
        let targets = best.graph.targets().map_or(1, |targets| targets.eigenvalues.values.len());
        let spans_all = matches!(best.network.layers.as_slice(), [only] if only.output_dim >= targets);
        if targets < 2 || spans_all {
            return Ok(());
        }
        for (words, eigenvalues) in
            [("equal", EigenvalueProfile::Equal), ("halving", EigenvalueProfile::Geometric(0.5))]
        {
            let spec: GraphSpec = Ell { eigenvalues, ..ell.clone() }.into();
            let Ok(graph) = spec.build(&self.input()?) else { continue };
            let name = format!("{}, {words} eigenvalues", best.name);
            search.vary(Rung::new(name, spec, graph, best.network.clone()))?;
        }
        Ok(())
    }

    /// Products with squares of the features, in a gated cascade that was left open.
    fn vary_gate(&self, search: &mut Search<'_, '_>) -> Result<()> {
        let Some(best) = search.best().cloned().filter(|_| self.recipe.network.kind == NetworkKind::Auto) else {
            return Ok(());
        };
        for squares in SQUARES {
            let mut network = best.network.clone();
            let gates = network.layers.iter_mut().filter_map(|layer| layer.skip.as_mut()?.gate.as_mut());
            if gates.map(|gate| gate.squares = squares).count() > 0 && network.plan().is_ok() {
                let name = format!("{}, with squares of features", best.name);
                search.vary(Rung::new(name, best.spec.clone(), best.graph.clone(), network))?;
            }
        }
        Ok(())
    }

    /// Longer lags of a time series, if it is the usual one and the network is left open: they listen less to noise. All are
    /// judged alike.
    fn vary_lag(&self, search: &mut Search<'_, '_>) -> Result<()> {
        let Some(best) = search.best().cloned().filter(|_| self.recipe.network.kind == NetworkKind::Auto) else {
            return Ok(());
        };
        let GraphSpec::Chain(chain) = &best.spec else { return Ok(()) };
        for lag in LAGS.iter().filter(|_| chain.lag == 1) {
            let spec: GraphSpec = Chain { lag: *lag, ..chain.clone() }.into();
            let Ok(graph) = spec.build(&self.input()?) else { continue };
            let graph = graph.with_features(best.network.layers.last().map_or(0, |top| top.output_dim));
            let name = format!("{}, lag {lag}", best.name);
            search.vary(Rung::new(name, spec, graph, best.network.clone()))?;
        }
        Ok(())
    }

    /// Unlabelled samples that weigh something in the covariance.
    fn vary_unlabelled(&self, search: &mut Search<'_, '_>) -> Result<()> {
        let unlabelled = self.labels.len() - self.labels.labeled().len();
        let open = unlabelled > 0 && weight_is_open(&self.spec);
        let Some(best) = search.best().cloned().filter(|_| open) else { return Ok(()) };
        for weight in UNLABELLED {
            let spec = with_unlabelled(best.spec.clone(), Some(weight))?;
            let graph = spec.build(&self.input()?)?;
            let name = format!("{}, unlabelled samples weigh {weight}", best.name);
            search.vary(Rung::new(name, spec, graph, best.network.clone()))?;
        }
        Ok(())
    }
}
