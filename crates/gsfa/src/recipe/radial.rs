//! Radial basis functions among the candidates: about few and about many samples, each with the best of some widths.

use super::ladder::{Ladder, Rung};
use super::search::Search;
use crate::expansion::Expansion;
use crate::network::{LayerSpec, NetworkSpec, PcaSpec};
use crate::{Error, Result};

/// Centres, and widths to choose from. Widths of many are those that few have left room for.
const RADIAL: [(usize, &[f64]); 2] = [(100, &[1.0, 0.5, 2.0, 4.0]), (300, &[1.0, 2.0])];

/// Fewer centres are not worth it.
const FEWEST_CENTERS: usize = 20;

/// Inputs of radial basis functions, at most: principal components of wider tables. Distances in many dimensions are all alike.
const RADIAL_INPUTS: usize = 64;

/// Ridges that are enough to tell networks apart.
pub(super) const FEW_RIDGES: [f64; 6] = [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0];

impl Ladder<'_, '_> {
    /// Rungs of a table whose linear node is given. Sums over the blocks of a series do not tell widths apart: it has none.
    pub(super) fn radial(&self, linear: &LayerSpec) -> Vec<Rung> {
        if self.design.series().is_some() {
            return Vec::new();
        }
        let components = RADIAL_INPUTS.min(self.distinct / 2).max(1);
        let pca = (self.values > RADIAL_INPUTS).then(|| PcaSpec::components(components));
        let network = |centers: usize, width: f64| {
            let expansion = Expansion::Rbf { centers, width, seed: 0 };
            let layers = vec![LayerSpec { pca, expansion, ..linear.clone() }];
            self.design.recipe.adjusted(NetworkSpec::new(self.input, layers))
        };
        // Where samples are few, half of them are centres.
        let paid = RADIAL.iter().map(|&(centers, widths)| (centers.min(self.distinct / 2), widths));
        let mut paid: Vec<(usize, &[f64])> = paid.filter(|(centers, _)| *centers >= FEWEST_CENTERS).collect();
        paid.dedup_by_key(|(centers, _)| *centers);
        let rung = |(centers, widths): (usize, &[f64])| {
            let mut networks: Vec<NetworkSpec> = widths.iter().map(|&width| network(centers, width)).collect();
            networks.retain(|network| network.plan().is_ok());
            let first = (!networks.is_empty()).then(|| networks.remove(0))?;
            let (spec, graph) = (self.design.spec.clone(), self.design.graph.clone());
            let name = format!("{centers} radial basis functions");
            Some(Rung { alternatives: networks, ..Rung::new(name, spec, graph, first) })
        };
        paid.into_iter().filter_map(rung).collect()
    }
}

impl Search<'_, '_> {
    /// Of networks of one node that are as simple as each other, the one that errs least with its best ridge, by sums over the
    /// folds; a few ridges tell.
    pub(super) fn take_alternative(&self, rung: &mut Rung) -> Result<()> {
        let alternatives = std::mem::take(&mut rung.alternatives);
        if alternatives.is_empty() {
            return Ok(());
        }
        let own: Vec<f64> = rung.network.layers.iter().map(|layer| layer.ridge).take(1).collect();
        let ridges = if self.design.recipe.ridge_is_open() { FEW_RIDGES.to_vec() } else { own };
        let mut least = f64::INFINITY;
        for network in std::iter::once(rung.network.clone()).chain(alternatives) {
            let found = match self.ridge_errors(rung, &network, &ridges) {
                Ok(Some(found)) => found,
                Err(error @ Error::Cancelled { .. }) => return Err(error),
                // What cannot be learned says so when its ridge is chosen.
                Ok(None) | Err(_) => continue,
            };
            let error = found.errors.iter().copied().fold(f64::INFINITY, f64::min);
            if error < least {
                (least, rung.network) = (error, network);
            }
        }
        rung.name += &match (rung.network.layers.last().and_then(|top| top.expansion.rbf()), rung.network.spectrum) {
            (Some(rbf), _) => format!(" of width {}", rbf.width),
            (None, Some(spectrum)) => format!(", window {}", spectrum.window),
            (None, None) => String::new(),
        };
        Ok(())
    }
}
